"""Calls that mypy must refuse, each on the line that says so; never run."""

import dataclasses
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace


class Seat(Struct, frozen=True):
    """A Struct."""

    number: int
    player: str = ""


S = TypeVar("S", bound=Seat)


@dataclasses.dataclass(frozen=True)
class Room:
    """A data class that holds Structs."""

    name: str
    seats: dict[int, tuple[Seat, ...]]


def right(seat: Seat, room: Room) -> object:
    """Nothing to refuse."""
    named = replace(seat, number=2, player="Ann")
    return named, dataclasses.replace(room, name="b"), dataclasses.fields(room), dataclasses.is_dataclass(room)


def wrong(seat: Seat, room: Room, other: S, either: Seat | Room) -> object:
    """Everything to refuse."""
    replace(seat, place=3)  # refused: place
    replace(other, number="3")  # refused: number
    replace(room, name="b")  # refused: Room
    dataclasses.replace(seat, number=3)  # refused: Seat
    dataclasses.replace(either, number=3)  # refused: Seat
    dataclasses.fields(Seat)  # refused: Seat
    dataclasses.fields(seat)  # refused: Seat
    dataclasses.asdict(seat)  # refused: Seat
    dataclasses.is_dataclass(other)  # refused: Seat
    return dataclasses.asdict(room)  # refused: Seat
