"""The loop's queue: what threads hand in, in order, and never more than it can hold without anybody knowing.

A loop that is held up (a disk that hangs) must not fill the memory, nor lose a card in silence. Above the limit what
devices and pages say is dropped and counted by its source; the loop makes a latched fault of it. What the runtime needs
to come to an end, to close a port or to know that a device is lost is always taken; its senders say each of it once.
"""

import threading
from queue import SimpleQueue

from controller.runtime.loop.messages import DevicesSaid, Entered, Message, PortBytes
from drivers.contract.base import DeviceLost

LIMIT = 4096
"""Messages that may wait, about a megabyte. The demo table at twenty times the pace of people had 2 waiting at most,
and 53 with a disk that took half a second for every entry (docs/runtime.md, Figures)."""


class Inbox:
    """A queue with a limit; `put` from any thread, all else from the loop's."""

    def __init__(self, limit: int = LIMIT) -> None:
        self._queue: SimpleQueue[Message] = SimpleQueue()
        self._limit = limit
        self._dropped: dict[str, int] = {}
        self._lock = threading.Lock()
        self._deepest = 0

    @property
    def deepest(self) -> int:
        """How many messages have waited at most."""
        return self._deepest

    def put(self, message: Message) -> bool:
        """Take a message; return whether it was taken."""
        waiting = self._queue.qsize() + 1
        if waiting > self._limit and (source := _droppable(message)) is not None:
            with self._lock:
                self._dropped[source] = self._dropped.get(source, 0) + 1
            return False
        self._deepest = max(self._deepest, waiting)
        self._queue.put(message)
        return True

    def get(self, timeout: float) -> Message:
        """Wait for a message; raises `queue.Empty` after `timeout` seconds."""
        return self._queue.get(timeout=timeout)

    def get_nowait(self) -> Message:
        """Return a message; raises `queue.Empty` when none waits."""
        return self._queue.get_nowait()

    def empty(self) -> bool:
        """Whether no message waits."""
        return self._queue.empty()

    def dropped(self) -> dict[str, int]:
        """Return how many messages of each source were dropped since this was last asked."""
        with self._lock:
            dropped, self._dropped = self._dropped, {}
        return dropped


def _droppable(message: Message) -> str | None:
    """The source of a message that may be dropped; `None` for one that must be heard."""
    match message:
        case PortBytes(device=device):
            return device
        case Entered(source=source):
            return source
        case DevicesSaid(events=said) if not any(isinstance(event, DeviceLost) for event in said):
            return said[0].device if said else ""
        case _:
            return None
