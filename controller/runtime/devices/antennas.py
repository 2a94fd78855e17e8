"""Turns what antennas under seats, board and muck read into `seen` events of the table.

A reader repeats a tag as long as it lies there; the table is told once, when it came. A reader with several antennas
names the one that read, and each may lie at another place.
"""

from collections.abc import Mapping, Sequence

from controller.core.protocol import events
from controller.runtime.devices.decks import Deck
from controller.runtime.loop.notices import Code, Notice
from drivers.contract.base import DeviceEvent, TagRead

STRANGER = "A tag that is no card of the deck in play lies at {place}: take it away, or register it."

SEEN_AGAIN_SECONDS = 2.0
"""A tag unread for this long has been taken away, however quick the reader: hands shade antennas for a moment."""


class Antennas:
    """The antennas of one reader.

    `places` maps each antenna, as the driver names it, to its place: "board", "muck" or "seat N"; under `None` is the
    place of a reader that has only one. `gone_after` is the reader's own.
    """

    def __init__(self, name: str, deck: Deck, places: Mapping[str | None, str], *, gone_after: float) -> None:
        self.name = name
        self.deck = deck
        self._places = places
        self._gone_after = max(gone_after, SEEN_AGAIN_SECONDS)
        self._heard: dict[tuple[str, str], float] = {}
        self._hand = 0

    def translate(self, event: DeviceEvent, now: float, hand: int | None) -> Sequence[events.Event | Notice]:
        """Say what a read means in hand number `hand`; between hands (`None`) cards lie about and mean nothing."""
        if hand is None:
            self._heard.clear()
        if not isinstance(event, TagRead) or hand is None:
            return ()
        if hand != self._hand:
            self._hand = hand
            self._heard.clear()
        place = self._places.get(event.antenna, self._places.get(None))
        if place is None:
            text = f"Antenna {event.antenna} read a tag, and the configuration does not say where it lies."
            return (Notice(Code.UNASSIGNED, self.name, text),)
        last = self._heard.get((place, event.tag))
        self._heard[place, event.tag] = now
        if last is not None and now - last <= self._gone_after:
            return ()
        card = self.deck.cards.get(event.tag)
        if card is None:
            return (Notice(Code.FOREIGN_TAG, self.name, STRANGER.format(place=place)),)
        return (events.Seen(place, card),)
