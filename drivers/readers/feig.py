"""Readers that speak FEIG's OBID protocol: ISO 15693 and 14443A, many tags at once.

The i-scan, classic-pro and CPR readers do, and Siemens' RF290R.

Facts from the system manuals (ID ISC.MR/PR101, LR200, CPR30). The line has even parity by default. Requests are
standard frames; answers are standard or, where they are long, advanced frames. A reader does not answer a damaged
request at all. It must not be in scan mode or buffered read mode, in which it answers no inventory.

An answer that does not hold all tags says that there is more; the rest is fetched before tags are looked for again, so
no tag is lost between polls.
"""

from collections.abc import Iterator
from typing import Literal

from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import DeviceEvent, TagRead
from drivers.readers.framing import NEED_DATA, Frame, FrameReceiver, NeedData, Noise
from drivers.readers.iso15693 import crc16_mcrf4xx, parse_uid
from drivers.readers.poll_session import PollSession, Request
from drivers.readers.polled_reader import PolledReader

ADVANCED_FRAME_START = 0x02
"""First byte of an advanced frame; a standard frame is never shorter than 6."""

INVENTORY, VERSION, RF_RESET = 0xB0, 0x65, 0x69
COMMANDS = frozenset((0x52, 0x63, VERSION, 0x66, RF_RESET, 0x6A, 0x80, 0x81, INVENTORY))

OK, NO_TAG, MORE_DATA = 0x00, 0x01, 0x94
STATUSES_WITH_DATA = frozenset((OK, 0x83, 0x84, 0x93, MORE_DATA, 0x95))
"""Status bytes after which the data is valid."""

ISO15693, ISO14443A, ISO18000_3M3, INNOVATRON, EPC_GEN2 = 0x03, 0x04, 0x09, 0x10, 0x84
"""TR-TYPE of a tag."""

SIZE_BY_KIND = {
    0x00: 9,  # I-Code 1
    ISO15693: 9,
    0x05: 9,  # ISO 14443 B
    0x06: 8,  # I-Code EPC
    0x07: 19,  # I-Code UID
    0x08: 8,  # Jewel
    0x0A: 9,  # SR176
    0x0B: 9,  # SRIxx
    0x0D: 17,  # FeliCa
}
"""Bytes that follow the TR-TYPE of a tag, where they are always as many (Amarok79/InlayTester.Drivers.FeigReader)."""

MAX_ADVANCED_FRAME_BYTES = 2048

FRAME_TIMEOUT_S = 0.25
"""Longer than the pause of 100 ms that some converters make inside a frame."""

ABSENCE_TIMEOUT_S = 0.5


def build_request(address: int, command: int, data: bytes = b"") -> bytes:
    """Make a standard frame for a reader."""
    body = bytes((5 + len(data), address, command)) + data
    return body + crc16_mcrf4xx(body).to_bytes(2, "little")


def parse_frame(data: bytes) -> Frame[bytes] | Noise | NeedData:
    """Judge what may be an answer; what comes back is command, status and data."""
    head = 3 if data[0] == ADVANCED_FRAME_START else 1
    if len(data) < head:
        return NEED_DATA
    size = int.from_bytes(data[1:3], "big") if head == 3 else data[0]
    if not head + 5 <= size <= (MAX_ADVANCED_FRAME_BYTES if head == 3 else 0xFF):
        return Noise("no frame length")
    if data[head + 1 : head + 2] and data[head + 1] not in COMMANDS:
        return Noise("no answer of a reader")
    if len(data) < size:
        return NEED_DATA
    if crc16_mcrf4xx(data[:size]):
        return Noise("wrong checksum")
    return Frame(size, data[head + 1 : size - 2])


def measure_tag(data: bytes) -> int | None:
    """Return how many bytes the tag at the front takes, its TR-TYPE among them; `None` where that cannot be said.

    `data` has at least the TR-TYPE. Which lengths are variable, and where they stand: InlayTester.Drivers.FeigReader.
    """
    kind = data[0]
    if kind in SIZE_BY_KIND:
        size = 1 + SIZE_BY_KIND[kind]
    elif kind == ISO14443A and len(data) > 1:
        size = 3 + (10 if data[1] & 0x04 else 7)
    elif kind in (ISO18000_3M3, EPC_GEN2) and len(data) > 2:
        size = 3 + data[2]
    elif kind == INNOVATRON and len(data) > 11:
        size = 12 + data[11]
    else:
        return None
    return size if size <= len(data) else None


def parse_tags(data: bytes) -> Iterator[str]:
    """Yield the tags of an inventory's data, from its count on; stops at a kind of tag it cannot measure.

    Kinds that no card has here, as a player's transit card or telephone, are passed over.
    """
    at = 1
    for _ in range(data[0] if data else 0):
        rest = data[at:]
        size = measure_tag(rest) if rest else None
        if size is None:
            return
        if rest[0] == ISO15693:
            tag = parse_uid(rest[2:size])
            if tag is not None:
                yield tag
        elif rest[0] == ISO14443A:
            yield rest[3:size].hex().upper()
        at += size


class Feig(PolledReader[bytes]):
    """A reader of FEIG's OBID family; reports every tag in its field, again with each poll.

    `address` is its bus address (255 speaks to any). `baudrate` is as the reader is set: block CFG1, byte BAUD, 5 to
    10 (system manual ID ISC.M02.M8-B, H90400-0e, 4.5; those of MR100 and PR100 end at 38400).
    """

    parity = "E"
    stopbits = 1.0
    absence_timeout_s = ABSENCE_TIMEOUT_S

    def __init__(
        self,
        name: str,
        *,
        address: int = 255,
        baudrate: Literal[4800, 9600, 19200, 38400, 57600, 115200] = 38400,
    ) -> None:
        if not 0 <= address <= 255:
            raise DriverConfigError(name, "address", f"it must be 0 to 255, not {address}")
        self.baudrate: int = baudrate
        self._inventory_request = Request(build_request(address, INVENTORY, b"\x01\x00"), timeout_s=0.5)
        self._fetch_more_request = Request(build_request(address, INVENTORY, b"\x01\x80"), timeout_s=0.5)
        self._has_more = False
        greeting = [Request(build_request(address, VERSION), timeout_s=0.5)]
        super().__init__(
            name, PollSession(name, greeting, self._next_poll), FrameReceiver(name, parse_frame, FRAME_TIMEOUT_S)
        )

    def on_port_opened(self) -> bytes:
        """Begin anew; the first question comes with the next tick."""
        self._has_more = False
        return super().on_port_opened()

    def _next_poll(self) -> Request:
        return self._fetch_more_request if self._has_more else self._inventory_request

    def _handle_response(self, answer: bytes) -> list[DeviceEvent]:
        asked = self._session.pending_request
        command, status, data = answer[0], answer[1], answer[2:]
        if asked is None or asked[2] != command:
            return []
        if status not in STATUSES_WITH_DATA and status != NO_TAG:
            self._has_more = False  # what refuses to go on is asked from the beginning
            why = f"it refuses command {command:02X} with status {status:02X}; is scan mode or buffered read mode on?"
            return self._session.on_refusal(why, self._now)
        events = self._session.on_response(self._now)
        if command == VERSION:
            self._has_more = False  # it may have started anew
        if command == INVENTORY:
            self._has_more = status == MORE_DATA
            events += [TagRead(self.name, tag) for tag in (parse_tags(data) if status in STATUSES_WITH_DATA else ())]
        return events
