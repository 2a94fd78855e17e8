"""The loop's queue: what threads hand in, never more than the loop can do, and nobody kept waiting by another.

A loop that is held up (a disk that hangs) must not fill the memory, and a device that talks without end must hold up
no other. So every source has a budget: bytes that it may send, and work that it makes for the loop, a second. What
comes above it is dropped and counted by its source, and the loop makes a latched fault of it; a source that has used up
an eighth of its budget is heard after all others. Within one source everything stays in order.

What the runtime needs to come to an end, to close a port or to know that a device is lost is always taken; its senders
say each of it once. `StopRequested` is taken first of all.
"""

import threading
from collections import deque
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue

from controller.runtime.devices.port_messages import DeviceEventsReported, PortBytesReceived, PortLost, PortOpened
from controller.runtime.loop.loop_messages import (
    BroadcastDelayChanged,
    EntrySubmitted,
    FloorCalled,
    LoopMessage,
    StopRequested,
)
from drivers.contract.driver_interface import DeviceLost

MAX_WAITING_MESSAGES = 4096
"""Messages that may wait, about a megabyte. The demo table at twenty times the pace of people had 2 waiting at most,
and 53 with a disk that took half a second for every entry (docs/runtime.md, Figures)."""

MAX_SOURCE_BYTES_PER_S = 16_384
"""What one source may send: more than a line of 115,200 baud can carry."""

MAX_BURST_BYTES = MAX_SOURCE_BYTES_PER_S
"""So much of it at once, after a second of silence."""

EFFECT_COST_BYTES = 160
"""What one thing that is done and shown counts, in bytes: a hundred a second, which the slowest disk bears."""

LOW_PRIORITY_DEBT_BYTES = MAX_BURST_BYTES // 8
"""A source that is so far behind with its budget is heard after the others: some 12 entries at once."""

MAX_SLICE_BYTES = 16
"""Bytes of one source that are heard before the others are looked at: a frame or two of a reader, or so many keys."""

MAX_LOW_PRIORITY_SLICE_BYTES = 4
"""And of one that is behind with its budget: hardly ever more than one frame, whatever its device is."""


@dataclass(slots=True)
class _SourceBudget:
    """How much a source may still send, in bytes, as it stood at the second `updated_at`.

    Below nothing after much work.
    """

    remaining_bytes: float
    updated_at: float

    def refill(self, at: float) -> float:
        """Let time pass and say how much is left."""
        if at > self.updated_at:
            self.remaining_bytes = min(
                float(MAX_BURST_BYTES), self.remaining_bytes + (at - self.updated_at) * MAX_SOURCE_BYTES_PER_S
            )
            self.updated_at = at
        return self.remaining_bytes


class Inbox:
    """A queue with limits; `put` from any thread and signal handler, all else from the loop's thread."""

    def __init__(self, limit: int = MAX_WAITING_MESSAGES) -> None:
        self._arriving: SimpleQueue[LoopMessage] = SimpleQueue()  # whose put may interrupt its own get: signals do
        self._stop_messages: deque[LoopMessage] = deque()
        self._messages_by_source: dict[str, deque[tuple[int, LoopMessage]]] = {}
        """Source -> what waits of it, each with its number in the order of arrival."""
        self._arrival_count = self._placed_count = 0
        self._max_waiting = limit
        self._budget_by_source: dict[str, _SourceBudget] = {}
        self._dropped_by_source: dict[str, int] = {}
        self._newest_at = 0.0
        self._lock = threading.Lock()

    def put(self, message: LoopMessage) -> bool:
        """Take a message; return whether it was taken."""
        waiting = self.waiting_count + 1
        if _can_be_dropped(message) and not self._has_room(message, waiting):
            return False
        self._arriving.put(message)
        return True

    def get(self, timeout: float) -> LoopMessage:
        """Wait for a message; raises `queue.Empty` after `timeout` seconds."""
        try:
            return self.get_nowait()
        except Empty:
            message = self._arriving.get(timeout=timeout)
            if self._arriving.empty() and not (
                isinstance(message, PortBytesReceived) and len(message.data) > MAX_LOW_PRIORITY_SLICE_BYTES
            ):
                return message  # it waits with no other, and is not too long to be heard at once
            self._queue_by_source(message)
            return self.get_nowait()

    def get_nowait(self) -> LoopMessage:
        """Return a message; raises `queue.Empty` when none waits."""
        while not self._arriving.empty():
            self._queue_by_source(self._arriving.get_nowait())
        if self._stop_messages:
            return self._stop_messages.popleft()
        if not self._messages_by_source:
            raise Empty
        source = min(
            self._messages_by_source,
            key=lambda source: (self._is_low_priority(source), self._messages_by_source[source][0][0]),
        )
        return self._take_next(source)

    def is_empty(self) -> bool:
        """Whether no message waits."""
        return self._arriving.empty() and not self._stop_messages and not self._messages_by_source

    @property
    def waiting_count(self) -> int:
        """How many messages wait; from any thread, as they stand at some moment of the call."""
        return self._arriving.qsize() + self._placed_count

    def charge(self, message: LoopMessage, done: int, now: float) -> None:
        """Take off the budget of a message's source what it made the loop do: so many things were done and shown."""
        if done and _can_be_dropped(message):
            with self._lock:
                self._refill_budget(find_source(message), now).remaining_bytes -= done * EFFECT_COST_BYTES

    def take_dropped_counts(self) -> dict[str, int]:
        """Return how many messages of each device were dropped since this was last asked."""
        with self._lock:
            dropped, self._dropped_by_source = self._dropped_by_source, {}
        return dropped

    def _has_room(self, message: LoopMessage, waiting: int) -> bool:
        source, size = find_source(message), _count_bytes(message)
        with self._lock:
            budget = self._refill_budget(source, message.at)
            if waiting <= self._max_waiting and budget.remaining_bytes >= size:
                budget.remaining_bytes -= size
                return True
            if isinstance(
                message, PortBytesReceived | DeviceEventsReported
            ):  # the sender of all others is told, and says it
                self._dropped_by_source[source] = self._dropped_by_source.get(source, 0) + 1
            return False

    def _refill_budget(self, source: str, at: float) -> _SourceBudget:
        self._newest_at = max(self._newest_at, at)
        budget = self._budget_by_source.setdefault(source, _SourceBudget(MAX_BURST_BYTES, at))
        budget.refill(at)
        return budget

    def _is_low_priority(self, source: str) -> bool:
        with self._lock:
            budget = self._budget_by_source.get(source)
            return budget is not None and budget.refill(self._newest_at) < MAX_BURST_BYTES - LOW_PRIORITY_DEBT_BYTES

    def _queue_by_source(self, message: LoopMessage) -> None:
        if isinstance(message, StopRequested):
            self._stop_messages.append(message)
            return
        self._arrival_count += 1
        self._placed_count += 1
        self._messages_by_source.setdefault(find_source(message), deque()).append((self._arrival_count, message))

    def _take_next(self, source: str) -> LoopMessage:
        line = self._messages_by_source[source]
        number, message = line[0]
        if isinstance(message, PortBytesReceived):
            size = MAX_LOW_PRIORITY_SLICE_BYTES if self._is_low_priority(source) else MAX_SLICE_BYTES
            if len(message.data) > size:
                line[0] = number, replace(message, data=message.data[size:])
                return replace(message, data=message.data[:size], has_more=True)
        line.popleft()
        self._placed_count -= 1
        if not line:
            del self._messages_by_source[source]
        return message


def find_source(message: LoopMessage) -> str:
    """Who sent a message: a device, or where somebody entered it; what has no other name is the page's."""
    match message:
        case PortBytesReceived(device=device) | PortOpened(device=device) | PortLost(device=device):
            return device
        case EntrySubmitted(source=source):
            return source
        case DeviceEventsReported(events=said):
            return said[0].device if said else ""
        case FloorCalled():
            return "call"  # so that who calls without end uses up nobody else's budget
        case _:
            return "page"


def _count_bytes(message: LoopMessage) -> int:
    """What a message counts when it is handed in, in bytes."""
    match message:
        case PortBytesReceived(data=data):
            return len(data)
        case FloorCalled() | BroadcastDelayChanged():
            return EFFECT_COST_BYTES  # nothing else bounds how many of them wait
        case _:
            return 0


def _can_be_dropped(message: LoopMessage) -> bool:
    match message:
        case PortBytesReceived() | EntrySubmitted() | FloorCalled():
            return True
        case BroadcastDelayChanged(delay_s=delay):
            return delay is not None  # what takes cards off the air is always heard
        case DeviceEventsReported(events=said):
            return not any(isinstance(event, DeviceLost) for event in said)
        case _:
            return False
