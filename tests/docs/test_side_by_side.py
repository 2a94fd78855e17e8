"""The page of the books side by side is what they say."""

from tests.docs import side_by_side


def test_the_page_is_what_the_books_say() -> None:
    drawn = side_by_side.page()
    assert len(side_by_side.EVENTS) == 12
    assert side_by_side.PAGE.read_text(encoding="utf-8") == drawn, "draw it anew: make side-by-side"
    assert "refused" not in drawn
