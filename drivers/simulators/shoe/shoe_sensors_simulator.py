"""The far end of the sensors of a shoe: a card that passes, a lid that bounces when it shuts."""

import random
from functools import partial
from typing import Literal

from drivers.contract.driver_interface import PinEdge
from drivers.shoe.shoe_sensors import DEFAULT_JAM_S
from drivers.simulators.panels.contacts import Contact
from drivers.simulators.simulated_pins import SimulatedPins

Level = Literal["high", "low"]

DEFAULT_PASSAGE_S = 0.12
"""How long a card takes past the mouth; real ones take 30 to 300 ms."""

LID_BOUNCE_COUNT = 20


class ShoeSensorsSimulator:
    """Beams in the mouth of the shoe, which do not bounce, and a lid contact, which does."""

    def __init__(
        self,
        pins: SimulatedPins,
        *,
        edge_pin: int | None = None,
        edge_level: Level = "low",
        face_pin: int | None = None,
        face_level: Level = "low",
        lid_pin: int | None = None,
        lid_open_level: Level = "high",
        jam_seconds: float = DEFAULT_JAM_S,
    ) -> None:
        self._jam_seconds = jam_seconds
        self._clock = pins.clock
        self._random = random.Random(1)
        self._edge, self._face, self._lid = Contact(), Contact(), Contact()
        wires = (
            (edge_pin, self._edge, edge_level),
            (face_pin, self._face, face_level),
            (lid_pin, self._lid, lid_open_level),
        )
        for pin, contact, level in wires:
            if pin is not None:
                active = level == "high"
                pins.drive(pin, partial(self._get_level, contact, active), partial(self._list_edges, contact, active))

    def pass_card(self, seconds: float = DEFAULT_PASSAGE_S, *, face_up: bool = False) -> None:
        """Let a card pass the mouth now."""
        now = self._clock()
        self._edge.move(True, now, self._random, bounces=0)
        self._edge.move(False, now + seconds, self._random, bounces=0)
        if face_up:
            self._face.move(True, now, self._random, bounces=0)
            self._face.move(False, now + seconds, self._random, bounces=0)

    def cover_edge(self, begins: float, ends: float) -> None:
        """Cover the edge between two moments, the later one after those of earlier calls."""
        self._edge.move(True, begins, self._random, bounces=0)
        self._edge.move(False, ends, self._random, bounces=0)

    def jam(self) -> None:
        """Let a card stand in the mouth."""
        self._edge.move(True, self._clock(), self._random, bounces=0)

    def clear(self) -> None:
        """Take the card out of the mouth."""
        self._edge.move(False, self._clock(), self._random, bounces=0)

    def move_lid(self, *, open_it: bool) -> None:
        """Open or shut the lid."""
        self._lid.move(open_it, self._clock(), self._random, bounces=LID_BOUNCE_COUNT)

    def _get_level(self, contact: Contact, active: bool) -> bool:
        return contact.is_closed(self._clock()) == active

    @staticmethod
    def _list_edges(contact: Contact, active: bool, since: float, until: float) -> list[PinEdge]:
        return [PinEdge(closed == active, at) for at, closed in contact.list_changes(since, until)]
