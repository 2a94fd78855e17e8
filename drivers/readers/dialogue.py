"""Talking with a device that speaks when spoken to: one question at a time, each with its time to answer.

The device is greeted with questions in order, then asked the same question over and over. A question without an answer
is asked again; after `PATIENCE` in a row the device is lost, and is greeted anew until it answers.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from drivers.contract.base import DeviceEvent, DeviceLost, DeviceReady

PATIENCE = 3
"""How many questions in a row may stay without an answer before the device is lost."""

REFUSED_PAUSE = 1.0
"""Seconds to wait before a device that refused is greeted anew."""


@dataclass(frozen=True, slots=True)
class Question:
    """Bytes to send and the seconds within which the answer must have come; `pause` is waited before it is sent."""

    data: bytes
    seconds: float = 0.2
    pause: float = 0.0


class Dialogue:
    """Says what to ask next, and whether the device is there."""

    def __init__(self, device: str, greeting: Sequence[Question], poll: Callable[[], Question]) -> None:
        """Begin with the greeting; `poll` makes each later question."""
        self._device = device
        self._greeting = tuple(greeting)
        self._poll = poll
        self._stage = 0
        self._asked: Question | None = None
        self._deadline = 0.0
        self._not_before = float("-inf")
        self._missed = 0
        self._lost = False
        self.firmware = ""
        """The version that the device named when it was greeted."""

    @property
    def open_question(self) -> bytes | None:
        """What was asked and not yet answered."""
        return None if self._asked is None else self._asked.data

    @property
    def greeted(self) -> bool:
        """Whether every question of the greeting was answered."""
        return self._stage == len(self._greeting)

    def begin(self, *, lost: bool = False) -> None:
        """Greet anew: the port was opened, or the device was found and said to be lost."""
        self._stage, self._asked, self._missed, self._lost = 0, None, 0, lost

    def answered(self, now: float) -> list[DeviceEvent]:
        """Take note that the open question was answered well."""
        self._asked, self._missed = None, 0
        self._not_before = now
        if self.greeted:
            return []
        self._stage += 1
        if self._stage < len(self._greeting):
            return []
        self._lost = False
        return [DeviceReady(self._device, self.firmware)]

    def refused(self, why: str, now: float) -> list[DeviceEvent]:
        """Take note that the device answered, and would not; it is greeted anew after a while."""
        self._asked, self._missed, self._stage = None, 0, 0
        self._not_before = now + REFUSED_PAUSE
        told, self._lost = self._lost, True
        return [] if told else [DeviceLost(self._device, why)]

    def due(self, now: float) -> tuple[bytes, list[DeviceEvent]]:
        """Say what to send at `now`, and whether the device was lost meanwhile."""
        events: list[DeviceEvent] = []
        if self._asked is not None:
            if now < self._deadline:
                return b"", []
            events = self._unanswered()
        question = self._poll() if self.greeted else self._greeting[self._stage]
        if now < self._not_before + question.pause:
            return b"", events
        self._asked, self._deadline = question, now + question.seconds
        return question.data, events

    def _unanswered(self) -> list[DeviceEvent]:
        self._asked = None
        self._missed += 1
        if self._missed < PATIENCE:
            return []
        self._stage, self._missed = 0, 0
        if self._lost:
            return []
        self._lost = True
        return [DeviceLost(self._device, "it does not answer; is it powered, and are TX and RX the right way round?")]
