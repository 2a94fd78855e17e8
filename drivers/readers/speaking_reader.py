"""What all readers share that only speak: they are told nothing, and say a frame when they read a tag."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

from drivers.contract.driver_interface import DeviceEvent, Signals
from drivers.readers.framing import Frame, FrameReceiver, NeedData, Noise, Padding, translate_frames

FrameT = TypeVar("FrameT")
"""What the reader's frames are cut into."""


class SpeakingReader(ABC, Generic[FrameT]):
    """A reader that only speaks. Its driver says how a frame looks (`_parse_frame`) and means (`_handle_frame`).

    A begun frame is given up after `frame_timeout_s` seconds of silence, and when the port is opened anew. `idle` are
    bytes that mean nothing where no frame follows. What differs here, the driver sets: `baudrate` it must.
    """

    baudrate: int
    parity = "N"
    stopbits = 1.0
    absence_timeout_s = 0.0
    """It speaks once for each arrival, so that every read is a card; a reader that repeats sets more."""

    def __init__(self, name: str, frame_timeout_s: float, idle: bytes = b"") -> None:
        self.name = name
        self._frame_timeout_s = frame_timeout_s
        self._idle_bytes = idle
        self._receiver = self._make_receiver()
        self._now = 0.0

    def on_port_opened(self) -> bytes:
        """Return nothing, and forget a frame that was begun before."""
        self._receiver = self._make_receiver()
        return b""

    def receive_data(self, data: bytes, now: float) -> Sequence[DeviceEvent]:
        """Translate what the reader sent."""
        self._now = now
        return translate_frames(self._receiver.receive_data(data, now), self._handle_frame)

    def on_tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        """Notice a frame that was broken off; the reader is asked nothing."""
        self._now = now
        return b"", translate_frames(self._receiver.check_silence(now), self._handle_frame)

    def next_tick_at(self, now: float) -> float | None:
        """Wait for nothing but the end of a begun frame."""
        del now
        return self._receiver.next_check_at()

    def show_signals(self, signals: Signals) -> bytes:
        """Return nothing: the reader shows nothing."""
        return b""

    def _make_receiver(self) -> FrameReceiver[FrameT]:
        return FrameReceiver(self.name, self._parse_frame, self._frame_timeout_s, self._idle_bytes)

    @abstractmethod
    def _parse_frame(self, data: bytes) -> Frame[FrameT] | Padding | Noise | NeedData:
        """Judge what may be a frame, by the front of what has come."""

    @abstractmethod
    def _handle_frame(self, frame: FrameT) -> list[DeviceEvent]:
        """What a whole, sound frame means."""
