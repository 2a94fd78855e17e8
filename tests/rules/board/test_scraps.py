"""Boxed cards and jokers are no cards of the deal: other remedies count, replace and burn as if they had not come."""

from typing import Any

import pytest

from tests.games.playing import table
from tests.playing import ScriptedTable, play
from tests.rules.boards import BOOKS, error, piles, ruling
from tests.rules.deals import plan

BOXED = {"ev": "card", "card": "Ks", "face": "up"}
NOT_AU = tuple(book for book in BOOKS if book != "casino-au")
PARENTS = ("roberts-7", "fish-n-chips", "maryport")
CLAUSES = {"roberts-7": "R7-5.holdem.1", "fish-n-chips": "FC-5.holdem.1", "maryport": "MP-5.holdem.1"}


@pytest.mark.parametrize("book", PARENTS)
@pytest.mark.parametrize("scrap", [BOXED, {"ev": "card", "card": "joker"}])
def test_R7_5_holdem_1_a_the_second_holecard_after_a_scrap_of_paper(book: str, scrap: dict[str, Any]) -> None:
    """The first card was boxed, or a joker: the second player's first holecard is the second of the hand."""
    played = play(book, "start", scrap, "done", "card Ad 9c", "report exposed")
    said = ruling(played, "exposed")
    assert (said["verdict"], said["cite"][0], said["seat"]) == ("misdeal", CLAUSES[book], 3)
    played = play(book, "start", scrap, "done", "card Ad 9c Tc", "report exposed")
    assert ruling(played, "exposed")["verdict"] == "replace"


def test_HR_holdem_1_a_the_first_holecard_after_a_boxed_one() -> None:
    """The first holecard is the one that took the boxed card's place."""
    played = play("house-rules", "start", BOXED, "done", "card Ad", "report exposed")
    assert ruling(played, "exposed")["verdict"] == "misdeal"
    played = play("house-rules", "start", BOXED, "done", "card Ad 9c", "report exposed")
    assert ruling(played, "exposed")["verdict"] == "replace"


@pytest.mark.parametrize(
    ("book", "clause"),
    [
        ("roberts-7", "R7-3.misdeals.1h"),
        ("house-rules", "HR-misdeals.1.8"),
        ("fish-n-chips", "FC-3.misdeals.2h"),
        ("maryport", "MP-3.misdeals.2.8"),
    ],
)
def test_R7_3_misdeals_1h_the_first_card_after_a_boxed_one(book: str, clause: str) -> None:
    """What took the boxed first card's place is the first card, and went to the wrong position."""
    played = play(book, "start", BOXED, "done", "card Ad", "report looked seat=2", "report wrong-seat seat=3")
    said = ruling(played, "wrong-seat")
    assert (said["verdict"], said["cite"][0]) == ("misdeal", clause)


@pytest.mark.parametrize("book", NOT_AU)
@pytest.mark.parametrize("what", ["boxed", "joker where=hand"])
def test_R7_3_irreg_7_an_exposed_card_proves_a_scrap_of_paper(book: str, what: str) -> None:
    """It is replaced once, by the next card, and is no burn: the flop burns as always."""
    played = play(book, "start", "card Ad 9c Tc", "report exposed", f"report {what} seat=4")
    assert plan(played)[1:] == ["deal 4", "deal 1", "deal 2", "deal 3", "deal 4", "deal 1", "act 4"]
    played("done", "card 5d 6c 4d Qh 6d 7s", "act 4 call", "act 1 call", "act 2 call", "act 3 check")
    assert plan(played)[:2] == ["burn", "board flop 3"]
    assert piles(played, "burn")["burn"] == 0


@pytest.mark.parametrize("book", NOT_AU)
def test_R7_3_irreg_7_found_after_the_round_went_on(book: str) -> None:
    """Later cards have been dealt: one card comes for it after the round, face down."""
    played = play(book, "start", "card Ad 9c Tc", "report exposed", "card 5d", "report boxed seat=4")
    assert plan(played)[1:] == ["deal 2", "deal 3", "deal 4", "deal 1", "deal 4 replacement", "act 4"]
    assert [step["face"] for step in played.lines[-1]["next"] if step["step"] == "deal"] == ["down"] * 5


@pytest.mark.parametrize("book", NOT_AU)
def test_R7_3_irreg_7_found_when_the_exposed_card_has_been_replaced(book: str) -> None:
    """No further card comes for it."""
    played = play(book, "start", "card Ad 9c Tc", "report exposed", "card 5d 6c 4d Qh 6d 7s")
    assert plan(played) == ["return exposed seat 4 > burn 1", "act 4"]
    played("report boxed seat=4 nth=1", "done")
    assert plan(played) == ["act 4"]
    played("act 4 call", "act 1 call", "act 2 call", "act 3 check")
    assert plan(played)[:2] == ["burn", "board flop 3"]


@pytest.mark.parametrize("book", NOT_AU)
def test_R7_3_irreg_11_an_extra_card_proves_boxed(book: str) -> None:
    """The extra card of the first player goes back as the burn; boxed it is none, and nobody misses it."""
    lines = ("start", "card Ad 9c Tc 5d 6c 4d Qh 6d 7s", "report extra-card seat=2")
    played = play(book, *lines, "report boxed seat=2", "done")
    assert plan(played) == ["act 4"]
    assert played.lines[-1]["piles"]["seats"] == {"1": 2, "2": 2, "3": 2, "4": 2}
    played("act 4 call", "act 1 call", "act 2 call", "act 3 check")
    assert plan(played)[:2] == ["burn", "board flop 3"]


def test_R7_3_irreg_11_an_extra_card_that_was_seen() -> None:
    """It goes back whatever it is: nobody's card was exposed."""
    lines = ("start", "card Ad 9c Tc 5d 6c 4d Qh 6d 7s", "report extra-card seat=2")
    played = play("roberts-7", *lines, "report exposed seat=2")
    assert ruling(played, "exposed")["verdict"] == "play-on"
    assert plan(played) == ["return extra seat 2 > burn 1", "act 4"]


def test_HR_misdeals_2_a_card_to_be_moved_proves_boxed() -> None:
    """There is nothing to move any more; the next card goes where it belonged."""
    played = play("house-rules", "start", "card Ad 9c", "report wrong-seat seat=4", "report boxed seat=4")
    assert plan(played)[:3] == ["return boxed seat 4 > stub-bottom 1", "deal 3", "deal 4"]
    assert not any(step.startswith("move") for step in plan(played))


def test_HR_holdem_1_b_a_card_to_be_moved_was_exposed() -> None:
    """It is replaced at the seat where it belongs."""
    played = play("house-rules", "start", "card Ad 9c", "report wrong-seat seat=4", "report exposed seat=4")
    assert ruling(played, "exposed")["seat"] == 3
    assert plan(played)[-3:] == ["deal 3 replacement", "return exposed seat 3 > burn 1", "act 4"]
    played("done", "card Tc 5d 6c 4d Qh 6d 7s", "done")
    assert piles(played, "burn") == {"burn": 1}
    assert played.lines[-1]["piles"]["seats"] == {"1": 2, "2": 2, "3": 2, "4": 2}


def at_showdown(book: str, dealt: str, **table: Any) -> ScriptedTable:  # noqa: ANN401
    """Heads-up, all checked: both hands are to be shown."""
    board = ("card 8h 2s 4s Qd", "act 2 check", "act 1 check", "card Js Ks", "act 2 check", "act 1 check")
    last = ("card 3s 7c", "act 2 check", "act 1 check")
    return play(book, "start", dealt, "act 1 call", "act 2 check", *board, *last, seats=2, **table)


@pytest.mark.parametrize(
    ("book", "clause"),
    [
        ("roberts-7", "R7-3.dead.1e"),
        ("house-rules", "HR-dead.1.5"),
        ("fish-n-chips", "FC-3.dead.1d"),
        ("maryport", "MP-3.dead.1.4"),
    ],
)
def test_R7_3_dead_1e_a_joker_comes_to_light_at_the_showdown(book: str, clause: str) -> None:
    """Nothing had read the card; its holder has acted on the hand, which is dead."""
    played = at_showdown(book, "card - - - -")
    played({"ev": "show", "seat": 2, "cards": ["joker", "As"]})
    said = ruling(played, "joker")
    assert (said["verdict"], said["cite"][0], said["seat"]) == ("dead-hand", clause, 2)
    assert plan(played) == ["award [1]"]


def test_R7_3_irreg_8_a_the_joker_of_a_blind_that_never_acted() -> None:
    """All-in with the blind it has not acted: the joker is replaced and the hand is live."""
    lines = ("start", "card - - - - - -", "act 1 call", "act 2 call", "card 8h 2s 4s Qd", "act 2 check", "act 1 check")
    later = ("card Js Ks", "act 2 check", "act 1 check", "card 3s 7c", "act 2 check", "act 1 check")
    played = play("roberts-7", *lines, *later, stacks={1: 200, 2: 200, 3: 2})
    played({"ev": "show", "seat": 3, "cards": ["joker", "Ac"]})
    assert ruling(played, "joker")["verdict"] == "scrap"
    assert plan(played) == ["return joker seat 3 > aside 1", "deal 3 replacement", "show 2", "show 3", "show 1"]


def test_a_joker_is_not_shown_for_a_card_that_the_shoe_read() -> None:
    """That is a misreading, and reported as one."""
    played = at_showdown("roberts-7", "card Ad 9c Tc 5d")
    played({"ev": "show", "seat": 2, "cards": ["joker", "Ad"]})
    assert error(played) == "cards-differ"


def test_a_misdeal_brings_the_boxed_card_back_too() -> None:
    """All cards of the deck go back: as many as the stub then lacks no more."""
    played = play("roberts-7", "start", BOXED, "done", "card Ad", "report exposed")
    assert plan(played)[0] == "return hands all > stub 2"
    played("done")
    assert piles(played, "stub", "aside") == {"stub": 52, "aside": 0}


@pytest.mark.parametrize("scrap", [BOXED, {"ev": "card", "card": "joker"}])
@pytest.mark.parametrize("report", ["boxed", "joker where=hand", "wrong-seat seat=4", "short-hand seat=2"])
@pytest.mark.parametrize("steps", ["", "done"])
def test_a_scrap_of_paper_is_ruled_on_once(scrap: dict[str, Any], report: str, steps: str) -> None:
    """What else is said of it, before it is put away or then, changes nothing; HR's is in the stub again."""
    for book in NOT_AU:
        played = play(book, "start", scrap)
        if steps:
            played(steps)
        was = plan(played)
        played(f"report {report}")
        if not (steps and report.startswith("short-hand")):
            assert error(played) in ("already-ruled", "no-card")
            assert plan(played) == was


def test_R7_3_irreg_11_no_joker_is_the_extra_card() -> None:
    """The joker that should have gone to seat 1 is put away; it is not the card too many of the seat before."""
    played = play("roberts-7", "start", "card Ad 9c Tc joker", "report extra-card seat=4")
    said = ruling(played, "extra-card")
    assert (said["verdict"], said["cite"][0]) == ("misdeal", "R7-3.misdeals.1e")


@pytest.mark.parametrize("book", NOT_AU)
def test_R7_3_irreg_8_a_a_joker_that_left_when_no_card_was_due(book: str) -> None:
    """Nothing had read it; it lies aside and stays there, and the question is answered."""
    played = play(book, "start", "card Ad 9c Tc 5d 6c 4d Qh 6d", "act 4 call", "card -", "report joker")
    assert ruling(played, "joker")["verdict"] == "scrap"
    assert plan(played) == ["act 1"]
    assert piles(played, "aside", "stub") == {"aside": 1, "stub": 44}


def test_a_joker_in_a_hand_needs_its_seat_when_the_last_card_went_to_none() -> None:
    """It is looked for neither on the board nor among the burns."""
    dealt_ = ("start", "card Ad 9c Tc 5d 6c 4d Qh 6d", "act 4 call", "act 1 call", "act 2 call", "act 3 check")
    played = play("roberts-7", *dealt_, "card 8h 2s", "report joker where=hand")
    assert error(played) == "key-missing"
    assert piles(played, "burn", "board") == {"burn": 1, "board": 1}


def test_a_hand_is_not_short_of_the_card_that_comes_for_a_joker() -> None:
    """Five-card draw: the joker goes out and its step comes again; nothing else is missing.

    Covers: R7-3.irreg.8#a
    """
    played = table("roberts-7", "draw-high", "start", "card As Kd 9h 7c 2s 5d 8h Jc 3d Qs 6c 4h Td 2h joker")
    seat = played.lines[-1]["rulings"][0]["seat"]
    before = played.lines[-1]["next"]
    answer = played(f"report short-hand seat={seat}")
    assert (answer["error"]["code"], answer["next"]) == ("already-ruled", before)
