"""Rows of WSOP 2024 and TDA 2024 of betting, turns, showdown and ties: a case a row."""

from typing import Any

import pytest

from tests.games.playing import table
from tests.playing import ScriptedTable, play
from tests.rules.boards import plan as in_short
from tests.rules.deals import dealt, on_flop

TDA, WSOP, LIVE = "tda-2024", "wsop-2024", "wsop-live-2024"
BOTH = (TDA, WSOP)
LIMIT = {"structure": "fixed-limit", "small_blind": 50, "big_blind": 100, "small_bet": 100, "big_bet": 200}
NO_LIMIT = {"structure": "no-limit", "small_blind": 50, "big_blind": 100}
POT = NO_LIMIT | {"structure": "pot-limit"}
EIGHT = "card" + " -" * 8
BIG: dict[int, int | None] = dict.fromkeys((1, 2, 3, 4), 20_000)
CALLED = ("act 4 call", "act 1 call", "act 2 call", "act 3 check", "card - - - -")


def chips(*stacks: int) -> dict[int, int | None]:
    return dict(enumerate(stacks, 1))


def seated(book: str, *lines: str | dict[str, Any], **setup: Any) -> ScriptedTable:  # noqa: ANN401
    """Four players with 20,000, blinds 50 and 100, seat 4 to act."""
    keys: dict[str, Any] = {"stacks": BIG, "betting": NO_LIMIT} | setup
    return play(book, "start", EIGHT, *lines, **keys)


def due(played: ScriptedTable) -> dict[str, Any]:
    assert "error" not in played.lines[-1], played.lines[-1]["error"]
    step: dict[str, Any] = played.lines[-1]["next"][0]
    return step


def refused(played: ScriptedTable) -> str:
    found: str = played.lines[-1]["error"]["code"]
    return found


def pushes(seat: int, *values: int, **more: object) -> dict[str, Any]:
    return {"ev": "act", "seat": seat, "chips": list(values), **more}


def may_raise(played: ScriptedTable) -> bool:
    return "raise" in due(played)["options"]


def capped(book: str, seats: int, raises: int, folds: int = 0) -> bool:
    """Whether after so many raises of the big blind the next in a limit round may not raise."""
    stacks = chips(*[20_000] * seats)
    played = play(book, "start", "card" + " -" * 2 * seats, stacks=stacks, betting=LIMIT)
    while folds:
        played(f"act {due(played)['seat']} fold")
        folds -= 1
    for _ in range(raises):
        played(f"act {due(played)['seat']} raise")
    return not may_raise(played)


def test_WSOP_T_96_the_smallest_raise_and_a_short_all_in() -> None:
    """A raise is as large as the last; a short all-in does not reopen the betting.

    Covers: WSOP-T-96 WSOP-L-171 WSOP-L-172
    """
    for book in (WSOP, LIVE):
        stacks = chips(20_000, 20_000, 340, 20_000)
        played = seated(book, "act 4 call", "act 1 raise 300", "act 2 call", "act 3 all-in", stacks=stacks)
        assert (due(played)["seat"], may_raise(played), due(played)["min_to"]) == (4, True, 540)
        played("act 4 call")
        assert (due(played)["seat"], may_raise(played)) == (1, False)


@pytest.mark.parametrize("book", [WSOP, LIVE])
def test_WSOP_T_96_a_consecutive_short_all_ins(book: str) -> None:
    """500, 1,000, call, all-in 1,300, all-in 1,700: who raised and who called may raise, to 2,200 at least.

    Covers: WSOP-T-96.a WSOP-L-173
    """
    stacks = chips(20_000, 20_000, 20_000, 20_000, 1400, 1800)
    played = play(book, "start", "card" + " -" * 12, stacks=stacks, betting=NO_LIMIT)
    played("act 4 call", "act 5 call", "act 6 call", "act 1 call", "act 2 call", "act 3 check", "card - - - -")
    played(
        "act 2 bet 500", "act 3 raise 1000", "act 4 call", "act 5 all-in", "act 6 all-in", "act 1 fold", "act 2 call"
    )
    assert (due(played)["seat"], may_raise(played), due(played)["min_to"]) == (3, True, 2200)


@pytest.mark.parametrize(("book", "stack", "reopened"), [(LIVE, 149, False), (LIVE, 150, True), (WSOP, 150, True)])
def test_WSOP_L_129_half_a_bet_reopens_limit(book: str, stack: int, reopened: bool) -> None:
    """Covers: WSOP-L-129"""
    played = play(book, "start", "card" + " -" * 6, stacks=chips(2000, 2000, 100 + stack), betting=LIMIT)
    played("act 1 call", "act 2 call", "act 3 check", "card - - - -", "act 2 bet", "act 3 all-in", "act 1 call")
    assert may_raise(played) is reopened


def test_WSOP_T_100_a_no_cap_in_big_bet_games() -> None:
    """Covers: WSOP-T-100.a WSOP-L-125"""
    for book in (TDA, WSOP, LIVE):
        played = seated(book, *(f"act {4 if n % 2 else 1} raise {n * 300}" for n in (1,)))
        for _ in range(8):
            played(f"act {due(played)['seat']} raise {due(played)['min_to']}")
        assert may_raise(played)


def test_WSOP_T_100_b_one_bet_and_four_raises() -> None:
    """Also with two in the hand; unlimited when two are left in the event.

    Covers: WSOP-T-100.b WSOP-T-VIII.limit
    """
    assert (capped(WSOP, 4, 3), capped(WSOP, 4, 4)) == (False, True)
    assert capped(WSOP, 4, 4, folds=2)
    assert not capped(WSOP, 2, 6)


def test_WSOP_L_127_heads_up_the_cap_binds_unless_the_round_began_so() -> None:
    """Covers: WSOP-L-126 WSOP-L-127"""
    assert (capped(LIVE, 4, 3), capped(LIVE, 4, 4), capped(LIVE, 4, 4, folds=2)) == (False, True, True)
    assert not capped(LIVE, 2, 6)
    played = play(LIVE, "start", "card" + " -" * 6, stacks=chips(*[20_000] * 3), betting=LIMIT)
    played("act 1 fold", "act 2 call", "act 3 check", "card - - - -", "act 2 bet", "act 3 raise", "act 2 raise")
    played("act 3 raise", "act 2 raise", "act 3 raise")
    assert may_raise(played)


@pytest.mark.parametrize("book", [TDA, WSOP, LIVE])
def test_WSOP_T_VIII_no_limit(book: str) -> None:
    """The smallest bet is the big blind, the largest the stack.

    Covers: WSOP-T-VIII.no-limit WSOP-L-128 WSOP-L-170
    """
    played = seated(book, *CALLED)
    assert (due(played)["min_to"], due(played)["max_to"]) == (100, 19_900)
    assert refused(seated(book, *CALLED, "act 2 bet 99")) == "amount"


@pytest.mark.parametrize(("book", "most"), [(TDA, 350), (WSOP, 350), (LIVE, 400)])
def test_WSOP_T_VIII_pot_limit(book: str, most: int) -> None:
    """The first raise: the true value of the blinds; live, the small blind counts as a big one.

    Covers: WSOP-T-VIII.pot-limit WSOP-T-VIII.pot-limit#true WSOP-L-187
    """
    played = seated(book, betting=POT)
    assert (due(played)["min_to"], due(played)["max_to"]) == (200, most)
    assert refused(seated(book, f"act 4 raise {most + 1}", betting=POT)) == "amount"
    assert (due(seated(book, *CALLED, betting=POT))["min_to"], due(seated(book, *CALLED, betting=POT))["max_to"]) == (
        100,
        400,
    )


@pytest.mark.parametrize("book", [WSOP, LIVE])
def test_WSOP_T_VIII_pot_limit_over(book: str) -> None:
    """Chips above the pot are brought down at once.

    Covers: WSOP-T-VIII.pot-limit#over WSOP-L-184
    """
    played = seated(book, *CALLED, pushes(2, 1000), betting=POT)
    assert played.lines[-1]["bets"] == {"2": 400}


def test_WSOP_L_188_a_chip_larger_than_the_pot() -> None:
    """Opening: the pot; facing a bet: a call; with "raise": a raise of the pot.

    Covers: WSOP-L-188
    """
    assert seated(LIVE, *CALLED, pushes(2, 5000), betting=POT).lines[-1]["bets"] == {"2": 400}
    faced = (*CALLED, "act 2 bet 400")
    assert seated(LIVE, *faced, pushes(3, 5000), betting=POT).lines[-1]["bets"]["3"] == 400
    assert seated(LIVE, *faced, pushes(3, 5000, said="raise"), betting=POT).lines[-1]["bets"]["3"] == 1600


@pytest.mark.parametrize("book", [TDA, WSOP, LIVE])
def test_WSOP_T_102_the_pot_in_no_limit(book: str) -> None:
    """Covers: WSOP-T-102"""
    assert seated(book, *CALLED, {"ev": "act", "seat": 2, "said": "pot"}).lines[-1]["bets"] == {"2": 100}


@pytest.mark.parametrize(("book", "clause"), [(WSOP, "WSOP-T-103"), (LIVE, "WSOP-L-136"), (TDA, "TDA-56")])
def test_WSOP_T_103_a_string_raise(book: str, clause: str) -> None:
    """It is a call. So is a raise in two motions that was not announced.

    Covers: WSOP-T-103 WSOP-L-136 WSOP-T-94 WSOP-L-174 TDA-42
    """
    played = on_flop(book, "act 2 bet 10", "act 3 raise 30", "report string-bet")
    assert (played.lines[-1]["bets"]["3"], played.lines[-1]["rulings"][0]["cite"][0]) == (10, clause)


@pytest.mark.parametrize("book", [TDA, WSOP, LIVE])
def test_TDA_50_A_an_act_in_turn_binds_and_the_chips_stay(book: str) -> None:
    """A second act adds nothing, and "call" said is a full call.

    Covers: TDA-50-A WSOP-L-16 WSOP-L-131
    """
    played = seated(book, *CALLED, "act 2 bet 500", "act 2 bet 900")
    assert (played.lines[-1]["rulings"][0]["finding"], played.lines[-1]["bets"]) == ("string-bet", {"2": 500})
    played({"ev": "act", "seat": 3, "chips": [100], "said": "call"})
    assert played.lines[-1]["bets"]["3"] == 500


def test_TDA_43_B_raise_and_an_amount_is_the_total_bet() -> None:
    """2,000, "raise, eight thousand": 8,000 in all.

    Covers: TDA-43-B
    """
    played = seated(TDA, *CALLED, "act 2 bet 2000", "act 3 raise 8000")
    assert played.lines[-1]["bets"]["3"] == 8000


def test_WSOP_L_17_an_act_out_of_turn_binds_while_the_action_is_the_same() -> None:
    """Covers: WSOP-L-17"""
    played = on_flop(LIVE, "act 4 check", "act 2 check", "act 3 check")
    assert due(played)["options"] == ["check"]
    played = on_flop(LIVE, "act 4 check", "act 2 bet 10", "act 3 call")
    assert set(due(played)["options"]) >= {"fold", "call", "raise"}


def test_WSOP_L_124_check_raise() -> None:
    """Allowed; in limit lowball ace-to-five as well (278).

    Covers: WSOP-L-124 WSOP-L-278
    """
    assert may_raise(on_flop(LIVE, "act 2 check", "act 3 bet 10", "act 4 fold", "act 1 fold"))
    played = table(LIVE, "lowball-a5", "start", "card" + " -" * 15, "act 1 call", "act 2 call", "act 3 check")
    played(*({"ev": "draw", "seat": seat, "discard": 0} for seat in (2, 3, 1)))
    played("act 2 check", "act 3 bet", "act 1 fold")
    assert may_raise(played)


def test_WSOP_L_130_the_smallest_chip() -> None:
    """Covers: WSOP-L-130"""
    betting = NO_LIMIT | {"chip": 25}
    assert refused(seated(LIVE, "act 4 raise 310", betting=betting)) == "amount"


def test_WSOP_L_138_a_wager_below_the_minimum_is_brought_up() -> None:
    """Covers: WSOP-L-138"""
    assert seated(LIVE, *CALLED, pushes(2, 25)).lines[-1]["bets"] == {"2": 100}


def test_WSOP_L_181_the_clock_in_big_bet_games() -> None:
    """A minute and ten seconds; facing a bet the hand is dead.

    Covers: WSOP-L-181
    """
    played = seated(LIVE, {"ev": "clock", "seat": 4, "t": 100.0}, {"ev": "time", "t": 169.0})
    assert due(played)["seat"] == 4
    played({"ev": "time", "t": 171.0})
    assert (played.lines[-1]["rulings"][0]["verdict"], due(played)["seat"]) == ("dead-hand", 1)


def river(book: str, *acts: str | dict[str, Any], cards: str = "8h 2s 4s Qd 7h 7d 8d 8s") -> ScriptedTable:
    """All have checked to the river; then the acts."""
    streets = cards.split()
    checks = [f"act {seat} check" for seat in (2, 3, 4, 1)]
    played = dealt(book, "act 4 call", "act 1 call", "act 2 call", "act 3 check", f"card {' '.join(streets[:4])}")
    played(*checks, f"card {' '.join(streets[4:6])}", *checks, f"card {' '.join(streets[6:])}", *acts)
    return played


BET = ("act 2 check", "act 3 bet 10", "act 4 call", "act 1 call", "act 2 fold")


@pytest.mark.parametrize("book", [WSOP, LIVE])
def test_WSOP_T_72_who_shows_first(book: str) -> None:
    """The last aggressor of the last round; checked through, the first to act. One live hand needs not show.

    Covers: WSOP-T-72#bet WSOP-T-72#checked WSOP-T-72#only WSOP-L-145 WSOP-L-15 WSOP-L-139
    """
    played = river(book, *BET)
    assert in_short(played)[:3] == ["show 3", "show 4", "show 1"]
    played("muck 3", "muck 4")
    assert due(played) == {"step": "award", "pot": 0, "seats": [1], "amounts": [38]}
    assert in_short(river(book, *(f"act {seat} check" for seat in (2, 3, 4, 1))))[0] == "show 2"


def test_WSOP_T_72_see_no_cards_no_right_to_see_any() -> None:
    """Covers: WSOP-T-72#see"""
    played = river(WSOP, *BET, "muck 4", {"ev": "show", "seat": 3, "asked": 4})
    assert refused(played) == "no-right"


def test_WSOP_L_145_allin_who_pushed_all_in_shows_first() -> None:
    """The betting ended before the river, in no-limit; in the tournament the hands are turned up at once.

    Covers: WSOP-L-145#allin WSOP-T-70
    """
    stacks = chips(200, 200, 200, 200)
    for book in (WSOP, LIVE):
        played = dealt(book, "act 4 call", "act 1 all-in", "act 2 fold", "act 3 fold", "act 4 call", stacks=stacks)
        if book == LIVE:
            assert in_short(played)[0] == "burn"
            played("card - - - - - - - -")
        assert in_short(played)[:2] == ["show 1", "show 4"]
    assert (
        dealt(WSOP, "act 4 all-in", "act 1 call", "act 2 fold", "act 3 fold", "muck 1").lines[-1]["error"]["code"]
        == "hands-up"
    )


@pytest.mark.parametrize("book", [TDA, WSOP, LIVE])
def test_TDA_12_cards_speak(book: str) -> None:
    """The hands are compared as they lie, whatever was said; all own cards are tabled, the board playing or not.

    Covers: TDA-12 TDA-13-A TDA-13-C TDA-19 WSOP-T-69 WSOP-T-71 WSOP-T-75 WSOP-L-168
    """
    played = river(book, *BET, "show 3", "show 4", "show 1")
    assert due(played)["seats"] == [1]
    assert refused(river(book, *BET, {"ev": "show", "seat": 3, "cards": ["9c"]})) == "cards-differ"
    board = river(book, *(f"act {seat} check" for seat in (2, 3, 4, 1)), cards="- As Ks Qs - Js - Ts")
    board("muck 2", "muck 3", "show 4", "show 1")
    assert due(board)["seats"] == [1, 4]


@pytest.mark.parametrize("book", [TDA, WSOP, LIVE])
def test_TDA_14_a_hand_mucked_at_the_showdown_may_still_be_tabled(book: str) -> None:
    """As long as it can be identified: the floor gives it back.

    Covers: TDA-14 WSOP-L-142
    """
    played = river(book, *BET, "muck 3", {"ev": "floor", "decide": "revive", "seat": 3})
    assert played.lines[-1]["rulings"][0]["finding"] == "revive"


def tie(book: str) -> ScriptedTable:
    """The board plays for seats 1 and 4; the pot does not divide evenly."""
    stacks = chips(200, 200, 200, 200)
    checks = [f"act {seat} check" for seat in (3, 4, 1)]
    played = dealt(book, "act 4 call", "act 1 call", "act 2 fold", "act 3 check", "card - As Ks Qs", stacks=stacks)
    played(*checks, "card - Js", *checks, "card - Ts", *checks, "muck 3", "show 4", "show 1")
    return played


@pytest.mark.parametrize(("book"), [TDA, WSOP, LIVE])
def test_TDA_20_the_odd_chip_in_a_button_game(book: str) -> None:
    """To the first seat left of the button, in the smallest chip; 7 chips: 4 to seat 4, 3 to the button.

    Covers: TDA-20 TDA-20#A WSOP-T-73 WSOP-T-73#button WSOP-L-148 WSOP-L-149
    """
    assert (due(tie(book))["seats"], due(tie(book))["amounts"]) == ([1, 4], [3, 4])


@pytest.mark.parametrize("book", [TDA, WSOP])
def test_TDA_20_C_the_odd_chip_between_high_and_low(book: str) -> None:
    """To the high side.

    Covers: TDA-20#C WSOP-T-73#hilo
    """
    betting = {"structure": "fixed-limit", "small_blind": 1, "big_blind": 3, "small_bet": 3, "big_bet": 6}
    played = play(book, "start", "card As Kc Kd 2d Qc Qd 3h Jc Jd 5h 9c 9d", seats=3, game="omaha-8", betting=betting)
    played("act 1 call", "act 2 call", "act 3 check", "card - 4s 6c Kh")
    for street in ("- 8s", "- Td", ""):
        played("act 2 check", "act 3 check", "act 1 check", *([f"card {street}"] if street else []))
    played(*(f"show {step['seat']}" for step in played.lines[-1]["next"] if step["step"] == "show"))
    assert [sum(step["amounts"]) for step in played.lines[-1]["next"]] == [5, 4]


@pytest.mark.parametrize("book", [TDA, WSOP, LIVE])
def test_TDA_21_each_pot_is_split_separately(book: str) -> None:
    """The side pot first, then the main pot; all hands are turned up.

    Covers: TDA-21 TDA-16#order WSOP-T-74
    """
    stacks = chips(10, 50, 50, 200)
    played = dealt(book, "act 4 call", "act 1 all-in", "act 2 all-in", "act 3 all-in", "act 4 call", stacks=stacks)
    cards = iter(("As Ks Qs", "Js", "Ts"))
    while (step := due(played))["step"] != "award":
        match step["step"]:
            case "show":
                played(f"show {step['seat']}")
            case "burn":
                played("card -")
            case _:
                played(f"card {next(cards)}")
    assert [(step["pot"], step["seats"]) for step in played.lines[-1]["next"]] == [(1, [2, 3, 4]), (0, [1, 2, 3, 4])]


@pytest.mark.parametrize("book", [TDA, WSOP, LIVE])
def test_TDA_34_B_heads_up_and_the_blinds(book: str) -> None:
    """Small blind on the button, which acts first before the flop, last after it, and gets the last card.

    Covers: WSOP-T-87 WSOP-L-153
    """
    played = play(book, "start", seats=2)
    assert played.lines[-1]["lamps"]["small_blind"] == played.lines[-1]["lamps"]["button"] == [1]
    assert [step["seat"] for step in played.lines[-1]["next"]] == [2, 1, 2, 1, 1]
    played("card - - - -", "act 1 call", "act 2 check", "card - - - -")
    assert due(played)["seat"] == 2


def over(played: ScriptedTable) -> ScriptedTable:
    while played.lines[-1]["next"][0]["step"] == "act":
        played(f"act {played.lines[-1]['next'][0]['seat']} fold")
    played("done")
    return played


@pytest.mark.parametrize("book", [TDA, WSOP, LIVE])
def test_TDA_32_a_dead_button(book: str) -> None:
    """The small blind has gone: nobody posts it, then the button stands before the empty chair.

    Covers: TDA-32 WSOP-T-85#dead WSOP-L-151
    """
    played = over(play(book, "start", "card" + " -" * 10, seats=5))
    played("leave 3", "start")
    assert (played.lines[-1]["lamps"]["button"], played.lines[-1]["lamps"]["small_blind"]) == ([2], [])
    assert played.lines[-1]["lamps"]["big_blind"] == [4]
    played("card" + " -" * 8)
    over(played)("start")
    assert (played.lines[-1]["lamps"]["button"], played.lines[-1]["lamps"]["small_blind"]) == ([3], [4])


@pytest.mark.parametrize(("book", "big"), [(TDA, 1), (WSOP, 1)])
def test_TDA_34_B_start_nobody_has_the_big_blind_twice_in_a_row(book: str, big: int) -> None:
    """Three players; the button's goes: who had the big blind has the button.

    Covers: TDA-34-B#start WSOP-T-87#start
    """
    played = over(play(book, "start", "card" + " -" * 6, seats=3))
    assert played.lines[1]["lamps"]["big_blind"] == [3]
    played("leave 2", "start")
    assert played.lines[-1]["lamps"]["big_blind"] == [big]


def test_WSOP_L_150_a_short_big_blind() -> None:
    """Others fold, call the full big blind or raise at least double.

    Covers: WSOP-L-150
    """
    played = seated(LIVE, stacks=chips(20_000, 20_000, 40, 20_000))
    assert (due(played)["to_call"], due(played)["min_to"]) == (100, 200)


def test_WSOP_L_152_the_blind_keeps_its_option() -> None:
    """Also after a short all-in.

    Covers: WSOP-L-152
    """
    played = seated(LIVE, "act 4 all-in", "act 1 fold", "act 2 fold", stacks=chips(20_000, 20_000, 20_000, 130))
    assert due(played)["seat"] == 3
    stacks = chips(20_000, 20_000, 20_000, 130)
    assert may_raise(seated(LIVE, "act 4 all-in", "act 1 call", "act 2 call", stacks=stacks))


def test_WSOP_L_11_a_live_straddle() -> None:
    """Twice the big blind, from under the gun, with the last action; the smallest raise is three times the big blind.

    Covers: WSOP-L-11
    """
    played = play(LIVE, "start", "act 4 straddle", EIGHT, stacks=BIG, betting=NO_LIMIT)
    assert (due(played)["seat"], due(played)["to_call"], due(played)["min_to"]) == (1, 200, 300)
    played("act 1 call", "act 2 call", "act 3 call")
    assert (due(played)["seat"], may_raise(played)) == (4, True)
    button = play(LIVE, "start", "act 1 straddle", EIGHT, stacks=BIG, betting=NO_LIMIT)
    assert due(button)["seat"] == 2
    assert refused(play(LIVE, "start", "act 1 straddle", stacks=BIG, betting=LIMIT)) == "straddle-not-allowed"
    assert refused(play(WSOP, "start", "act 4 straddle", stacks=BIG, betting=NO_LIMIT)) == "straddle-not-allowed"
