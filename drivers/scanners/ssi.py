"""Scanners that speak SSI (Zebra/Symbol, and engines that copy it, such as the GM67): packets that are acknowledged.

Facts from the SSI programmer's guide 72E-40451 and the Symbol SE-923 integration guide, chapter 6. Out of the box a
scanner sends bare text; it is told to send packets when the port opens. A packet that is not acknowledged comes twice
more, marked as a retransmission: a marked packet like the one before is dropped, or a card would be dealt twice.
"""

from collections.abc import Sequence
from typing import Literal

from drivers.contract.driver_interface import (
    DeviceEvent,
    DeviceLost,
    DeviceReady,
    NoiseDropped,
    Signals,
    TagRead,
)
from drivers.readers.framing import NEED_DATA, Frame, FrameReceiver, NeedData, Noise, translate_frames
from drivers.readers.poll_session import REFUSED_PAUSE_S
from drivers.scanners.line_splitter import LINE_END_BYTES, PRINTABLE_BYTES, normalize_code

CMD_ACK, CMD_NAK, PARAM_SEND, PARAM_REQUEST, DECODE_DATA = 0xD0, 0xD1, 0xC6, 0xC7, 0xF3
REQUEST_REVISION, REPLY_REVISION = 0xA3, 0xA4

FROM_DECODER, FROM_HOST = 0x00, 0x04
"""SOURCE of a packet."""

RETRANSMISSION, PERMANENT = 0x01, 0x08
"""Bits of STATUS."""

NAK_RESEND = 0x01
"""Cause of a NAK: the checksum was wrong, the packet is wanted again. All other causes refuse it."""

OPCODES = frozenset((CMD_ACK, CMD_NAK, 0x80, REPLY_REVISION, PARAM_SEND, DECODE_DATA, 0xF4, 0xF6))
"""What a decoder sends."""

PACKETED = 0xEE
"""Parameter 238: decode data are sent in packets."""

NO_BEEP = 0xFF
ENABLE_PACKETS = bytes((NO_BEEP, PACKETED, 0x01))

WAKE_UP = b"\0"
WAKE_UP_DELAY_S = 0.05
"""Seconds that a scanner takes to wake: what comes sooner may be lost (M5Stack's example waits as long)."""

ASK_TIMEOUT_S = 0.3
MAX_ASK_COUNT = 2
"""How often the setting is asked for; a scanner that does not tell it is set all the same."""

SET_TIMEOUT_S = 0.6
"""Seconds that a scanner gets to store the setting. Its acknowledgement counts later too (SE-923 guide p6-25)."""

MAX_SET_COUNT = 3
"""How often the setting is sent before the scanner is lost: Zebra wants it sent again twice."""

RECHECK_INTERVAL_S = 5.0
"""How often noise makes the driver ask for the setting at most."""

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


class PacketSetup:
    """Brings a scanner to send packets: wakes it, asks for the setting, and writes it where it is another.

    For good only where the scanner said that it is another: changes wear its memory (CR6080 guide). One that does not
    say is set until its power goes.
    """

    def __init__(self, device: str) -> None:
        """Begin with a scanner that sleeps and of which nothing is known."""
        self._device = device
        self._is_lost = False
        self._is_ready_reported = False
        self._is_done = False
        self._ready_at = 0.0
        self._not_before = float("-inf")
        self._deadline: float | None = None
        self._send_at: float | None = None
        self._begin()

    def restart(self) -> None:
        """Begin anew: the port was opened, and `WAKE_UP` sent."""
        self._is_lost = self._is_ready_reported = False
        self._not_before = float("-inf")
        self._begin()
        self._is_woken = True

    def recheck(self, now: float) -> None:
        """Ask once more, and say nothing while all is well: what came was no packet."""
        if self._is_done and now - self._ready_at >= RECHECK_INTERVAL_S:
            self._begin()

    def next_data(self, now: float) -> tuple[bytes, list[DeviceEvent]]:
        """Say what to send at `now`, and whether the scanner was lost meanwhile."""
        if self._is_done or now < self._not_before:
            return b"", []
        events: list[DeviceEvent] = []
        if self._deadline is not None:
            if now < self._deadline:
                return b"", []
            events = self._on_timeout(now)
        if not self._is_woken:
            self._is_woken, self._send_at = True, now + WAKE_UP_DELAY_S
            return WAKE_UP, events
        if self._send_at is None:  # it was woken when the port opened, at a time that was not handed in
            self._send_at = now + WAKE_UP_DELAY_S
        if now < self._send_at:
            return b"", events
        status = self._status | (RETRANSMISSION if self._send_count else 0)
        self._send_count += 1
        self._deadline = now + (ASK_TIMEOUT_S if self._opcode == PARAM_REQUEST else SET_TIMEOUT_S)
        return build_packet(self._opcode, self._data, status=status), events

    def on_packet(self, body: bytes, now: float) -> list[DeviceEvent]:
        """Take a packet that may be an answer."""
        match body[1]:
            case _ if self._is_done or not self._send_count:
                return []
            case 0xC6 if self._opcode == PARAM_REQUEST:
                return self._on_setting(body[4:], now)
            case 0xD0 if self._opcode == PARAM_SEND:
                return self._finish(now)
            case 0xD1:
                return self._on_refusal(body[-1], now)
            case _:
                return []

    def on_decode_data(self, now: float) -> list[DeviceEvent]:
        """A card came in a packet: the setting is as wanted, whatever the scanner answers to questions."""
        return [] if self._is_done else self._finish(now)

    def _begin(self) -> None:
        self._is_done = False
        self._prepare(PARAM_REQUEST, bytes((PACKETED,)), 0)

    def _prepare(self, opcode: int, data: bytes, status: int) -> None:
        self._opcode, self._data, self._status = opcode, data, status
        self._send_count = 0
        self._prepare_next_send()

    def _prepare_next_send(self) -> None:
        """Wake the scanner anew before the next packet: it may have gone to sleep again."""
        self._deadline = self._send_at = None
        self._is_woken = False

    def _on_setting(self, data: bytes, now: float) -> list[DeviceEvent]:
        """The setting is a beep code, then the parameter and its value; nothing behind the code if it has no such."""
        if data[1:2] == bytes((PACKETED,)) and len(data) > 2:
            if data[2]:
                return self._finish(now)
            self._prepare(PARAM_SEND, ENABLE_PACKETS, PERMANENT)
        elif len(data) < 2:
            self._prepare(PARAM_SEND, ENABLE_PACKETS, 0)
        return []

    def _finish(self, now: float) -> list[DeviceEvent]:
        self._is_done, self._ready_at, self._is_lost = True, now, False
        reported, self._is_ready_reported = self._is_ready_reported, True
        return [] if reported else [DeviceReady(self._device)]

    def _on_refusal(self, cause: int, now: float) -> list[DeviceEvent]:
        if cause == NAK_RESEND:
            if self._deadline is not None:
                self._deadline = now
            return []
        if self._opcode == PARAM_REQUEST:
            self._prepare(PARAM_SEND, ENABLE_PACKETS, 0)
            return []
        self._not_before = now + REFUSED_PAUSE_S
        return self._lose("it refuses to send packets; turn packets on (parameter 238) by the code in its manual")

    def _on_timeout(self, now: float) -> list[DeviceEvent]:
        if self._opcode == PARAM_REQUEST and self._send_count >= MAX_ASK_COUNT:
            self._prepare(PARAM_SEND, ENABLE_PACKETS, 0)
        elif self._send_count >= MAX_SET_COUNT:
            return self._lose(
                "it does not answer; is it powered and set to SSI, and are TX and RX the right way round?"
            )
        else:
            self._prepare_next_send()
        return []

    def _lose(self, reason: str) -> list[DeviceEvent]:
        """Begin anew with a scanner that is lost; say so once."""
        self._begin()
        told, self._is_lost, self._is_ready_reported = self._is_lost, True, False
        return [] if told else [DeviceLost(self._device, reason)]


class Ssi:
    """A scanner that speaks SSI, set to packets when the port opens.

    `baudrate` is as the scanner is set. `same_code_seconds` is how long a code must stay unread before it is another
    card.
    """

    parity = "N"
    stopbits = 1.0

    def __init__(
        self,
        name: str,
        *,
        baudrate: Literal[1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200] = 9600,
        same_code_seconds: float = DEFAULT_SAME_CODE_S,
    ) -> None:
        self.name = name
        self.baudrate: int = baudrate
        self.absence_timeout_s = same_code_seconds
        self._receiver = FrameReceiver(name, parse_packet, FRAME_TIMEOUT_S)
        self._packet_setup = PacketSetup(name)
        self._pending_acks = b""
        self._last_data = b""
        self._now = 0.0

    def on_port_opened(self) -> bytes:
        """Wake the scanner; what it is told comes with the ticks."""
        self._last_data = self._pending_acks = b""
        self._packet_setup.restart()
        return WAKE_UP

    def receive_data(self, data: bytes, now: float) -> Sequence[DeviceEvent]:
        """Translate packets."""
        self._now = now
        events = translate_frames(self._receiver.receive_data(data, now), self._handle_packet)
        return self._recheck_after_noise(events)

    def on_tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        """Acknowledge what came, and bring the scanner to send packets."""
        self._now = now
        events = translate_frames(self._receiver.check_silence(now), self._handle_packet)
        self._recheck_after_noise(events)
        answers, self._pending_acks = self._pending_acks, b""
        data, more = self._packet_setup.next_data(now)
        return answers + data, events + more

    def show_signals(self, signals: Signals) -> bytes:
        """Return nothing: the scanner shows nothing."""
        return b""

    def _recheck_after_noise(self, events: list[DeviceEvent]) -> list[DeviceEvent]:
        """Bare text is what a scanner sends that lost its setting with its power."""
        if any(isinstance(event, NoiseDropped) for event in events):
            self._packet_setup.recheck(self._now)
        return events

    def _handle_packet(self, body: bytes) -> list[DeviceEvent]:
        opcode, status = body[1], body[3]
        if opcode != DECODE_DATA:
            return self._packet_setup.on_packet(body, self._now)
        self._pending_acks += build_packet(CMD_ACK)
        events = self._packet_setup.on_decode_data(self._now)
        again = bool(status & RETRANSMISSION) and body[4:] == self._last_data
        self._last_data = body[4:]
        if again:
            return events
        text = body[5:].strip(bytes(LINE_END_BYTES))  # its own prefix and suffix are in the data (SE-923 guide p6-15)
        code = normalize_code(text.decode("ascii", errors="replace"))
        if not code or not PRINTABLE_BYTES.issuperset(text):
            return [*events, NoiseDropped(self.name, len(body) + 2, "not printable")]
        return [*events, TagRead(self.name, code)]
