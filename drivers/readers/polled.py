"""What all readers share that speak when spoken to: they are asked for tags over and over, and show nothing."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

from drivers.contract.base import DeviceEvent, Signals
from drivers.readers.dialogue import Dialogue
from drivers.readers.framing import Receiver, noise_or_events

Answer = TypeVar("Answer")
"""What the reader's frames are cut into."""


class PolledReader(ABC, Generic[Answer]):
    """A reader that is polled. Its driver makes the questions and the receiver, and says what an answer means."""

    def __init__(self, name: str, dialogue: Dialogue, receiver: Receiver[Answer]) -> None:
        self.name = name
        self._dialogue = dialogue
        self._receiver = receiver
        self._now = 0.0

    def hello(self) -> bytes:
        """Begin anew; the first question comes with the next tick."""
        self._dialogue.begin()
        return b""

    def received(self, data: bytes, now: float) -> Sequence[DeviceEvent]:
        """Translate what the reader sent."""
        self._now = now
        return noise_or_events(self._receiver.received(data, now), self._meant)

    def tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        """Ask for tags."""
        self._now = now
        events = noise_or_events(self._receiver.silent(now), self._meant)
        data, lost = self._dialogue.due(now)
        return data, events + lost

    def perform(self, signals: Signals) -> bytes:
        """Return nothing: the reader shows nothing."""
        return b""

    @abstractmethod
    def _meant(self, answer: Answer) -> list[DeviceEvent]:
        """What a whole, sound answer means."""
