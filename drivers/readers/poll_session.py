"""Talking with a device that speaks when spoken to: one question at a time, each with its time to answer.

The device is greeted with questions in order, then asked the same question over and over. A question without an answer
is asked again; after `MAX_UNANSWERED` in a row the device is lost, and is greeted anew until it answers. One that is
lost soon after it was ready, again and again, is greeted after a growing pause: each change is an entry of the journal.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from drivers.contract.driver_interface import DeviceEvent, DeviceLost, DeviceReady

MAX_UNANSWERED = 3
"""How many questions in a row may stay without an answer before the device is lost."""

FIRST_ANSWER_PATIENCE_S = 1.4
"""Seconds from the first question within which a device is not lost: a ttyUSB of a Raspberry Pi may hold back the first
data for 1 s (nfcpy, `pn532.py`), and what sleeps answers the second question first."""

REFUSED_PAUSE_S = 1.0
"""Seconds to wait before a device that refused is greeted anew."""

STEADY_S = 5.0
"""A device that was ready for so long is greeted anew at once when it is lost."""

MIN_GREETING_PAUSE_S = 0.2
MAX_GREETING_PAUSE_S = 5.0
"""Seconds before one is greeted anew that was ready for less: doubled each time."""


@dataclass(frozen=True, slots=True)
class Request:
    """Bytes to send and the seconds within which the answer must have come; `pause_s` is waited before it is sent.

    A device that leaves one unanswered that `is_optional` is no nearer to being lost.
    """

    data: bytes = field(repr=False)
    timeout_s: float = 0.2
    pause_s: float = 0.0
    is_optional: bool = False


class PollSession:
    """Says what to ask next, and whether the device is there."""

    def __init__(self, device: str, greeting: Sequence[Request], poll: Callable[[], Request]) -> None:
        """Begin with the greeting; `poll` makes each later question."""
        self._device = device
        self._startup_commands = tuple(greeting)
        self._make_poll = poll
        self._startup_step = 0
        self._pending: Request | None = None
        self._deadline = 0.0
        self._not_before = self._wanted_at = float("-inf")
        self._patient_until: float | None = None
        self._unanswered_count = 0
        self._is_lost = False
        self._ready_at = float("-inf")
        self._greeting_pause_s = 0.0
        self.firmware = ""
        """The version that the device named when it was greeted."""

    @property
    def pending_request(self) -> bytes | None:
        """What was asked and not yet answered."""
        return None if self._pending is None else self._pending.data

    @property
    def is_ready(self) -> bool:
        """Whether every question of the greeting was answered."""
        return self._startup_step == len(self._startup_commands)

    @property
    def is_lost(self) -> bool:
        """Whether the device was said to be lost and has not come back."""
        return self._is_lost

    def open(self) -> None:
        """Greet for the first time on a port that was opened just now."""
        self.restart()
        self._patient_until = None
        self._not_before, self._greeting_pause_s = float("-inf"), 0.0

    def restart(self, *, lost: bool = False) -> None:
        """Greet anew; `lost`: the device was found and said to be lost."""
        self._startup_step, self._pending, self._unanswered_count, self._is_lost = 0, None, 0, lost

    def on_response(self, now: float) -> list[DeviceEvent]:
        """Take note that the open question was answered well."""
        self._pending, self._unanswered_count = None, 0
        self._not_before = self._patient_until = now
        if self.is_ready:
            return []
        self._startup_step += 1
        if self._startup_step < len(self._startup_commands):
            return []
        self._is_lost, self._ready_at = False, now
        return [DeviceReady(self._device, self.firmware)]

    def on_refusal(self, why: str, now: float) -> list[DeviceEvent]:
        """Take note that the device answered, and would not; it is greeted anew after a while."""
        pause_s = max(REFUSED_PAUSE_S, self._find_greeting_pause(now))
        self._pending, self._unanswered_count, self._startup_step = None, 0, 0
        self._not_before = now + pause_s
        told, self._is_lost = self._is_lost, True
        return [] if told else [DeviceLost(self._device, why)]

    def expire_request(self) -> None:
        """Wait no longer for an answer: the device has said that the question came to it damaged."""
        self._deadline = float("-inf")

    def next_request(self, now: float) -> tuple[bytes, list[DeviceEvent]]:
        """Say what to send at `now`, and whether the device was lost meanwhile."""
        events: list[DeviceEvent] = []
        if self._pending is not None:
            if now < self._deadline:
                return b"", []
            events = [] if self._pending.is_optional else self._on_timeout(now)
        question = self._make_poll() if self.is_ready else self._startup_commands[self._startup_step]
        self._wanted_at = self._not_before + question.pause_s
        if now < self._wanted_at:
            return b"", events
        if self._patient_until is None:
            self._patient_until = now + FIRST_ANSWER_PATIENCE_S
        self._pending, self._deadline = question, now + question.timeout_s
        return question.data, events

    @property
    def pause_end(self) -> float | None:
        """When the pause before the next question is over, in monotonic seconds; `None` while an answer is awaited."""
        return None if self._pending is not None else self._wanted_at

    def _on_timeout(self, now: float) -> list[DeviceEvent]:
        self._pending = None
        self._unanswered_count += 1
        if self._unanswered_count < MAX_UNANSWERED or (self._patient_until is not None and now < self._patient_until):
            return []
        self._not_before = now + self._find_greeting_pause(now)
        self._startup_step, self._unanswered_count = 0, 0
        if self._is_lost:
            return []
        self._is_lost = True
        return [DeviceLost(self._device, "it does not answer; is it powered, and are TX and RX the right way round?")]

    def _find_greeting_pause(self, now: float) -> float:
        """How long to leave a device alone that is lost now; one that did not even answer its greeting not at all."""
        if not self.is_ready:
            return 0.0
        is_steady = now - self._ready_at >= STEADY_S
        longer_s = min(max(2 * self._greeting_pause_s, MIN_GREETING_PAUSE_S), MAX_GREETING_PAUSE_S)
        self._greeting_pause_s = 0.0 if is_steady else longer_s
        return self._greeting_pause_s
