"""The far end of a GM65 scan engine."""

import binascii

from drivers.readers.framing import NEED_DATA, Frame, FrameDecoder, NeedData, Padding
from drivers.simulators.bench.simulator_interfaces import Clock
from drivers.simulators.scanners.scanner_simulator import SCAN_DELAY_S, ScannerSimulator

ANSWER_DELAY_S = 0.01
BANNER_DELAY_S = 0.3
"""How long after its power came it says its start-up text; until then it hears nothing."""

BAUDRATES = (1200, 4800, 9600, 14400, 19200, 38400, 57600, 115200)
MODE_BITS = {"continuous": 0xD6, "sensor": 0xD7}
MODE_ZONE, STABILISATION_ZONE, INTERVAL_ZONE, BAUD_ZONE = 0x0000, 0x0004, 0x0005, 0x002A
TENTH_S = 0.1
"""Unit of the two times."""

FACTORY_SETTINGS = {STABILISATION_ZONE: 0x04, INTERVAL_ZONE: 0x0A}
"""0.4 s of rest before a read in sensor mode, 1.0 s between two reads in continuous mode (GM65 manual p35)."""


def build_answer(data: bytes) -> bytes:
    """Make the answer to a command."""
    body = bytes((0, len(data))) + data
    return b"\x02\x00" + body + binascii.crc_hqx(body, 0).to_bytes(2, "big")


def encode_baudrate(baudrate: int) -> bytes:
    """What the two bytes of zone 002A hold: 39 01 at 9600, 1A 00 at 115200."""
    return int(3_000_000 / baudrate + 0.5).to_bytes(2, "little")


class Gm65Simulator(ScannerSimulator):
    """Says `banner` when its power comes; sends code and CR LF for each card, as often as its settings allow.

    A card that is taken away before its time is not read. What it is told is forgotten when it starts anew, unless it
    was told to save it.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        baudrate: str = "",
        prefix: str = "",
        mode: str = "continuous",
        banner: str = "<{simulated engine}>",
    ) -> None:
        super().__init__(clock, baudrate)
        if mode not in MODE_BITS:
            raise ValueError(f"there is no mode {mode!r}; there are {', '.join(MODE_BITS)}")
        self._prefix = prefix.encode("ascii")
        self._banner = banner.encode("ascii")
        self._is_sensor = mode == "sensor"
        self._saved = {MODE_ZONE: MODE_BITS[mode], **FACTORY_SETTINGS}
        self._frame_decoder = FrameDecoder(_parse_command)
        self._last_read_at = float("-inf")
        self._waiting: tuple[float, str] | None = None
        self.restart()

    def restart(self) -> None:
        """Take its power away for a moment."""
        self._settings = dict(self._saved)
        self._hears_from = self._clock() + BANNER_DELAY_S
        if self._banner:
            self._queue_frame(self._banner + b"\r\n", BANNER_DELAY_S)

    def receive_data(self, data: bytes) -> None:
        """Obey commands."""
        with self._lock:
            if self._clock() < self._hears_from:
                return
            for body in self._frame_decoder.feed(data):
                if isinstance(body, bytes):
                    self._queue_frame(build_answer(self._obey(body)), ANSWER_DELAY_S)

    def remove(self, tag: str | None = None, antenna: str | None = None) -> None:
        """Take the card away; it is not read any more."""
        with self._lock:
            self._read_waiting()
            self._waiting = None

    def take_frames(self) -> list[tuple[float, bytes]]:
        """Return the frames sent by now."""
        with self._lock:
            self._read_waiting()
            return super().take_frames()

    def _obey(self, body: bytes) -> bytes:
        """Do what a command says; what is answered."""
        kind, zone, data = body[0], int.from_bytes(body[2:4], "big"), body[4:]
        if kind == 7:
            return self._read_zones(zone, data[0])
        if kind == 8 and zone == BAUD_ZONE:
            wanted = [each for each in BAUDRATES if encode_baudrate(each) == data]
            self.baudrate = wanted[0] if wanted else self.baudrate
        elif kind == 8:
            self._settings |= {zone + n: value for n, value in enumerate(data) if zone + n in self._settings}
        elif kind == 9:
            self._saved = dict(self._settings)
        return b"\0"

    def _read_zones(self, first: int, count: int) -> bytes:
        values = self._settings | dict(enumerate(encode_baudrate(self.baudrate), BAUD_ZONE))
        return bytes(values.get(first + n, 0) for n in range(count))

    def _send_code(self, code: str) -> None:
        self._read_waiting()
        rest = self._settings[STABILISATION_ZONE] * TENTH_S if self._is_sensor else 0.0
        pause = 0.0 if self._is_sensor else self._settings[INTERVAL_ZONE] * TENTH_S
        self._waiting = max(self._clock() + SCAN_DELAY_S + rest, self._last_read_at + pause), code

    def _read_waiting(self) -> None:
        """Read the card in the window, if its time has come."""
        if self._waiting is None or self._waiting[0] > self._clock():
            return
        self._last_read_at, code = self._waiting
        self._waiting = None
        frame = self._prefix + code.encode("ascii") + b"\r\n"
        self._queued_frames.append((self._last_read_at, frame))


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
