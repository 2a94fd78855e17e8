"""A PN532 on its high-speed UART: NFC tags and cards (ISO 14443A), two at once.

Facts from NXP UM0701-02. Frames carry two sums of eight bits, which two damaged bytes can cheat together; so a tag
counts at its second mention. For that the chip is asked by a NACK to say its answer once more, and so it is where an
answer came damaged; one that does not know NACK is asked for tags again. The chip answers every command with an
acknowledgement within 15 ms, then with a response. It sleeps after power-on until it hears a long preamble, looks for
no tag before it was told that it has no secure module, and waits for ever for a tag unless told how often to try.

Some chips of firmware 1.6 that are asked for two tags name a single one only every second time, and of two they name
two, one, and none: an acknowledgement without a response (community.nxp.com/thread/481864). Asked for one they always
name it.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

from drivers.contract.driver_interface import DeviceEvent, NoiseDropped, TagRead
from drivers.readers.framing import NEED_DATA, Frame, FrameReceiver, NeedData, Noise, Padding, TagConfirmer
from drivers.readers.poll_session import PollSession, Request
from drivers.readers.polled_reader import PolledReader

ACK = bytes.fromhex("0000FF00FF00")

NACK = bytes.fromhex("0000FFFF0000")
"""Asks for the last response once more, which then comes without an ACK (UM0701-02, 6.2.1.4).

On I2C firmware 1.6 does so (log in esphome/issues #3281). On a UART neither nfcpy nor libnfc sends it, and libnfc names
a reader of the family that does not know it (`pn53x_usb.c`): so nothing may hang on it.
"""

TO_CHIP, TO_HOST = 0xD4, 0xD5

SAM_CONFIGURATION = bytes((0x14, 0x01))
"""Normal mode, no secure module."""

ONE_RETRY = bytes((0x32, 0x05, 0x01, 0x00, 0x01))
"""RFConfiguration item 5, MaxRetries: look for tags twice and say that there is none, instead of waiting for ever.

As nfcpy sets it. A tag that the last poll left active answers no request but falls back to idle (ISO 14443-3), so that
with a single try (00) every second poll can be empty; libnfc reports trouble with 00 too.
"""

GET_FIRMWARE = bytes((0x02,))

LIST_TAGS = 0x4A
"""InListPassiveTarget."""

WAKE_UP = bytes((0x55, 0x55)) + bytes(14)

MAX_BODY_BYTES = 264
"""TFI and data of the longest frame (UM0701-02, 6.2.1.2)."""

UID_SIZES = (4, 7, 10)

WAKE_UP_TIMEOUT_S = 0.5
"""A serial adapter on a Raspberry Pi may hold back the first answer for 1 s (nfcpy): three times this is enough."""

POLL_TIMEOUT_S = 0.2
"""Looking for two tags takes some 50 ms; what comes no sooner than this is a poll without a response."""

FRAME_TIMEOUT_S = 0.1

REPEAT_TIMEOUT_S = 0.025
"""An answer said again is there after 3 to 5 ms, or 16 ms later by an FT232R that was not set to low latency."""

QUIET_S = 0.004
"""How long nothing has come when a damaged answer is over: longer than the 1 ms of a USB frame between two bytes."""

MAX_REPEATS = 2
"""How often one answer is asked for again; then the chip is asked for tags anew."""

MAX_USELESS_REPEATS = 2
"""After so many NACKs in a row that brought nothing, or something else, the chip is taken for one that knows none."""

ABSENCE_TIMEOUT_S_BY_TAGS = {1: 0.5, 2: 1.0}
"""Asked for two, a chip may name a tag once in three polls, one of which times out: 0.3 s, and one may be lost."""


def build_frame(command: bytes) -> bytes:
    """Wrap a command for the chip in a normal frame."""
    body = bytes((TO_CHIP,)) + command
    return bytes((0, 0, 0xFF, len(body), -len(body) & 0xFF)) + body + bytes((-sum(body) & 0xFF, 0))


def parse_frame(data: bytes) -> Frame[bytes] | Padding | Noise | NeedData:
    """Judge what may be a frame: what comes back is `ACK` or the response code and its data."""
    if data[0] != 0:
        return Noise("no frame start")
    if len(data) < 4:
        return (
            Padding(1)
            if data[1:2] == b"\0"
            else Noise("no frame start")
            if data[1:2] not in (b"", b"\xff")
            else NEED_DATA
        )
    if data[1] == 0:
        return Padding(1)
    if data[1] != 0xFF:
        return Noise("no frame start")
    if data[2:4] == b"\x00\xff":
        return Frame(4, ACK)
    if data[2:4] == b"\xff\xff":
        return _parse_body(data, 7, int.from_bytes(data[4:6], "big")) if len(data) >= 7 else NEED_DATA
    return _parse_body(data, 4, data[2])


def _parse_body(data: bytes, head: int, size: int) -> Frame[bytes] | Noise | NeedData:
    lengths = data[head - 3 : head] if head == 7 else data[2:4]
    if sum(lengths) & 0xFF or not 2 <= size <= MAX_BODY_BYTES:
        return Noise("wrong length sum")
    body = data[head : head + size]
    if body[:1] not in (b"", bytes((TO_HOST,))):
        return Noise("not from the chip")
    end = head + size + 1
    if len(data) <= end:
        return NEED_DATA
    if sum(data[head:end]) & 0xFF:
        return Noise("wrong data sum")
    # A frame that lost a zero of its UID takes its sum for data and its postamble for the sum, and both sums are right.
    if data[end]:
        return Noise("no frame end")
    return Frame(end + 1, body[1:])


def parse_uids(data: bytes) -> Iterator[str]:
    """Yield the tags of a response to InListPassiveTarget, from its count on; stops where the layout does not hold."""
    at, left = 1, data[0] if data else 0
    while left and len(data) >= at + 5:
        selected, size = data[at + 3], data[at + 4]
        uid = data[at + 5 : at + 5 + size]
        if size not in UID_SIZES or len(uid) != size:
            return
        yield uid.hex().upper()
        at += 5 + size
        if selected & 0x20:
            at += data[at] if at < len(data) else 0
        left -= 1


class Pn532(PolledReader[bytes]):
    """A PN532; reports every tag in its field, again with each poll.

    `tags` is how many tags it looks for at once: two lie on each other at a seat.
    """

    baudrate = 115200
    parity = "N"
    stopbits = 1.0

    def __init__(self, name: str, *, tags: Literal[1, 2] = 2) -> None:
        self.absence_timeout_s = ABSENCE_TIMEOUT_S_BY_TAGS[tags]
        self._poll = Request(build_frame(bytes((LIST_TAGS, tags, 0x00))), timeout_s=POLL_TIMEOUT_S)
        greeting = (
            Request(WAKE_UP + build_frame(SAM_CONFIGURATION), timeout_s=WAKE_UP_TIMEOUT_S),
            Request(build_frame(GET_FIRMWARE)),
            Request(build_frame(ONE_RETRY)),
        )
        super().__init__(
            name,
            PollSession(name, greeting, self._choose_request),
            FrameReceiver(name, parse_frame, FRAME_TIMEOUT_S, idle=b"\0"),
        )
        self._tag_confirmer = TagConfirmer(2, self.absence_timeout_s)
        self._heard_at = 0.0
        self._useless_repeats = 0
        self._is_damaged = False
        self._begin_poll()

    def on_port_opened(self) -> bytes:
        """Begin anew, with what may be another chip."""
        self._useless_repeats = 0
        self._begin_poll()
        return super().on_port_opened()

    def receive_data(self, data: bytes, now: float) -> Sequence[DeviceEvent]:
        """Translate what the chip sent."""
        events = super().receive_data(data, now)
        self._heard_at = now
        self._note_damage(events)
        return events

    def on_tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        """Ask for tags, or for the last answer once more."""
        if self._is_damaged and self._session.is_ready and now >= self._heard_at + QUIET_S:
            self._is_damaged = self._is_repeat_awaited = False
            self._wants_repeat = True
            self._session.expire_request()
        data, events = super().on_tick(now)
        self._note_damage(events)
        if data == NACK:
            self._repeat_until = now + REPEAT_TIMEOUT_S
        return data, events

    def next_tick_at(self, now: float) -> float | None:
        """Ask for the end of what is waited for, where that is sooner than the next regular tick."""
        wanted = super().next_tick_at(now)
        if self._is_damaged:
            return min(self._heard_at + QUIET_S, wanted or now)
        return min(self._repeat_until, wanted or now) if self._is_repeat_awaited else wanted

    def _begin_poll(self) -> None:
        self._first_answer: bytes | None = None
        """The answer that named a tag for the first time, until it was said once more."""
        self._repeat_count, self._repeat_until = 0, 0.0
        self._wants_repeat = self._is_repeat_awaited = False
        self._is_acknowledged = False
        self._is_damaged = False

    def _can_repeat(self) -> bool:
        return self._repeat_count < MAX_REPEATS and self._useless_repeats < MAX_USELESS_REPEATS

    def _choose_request(self) -> Request:
        """Return what is asked next: tags, where nothing is to be said again."""
        if self._is_repeat_awaited:
            self._useless_repeats += 1
            self._is_repeat_awaited = False
        if self._wants_repeat and self._can_repeat():
            self._wants_repeat, self._is_repeat_awaited = False, True
            self._repeat_count += 1
            return Request(NACK, REPEAT_TIMEOUT_S, is_optional=True)
        self._begin_poll()
        return self._poll

    def _note_damage(self, events: Sequence[DeviceEvent]) -> None:
        """Take noise for a damaged answer, once the question was acknowledged: until then it is the damaged ACK."""
        is_awaited = self._session.pending_request is not None and (self._is_acknowledged or self._is_repeat_awaited)
        if is_awaited and self._can_repeat() and any(isinstance(event, NoiseDropped) for event in events):
            self._is_damaged = self._session.is_ready

    def _handle_response(self, response: bytes) -> list[DeviceEvent]:
        asked = self._session.pending_request
        if asked is None:
            return []
        if response == ACK:
            self._is_acknowledged = True
            return []
        command = LIST_TAGS if asked == NACK else asked[asked.index(b"\x00\xff") + 5]
        if response[0] != command + 1:
            return []
        if command == GET_FIRMWARE[0] and len(response) >= 4:
            self._session.firmware = f"{response[2]}.{response[3]}"
        events = self._session.on_response(self._now)
        return events + self._handle_tags(response[1:]) if command == LIST_TAGS else events

    def _handle_tags(self, answer: bytes) -> list[DeviceEvent]:
        """Report what was said twice, and want it said once more where something is new."""
        first, self._first_answer = self._first_answer, None
        self._is_repeat_awaited = self._is_damaged = False
        if first is not None and first != answer:
            self._useless_repeats += 1
            for uid in parse_uids(first):
                self._tag_confirmer.forget_unconfirmed(uid)
            return []
        if first is not None:
            self._useless_repeats = 0
        is_read_by_tag = {uid: self._tag_confirmer.confirm(uid, self._now) for uid in parse_uids(answer)}
        if not all(is_read_by_tag.values()):
            self._first_answer, self._wants_repeat = answer, True
        return [TagRead(self.name, uid) for uid, is_read in is_read_by_tag.items() if is_read]
