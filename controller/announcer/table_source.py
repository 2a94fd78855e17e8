"""The table as the announcer reaches it: its states as they come, and the two things that it may ask of it."""

from collections.abc import Iterator
from typing import Protocol

from controller.client import api_types


class TableSource(Protocol):
    """A table's API. What it does not answer, or refuses, is an `OSError`, with a sentence that holds no secret."""

    def iter_states(self) -> Iterator[api_types.Table]:
        """Yield the table as it stands and each time that it changes, until the connection ends."""
        ...

    def call_floor(self) -> None:
        """Call the floor to the table."""
        ...

    def test_lamps(self) -> None:
        """Light every lamp in turn, which takes some seconds; a table in service refuses."""
        ...
