"""Eccel Pepper C1 and C1 MUX: ISO 14443A and ISO 15693 at one antenna, or at up to eight in turn.

Facts from the maker's library (PyPI `pepper-c1` 0.2.0) and the manual of his sister reader 1356NFC (here "manual"),
which speaks the same frames with an address in them. A frame is F5, length, the length's complement, payload and CRC,
each number lowest byte first. The reader is asked: one antenna, how many tags, and each of them (the library's
multiplexer example). It can also look for tags by itself and push them. That is turned off here: where a pushed tag
has its antenna is not documented, and a reader that has started anew pushes as its own web page says, or nothing.
"""

from collections.abc import Sequence

from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import DeviceEvent, DeviceLost, DeviceReady, NoiseDropped, TagRead
from drivers.readers.framing import NEED_DATA, Frame, FrameReceiver, NeedData, Noise
from drivers.readers.iso15693 import UID_BYTES, parse_uid
from drivers.readers.poll_session import PollSession, Request
from drivers.readers.polled_reader import PolledReader
from firmware_bridge.wire_frames import crc16_ccitt_false

START = 0xF5
ACK, PUSHED, ERROR = 0x00, 0xFE, 0xFF
"""First byte of what the reader says."""

TAG_COUNT, TAG_UID, POLLING, VERSION, ANTENNA = 0x02, 0x03, 0x06, 0x0B, 0x0F
"""First byte of what it is asked."""

HEADER_BYTES, CRC_BYTES = 5, 2
MAX_PAYLOAD_BYTES = 160
"""Bytes of the longest answer that is asked for, the version, with room; the reader could say 1024 (manual, 2.2)."""

ANTENNAS = frozenset(range(1, 9))
MAX_TAGS = 5
"""Tags that one look finds (manual, 3.1.4)."""

ISO14443_UID_BYTES = frozenset((4, 7, 10))

WRONG_CRC, NOT_NOW = 0x02, 0x25
NO_TAG_ERRORS = frozenset((0x01, 0x02, 0x03, 0x05, 0x06))
"""What the air does to a tag that comes, goes or stands on another one; all other errors are the reader's own."""

WORDS_BY_ERROR = {
    0x09: "it is too hot",
    0x0A: "its field cannot be made",
    0x0B: "its radio chip does not answer",
    0x10: "another field disturbs it",
    0x21: "it takes no such value",
    0x24: "it knows no such command",
    NOT_NOW: "it cannot now",
    0x7F: "an error inside it",
}
"""Manual, 3.1.2."""

TIMEOUT_S = 0.2
LOOK_TIMEOUT_S = 0.5
"""How long the maker's own library (marbalon/Eccel-C1) waits; only a look for tags takes long."""

POLLING_INTERVAL_S = 5.0
"""How soon a reader that looks by itself is told again not to: no sooner, where two want it otherwise."""

FRAME_TIMEOUT_S = 0.05

MAX_TROUBLED_ROUNDS = 3
"""So many rounds in a row with trouble are no disturbance that passes."""

RECOVERY_S = 1.5
"""Seconds without trouble after which the reader is well again: each change is an entry of the journal."""

ABSENCE_TIMEOUT_S = 1.0
ABSENCE_TIMEOUT_PER_ANTENNA_S = 0.25
"""With two tags at every antenna a round takes 0.16 s for each; one lost answer more must not make a new card."""


def build_command(*payload: int) -> bytes:
    """Make a frame for the reader."""
    body = bytes(payload)
    length = (len(body) + CRC_BYTES).to_bytes(2, "little")
    complement = bytes(byte ^ 0xFF for byte in length)
    return bytes((START,)) + length + complement + body + crc16_ccitt_false(body).to_bytes(2, "little")


REPEAT = build_command(ERROR)
"""An error without arguments asks the reader to say its last frame again (manual, 3.1.2)."""


def parse_frame(data: bytes) -> Frame[bytes] | Noise | NeedData:
    """Judge what may be a frame of the reader; what comes back is its payload."""
    if data[0] != START:
        return Noise("no frame start")
    if any(byte ^ 0xFF != complement for byte, complement in zip(data[1:3], data[3:HEADER_BYTES], strict=False)):
        return Noise("length and complement differ")
    if len(data) < HEADER_BYTES:
        return NEED_DATA
    end = HEADER_BYTES + int.from_bytes(data[1:3], "little")
    if not 0 < end - HEADER_BYTES - CRC_BYTES <= MAX_PAYLOAD_BYTES:
        return Noise("not the length of an answer")
    if len(data) < end:
        return NEED_DATA
    payload = data[HEADER_BYTES : end - CRC_BYTES]
    if crc16_ccitt_false(payload) != int.from_bytes(data[end - CRC_BYTES : end], "little"):
        return Noise("wrong checksum")
    return Frame(end, payload)


def parse_tag(uid: bytes) -> str | None:
    """Return the canonical tag, or `None` for what is no UID.

    One of ISO 15693 comes lowest byte first (manual, 3.6.2: 04 8F 7F 0A 01 24 16 E0); the other way round it begins
    with E0, and is taken too.
    """
    if len(uid) == UID_BYTES:
        return parse_uid(uid[::-1]) or parse_uid(uid)
    return uid.hex().upper() if len(uid) in ISO14443_UID_BYTES else None


class PepperC1(PolledReader[bytes]):
    """A Pepper C1 or C1 MUX; reports every tag in each look, with the number of its antenna.

    `antennas` are those in use, looked at in turn. A C1 has one, 1, and refuses to be told so.
    """

    baudrate = 115200
    parity = "N"
    stopbits = 1.0

    def __init__(self, name: str, *, antennas: Sequence[int] = (1,)) -> None:
        if not antennas or len(set(antennas)) < len(antennas) or not set(antennas) <= ANTENNAS:
            text = f"it must be numbers from 1 to {max(ANTENNAS)}, each once, not {list(antennas)}"
            raise DriverConfigError(name, "antennas", text)
        self.antennas = tuple(str(number) for number in antennas)
        self.absence_timeout_s = ABSENCE_TIMEOUT_S + ABSENCE_TIMEOUT_PER_ANTENNA_S * len(antennas)
        greeting = [Request(build_command(POLLING, 0), TIMEOUT_S), Request(build_command(VERSION), TIMEOUT_S)]
        session = PollSession(name, greeting, self._make_request)
        super().__init__(name, session, FrameReceiver(name, parse_frame, FRAME_TIMEOUT_S))
        self._numbers = tuple(antennas)
        self._may_repeat = self._wants_repeat = False
        self._polling_ended_at = float("-inf")
        self._round_trouble = ""
        self._forget_trouble()
        self._begin_round()

    def on_port_opened(self) -> bytes:
        """Begin anew; the first question comes with the next tick."""
        self._forget_trouble()
        return super().on_port_opened()

    def receive_data(self, data: bytes, now: float) -> Sequence[DeviceEvent]:
        """Translate what the reader sent."""
        events = super().receive_data(data, now)
        self._note_damage(events)
        return events

    def on_tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        """Ask the next question, or for a damaged answer again."""
        data, events = super().on_tick(now)
        self._note_damage(events)
        if data:
            self._may_repeat = True
        elif self._wants_repeat and self._session.pending_request is not None:
            data, self._may_repeat = REPEAT, False
        self._wants_repeat = False
        return data, events

    def _note_damage(self, events: Sequence[DeviceEvent]) -> None:
        """Want a damaged answer again, once for each question: a look for tags need not be waited for twice."""
        if self._may_repeat and any(isinstance(event, NoiseDropped) for event in events):
            self._wants_repeat = True

    # What is asked: an antenna, how many tags are there, each of them; and the next antenna.

    def _begin_round(self) -> None:
        """Forget what the reader was found to be: it may be another one."""
        self._has_multiplexer = True
        self._turn = 0
        self._begin_antenna()

    def _begin_antenna(self) -> None:
        self._is_selected = not self._has_multiplexer
        self._tag_count: int | None = None
        self._next_tag = 0
        self._is_unanswered = False

    def _make_request(self) -> Request:
        """Make the next question of the round.

        One that stays unanswered is followed by the choice of its antenna: a reader that has started anew meanwhile
        stands at another, and its tags would lie at the wrong place.
        """
        if self._is_unanswered:
            self._begin_antenna()
        self._is_unanswered = True
        if not self._is_selected:
            return Request(build_command(ANTENNA, self._numbers[self._turn]), TIMEOUT_S)
        if self._tag_count is None:
            return Request(build_command(TAG_COUNT), LOOK_TIMEOUT_S)
        return Request(build_command(TAG_UID, self._next_tag), TIMEOUT_S)

    # What is answered.

    def _handle_response(self, answer: bytes) -> list[DeviceEvent]:
        request = self._session.pending_request
        if answer[0] == PUSHED:
            self._end_polling()
            return []
        if request is None:
            return []
        asked = request[HEADER_BYTES]
        if answer[0] == ERROR:
            return self._handle_error(asked, answer)
        if answer[:2] != bytes((ACK, asked)):
            return []
        if self._session.is_ready:
            self._is_unanswered = False
            events = self._handle_look(asked, answer[2:])
            return events + self._session.on_response(self._now)
        if asked == VERSION:
            self._session.firmware = answer[2:].rstrip(b"\0").decode("ascii", "replace")
            self._begin_round()
            if self._session.is_lost:
                self._forget_trouble()
        events = self._session.on_response(self._now)
        return [] if self._is_trouble_told else events  # told anew not to look by itself, it is not well by that

    def _end_polling(self) -> bool:
        """Turn off anew what somebody, over the reader's own network, has turned on; whether it is time for that."""
        is_due = self._session.is_ready and self._now - self._polling_ended_at >= POLLING_INTERVAL_S
        if is_due:
            self._polling_ended_at = self._now
            self._session.restart()
        return is_due

    def _handle_look(self, asked: int, data: bytes) -> list[DeviceEvent]:
        if asked == ANTENNA:
            self._is_selected = True
            return []
        if asked == TAG_COUNT:
            self._tag_count = min(data[0], MAX_TAGS) if data else 0
            return [] if self._tag_count else self._go_on()
        tag = parse_tag(data[2:])  # behind its type, and SAK or DSFID (manual, 3.1.5)
        antenna = self.antennas[self._turn]
        self._next_tag += 1
        is_last = self._next_tag == self._tag_count
        read = (
            TagRead(self.name, tag, antenna) if tag else NoiseDropped(self.name, len(data), "not the length of a UID")
        )
        return [read, *(self._go_on() if is_last else [])]

    def _go_on(self) -> list[DeviceEvent]:
        """Turn to the next antenna; say what a whole round shows of the reader."""
        self._turn = (self._turn + 1) % len(self._numbers)
        self._begin_antenna()
        return [] if self._turn else self._judge_round()

    def _handle_error(self, asked: int, answer: bytes) -> list[DeviceEvent]:
        """Take an error: FF, the command that it is about, a layer and the number (manual, 3.1.2)."""
        number = answer[-1]
        if answer == bytes((ERROR, ERROR, WRONG_CRC)):
            self._session.expire_request()
            return []
        if answer[1:2] != bytes((asked,)):
            return []
        if not self._session.is_ready:
            return self._session.on_refusal(f"it refuses command {asked:02X}: {describe_error(number)}", self._now)
        if number == NOT_NOW and self._end_polling():
            return []
        self._is_unanswered = False
        answered = self._session.on_response(self._now)
        if asked == ANTENNA and self._numbers == (1,):
            self._has_multiplexer, self._is_selected = False, True
            return answered
        if asked == ANTENNA or (asked == TAG_COUNT and number not in NO_TAG_ERRORS):
            hint = "; a C1 without multiplexer has one antenna: antennas = [1]" if asked == ANTENNA else ""
            text = f"its antenna {self.antennas[self._turn]} cannot be used: {describe_error(number)}"
            self._round_trouble = self._round_trouble or text + hint
        return [*answered, *self._go_on()]

    # What becomes of trouble: it is told when it stays, and is over when it has stayed away.

    def _forget_trouble(self) -> None:
        self._round_trouble = ""
        self._troubled_rounds = 0
        self._is_trouble_told = False
        self._trouble_at = float("-inf")

    def _judge_round(self) -> list[DeviceEvent]:
        trouble, self._round_trouble = self._round_trouble, ""
        if trouble:
            self._trouble_at = self._now
            self._troubled_rounds += 1
            if self._is_trouble_told or self._troubled_rounds < MAX_TROUBLED_ROUNDS:
                return []
            self._is_trouble_told = True
            return [DeviceLost(self.name, trouble)]
        self._troubled_rounds = 0
        if not self._is_trouble_told or self._now - self._trouble_at < RECOVERY_S:
            return []
        self._is_trouble_told = False
        return [DeviceReady(self.name, self._session.firmware)]


def describe_error(number: int) -> str:
    """Say in words what an error means."""
    return f"{WORDS_BY_ERROR.get(number, 'an error')} (error {number:02X})"
