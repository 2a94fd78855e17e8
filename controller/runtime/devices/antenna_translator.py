"""Turns what antennas under seats, board and muck read into `seen` events of the table.

A reader repeats a tag as long as it lies there; the table is told once, when it has come to lie there: a card on its
way to another seat is read in passing, but not again at the same antenna. A reader with several antennas names the one
that read, and each may lie at another place.
"""

from collections.abc import Collection, Mapping, Sequence

from controller.core.protocol import events
from controller.runtime.devices.deck_store import Deck
from controller.runtime.faults.notices import Notice, NoticeCode
from drivers.contract.driver_interface import DeviceEvent, TagRead

FOREIGN_TAG_MESSAGE = "A tag that is no card of the deck in play lies at {place}: take it away, or register it."

MIN_ABSENCE_TIMEOUT_S = 2.0
"""A tag unread for this long has been taken away, however quick the reader: hands shade antennas for a moment."""

SETTLING_TIME_S = 0.3
"""A tag that is still read so long after it came lies there: a card that is dealt past an antenna is gone sooner."""


class AntennaTranslator:
    """The antennas of one reader.

    `places` maps each antenna, as the driver names it, to its place: "board", "muck" or "seat N"; under `None` is the
    place of a reader that has only one. What `shoe_antennas` read is the shoe's to translate. `gone_after` is the
    reader's own; where it is 0 the reader speaks once for each arrival, and its one read has to be believed.
    """

    def __init__(
        self,
        name: str,
        deck: Deck,
        places: Mapping[str | None, str],
        *,
        gone_after: float,
        shoe_antennas: Collection[str | None] = (),
    ) -> None:
        self.name = name
        self.deck = deck
        self._place_by_antenna = places
        self._shoe_antennas = frozenset(shoe_antennas)
        self._absence_timeout_s = max(gone_after, MIN_ABSENCE_TIMEOUT_S)
        self._settling_time_s = SETTLING_TIME_S if gone_after else 0.0
        self._came_at: dict[tuple[str, str], float] = {}
        """When a tag came to a place where it lies, or is read in passing."""
        self._last_read_at: dict[tuple[str, str], float] = {}
        self._told: set[tuple[str, str]] = set()
        """What the table was told to lie at a place."""
        self._forget_at = 0.0
        self._hand_number = 0

    def is_in_shoe(self, antenna: str | None) -> bool:
        """Whether an antenna lies in the shoe."""
        return antenna in self._shoe_antennas

    def translate(self, event: DeviceEvent, now: float, hand: int | None) -> Sequence[events.Event | Notice]:
        """Say what a read means in hand number `hand`; between hands (`None`) cards lie about and mean nothing."""
        if hand is None:
            self._forget_reads()
        if not isinstance(event, TagRead) or hand is None:
            return ()
        if hand != self._hand_number:
            self._hand_number = hand
            self._forget_reads()
        place = self._place_by_antenna.get(event.antenna, self._place_by_antenna.get(None))
        if place is None:
            text = f"Antenna {event.antenna} read a tag, and the configuration does not say where it lies."
            return (Notice(NoticeCode.MEANING_UNKNOWN, self.name, text),)
        if not self._has_come_to_lie((place, event.tag), now):
            return ()
        card = self.deck.card_by_tag.get(event.tag)
        if card is None:
            return (Notice(NoticeCode.FOREIGN_TAG, self.name, FOREIGN_TAG_MESSAGE.format(place=place)),)
        return (events.CardDetected(place, card),)

    def _has_come_to_lie(self, read: tuple[str, str], now: float) -> bool:
        """Note that a place reads a tag; say whether it lies there now, once while it does."""
        self._forget_absent_tags(now)
        last = self._last_read_at.get(read)
        self._last_read_at[read] = now
        if last is None or now - last > self._absence_timeout_s:
            self._came_at[read] = now
            self._told.discard(read)
        if read in self._told or now - self._came_at[read] < self._settling_time_s:
            return False
        self._told.add(read)
        return True

    def _forget_absent_tags(self, now: float) -> None:
        """Forget what was taken away: a hand may last for hours, and a reader that reads noise names ever new tags."""
        if now < self._forget_at:
            return
        self._forget_at = now + self._absence_timeout_s
        for read in [read for read, at in self._last_read_at.items() if now - at > self._absence_timeout_s]:
            del self._last_read_at[read], self._came_at[read]
            self._told.discard(read)

    def _forget_reads(self) -> None:
        self._came_at.clear()
        self._last_read_at.clear()
        self._told.clear()
