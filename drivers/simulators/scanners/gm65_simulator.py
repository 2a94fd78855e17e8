"""The far end of a GM65 scan engine in continuous mode."""

import binascii

from drivers.readers.framing import NEED_DATA, Frame, FrameDecoder, NeedData, Padding
from drivers.simulators.bench.simulator_interfaces import Clock
from drivers.simulators.scanners.scanner_simulator import SCAN_DELAY_S, ScannerSimulator

ANSWER_DELAY_S = 0.01

SETTING_BY_ZONE = {0x002A: b"\x39\x01", 0x0000: b"\xd6"}
"""What its settings hold: 9600 baud, continuous mode."""


def build_answer(data: bytes) -> bytes:
    """Make the answer to a command."""
    body = bytes((0, len(data))) + data
    return b"\x02\x00" + body + binascii.crc_hqx(body, 0).to_bytes(2, "big")


class Gm65Simulator(ScannerSimulator):
    """Sends code and CR LF for each card; answers reads and writes of its settings."""

    baudrate = 9600
    parity = "N"

    def __init__(self, clock: Clock, *, prefix: str = "") -> None:
        super().__init__(clock)
        self._prefix = prefix.encode("ascii")
        self._frame_decoder = FrameDecoder(_parse_command)

    def receive_data(self, data: bytes) -> None:
        """Obey commands."""
        with self._lock:
            for body in self._frame_decoder.feed(data):
                if isinstance(body, bytes):
                    zone = SETTING_BY_ZONE.get(int.from_bytes(body[2:4], "big"), b"\0")
                    self._queue_frame(build_answer(zone[: body[4]] if body[0] == 7 else b"\0"), ANSWER_DELAY_S)

    def _send_code(self, code: str) -> None:
        self._queue_frame(self._prefix + code.encode("ascii") + b"\r\n", SCAN_DELAY_S)


def _parse_command(data: bytes) -> Frame[bytes] | Padding | NeedData:
    """Judge what may be a command; AB CD stands for a CRC that is not to be checked."""
    if data[0] != 0x7E or data[1:2] not in (b"", b"\0"):
        return Padding(1)
    if len(data) < 4 or len(data) < 8 + data[3]:
        return NEED_DATA
    end = 6 + data[3]
    check = data[end : end + 2]
    if check not in (b"\xab\xcd", binascii.crc_hqx(data[2:end], 0).to_bytes(2, "big")):
        return Padding(1)
    return Frame(end + 2, data[2:end])
