"""What a simulated device is: the far side of a wire, speaking the real frames and keeping the real device's rules."""

from collections.abc import Callable, Mapping
from typing import Protocol, runtime_checkable

Clock = Callable[[], float]
"""Monotonic seconds; a test hands in its own."""


@runtime_checkable
class ByteSimulator(Protocol):
    """The far end of a byte port. Its keyword-only arguments can be given in the `sim://` URL."""

    baudrate: int
    parity: str

    def receive_data(self, data: bytes) -> None:
        """Take bytes that the driver sent."""
        ...

    def take_frames(self) -> list[tuple[float, bytes]]:
        """Return the frames put on the wire since last asked, each with its time."""
        ...


@runtime_checkable
class LosslessSimulator(Protocol):
    """A simulator, or the class of one, that says whether what it sends can be damaged; without a word it can."""

    is_lossless: bool
    """Nothing is damaged on the way: it is no wire, but the kernel."""


def is_lossless(simulator: object) -> bool:
    """Whether nothing that this simulator, or a simulator of this class, sends is damaged."""
    return isinstance(simulator, LosslessSimulator) and simulator.is_lossless


@runtime_checkable
class ConfigurableSimulator(Protocol):
    """A simulator that is told the keys of its device, as what shows something must know which lamp is whose."""

    def configure(self, keys: Mapping[str, object]) -> None:
        """Take the keys of the device."""
        ...


@runtime_checkable
class ReaderSimulator(ByteSimulator, Protocol):
    """A simulated reader of tags or codes."""

    @staticmethod
    def nth_tag(number: int) -> str:
        """Return the canonical id of the `number`-th tag in a box for this reader, from 0: no two are alike."""
        ...

    def present(self, tag: str, antenna: str | None = None) -> None:
        """Bring a tag into the field of an antenna; `tag` is the canonical id the driver is to report."""
        ...

    def remove(self, tag: str | None = None, antenna: str | None = None) -> None:
        """Take a tag out of the field; without `tag` all of them."""
        ...


@runtime_checkable
class PanelSimulator(Protocol):
    """A simulated panel of keys."""

    def press(self, key: str) -> None:
        """Press a key; its contact bounces."""
        ...

    def release(self, key: str) -> None:
        """Let a key go; its contact bounces."""
        ...

    def tap(self, key: str, seconds: float | None = None) -> None:
        """Press a key now and let it go `seconds` later, or as late as this key needs to count."""
        ...


@runtime_checkable
class LampsSimulator(Protocol):
    """Simulated seat lamps, read off the wire."""

    def lit_seats(self) -> dict[str, tuple[int, ...]]:
        """Return the seats whose lamp of each role is alight at this moment, ascending."""
        ...


@runtime_checkable
class GateSimulator(Protocol):
    """A simulated gate of a shoe."""

    def is_open(self) -> bool:
        """Whether a card can leave the shoe at this moment."""
        ...


@runtime_checkable
class SoundSimulator(Protocol):
    """A simulated buzzer."""

    def is_sounding(self) -> bool:
        """Whether it is heard at this moment."""
        ...

    def tone_lengths_s(self) -> list[float]:
        """Return how long each of its last tones was, in seconds."""
        ...


@runtime_checkable
class SensorsSimulator(Protocol):
    """Simulated sensors of a shoe."""

    def pass_card(self, seconds: float = ..., *, face_up: bool = False) -> None:
        """Let a card pass the mouth now."""
        ...

    def jam(self) -> None:
        """Let a card stand in the mouth."""
        ...

    def clear(self) -> None:
        """Take the card out of the mouth."""
        ...

    def move_lid(self, *, open_it: bool) -> None:
        """Open or shut the lid."""
        ...
