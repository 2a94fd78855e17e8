"""ThingMagic M6E Nano and M7E modules: EPC Gen2 tags at UHF, many at once, streamed.

Facts from SparkFun's driver of the module. A module is told what it needs and then sends a record whenever it hears a
tag, and a keep-alive every second. The CRC is the maker's own. UHF reaches metres: good for decks and chips, bad for
telling seats apart.
"""

from collections.abc import Sequence
from typing import Literal

from drivers.contract.base import DeviceEvent, DeviceLost, DeviceReady, TagRead
from drivers.contract.errors import DriverConfigError
from drivers.readers.dialogue import Dialogue, Question
from drivers.readers.framing import MORE, Junk, More, Receiver, Whole, noise_or_events
from drivers.readers.polled import PolledReader

START = 0xFF

VERSION, READ_MULTIPLE, MULTI_PROTOCOL = 0x03, 0x22, 0x2F
ANTENNA, POWER, PROTOCOL, REGION, OPTIONAL = 0x91, 0x92, 0x93, 0x97, 0x9A
"""Opcodes."""

OPCODES = frozenset((VERSION, READ_MULTIPLE, MULTI_PROTOCOL, ANTENNA, POWER, PROTOCOL, REGION, OPTIONAL))
"""What is asked here, and so what can be answered."""

STOP = bytes((0x00, 0x00, 0x02))
STREAM = bytes.fromhex("00000122000005072210001B03E801FF")
"""Read for ever at full duty, with all of a tag's metadata, told by a keep-alive each second (SparkFun's settings)."""
GEN2 = bytes((0x00, 0x05))
NO_FILTER = bytes((0x01, 0x0C, 0x00))
"""Report a tag each time it is heard, not once."""

Region = Literal["north-america", "europe", "india", "japan", "china", "korea", "australia", "new-zealand", "open"]
REGIONS: dict[Region, int] = {
    "india": 0x04,
    "japan": 0x05,
    "china": 0x06,
    "europe": 0x08,
    "korea": 0x09,
    "australia": 0x0B,
    "new-zealand": 0x0C,
    "north-america": 0x0D,
    "open": 0xFF,
}

PORTS = frozenset(range(1, 16))
"""Antenna ports that a record can name; the modules have one (M6E Nano) to four."""

POWER_RANGE = (0, 2700)
"""Hundredths of a dBm."""

KEEP_ALIVE, TOO_HOT = 0x0400, 0x0504
"""Status of a record without a tag."""

NIBBLES = (
    0x0000, 0x1021, 0x2042, 0x3063, 0x4084, 0x50A5, 0x60C6, 0x70E7,
    0x8108, 0x9129, 0xA14A, 0xB16B, 0xC18C, 0xD1AD, 0xE1CE, 0xF1EF,
)  # fmt: skip

BROKEN_AFTER = 0.05
SILENT_SECONDS = 3.0
"""Without even a keep-alive for this long the stream has stopped."""

GONE_AFTER = 1.0
RECORD_HEAD = 22
"""Bytes of a tag record's data before the embedded tag data (RSSI … protocol, its length in bits)."""


def crc(data: bytes) -> int:
    """Return the maker's CRC: the table index is taken from the value before the shift."""
    value = 0xFFFF
    for byte in data:
        for nibble in (byte >> 4, byte & 15):
            value = ((value << 4 | nibble) & 0xFFFF) ^ NIBBLES[value >> 12]
    return value


def command(opcode: int, data: bytes = b"") -> bytes:
    """Make a frame for the module."""
    body = bytes((len(data), opcode)) + data
    return bytes((START,)) + body + crc(body).to_bytes(2, "big")


def judge(data: bytes) -> Whole[tuple[int, int, bytes]] | Junk | More:
    """Judge what may be an answer; what comes back is opcode, status and data."""
    if data[0] != START:
        return Junk("no frame start")
    if data[2:3] and data[2] not in OPCODES:
        return Junk("no answer of this module")
    if len(data) < 2 or len(data) < 7 + data[1]:
        return MORE
    end = 5 + data[1]
    if crc(data[1:end]) != int.from_bytes(data[end : end + 2], "big"):
        return Junk("wrong checksum")
    return Whole(end + 2, (data[2], int.from_bytes(data[3:5], "big"), data[5:end]))


def epc(record: bytes) -> str | None:
    """Return the EPC of a tag record's data, or `None` where the lengths in it do not agree."""
    if len(record) < RECORD_HEAD:
        return None
    embedded = (int.from_bytes(record[19:21], "big") + 7) // 8
    at = RECORD_HEAD + embedded
    size = int.from_bytes(record[at : at + 2], "big") // 8
    code = record[at + 4 : at + size]
    if len(record) != at + 2 + size or not code:
        return None
    return code.hex().upper()


def searched(ports: Sequence[int]) -> bytes:
    """What tells the module its antennas: one as transmitter and receiver, or (option 2) a list of such pairs.

    The stream's search flags (0x1B) ask for that list. Mercury API, `TMR_SR_cmdSetTxRxPorts` and
    `TMR_SR_cmdSetAntennaSearchList`.
    """
    pairs = bytes(port for port in ports for _ in range(2))
    return pairs if len(ports) == 1 else b"\x02" + pairs


class ThingMagic(PolledReader[tuple[int, int, bytes]]):
    """An M6E Nano or M7E; reports every tag each time it is heard, with its antenna port.

    `region` is where the table stands (the law of the air waves); `power` is in hundredths of a dBm; `antenna_ports`
    are those in use, searched in turn.
    """

    baudrate = 115200
    parity = "N"
    stopbits = 1.0
    gone_after = GONE_AFTER

    def __init__(self, name: str, *, region: Region, power: int = 500, antenna_ports: Sequence[int] = (1,)) -> None:
        low, high = POWER_RANGE
        if not low <= power <= high:
            raise DriverConfigError(name, "power", f"it must be {low} to {high} hundredths of a dBm, not {power}")
        if not antenna_ports or len(set(antenna_ports)) < len(antenna_ports) or not set(antenna_ports) <= PORTS:
            text = f"it must be numbers from 1 to {max(PORTS)}, each once, not {list(antenna_ports)}"
            raise DriverConfigError(name, "antenna_ports", text)
        self.antennas = tuple(str(port) for port in antenna_ports)
        greeting = (
            command(MULTI_PROTOCOL, STOP),
            command(VERSION),
            command(PROTOCOL, GEN2),
            command(ANTENNA, searched(antenna_ports)),
            command(REGION, bytes((REGIONS[region],))),
            command(POWER, power.to_bytes(2, "big")),
            command(OPTIONAL, NO_FILTER),
            command(MULTI_PROTOCOL, STREAM),
        )
        questions = [Question(data, seconds=0.5) for data in greeting]
        super().__init__(name, Dialogue(name, questions, lambda: questions[-1]), Receiver(name, judge, BROKEN_AFTER))
        self._heard_at = 0.0
        self._hot = False

    def hello(self) -> bytes:
        """Begin anew; the first command comes with the next tick."""
        self._dialogue.begin()
        return b""

    def tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        """Set the module up, and notice when its stream stops."""
        self._now = now
        events = noise_or_events(self._receiver.silent(now), self._meant)
        if not self._dialogue.greeted:
            data, lost = self._dialogue.due(now)
            return data, events + lost
        if now - self._heard_at > SILENT_SECONDS:
            self._dialogue.begin(lost=True)
            events.append(DeviceLost(self.name, "its stream has stopped, keep-alives and all; is it powered?"))
        return b"", events

    def _meant(self, answer: tuple[int, int, bytes]) -> list[DeviceEvent]:
        opcode, status, data = answer
        self._heard_at = self._now
        if opcode == READ_MULTIPLE:
            return self._streamed(status, data)
        asked = self._dialogue.open_question
        if asked is None or asked[2] != opcode:
            return []
        if status:
            return self._dialogue.refused(f"it refuses opcode {opcode:02X} with status {status:04X}", self._now)
        return self._dialogue.answered(self._now)

    def _streamed(self, status: int, data: bytes) -> list[DeviceEvent]:
        hot, self._hot = self._hot, status == TOO_HOT
        events: list[DeviceEvent] = []
        if self._hot and not hot:
            events.append(DeviceLost(self.name, "it is too hot and pauses; give it air, or less power"))
        elif hot and not self._hot:
            events.append(DeviceReady(self.name))
        code = epc(data)
        if code is not None:
            events.append(TagRead(self.name, code, antenna=str(data[8] >> 4)))
        return events
