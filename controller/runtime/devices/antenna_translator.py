"""Turns what antennas under seats, board and muck read into `seen` events of the table.

A reader repeats a tag as long as it lies there; the table is told once, when it came. A reader with several antennas
names the one that read, and each may lie at another place.
"""

from collections.abc import Collection, Mapping, Sequence

from controller.core.protocol import events
from controller.runtime.devices.deck_store import Deck
from controller.runtime.faults.notices import Notice, NoticeCode
from drivers.contract.driver_interface import DeviceEvent, TagRead

FOREIGN_TAG_MESSAGE = "A tag that is no card of the deck in play lies at {place}: take it away, or register it."

MIN_ABSENCE_TIMEOUT_S = 2.0
"""A tag unread for this long has been taken away, however quick the reader: hands shade antennas for a moment."""


class AntennaTranslator:
    """The antennas of one reader.

    `places` maps each antenna, as the driver names it, to its place: "board", "muck" or "seat N"; under `None` is the
    place of a reader that has only one. What `shoe_antennas` read is the shoe's to translate. `gone_after` is the
    reader's own.
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
        self._last_read_at: dict[tuple[str, str], float] = {}
        self._hand_number = 0

    def is_in_shoe(self, antenna: str | None) -> bool:
        """Whether an antenna lies in the shoe."""
        return antenna in self._shoe_antennas

    def translate(self, event: DeviceEvent, now: float, hand: int | None) -> Sequence[events.Event | Notice]:
        """Say what a read means in hand number `hand`; between hands (`None`) cards lie about and mean nothing."""
        if hand is None:
            self._last_read_at.clear()
        if not isinstance(event, TagRead) or hand is None:
            return ()
        if hand != self._hand_number:
            self._hand_number = hand
            self._last_read_at.clear()
        place = self._place_by_antenna.get(event.antenna, self._place_by_antenna.get(None))
        if place is None:
            text = f"Antenna {event.antenna} read a tag, and the configuration does not say where it lies."
            return (Notice(NoticeCode.MEANING_UNKNOWN, self.name, text),)
        last = self._last_read_at.get((place, event.tag))
        self._last_read_at[place, event.tag] = now
        if last is not None and now - last <= self._absence_timeout_s:
            return ()
        card = self.deck.card_by_tag.get(event.tag)
        if card is None:
            return (Notice(NoticeCode.FOREIGN_TAG, self.name, FOREIGN_TAG_MESSAGE.format(place=place)),)
        return (events.CardDetected(place, card),)
