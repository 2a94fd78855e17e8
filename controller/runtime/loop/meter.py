"""What the loop and its journal tell whoever counts. Where nobody counts there is no meter, and nothing is told."""

from typing import Protocol

from controller.runtime.faults.notices import Notice
from controller.runtime.loop.processed_entry import ProcessedEntry
from drivers.contract.driver_interface import DeviceEvent


class Meter(Protocol):
    """Counts; called in the loop's thread, so it must be done within microseconds and never fail."""

    def on_device_event(self, event: DeviceEvent) -> None:
        """A device said something."""
        ...

    def on_notice(self, notice: Notice) -> None:
        """Something is to be known that is no event of the game."""
        ...

    def on_entry(self, processed: ProcessedEntry, seconds: float) -> None:
        """An entry was journalled, handled, shown and published, `seconds` after it came; it may have been refused."""
        ...

    def on_entry_refused(self, code: str) -> None:
        """An entry was refused before it reached the journal, with this code."""
        ...

    def on_commit(self, seconds: float) -> None:
        """The journal has records on the disk, and it took so long."""
        ...
