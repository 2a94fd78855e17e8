"""The far end of an Eccel Pepper C1, with or without multiplexer."""

from drivers.readers.framing import FrameDecoder
from drivers.readers.pepper_c1 import NOT_NOW, WRONG_CRC, build_command, parse_frame
from drivers.simulators.bench.simulator_interfaces import Clock
from drivers.simulators.readers.polled_reader_simulator import PolledReaderSimulator

ANSWER_DELAY_S = 0.003
LOOK_DELAY_S = 0.06
LOOK_DELAY_PER_TAG_S = 0.01
"""How long a look for tags of all kinds takes: not documented; an assumption, longer than the air needs."""

PUSH_INTERVAL_S = 0.2
"""Pause between two looks of a reader that pushes (default of the maker's eccel-dev/ha-pepper-c1)."""

START_DELAY_S = 1.0
"""How long it hears nothing after its start (Eccel manual 1356NFC, 3.1.10)."""

START_TEXT = b"ets Jun  8 2016 00:22:57\r\n\r\nrst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)\r\n"
"""Its processor is an ESP32, which says this at its start."""

ANTENNA_COUNT = 8
MAX_TAGS = 5
VERSION = b"2.56.2249\0"

RF_ERROR, NO_VALUE, NO_COMMAND = 0x0A, 0x21, 0x24
YES_NO = {"yes": True, "no": False}
PUSH_FORMATS = {"none": 0, "binary": 1, "json": 3}
"""How a found tag is pushed (PyPI `pepper-c1`, `PollingEventFormat`)."""


class PepperC1Simulator(PolledReaderSimulator):
    """Looks for up to five tags at the antenna that it was told; begins at antenna 1.

    With `mux` = no it has one antenna and refuses to choose. `polling` = yes: somebody has let it look by itself and
    push what it finds, as raw text (`push` = json) or as frames (binary); it refuses questions about tags meanwhile.
    `failing` are antennas, with commas between, at which no field can be made; one that is unplugged reads nothing.
    """

    baudrate = 115200
    parity = "N"

    def __init__(
        self, clock: Clock, *, mux: str = "yes", polling: str = "no", push: str = "binary", failing: str = ""
    ) -> None:
        super().__init__(clock)
        if mux not in YES_NO or polling not in YES_NO or push not in PUSH_FORMATS:
            raise ValueError("mux and polling are yes or no, push is none, binary or json")
        if not all(number in "12345678" for number in failing.split(",") if failing):
            raise ValueError("failing is numbers of antennas from 1 to 8 with commas between")
        self._has_multiplexer = YES_NO[mux]
        self._push_format = PUSH_FORMATS[push]
        self._failing_antennas = frozenset(int(number) for number in failing.split(",") if number)
        self._field_by_antenna: dict[int, list[str]] = {number: [] for number in range(1, ANTENNA_COUNT + 1)}
        self._polls_at_start = YES_NO[polling]
        self._deaf_until = float("-inf")
        self._start()

    def restart(self) -> None:
        """Start anew, as after a moment without power: antenna 1, and polling as it was set up for its start."""
        with self._lock:
            self._start()
            self._deaf_until = self._clock() + START_DELAY_S
            self._queued_frames = [(self._clock(), START_TEXT)]

    def _start(self) -> None:
        self._frame_decoder = FrameDecoder(parse_frame)
        self._antenna = 1
        self._found_tags: list[str] = []
        self._last_frame = b""
        self._next_push_at = self._clock() if self._polls_at_start else None

    @staticmethod
    def nth_tag(number: int) -> str:
        """Return the UID of an NTAG of NXP: seven bytes."""
        return f"045D9A{0x31C00000 + number:08X}"

    def present(self, tag: str, antenna: str | None = None) -> None:
        """Bring a tag to an antenna, without `antenna` to the first."""
        self._check_tag(tag)
        where = int(antenna or 1)
        if where not in self._field_by_antenna or (where > 1 and not self._has_multiplexer):
            raise ValueError(f"there is no antenna {antenna}")
        with self._lock:
            if tag not in self._field_by_antenna[where]:
                self._field_by_antenna[where].append(tag)

    def remove(self, tag: str | None = None, antenna: str | None = None) -> None:
        """Take a tag, or all, away from an antenna, or from all."""
        with self._lock:
            for where, field in self._field_by_antenna.items():
                if antenna in (None, str(where)):
                    field[:] = [other for other in field if tag not in (None, other)]

    def _check_tag(self, tag: str) -> None:
        raw = bytes.fromhex(tag)
        if raw.hex().upper() != tag or not (len(raw) in (4, 7) or (len(raw) == 8 and raw[0] == 0xE0)):
            raise ValueError("a tag has 4 or 7 bytes, or 8 that begin with E0, in upper-case hexadecimal digits")

    def poll(self, *, on: bool) -> None:
        """Let it look by itself, or no longer, as somebody does over its own network."""
        with self._lock:
            self._next_push_at = self._clock() if on else None

    def receive_data(self, data: bytes) -> None:
        """Obey commands."""
        with self._lock:
            self._queue_due_pushes()
            if self._clock() < self._deaf_until:
                return
            for command in self._frame_decoder.feed(data):
                if isinstance(command, bytes):
                    self._handle_command(command)
                elif command.reason == "wrong checksum":
                    self._say(build_command(0xFF, 0xFF, WRONG_CRC), ANSWER_DELAY_S)

    def take_frames(self) -> list[tuple[float, bytes]]:
        """Return the frames sent by now."""
        with self._lock:
            self._queue_due_pushes()
            return super().take_frames()

    def _handle_command(self, command: bytes) -> None:
        code, data = command[0], command[1:]
        match code:
            case 0xFF if not data:
                self._queue_frame(self._last_frame, ANSWER_DELAY_S)
            case 0x01:
                self._answer(code)
            case 0x06 if len(data) == 1:
                self._next_push_at = self._clock() if data[0] else None
                self._answer(code)
            case 0x0B:
                self._answer(code, VERSION)
            case 0x0F if not self._has_multiplexer:
                self._refuse(code, NO_COMMAND)
            case 0x0F if data and data[0] in self._field_by_antenna:
                self._antenna, self._found_tags = data[0], []
                self._answer(code)
            case 0x02 | 0x03 if self._next_push_at is not None:
                self._refuse(code, NOT_NOW)
            case 0x02 if self._antenna in self._failing_antennas:
                self._refuse(code, RF_ERROR)
            case 0x02:
                self._found_tags = self._field_by_antenna[self._antenna][:MAX_TAGS]
                delay_s = LOOK_DELAY_S + LOOK_DELAY_PER_TAG_S * len(self._found_tags)
                self._answer(code, bytes((len(self._found_tags),)), delay_s)
            case 0x03 if data and data[0] < len(self._found_tags):
                self._answer(code, build_tag(self._found_tags[data[0]]))
            case 0x16 if len(data) == 3:
                self._push_format = data[2] if data[0] == 0x06 else self._push_format
                self._answer(code)
            case 0x0F | 0x03 | 0x06 | 0x16:
                self._refuse(code, NO_VALUE)
            case _:
                self._refuse(code, NO_COMMAND)

    def _answer(self, code: int, data: bytes = b"", delay_s: float = ANSWER_DELAY_S) -> None:
        self._say(build_command(0x00, code, *data), delay_s)

    def _refuse(self, code: int, error: int) -> None:
        self._say(build_command(0xFF, code, 0x02, error), ANSWER_DELAY_S)

    def _say(self, frame: bytes, delay_s: float) -> None:
        self._last_frame = frame
        self._queue_frame(frame, delay_s)

    def _queue_due_pushes(self) -> None:
        while self._next_push_at is not None and self._next_push_at <= self._clock():
            for antenna, field in self._field_by_antenna.items():
                for tag in field if self._push_format else ():
                    self._queued_frames.append((self._next_push_at, self._build_push(antenna, tag)))
            self._next_push_at = max(self._next_push_at, self._clock() - 1.0) + PUSH_INTERVAL_S

    def _build_push(self, antenna: int, tag: str) -> bytes:
        if self._push_format == PUSH_FORMATS["json"]:
            return f'{{"type":"uid","uid":"{tag}","antenna":{antenna},"known_tag":false}}'.encode("ascii")
        return build_command(0xFE, 0x03, 0x10 if tag.startswith("E0") else 0x01, 0x00, antenna, *bytes.fromhex(tag))


def build_tag(tag: str) -> bytes:
    """Return what is said of a tag: its type, SAK or DSFID, and the UID, one of ISO 15693 lowest byte first."""
    raw = bytes.fromhex(tag)
    head = {4: b"\x04\x08", 7: b"\x01\x00", 8: b"\x24\x00"}[len(raw)]
    return head + (raw[::-1] if len(raw) == 8 else raw)
