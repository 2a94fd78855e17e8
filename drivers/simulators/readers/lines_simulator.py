"""The far end of a reader that somebody built himself: a board with MFRC522 chips that says a line for each tag."""

import threading
from collections.abc import Mapping
from functools import reduce
from operator import xor

from drivers.readers.lines import DEFAULT_BAUDRATE
from drivers.simulators.bench.simulator_interfaces import Clock

REPEAT_INTERVAL_S = 0.1
"""How often a card that lies there is said again. A card that was not told to halt answers every second request, and
a request without an answer takes the chip 25 ms (its timer as `PCD_Init` of the MFRC522 library sets it)."""

FIRST_READ_DELAY_S = 0.03
MAX_CATCH_UP_S = 1.0
"""How much of a long unobserved time is still sent."""

LINE_ENDS = {"crlf": b"\r\n", "lf": b"\n", "cr": b"\r"}
SEPARATORS = {"upper": "", "lower": "", "colons": ":", "dashes": "-", "blanks": " "}
YES_NO = {"yes": True, "no": False}

BOOT_LOGS = {
    "arduino": b"",
    "esp32": b"ets Jun  8 2016 00:22:57\r\n\r\nrst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)\r\n"
    b"configsip: 0, SPIWP:0xee\r\nmode:DIO, clock div:1\r\nload:0x3fff0030,len:1184\r\nentry 0x400805e4\r\n",
    "esp8266": b"\x0c\x9e\x02\xe4\x92\x8c\x1e\xfc\x63\x8e\x6c\x9f\x83\x82\xec\x12",
}
"""What a board says when it starts: an ESP32 its boot log (Espressif, esptool documentation, Boot Mode Selection), an
ESP8266 the same at 74880 baud, which is noise at any other speed."""


class LinesSimulator:
    """Says a line for the card at each of its antennas, over and over or once for each arrival.

    One that repeats tells one card at each antenna, the one that came first; one that does not tells all: a card that
    was read is told to halt, and lets the next one answer.
    """

    parity = "N"

    def __init__(
        self,
        clock: Clock,
        *,
        baudrate: str = "",
        form: str = "upper",
        line_end: str = "crlf",
        checksum: str = "no",
        board: str = "arduino",
    ) -> None:
        for value, known, word in (
            (form, SEPARATORS, "form"),
            (line_end, LINE_ENDS, "line end"),
            (checksum, YES_NO, "answer"),
            (board, BOOT_LOGS, "board"),
        ):
            if value not in known:
                raise ValueError(f"there is no {word} {value!r}; there are {', '.join(known)}")
        self._clock = clock
        self._has_own_baudrate = bool(baudrate)
        self.baudrate = int(baudrate or DEFAULT_BAUDRATE)
        self._form = form
        self._line_end = LINE_ENDS[line_end]
        self._has_checksum = YES_NO[checksum]
        self._antennas: tuple[str, ...] = ("1",)
        self._repeats = True
        self._field_by_antenna: dict[str, list[str]] = {}
        self._next_line_at_by_antenna: dict[str, float] = {}
        self._queued_frames = [(clock(), BOOT_LOGS[board])] if BOOT_LOGS[board] else []
        self._lock = threading.Lock()

    def configure(self, keys: Mapping[str, object]) -> None:
        """Take the keys of the device: its antennas and speed, whether it repeats, whether a checksum is wanted."""
        with self._lock:
            antennas = keys.get("antennas", self._antennas)
            if isinstance(antennas, list | tuple):
                self._antennas = tuple(str(antenna) for antenna in antennas)
            baudrate = keys.get("baudrate", self.baudrate)
            if isinstance(baudrate, int) and not self._has_own_baudrate:
                self.baudrate = baudrate
            self._repeats = bool(keys.get("repeats", self._repeats))
            self._has_checksum = self._has_checksum or keys.get("checksum") == "required"

    @staticmethod
    def nth_tag(number: int) -> str:
        """Return the UID of an NTAG of NXP: seven bytes."""
        return f"047BCB{0x51960000 + number:08X}"

    def present(self, tag: str, antenna: str | None = None) -> None:
        """Bring a tag to an antenna, without `antenna` to the first: a UID of 4, 7, 8 or 10 bytes."""
        if len(tag) not in (8, 14, 16, 20) or bytes.fromhex(tag).hex().upper() != tag:
            raise ValueError("a UID has 4, 7, 8 or 10 bytes, in upper-case hexadecimal digits")
        with self._lock:
            where = self._antennas[0] if antenna is None else antenna
            if where not in self._antennas:
                raise ValueError(f"there is no antenna {where!r}; there are {', '.join(self._antennas)}")
            self._queue_due_lines()
            field = self._field_by_antenna.setdefault(where, [])
            if tag in field:
                return
            field.append(tag)
            if not self._repeats:
                self._queued_frames.append((self._clock() + FIRST_READ_DELAY_S, self._build_line(where, tag)))
            elif len(field) == 1:
                self._next_line_at_by_antenna[where] = self._clock() + FIRST_READ_DELAY_S

    def remove(self, tag: str | None = None, antenna: str | None = None) -> None:
        """Take a tag, or all, away from an antenna, or from all."""
        with self._lock:
            self._queue_due_lines()
            for where, field in self._field_by_antenna.items():
                if antenna in (None, where):
                    field[:] = [] if tag is None else [other for other in field if other != tag]

    def receive_data(self, data: bytes) -> None:
        """Ignore it: the reader has no ear."""

    def take_frames(self) -> list[tuple[float, bytes]]:
        """Return the lines sent by now."""
        with self._lock:
            self._queue_due_lines()
            now = self._clock()
            out = sorted(item for item in self._queued_frames if item[0] <= now)
            self._queued_frames = [item for item in self._queued_frames if item[0] > now]
            return out

    def _queue_due_lines(self) -> None:
        if not self._repeats:
            return
        now = self._clock()
        for antenna, field in self._field_by_antenna.items():
            at = max(self._next_line_at_by_antenna[antenna], now - MAX_CATCH_UP_S)
            while field and at <= now:
                self._queued_frames.append((at, self._build_line(antenna, field[0])))
                at += REPEAT_INTERVAL_S
            self._next_line_at_by_antenna[antenna] = at

    def _build_line(self, antenna: str, tag: str) -> bytes:
        pairs = [tag[at : at + 2] for at in range(0, len(tag), 2)]
        text = f"{antenna} {SEPARATORS[self._form].join(pairs)}"
        text = text.lower() if self._form == "lower" else text
        check = f"*{reduce(xor, text.encode('ascii')):02X}" if self._has_checksum else ""
        return f"{text}{check}".encode("ascii") + self._line_end
