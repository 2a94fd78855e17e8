"""The lamp language: what each role of a seat's lamps looks like, whatever the lamps are made of.

Every role has one pattern in time, so that it can be told without its colour and on a seat that has a single lamp.
Every pattern begins lit: a lamp that is newly switched on is seen at once. None flashes more than three times in any
second (WCAG 2.3.1, because of photosensitive players). docs/lamps.md shows them to people.
"""

from collections.abc import Iterator, Mapping, Sequence

from controller.core.protocol.table_display import Lamps
from drivers.contract.device_errors import DriverConfigError

SLOT_DURATION_S = 0.125
"""How long one mark of a pattern lasts."""

PATTERN_BY_ROLE: dict[str, str] = {
    "attention": "#.#.#...#.#.#...",
    "act": "####....####....",
    "deal": "###.###.###.###.",
    "button": "################",
    "small_blind": "##############..",
    "big_blind": "##########..##..",
    "middle_blind": "########..####..",
    "kill": "########........",
    "winner_button": "######..##..##..",
    "choice": "##..##..##......",
}
"""Role -> what the lamp does for two seconds (# lit), over and over. Where roles share a lamp, the first one shows."""

ROLES = tuple(PATTERN_BY_ROLE)
"""The roles, the most urgent first: the fields of `controller.core.protocol.table_display.Lamps`."""

SeatLamp = tuple[str, int]
"""A role at a seat."""


class LampAnimator:
    """Which outputs are lit at this instant of their lamps' patterns.

    `users`: output -> its lamps, the most urgent first: the first of them that is on the table's list decides.
    """

    def __init__(self, users: Mapping[int, Sequence[SeatLamp]]) -> None:
        """Start dark."""
        self._outputs_by_lamp: dict[SeatLamp, list[tuple[int, int]]] = {}
        """Lamp -> the outputs that it lights, each with its place in the order of urgency there."""
        for output, of in users.items():
            for place, lamp in enumerate(of):
                self._outputs_by_lamp.setdefault(lamp, []).append((output, place))
        self._shown_lamps = Lamps()
        self._started_at_by_lamp: dict[SeatLamp, float] = {}
        self._deciding_lamps: tuple[tuple[int, SeatLamp], ...] = ()

    def show(self, lamps: Lamps, now: float) -> None:
        """Take the table's new list; a lamp that is on it already goes on with its pattern."""
        if lamps == self._shown_lamps:
            return
        self._shown_lamps = lamps
        wanted = [(role, seat) for role in ROLES for seat in getattr(lamps, role)]
        self._started_at_by_lamp = {lamp: self._started_at_by_lamp.get(lamp, now) for lamp in wanted}
        deciding: dict[int, tuple[int, SeatLamp]] = {}
        for lamp in wanted:
            for output, place in self._outputs_by_lamp.get(lamp, ()):
                if output not in deciding or place < deciding[output][0]:
                    deciding[output] = (place, lamp)
        self._deciding_lamps = tuple((output, lamp) for output, (_, lamp) in deciding.items())

    def lit_outputs(self, now: float) -> Iterator[tuple[int, str]]:
        """The outputs that are lit at `now`, each with the role that it shows."""
        for output, lamp in self._deciding_lamps:
            pattern = PATTERN_BY_ROLE[lamp[0]]
            if pattern[int((now - self._started_at_by_lamp[lamp]) / SLOT_DURATION_S) % len(pattern)] == "#":
                yield output, lamp[0]


def parse_outputs(device: str, outputs: Mapping[str, Mapping[str, int]], size: int) -> dict[int, tuple[SeatLamp, ...]]:
    """Turn role -> seat -> output about: output -> its lamps, the most urgent first. Refuses what cannot be."""
    users: dict[int, list[SeatLamp]] = {}
    for role in outputs:
        if role not in ROLES:
            raise DriverConfigError(device, f"outputs.{role}", f"there is no such role; there are {', '.join(ROLES)}")
    for role in ROLES:
        for seat, output in outputs.get(role, {}).items():
            key = f"outputs.{role}.{seat}"
            if not seat.isdecimal() or seat.startswith("0"):
                raise DriverConfigError(device, key, f"a seat is a number from 1, not {seat!r}")
            if not 0 <= output < size:
                raise DriverConfigError(device, key, f"there is no output {output}; there are 0 to {size - 1}")
            users.setdefault(output, []).append((role, int(seat)))
    if not users:
        raise DriverConfigError(device, "outputs", "no lamp is named: role -> seat -> output")
    return {output: tuple(lamps) for output, lamps in users.items()}
