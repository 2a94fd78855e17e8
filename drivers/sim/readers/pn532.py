"""The far end of a PN532."""

import threading

from drivers.readers.framing import MORE, Frames, Junk, More, Skip, Whole
from drivers.sim.bench.twin import Clock

ACK = bytes.fromhex("0000FF00FF00")
NACK = bytes.fromhex("0000FFFF0000")
SYNTAX_ERROR = bytes.fromhex("0000FF01FF7F8100")

ACK_SECONDS = 0.001
ANSWER_SECONDS = 0.004
FIELD_SECONDS = 0.025
"""How long looking for tags takes."""


def response(code: int, data: bytes) -> bytes:
    """Wrap a response of the chip in a normal frame."""
    body = bytes((0xD5, code)) + data
    return bytes((0, 0, 0xFF, len(body), -len(body) & 0xFF)) + body + bytes((-sum(body) & 0xFF, 0))


def target(number: int, uid: str) -> bytes:
    """Return the entry of one tag: an NTAG with a seven-byte UID, else a MIFARE Classic."""
    raw = bytes.fromhex(uid)
    answer, selected = ((0x00, 0x44), 0x00) if len(raw) == 7 else ((0x00, 0x04), 0x08)
    return bytes((number, *answer, selected, len(raw))) + raw


class Pn532Twin:
    """Sleeps until woken, only acknowledges before SAMConfiguration, and waits for a tag unless told to try once.

    In its field up to two tags; with more it finds two.
    """

    baudrate = 115200
    parity = "N"

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._frames = Frames(_judge)
        self._awake = self._configured = self._tries_once = False
        self._field: list[str] = []
        self._waiting_for: int | None = None
        self._out: list[tuple[float, bytes]] = []
        self._lock = threading.Lock()

    @staticmethod
    def nth_tag(number: int) -> str:
        """Return the UID of an NTAG213: seven bytes, the first that of NXP."""
        return f"04{0xA035B2BC2B00 + number:012X}"

    def present(self, tag: str, antenna: str | None = None) -> None:
        """Bring a tag into the field: four or seven bytes in upper-case hexadecimal."""
        if len(bytes.fromhex(tag)) not in (4, 7) or tag != tag.upper():
            raise ValueError("a tag of this reader has four or seven bytes in upper-case hexadecimal")
        with self._lock:
            if tag not in self._field:
                self._field.append(tag)
            if self._waiting_for is not None:
                self._found(self._waiting_for)

    def remove(self, tag: str | None = None, antenna: str | None = None) -> None:
        """Take a tag, or all, out of the field."""
        with self._lock:
            self._field = [] if tag is None else [other for other in self._field if other != tag]

    def heard(self, data: bytes) -> None:
        """Obey commands."""
        with self._lock:
            if b"\x55\x55" in data:
                self._awake = True
            for command in self._frames.feed(data):
                if isinstance(command, bytes) and self._awake:
                    self._waiting_for = None
                    self._say(ACK, ACK_SECONDS)
                    self._obey(command)

    def sent(self) -> list[tuple[float, bytes]]:
        """Return the frames sent by now."""
        with self._lock:
            now = self._clock()
            out = [item for item in self._out if item[0] <= now]
            self._out = [item for item in self._out if item[0] > now]
            return out

    def _obey(self, command: bytes) -> None:
        match command[0]:
            case 0x14:
                self._configured = True
                self._say(response(0x15, b""), ANSWER_SECONDS)
            case _ if not self._configured:
                return
            case 0x02:
                self._say(response(0x03, bytes.fromhex("32010607")), ANSWER_SECONDS)
            case 0x32:
                self._tries_once = command[1] == 5 and command[4] == 0
                self._say(response(0x33, b""), ANSWER_SECONDS)
            case 0x4A:
                if self._field:
                    self._found(command[1])
                elif self._tries_once:
                    self._say(response(0x4B, b"\0"), FIELD_SECONDS)
                else:
                    self._waiting_for = command[1]
            case _:
                self._say(SYNTAX_ERROR, ANSWER_SECONDS)

    def _found(self, most: int) -> None:
        self._waiting_for = None
        tags = self._field[: min(most, 2)]
        entries = b"".join(target(number, tag) for number, tag in enumerate(tags, 1))
        self._say(response(0x4B, bytes((len(tags),)) + entries), FIELD_SECONDS)

    def _say(self, data: bytes, after: float) -> None:
        self._out.append((self._clock() + after, data))


def _judge(data: bytes) -> Whole[bytes] | Skip | Junk | More:
    """Judge what may be a command for the chip; the frame is command code and data."""
    if data[0] != 0 or data[1:2] not in (b"", b"\xff"):
        return Skip(1)
    if len(data) < 4 or len(data) < 5 + data[2]:
        return MORE
    body = data[4 : 5 + data[2]]
    if (data[2] + data[3]) & 0xFF or sum(body) & 0xFF or body[0] != 0xD4:
        return Skip(1)
    return Whole(5 + data[2], body[1:-1])
