"""Rows of WSOP 2024 and TDA 2024 of betting, turns, showdown and ties: a case a row."""

from typing import Any

import pytest

from tests.playing import ScriptedTable, play
from tests.rules.deals import dealt

TDA, WSOP, LIVE = "tda-2024", "wsop-2024", "wsop-live-2024"
LIMIT = {"structure": "fixed-limit", "small_blind": 50, "big_blind": 100, "small_bet": 100, "big_bet": 200}
NO_LIMIT = {"structure": "no-limit", "small_blind": 50, "big_blind": 100}
EIGHT = "card" + " -" * 8
BIG: dict[int, int | None] = dict.fromkeys((1, 2, 3, 4), 20_000)


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
