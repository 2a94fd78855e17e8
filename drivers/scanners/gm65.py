"""Scan engines of the GM65 family (GM65, GM805, GM812, GM861, EM1365): plain lines, and answers to commands among them.

Facts from the maker's manuals. An answer can stand glued to a scanned text; it is cut out. The engine is asked for its
baud rate every `POLL_INTERVAL_S`, which shows that it is alive. The text carries no check.
"""

import binascii
from collections.abc import Sequence

from drivers.contract.driver_interface import DeviceEvent, Signals
from drivers.readers.framing import NEED_DATA, DroppedBytes, Frame, FrameDecoder, NeedData, Noise, SilenceDetector
from drivers.readers.poll_session import PollSession, Request
from drivers.scanners.line_splitter import LineSplitter, translate_lines

POLL_INTERVAL_S = 5.0
LINE_TIMEOUT_S = 0.3
DEFAULT_SAME_CODE_S = 0.5

READ_ZONE, WRITE_ZONE, SAVE = 7, 8, 9
"""Types of commands."""

ANSWER_START = 0x02
UNPRINTABLE_BYTE = b"\x01"


def build_command(kind: int, address: int, data: bytes) -> bytes:
    """Make a command with its CRC; to read a zone, `data` is how many bytes are wanted."""
    body = bytes((kind, len(data))) + address.to_bytes(2, "big") + data
    return b"\x7e\x00" + body + binascii.crc_hqx(body, 0).to_bytes(2, "big")


ASK_BAUD = build_command(READ_ZONE, 0x002A, b"\x02")


def parse_frame(data: bytes) -> Frame[bytes | int] | Noise | NeedData:
    """Judge what may be an answer, whose data comes back; any other byte comes back by itself."""
    if data[0] != ANSWER_START:
        return Frame(1, data[0])
    if data[1:3] != b"\0\0"[: len(data) - 1]:
        return Noise("no answer")
    if len(data) < 4 or len(data) < 6 + data[3]:
        return NEED_DATA
    end = 4 + data[3]
    if binascii.crc_hqx(data[2:end], 0) != int.from_bytes(data[end : end + 2], "big"):
        return Noise("wrong checksum")
    return Frame(end + 2, data[4:end])


class Gm65:
    """A scan engine of the GM65 family at 9600 baud, in continuous or sensor mode; an AIM prefix is taken off.

    With `length` a code of any other length is noise. `same_code_seconds` is how long a code must stay unread before it
    is another card.
    """

    baudrate = 9600
    parity = "N"
    stopbits = 1.0

    def __init__(self, name: str, *, length: int | None = None, same_code_seconds: float = DEFAULT_SAME_CODE_S) -> None:
        self.name = name
        self.absence_timeout_s = same_code_seconds
        self._length = length
        self._frame_decoder = FrameDecoder(parse_frame)
        self._line_splitter = LineSplitter()
        self._silence_detector = SilenceDetector(LINE_TIMEOUT_S)
        self._session = PollSession(
            name, [Request(ASK_BAUD, 0.5)], lambda: Request(ASK_BAUD, 0.5, pause_s=POLL_INTERVAL_S)
        )

    def on_port_opened(self) -> bytes:
        """Begin anew; the first question comes with the next tick."""
        self._session.restart()
        return b""

    def receive_data(self, data: bytes, now: float) -> Sequence[DeviceEvent]:
        """Translate lines and answers."""
        events = self._discard_partial(now) if self._silence_detector.is_after_silence(data, now) else []
        return events + self._translate_frames(self._frame_decoder.feed(data), now)

    def on_tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        """Ask whether the engine is there."""
        events = self._discard_partial(now) if self._silence_detector.is_silent(now) else []
        data, lost = self._session.next_request(now)
        return data, events + lost

    def show_signals(self, signals: Signals) -> bytes:
        """Return nothing: the scanner shows nothing."""
        return b""

    def _discard_partial(self, now: float) -> list[DeviceEvent]:
        events = self._translate_frames(self._frame_decoder.discard_partial(), now)
        return events + translate_lines(self.name, self._line_splitter.discard_line(), self._length)

    def _translate_frames(self, found: list[bytes | int | DroppedBytes], now: float) -> list[DeviceEvent]:
        events: list[DeviceEvent] = []
        for item in found:
            if isinstance(item, bytes):
                events += self._session.on_response(now)
                continue
            data = UNPRINTABLE_BYTE * item.count if isinstance(item, DroppedBytes) else bytes((item,))
            events += translate_lines(self.name, self._line_splitter.feed(data), self._length)
        return events
