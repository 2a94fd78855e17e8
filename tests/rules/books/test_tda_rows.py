"""Rows of TDA 2024 that it answers as older books do, or nearly: each played under that book."""

from typing import Any

import pytest

from tests.games.playing import table
from tests.playing import ScriptedTable, play
from tests.rules.boards import plan as in_short
from tests.rules.deals import DEALT, again, dealt, on_flop, plan

TDA = "tda-2024"
LIMIT = {"structure": "fixed-limit", "small_blind": 50, "big_blind": 100, "small_bet": 100, "big_bet": 200}
FIFTY = {"structure": "no-limit", "small_blind": 50, "big_blind": 100}
SUBSTANTIAL = ("act 4 call", "act 1 call")
BOXED = {"ev": "card", "card": "2s", "face": "up"}


def verdict(played: ScriptedTable) -> tuple[str, str, str]:
    """Finding, verdict and deciding clause of the last line."""
    assert "error" not in played.lines[-1], played.lines[-1]["error"]
    first = played.lines[-1]["rulings"][0]
    return first["finding"], first["verdict"], first["cite"][0]


def due(played: ScriptedTable) -> dict[str, Any]:
    step: dict[str, Any] = played.lines[-1]["next"][0]
    return step


@pytest.mark.parametrize(
    ("lines", "finding"),
    [
        ((BOXED, "done", {**BOXED, "card": "3s"}), "boxed"),
        (("card Ad", "report wrong-seat seat=4"), "wrong-seat"),
        (("card Ad 9c", "report not-entitled seat=7"), "not-entitled"),
        (("card Ad 9c Tc", "report skipped seat=3"), "skipped"),
        (("card Ad 9c", "report extra-card seat=2"), "extra-card"),
        (("card Ad", "report exposed"), "exposed"),
        (("card Ad 9c", "report exposed"), "exposed"),
        (("card Ad 9c Tc", "report exposed", "card 5d", "report exposed"), "exposed"),
    ],
)
def test_TDA_35_A_misdeals(lines: tuple[Any, ...], finding: str) -> None:
    """Covers: TDA-35-A#1 TDA-35-A#2 TDA-35-A#3 TDA-35-A#4 TDA-35-A#5 TDA-35-A#7"""
    played = play(TDA, "start", *lines)
    assert verdict(played) == (finding, "misdeal", "TDA-35-A")
    assert plan(played)[1:3] == again(0)[1:]


def test_TDA_35_D_after_substantial_action_the_hand_goes_on() -> None:
    """The hand with a wrong number is dead, its cards are no burn, and one card a street is burned.

    Covers: TDA-35-D TDA-38
    """
    played = dealt(TDA, *SUBSTANTIAL, "card Kd", "report extra-card seat=3")
    assert (verdict(played)[1], played.lines[-1]["piles"]["muck"]) == ("dead-hand", 3)
    played("act 2 call")
    assert plan(played)[:2] == ["burn", "board flop 3"]


@pytest.mark.parametrize("acts", [(), (*SUBSTANTIAL, "act 2 call", "act 3 check", "card 8h 2s 4s Kd")])
def test_TDA_35_E_two_cards_alike_at_any_time(acts: tuple[str, ...]) -> None:
    """Covers: TDA-35-E"""
    assert verdict(dealt(TDA, *acts, "report duplicate"))[:2] == ("duplicate", "void-hand")


def test_TDA_37_the_button_has_a_card_too_few() -> None:
    """It gets it also after substantial action, unless it has acted.

    Covers: TDA-37 TDA-37#acted
    """
    played = play(TDA, "start", DEALT, "act 4 raise 6", "report short-hand seat=1")
    assert (verdict(played)[1:], due(played)["step"], due(played)["seat"]) == (("correct", "TDA-37"), "deal", 1)
    played("card 2c")
    assert (due(played)["seat"], played.lines[-1]["piles"]["seats"]["1"]) == (1, 2)
    played = play(TDA, "start", DEALT, "act 4 raise 6", "act 1 call", "report short-hand seat=1")
    assert verdict(played)[1] == "dead-hand"


def test_TDA_56_a_string_raise() -> None:
    """Covers: TDA-56"""
    played = on_flop(TDA, "act 2 bet 10", "act 3 raise 30", "report string-bet")
    assert (verdict(played)[1:], played.lines[-1]["bets"]["3"]) == (("correct", "TDA-56"), 10)


def chips(*stacks: int) -> dict[int, int | None]:
    return dict(enumerate(stacks, 1))


def test_TDA_47_A_short_all_ins_that_add_up_reopen_the_betting() -> None:
    """Addendum 47, example 1: 100, all-in 125, call, all-in 200, call: the first faces a full raise, the caller none.

    Covers: TDA-47-A
    """
    stacks = chips(5000, 5000, 225, 5000, 300, 5000)
    played = play(TDA, "start", "card" + " -" * 12, stacks=stacks, betting=FIFTY)
    played("act 4 call", "act 5 call", "act 6 call", "act 1 call", "act 2 call", "act 3 check", "card - - - -")
    played("act 2 bet 100", "act 3 all-in", "act 4 call", "act 5 all-in", "act 6 call", "act 1 fold")
    assert (due(played)["seat"], "raise" in due(played)["options"]) == (2, True)
    played("act 2 call")
    assert (due(played)["seat"], due(played)["options"]) == (4, ["fold", "call"])


def test_TDA_47_A_the_smallest_raise_after_short_all_ins() -> None:
    """Addendum 47, example 2: 300, all-in 500, 650, 800, call: to 1,100.

    Covers: TDA-47-A#min
    """
    stacks = chips(9000, 9000, 600, 750, 900, 9000)
    played = play(TDA, "start", "card" + " -" * 12, stacks=stacks, betting=FIFTY)
    played("act 4 call", "act 5 call", "act 6 call", "act 1 call", "act 2 call", "act 3 check", "card - - - -")
    played("act 2 bet 300", "act 3 all-in", "act 4 all-in", "act 5 all-in", "act 6 call")
    assert (due(played)["seat"], due(played)["to_call"], due(played)["min_to"]) == (1, 800, 1100)


@pytest.mark.parametrize(("stack", "reopened"), [(149, False), (150, True)])
def test_TDA_47_B_half_a_bet_reopens_limit(stack: int, reopened: bool) -> None:
    """Covers: TDA-47-B"""
    played = play(TDA, "start", "card" + " -" * 6, stacks=chips(2000, 2000, 100 + stack), betting=LIMIT)
    played("act 1 call", "act 2 call", "act 3 check", "card - - - -", "act 2 bet", "act 3 all-in", "act 1 call")
    assert ("raise" in due(played)["options"]) is reopened


def test_TDA_43_A_the_largest_raise_before() -> None:
    """Addendum 43, example 1: 600, 1,600, 3,600: to 5,600 at least; example 2: all-in 150 at 50-100: to 250.

    Covers: TDA-43-A
    """
    played = play(
        TDA, "start", DEALT, stacks=chips(*[20_000] * 4), betting={**FIFTY, "small_blind": 100, "big_blind": 200}
    )
    played("act 4 call", "act 1 call", "act 2 call", "act 3 check", "card - - - -")
    played("act 2 bet 600", "act 3 raise 1600", "act 4 raise 3600")
    assert due(played)["min_to"] == 5600
    played = play(TDA, "start", DEALT, "act 4 all-in", stacks=chips(5000, 5000, 5000, 150), betting=FIFTY)
    assert due(played)["min_to"] == 250


def test_TDA_48_the_cap_binds_two_players_until_the_last_two() -> None:
    """Covers: TDA-48"""
    played = play(TDA, "start", "card" + " -" * 6, stacks=chips(5000, 5000, 5000), betting=LIMIT)
    played("act 1 fold", "act 2 raise", "act 3 raise", "act 2 raise")
    assert "raise" not in due(played)["options"]
    played = play(TDA, "start", "card - - - -", stacks=chips(5000, 5000), betting=LIMIT)
    played("act 1 raise", "act 2 raise", "act 1 raise", "act 2 raise", "act 1 raise")
    assert "raise" in due(played)["options"]


def test_TDA_54_C_the_pot_as_it_is_after_the_flop() -> None:
    """Covers: TDA-54-C"""
    played = on_flop(TDA, betting={**FIFTY, "structure": "pot-limit"}, stacks=chips(*[20_000] * 4))
    assert due(played)["max_to"] == 400


@pytest.mark.parametrize(("book", "back"), [(TDA, True), ("wsop-2024", True), ("roberts-7", False)])
def test_TDA_65_A_a_bettor_whose_hand_is_killed_gets_the_uncalled_bet_back(book: str, back: bool) -> None:
    """Also what a raise was beyond the bet; R7-3.irreg.2 gives no redress.

    Covers: TDA-65-A TDA-15-B WSOP-T-108 WSOP-T-91
    """
    killed = {"ev": "floor", "decide": "dead-hand", "seat": 3}
    played = on_flop(book, "act 2 check", "act 3 bet 50", killed)
    assert (played.lines[-1]["stacks"]["3"], due(played)["seat"], due(played)["to_call"]) == (
        198 if back else 148,
        4,
        0,
    )
    played = on_flop(book, "act 2 bet 20", "act 3 raise 90", killed)
    assert (played.lines[-1]["stacks"]["3"], due(played)["seat"], due(played)["to_call"]) == (
        178 if back else 108,
        4,
        20,
    )
    played("act 4 fold", "act 1 fold")
    assert sum(played.lines[-1]["stacks"].values()) + sum(pot["amount"] for pot in played.lines[-1]["pots"]) == 800


def test_TDA_16_all_in_hands_are_turned_up_and_nobody_mucks() -> None:
    """Covers: TDA-16 TDA-16#muck"""
    played = play(TDA, "start", DEALT, "act 4 all-in", "act 1 call", "act 2 fold", "act 3 fold")
    assert sorted(in_short(played)[:2]) == ["show 1", "show 4"]
    assert played("muck 1")["error"]["code"] == "hands-up"


def river(*acts: str) -> ScriptedTable:
    played = on_flop(TDA)
    checks = [f"act {seat} check" for seat in (2, 3, 4, 1)]
    played(*checks, "card 7h 7d", *checks, "card 8d 8s", *acts)
    return played


def test_TDA_17_A_who_shows_first() -> None:
    """The last aggressor of the last round; checked through, the first to act on it.

    Covers: TDA-17-A#bet TDA-17-A#checked TDA-17-B
    """
    played = river("act 2 check", "act 3 bet 10", "act 4 call", "act 1 call", "act 2 fold")
    assert in_short(played)[:3] == ["show 3", "show 4", "show 1"]
    played("muck 3", "muck 4")
    assert (due(played)["step"], due(played)["seats"]) == ("award", [1])
    assert in_short(river("act 2 check", "act 3 check", "act 4 check", "act 1 check"))[0] == "show 2"


def test_TDA_34_B_heads_up() -> None:
    """The button has the small blind, the last card and the first act; later the other acts first.

    Covers: TDA-34-B#order
    """
    played = play(TDA, "start", seats=2)
    assert played.lines[-1]["lamps"]["small_blind"] == played.lines[-1]["lamps"]["button"] == [1]
    assert [step["seat"] for step in played.lines[-1]["next"]] == [2, 1, 2, 1, 1]
    played("card - - - -", "act 1 call", "act 2 check", "card - - - -")
    assert due(played)["seat"] == 2


@pytest.mark.parametrize(("cards", "street"), [("8h 2s 4s Qd", "flop"), ("7h 7d", "turn")])
def test_TDA_RP_5_premature_cards_are_shuffled_back(cards: str, street: str) -> None:
    """The burn stays, and the street comes again without another one.

    Covers: TDA-RP-5-A TDA-RP-5-B
    """
    played = dealt(TDA, *SUBSTANTIAL) if street == "flop" else on_flop(TDA, "act 2 check", "act 3 check")
    played(f"card {cards}", {"ev": "report", "what": "premature", "count": len(cards.split())})
    assert verdict(played)[2].startswith("TDA-RP-5")
    played(*(["act 2 call", "act 3 check"] if street == "flop" else ["act 4 check", "act 1 check"]))
    steps = [step["step"] for step in played.lines[-1]["next"]]
    assert steps == ["return", "shuffle", "cut", "board", "act"]


def test_TDA_RP_5_C_a_premature_river() -> None:
    """Covers: TDA-RP-5-C"""
    played = on_flop(TDA)
    checks = [f"act {seat} check" for seat in (2, 3, 4, 1)]
    played(*checks, "card 7h 7d", "act 2 check", "card 8d 8s", {"ev": "report", "what": "premature", "count": 2})
    assert verdict(played)[2].startswith("TDA-RP-5")
    played("act 3 check", "act 4 check", "act 1 check")
    assert [step["step"] for step in played.lines[-1]["next"]] == ["return", "shuffle", "cut", "board", "act"]


def test_TDA_30_an_absent_player_is_killed_when_the_deal_is_complete() -> None:
    """The blind stays; at stud the bring-in is posted.

    Covers: TDA-30 TDA-30#bringin TDA-RP-10-C
    """
    played = play(TDA, "away 3", "start", DEALT)
    assert (verdict(played)[1:], played.lines[-1]["bets"]) == (("dead-hand", "TDA-30"), {"2": 1, "3": 2})
    played = table(TDA, "stud-7", "away 1", "start", "card 2c 3c 4c 5c 6c 7c 2d Jd Qd")
    assert (verdict(played)[1:], played.lines[-1]["bets"]) == (("dead-hand", "TDA-RP-10-C"), {"1": 2})


def test_TDA_RP_10_stud_betting() -> None:
    """Equal high hands: by suit; an open pair changes no limit.

    Covers: TDA-RP-10-D TDA-RP-10-F
    """
    played = table(TDA, "stud-7", "start", "card 2c 3c 4c 5c 6c 7c 2d Jd Qd")
    played("act 1 bring-in", "act 2 call", "act 3 call", "card 9s Kh Ah As")
    assert due(played)["seat"] == 3
    played = table(TDA, "stud-7", "start", "card 2c 3c 4c 5c 6c 7c 2d Jd Qd")
    played("act 1 bring-in", "act 2 call", "act 3 call", "card 9s Kh Jh Qh")
    assert (due(played)["seat"], due(played)["min_to"], due(played)["max_to"]) == (3, 5, 5)
