"""The lamp language: what each role of a seat's lamps looks like, whatever the lamps are made of.

Every role has one pattern in time, so that it can be told without its colour and on a seat that has a single lamp.
Every pattern begins lit: a lamp that is newly switched on is seen at once. None flashes more than three times in any
second (WCAG 2.3.1, because of photosensitive players). docs/lamps.md shows them to people.
"""

from controller.core.protocol.display import Lamps

SLOT_SECONDS = 0.125
"""How long one mark of a pattern lasts."""

PATTERNS: dict[str, str] = {
    "attention": "#.#.#...#.#.#...",
    "act": "####....####....",
    "deal": "###.###.###.###.",
    "button": "################",
    "small_blind": "##############..",
    "big_blind": "##########..##..",
    "kill": "########........",
    "winner_button": "######..##..##..",
}
"""Role -> what the lamp does for two seconds (# lit), over and over. Where roles share a lamp, the first one shows."""

ROLES = tuple(PATTERNS)
"""The roles, the most urgent first: the fields of `controller.core.protocol.display.Lamps`."""

Lamp = tuple[str, int]
"""A role at a seat."""


class LampShow:
    """Which lamps are on the table's list, and which of them are lit at this instant of their pattern."""

    def __init__(self) -> None:
        """Start dark."""
        self._since: dict[Lamp, float] = {}

    def show(self, lamps: Lamps, now: float) -> None:
        """Take the table's new list; a lamp that is on it already goes on with its pattern."""
        wanted = [(role, seat) for role in ROLES for seat in getattr(lamps, role)]
        self._since = {lamp: self._since.get(lamp, now) for lamp in wanted}

    def lit(self, lamp: Lamp, now: float) -> bool | None:
        """Whether a lamp is lit at `now`; `None` when it is not on the list."""
        since = self._since.get(lamp)
        if since is None:
            return None
        pattern = PATTERNS[lamp[0]]
        return pattern[int((now - since) / SLOT_SECONDS) % len(pattern)] == "#"
