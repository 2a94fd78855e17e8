"""The diagram of the phases is that of the rows."""

from tests.docs import phases


def test_the_page_is_drawn_from_the_rows() -> None:
    assert phases.PAGE.read_text(encoding="utf-8") == phases.page(), "draw it anew: make phases"
