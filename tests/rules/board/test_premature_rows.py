"""Premature board cards, row by row, and where a burn error comes with them."""

import pytest

from tests.rules.board.test_premature import (
    FLOPS,
    RIVERS,
    TURNS,
    flop_bet,
    folded_out,
    premature_flop,
    premature_river,
    premature_turn,
)
from tests.rules.boards import piles, plan


def test_R7_3_irreg_16() -> None:
    """Cards before the betting is complete do not play, even if those still to act fold."""
    premature_turn(*TURNS[0])
    folded_out("roberts-7")


def test_R7_5_holdem_6() -> None:
    """Nobody may take or refuse the cards; the betting is finished, then the error is put right."""
    premature_flop(*FLOPS[0])
    premature_river(*RIVERS[0])


def test_HR_irreg_14() -> None:
    """Cards before the betting is complete do not play, even if those still to act fold."""
    premature_turn(*TURNS[2])
    folded_out("house-rules")


def test_FC_3_irreg_15() -> None:
    """Cards before the betting is complete do not play, even if those still to act fold."""
    premature_turn(*TURNS[3])
    folded_out("fish-n-chips")


def test_FC_5_holdem_5() -> None:
    """Nobody may take or refuse the cards; the betting is finished, then the error is put right."""
    premature_flop(*FLOPS[3])
    premature_river(*RIVERS[2])


def test_MP_3_irreg_15() -> None:
    """Cards before the betting is complete do not play, even if those still to act fold."""
    premature_turn(*TURNS[4])
    folded_out("maryport")


def test_MP_5_holdem_5() -> None:
    """Nobody may take or refuse the cards; the betting is finished, then the error is put right."""
    premature_flop(*FLOPS[4])
    premature_river(*RIVERS[3])


def test_FC_5_holdem_3_a() -> None:
    """A premature flop: finish the betting, then flop and burn back, shuffle, cut, burn, a new flop."""
    premature_flop(*FLOPS[3])


def test_AU_19_28() -> None:
    """A premature flop: flop and burn back, shuffle, cut, burn, a new flop."""
    premature_flop(*FLOPS[1])


def test_R7_5_holdem_8_a() -> None:
    """A premature turn."""
    premature_turn(*TURNS[0])


def test_R7_5_holdem_8_b() -> None:
    """A premature river."""
    premature_river(*RIVERS[0])


def test_HR_holdem_4_a() -> None:
    """A premature turn."""
    premature_turn(*TURNS[2])


def test_HR_holdem_4_b() -> None:
    """A premature river."""
    premature_river(*RIVERS[1])


def test_FC_5_holdem_8_b() -> None:
    """A premature river."""
    premature_river(*RIVERS[2])


def test_MP_5_holdem_8_a() -> None:
    """A premature turn."""
    premature_turn(*TURNS[4])


def test_MP_5_holdem_8_b() -> None:
    """A premature river."""
    premature_river(*RIVERS[3])


@pytest.mark.parametrize(("book", "verdict", "cite"), TURNS)
def test_R7_5_holdem_6_turn_and_river_too_early(book: str, verdict: str, cite: str) -> None:
    """Four cards: both burns lie among the burns, both board cards are ruled on, each with its clause."""
    played = flop_bet(book)
    answer = played("card Js Ks 7c 7d", "report premature count=4")
    assert [(said["verdict"], said["cite"][0]) for said in answer["rulings"]] == [(verdict, cite)] * 2
    assert piles(played, "burn", "board", "aside") == {"burn": 3, "board": 5, "aside": 0}


PREMATURE_UNBURNED = [
    ("roberts-7", ["return board > aside 1"], ["burn", "board turn 1", "act 2"]),
    ("casino-au", [], ["act 2"]),
    ("house-rules", ["return board > aside 1"], ["burn", "board turn 1", "act 2"]),
    ("maryport", ["return board > aside 1"], ["burn", "board turn 1", "act 2"]),
    ("fish-n-chips", [], ["return board > stub 1", "shuffle", "cut", "board turn 1", "act 2"]),
]


@pytest.mark.parametrize(("book", "now", "later"), PREMATURE_UNBURNED)
def test_R7_5_holdem_8_a_a_premature_turn_without_a_burn(book: str, now: list[str], later: list[str]) -> None:
    """The dealer turned it before the betting was over and had burned none: it is the turn, not a burn."""
    played = flop_bet(book)
    answer = played("card Js", {"ev": "report", "what": "premature", "burned": False})
    assert (answer["board"][3:], piles(played, "burn", "board")) == (["Js"], {"burn": 1, "board": 4})
    assert plan(played) == [*now, "act 4"]
    played("done" if now else "act 4 call", *(["act 4 call"] if now else []), "act 1 call")
    assert plan(played) == later
