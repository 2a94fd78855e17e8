"""Slips of paper: who sits where, for the player to show at the table, and who moves where."""

from collections.abc import Mapping
from dataclasses import dataclass

from room.tournament.tournament_state import PlayerMoved, RoomTournament, TableSeat


@dataclass(frozen=True, slots=True)
class SeatCard:
    """One slip: whose it is, the seat, and for a move the seat left; `number` of the entry in the order of names."""

    title: str
    player: str
    seat: TableSeat
    previous_seat: TableSeat | None = None
    stack: int = 0

    def render_text(self, width: int = 40) -> str:
        """The slip as plain text, for a printer of receipts."""
        rows = [self.title[:width], "", self.player[:width], f"Table {self.seat[0]}   Seat {self.seat[1]}"]
        if self.previous_seat is not None:
            rows.append(f"from table {self.previous_seat[0]}, seat {self.previous_seat[1]}")
        elif self.stack:
            rows.append(f"{self.stack:,} chips")
        rule = "-" * width
        return "\n".join([rule, *rows, rule, ""])


def make_seat_cards(event: RoomTournament) -> tuple[SeatCard, ...]:
    """A slip for everybody who has a seat, by name."""
    seats: Mapping[str, TableSeat] = event.seat_by_player
    return tuple(SeatCard(event.title, player, seats[player], None, event.starting_stack) for player in sorted(seats))


def make_move_cards(event: RoomTournament, moves: tuple[PlayerMoved, ...]) -> tuple[SeatCard, ...]:
    """A slip for each move, in their order."""
    return tuple(SeatCard(event.title, move.player, move.target_seat, move.source_seat, 0) for move in moves)
