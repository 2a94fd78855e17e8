"""ST's CR95HF and ST25R95 on their UART: ISO 15693 or ISO 14443A, one tag at a time.

Facts from ST's datasheet, its firmware (ceres-c/CR95HF_Firmware, `lib_iso14443Apcd.c`) and captures of its community.
The UART frames carry no check. An ISO 15693 answer is passed on with the CRC of the air, which is checked here and
covers the UART too; an ISO 14443A UID has only an exclusive or, so it counts at its second mention. Two tags in the
field collide, and neither is read.
"""

from collections.abc import Sequence
from functools import reduce
from operator import xor
from typing import Literal

from drivers.contract.driver_interface import DeviceEvent, TagRead
from drivers.readers.framing import NEED_DATA, Frame, FrameReceiver, NeedData, Noise, TagConfirmer, translate_frames
from drivers.readers.iso15693 import crc16_x25, parse_uid
from drivers.readers.poll_session import PollSession, Request
from drivers.readers.polled_reader import PolledReader

ECHO = b"\x55"
IDENTIFY = b"\x01\x00"
SELECT_15693 = bytes.fromhex("02020109")
"""26 kbit/s, 100 % modulation, single subcarrier, CRC appended."""

SELECT_14443A = bytes.fromhex("02020200")
SET_TIMER_W = bytes.fromhex("09043A005A04")
"""Reception window for ISO 14443A, as ST sets it (ST community 37117); selecting the protocol undoes it."""

SET_ARC_B = bytes.fromhex("0904680101DF")
"""Modulation index and receiver gain for ISO 14443A, as ST's libraries set them; selecting the protocol undoes it."""

GUARD_TIME_S = 0.006
"""Seconds for a tag to wake after the protocol was selected: ST waits 5.1 ms before REQA and 5 ms before Inventory
(`lib_iso14443Apcd.c`, `lib_iso15693pcd.c`). What is set meanwhile counts as waiting."""

SEND_RECEIVE = 0x04
"""The command that says something to a tag."""

INVENTORY = bytes.fromhex("0403260100")
"""One slot, high data rate."""

REQA = bytes.fromhex("04022607")
ANTICOLLISION_LEVEL_1, ANTICOLLISION_LEVEL_2 = bytes.fromhex("0403932008"), bytes.fromhex("0403952008")
"""Anticollision of cascade levels 1 and 2."""

RESULT_OK, RESULT_DATA, RESULT_BROKEN_BYTE, RESULT_NO_ANSWER = 0x00, 0x80, 0x90, 0x87
"""`RESULT_BROKEN_BYTE` has data whose last byte is not whole (seen in ST community 37117): no answer of a card."""

MIN_BROKEN_BYTE_ANSWER_BYTES = 4
"""A byte of the air and three of state."""

ERROR_RESULTS = frozenset((*range(0x61, 0x72), 0x82, 0x83, *range(0x85, 0x90)))
"""Results that have no data, 87 ("nothing answered") among them."""

NEXT_SETTING_BY_COMMAND = {SELECT_14443A: SET_TIMER_W, SET_TIMER_W: SET_ARC_B, SET_ARC_B: REQA}
"""The way from the protocol to the first word to a card."""

MAX_ANSWER_BYTES = 0x20
CASCADE_TAG = 0x88

FRAME_TIMEOUT_S = 0.1
ABSENCE_TIMEOUT_S = 0.5

AirProtocol = Literal["iso15693", "iso14443a"]


def parse_frame(data: bytes) -> Frame[bytes] | Noise | NeedData:
    """Judge what may be an answer; what comes back is `ECHO`, or the result and its data."""
    if data[0] == ECHO[0]:
        return Frame(1, ECHO)
    if data[0] not in ERROR_RESULTS and data[0] not in (RESULT_OK, RESULT_DATA, RESULT_BROKEN_BYTE):
        return Noise("no result of this reader")
    if len(data) < 2:
        return NEED_DATA
    if data[1] > (0 if data[0] in ERROR_RESULTS else MAX_ANSWER_BYTES):
        return Noise("no answer length")
    if data[0] == RESULT_BROKEN_BYTE and data[1] < MIN_BROKEN_BYTE_ANSWER_BYTES:
        return Noise("no answer length")
    size = 2 + data[1]
    return Frame(size, data[:1] + data[2:size]) if len(data) >= size else NEED_DATA


def parse_iso15693_uid(data: bytes) -> str | None:
    """Return the UID of an inventory's data, if the air CRC is right and the status byte says so."""
    if len(data) != 13 or data[0] or data[12] or crc16_x25(data[:10]) != int.from_bytes(data[10:12], "little"):
        return None
    return parse_uid(data[2:10][::-1])


def parse_half_uid(data: bytes) -> bytes | None:
    """Return the four bytes of a cascade level, if their check byte is right."""
    return data[:4] if len(data) == 8 and reduce(xor, data[:5]) == 0 else None


class Cr95Hf(PolledReader[bytes]):
    """A CR95HF or ST25R95; reports the tag in its field again with each poll. `protocol` is what its cards speak."""

    baudrate = 57600
    parity = "N"
    stopbits = 2.0
    absence_timeout_s = ABSENCE_TIMEOUT_S

    def __init__(self, name: str, *, protocol: AirProtocol = "iso15693") -> None:
        self._is_type_a = protocol == "iso14443a"
        self._select_command = SELECT_14443A if self._is_type_a else SELECT_15693
        settings = (SET_TIMER_W, SET_ARC_B) if self._is_type_a else ()
        greeting = [Request(data) for data in (ECHO, IDENTIFY, self._select_command, *settings)]
        self._next_command = b""
        self._first_uid_half = b""
        self._is_field_fresh = True
        """Whether no tag has answered since the protocol was selected."""
        self._awake_at = 0.0
        """When a tag has had its time to wake, in monotonic seconds."""
        self._guard_left_s = 0.0
        """How much of that was left at the last answer."""
        dialogue = PollSession(name, greeting, self._make_poll)
        super().__init__(name, dialogue, FrameReceiver(name, parse_frame, FRAME_TIMEOUT_S))
        self._tag_confirmer = TagConfirmer(2 if self._is_type_a else 1, ABSENCE_TIMEOUT_S)

    def on_port_opened(self) -> bytes:
        """Begin anew; the first question comes with the next tick."""
        self._next_command = b""
        return super().on_port_opened()

    def on_tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        """Ask for a tag."""
        self._now = now
        events = translate_frames(self._receiver.check_silence(now), self._handle_response)
        data, lost = self._session.next_request(now)
        if lost:
            self._next_command = b""
        return data, events + lost

    def _make_poll(self) -> Request:
        """Make the next question, or the first of a poll.

        For type A that is the protocol anew where a card has answered, which brings it back to idle.
        """
        start = INVENTORY if not self._is_type_a else REQA if self._is_field_fresh else self._select_command
        command = self._next_command or start
        return Request(command, pause_s=self._guard_left_s if command in (INVENTORY, REQA) else 0.0)

    def _handle_response(self, answer: bytes) -> list[DeviceEvent]:
        asked = self._session.pending_request
        if asked is None or not _is_answer_to(asked, answer):
            return []
        greeted = self._session.is_ready
        events = self._session.on_response(self._now)
        if asked == self._select_command:
            self._awake_at = self._now + GUARD_TIME_S
            self._is_field_fresh = True
        elif asked[0] == SEND_RECEIVE and answer[0] != RESULT_NO_ANSWER:
            self._is_field_fresh = False
        self._guard_left_s = max(0.0, self._awake_at - self._now)
        if not greeted:
            return events
        data = answer[1:] if answer[0] == RESULT_DATA else b""
        tag = self._advance_type_a(asked, data) if self._is_type_a else parse_iso15693_uid(data)
        if tag is not None and self._tag_confirmer.confirm(tag, self._now):
            events.append(TagRead(self.name, tag))
        return events

    def _advance_type_a(self, asked: bytes, data: bytes) -> str | None:
        """Take one step of the way to a UID: settings, request, first half, its selection, second half."""
        self._next_command = b""
        if asked in NEXT_SETTING_BY_COMMAND:
            self._next_command = NEXT_SETTING_BY_COMMAND[asked]
        elif asked == REQA:
            self._next_command = ANTICOLLISION_LEVEL_1 if len(data) == 5 else b""
        elif asked == ANTICOLLISION_LEVEL_1:
            half = parse_half_uid(data)
            if half is None:
                return None
            if half[0] != CASCADE_TAG:
                return half.hex().upper()
            self._first_uid_half = half[1:]
            self._next_command = bytes.fromhex("04089370") + data[:5] + b"\x28"
        elif asked == ANTICOLLISION_LEVEL_2:
            half = parse_half_uid(data)
            return None if half is None else (self._first_uid_half + half).hex().upper()
        elif data:
            self._next_command = ANTICOLLISION_LEVEL_2
        return None


def _is_answer_to(asked: bytes, answer: bytes) -> bool:
    """Whether an answer can be the answer to what was asked: the UART frames do not say."""
    if asked == ECHO:
        return answer == ECHO
    if asked[0] == SEND_RECEIVE:
        return answer[0] in (RESULT_DATA, RESULT_BROKEN_BYTE) or answer[0] in ERROR_RESULTS
    if asked[0] == 0x09 and answer[0] in ERROR_RESULTS:
        return True  # the reader does without that setting
    return answer[0] == RESULT_OK and bool(answer[1:]) == (asked == IDENTIFY)
