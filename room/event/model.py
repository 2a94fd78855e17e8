"""What a room knows of a tournament: who has registered, who sits where, what the tables still have to be told."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, unique
from typing import Any

from controller.core.rules.questions.house.tournament import TournamentRules
from controller.core.tournament.event import Tournament
from controller.core.tournament.schedule import Schedule

Seat = tuple[str, int]
"""A table and the number of a chair."""

KEPT = 200
"""So many moves and finished duties are remembered, for boards and desk; the lines have them all."""


@unique
class How(Enum):
    """How far a duty is. ASKED: the table was asked, and its answer has not been heard."""

    OPEN = "open"
    ASKED = "asked"
    REFUSED = "refused"
    ENTERED = "entered"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Duty:
    """A line of the table script that a table is to enter by somebody's word.

    `needs`: duties that come first. `carries`: the `leave` whose stack and penalty this `sit` brings along. `seen`,
    `hand`, `idle`: the table's last entry and hand when it was asked, and whether that was over; `entry`: the number
    that it answered. `stack`, `misses`: of who leaves; `level`: the table's own.
    """

    number: int
    table: str
    line: Mapping[str, Any]
    by: str
    player: str = ""
    needs: tuple[int, ...] = ()
    carries: int = 0
    how: How = How.OPEN
    entry: int | None = None
    why: str = ""
    seen: int = 0
    hand: int = 0
    idle: bool = True
    stack: int | None = None
    misses: int = 0
    level: int = 0
    at: float = 0.0

    @property
    def word(self) -> str:
        """The word of its line."""
        return str(self.line["ev"])


@dataclass(frozen=True, slots=True)
class Moved:
    """A player was told to change seats; `until`: the `sit` that ends it, `why`: ids of the clauses."""

    at: float
    player: str
    source: Seat | None
    to: Seat
    until: int
    kind: str
    why: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Round:
    """One hand that all tables play together: the `number`th since hand for hand began.

    `tables`: who plays it, with the hand after which each is done; 0 until the table has been asked. `told`: who has
    done it by the word of the floor, where a table is not reached.
    """

    number: int
    tables: Mapping[str, int]
    told: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Event:
    """A tournament over tables after its last line.

    `tables`: those in play, name -> chairs, in the order in which they break. `stack`: the chips of an entry.
    `capacity`: of entries at a time. `drawn`: seats have been drawn. `tournament`: `None` until it starts. `seats`: who
    sits where once all moves are done. `free`: seats of those who went out, in that order, and not yet taken again.
    `last_out`: table -> its hand and the seats of those who went out on it. `rounds`: `None` unless tables play hand
    for hand. `by_hand_for_hand`: that is what has stopped the clock. `paid`: who has been paid out.
    `by_tables`: what a table has seen of an elimination counts without a person's word. `closed_by`, `closed_at`: who
    has said when that nothing more is played.
    """

    title: str
    rulebook: str
    book: TournamentRules
    schedule: Schedule
    buy_in: int
    stack: int
    capacity: int
    tables: Mapping[str, int]
    late_levels: int = 0
    bounty: int = 0
    seat_price: int = 0
    unlimited_rebuys: bool = False
    by_tables: bool = False
    at_start: int = 0
    registered: tuple[str, ...] = ()
    alternates: tuple[str, ...] = ()
    drawn: bool = False
    tournament: Tournament | None = None
    seats: Mapping[str, Seat] = field(default_factory=dict)
    free: tuple[Seat, ...] = ()
    last_out: Mapping[str, tuple[int, tuple[int, ...]]] = field(default_factory=dict)
    duties: Mapping[int, Duty] = field(default_factory=dict)
    done: tuple[Duty, ...] = ()
    duties_made: int = 0
    moved: tuple[Moved, ...] = ()
    rounds: Round | None = None
    by_hand_for_hand: bool = False
    paid: tuple[str, ...] = ()
    closed_by: str = ""
    closed_at: float = 0.0
    number: int = 0
    at: float = 0.0

    @property
    def playing(self) -> tuple[str, ...]:
        """Who has a seat, or will be drawn one."""
        return self.registered if self.tournament is None else self.tournament.remaining

    @property
    def over(self) -> bool:
        """Whether it is played out: one is left, or in a satellite no more than it has seats."""
        tournament = self.tournament
        return tournament is not None and (len(tournament.remaining) < 2 or tournament.over)

    def at_table(self, table: str) -> dict[int, str]:
        """Who sits at a table once all moves are done: seat -> player, by seat."""
        return dict(sorted((seat, player) for player, (name, seat) in self.seats.items() if name == table))

    def by_table(self) -> dict[str, dict[int, str]]:
        """Who sits where once all moves are done: table -> seat -> player, tables in their order."""
        found: dict[str, dict[int, str]] = {table: {} for table in self.tables}
        for player, (table, seat) in self.seats.items():
            found.setdefault(table, {})[seat] = player
        return {table: dict(sorted(seats.items())) for table, seats in found.items()}

    def open_seats(self) -> tuple[Seat, ...]:
        """Chairs of the tables in play that nobody has."""
        taken = set(self.seats.values())
        chairs = ((table, seat) for table, places in self.tables.items() for seat in range(1, places + 1))
        return tuple(place for place in chairs if place not in taken)

    def asks(self, duties: Iterable[Duty]) -> "Event":
        """The event with new duties; they are numbered by `next_duty` on."""
        new = {duty.number: duty for duty in duties}
        return replace(self, duties={**self.duties, **new}, duties_made=self.duties_made + len(new))

    @property
    def next_duty(self) -> int:
        """The number of the next duty."""
        return self.duties_made + 1
