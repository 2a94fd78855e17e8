"""The far end of a ThingMagic M6E Nano or M7E module."""

from drivers.readers.framing import NEED_DATA, Frame, FrameDecoder, NeedData, Padding
from drivers.readers.thingmagic import compute_crc
from drivers.simulators.bench.simulator_interfaces import Clock
from drivers.simulators.readers.polled_reader_simulator import PolledReaderSimulator

ANSWER_DELAY_S = 0.01
RECORD_INTERVAL_S = 0.1
"""How often a tag in the field is heard: nobody timed it; the maker speaks of up to 150 tags a second (M6E Nano data
sheet), this is a fifteenth of that."""

KEEP_ALIVE_INTERVAL_S = 1.0
STOP_DELAY_S = 1.2
"""How long the search under way goes on after it was told to stop (Mercury API: 1 to 2 s)."""

BOOT_DELAY_S = 0.6
"""How long the firmware takes to start; nothing is heard meanwhile."""

VERSION_DATA = bytes.fromhex("14120800 30000002 20161213 01070102 00000010")
"""Boot loader, hardware, date, firmware, protocols: as recorded with an M6E Nano."""

INVALID_OPCODE, NOT_NOW, NOT_SET_UP, HIGH_RETURN_LOSS = 0x0101, 0x0100, 0x0105, 0x0505
"""Status of a refusal, and of a search at an antenna that is not there."""

MAX_CATCH_UP_S = 2.0


def build_answer(opcode: int, status: int = 0, data: bytes = b"") -> bytes:
    """Make a frame of the module."""
    body = bytes((len(data), opcode)) + status.to_bytes(2, "big") + data
    return b"\xff" + body + compute_crc(body).to_bytes(2, "big")


def build_record(code: bytes, antenna: int = 1) -> bytes:
    """Make the streamed record of a tag, as the module sends it for all metadata (-60 dBm, 923.2 MHz)."""
    head = bytearray.fromhex("10001B01FF0101C4110E16400000012700000500000F")
    head[8] = antenna << 4 | antenna
    bits = (8 * (len(code) + 4)).to_bytes(2, "big")
    control = (len(code) // 2 << 11).to_bytes(2, "big")
    return build_answer(0x22, 0, bytes(head) + bits + control + code + b"\xe9\x4a")


class ThingMagicSimulator(PolledReaderSimulator):
    """Says its version at power-up; streams once it was told protocol, antennas, region and power, and not before.

    A tag lies at antenna 1 unless said otherwise; it is heard where the module was told to listen there. `idle_stop` is
    what it does when told to stop and nothing runs: `refused` or `answered`. `program` is what it runs at power-up:
    `firmware` or `boot-loader`. `unplugged` are the ports, with commas between, whose antenna is missing.
    """

    baudrate = 115200
    parity = "N"

    def __init__(
        self,
        clock: Clock,
        *,
        baudrate: str = "",
        idle_stop: str = "refused",
        program: str = "firmware",
        unplugged: str = "",
    ) -> None:
        super().__init__(clock, baudrate)
        if idle_stop not in ("refused", "answered") or program not in ("firmware", "boot-loader"):
            raise ValueError("idle_stop is refused or answered, program is firmware or boot-loader")
        if not all(port.isdecimal() for port in unplugged.split(",") if port):
            raise ValueError("unplugged is numbers of antenna ports with commas between")
        self._refuses_idle_stop = idle_stop == "refused"
        self._starts_in_boot_loader = program == "boot-loader"
        self._unplugged_ports = frozenset(int(port) for port in unplugged.split(",") if port)
        self._frame_decoder = FrameDecoder(_parse_command)
        self._antenna_by_tag: dict[str, int] = {}
        self.restart()

    def restart(self) -> None:
        """Start anew, as after a moment without power: what it was told is gone."""
        with self._lock:
            self._in_boot_loader = self._starts_in_boot_loader
            self._deaf_until = 0.0
            self._received_opcodes: set[int] = set()
            self._antenna_ports: tuple[int, ...] = ()
            self._next_record_at: float | None = None
            self._next_keep_alive_at = 0.0
            if not self._in_boot_loader:
                self._queue_frame(build_answer(0x04, 0, VERSION_DATA), ANSWER_DELAY_S)

    @staticmethod
    def nth_tag(number: int) -> str:
        """Return an EPC of 96 bits."""
        return f"E2{0x1545 + number:022X}"

    def receive_data(self, data: bytes) -> None:
        """Obey commands."""
        with self._lock:
            self._queue_due_records()
            for body in self._frame_decoder.feed(data):
                if isinstance(body, bytes):
                    self._handle_command(body[0], body[1:])

    def take_frames(self) -> list[tuple[float, bytes]]:
        """Return the frames sent by now."""
        with self._lock:
            self._queue_due_records()
            return super().take_frames()

    def _check_tag(self, tag: str) -> None:
        if len(tag) != 24 or bytes.fromhex(tag).hex().upper() != tag:
            raise ValueError("a tag of this reader has twenty-four upper-case hexadecimal digits")

    def present(self, tag: str, antenna: str | None = None) -> None:
        """Bring a tag into the field."""
        with self._lock:
            self._queue_due_records()
            super().present(tag, antenna)
            self._antenna_by_tag[tag] = int(antenna or 1)

    def remove(self, tag: str | None = None, antenna: str | None = None) -> None:
        """Take a tag, or all, out of the field."""
        with self._lock:
            self._queue_due_records()
            super().remove(tag, antenna)

    def _handle_command(self, opcode: int, data: bytes) -> None:
        if self._clock() < self._deaf_until:
            return
        self._received_opcodes.add(opcode)
        status, answer, delay_s = 0, b"", ANSWER_DELAY_S
        match opcode:
            case 0x03:
                answer = VERSION_DATA
            case 0x0C:
                answer = b"\x51" if self._in_boot_loader else b"\x52"
            case 0x04 if self._in_boot_loader:
                answer = VERSION_DATA
                self._in_boot_loader = False
                self._deaf_until = self._clock() + BOOT_DELAY_S
            case _ if self._in_boot_loader or opcode == 0x04:
                status = INVALID_OPCODE
            case 0x91:
                self._antenna_ports = tuple(data[1::2]) if data[0] == 2 else (data[0],)
            case 0x2F if data[2:3] == b"\x02":
                status, answer, delay_s = self._stop()
            case 0x2F:
                status = self._start()
            case _:
                pass
        self._queue_frame(build_answer(opcode, status, answer), delay_s)

    def _start(self) -> int:
        if not {0x91, 0x92, 0x93, 0x97} <= self._received_opcodes:
            return NOT_SET_UP
        self._next_record_at = self._clock() + RECORD_INTERVAL_S
        self._next_keep_alive_at = self._clock() + KEEP_ALIVE_INTERVAL_S
        return 0

    def _stop(self) -> tuple[int, bytes, float]:
        """Return status, data and delay of the answer."""
        if self._next_record_at is None:
            return (NOT_NOW, b"", ANSWER_DELAY_S) if self._refuses_idle_stop else (0, b"\x02", ANSWER_DELAY_S)
        self._next_record_at = None
        return 0, b"\x02", STOP_DELAY_S

    def _queue_due_records(self) -> None:
        now = self._clock()
        if self._next_record_at is None:
            return
        self._next_record_at = max(self._next_record_at, now - MAX_CATCH_UP_S)
        while self._next_record_at <= now:
            heard = [
                (bytes.fromhex(tag), self._antenna_by_tag[tag])
                for tag in self._field
                if self._antenna_by_tag[tag] in self._antenna_ports
                and self._antenna_by_tag[tag] not in self._unplugged_ports
            ]
            self._queued_frames += [(self._next_record_at, build_record(code, antenna)) for code, antenna in heard]
            if self._next_record_at >= self._next_keep_alive_at:
                self._queued_frames.append((self._next_record_at, build_answer(0x22, 0x0400)))
                if self._unplugged_ports.intersection(self._antenna_ports):
                    self._queued_frames.append((self._next_record_at, build_answer(0x22, HIGH_RETURN_LOSS)))
                self._next_keep_alive_at = self._next_record_at + KEEP_ALIVE_INTERVAL_S
            self._next_record_at += RECORD_INTERVAL_S


def _parse_command(data: bytes) -> Frame[bytes] | Padding | NeedData:
    """Judge what may be a command."""
    if data[0] != 0xFF:
        return Padding(1)
    if len(data) < 2 or len(data) < 5 + data[1]:
        return NEED_DATA
    end = 3 + data[1]
    if compute_crc(data[1:end]) != int.from_bytes(data[end : end + 2], "big"):
        return Padding(1)
    return Frame(end + 2, data[2:end])
