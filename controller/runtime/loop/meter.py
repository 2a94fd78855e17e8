"""What the loop and its journal tell whoever counts. Where nobody counts there is no meter, and nothing is told."""

from typing import Protocol

from controller.core.protocol.events import Event
from controller.runtime.loop.notices import Notice
from controller.runtime.loop.ruling import Answer
from drivers.contract.base import DeviceEvent


class Meter(Protocol):
    """Counts; called in the loop's thread, so it must be done within microseconds and never fail."""

    def heard(self, event: DeviceEvent) -> None:
        """A device said something."""
        ...

    def noticed(self, notice: Notice) -> None:
        """Something is to be known that is no event of the game."""
        ...

    def entered(self, event: Event, source: str, given: Answer, seconds: float, *, hand_over: bool) -> None:
        """An entry was journalled, handled, shown and published, `seconds` after it came; it may have been refused.

        `hand_over`: the hand ended with it.
        """
        ...

    def turned_away(self, code: str) -> None:
        """An entry was refused before it reached the journal, with this code."""
        ...

    def committed(self, seconds: float) -> None:
        """The journal has records on the disk, and it took so long."""
        ...
