"""Draw high and jacks or better: short hands, antes of several deals, who opens, false openers."""

from typing import Any

import pytest

from tests.games.playing import first, said, steps, table
from tests.playing import ScriptedTable

R7 = "roberts-7"
BLANK = "card " + "- " * 15
JACKS = "card Js 2c 5h Jd 2d 8h Kc 6h 7h 7c 8c 9c Ts Tc Th"
"""Seats 2, 3 and 1: a pair of jacks; a pair of twos; nothing."""
NOTHING = "card 3s 2c 5h Jd 2d 8h Kc 6h 7h 7c 8c 9c Ts Tc Th"
OPENERS = "card Js 2c 5h Jd 2d 8h Kc 6h 7h 7c 8c 9c Ts Tc Th"
"""Seat 2 has no openers either."""


def draw(played: ScriptedTable, seat: int, discard: int) -> dict[str, Any]:
    return played({"ev": "draw", "seat": seat, "discard": discard})


def drawing(book: str = R7, game: str = "draw-high", seats: int = 3, **setup: Any) -> ScriptedTable:  # noqa: ANN401
    """Everybody is in, the first seat is asked how many cards it exchanges."""
    played = table(book, game, "start", "card " + "- " * (5 * seats), seats=seats, joker=False, **setup)
    while first(played.lines[-1])["step"] == "act":
        step = first(played.lines[-1])
        words = step["options"]
        played(f"act {step['seat']} " + ("call" if "call" in words else "bet" if "bet" in words else "check"))
    return played


def money(answer: dict[str, Any]) -> int:
    """All chips of the table."""
    pots = sum(pot["amount"] for pot in answer["pots"])
    return int(sum(answer["stacks"].values()) + pots + sum(answer["bets"].values()))


@pytest.mark.parametrize(("missing", "now"), [(1, True), (2, False)])
def test_R7_12_draw_5_b(missing: int, now: bool) -> None:
    """After action the button gets a missing fifth card at once; more than one, or another hand, on the draw."""
    played = table(R7, "draw-high", "start", BLANK, "act 2 bet")
    answer = played(f"report short-hand seat=1 count={missing}")
    assert said(answer) == [("short-hand", "correct" if now else "play-on", 1, "R7-12.draw.5")]
    assert (first(answer) == {"step": "deal", "seat": 1, "face": "down", "why": "missing"}) is now
    assert answer["piles"]["seats"]["1"] == 5 - missing
    played("undo")
    answer = played("report short-hand seat=3")
    assert said(answer) == [("short-hand", "play-on", 3, "R7-12.draw.5")]
    played("act 3 call", "act 1 call")
    draw(played, 2, 0)
    assert [step[:2] for step in steps(draw(played, 3, 1))] == [("burn",), ("deal", 3), ("deal", 3), ("draw", 1)]


@pytest.mark.parametrize("game", ["draw-high", "jacks-or-better"])
@pytest.mark.parametrize("report", ["short-hand", "extra-card"])
def test_R7_12_draw_5_c(report: str, game: str) -> None:
    """More or fewer than five cards after the draw is a fouled hand."""
    played = drawing(game=game)
    for seat in (2, 3, 1):
        draw(played, seat, 0)
    answer = played(f"report {report} seat=3")
    assert said(answer) == [(report, "dead-hand", 3, "R7-12.draw.5")]
    assert "3" not in answer["piles"]["seats"]


def test_a_hand_is_fouled_after_the_draw_though_all_in_players_had_no_action() -> None:
    """Where everybody was all-in before the first act nobody has acted: the hand is dead, not the deal."""
    played = table(R7, "draw-high", "start", BLANK, stacks={1: 1, 2: 1, 3: 1})
    for seat in (2, 3, 1):
        draw(played, seat, 0)
    assert said(played("report short-hand seat=2")) == [("short-hand", "dead-hand", 2, "R7-12.draw.5")]


def test_a_hand_short_of_a_card_of_the_draw_is_completed_while_the_draw_is_on() -> None:
    """Its cards are still due, or it gets them before the others draw; afterwards it is fouled."""
    played = drawing()
    draw(played, 2, 2)
    played("card - -")
    assert said(played("report short-hand seat=2")) == [("short-hand", "play-on", 2, "R7-12.draw.6")]
    played("card -")
    answer = played("report short-hand seat=2")
    assert said(answer) == [("short-hand", "correct", 2, "R7-12.draw.5")]
    assert steps(answer)[:2] == [("deal", 2, "down", "missing"), ("draw", 3)]
    assert answer["piles"]["seats"]["2"] == 4


def test_an_extra_card_of_the_draw_goes_back_while_nobody_has_looked() -> None:
    """It belongs to the next player; looked at, it fouls the hand."""
    played = drawing()
    draw(played, 2, 1)
    played("card - -", "card -")
    answer = played("report extra-card seat=2")
    assert said(answer) == [("extra-card", "correct", 2, "AU-19.6")]
    assert steps(answer)[:2] == [("return", "seat 2", "stub", 1), ("draw", 3)]
    played("undo", "report looked seat=2")
    assert said(played("report extra-card seat=2"))[0][1] == "dead-hand"


def passed(played: ScriptedTable, deal: str = BLANK) -> dict[str, Any]:
    """A deal that nobody opens."""
    answer = played("start", deal)
    while first(answer)["step"] == "act":
        answer = played(f"act {first(answer)['seat']} check")
        if not answer["next"]:
            break
    return answer


def test_R7_12_draw_11() -> None:
    """Nobody changes seats while the pot holds the antes of a deal that nobody opened."""
    played = table(R7, "jacks-or-better")
    passed(played)
    change = {"ev": "sit", "seat": 7, "from": 3}
    answer = played(change)
    assert answer["error"]["code"] == "seat-change"
    assert "Section 12, Rules of Draw High, rule 11" in answer["error"]["message"]
    played("start", BLANK, "act 3 bet", "act 1 fold", "act 2 fold", "show 3", "done")
    assert "error" not in played(change)


def test_R7_12_draw_12() -> None:
    """A newcomer is dealt in at once for as many antes as lie in the pot for each player."""
    played = table(R7, "jacks-or-better")
    passed(played)
    passed(played)
    played({"ev": "sit", "seat": 4, "player": "Eve", "stack": 100})
    answer = played("start")
    assert answer["stacks"] == {"1": 197, "2": 197, "3": 197, "4": 97}
    assert answer["pots"] == [{"amount": 12, "seats": [1, 2, 3, 4]}]
    assert {step["seat"] for step in answer["next"] if step["step"] == "deal"} == {1, 2, 3, 4}


def test_a_player_who_missed_an_anted_deal_pays_that_ante_too() -> None:
    """Single or multiple: what the others have put in."""
    played = table(R7, "jacks-or-better", seats=4)
    passed(played, "card " + "- " * 20)
    played("away 4")
    passed(played)
    answer = played({"ev": "back", "seat": 4}, "start")
    assert answer["stacks"]["4"] == 197
    assert answer["pots"] == [{"amount": 12, "seats": [1, 2, 3, 4]}]


def test_money_forfeited_in_a_hand_keeps_others_out_of_the_pot() -> None:
    """A false opener's bet lies in the pot: only who was in that hand may ante for it [R7-12.draw.12]."""
    played = table(R7, "jacks-or-better", "start", NOTHING, "act 2 bet", "act 3 fold", "act 1 fold")
    played("report false-openers", {"ev": "sit", "seat": 4, "player": "Eve", "stack": 100})
    answer = played("start")
    assert {step["seat"] for step in answer["next"] if step["step"] == "deal"} == {1, 2, 3}
    assert answer["pots"] == [{"amount": 8, "seats": [1, 2, 3]}]


@pytest.mark.parametrize("when", ["in turn", "asked last"])
def test_R7_12_draw_13(when: str) -> None:
    """An all-in player declares the pot open: all callers come in for the full opening bet."""
    stacks: dict[int, int | None] = {1: 200, 2: 1, 3: 200, 4: 200}
    played = table(R7, "draw-high", "start", "card " + "- " * 20, stacks=stacks)
    if when == "asked last":
        answer = played("act 3 check", "act 4 check", "act 1 check")
        assert (first(answer)["seat"], first(answer)["options"]) == (2, ["check", "open"])
    answer = played("act 2 open")
    step = first(answer)
    assert (step["seat"], step["to_call"], step["min_to"]) == (3, 2, 4)
    answer = played("act 3 call", "act 4 call", "act 1 fold")
    assert answer["pots"] == [{"amount": 4, "seats": [2, 3, 4]}, {"amount": 4, "seats": [3, 4]}]
    for seat in (2, 3, 4):
        answer = draw(played, seat, 0)
    assert first(answer)["seat"] == 3


def test_an_all_in_player_who_has_nothing_passes_and_all_ante_again() -> None:
    """The pot is passed out only when the player without chips has passed, too."""
    stacks: dict[int, int | None] = {1: 200, 2: 1, 3: 200}
    played = table(R7, "jacks-or-better", "start", BLANK, "act 3 check", "act 1 check", stacks=stacks)
    assert said(played("act 2 check")) == [("passed-out", "play-on", None, "R7-12.jacks.1")]
    assert played("act 2 open")["error"]
    played = table(R7, "jacks-or-better", "start", BLANK, "act 3 bet", stacks=stacks)
    assert played("act 2 open")["error"]["code"] == "act-not-open"


def test_R7_12_draw_14() -> None:
    """Who had a full ante and nothing else plays on for the part of the antes that it has matched."""
    stacks: dict[int, int | None] = {1: 200, 2: 1, 3: 200}
    played = table(R7, "jacks-or-better", "start", BLANK, "act 3 check", "act 1 check", stacks=stacks)
    played("act 2 check")
    answer = played("start")
    assert answer["pots"] == [{"amount": 3, "seats": [1, 2, 3]}, {"amount": 2, "seats": [1, 3]}]
    assert answer["stacks"] == {"1": 198, "2": 0, "3": 198}
    played(JACKS.replace("Js", "3s"), "act 1 check", "act 3 check")
    answer = played("act 2 check", "start", "card Qs 3c 2h Qd 3d 5h Kc 6h 7h 7c 8c 9c Ts Tc Th")
    assert money(answer) == 401


def raised_or_called(how: str) -> ScriptedTable:
    """Seat 2 opens on nothing; the others raise, call, or complete the action."""
    played = table(R7, "jacks-or-better", "start", NOTHING.replace("Th", "Th Ad Ac As 3h 4h"), "act 2 bet", seats=4)
    acts = {"raise": ["act 3 raise"], "two callers": ["act 3 call", "act 4 call"]}
    played(*acts.get(how, ["act 3 call", "act 4 fold", "act 1 fold"]))
    return played


@pytest.mark.parametrize("how", ["raise", "two callers", "action complete"])
def test_R7_12_jacks_4(how: str) -> None:
    """The opener is found false, and the pot plays all the same: its hand is dead, its bet stays."""
    played = raised_or_called(how)
    answer = played("report false-openers seat=2")
    clause = "R7-12.jacks.6" if how == "action complete" else "R7-12.jacks.4"
    assert said(answer) == [("false-openers", "dead-hand", 2, clause)]
    assert "R7-12.jacks.4" in answer["rulings"][0]["cite"]
    assert answer["stacks"]["2"] == 197
    assert answer["phase"] != "idle"
    assert money(answer) == 800


@pytest.mark.parametrize("complete", [False, True])
def test_R7_12_jacks_6(complete: bool) -> None:
    """While the action before the draw is on a false opener withdraws what it bet beyond its opening; then nothing."""
    played = table(R7, "jacks-or-better", "start", NOTHING, "act 2 bet", "act 3 raise", "act 1 fold", "act 2 raise")
    if complete:
        played("act 3 call")
    answer = played("report false-openers")
    assert answer["stacks"]["2"] == (193 if complete else 197)
    assert said(answer) == [("false-openers", "dead-hand", 2, "R7-12.jacks.6" if complete else "R7-12.jacks.4")]
    assert first(answer)["step"] == "award"
    assert money(answer) == 600


def test_R7_12_jacks_2() -> None:
    """False openers before the draw: another who has not passed may declare the pot open; nobody does: carried over."""
    opened = ("start", NOTHING, "act 2 bet", "act 3 call")
    played = table(R7, "jacks-or-better", *opened)
    answer = played("report false-openers")
    assert said(answer) == [("false-openers", "floor", 2, "R7-12.jacks.2")]
    assert first(answer) == {"step": "floor", "question": "false-openers", "options": ["play-on", "void"]}
    answer = played({"ev": "floor", "decide": "play-on", "seat": 1})
    assert said(answer) == [("false-openers", "dead-hand", 2, "R7-12.jacks.2")]
    assert (first(answer)["seat"], first(answer)["to_call"]) == (1, 2)
    played = table(R7, "jacks-or-better", *opened)
    answer = played("report false-openers", {"ev": "floor", "decide": "void"})
    assert [ruling[:2] for ruling in said(answer)] == [("false-openers", "void-hand"), ("passed-out", "play-on")]
    assert answer["phase"] == "idle"
    assert (answer["stacks"], answer["pots"][0]["amount"]) == ({"1": 199, "2": 197, "3": 199}, 5)
    answer = played("start")
    assert (answer["stacks"], answer["pots"][0]["amount"]) == ({"1": 198, "2": 196, "3": 198}, 8)


def test_who_has_passed_cannot_declare_the_pot_open() -> None:
    """All others have passed before the opener bet: nobody is asked, the pot is carried over."""
    played = table(R7, "jacks-or-better", "start", NOTHING, "act 2 check", "act 3 check", "act 1 bet", "act 2 call")
    answer = played("report false-openers seat=1")
    assert said(answer)[0] == ("false-openers", "void-hand", 1, "R7-12.jacks.2")
    assert answer["phase"] == "idle"
    assert money(answer) == 600


def test_an_opener_whom_nobody_called_must_have_openers_too() -> None:
    """All others have folded; the opener shows none: the antes and its bet stay for the next deal."""
    played = table(R7, "jacks-or-better", "start", NOTHING, "act 2 bet", "act 3 fold", "act 1 fold")
    assert [step["step"] for step in played.lines[-1]["next"]] == ["show", "award"]
    answer = played("report false-openers")
    assert (answer["stacks"], answer["pots"][0]["amount"]) == ({"1": 199, "2": 197, "3": 199}, 5)


def test_R7_12_jacks_3_all_have_folded_to_the_opener() -> None:
    """Openers are proved to win the pot though nobody is left: shown, it is pushed."""
    played = table(R7, "jacks-or-better", "start", OPENERS, "act 2 bet", "act 3 fold", "act 1 fold")
    assert [step["step"] for step in played.lines[-1]["next"]] == ["show", "award"]
    assert played("show 2", "done")["stacks"] == {"1": 199, "2": 202, "3": 199}


@pytest.mark.parametrize(
    ("acts", "stacks", "pot"),
    [
        (("act 3 fold", "act 1 fold"), {"1": 199, "2": 197, "3": 199}, 5),
        (("act 3 raise 4", "act 1 fold", "act 2 raise 6", "act 3 fold"), {"1": 199, "2": 197, "3": 199}, 5),
    ],
)
def test_R7_12_jacks_2_shown_when_all_have_folded(acts: tuple[str, ...], stacks: dict[str, int], pot: int) -> None:
    """No openers are shown and nobody else can declare the pot open: all bets go back but the opener's first."""
    played = table(R7, "jacks-or-better", "start", NOTHING, "act 2 bet", *acts)
    answer = played("show 2")
    assert said(answer) == [
        ("false-openers", "void-hand", 2, "R7-12.jacks.2"),
        ("passed-out", "play-on", None, "R7-12.jacks.1"),
    ]
    assert (answer["phase"], answer["stacks"], answer["pots"][0]["amount"]) == ("idle", stacks, pot)


def test_R7_12_jacks_6_shown_when_all_have_folded_after_the_draw() -> None:
    """The action before the draw was over: nothing that was called goes back, and nobody wins the pot on this deal."""
    played = table(R7, "jacks-or-better", "start", NOTHING, "act 2 bet", "act 3 call", "act 1 fold")
    draw(played, 2, 0)
    draw(played, 3, 0)
    answer = played("act 2 bet", "act 3 fold", "show 2")
    assert (answer["stacks"], answer["pots"][0]["amount"]) == ({"1": 199, "2": 197, "3": 197}, 7)


def test_R7_12_jacks_5() -> None:
    """All-in and opening falsely: the ante is lost, and there is no hand until the pot is won, rebuy or not."""
    stacks: dict[int, int | None] = {1: 200, 2: 1, 3: 200}
    played = table(R7, "jacks-or-better", "start", NOTHING, "act 2 open", "act 3 call", stacks=stacks)
    answer = played("report false-openers", {"ev": "floor", "decide": "void"})
    assert said(answer)[1] == ("false-openers", "dead-hand", 2, "R7-12.jacks.5")
    answer = played({"ev": "stack", "seat": 2, "stack": 100}, "start")
    assert {step["seat"] for step in answer["next"] if step["step"] == "deal"} == {1, 3}
    assert answer["pots"] == [{"amount": 5, "seats": [1, 3]}]
    played("card " + "- " * 10)
    seat = first(played.lines[-1])["seat"]
    played(f"act {seat} bet", f"act {4 - seat} fold", f"show {seat}", "done")
    assert {step["seat"] for step in played("start")["next"] if step["step"] == "deal"} == {1, 2, 3}


def test_a_pot_that_may_be_opened_on_anything_has_no_false_opener() -> None:
    """Draw high is opened on any hand; and nobody but the opener can be false."""
    played = table(R7, "draw-high", "start", NOTHING, "act 2 bet")
    assert played("report false-openers")["error"]["code"] == "not-so"
    played = table(R7, "jacks-or-better", "start", NOTHING)
    assert played("report false-openers")["error"]["code"] == "not-so"
    assert played("act 2 bet", "report false-openers seat=3")["error"]["code"] == "not-so"
