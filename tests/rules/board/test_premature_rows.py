"""Premature board cards, row by row, and where a burn error comes with them."""

import pytest

from tests.playing import play
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
from tests.rules.boards import CHECKS, piles, plan, ruling


def test_R7_6_omaha_1_premature_turn_in_omaha() -> None:
    """Omaha takes every hold'em remedy."""
    deal = "card Ad 9c Tc 5d 6c 4d Qh 6d 3c 3d 3h 5s"
    played = play("roberts-7", "start", deal, "act 1 call", "act 2 call", "act 3 check", seats=3, game="omaha")
    played("card 8h 2s 4s Qd", "act 2 check", "card Js Ks", "report premature")
    assert plan(played) == ["return board > aside 1", "act 3"]


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


def test_FC_5_holdem_8_a() -> None:
    """A premature turn."""
    premature_turn(*TURNS[3])


def test_FC_5_holdem_8_b() -> None:
    """A premature river."""
    premature_river(*RIVERS[2])


def test_MP_5_holdem_8_a() -> None:
    """A premature turn."""
    premature_turn(*TURNS[4])


def test_MP_5_holdem_8_b() -> None:
    """A premature river."""
    premature_river(*RIVERS[3])


def test_AU_19_29() -> None:
    """A premature turn stands, and the round is capped."""
    premature_turn(*TURNS[1])


def test_AU_19_23() -> None:
    """Manila: the card stands and is used in its turn; nobody may wager more than was wagered already."""
    start = ("start", "card 8s 7d Qc Jc 7s Jh As", "act 1 call", "act 2 call", "act 3 check", "card Ac Th")
    played = play("casino-au", *start, "act 2 bet 4", "card Kc Kd", "report premature", seats=3, game="manila-2")
    assert ruling(played, "premature")["cite"] == ["AU-19.23"]
    assert played.lines[-1]["next"][0]["options"] == ["fold", "call"]
    played("act 3 call", "act 1 call")
    assert (plan(played), piles(played, "burn", "board")) == (["act 2"], {"burn": 2, "board": 3})


def test_AU_19_29_burn_error_of_a_card_that_stands() -> None:
    """The turn stands; that it was burned for twice is put right when its own round begins, not before."""
    played = flop_bet("casino-au")
    played("card Js Ks", "report premature", "report double-burn")
    assert played.lines[-1]["rulings"][0]["verdict"] == "play-on"
    played("act 4 call", "act 1 call", "report double-burn")
    assert ruling(played, "double-burn")["verdict"] == "correct"
    assert plan(played) == ["return burn > stub 1", "board turn 1", "act 2"]


@pytest.mark.parametrize("book", ["roberts-7", "maryport"])
def test_R7_5_holdem_8_b_a_premature_river_that_needs_no_burn(book: str) -> None:
    """After a premature turn the river comes without a burn: one card too early is the river, not a burn.

    Covers: MP-5.holdem.8#b
    """
    played = flop_bet(book)
    played("card Js Ks", "report premature", "done", "act 4 call", "act 1 call", "card 7c 7d", "act 2 check")
    played("card 9h", "report premature")
    assert ruling(played, "premature")["verdict"] == "redeal-street"
    assert piles(played, "burn", "board") == {"burn": 3, "board": 5}
    played(*CHECKS[1:])
    assert plan(played) == [
        "return board > stub 1",
        "return aside > stub 1",
        "shuffle",
        "cut",
        "board river 1",
        "act 2",
    ]


@pytest.mark.parametrize(("book", "verdict", "cite"), TURNS)
def test_R7_5_holdem_6_turn_and_river_too_early(book: str, verdict: str, cite: str) -> None:
    """Four cards: both burns lie among the burns, both board cards are ruled on, each with its clause."""
    played = flop_bet(book)
    answer = played("card Js Ks 7c 7d", "report premature count=4")
    assert [(said["verdict"], said["cite"][0]) for said in answer["rulings"]] == [(verdict, cite)] * 2
    assert piles(played, "burn", "board", "aside") == {"burn": 3, "board": 5, "aside": 0}


def test_AU_19_29_turn_and_river_too_early_are_both_used() -> None:
    """They stand, in their turn; nothing more is dealt."""
    played = flop_bet("casino-au")
    played("card Js Ks 7c 7d", "report premature count=4", "act 4 call", "act 1 call")
    assert plan(played) == ["act 2"]
    played(*CHECKS, *CHECKS)
    assert (plan(played)[0][:4], piles(played, "board")) == ("show", {"board": 5})


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


def test_R7_15_tourn_34_the_flop_before_the_hands_are_up() -> None:
    """The betting was over: the cards came in order, and the clause is the one that turns the hands up first."""
    played = play("roberts-7", "start", "card - - - -", "act 1 all-in", "act 2 call", seats=2, mode="tournament")
    played("card - - - -", "report premature count=4")
    assert ruling(played, "premature")["cite"] == ["R7-15.tourn.34"]


@pytest.mark.parametrize(
    ("book", "flop", "river"),
    [
        ("tda-2024", ["burn"], ["burn"]),
        ("wsop-2024", ["burn"], ["burn"]),
        ("wsop-live-2024", ["burn"], ["burn"]),
        ("roberts-7", [], []),
        ("maryport", [], []),
    ],
)
def test_TDA_RP_5_A_a_premature_street_without_its_burn(book: str, flop: list[str], river: list[str]) -> None:
    """Where the burn is left as the burn and none was made, the redeal makes it; R7 5.7 and 5.8 deal without burning.

    Covers: TDA-RP-5-A TDA-RP-5-C WSOP-T-90.f.a WSOP-T-90.f.c WSOP-L-167 R7-5.holdem.7 R7-5.holdem.8#b
    """
    early = {"ev": "report", "what": "premature", "burned": False}
    played = play(
        book, "start", "card" + " -" * 6, "act 1 call", "act 2 call", "card - - -", early | {"count": 3}, seats=3
    )
    played("act 3 check")
    assert plan(played) == ["return board > stub 3", "shuffle", "cut", *flop, "board flop 3", "act 2"]
    checked = ("act 2 check", "act 3 check", "act 1 check")
    before = ("card" + " -" * 6, "act 1 call", "act 2 call", "act 3 check", "card - - - -", *checked, "card - -")
    played = play(book, "start", *before, *checked[:2], "card -", early, "act 1 check", seats=3)
    assert plan(played) == ["return board > stub 1", "shuffle", "cut", *river, "board river 1", "act 2"]
