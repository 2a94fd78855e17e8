"""Which tags lie at which reader: it says a tag up to ninety times a second, and people want its coming and going."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from drivers.contract.driver_interface import TagRead

MAX_PRESENT_TAGS = 256
"""Of how many tags it is remembered that they are there; more than lie at all readers of a table."""


@dataclass(frozen=True, slots=True)
class TagStay:
    """A tag at a reader: when it was read first and last, in monotonic seconds, and how often."""

    device: str
    antenna: str | None
    tag: str = field(repr=False)
    first_read_at: float
    last_read_at: float
    read_count: int

    def describe_reads(self) -> str:
        """Say for how long it was read, and how often."""
        duration_s = self.last_read_at - self.first_read_at
        times = "once" if self.read_count == 1 else f"{self.read_count} times in {duration_s:.2f} s"
        return f"read {times}"


class TagPresence:
    """Tells the coming and going of tags from what readers say over and over.

    `absence_timeouts_s` are those of the readers; one whose is 0 speaks once for each arrival, and its tags never go.
    """

    def __init__(self, absence_timeouts_s: Mapping[str, float]) -> None:
        self._absence_timeouts_s = absence_timeouts_s
        self._stay_by_place: dict[tuple[str, str | None, str], TagStay] = {}

    def take_read(self, event: TagRead, now: float) -> bool:
        """Take a read; return whether the tag has just come. Ask for `take_gone` first."""
        if not self._absence_timeouts_s.get(event.device):
            return True
        place = (event.device, event.antenna, event.tag)
        stay = self._stay_by_place.pop(place, None)
        known = stay or TagStay(event.device, event.antenna, event.tag, now, now, 0)
        self._stay_by_place[place] = replace(known, last_read_at=now, read_count=known.read_count + 1)
        return stay is None

    def take_gone(self, now: float) -> list[TagStay]:
        """Forget, and return, the tags that have gone by `now`, and the longest unread where there are too many."""
        too_many = max(0, len(self._stay_by_place) - MAX_PRESENT_TAGS)
        gone = [
            stay
            for number, stay in enumerate(self._stay_by_place.values())
            if number < too_many or now - stay.last_read_at > self._absence_timeouts_s[stay.device]
        ]
        for stay in gone:
            del self._stay_by_place[stay.device, stay.antenna, stay.tag]
        return gone

    def list_present(self) -> list[TagStay]:
        """Return the tags that are there."""
        return list(self._stay_by_place.values())
