"""Time called on a player."""

from typing import Any

import pytest

from tests.playing import ScriptedTable, play

DOWN = "card" + " -" * 8
BOOKS = {
    "roberts-7": ["R7-14.nl.16", "R7-3.dead.1f"],
    "house-rules": ["HR-nl.12", "HR-dead.1.6"],
    "fish-n-chips": ["FC-8.nl.11", "FC-3.dead.1e"],
    "maryport": ["MP-6.nl.12", "MP-3.dead.1.5"],
    "casino-au": ["R7-14.nl.16", "R7-3.dead.1f"],
}
LIMIT = {"structure": "fixed-limit", "small_blind": 1, "big_blind": 2, "small_bet": 2, "big_bet": 4}


def called(book: str, *lines: dict[str, Any] | str, **table: Any) -> ScriptedTable:  # noqa: ANN401
    """Time is called on seat 4, which faces the big blind, at second 100."""
    return play(book, "start", DOWN, *lines, {"ev": "clock", "seat": 4, "t": 100}, **table)


def time(t: float) -> dict[str, Any]:
    return {"ev": "time", "t": t}


@pytest.mark.parametrize("book", BOOKS)
def test_facing_a_bet_the_hand_is_dead_after_a_minute(book: str) -> None:
    """One additional minute, a warning at ten seconds, then the hand is dead.

    Covers: R7-14.nl.16, HR-nl.12, FC-8.nl.11, MP-6.nl.12
    """
    table = called(book)
    assert table.lines[-1]["clock"] == {"seat": 4, "warning": 150.0, "until": 160.0}
    assert table(time(159.9))["rulings"] == []
    line = table(time(160))
    (ruling,) = line["rulings"]
    assert (ruling["finding"], ruling["verdict"], ruling["seat"]) == ("clock-expired", "dead-hand", 4)
    assert ruling["cite"] == BOOKS[book]
    assert (line["next"][0]["seat"], line["piles"]["muck"]) == (1, 2)
    assert "clock" not in line


@pytest.mark.parametrize("book", BOOKS)
def test_in_limit_games_the_dead_hand_rule_decides(book: str) -> None:
    """You have the clock on you when facing a bet or raise and exceed the time limit: your hand is dead.

    Covers: R7-3.dead.1f, HR-dead.1.6, FC-3.dead.1e, MP-3.dead.1.5
    """
    table = called(book, betting=LIMIT)
    (ruling,) = table(time(161))["rulings"]
    assert (ruling["verdict"], ruling["cite"]) == ("dead-hand", BOOKS[book][1:])


@pytest.mark.parametrize("book", BOOKS)
def test_facing_no_bet_the_hand_lives(book: str) -> None:
    """The rules speak only of a player who faces a bet: otherwise nothing dies and the seat is still to act."""
    calls = ("act 4 call", "act 1 call", "act 2 call")
    table = play(book, "start", DOWN, *calls, {"ev": "clock", "seat": 3, "t": 10})
    line = table(time(71))
    assert [(r["finding"], r["verdict"]) for r in line["rulings"]] == [("clock-expired", "play-on")]
    assert line["next"][0]["seat"] == 3
    assert "error" not in table("act 3 check")


def test_an_act_in_time_takes_the_clock_off() -> None:
    """The seat acts within the minute, in its last instant too: nothing is ruled later."""
    table = called("roberts-7")
    line = table({"ev": "act", "seat": 4, "do": "call", "t": 160})
    assert (line["rulings"], line["next"][0]["seat"]) == ([], 1)
    assert table(time(300))["rulings"] == []


def test_an_act_that_comes_too_late_finds_the_hand_dead() -> None:
    """The minute was over before: the hand is dead, the call counts for nothing."""
    line = called("roberts-7")({"ev": "act", "seat": 4, "do": "call", "t": 161})
    assert [r["verdict"] for r in line["rulings"]] == ["dead-hand"]
    assert "error" not in line
    assert (line["next"][0]["seat"], line["stacks"]["4"]) == (1, 200)


def test_another_event_after_the_minute_meets_the_dead_hand() -> None:
    """The next seat acts at once, no `time` line in between: both things have happened."""
    line = called("roberts-7")({"ev": "act", "seat": 1, "do": "call", "t": 170})
    assert [r["verdict"] for r in line["rulings"]] == ["dead-hand"]
    assert line["next"][0]["seat"] == 2


def test_a_refused_line_leaves_the_clock_as_it_was() -> None:
    """A line that does not fit changes nothing, though the minute was over when it came; the next one finds it over."""
    table = called("roberts-7")
    before = table.lines[-1]
    line = table({"ev": "act", "seat": 9, "do": "call", "t": 170})
    assert line["error"]["code"] == "no-live-hand"
    assert {k: line[k] for k in ("next", "clock", "piles")} == {k: before[k] for k in ("next", "clock", "piles")}
    assert [r["verdict"] for r in table(time(170))["rulings"]] == ["dead-hand"]


def test_time_does_not_count_while_the_seat_cannot_act() -> None:
    """The floor decides for two minutes about somebody else's act: the seat keeps the thirty seconds that it had."""
    table = called("roberts-7")
    table({"ev": "act", "seat": 1, "do": "call", "t": 130}, time(200), {"ev": "floor", "decide": "release", "t": 250})
    assert table.lines[-1]["clock"]["until"] == 280
    assert table(time(279))["rulings"] == []
    assert [r["verdict"] for r in table(time(280))["rulings"]] == ["dead-hand"]


def test_time_does_not_count_while_the_table_is_halted() -> None:
    """The shoe is lost for a minute: the clock stands."""
    table = called("roberts-7")
    table(
        {"ev": "device", "id": "shoe", "status": "lost", "t": 110},
        {"ev": "device", "id": "shoe", "status": "back", "t": 170},
    )
    assert table(time(215))["rulings"] == []
    assert [r["verdict"] for r in table(time(220))["rulings"]] == ["dead-hand"]


def test_time_is_called_on_the_seat_that_is_to_act_and_once() -> None:
    """Nobody else can be hurried, and a second call gives no second minute."""
    table = called("roberts-7")
    assert table({"ev": "clock", "seat": 4, "t": 120})["error"]["code"] == "clock-runs"
    assert table("act 4 call", "clock 4")["error"]["code"] == "not-your-turn"


def test_a_misdeal_takes_the_clock_off() -> None:
    """The hand on which time was called is gone."""
    table = called("roberts-7", {"ev": "time", "t": 1})
    line = table({"ev": "floor", "decide": "misdeal", "t": 110})
    assert "clock" not in line
    assert table(time(400))["rulings"] == []


def test_undo_kills_nobody() -> None:
    """An act is taken back after the minute: the seat has its turn again, and no time that is long over."""
    table = called("roberts-7")
    table({"ev": "act", "seat": 4, "do": "call", "t": 110})
    line = table({"ev": "undo", "t": 200})
    assert line["next"][0]["seat"] == 4
    assert "clock" not in line
    assert table(time(201))["rulings"] == []


def test_the_last_but_one_hand_dies_and_the_other_wins() -> None:
    """Heads-up the dead hand ends the hand."""
    table = play("maryport", "start", "card - - - -", {"ev": "clock", "seat": 1, "t": 5}, seats=2)
    line = table(time(66))
    assert line["next"] == [{"step": "award", "pot": 0, "seats": [2], "amounts": [2]}]


@pytest.mark.parametrize("decide", ["play-on", "undo"])
def test_the_floor_gives_the_hand_back(decide: str) -> None:
    """The ruling of the clock can be set aside like any other."""
    table = called("roberts-7")
    table(time(161))
    line = table({"ev": "floor", "decide": "play-on"} if decide == "play-on" else "undo")
    assert line["next"][0]["seat"] == 4
    assert line["piles"]["muck"] == 0
    assert table(time(900))["rulings"] == []


@pytest.mark.parametrize("book", ["tda-2024", "wsop-2024"])
def test_TDA_29_check(book: str) -> None:
    """Who faces no bet is checked when the time is over, and an act that comes later comes too late.

    Covers: TDA-29#check
    """
    acts = ("act 4 call", "act 1 call", "act 2 call", "act 3 check", "card - - - -")
    table = play(book, "start", DOWN, *acts, {"ev": "clock", "seat": 2, "t": 100})
    line = table(time(130))
    (ruling,) = line["rulings"]
    assert (ruling["finding"], ruling["verdict"], ruling["cite"]) == ("clock-expired", "bind", ["TDA-29"])
    assert (line["next"][0]["seat"], line["piles"]["muck"], "clock" in line) == (3, 0, False)
    table({"ev": "clock", "seat": 3, "t": 200}, {"ev": "act", "seat": 3, "do": "bet", "to": 20, "t": 231})
    assert (table.lines[-1]["bets"], table.lines[-1]["next"][0]["seat"]) == ({}, 4)
    table({"ev": "clock", "seat": 4, "t": 300}, {"ev": "act", "seat": 4, "do": "bet", "to": 20, "t": 330})
    assert table.lines[-1]["bets"] == {"4": 20}


@pytest.mark.parametrize(("book", "clause"), [("tda-2024", "TDA-29"), ("wsop-2024", "WSOP-T-80")])
def test_WSOP_T_80_the_floor_gives_fewer_seconds(book: str, clause: str) -> None:
    """So many and a countdown of five, then the hand is dead; without a number it is the most that the book gives.

    Covers: WSOP-T-80 TDA-29 WSOP-T-108.clock
    """
    table = play(book, "start", DOWN, {"ev": "clock", "seat": 4, "seconds": 10, "t": 100})
    assert table.lines[-1]["clock"] == {"seat": 4, "warning": 110.0, "until": 115.0}
    assert table(time(114.9))["next"][0]["seat"] == 4
    (ruling,) = table(time(115))["rulings"]
    assert (ruling["verdict"], ruling["cite"][0]) == ("dead-hand", clause)
    assert table.lines[-1]["next"][0]["seat"] == 1
    assert play(book, "start", DOWN, {"ev": "clock", "seat": 4, "t": 100}).lines[-1]["clock"]["until"] == 130.0


@pytest.mark.parametrize("seconds", [0, 60])
def test_WSOP_L_81_the_floor_gives_up_to_a_minute(seconds: int) -> None:
    """Then a countdown of ten.

    Covers: WSOP-L-81
    """
    table = play("wsop-live-2024", "start", DOWN, {"ev": "clock", "seat": 4, "seconds": seconds, "t": 100})
    assert table.lines[-1]["clock"]["until"] == 110.0 + seconds
    assert table(time(110 + seconds))["rulings"][0]["verdict"] == "dead-hand"
