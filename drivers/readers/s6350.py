"""The TI S6350 reader (Series 6000): ISO 15693 cards, up to sixteen in one inventory.

Facts from the reader's reference guide 11-06-21-700. Frames end with the exclusive or of all bytes before, and its
complement: a weak check, so a tag counts at its second mention. The answer to an inventory has two bitmaps of time
slots (tags, collisions) and ten bytes a tag. The request is built from the guide's layout.
"""

from collections.abc import Iterator
from functools import reduce
from operator import xor
from typing import Literal

from drivers.contract.driver_interface import DeviceEvent, TagRead
from drivers.readers.framing import NEED_DATA, Frame, FrameReceiver, NeedData, Noise, TagConfirmer
from drivers.readers.iso15693 import parse_uid
from drivers.readers.poll_session import PollSession, Request
from drivers.readers.polled_reader import PolledReader

START = 0x01
ISO15693_COMMAND = 0x60
"""The command that passes ISO 15693 requests on."""

CONFIGURATION = 0x11
"""100 % modulation, data coding 1 out of 4 (guide, page 27)."""

INVENTORY = bytes((CONFIGURATION, 0x06, 0x01, 0x00))
"""Sixteen slots, high data rate, no mask."""

HEADER_BYTES = 7
MAX_FRAME_BYTES = HEADER_BYTES + 4 + 16 * 10 + 2

FRAME_TIMEOUT_S = 0.15
ABSENCE_TIMEOUT_S = 0.6


def build_frame(data: bytes) -> bytes:
    """Wrap ISO 15693 data in a frame; requests and answers look alike."""
    body = (
        bytes((START,))
        + (HEADER_BYTES + len(data) + 2).to_bytes(2, "little")
        + bytes((0, 0, 0, ISO15693_COMMAND))
        + data
    )
    check = reduce(xor, body)
    return body + bytes((check, check ^ 0xFF))


def parse_frame(data: bytes) -> Frame[bytes] | Noise | NeedData:
    """Judge what may be an answer; what comes back is its data."""
    if data[0] != START:
        return Noise("no frame start")
    if len(data) < HEADER_BYTES:
        return NEED_DATA if data[3:5] == b"\0\0"[: max(len(data) - 3, 0)] else Noise("no node address")
    size = int.from_bytes(data[1:3], "little")
    if not HEADER_BYTES + 2 < size <= MAX_FRAME_BYTES:
        return Noise("no frame length")
    if data[3:5] != b"\0\0" or data[6] != ISO15693_COMMAND:
        return Noise("no answer of this reader")
    if len(data) < size:
        return NEED_DATA
    check = reduce(xor, data[: size - 2])
    if data[size - 2 : size] != bytes((check, check ^ 0xFF)):
        return Noise("wrong checksum")
    return Frame(size, data[HEADER_BYTES : size - 2])


def parse_tags(data: bytes) -> Iterator[str]:
    """Yield the tags of an inventory's data; nothing where bitmap and length do not agree."""
    if len(data) < 4:
        return
    slots = int.from_bytes(data[:2], "little").bit_count()
    if len(data) != 4 + 10 * slots:
        return
    for at in range(4, len(data), 10):
        tag = parse_uid(data[at + 2 : at + 10][::-1])
        if tag is not None:
            yield tag


class S6350(PolledReader[bytes]):
    """A TI S6350; reports every tag in its field, again with each poll. `baudrate` is as its jumpers are set."""

    parity = "N"
    stopbits = 1.0
    absence_timeout_s = ABSENCE_TIMEOUT_S

    def __init__(self, name: str, *, baudrate: Literal[9600, 38400, 57600] = 57600) -> None:
        self.baudrate: int = baudrate
        ask = Request(build_frame(INVENTORY), timeout_s=0.4)
        super().__init__(name, PollSession(name, [ask], lambda: ask), FrameReceiver(name, parse_frame, FRAME_TIMEOUT_S))
        self._tag_confirmer = TagConfirmer(2, ABSENCE_TIMEOUT_S)

    def _handle_response(self, data: bytes) -> list[DeviceEvent]:
        if self._session.pending_request is None:
            return []
        events = self._session.on_response(self._now)
        return events + [
            TagRead(self.name, tag) for tag in parse_tags(data) if self._tag_confirmer.confirm(tag, self._now)
        ]
