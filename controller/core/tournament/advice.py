"""What a director does next with several tables: who moves where, which table breaks, when all seats are drawn anew."""

from collections.abc import Mapping, Sequence
from enum import Enum, unique

from controller.core.rules.questions.house.tournament_rules import TournamentRules
from controller.core.tournament.balance import (
    TableOccupancy,
    fill_order,
    find_breaking_table,
    find_earliest_due_seat,
    find_final_table_rule,
    find_hand_for_hand_rule,
    find_move,
    find_redraw_rule,
)
from controller.core.values.seat_order import seats_from
from controller.core.values.value import Value, replace


@unique
class AdviceKind(Enum):
    """The kinds of advice."""

    MOVE = "move"
    BREAK = "break"
    REDRAW = "redraw"
    HAND_FOR_HAND = "hand-for-hand"
    FINAL_TABLE = "final-table"


class Advice(Value):
    """One thing to do; `seat` of `table` goes to `to_seat` at table `to_table` where a player moves.

    `cite` holds catalogue ids; `by_default`: the book does not say it, and they are another book's.
    """

    kind: AdviceKind
    cite: tuple[str, ...]
    table: str = ""
    seat: int = 0
    to_table: str = ""
    to_seat: int = 0
    by_default: bool = False


def advise(
    book: TournamentRules,
    tables: Sequence[TableOccupancy],
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
    found = find_final_table_rule(book, players, len(tables), max((table.seat_count for table in tables), default=9))
    if found is not None:
        return (Advice(AdviceKind.FINAL_TABLE, found.cite),)
    hands = find_hand_for_hand_rule(book, players, len(tables))
    gone = find_breaking_table(tables, order) if hands is None else None
    if gone is not None and book.break_order.value:
        return _advise_break(book, tables, gone, at_start, entrants)
    also = () if hands is None else (Advice(AdviceKind.HAND_FOR_HAND, hands.cite),)
    return (*_advise_moves(book, tables, eliminated or {}), *also)


def _advise_break(
    book: TournamentRules, tables: Sequence[TableOccupancy], name: str, at_start: int, entrants: int
) -> tuple[Advice, ...]:
    """A table breaks: all seats are drawn anew, or its players take empty seats elsewhere [R7-15.tourn.13, 18]."""
    default = book.break_order.by_default
    first = Advice(AdviceKind.BREAK, book.break_order.cite, name, by_default=default)
    redraw = find_redraw_rule(book, len(tables) - 1, at_start, entrants)
    if redraw is not None:
        return (first, Advice(AdviceKind.REDRAW, redraw.cite, by_default=redraw.by_default))
    broken = next(table for table in tables if table.name == name)
    others = {table.name: table for table in tables if table.name != name}
    moves = []
    for seat in seats_from(broken.seats, broken.button):
        to = min((table for table in others.values() if table.open_seats), key=lambda table: len(table.seats))
        to_seat = find_earliest_due_seat(to)
        moves.append(Advice(AdviceKind.MOVE, first.cite, name, seat, to.name, to_seat, default))
        others[to.name] = replace(to, seats=tuple(sorted((*to.seats, to_seat))))
    return (first, *moves)


def _advise_moves(
    book: TournamentRules, tables: Sequence[TableOccupancy], eliminated: Mapping[str, Sequence[int]]
) -> tuple[Advice, ...]:
    """The moves after which no table has too many players more than another."""
    views = {
        table.name: replace(
            table,
            vacated_seats=tuple(eliminated.get(table.name, ()) or (() if table.has_button else table.vacated_seats)),
        )
        for table in tables
    }
    empty = {name: list(fill_order(views[name], seats)) for name, seats in eliminated.items() if name in views}
    moves: list[Advice] = []
    while True:
        found = find_move(book, tuple(views.values()), {name: gone[0] for name, gone in empty.items() if gone})
        if found is None:
            return tuple(moves)
        rule = found.rule
        moves.append(
            Advice(
                AdviceKind.MOVE, rule.cite, found.from_table, found.seat, found.to_table, found.to_seat, rule.by_default
            )
        )
        source, to = views[found.from_table], views[found.to_table]
        stay = tuple(seat for seat in source.seats if seat != found.seat)
        views[source.name] = replace(source, seats=stay, vacated_seats=(*source.vacated_seats, found.seat))
        views[to.name] = replace(to, seats=tuple(sorted((*to.seats, found.to_seat))))
        if found.to_seat in empty.get(to.name, ()):
            empty[to.name].remove(found.to_seat)
