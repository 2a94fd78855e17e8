"""Slips of paper: who sits where, for the player to show at the table, and who moves where."""

from collections.abc import Mapping
from dataclasses import dataclass

from room.event.model import Event, Moved, Seat


@dataclass(frozen=True, slots=True)
class Slip:
    """One slip: whose it is, the seat, and for a move the seat left; `number` of the entry in the order of names."""

    title: str
    player: str
    to: Seat
    source: Seat | None = None
    stack: int = 0

    def text(self, width: int = 40) -> str:
        """The slip as plain text, for a printer of receipts."""
        rows = [self.title[:width], "", self.player[:width], f"Table {self.to[0]}   Seat {self.to[1]}"]
        if self.source is not None:
            rows.append(f"from table {self.source[0]}, seat {self.source[1]}")
        elif self.stack:
            rows.append(f"{self.stack:,} chips")
        rule = "-" * width
        return "\n".join([rule, *rows, rule, ""])


def seat_slips(event: Event) -> tuple[Slip, ...]:
    """A slip for everybody who has a seat, by name."""
    seats: Mapping[str, Seat] = event.seats
    return tuple(Slip(event.title, player, seats[player], None, event.stack) for player in sorted(seats))


def move_slips(event: Event, moves: tuple[Moved, ...]) -> tuple[Slip, ...]:
    """A slip for each move, in their order."""
    return tuple(Slip(event.title, move.player, move.to, move.source, 0) for move in moves)
