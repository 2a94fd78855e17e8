"""Scanners that speak SSI (Zebra/Symbol, and engines that copy it, such as the GM67): packets that are acknowledged.

Facts from the SSI programmer's guide 72E-40451 and the Symbol SE-923 integration guide, chapter 6. Out of the box a
scanner sends bare text; it is told to send packets when the port opens, and asked whether it still does when it was
silent. A packet that is not acknowledged comes twice more, marked as a retransmission: a marked packet like the one
before is dropped, or a card would be dealt twice. Bare text carries no check and is no card; it shows that one was
missed.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from drivers.contract.driver_interface import (
    DeviceEvent,
    DeviceLost,
    DeviceReady,
    EventsMissed,
    NoiseDropped,
    Signals,
    TagRead,
)
from drivers.readers.framing import NEED_DATA, Frame, FrameReceiver, NeedData, Noise
from drivers.scanners.line_splitter import LINE_END_BYTES, PRINTABLE_BYTES, normalize_code
from drivers.scanners.scanner_keys import require_scanner_keys

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

IDLE_CHECK_INTERVAL_S = 5.0
"""Seconds without a packet after which a scanner that answers is asked anew: it may be gone, or without its setting."""

SLOW_RETRY_INTERVAL_S = 5.0
"""Seconds that a scanner is left alone which refuses, does not keep what it is told, or understands nothing."""

MAX_RESEND_REQUESTS = 3
"""How many packets in a row a scanner may want again before it is lost."""

MAX_UNKEPT_SETTINGS = 2
"""How many settings a scanner may acknowledge and not keep: one for good, one until its power goes."""

MAX_RESEND_AGE_S = 10.0
"""Within this time a marked packet like the one before is the same card: a scanner waits at most 9.9 s for its ACK
before it sends again (Host Serial Response Time-out, DS4308 manual p7-17)."""

MAX_PENDING_ACKS = 16
"""Acknowledgements that wait for a tick at most."""

FRAME_TIMEOUT_S = 0.4
"""Seconds of silence that break a packet off; the decoder's own limit between characters is 0.2 s."""

DEFAULT_SAME_CODE_S = 0.5

BARE_TEXT_PATTERN = re.compile(rb"[\x20-\x7e]{2,256}[\r\n\t]+")
BARE_TEXT_START_PATTERN = re.compile(rb"[\x20-\x7e]{2,256}")


@dataclass(frozen=True, slots=True)
class BareText:
    """A line of printable text, as a scanner sends it that is not set to packets; only its size is told."""

    byte_count: int


def build_packet(opcode: int, data: bytes = b"", *, source: int = FROM_HOST, status: int = 0) -> bytes:
    """Make a packet."""
    body = bytes((4 + len(data), opcode, source, status)) + data
    return body + (-sum(body) & 0xFFFF).to_bytes(2, "big")


def parse_packet(data: bytes) -> Frame[bytes | BareText] | Noise | NeedData:
    """Judge what may be a packet of the decoder; what comes back is the packet without its checksum, or bare text."""
    size = data[0]
    if text := BARE_TEXT_PATTERN.match(data):
        return Frame(text.end(), BareText(text.end()))
    if BARE_TEXT_START_PATTERN.fullmatch(data):  # no opcode of a scanner is printable
        return NEED_DATA
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

    For good only where the scanner said that it is another, and once for each opening of the port: changes wear its
    memory (CR6080 guide p188). One that does not say is set until its power goes. What a scanner acknowledged it is
    asked for: there may be clones that keep nothing. One that answers is asked anew when it was silent.
    """

    def __init__(self, device: str) -> None:
        """Begin with a scanner that sleeps and of which nothing is known."""
        self._device = device
        self._is_lost = False
        self._is_ready_reported = False
        self._is_done = self._is_answering = self._was_written_for_good = self._was_text_seen = False
        self._ready_at = self._heard_at = 0.0
        self._not_before = float("-inf")
        self._deadline: float | None = None
        self._send_at: float | None = None
        self._begin()

    def restart(self) -> None:
        """Begin anew: the port was opened, and `WAKE_UP` sent."""
        self._is_lost = self._is_ready_reported = False
        self._is_answering = self._was_written_for_good = self._was_text_seen = False
        self._not_before = float("-inf")
        self._begin()
        self._is_woken = True

    def recheck(self, now: float) -> None:
        """Ask once more, and say nothing while all is well: what came was no packet."""
        if self._is_done and now - self._ready_at >= RECHECK_INTERVAL_S:
            self._begin()

    def next_data(self, now: float) -> tuple[bytes, list[DeviceEvent]]:
        """Say what to send at `now`, and whether the scanner was lost meanwhile."""
        if self._is_done and self._is_answering and now - self._heard_at >= IDLE_CHECK_INTERVAL_S:
            self._begin()
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
        self._was_written_for_good |= bool(status & PERMANENT)
        self._deadline = now + (ASK_TIMEOUT_S if self._opcode == PARAM_REQUEST else SET_TIMEOUT_S)
        return build_packet(self._opcode, self._data, status=status), events

    def on_packet(self, body: bytes, now: float) -> list[DeviceEvent]:
        """Take a packet that may be an answer."""
        self._heard_at = now
        match body[1]:
            case _ if self._is_done or not self._send_count:
                return []
            case 0xC6 if self._opcode == PARAM_REQUEST:
                self._is_answering = True
                return self._on_setting(body[4:], now)
            case 0xD0 if self._opcode == PARAM_SEND:
                self._is_answering = True
                return self._on_acknowledgement(now)
            case 0xD1:
                self._is_answering = True
                return self._on_refusal(body[-1], now)
            case _:
                return []

    def on_decode_data(self, now: float) -> list[DeviceEvent]:
        """A card came in a packet: the setting is as wanted, whatever the scanner answers to questions."""
        self._heard_at = now
        return [] if self._is_done else self._finish(now)

    def on_bare_text(self) -> None:
        """Remember that a card may have come before the scanner sent packets."""
        self._was_text_seen = True

    def _begin(self) -> None:
        self._is_done = self._is_told_off = False
        self._acknowledged_count = self._resend_request_count = 0
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
            return self._finish(now) if data[2] else self._on_packets_off(now)
        if len(data) < 2:
            self._set_for_now()
        return []

    def _on_packets_off(self, now: float) -> list[DeviceEvent]:
        if self._acknowledged_count >= MAX_UNKEPT_SETTINGS:
            text = (
                "it takes the setting and does not keep it; turn packets on (parameter 238) by the code in its manual"
            )
            return self._lose(text, now + SLOW_RETRY_INTERVAL_S)
        self._is_told_off, self._resend_request_count = True, 0
        self._prepare(PARAM_SEND, ENABLE_PACKETS, 0 if self._was_written_for_good else PERMANENT)
        return []

    def _set_for_now(self) -> None:
        """Set a scanner that does not tell its setting: its acknowledgement is all there is."""
        self._is_told_off = False
        self._prepare(PARAM_SEND, ENABLE_PACKETS, 0)

    def _on_acknowledgement(self, now: float) -> list[DeviceEvent]:
        if not self._is_told_off:
            return self._finish(now)
        self._acknowledged_count += 1
        self._resend_request_count = 0
        self._prepare(PARAM_REQUEST, bytes((PACKETED,)), 0)
        return []

    def _finish(self, now: float) -> list[DeviceEvent]:
        was_set = self._opcode == PARAM_SEND or self._acknowledged_count > 0
        events: list[DeviceEvent] = [] if self._is_ready_reported else [DeviceReady(self._device)]
        if was_set and self._was_text_seen:
            events.append(EventsMissed(self._device, "a card came before the scanner was set to send packets"))
        self._is_done, self._ready_at, self._heard_at, self._is_lost = True, now, now, False
        self._is_ready_reported, self._was_text_seen = True, False
        return events

    def _on_refusal(self, cause: int, now: float) -> list[DeviceEvent]:
        if cause == NAK_RESEND:
            if self._deadline is None or self._deadline <= now:
                return []
            self._deadline = now
            self._resend_request_count += 1
            if self._resend_request_count < MAX_RESEND_REQUESTS:
                return []
            text = "it wants each packet again; is its line disturbed, and is it set to 8N1 and no other parity?"
            return self._lose(text, now + SLOW_RETRY_INTERVAL_S)
        if self._opcode == PARAM_REQUEST:
            self._set_for_now()
            return []
        text = "it refuses to send packets; turn packets on (parameter 238) by the code in its manual"
        return self._lose(text, now + SLOW_RETRY_INTERVAL_S)

    def _on_timeout(self, now: float) -> list[DeviceEvent]:
        if self._opcode == PARAM_REQUEST and self._send_count >= MAX_ASK_COUNT:
            self._set_for_now()
        elif self._send_count >= MAX_SET_COUNT:
            return self._lose(
                "it does not answer; is it powered and set to SSI, and are TX and RX the right way round?", now
            )
        else:
            self._prepare_next_send()
        return []

    def _lose(self, reason: str, retry_at: float) -> list[DeviceEvent]:
        """Begin anew with a scanner that is lost, from `retry_at` on; say so once."""
        self._begin()
        self._not_before = retry_at
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
        require_scanner_keys(name, same_code_seconds=same_code_seconds)
        self.name = name
        self.baudrate: int = baudrate
        self.absence_timeout_s = same_code_seconds
        self._receiver = self._make_receiver()
        self._packet_setup = PacketSetup(name)
        self._pending_ack_count = 0
        self._last_data, self._last_data_at = b"", float("-inf")
        self._now = 0.0

    def on_port_opened(self) -> bytes:
        """Wake the scanner; what it is told comes with the ticks.

        The last packet is remembered: its acknowledgement may have been lost with the port, and it comes again.
        """
        self._receiver = self._make_receiver()
        self._pending_ack_count = 0
        self._packet_setup.restart()
        return WAKE_UP

    def receive_data(self, data: bytes, now: float) -> Sequence[DeviceEvent]:
        """Translate packets."""
        self._now = now
        events = self._translate_packets(self._receiver.receive_data(data, now))
        return self._recheck_after_noise(events)

    def on_tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        """Acknowledge what came, and bring the scanner to send packets."""
        self._now = now
        events = self._translate_packets(self._receiver.check_silence(now))
        self._recheck_after_noise(events)
        answers, self._pending_ack_count = build_packet(CMD_ACK) * self._pending_ack_count, 0
        data, more = self._packet_setup.next_data(now)
        return answers + data, events + more

    def show_signals(self, signals: Signals) -> bytes:
        """Return nothing: the scanner shows nothing."""
        return b""

    def _make_receiver(self) -> FrameReceiver[bytes | BareText]:
        return FrameReceiver(self.name, parse_packet, FRAME_TIMEOUT_S)

    def _translate_packets(self, found: list[bytes | BareText | NoiseDropped]) -> list[DeviceEvent]:
        events: list[DeviceEvent] = []
        for item in found:
            events += [item] if isinstance(item, NoiseDropped) else self._handle_packet(item)
        return events

    def _recheck_after_noise(self, events: list[DeviceEvent]) -> list[DeviceEvent]:
        """Bare text is what a scanner sends that lost its setting with its power."""
        if any(isinstance(event, NoiseDropped) for event in events):
            self._packet_setup.recheck(self._now)
        return events

    def _handle_packet(self, body: bytes | BareText) -> list[DeviceEvent]:
        if isinstance(body, BareText):
            self._packet_setup.on_bare_text()
            return [NoiseDropped(self.name, body.byte_count, "bare text, which carries no check")]
        opcode, status = body[1], body[3]
        if opcode != DECODE_DATA:
            return self._packet_setup.on_packet(body, self._now)
        self._pending_ack_count = min(self._pending_ack_count + 1, MAX_PENDING_ACKS)
        events = self._packet_setup.on_decode_data(self._now)
        is_recent = self._now - self._last_data_at <= MAX_RESEND_AGE_S
        again = bool(status & RETRANSMISSION) and body[4:] == self._last_data and is_recent
        self._last_data, self._last_data_at = body[4:], self._now
        if again:
            return events
        text = body[5:].strip(bytes(LINE_END_BYTES))  # its own prefix and suffix are in the data (SE-923 guide p6-15)
        code = normalize_code(text.decode("ascii", errors="replace"))
        if not code or not PRINTABLE_BYTES.issuperset(text):
            return [*events, NoiseDropped(self.name, len(body) + 2, "not printable")]
        return [*events, TagRead(self.name, code)]
