"""Two or more extra cards in one deal, whoever got them; cards that come when the pot is decided."""

import pytest

from tests.rules.boards import BOOKS, error, piles, ruling
from tests.rules.deals import TWO_ACTED, again, dealt, plan

CLAUSES = {
    "roberts-7": "R7-3.misdeals.1d",
    "house-rules": "HR-misdeals.1.4",
    "fish-n-chips": "FC-3.misdeals.2d",
    "maryport": "MP-3.misdeals.2.4",
}


@pytest.mark.parametrize("book", CLAUSES)
def test_R7_3_misdeals_1d_one_extra_card_each_at_two_seats(book: str) -> None:
    """The first is the burn as long as it is alone; with the second the deal has had two."""
    played = dealt(book, "card 8s 9s", "report extra-card seat=2")
    assert ruling(played, "extra-card")["verdict"] == "return-as-burn"
    played("report extra-card seat=3")
    said = ruling(played, "extra-card")
    assert (said["verdict"], said["seat"]) == ("misdeal", 3)
    assert CLAUSES[book] in said["cite"]
    assert plan(played)[:3] == again(10)


@pytest.mark.parametrize("book", CLAUSES)
def test_R7_3_misdeals_1d_one_in_the_deal_and_one_after_it(book: str) -> None:
    """The burn lies there already when the first player gets a card too many as well."""
    from_start = dealt(book, "card 8s", "report extra-card seat=4", "done")
    assert piles(from_start, "burn") == {"burn": 1}
    from_start("card 9s", "report extra-card seat=2")
    assert ruling(from_start, "extra-card")["verdict"] == "misdeal"


@pytest.mark.parametrize("book", CLAUSES)
def test_R7_3_misdeals_2_a_too_late_for_two_extra_cards(book: str) -> None:
    """Two have acted: no misdeal; the first player's extra card, just dealt, is a burn again."""
    played = dealt(
        book, "card 8s", "report extra-card seat=4", "done", *TWO_ACTED, "card 9s", "report extra-card seat=2"
    )
    assert ruling(played, "extra-card")["verdict"] == "return-as-burn"


def test_AU_19_1_e__extra_cards_of_two_seats_go_back() -> None:
    """Both are known: they go back on the stub, the last one first."""
    played = dealt("casino-au", "card 8s 9s", "report extra-card seat=2", "report extra-card seat=3")
    assert plan(played)[:2] == ["return extra seat 3 > stub 1", "return extra seat 2 > stub 1"]


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("what", ["premature", "board-extra", "two-exposed", "double-burn"])
def test_cards_that_come_when_all_but_one_have_folded(book: str, what: str) -> None:
    """A dealer who goes on dealing can say so in any words: nobody uses the cards, the pot is pushed."""
    played = dealt(book, "act 4 fold", "act 1 fold", "act 2 fold", "card 7d 7c 7s", f"report {what}")
    said = ruling(played, what)
    assert said["verdict"] == "play-on"
    assert said["cite"]
    assert plan(played) == ["award [3]"]
    assert piles(played, "muck", "aside") == {"muck": 9, "aside": 0}


@pytest.mark.parametrize("book", CLAUSES)
@pytest.mark.parametrize(("what", "steps"), [("exposed", 0), ("boxed", 1), ("joker where=hand", 1)])
def test_nothing_comes_for_a_card_of_the_last_hand_left(book: str, what: str, steps: int) -> None:
    """All others have folded: the blind takes the pot with what it has."""
    played = dealt(book, "act 4 fold", "act 1 fold", "act 2 fold", f"report {what} seat=3")
    assert played.lines[-1]["rulings"]
    assert plan(played)[steps:] == ["award [3]"]


def test_no_more_cards_are_explained_than_have_come() -> None:
    """One card came, three are reported."""
    played = dealt("roberts-7", "act 4 fold", "act 1 fold", "act 2 fold", "card 7d", "report premature count=3")
    assert error(played) == "no-card"
