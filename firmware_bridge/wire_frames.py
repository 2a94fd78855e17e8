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

HEADER_BYTES = 3
CRC_BYTES = 2
MAX_PAYLOAD_BYTES = MAX_BODY - HEADER_BYTES - CRC_BYTES


@dataclass(frozen=True, slots=True)
class Frame:
    """One checked frame. `version` is kept: an unknown one is news for the layer above, not noise."""

    type: int
    seq: int
    payload: bytes = b""
    version: int = PROTOCOL


@unique
class FrameFault(Enum):
    """What was wrong with bytes that make no frame."""

    TOO_LONG = "longer than a frame may be"
    NOT_COBS = "not COBS"
    TOO_SHORT = "shorter than a frame can be"
    BAD_CRC = "wrong checksum"


@dataclass(frozen=True, slots=True)
class Noise:
    """`byte_count` bytes, delimiter not counted, that made no frame."""

    byte_count: int
    reason: FrameFault


def crc16_ccitt_false(data: bytes) -> int:
    """CRC-16/CCITT-FALSE: polynomial 1021, start FFFF, not reflected, no final xor."""
    return crc_hqx(data, 0xFFFF)


def encode_cobs(data: bytes) -> bytes:
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


def decode_cobs(data: bytes) -> bytes | None:
    """Undo `encode_cobs`; `None` when a block reaches beyond the end or a zero stands inside."""
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


def encode_frame(frame: Frame) -> bytes:
    """Give the frame as it goes on the wire, delimiter included.

    Raises `ValueError` for a payload that does not fit: a mistake of the caller.
    """
    if len(frame.payload) > MAX_PAYLOAD_BYTES:
        raise ValueError(f"payload of {len(frame.payload)} bytes; a frame holds at most {MAX_PAYLOAD_BYTES}")
    body = bytes((frame.version, frame.type, frame.seq)) + frame.payload
    return encode_cobs(body + crc16_ccitt_false(body).to_bytes(2, "big")) + b"\0"


def decode_frame(wire: bytes) -> Frame | Noise:
    """Read one frame from the bytes between two delimiters."""
    if len(wire) > MAX_WIRE - 1:
        return Noise(len(wire), FrameFault.TOO_LONG)
    body = decode_cobs(wire)
    if body is None:
        return Noise(len(wire), FrameFault.NOT_COBS)
    if len(body) < HEADER_BYTES + CRC_BYTES:
        return Noise(len(wire), FrameFault.TOO_SHORT)
    if crc16_ccitt_false(body[:-CRC_BYTES]) != int.from_bytes(body[-CRC_BYTES:], "big"):
        return Noise(len(wire), FrameFault.BAD_CRC)
    return Frame(version=body[0], type=body[1], seq=body[2], payload=body[HEADER_BYTES:-CRC_BYTES])


class Deframer:
    """Cuts a stream into frames and noise, however it is split; holds at most one frame."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._overrun_bytes = 0

    def feed(self, data: bytes) -> list[Frame | Noise]:
        """Give the frames and noise `data` completes, in order. Two delimiters in a row are idle line, not noise."""
        found: list[Frame | Noise] = []
        *whole, rest = data.split(b"\0")
        for piece in whole:
            self._collect(piece)
            if self._overrun_bytes:
                found.append(Noise(len(self._buffer) + self._overrun_bytes, FrameFault.TOO_LONG))
            elif self._buffer:
                found.append(decode_frame(bytes(self._buffer)))
            self._buffer.clear()
            self._overrun_bytes = 0
        self._collect(rest)
        return found

    def _collect(self, piece: bytes) -> None:
        room = MAX_WIRE - 1 - len(self._buffer)
        self._buffer += piece[:room]
        self._overrun_bytes += max(0, len(piece) - room)
