"""The words of a law's tables."""

from collections.abc import Iterator

import pytest

from tests.core.arbitrary import use_vocabulary


@pytest.fixture(autouse=True)
def vary_words_at_night(request: pytest.FixtureRequest) -> Iterator[None]:
    """Make the tables of each block of the night of words of its own; those of the day have all."""
    callspec = getattr(request.node, "callspec", None)
    if callspec is None or "block" not in callspec.params or not request.node.get_closest_marker("slow"):
        yield
        return
    with use_vocabulary(callspec.params["block"]):
        yield
