"""Which event of a board comes next: each once, in order, and never across a restart."""

from enum import Enum, unique

from firmware_bridge.limits import RING
from firmware_bridge.messages import Event, EventAck, Hello


def behind(number: int, other: int) -> int:
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
        self._next: int | None = None

    @property
    def begun(self) -> bool:
        """Whether a board has been counted at all."""
        return self._next is not None

    def begin(self, hello: Hello) -> None:
        """Count from the oldest event the board keeps."""
        self._boot = hello.boots & 0xFF
        self._next = hello.oldest_event

    def missed(self, hello: Hello) -> bool:
        """Whether events after the last one taken are no longer at the board: another host took them."""
        return self._next is not None and behind(self._next, hello.oldest_event) > 0

    def impossible(self, hello: Hello) -> bool:
        """Whether more was taken than this board can have said: it is not the board that was counted."""
        return self._next is not None and behind(hello.oldest_event, self._next) > RING

    def take(self, event: Event) -> Arrival:
        """Take the event if it is the next."""
        if self._next is None or event.boot != self._boot:
            return Arrival.FOREIGN
        late = behind(event.number, self._next)
        if late:
            return Arrival.REPEATED if late > 0 else Arrival.EARLY
        self._next = (event.number + 1) & 0xFFFF
        return Arrival.NEXT

    def acknowledgement(self) -> EventAck:
        """Say how far we are; only after something was taken or repeated."""
        assert self._next is not None
        return EventAck(self._boot, (self._next - 1) & 0xFFFF)
