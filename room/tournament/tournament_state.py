"""What a room knows of a tournament: who has registered, who sits where, what the tables still have to be told."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, unique
from typing import Any

from controller.core.rules.questions.house.tournament_rules import TournamentRules
from controller.core.tournament.money_terms import UNSAID_TERMS, MoneyTerms
from controller.core.tournament.schedule import Schedule
from controller.core.tournament.tournament import Tournament

TableSeat = tuple[str, int]
"""A table and the number of a chair."""

MAX_REMEMBERED = 200
"""So many moves and finished duties are remembered, for boards and desk; the lines have them all."""


@unique
class InstructionStatus(Enum):
    """How far a duty is. ASKED: the table was asked, and its answer has not been heard."""

    OPEN = "open"
    ASKED = "asked"
    REFUSED = "refused"
    ENTERED = "entered"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Instruction:
    """A line of the table script that a table is to enter by somebody's word.

    `prerequisites`: duties that come first. `source_leave`: the `leave` whose stack and penalty this `sit` brings
    along. `seen_entry`, `seen_hand`, `was_idle`: the table's last entry and hand when it was asked, and whether that
    was over; `answered_entry`: the number that it answered. `stack`, `penalty_hands`: of who leaves; `seen_level`: the
    table's own.
    """

    number: int
    table: str
    script_line: Mapping[str, Any]
    signer: str
    player: str = ""
    prerequisites: tuple[int, ...] = ()
    source_leave: int = 0
    status: InstructionStatus = InstructionStatus.OPEN
    answered_entry: int | None = None
    reason: str = ""
    seen_entry: int = 0
    seen_hand: int = 0
    was_idle: bool = True
    stack: int | None = None
    penalty_hands: int = 0
    seen_level: int = 0
    updated_at: float = 0.0

    @property
    def event_name(self) -> str:
        """The word of its line."""
        return str(self.script_line["ev"])


@dataclass(frozen=True, slots=True)
class PlayerMoved:
    """A player was told to change seats; `final_sit`: the `sit` that ends it, `clauses`: ids of the clauses."""

    moved_at: float
    player: str
    source_seat: TableSeat | None
    target_seat: TableSeat
    final_sit: int
    kind: str
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HandForHandRound:
    """One hand that all tables play together: the `number`th since hand for hand began.

    `target_hand_by_table`: who plays it, with the hand after which each is done; 0 until the table has been asked.
    `confirmed_tables`: who has done it by the word of the floor, where a table is not reached.
    """

    number: int
    target_hand_by_table: Mapping[str, int]
    confirmed_tables: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class RoomTournament:
    """A tournament over tables after its last line.

    `seat_count_by_table`: those in play, name -> chairs, in the order in which they break. `starting_stack`: the
    chips of an entry. `terms`: what else an entry costs, and where its money goes. `capacity`: of entries at a
    time. `seats_drawn`: seats have been drawn. `progress`: `None` until it starts. `seat_by_player`: who sits where
    once all moves are done. `freed_seats`: seats of those who went out, in that order, and not yet taken again.
    `last_elimination_by_table`: table -> its hand and the seats of those who went out on it. `current_round`:
    `None` unless tables play hand for hand. `paused_by_hand_for_hand`: that is what has stopped the clock.
    `paid_cents_by_player`: who has been paid out, and how much. `eliminates_by_tables`: what a table has seen of an
    elimination counts without a person's word. `closed_by`, `closed_at`: who has said when that nothing more is
    played.
    """

    title: str
    rulebook: str
    rules: TournamentRules
    schedule: Schedule
    buy_in: int
    starting_stack: int
    capacity: int
    seat_count_by_table: Mapping[str, int]
    late_entry_levels: int = 0
    bounty: int = 0
    satellite_seat_price: int = 0
    terms: MoneyTerms = UNSAID_TERMS
    unlimited_rebuys: bool = False
    eliminates_by_tables: bool = False
    table_count_at_start: int = 0
    registered_players: tuple[str, ...] = ()
    alternates: tuple[str, ...] = ()
    seats_drawn: bool = False
    progress: Tournament | None = None
    seat_by_player: Mapping[str, TableSeat] = field(default_factory=dict)
    freed_seats: tuple[TableSeat, ...] = ()
    last_elimination_by_table: Mapping[str, tuple[int, tuple[int, ...]]] = field(default_factory=dict)
    instruction_by_number: Mapping[int, Instruction] = field(default_factory=dict)
    finished_instructions: tuple[Instruction, ...] = ()
    instruction_count: int = 0
    moves: tuple[PlayerMoved, ...] = ()
    current_round: HandForHandRound | None = None
    paused_by_hand_for_hand: bool = False
    paid_cents_by_player: Mapping[str, int] = field(default_factory=dict)
    closed_by: str = ""
    closed_at: float = 0.0
    line_number: int = 0
    last_line_at: float = 0.0

    @property
    def active_players(self) -> tuple[str, ...]:
        """Who has a seat, or will be drawn one."""
        return self.registered_players if self.progress is None else self.progress.remaining_players

    def is_paid_out(self, player: str, prize_cents: int) -> bool:
        """Whether a player has the prize; where the event keeps no account, any."""
        paid = self.paid_cents_by_player.get(player)
        return paid is not None and (paid == prize_cents or not self.terms.has_account)

    @property
    def is_over(self) -> bool:
        """Whether it is played out: one is left, in a satellite no more than it has seats, or they have agreed."""
        return self.progress is not None and self.progress.is_over

    def seating_at(self, table: str) -> dict[int, str]:
        """Who sits at a table once all moves are done: seat -> player, by seat."""
        return dict(sorted((seat, player) for player, (name, seat) in self.seat_by_player.items() if name == table))

    def seating_by_table(self) -> dict[str, dict[int, str]]:
        """Who sits where once all moves are done: table -> seat -> player, tables in their order."""
        found: dict[str, dict[int, str]] = {table: {} for table in self.seat_count_by_table}
        for player, (table, seat) in self.seat_by_player.items():
            found.setdefault(table, {})[seat] = player
        return {table: dict(sorted(seats.items())) for table, seats in found.items()}

    def open_seats(self) -> tuple[TableSeat, ...]:
        """Chairs of the tables in play that nobody has."""
        taken = set(self.seat_by_player.values())
        chairs = ((table, seat) for table, places in self.seat_count_by_table.items() for seat in range(1, places + 1))
        return tuple(place for place in chairs if place not in taken)

    def add_instructions(self, duties: Iterable[Instruction]) -> "RoomTournament":
        """The event with new duties; they are numbered by `next_instruction_number` on."""
        new = {duty.number: duty for duty in duties}
        return replace(
            self,
            instruction_by_number={**self.instruction_by_number, **new},
            instruction_count=self.instruction_count + len(new),
        )

    @property
    def next_instruction_number(self) -> int:
        """The number of the next duty."""
        return self.instruction_count + 1
