"""What a director does next with several tables: who moves where, which table breaks, when all seats are drawn anew."""

from collections.abc import Mapping, Sequence
from enum import Enum, unique

from controller.core.rules.questions.house.tournament import TournamentRules
from controller.core.tournament.balance import (
    TableView,
    breaks,
    earliest_due,
    final_table,
    hand_for_hand,
    move,
    order_of_filling,
    redraw_due,
)
from controller.core.values.seat_order import from_
from controller.core.values.value import Value, replace


@unique
class Todo(Enum):
    """The kinds of advice."""

    MOVE = "move"
    BREAK = "break"
    REDRAW = "redraw"
    HAND_FOR_HAND = "hand-for-hand"
    FINAL_TABLE = "final-table"


class Advice(Value):
    """One thing to do; `seat` of `table` goes to `to_seat` at table `to` where a player moves.

    `cite` holds catalogue ids; `by_default`: the book does not say it, and they are another book's.
    """

    todo: Todo
    cite: tuple[str, ...]
    table: str = ""
    seat: int = 0
    to: str = ""
    to_seat: int = 0
    by_default: bool = False


def advise(
    book: TournamentRules,
    tables: Sequence[TableView],
    at_start: int,
    order: Sequence[str] = (),
    eliminated: Mapping[str, Sequence[int]] | None = None,
    entrants: int = 0,
) -> tuple[Advice, ...]:
    """What is to be done now, in this order; nothing while the tables may play on.

    `at_start`: how many tables the event began with. `order`: in which tables break, where that is set. `eliminated`:
    the seats of those who have just gone out, by table. `entrants`: how many entered, where that is known; some books
    go by it.
    """
    players = sum(len(table.seats) for table in tables)
    found = final_table(book, players, len(tables), max((table.places for table in tables), default=9))
    if found is not None:
        return (Advice(Todo.FINAL_TABLE, found.cite),)
    hands = hand_for_hand(book, players, len(tables))
    gone = breaks(tables, order) if hands is None else None
    if gone is not None and book.break_order.value:
        return _broken(book, tables, gone, at_start, entrants)
    also = () if hands is None else (Advice(Todo.HAND_FOR_HAND, hands.cite),)
    return (*_balanced(book, tables, eliminated or {}), *also)


def _broken(
    book: TournamentRules, tables: Sequence[TableView], name: str, at_start: int, entrants: int
) -> tuple[Advice, ...]:
    """A table breaks: all seats are drawn anew, or its players take empty seats elsewhere [R7-15.tourn.13, 18]."""
    default = book.break_order.by_default
    first = Advice(Todo.BREAK, book.break_order.cite, name, by_default=default)
    redraw = redraw_due(book, len(tables) - 1, at_start, entrants)
    if redraw is not None:
        return (first, Advice(Todo.REDRAW, redraw.cite, by_default=redraw.by_default))
    broken = next(table for table in tables if table.name == name)
    others = {table.name: table for table in tables if table.name != name}
    moves = []
    for seat in from_(broken.seats, broken.button):
        to = min((table for table in others.values() if table.open_seats), key=lambda table: len(table.seats))
        to_seat = earliest_due(to)
        moves.append(Advice(Todo.MOVE, first.cite, name, seat, to.name, to_seat, default))
        others[to.name] = replace(to, seats=tuple(sorted((*to.seats, to_seat))))
    return (first, *moves)


def _balanced(
    book: TournamentRules, tables: Sequence[TableView], eliminated: Mapping[str, Sequence[int]]
) -> tuple[Advice, ...]:
    """The moves after which no table has too many players more than another."""
    views = {table.name: replace(table, left=tuple(eliminated.get(table.name, ()))) for table in tables}
    empty = {name: list(order_of_filling(views[name], seats)) for name, seats in eliminated.items() if name in views}
    moves: list[Advice] = []
    while True:
        found = move(book, tuple(views.values()), {name: gone[0] for name, gone in empty.items() if gone})
        if found is None:
            return tuple(moves)
        rule = found.rule
        moves.append(Advice(Todo.MOVE, rule.cite, found.source, found.seat, found.to, found.to_seat, rule.by_default))
        source, to = views[found.source], views[found.to]
        stay = tuple(seat for seat in source.seats if seat != found.seat)
        views[source.name] = replace(source, seats=stay, left=(*source.left, found.seat))
        views[to.name] = replace(to, seats=tuple(sorted((*to.seats, found.to_seat))))
        if found.to_seat in empty.get(to.name, ()):
            empty[to.name].remove(found.to_seat)
