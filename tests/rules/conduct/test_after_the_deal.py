"""Reports while a remedy is under way: of a deal whose cards are being gathered, and of a flop that goes back."""

from typing import Any

import pytest

from tests.playing import ScriptedTable
from tests.rules.boards import BOOKS, CHECKS, before_flop, error, on_flop, piles, ruling
from tests.rules.deals import again, dealt, plan

NEW_DEAL = [f"deal {seat}" for seat in (2, 3, 4, 1, 2, 3, 4, 1)]
NOT_AU = tuple(book for book in BOOKS if book != "casino-au")
DEAD = {
    "roberts-7": "R7-3.dead.1d",
    "house-rules": "HR-dead.1.4",
    "fish-n-chips": "FC-3.dead.1c",
    "maryport": "MP-3.dead.1.3",
}


def gathering(book: str) -> ScriptedTable:
    """Two cards were exposed: the hands of a misdeal are about to be gathered."""
    played = dealt(book, "report exposed count=2")
    assert plan(played)[:3] == again(8)
    return played


def redealt(book: str, **table: Any) -> ScriptedTable:  # noqa: ANN401
    """A flop of four is about to be shuffled back."""
    played = before_flop(book, **table)
    played("card 8h 2s 4s Qd Kd", "report board-extra")
    return played


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("what", ["exposed seat=3 nth=2", "boxed seat=4", "off-table", "boxed", "short-hand seat=2"])
def test_a_report_of_the_old_deal_puts_nothing_into_the_new_one(book: str, what: str) -> None:
    """The cards of the misdeal matter no more."""
    played = gathering(book)
    played(f"report {what}")
    assert error(played) == "no-card"
    played("done 3")
    assert plan(played)[:-1] == NEW_DEAL


@pytest.mark.parametrize("book", NOT_AU)
def test_R7_3_irreg_8_a_a_joker_among_the_cards_of_the_old_deal(book: str) -> None:
    """It goes out of the deck; the new deal is what it was."""
    played = gathering(book)
    played("report joker where=hand seat=3")
    assert ruling(played, "joker")["verdict"] == "play-on"
    played("done 3")
    assert plan(played)[:-1] == NEW_DEAL


def test_HR_misdeals_2_who_looked_at_the_old_hand_has_not_seen_the_new_one() -> None:
    """Cards of the new deal can be moved as long as nobody has looked at any of them."""
    played = gathering("house-rules")
    played("report looked seat=3", "done 3", "card Ad 9c", "report wrong-seat seat=4")
    assert ruling(played, "wrong-seat")["verdict"] == "correct"


@pytest.mark.parametrize("book", DEAD)
@pytest.mark.parametrize("what", ["short-hand", "extra-card", "skipped"])
def test_R7_3_dead_1d_a_wrong_count_found_while_the_flop_goes_back(book: str, what: str) -> None:
    """The hands were dealt, whatever becomes of the flop: too late for a misdeal, the hand is dead."""
    played = redealt(book)
    was = plan(played)
    played(f"report {what} seat=3")
    said = ruling(played, what)
    assert (said["verdict"], said["cite"][0], said["seat"]) == ("dead-hand", DEAD[book], 3)
    assert plan(played) == was


@pytest.mark.parametrize("book", DEAD)
def test_R7_3_dead_1d_a_wrong_count_found_after_a_premature_turn(book: str) -> None:
    """The same when the last cards that left the shoe do not play."""
    played = on_flop(book)
    played("act 2 check", "card Js Ks", "report premature", "report extra-card seat=4")
    assert (ruling(played, "extra-card")["verdict"], ruling(played, "extra-card")["seat"]) == ("dead-hand", 4)


@pytest.mark.parametrize("book", NOT_AU)
def test_R7_3_irreg_8_a_a_joker_in_a_flop_that_goes_back(book: str) -> None:
    """The other three go back; the new flop has three cards of its own."""
    played = redealt(book)
    played("report joker where=board nth=2")
    assert plan(played)[:3] == ["return joker board > aside 1", "return board board > stub 3", plan(played)[2]]
    assert plan(played)[-2:] == ["board flop 3", "act 2"]
    count = plan(played).index("board flop 3")
    played(f"done {count - plan(played).count('burn')}")
    assert piles(played, "board", "aside") == {"board": 0, "aside": 1}


@pytest.mark.parametrize("book", NOT_AU)
def test_R7_3_irreg_8_a_a_joker_among_cards_that_came_too_early(book: str) -> None:
    """What lies there until the betting is over goes back without the joker, which nobody replaces."""
    played = before_flop(book, seats=4)
    played("card 8h 2s 4s Qd", "act 2 check", "card Js Ks", "report premature", "report joker where=board nth=4")
    assert plan(played) == ["return joker board > aside 1", "act 3"]
    played("done", "act 3 check", "act 4 check", "act 1 check")
    assert not [step for step in plan(played) if step.startswith("return")]
    played("done 2" if book == "fish-n-chips" else "card 3s", "card 3h", *CHECKS)
    assert not [step for step in plan(played) if step.startswith("return")]
    assert piles(played, "board", "aside") == {"board": 4, "aside": 1}


@pytest.mark.parametrize("book", BOOKS)
def test_R7_5_holdem_3_a_further_card_too_many_is_found(book: str) -> None:
    """A flop of five, reported card by card: the fifth goes back with the others."""
    played = before_flop(book)
    played("card 8h 2s 4s Qd Kd Kh", "report board-extra count=1")
    assert plan(played)[:2] == ["say", "return board board > stub 4"]
    played("report board-extra")
    assert ruling(played, "board-extra")["verdict"] == "redeal-board"
    assert plan(played)[0] == "return board board > stub 5"
    assert piles(played, "board", "aside") == {"board": 5, "aside": 0}
