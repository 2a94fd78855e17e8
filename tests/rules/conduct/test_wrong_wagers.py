"""Bets that were wrong and are noticed later, levels that came late, shot clocks, hands that a caller may see."""

from typing import Any

import pytest

from tests.playing import ScriptedTable, play
from tests.rules.deals import dealt, on_flop, plan

PLO = {"structure": "pot-limit", "small_blind": 500, "big_blind": 1000}
BIG: dict[int, int | None] = dict.fromkeys((1, 2, 3, 4), 50_000)
FLOP = ("act 4 raise 3000", "act 1 call", "act 2 call", "act 3 call", "card - - - -")
TOURNAMENTS = [("tda-2024", "TDA-52"), ("wsop-2024", "WSOP-T-90.e")]


def flop(book: str, *lines: str | dict[str, Any], structure: str = "pot-limit") -> ScriptedTable:
    """A pot of 12,000 before the flop's betting; blinds 500 and 1,000."""
    betting = PLO | {"structure": structure}
    return play(book, "start", "card" + " -" * 8, *FLOP, *lines, stacks=BIG, betting=betting)


UNDERBET = {"ev": "report", "what": "underbet"}


def noticed(what: str, to: int, **more: object) -> dict[str, Any]:
    return {"ev": "report", "what": what, "to": to, **more}


def ruled(played: ScriptedTable) -> tuple[str, str, str]:
    assert "error" not in played.lines[-1], played.lines[-1]["error"]
    first = played.lines[-1]["rulings"][0]
    return first["finding"], first["verdict"], first["cite"][0]


@pytest.mark.parametrize(("book", "clause"), TOURNAMENTS)
def test_TDA_52_B_a_pot_bet_that_was_too_small(book: str, clause: str) -> None:
    """Addendum 52-B, examples 1 and 2: put right after a fold, not after a fold and a call.

    Covers: TDA-52-B WSOP-T-90.e.2
    """
    played = flop(book, "act 2 bet 9500", "act 3 fold", noticed("underbet", 10_500))
    assert ruled(played)[1] == "correct"
    assert ruled(played)[2].startswith(clause)
    assert (played.lines[-1]["bets"]["2"], played.lines[-1]["next"][0]["to_call"]) == (10_500, 10_500)
    played = flop(book, "act 2 bet 9500", "act 3 fold", "act 4 call", noticed("underbet", 10_500))
    assert ruled(played)[1] == "play-on"
    assert played.lines[-1]["bets"] == {"2": 9500, "4": 9500}


@pytest.mark.parametrize(("book", "clause"), TOURNAMENTS)
def test_TDA_52_B_a_pot_bet_that_was_too_large(book: str, clause: str) -> None:
    """Addendum 52-B, example 3: put right for all who have called, until the next card, substantial action or not."""
    acts = ("act 2 bet 11500", "act 3 fold", "act 4 call", "act 1 call")
    played = flop(book, *acts, noticed("overpot", 10_500))
    assert ruled(played)[1] == "correct"
    assert ruled(played)[2].startswith(clause)
    found = played.lines[-1]
    assert (found["pots"][0]["amount"], found["stacks"]["2"], plan(played)[0]) == (43_500, 36_500, "burn")
    played = flop(book, *acts, "card -", noticed("overpot", 10_500))
    assert ruled(played)[1] == "play-on"


@pytest.mark.parametrize("book", ["tda-2024", "wsop-2024"])
def test_TDA_52_A_an_underraise_is_put_right_anywhere_on_the_street(book: str) -> None:
    """600, a raise to 1,000 in place of 1,200, two calls and a fold: 1,200 for all bettors before the turn."""
    played = flop(book, "act 2 bet 1000", "act 3 raise 2000", "act 4 call", "act 1 call", structure="no-limit")
    played(noticed("underbet", 2500))
    found = played.lines[-1]
    assert ruled(played)[1] == "correct"
    assert found["bets"] == {"2": 1000, "3": 2500, "4": 2500, "1": 2500}
    assert (found["next"][0]["to_call"], found["next"][0]["min_to"]) == (1500, 4000)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (noticed("overpot", 9500), "amount"),
        (noticed("underbet", 9000), "amount"),
        ({"ev": "report", "what": "overpot"}, "key-missing"),
        (UNDERBET, "key-missing"),
        (noticed("overpot", 9000, seat=4), "other-seat"),
    ],
)
def test_a_wager_that_cannot_have_been_wrong_so_is_refused(line: dict[str, Any], code: str) -> None:
    assert flop("tda-2024", "act 2 bet 9500", line).lines[-1]["error"]["code"] == code
    blinds = dealt("tda-2024", noticed("overpot", 1), betting=PLO, stacks=BIG)
    assert blinds.lines[-1]["error"]["code"] == "no-wager"


LEVEL = {"ev": "level", "hand": "current"}
SCHEDULE = {"schedule": "T20000"}
STAKES = {"structure": "no-limit", "small_blind": 25, "big_blind": 50}


def at_levels(book: str, *lines: str | dict[str, Any]) -> ScriptedTable:
    deal = "card" + " -" * 8
    return play(book, "start", deal, *lines, stacks=BIG, house=SCHEDULE, betting=STAKES, mode="tournament")


@pytest.mark.parametrize(("book", "clause"), [("tda-2024", "TDA-23"), ("wsop-2024", "WSOP-T-79")])
def test_TDA_23_a_hand_begun_at_the_old_level_by_mistake(book: str, clause: str) -> None:
    """Before substantial action it is put right: blinds posted anew, a fold stands; after it, the next hand has it.

    Covers: TDA-23#mistake WSOP-T-79#mistake
    """
    old = at_levels(book)
    new = at_levels(book, "act 4 fold", LEVEL)
    assert ruled(new) == ("level", "correct", clause)
    assert plan(new) == ["act 1"]
    assert new.lines[-1]["bets"] != old.lines[-1]["bets"]
    assert new.lines[-1]["piles"]["seats"] == {"1": 2, "2": 2, "3": 2}
    assert sum(new.lines[-1]["stacks"].values()) + sum(new.lines[-1]["bets"].values()) == 200_000
    late = at_levels(book, "act 4 call", "act 1 call", LEVEL)
    assert ruled(late)[1] == "play-on"
    assert late.lines[-1]["bets"]["3"] == 50
    late("act 2 fold", "act 3 check", "card - - - -", "act 3 check", "act 4 check", "act 1 bet 100", "act 3 fold")
    late("act 4 fold", "done", "start")
    assert late.lines[-1]["bets"]["4"] == new.lines[-1]["bets"]["3"]


def test_a_level_for_the_hand_that_is_on_needs_one() -> None:
    played = play("tda-2024", LEVEL, house=SCHEDULE, mode="tournament")
    assert played.lines[-1]["error"]["code"] == "no-hand"


SHOT = {"seconds": 30, "extensions": 1}


def test_WSOP_T_80_a_shot_clock_runs_for_every_decision() -> None:
    """It passes to the next seat with every act; a time extension is spent once.

    Covers: WSOP-T-80#shot
    """
    played = dealt("wsop-2024", shot_clock=SHOT)
    assert played.lines[-1]["clock"]["seat"] == 4
    played({"ev": "act", "seat": 4, "do": "call", "t": 20.0})
    assert (played.lines[-1]["clock"]["seat"], played.lines[-1]["clock"]["until"]) == (1, 50.0)
    played({"ev": "clock", "seat": 1, "extend": True, "t": 45.0})
    assert played.lines[-1]["clock"]["until"] == 80.0
    played({"ev": "clock", "seat": 1, "extend": True, "t": 46.0})
    assert played.lines[-1]["error"]["code"] == "no-extension"
    played({"ev": "time", "t": 81.0})
    assert (ruled(played)[:2], plan(played)[0]) == (("clock-expired", "dead-hand"), "act 2")
    assert played.lines[-1]["clock"]["seat"] == 2


def test_no_shot_clock_no_extension() -> None:
    played = dealt("wsop-2024", {"ev": "clock", "seat": 4, "extend": True})
    assert played.lines[-1]["error"]["code"] == "no-extension"


def river(*acts: str | dict[str, Any]) -> ScriptedTable:
    played = on_flop("tda-2024")
    checks = [f"act {seat} check" for seat in (2, 3, 4, 1)]
    played(*checks, "card 7h 7d", *checks, "card 8d 8s", *acts)
    return played


def test_TDA_18_B_the_hand_they_paid_to_see() -> None:
    """A caller who still has cards has a right to the last aggressor's hand; nobody else has, nor to another's.

    Covers: TDA-18-B TDA-18-A
    """
    bet = ("act 2 check", "act 3 bet 10", "act 4 call", "act 1 call", "act 2 fold")
    asked = {"ev": "show", "seat": 3, "asked": 4}
    played = river(*bet, asked)
    assert ruled(played) == ("asked-to-show", "bind", "TDA-18-B")
    for refused in ({**asked, "asked": 2}, {**asked, "asked": 3}, {**asked, "seat": 4, "asked": 1}):
        assert river(*bet, refused).lines[-1]["error"]["code"] == "no-right"
    assert river(*bet, "muck 4", asked).lines[-1]["error"]["code"] == "no-right"
    checked = river("act 2 check", "act 3 check", "act 4 check", "act 1 check", asked)
    assert checked.lines[-1]["error"]["code"] == "no-right"


def test_WSOP_T_85_the_first_button_is_right_of_the_dealer() -> None:
    """The first stack to the right of the dealer, who sits before the chair that is named.

    Covers: WSOP-T-85
    """
    stacks: dict[int, int | None] = {2: 200, 5: 200, 8: 200}
    for dealer, button in ((1, 8), (5, 2), (6, 5), (2, 8)):
        played = play("wsop-2024", "start", stacks=stacks, button=None, dealer=dealer)
        assert played.lines[-1]["lamps"]["button"] == [button]


def test_killed_hands_whose_chips_lie_in_the_pot() -> None:
    played = dealt("tda-2024", "act 4 call", {"ev": "floor", "decide": "dead-hand", "seat": 3})
    assert played.lines[-1]["killed"] == [3]
    played({"ev": "floor", "decide": "dead-hand", "seat": 1})
    assert played.lines[-1]["killed"] == [3]
    assert "killed" not in dealt("roberts-7").lines[-1]


@pytest.mark.parametrize(
    ("mixed", "steps"),
    [
        ("none", []),
        ("stub", ["shuffle", "cut"]),
        ("muck", ["return hands muck > stub 2", "shuffle", "cut"]),
        ("burns", ["return burn burn > stub 1", "shuffle", "cut"]),
        ("muck-and-burns", ["return hands muck > stub 2", "return burn burn > stub 1", "shuffle", "cut"]),
    ],
)
def test_TDA_RP_4_a_disordered_stub(mixed: str, steps: list[str]) -> None:
    """Rebuilt; else the stub alone; else with all that it was mixed with.

    Covers: TDA-RP-4#1 TDA-RP-4#2 TDA-RP-4#3
    """
    played = on_flop("tda-2024", "act 2 bet 10", "act 3 fold")
    played({"ev": "report", "what": "stub-fouled", "mixed": mixed})
    assert plan(played) == [*steps, "act 4"]
    assert ruled(played)[2] == "TDA-RP-4"


def test_whose_extensions_are_remembered_sits_here() -> None:
    """Else the table remembers for ever whoever was moved to another table."""
    shot = {"seconds": 30, "extensions": 2}
    played = dealt("wsop-2024", {"ev": "clock", "seat": 4, "extend": True, "t": 1.0}, shot_clock=shot)
    spent = dict(played.table.outcome.state.time.extension_count_by_player)
    assert list(spent.values()) == [1]
    played(*(f"act {seat} fold" for seat in (4, 1, 2)), *["done"] * 9)
    played({"ev": "leave", "seat": 4}, "start", "card - - - - - -")
    seat = played.lines[-1]["next"][0]["seat"]
    played({"ev": "clock", "seat": seat, "extend": True, "t": 5.0})
    assert "error" not in played.lines[-1]
    now = played.table.outcome.state.time.extension_count_by_player
    assert (list(now.values()), now.keys() & spent.keys()) == ([1], set())


@pytest.mark.parametrize(
    ("book", "over", "under"),
    [
        ("roberts-7", "R7-14.pl.1", "R7-3.betting.16"),
        ("fish-n-chips", "FC-9.pl.1", "FC-3.betting.12"),
        ("house-rules", "R7-14.pl.1", "HR-betting.14"),
        ("maryport", "R7-14.pl.1", "MP-3.betting.12"),
        ("wsop-live-2024", "WSOP-L-184", "WSOP-L-138"),
    ],
)
def test_R7_14_pl_2_a_wrong_wager_stands_when_all_have_acted_on_it(book: str, over: str, under: str) -> None:
    """Robert's and its kin put a wager right until all have acted on it, not until the next card as TDA does.

    Covers: R7-14.pl.2 R7-3.betting.16 FC-9.pl.2 FC-3.betting.12 HR-betting.14 MP-3.betting.12 WSOP-L-138 WSOP-L-184
    """
    called, last = ("act 2 bet 11500", "act 3 fold", "act 4 call"), "act 1 call"
    for line, clause, structure in (
        (noticed("overpot", 10_500), over, "pot-limit"),
        (noticed("underbet", 12_000), under, "no-limit"),
    ):
        played = flop(book, *called, line, structure=structure)
        assert (ruled(played)[1:], played.lines[-1]["bets"]["2"]) == (("correct", clause), line["to"])
        played = flop(book, *called, last, line, structure=structure)
        assert (ruled(played)[1:], plan(played)[0]) == (("play-on", clause), "burn")
        assert played.lines[-1]["pots"][0]["amount"] == 12_000 + 3 * 11_500


@pytest.mark.parametrize(
    ("book", "clause"),
    [
        ("roberts-7", "R7-14.nl.9"),
        ("fish-n-chips", "FC-8.nl.6"),
        ("house-rules", "HR-nl.5"),
        ("maryport", "MP-6.nl.7"),
        ("tda-2024", "TDA-40-A"),
    ],
)
def test_R7_14_nl_9_the_word_corrects_the_chips(book: str, clause: str) -> None:
    """A thousand said and one chip of 5,000 or of 500: the word decides, by its book, not the rule of the large chip.

    Covers: R7-14.nl.9 FC-8.nl.6 HR-nl.5 MP-6.nl.7
    """
    for chips in ([5000], [500]):
        said = {"ev": "act", "seat": 2, "chips": chips, "said": 1000}
        played = flop(book, said, structure="no-limit")
        assert (ruled(played), played.lines[-1]["bets"]) == (("chips", "bind", clause), {"2": 1000})
        assert "by default" not in played.lines[-1]["rulings"][0]["text"]
    same = flop(book, {"ev": "act", "seat": 2, "chips": [1000], "said": 1000}, structure="no-limit")
    assert (same.lines[-1]["rulings"], same.lines[-1]["bets"]) == ([], {"2": 1000})


@pytest.mark.parametrize(
    ("book", "one_chip", "undercall", "over"),
    [
        ("roberts-7", {"R7-3.betting.15", "R7-14.nl.12"}, {"R7-3.betting.13", "R7-14.nl.10"}, "R7-14.pl.6"),
        ("fish-n-chips", {"FC-3.betting.11", "FC-8.nl.8"}, {"FC-3.betting.9", "FC-8.nl.7"}, "FC-9.pl.4"),
        ("house-rules", {"HR-betting.13", "HR-nl.9"}, {"HR-betting.10", "HR-nl.6"}, "R7-14.pl.6"),
        ("maryport", {"MP-3.betting.11", "MP-6.nl.9"}, {"MP-3.betting.9", "MP-6.nl.8"}, "R7-14.pl.6"),
    ],
)
def test_R7_14_nl_12_a_single_silent_chip(book: str, one_chip: set[str], undercall: set[str], over: str) -> None:
    """All of it as a bet, a call where a bet is faced, never above the pot; a call said or put in too small is full.

    Covers: R7-14.nl.12 R7-3.betting.15 FC-8.nl.8 FC-3.betting.11 HR-nl.9 HR-betting.13 MP-6.nl.9 MP-3.betting.11
    R7-14.nl.10 FC-8.nl.7 HR-nl.6 MP-6.nl.8 R7-14.pl.6 FC-9.pl.4 R7-3.betting.8 FC-3.betting.5 HR-betting.6
    MP-3.betting.5
    """

    def chips(seat: int, *values: int, **said: object) -> dict[str, Any]:
        return {"ev": "act", "seat": seat, "chips": list(values), **said}

    bet = flop(book, chips(2, 5000), structure="no-limit")
    assert (bet.lines[-1]["bets"], set(bet.lines[-1]["rulings"][0]["cite"])) == ({"2": 5000}, one_chip)
    bet(chips(3, 25_000))
    assert (bet.lines[-1]["bets"]["3"], set(bet.lines[-1]["rulings"][0]["cite"])) == (5000, one_chip)
    bet(chips(4, 1000))
    assert (bet.lines[-1]["bets"]["4"], set(bet.lines[-1]["rulings"][0]["cite"])) == (5000, undercall)
    bet(chips(1, said="call"))
    assert bet.lines[-1]["rulings"][0]["verdict"] == "bind"
    assert bet.lines[-1]["pots"][0]["amount"] == 12_000 + 4 * 5000
    pot = flop(book, chips(2, 25_000))
    assert (pot.lines[-1]["bets"], ruled(pot)[0]) == ({"2": 12_000}, "overpot")
    assert over in pot.lines[-1]["rulings"][0]["cite"]
