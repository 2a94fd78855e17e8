"""The diagrams of the lives are those of their rows."""

from tests.docs import lives


def test_the_page_is_drawn_from_the_rows() -> None:
    assert lives.PAGE.read_text(encoding="utf-8") == lives.page(), "draw it anew: make phases"
