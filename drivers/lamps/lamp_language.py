"""The lamp language: what each role of a seat's lamps looks like, whatever the lamps are made of.

Every role has one pattern in time, so that it can be told without its colour and on a seat that has a single lamp.
Every pattern begins lit: a lamp that is newly switched on is seen at once. None flashes more than three times in any
second (WCAG 2.3.1, because of photosensitive players). docs/lamps.md shows them to people.
"""

from collections.abc import Iterator, Mapping, Sequence

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
    "choice": "##..##..##......",
}
"""Role -> what the lamp does for two seconds (# lit), over and over. Where roles share a lamp, the first one shows."""

ROLES = tuple(PATTERNS)
"""The roles, the most urgent first: the fields of `controller.core.protocol.display.Lamps`."""

Lamp = tuple[str, int]
"""A role at a seat."""


class LampShow:
    """Which outputs are lit at this instant of their lamps' patterns.

    `users`: output -> its lamps, the most urgent first: the first of them that is on the table's list decides.
    """

    def __init__(self, users: Mapping[int, Sequence[Lamp]]) -> None:
        """Start dark."""
        self._outputs: dict[Lamp, list[tuple[int, int]]] = {}
        """Lamp -> the outputs that it lights, each with its place in the order of urgency there."""
        for output, of in users.items():
            for place, lamp in enumerate(of):
                self._outputs.setdefault(lamp, []).append((output, place))
        self._shown = Lamps()
        self._since: dict[Lamp, float] = {}
        self._deciding: tuple[tuple[int, Lamp], ...] = ()

    def show(self, lamps: Lamps, now: float) -> None:
        """Take the table's new list; a lamp that is on it already goes on with its pattern."""
        if lamps == self._shown:
            return
        self._shown = lamps
        wanted = [(role, seat) for role in ROLES for seat in getattr(lamps, role)]
        self._since = {lamp: self._since.get(lamp, now) for lamp in wanted}
        deciding: dict[int, tuple[int, Lamp]] = {}
        for lamp in wanted:
            for output, place in self._outputs.get(lamp, ()):
                if output not in deciding or place < deciding[output][0]:
                    deciding[output] = (place, lamp)
        self._deciding = tuple((output, lamp) for output, (_, lamp) in deciding.items())

    def lit(self, now: float) -> Iterator[tuple[int, str]]:
        """The outputs that are lit at `now`, each with the role that it shows."""
        for output, lamp in self._deciding:
            pattern = PATTERNS[lamp[0]]
            if pattern[int((now - self._since[lamp]) / SLOT_SECONDS) % len(pattern)] == "#":
                yield output, lamp[0]
