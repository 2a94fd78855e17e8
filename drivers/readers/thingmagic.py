"""ThingMagic M6E Nano and M7E modules: EPC Gen2 tags at UHF, many at once, streamed.

Facts from SparkFun's driver of the module, the maker's Mercury API (`serial_reader.c`, `tmr_status.h`) and transports
recorded with an M6E Nano (mignon-p/hs-mercury-api). A module is told what it needs and then sends a record whenever it
hears a tag, and a keep-alive every second. One that stands in its boot loader is told to start its firmware. The CRC is
the maker's own. UHF reaches metres: good for decks and chips, bad for telling seats apart.
"""

from collections.abc import Sequence
from typing import Literal

from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import DeviceEvent, DeviceLost, DeviceReady, TagRead
from drivers.readers.framing import NEED_DATA, Frame, FrameReceiver, NeedData, Noise, translate_frames
from drivers.readers.poll_session import PollSession, Request
from drivers.readers.polled_reader import PolledReader

START = 0xFF

VERSION, BOOT, PROGRAM, READ_MULTIPLE, MULTI_PROTOCOL = 0x03, 0x04, 0x0C, 0x22, 0x2F
ANTENNA, POWER, PROTOCOL, REGION, OPTIONAL = 0x91, 0x92, 0x93, 0x97, 0x9A
"""Opcodes."""

OPCODES = frozenset((VERSION, BOOT, PROGRAM, READ_MULTIPLE, MULTI_PROTOCOL, ANTENNA, POWER, PROTOCOL, REGION, OPTIONAL))
"""What is asked here, and so what can be answered. `BOOT` is also the opcode of the version sent at power-up."""

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

KEEP_ALIVE, NO_ANTENNA, TOO_HOT, HIGH_RETURN_LOSS = 0x0400, 0x0503, 0x0504, 0x0505
"""Status of a record without a tag (Mercury API, `tmr_status.h`)."""

REASON_BY_STATUS = {
    NO_ANTENNA: "an antenna that it is to use is not connected",
    TOO_HOT: "it is too hot and pauses; give it air, or less power",
    HIGH_RETURN_LOSS: "an antenna sends its power back (high return loss); is one unplugged, loose or a wrong one?",
}
"""What a record says that hinders reading. The M7E tells a missing antenna by 0505."""

RECOVERY_S = 3.0
"""Seconds without such a record after which the module is well: each search through the antennas brings one."""

IN_BOOT_LOADER = 0x01
"""Bit of the answer to `PROGRAM`; a module that runs its firmware answers 52."""

CRC_TABLE = (
    0x0000, 0x1021, 0x2042, 0x3063, 0x4084, 0x50A5, 0x60C6, 0x70E7,
    0x8108, 0x9129, 0xA14A, 0xB16B, 0xC18C, 0xD1AD, 0xE1CE, 0xF1EF,
)  # fmt: skip

STOP_TIMEOUT_S = 1.0
"""Stopping waits for the search that is under way, 1 to 2 s (Mercury API); three times this long is enough."""

BOOT_TIMEOUT_S = 1.0
BOOT_DELAY_S = 0.65
"""How long the firmware takes to start after `BOOT` was answered (Mercury API)."""

MAX_POWER_UPS = 3
"""How often the module may start anew while it is set up, before that is said."""

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


def parse_firmware_version(data: bytes) -> str:
    """Return the firmware's version, bytes 12 to 15 of an answer to `VERSION`; empty where it is too short."""
    return ".".join(f"{byte:02X}" for byte in data[12:16]) if len(data) >= 16 else ""


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
    are those in use, searched in turn. `baudrate` is that at which it stands: SparkFun's library leaves it at 38400 on
    a small microcontroller, until its power is gone.
    """

    parity = "N"
    stopbits = 1.0
    absence_timeout_s = ABSENCE_TIMEOUT_S

    def __init__(
        self,
        name: str,
        *,
        region: Region,
        power: int = 500,
        antenna_ports: Sequence[int] = (1,),
        baudrate: Literal[9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600] = 115200,
    ) -> None:
        low, high = POWER_RANGE_CDBM
        if not low <= power <= high:
            raise DriverConfigError(name, "power", f"it must be {low} to {high} hundredths of a dBm, not {power}")
        if not antenna_ports or len(set(antenna_ports)) < len(antenna_ports) or not set(antenna_ports) <= ANTENNA_PORTS:
            text = f"it must be numbers from 1 to {max(ANTENNA_PORTS)}, each once, not {list(antenna_ports)}"
            raise DriverConfigError(name, "antenna_ports", text)
        self.baudrate: int = baudrate
        self.antennas = tuple(str(port) for port in antenna_ports)
        self._stop_command = build_command(MULTI_PROTOCOL, STOP)
        setup = (
            build_command(VERSION),
            build_command(PROTOCOL, GEN2),
            build_command(ANTENNA, encode_antenna_search(antenna_ports)),
            build_command(REGION, bytes((CODE_BY_REGION[region],))),
            build_command(POWER, power.to_bytes(2, "big")),
            build_command(OPTIONAL, NO_FILTER),
            build_command(MULTI_PROTOCOL, STREAM),
        )
        questions = [
            Request(self._stop_command, timeout_s=STOP_TIMEOUT_S),
            Request(build_command(PROGRAM), timeout_s=0.5),
            # Only for a module in its boot loader; `_handle_program` passes over both for any other.
            Request(build_command(BOOT), timeout_s=BOOT_TIMEOUT_S),
            Request(build_command(PROGRAM), timeout_s=0.5, pause_s=BOOT_DELAY_S),
            *(Request(data, timeout_s=0.5) for data in setup),
        ]
        super().__init__(
            name, PollSession(name, questions, lambda: questions[-1]), FrameReceiver(name, parse_frame, FRAME_TIMEOUT_S)
        )
        self._last_frame_at = 0.0
        self._is_booting = False
        self._power_ups = 0
        self._has_trouble = False
        self._last_trouble_at = 0.0

    def on_port_opened(self) -> bytes:
        """Begin anew; the first command comes with the next tick."""
        self._session.open()
        self._is_booting = self._has_trouble = False
        self._power_ups = 0
        return b""

    def on_tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        """Set the module up, and notice when its stream stops."""
        self._now = now
        events = translate_frames(self._receiver.check_silence(now), self._handle_response)
        if not self._session.is_ready:
            data, lost = self._session.next_request(now)
            self._has_trouble = self._has_trouble and not lost
            return data, events + lost
        if now - self._last_frame_at > STREAM_TIMEOUT_S:
            # A stream that trouble has ended is started anew in silence: the trouble was told, and lasts.
            self._session.restart(lost=not self._has_trouble)
            if not self._has_trouble:
                events.append(DeviceLost(self.name, "its stream has stopped, keep-alives and all; is it powered?"))
        return b"", events

    def _handle_response(self, answer: tuple[int, int, bytes]) -> list[DeviceEvent]:
        opcode, status, data = answer
        self._last_frame_at = self._now
        if opcode == READ_MULTIPLE:
            return self._handle_stream_record(status, data)
        asked = self._session.pending_request
        if asked is None or asked[2] != opcode:
            return self._handle_power_up() if opcode == BOOT and not self._is_booting else []
        if asked == self._stop_command:
            # A module that streams nothing may answer with an error: Mercury API, `verifySearchStatus`.
            self._is_booting = False
            return self._session.on_response(self._now)
        if status:
            return self._session.on_refusal(f"it refuses opcode {opcode:02X} with status {status:04X}", self._now)
        if opcode == PROGRAM:
            return self._handle_program(data)
        if opcode == VERSION:
            self._session.firmware = parse_firmware_version(data)
        self._is_booting = opcode == BOOT
        events = self._session.on_response(self._now)
        if self._session.is_ready:
            self._power_ups = 0
        return [] if self._has_trouble else events

    def _handle_program(self, data: bytes) -> list[DeviceEvent]:
        """Go on to the firmware's start, or past it where the firmware runs."""
        was_booting, self._is_booting = self._is_booting, False
        is_in_boot_loader = bool(data and data[0] & IN_BOOT_LOADER)
        if was_booting and is_in_boot_loader:
            return self._session.on_refusal("it stays in its boot loader; is its firmware whole?", self._now)
        steps = 1 if was_booting or is_in_boot_loader else 3
        return [event for _ in range(steps) for event in self._session.on_response(self._now)]

    def _handle_power_up(self) -> list[DeviceEvent]:
        """Set the module up anew: what it was told is gone."""
        if self._session.is_ready:
            self._session.restart(lost=True)
            self._has_trouble = False
            return [DeviceLost(self.name, "it has started anew; is its power enough?")]
        self._power_ups += 1
        if self._power_ups > MAX_POWER_UPS:
            self._power_ups = 0
            return self._session.on_refusal("it starts anew again and again; is its power enough?", self._now)
        self._session.restart(lost=self._session.is_lost)
        return []

    def _handle_stream_record(self, status: int, data: bytes) -> list[DeviceEvent]:
        events = self._follow_trouble(status) if self._session.is_ready else []
        code = parse_epc(data)
        if code is not None:
            events.append(TagRead(self.name, code, antenna=str(data[8] >> 4)))
        return events

    def _follow_trouble(self, status: int) -> list[DeviceEvent]:
        """Tell trouble when it comes and when it is over; good antennas are heard meanwhile, and say nothing of it."""
        if status in REASON_BY_STATUS:
            had, self._has_trouble, self._last_trouble_at = self._has_trouble, True, self._now
            return [] if had else [DeviceLost(self.name, REASON_BY_STATUS[status])]
        if self._has_trouble and self._now - self._last_trouble_at >= RECOVERY_S:
            self._has_trouble = False
            return [DeviceReady(self.name, self._session.firmware)]
        return []
