"""Commands as people give them, and a real HTTP server at the far end of a webhook."""

from collections.abc import Iterator

import pytest

from tests.announcer.room import Receiver, receiving


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as far:
        yield far
