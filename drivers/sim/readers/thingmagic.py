"""The far end of a ThingMagic M6E Nano or M7E module."""

from drivers.readers.framing import MORE, Frames, More, Skip, Whole
from drivers.readers.thingmagic import crc
from drivers.sim.bench.twin import Clock
from drivers.sim.readers.polled import PolledTwin

ANSWER_SECONDS = 0.01
RECORD_SECONDS = 0.1
"""How often a tag in the field is heard."""

KEEP_ALIVE_SECONDS = 1.0
CATCH_UP_SECONDS = 2.0


def answer(opcode: int, status: int = 0, data: bytes = b"") -> bytes:
    """Make a frame of the module."""
    body = bytes((len(data), opcode)) + status.to_bytes(2, "big") + data
    return b"\xff" + body + crc(body).to_bytes(2, "big")


def record(code: bytes, antenna: int = 1) -> bytes:
    """Make the streamed record of a tag, as the module sends it for all metadata (-60 dBm, 923.2 MHz)."""
    head = bytearray.fromhex("10001B01FF0101C4110E16400000012700000500000F")
    head[8] = antenna << 4 | antenna
    bits = (8 * (len(code) + 4)).to_bytes(2, "big")
    control = (len(code) // 2 << 11).to_bytes(2, "big")
    return answer(0x22, 0, bytes(head) + bits + control + code + b"\xe9\x4a")


class ThingMagicTwin(PolledTwin):
    """Streams once it was told protocol, antennas, region and power; refuses to start before.

    A tag lies at antenna 1 unless said otherwise; it is heard where the module was told to listen there.
    """

    baudrate = 115200
    parity = "N"

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self._frames = Frames(_judge)
        self._told: set[int] = set()
        self._ports: tuple[int, ...] = ()
        self._at: dict[str, int] = {}
        self._next_record: float | None = None
        self._next_sign = 0.0

    @staticmethod
    def nth_tag(number: int) -> str:
        """Return an EPC of 96 bits."""
        return f"E2{0x1545 + number:022X}"

    def heard(self, data: bytes) -> None:
        """Obey commands."""
        with self._lock:
            self._stream()
            for body in self._frames.feed(data):
                if isinstance(body, bytes):
                    self._obey(body[0], body[1:])

    def sent(self) -> list[tuple[float, bytes]]:
        """Return the frames sent by now."""
        with self._lock:
            self._stream()
            return super().sent()

    def _refuse(self, tag: str) -> None:
        if len(tag) != 24 or bytes.fromhex(tag).hex().upper() != tag:
            raise ValueError("a tag of this reader has twenty-four upper-case hexadecimal digits")

    def present(self, tag: str, antenna: str | None = None) -> None:
        """Bring a tag into the field."""
        with self._lock:
            self._stream()
            super().present(tag, antenna)
            self._at[tag] = int(antenna or 1)

    def remove(self, tag: str | None = None, antenna: str | None = None) -> None:
        """Take a tag, or all, out of the field."""
        with self._lock:
            self._stream()
            super().remove(tag, antenna)

    def _obey(self, opcode: int, data: bytes) -> None:
        self._told.add(opcode)
        status = 0
        if opcode == 0x91:
            self._ports = tuple(data[1::2]) if data[0] == 2 else (data[0],)
        if opcode == 0x2F:
            starts = data[2:3] == b"\x01"
            if starts and not {0x91, 0x92, 0x93, 0x97} <= self._told:
                status = 0x0105
            self._next_record = self._clock() + RECORD_SECONDS if starts and not status else None
            self._next_sign = self._clock() + KEEP_ALIVE_SECONDS
        self._say(answer(opcode, status), ANSWER_SECONDS)

    def _stream(self) -> None:
        now = self._clock()
        if self._next_record is None:
            return
        self._next_record = max(self._next_record, now - CATCH_UP_SECONDS)
        while self._next_record <= now:
            heard = [(bytes.fromhex(tag), self._at[tag]) for tag in self._field if self._at[tag] in self._ports]
            self._out += [(self._next_record, record(code, antenna)) for code, antenna in heard]
            if self._next_record >= self._next_sign:
                self._out.append((self._next_record, answer(0x22, 0x0400)))
                self._next_sign = self._next_record + KEEP_ALIVE_SECONDS
            self._next_record += RECORD_SECONDS


def _judge(data: bytes) -> Whole[bytes] | Skip | More:
    """Judge what may be a command."""
    if data[0] != 0xFF:
        return Skip(1)
    if len(data) < 2 or len(data) < 5 + data[1]:
        return MORE
    end = 3 + data[1]
    if crc(data[1:end]) != int.from_bytes(data[end : end + 2], "big"):
        return Skip(1)
    return Whole(end + 2, data[2:end])
