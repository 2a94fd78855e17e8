"""The button, the shuffle, the cut, cards put back and hands looked at, by the book's clauses."""

from typing import Any

import pytest

from tests.playing import play
from tests.rules.boards import BOOKS, error


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("card", [{"card": "Ks", "face": "up"}, {"card": "joker"}, {"card": "Ad"}, {"foreign": True}])
def test_put_back_hides_no_finding(book: str, card: dict[str, Any]) -> None:
    """A boxed card, a joker, a card that is there twice or of another deck stays found."""
    played = play(book, "start", "card Ad", {"ev": "card", "card": None, **card})
    assert played.lines[-1]["rulings"]
    was = played.lines[-1]["next"]
    played("report put-back")
    assert error(played) == "already-ruled"
    assert played.lines[-1]["next"] == was
