"""What a receiver hears that is set to another speed or parity than the sender: bit by bit, as the wire has it."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LineSettings:
    """How one end of a serial line is set; eight data bits always."""

    baudrate: int
    parity: str


def simulate_reception(data: bytes, sender: LineSettings, receiver: LineSettings) -> bytes:
    """Return the bytes a receiver makes of `data` sent without pauses; the same bytes when both are set alike.

    A receiver waits for a falling edge, samples the middle of each of its own bits, and delivers a byte whatever its
    stop bit. A byte of wrong parity arrives as 0, as Linux delivers it when told to check and not to mark.
    """
    if sender == receiver:
        return data
    wire = [level for byte in data for level in _encode_levels(byte, sender.parity)] + [True] * 12
    return bytes(_sample_bytes(wire, sender.baudrate / receiver.baudrate, receiver.parity))


def _encode_levels(byte: int, parity: str) -> Iterator[bool]:
    yield False
    for n in range(8):
        yield bool(byte >> n & 1)
    if parity != "N":
        yield _parity_bit(byte, parity)
    yield True


def _parity_bit(byte: int, parity: str) -> bool:
    return bool(byte.bit_count() % 2) == (parity == "E")


def _sample_bytes(wire: list[bool], sender_bits: float, parity: str) -> Iterator[int]:
    """Sample a wire on which the receiver's bit is `sender_bits` of the sender's long."""
    time = 0.0
    bits = 9 if parity == "N" else 10
    while time < len(wire):
        if wire[int(time)]:
            time = int(time) + 1.0
            continue
        middles = [time + (n + 1.5) * sender_bits for n in range(bits)]
        levels = [wire[int(at)] if at < len(wire) else True for at in middles]
        byte = sum(level << n for n, level in enumerate(levels[:8]))
        yield byte if parity == "N" or levels[8] == _parity_bit(byte, parity) else 0
        time = middles[-1]
