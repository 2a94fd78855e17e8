"""Scanners that speak SSI (Zebra/Symbol, and engines that copy it, such as the GM67): packets that are acknowledged.

Facts from the SSI programmer's guide 72E-40451. Out of the box a scanner sends bare text; it is told to send packets,
for good, when the port opens. A packet that is not acknowledged comes twice more, marked as a retransmission: a marked
packet like the one before is dropped, or a card would be dealt twice.
"""

from collections.abc import Sequence

from drivers.contract.driver_interface import DeviceEvent, DeviceReady, NoiseDropped, Signals, TagRead
from drivers.readers.framing import NEED_DATA, Frame, FrameReceiver, NeedData, Noise, translate_frames
from drivers.scanners.line_splitter import PRINTABLE_BYTES, normalize_code

CMD_ACK, CMD_NAK, PARAM_SEND, DECODE_DATA = 0xD0, 0xD1, 0xC6, 0xF3
REQUEST_REVISION, REPLY_REVISION = 0xA3, 0xA4

FROM_DECODER, FROM_HOST = 0x00, 0x04
"""SOURCE of a packet."""

RETRANSMISSION, PERMANENT = 0x01, 0x08
"""Bits of STATUS."""

OPCODES = frozenset((CMD_ACK, CMD_NAK, 0x80, REPLY_REVISION, PARAM_SEND, DECODE_DATA, 0xF4, 0xF6))
"""What a decoder sends."""

ENABLE_PACKETS = bytes((0xFF, 0xEE, 0x01))
"""Parameter 238 on, with the beep code "none"."""

FRAME_TIMEOUT_S = 0.4
"""Seconds of silence that break a packet off; the decoder's own limit between characters is 0.2 s."""

DEFAULT_SAME_CODE_S = 0.5


def build_packet(opcode: int, data: bytes = b"", *, source: int = FROM_HOST, status: int = 0) -> bytes:
    """Make a packet."""
    body = bytes((4 + len(data), opcode, source, status)) + data
    return body + (-sum(body) & 0xFFFF).to_bytes(2, "big")


def parse_packet(data: bytes) -> Frame[bytes] | Noise | NeedData:
    """Judge what may be a packet of the decoder; what comes back is the packet without its checksum."""
    size = data[0]
    if size < 4:
        return Noise("no packet length")
    if data[1:2] and data[1] not in OPCODES:
        return Noise("no packet of a scanner")
    if data[2:3] not in (b"", b"\0"):
        return Noise("not from a scanner")
    if len(data) < size + 2:
        return NEED_DATA
    if (sum(data[:size]) + int.from_bytes(data[size : size + 2], "big")) & 0xFFFF:
        return Noise("wrong checksum")
    return Frame(size + 2, data[:size])


class Ssi:
    """A scanner that speaks SSI, set to packets when the port opens.

    `same_code_seconds` is how long a code must stay unread before it is another card.
    """

    baudrate = 9600
    parity = "N"
    stopbits = 1.0

    def __init__(self, name: str, *, same_code_seconds: float = DEFAULT_SAME_CODE_S) -> None:
        self.name = name
        self.absence_timeout_s = same_code_seconds
        self._receiver = FrameReceiver(name, parse_packet, FRAME_TIMEOUT_S)
        self._pending_acks = b""
        self._last_data = b""

    def on_port_opened(self) -> bytes:
        """Wake the scanner, and set it to packets for good."""
        self._last_data = b""
        return b"\0" + build_packet(PARAM_SEND, ENABLE_PACKETS, status=PERMANENT)

    def receive_data(self, data: bytes, now: float) -> Sequence[DeviceEvent]:
        """Translate packets."""
        return translate_frames(self._receiver.receive_data(data, now), self._handle_packet)

    def on_tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        """Acknowledge what came."""
        events = translate_frames(self._receiver.check_silence(now), self._handle_packet)
        answers, self._pending_acks = self._pending_acks, b""
        return answers, events

    def show_signals(self, signals: Signals) -> bytes:
        """Return nothing: the scanner shows nothing."""
        return b""

    def _handle_packet(self, body: bytes) -> list[DeviceEvent]:
        opcode, status = body[1], body[3]
        if opcode == CMD_ACK:
            return [DeviceReady(self.name)]
        if opcode != DECODE_DATA:
            return []
        self._pending_acks += build_packet(CMD_ACK)
        again = bool(status & RETRANSMISSION) and body[4:] == self._last_data
        self._last_data = body[4:]
        if again:
            return []
        text = body[5:]
        code = normalize_code(text.decode("ascii", errors="replace"))
        if not code or not PRINTABLE_BYTES.issuperset(text):
            return [NoiseDropped(self.name, len(body) + 2, "not printable")]
        return [TagRead(self.name, code)]
