"""ThingMagic M6E Nano and M7E modules: EPC Gen2 tags at UHF, many at once, streamed.

Facts from SparkFun's driver of the module. A module is told what it needs and then sends a record whenever it hears a
tag, and a keep-alive every second. The CRC is the maker's own. UHF reaches metres: good for decks and chips, bad for
telling seats apart.
"""

from collections.abc import Sequence
from typing import Literal

from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import DeviceEvent, DeviceLost, DeviceReady, TagRead
from drivers.readers.framing import NEED_DATA, Frame, FrameReceiver, NeedData, Noise, translate_frames
from drivers.readers.poll_session import PollSession, Request
from drivers.readers.polled_reader import PolledReader

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
CODE_BY_REGION: dict[Region, int] = {
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

ANTENNA_PORTS = frozenset(range(1, 16))
"""Antenna ports that a record can name; the modules have one (M6E Nano) to four."""

POWER_RANGE_CDBM = (0, 2700)
"""Hundredths of a dBm."""

KEEP_ALIVE, TOO_HOT = 0x0400, 0x0504
"""Status of a record without a tag."""

CRC_TABLE = (
    0x0000, 0x1021, 0x2042, 0x3063, 0x4084, 0x50A5, 0x60C6, 0x70E7,
    0x8108, 0x9129, 0xA14A, 0xB16B, 0xC18C, 0xD1AD, 0xE1CE, 0xF1EF,
)  # fmt: skip

FRAME_TIMEOUT_S = 0.05
STREAM_TIMEOUT_S = 3.0
"""Without even a keep-alive for this long the stream has stopped."""

ABSENCE_TIMEOUT_S = 1.0
RECORD_HEADER_BYTES = 22
"""Bytes of a tag record's data before the embedded tag data (RSSI … protocol, its length in bits)."""


def compute_crc(data: bytes) -> int:
    """Return the maker's CRC: the table index is taken from the value before the shift."""
    value = 0xFFFF
    for byte in data:
        for nibble in (byte >> 4, byte & 15):
            value = ((value << 4 | nibble) & 0xFFFF) ^ CRC_TABLE[value >> 12]
    return value


def build_command(opcode: int, data: bytes = b"") -> bytes:
    """Make a frame for the module."""
    body = bytes((len(data), opcode)) + data
    return bytes((START,)) + body + compute_crc(body).to_bytes(2, "big")


def parse_frame(data: bytes) -> Frame[tuple[int, int, bytes]] | Noise | NeedData:
    """Judge what may be an answer; what comes back is opcode, status and data."""
    if data[0] != START:
        return Noise("no frame start")
    if data[2:3] and data[2] not in OPCODES:
        return Noise("no answer of this module")
    if len(data) < 2 or len(data) < 7 + data[1]:
        return NEED_DATA
    end = 5 + data[1]
    if compute_crc(data[1:end]) != int.from_bytes(data[end : end + 2], "big"):
        return Noise("wrong checksum")
    return Frame(end + 2, (data[2], int.from_bytes(data[3:5], "big"), data[5:end]))


def parse_epc(record: bytes) -> str | None:
    """Return the EPC of a tag record's data, or `None` where the lengths in it do not agree."""
    if len(record) < RECORD_HEADER_BYTES:
        return None
    embedded = (int.from_bytes(record[19:21], "big") + 7) // 8
    at = RECORD_HEADER_BYTES + embedded
    size = int.from_bytes(record[at : at + 2], "big") // 8
    code = record[at + 4 : at + size]
    if len(record) != at + 2 + size or not code:
        return None
    return code.hex().upper()


def encode_antenna_search(ports: Sequence[int]) -> bytes:
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
    absence_timeout_s = ABSENCE_TIMEOUT_S

    def __init__(self, name: str, *, region: Region, power: int = 500, antenna_ports: Sequence[int] = (1,)) -> None:
        low, high = POWER_RANGE_CDBM
        if not low <= power <= high:
            raise DriverConfigError(name, "power", f"it must be {low} to {high} hundredths of a dBm, not {power}")
        if not antenna_ports or len(set(antenna_ports)) < len(antenna_ports) or not set(antenna_ports) <= ANTENNA_PORTS:
            text = f"it must be numbers from 1 to {max(ANTENNA_PORTS)}, each once, not {list(antenna_ports)}"
            raise DriverConfigError(name, "antenna_ports", text)
        self.antennas = tuple(str(port) for port in antenna_ports)
        greeting = (
            build_command(MULTI_PROTOCOL, STOP),
            build_command(VERSION),
            build_command(PROTOCOL, GEN2),
            build_command(ANTENNA, encode_antenna_search(antenna_ports)),
            build_command(REGION, bytes((CODE_BY_REGION[region],))),
            build_command(POWER, power.to_bytes(2, "big")),
            build_command(OPTIONAL, NO_FILTER),
            build_command(MULTI_PROTOCOL, STREAM),
        )
        questions = [Request(data, timeout_s=0.5) for data in greeting]
        super().__init__(
            name, PollSession(name, questions, lambda: questions[-1]), FrameReceiver(name, parse_frame, FRAME_TIMEOUT_S)
        )
        self._last_frame_at = 0.0
        self._is_hot = False

    def on_port_opened(self) -> bytes:
        """Begin anew; the first command comes with the next tick."""
        self._session.restart()
        return b""

    def on_tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        """Set the module up, and notice when its stream stops."""
        self._now = now
        events = translate_frames(self._receiver.check_silence(now), self._handle_response)
        if not self._session.is_ready:
            data, lost = self._session.next_request(now)
            return data, events + lost
        if now - self._last_frame_at > STREAM_TIMEOUT_S:
            self._session.restart(lost=True)
            events.append(DeviceLost(self.name, "its stream has stopped, keep-alives and all; is it powered?"))
        return b"", events

    def _handle_response(self, answer: tuple[int, int, bytes]) -> list[DeviceEvent]:
        opcode, status, data = answer
        self._last_frame_at = self._now
        if opcode == READ_MULTIPLE:
            return self._handle_stream_record(status, data)
        asked = self._session.pending_request
        if asked is None or asked[2] != opcode:
            return []
        if status:
            return self._session.on_refusal(f"it refuses opcode {opcode:02X} with status {status:04X}", self._now)
        return self._session.on_response(self._now)

    def _handle_stream_record(self, status: int, data: bytes) -> list[DeviceEvent]:
        hot, self._is_hot = self._is_hot, status == TOO_HOT
        events: list[DeviceEvent] = []
        if self._is_hot and not hot:
            events.append(DeviceLost(self.name, "it is too hot and pauses; give it air, or less power"))
        elif hot and not self._is_hot:
            events.append(DeviceReady(self.name))
        code = parse_epc(data)
        if code is not None:
            events.append(TagRead(self.name, code, antenna=str(data[8] >> 4)))
        return events
