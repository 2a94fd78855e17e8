"""The loop's queue: what threads hand in, never more than the loop can do, and nobody kept waiting by another.

A loop that is held up (a disk that hangs) must not fill the memory, and a device that talks without end must hold up
no other. So every source has a budget: bytes that it may send, and work that it makes for the loop, a second. What
comes above it is dropped and counted by its source, and the loop makes a latched fault of it; a source that has used up
an eighth of its budget is heard after all others. Within one source everything stays in order.

What the runtime needs to come to an end, to close a port or to know that a device is lost is always taken; its senders
say each of it once. `Stop` is taken first of all.
"""

import threading
from collections import deque
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue

from controller.runtime.loop.messages import (
    BroadcastDelayed,
    DevicesSaid,
    Entered,
    FloorCalled,
    Message,
    PortBytes,
    PortLost,
    PortOpened,
    Stop,
)
from drivers.contract.base import DeviceLost

LIMIT = 4096
"""Messages that may wait, about a megabyte. The demo table at twenty times the pace of people had 2 waiting at most,
and 53 with a disk that took half a second for every entry (docs/runtime.md, Figures)."""

BYTES_A_SECOND = 16_384
"""What one source may send: more than a line of 115,200 baud can carry."""

BURST = BYTES_A_SECOND
"""So much of it at once, after a second of silence."""

WORK = 160
"""What one thing that is done and shown counts, in bytes: a hundred a second, which the slowest disk bears."""

PATIENT = BURST // 8
"""A source that is so far behind with its budget is heard after the others: some 12 entries at once."""

SLICE = 16
"""Bytes of one source that are heard before the others are looked at: a frame or two of a reader, or so many keys."""

PATIENT_SLICE = 4
"""And of one that is behind with its budget: hardly ever more than one frame, whatever its device is."""


@dataclass(slots=True)
class _Budget:
    """How much a source may still send, in bytes, as it stood at the second `at`; below nothing after much work."""

    left: float
    at: float

    def now(self, at: float) -> float:
        """Let time pass and say how much is left."""
        if at > self.at:
            self.left = min(float(BURST), self.left + (at - self.at) * BYTES_A_SECOND)
            self.at = at
        return self.left


class Inbox:
    """A queue with limits; `put` from any thread and signal handler, all else from the loop's thread."""

    def __init__(self, limit: int = LIMIT) -> None:
        self._arriving: SimpleQueue[Message] = SimpleQueue()  # whose put may interrupt its own get: signals do
        self._first: deque[Message] = deque()
        self._lines: dict[str, deque[tuple[int, Message]]] = {}
        """Source -> what waits of it, each with its number in the order of arrival."""
        self._arrived = self._waiting = 0
        self._limit = limit
        self._budgets: dict[str, _Budget] = {}
        self._dropped: dict[str, int] = {}
        self._newest = 0.0
        self._lock = threading.Lock()

    def put(self, message: Message) -> bool:
        """Take a message; return whether it was taken."""
        waiting = self.waiting + 1
        if _may_be_dropped(message) and not self._has_room(message, waiting):
            return False
        self._arriving.put(message)
        return True

    def get(self, timeout: float) -> Message:
        """Wait for a message; raises `queue.Empty` after `timeout` seconds."""
        try:
            return self.get_nowait()
        except Empty:
            message = self._arriving.get(timeout=timeout)
            if self._arriving.empty() and not (isinstance(message, PortBytes) and len(message.data) > PATIENT_SLICE):
                return message  # it waits with no other, and is not too long to be heard at once
            self._place(message)
            return self.get_nowait()

    def get_nowait(self) -> Message:
        """Return a message; raises `queue.Empty` when none waits."""
        while not self._arriving.empty():
            self._place(self._arriving.get_nowait())
        if self._first:
            return self._first.popleft()
        if not self._lines:
            raise Empty
        source = min(self._lines, key=lambda source: (self._is_patient(source), self._lines[source][0][0]))
        return self._taken(source)

    def empty(self) -> bool:
        """Whether no message waits."""
        return self._arriving.empty() and not self._first and not self._lines

    @property
    def waiting(self) -> int:
        """How many messages wait; from any thread, as they stand at some moment of the call."""
        return self._arriving.qsize() + self._waiting

    def charge(self, message: Message, done: int, now: float) -> None:
        """Take off the budget of a message's source what it made the loop do: so many things were done and shown."""
        if done and _may_be_dropped(message):
            with self._lock:
                self._budget(source_of(message), now).left -= done * WORK

    def dropped(self) -> dict[str, int]:
        """Return how many messages of each device were dropped since this was last asked."""
        with self._lock:
            dropped, self._dropped = self._dropped, {}
        return dropped

    def _has_room(self, message: Message, waiting: int) -> bool:
        source, size = source_of(message), _size(message)
        with self._lock:
            budget = self._budget(source, message.at)
            if waiting <= self._limit and budget.left >= size:
                budget.left -= size
                return True
            if isinstance(message, PortBytes | DevicesSaid):  # the sender of all others is told, and says it
                self._dropped[source] = self._dropped.get(source, 0) + 1
            return False

    def _budget(self, source: str, at: float) -> _Budget:
        self._newest = max(self._newest, at)
        budget = self._budgets.setdefault(source, _Budget(BURST, at))
        budget.now(at)
        return budget

    def _is_patient(self, source: str) -> bool:
        with self._lock:
            budget = self._budgets.get(source)
            return budget is not None and budget.now(self._newest) < BURST - PATIENT

    def _place(self, message: Message) -> None:
        if isinstance(message, Stop):
            self._first.append(message)
            return
        self._arrived += 1
        self._waiting += 1
        self._lines.setdefault(source_of(message), deque()).append((self._arrived, message))

    def _taken(self, source: str) -> Message:
        line = self._lines[source]
        number, message = line[0]
        if isinstance(message, PortBytes):
            size = PATIENT_SLICE if self._is_patient(source) else SLICE
            if len(message.data) > size:
                line[0] = number, replace(message, data=message.data[size:])
                return replace(message, data=message.data[:size])
        line.popleft()
        self._waiting -= 1
        if not line:
            del self._lines[source]
        return message


def source_of(message: Message) -> str:
    """Who sent a message: a device, or where somebody entered it; what has no other name is the page's."""
    match message:
        case PortBytes(device=device) | PortOpened(device=device) | PortLost(device=device):
            return device
        case Entered(source=source):
            return source
        case DevicesSaid(events=said):
            return said[0].device if said else ""
        case FloorCalled():
            return "call"  # so that who calls without end uses up nobody else's budget
        case _:
            return "page"


def _size(message: Message) -> int:
    """What a message counts when it is handed in, in bytes."""
    match message:
        case PortBytes(data=data):
            return len(data)
        case FloorCalled() | BroadcastDelayed():
            return WORK  # nothing else bounds how many of them wait
        case _:
            return 0


def _may_be_dropped(message: Message) -> bool:
    match message:
        case PortBytes() | Entered() | FloorCalled():
            return True
        case BroadcastDelayed(delay=delay):
            return delay is not None  # what takes cards off the air is always heard
        case DevicesSaid(events=said):
            return not any(isinstance(event, DeviceLost) for event in said)
        case _:
            return False
