"""Frames of TB/1: bytes in, frames or noise out; no meaning, no time.

On the wire a frame is COBS(body) and one zero byte. Zero is the only delimiter and never occurs inside, so whatever
went wrong before, a receiver is in step again at the next zero: an error costs the frame it hits, or two when it hits
the delimiter between them. The body is version, type, sequence number, payload (0 to 59 bytes) and a CRC
(CRC-16/CCITT-FALSE, check value 29B1, high byte first) over everything before it. Below 254 bytes COBS costs exactly
one byte. Bytes that make no frame are a value, `Noise`: the receiver counts them and never raises.
"""

from binascii import crc_hqx
from dataclasses import dataclass
from enum import Enum, unique

from firmware_bridge.limits import MAX_BODY, MAX_WIRE, PROTOCOL

HEADER = 3
CRC_BYTES = 2
MAX_PAYLOAD = MAX_BODY - HEADER - CRC_BYTES


@dataclass(frozen=True, slots=True)
class Frame:
    """One checked frame. `version` is kept: an unknown one is news for the layer above, not noise."""

    type: int
    seq: int
    payload: bytes = b""
    version: int = PROTOCOL


@unique
class Fault(Enum):
    """What was wrong with bytes that make no frame."""

    TOO_LONG = "longer than a frame may be"
    NOT_COBS = "not COBS"
    TOO_SHORT = "shorter than a frame can be"
    BAD_CRC = "wrong checksum"


@dataclass(frozen=True, slots=True)
class Noise:
    """`dropped` bytes, delimiter not counted, that made no frame."""

    dropped: int
    why: Fault


def crc16(data: bytes) -> int:
    """CRC-16/CCITT-FALSE: polynomial 1021, start FFFF, not reflected, no final xor."""
    return crc_hqx(data, 0xFFFF)


def cobs_encode(data: bytes) -> bytes:
    """Consistent-overhead byte stuffing (Cheshire and Baker 1999), without the delimiter."""
    out = bytearray()
    blocks = data.split(b"\0")
    for last, block in ((i == len(blocks) - 1, b) for i, b in enumerate(blocks)):
        rest = block
        while len(rest) >= 254:
            out += b"\xff" + rest[:254]
            rest = rest[254:]
            if not rest and last:
                return bytes(out)
        out.append(len(rest) + 1)
        out += rest
    return bytes(out)


def cobs_decode(data: bytes) -> bytes | None:
    """Undo `cobs_encode`; `None` when a block reaches beyond the end or a zero stands inside."""
    out = bytearray()
    at = 0
    while at < len(data):
        code = data[at]
        block = data[at + 1 : at + code]
        if code == 0 or len(block) != code - 1 or 0 in block:
            return None
        out += block
        at += code
        if code < 0xFF and at < len(data):
            out.append(0)
    return bytes(out)


def encode(frame: Frame) -> bytes:
    """Give the frame as it goes on the wire, delimiter included.

    Raises `ValueError` for a payload that does not fit: a mistake of the caller.
    """
    if len(frame.payload) > MAX_PAYLOAD:
        raise ValueError(f"payload of {len(frame.payload)} bytes; a frame holds at most {MAX_PAYLOAD}")
    body = bytes((frame.version, frame.type, frame.seq)) + frame.payload
    return cobs_encode(body + crc16(body).to_bytes(2, "big")) + b"\0"


def decode(wire: bytes) -> Frame | Noise:
    """Read one frame from the bytes between two delimiters."""
    if len(wire) > MAX_WIRE - 1:
        return Noise(len(wire), Fault.TOO_LONG)
    body = cobs_decode(wire)
    if body is None:
        return Noise(len(wire), Fault.NOT_COBS)
    if len(body) < HEADER + CRC_BYTES:
        return Noise(len(wire), Fault.TOO_SHORT)
    if crc16(body[:-CRC_BYTES]) != int.from_bytes(body[-CRC_BYTES:], "big"):
        return Noise(len(wire), Fault.BAD_CRC)
    return Frame(version=body[0], type=body[1], seq=body[2], payload=body[HEADER:-CRC_BYTES])


class Deframer:
    """Cuts a stream into frames and noise, however it is split; holds at most one frame."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._overrun = 0

    def feed(self, data: bytes) -> list[Frame | Noise]:
        """Give the frames and noise `data` completes, in order. Two delimiters in a row are idle line, not noise."""
        found: list[Frame | Noise] = []
        *whole, rest = data.split(b"\0")
        for piece in whole:
            self._take(piece)
            if self._overrun:
                found.append(Noise(len(self._held) + self._overrun, Fault.TOO_LONG))
            elif self._held:
                found.append(decode(bytes(self._held)))
            self._held.clear()
            self._overrun = 0
        self._take(rest)
        return found

    def _take(self, piece: bytes) -> None:
        room = MAX_WIRE - 1 - len(self._held)
        self._held += piece[:room]
        self._overrun += max(0, len(piece) - room)
