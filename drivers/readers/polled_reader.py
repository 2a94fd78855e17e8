"""What all readers share that speak when spoken to: they are asked for tags over and over, and show nothing."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

from drivers.contract.driver_interface import MIN_TICK_INTERVAL_S, DeviceEvent, Signals, find_regular_tick
from drivers.readers.framing import FrameReceiver, translate_frames
from drivers.readers.poll_session import PollSession

ResponseT = TypeVar("ResponseT")
"""What the reader's frames are cut into."""


class PolledReader(ABC, Generic[ResponseT]):
    """A reader that is polled. Its driver makes the questions and the receiver, and says what an answer means."""

    def __init__(self, name: str, dialogue: PollSession, receiver: FrameReceiver[ResponseT]) -> None:
        self.name = name
        self._session = dialogue
        self._receiver = receiver
        self._now = 0.0

    def on_port_opened(self) -> bytes:
        """Begin anew; the first question comes with the next tick."""
        self._session.open()
        return b""

    def receive_data(self, data: bytes, now: float) -> Sequence[DeviceEvent]:
        """Translate what the reader sent."""
        self._now = now
        return translate_frames(self._receiver.receive_data(data, now), self._handle_response)

    def on_tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        """Ask for tags."""
        self._now = now
        events = translate_frames(self._receiver.check_silence(now), self._handle_response)
        data, lost = self._session.next_request(now)
        return data, events + lost

    def next_tick_at(self, now: float) -> float | None:
        """Ask for the end of a pause before a question, where that is sooner than the next regular tick."""
        regular, pause_end = find_regular_tick(now), self._session.pause_end
        return regular if pause_end is None else min(regular, max(pause_end, now + MIN_TICK_INTERVAL_S))

    def show_signals(self, signals: Signals) -> bytes:
        """Return nothing: the reader shows nothing."""
        return b""

    @abstractmethod
    def _handle_response(self, answer: ResponseT) -> list[DeviceEvent]:
        """What a whole, sound answer means."""
