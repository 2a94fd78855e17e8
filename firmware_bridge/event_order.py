"""Which event of a board comes next: each once, in order, and never across a restart."""

from enum import Enum, unique

from firmware_bridge.limits import RING
from firmware_bridge.wire_messages import Event, EventAck, Hello


def count_behind(number: int, other: int) -> int:
    """How far `number` lies behind `other` on the circle of 16 bits; negative when it lies before it."""
    return (other - number + 0x8000) % 0x10000 - 0x8000


@unique
class Arrival(Enum):
    """Where an event stands among those taken."""

    NEXT = "the next one: taken"
    REPEATED = "taken before: acknowledge again"
    EARLY = "one before it is missing: it will be repeated"
    FOREIGN = "of another boot: not ours to acknowledge"


class EventOrder:
    """The count of one boot of one board. `None` as the next number: nothing taken from any board yet."""

    def __init__(self) -> None:
        self._boot = 0
        self._next_number: int | None = None

    @property
    def has_begun(self) -> bool:
        """Whether a board has been counted at all."""
        return self._next_number is not None

    def begin(self, hello: Hello) -> None:
        """Count from the oldest event the board keeps."""
        self._boot = hello.boots & 0xFF
        self._next_number = hello.oldest_event

    def has_missed_events(self, hello: Hello) -> bool:
        """Whether events after the last one taken are no longer at the board: another host took them."""
        return self._next_number is not None and count_behind(self._next_number, hello.oldest_event) > 0

    def is_impossible(self, hello: Hello) -> bool:
        """Whether more was taken than this board can have said: it is not the board that was counted."""
        return self._next_number is not None and count_behind(hello.oldest_event, self._next_number) > RING

    def take(self, event: Event) -> Arrival:
        """Take the event if it is the next."""
        if self._next_number is None or event.boot != self._boot:
            return Arrival.FOREIGN
        late = count_behind(event.number, self._next_number)
        if late:
            return Arrival.REPEATED if late > 0 else Arrival.EARLY
        self._next_number = (event.number + 1) & 0xFFFF
        return Arrival.NEXT

    def make_acknowledgement(self) -> EventAck:
        """Say how far we are; only after something was taken or repeated."""
        assert self._next_number is not None
        return EventAck(self._boot, (self._next_number - 1) & 0xFFFF)
