"""Several tables: who moves, to which seat, which table breaks, when seats are drawn anew. Advice, from plain facts."""

from collections.abc import Mapping, Sequence

from controller.core.rules.questions.house.tournament_rules import BalancingMover, FinalTableSize, TournamentRules
from controller.core.rules.questions.rule import Rule
from controller.core.values.plurals import pluralize
from controller.core.values.seat_order import seats_after, seats_from
from controller.core.values.value import Value


class TableOccupancy(Value):
    """A table between hands: its players' seats, its button, who had the big blind last, how many chairs it has.

    `vacated_seats`: seats of those who played the last hand there and do not any more; they still count as positions.
    Without a button (`has_button`) stud alone is played there, and the last of them is the chair that opened last.
    """

    name: str
    seats: tuple[int, ...]
    button: int
    big_blind: int
    seat_count: int = 10
    vacated_seats: tuple[int, ...] = ()
    has_button: bool = True

    @property
    def positions(self) -> set[int]:
        """Every seat that counts, the button's with them, as on the last hand."""
        return {*self.seats, *self.vacated_seats, self.button}

    @property
    def open_seats(self) -> tuple[int, ...]:
        """Chairs that nobody sits in."""
        return tuple(seat for seat in range(1, self.seat_count + 1) if seat not in self.seats)


class PlayerMove(Value):
    """One player changes tables, by a clause."""

    from_table: str
    seat: int
    to_table: str
    to_seat: int
    rule: Rule[BalancingMover]


def find_max_spread(book: TournamentRules, tables: int) -> Rule[int]:
    """How far sizes may differ."""
    return book.spread_many if tables > book.few_tables.value else book.spread_few


def find_move(
    book: TournamentRules, tables: Sequence[TableOccupancy], eliminated: Mapping[str, int] | None = None
) -> PlayerMove | None:
    """Who should move now; `None` while the tables are balanced.

    `eliminated`: table -> the seat of the player just eliminated there, the place to be filled where the book fills it.
    Of tables of one size the first listed is taken.
    """
    if len(tables) < 2:
        return None
    most = max(tables, key=lambda table: len(table.seats))
    least = min(tables, key=lambda table: len(table.seats))
    if len(most.seats) - len(least.seats) <= find_max_spread(book, len(tables)).value or not least.open_seats:
        return None
    if not least.has_button:
        return _find_move_by_chairs(book, most, least)
    gone = (eliminated or {}).get(least.name)
    if book.mover.value is BalancingMover.SAME_POSITION and gone is not None:
        seat = most.seats[0] if not most.seats else find_same_position(least, gone, most)
        return PlayerMove(most.name, seat, least.name, gone, book.mover)
    return PlayerMove(
        most.name,
        seats_after(most.seats, most.big_blind)[0],
        least.name,
        find_earliest_due_seat(least),
        book.mover_otherwise,
    )


def _find_move_by_chairs(book: TournamentRules, most: TableOccupancy, least: TableOccupancy) -> PlayerMove | None:
    """Who moves where no button says who is in what position [TDA-11-A#stud]; `None` where a person has to say."""
    vacated = [seat for seat in least.vacated_seats if seat in least.open_seats]
    chair = vacated[-1] if vacated else least.open_seats[0] if len(least.open_seats) == 1 else None
    if book.mover_stud.value is not BalancingMover.SAME_CHAIR or chair is None:
        return None
    return PlayerMove(most.name, seats_from(most.seats, chair)[0], least.name, chair, book.mover_stud)


def find_same_position(lower: TableOccupancy, gone: int, higher: TableOccupancy) -> int:
    """Who sits at the fuller table as the eliminated player did, counted from the button [FC-10.moving.1#a]."""
    place = seats_from({*lower.positions, gone}, lower.button).index(gone)
    ring = seats_from(higher.positions, higher.button)
    seat = ring[min(place, len(ring) - 1)]
    return seat if seat in higher.seats else seats_after(higher.seats, seat)[0]


def find_earliest_due_seat(table: TableOccupancy) -> int:
    """The open seat that the big blind reaches first [R7-15.tourn.15, MP-7.tourn.15]."""
    return seats_after(table.open_seats, table.big_blind)[0]


def fill_order(table: TableOccupancy, gone: Sequence[int]) -> tuple[int, ...]:
    """With several to move: first the eliminated player's seat closest to the left of the button [FC-10.moving.3]."""
    return seats_after(gone, table.button)


def find_breaking_table(tables: Sequence[TableOccupancy], order: Sequence[str]) -> str | None:
    """The table that breaks now, in the pre-set order: once the others have room for its players [R7-15.tourn.13]."""
    by_name = {table.name: table for table in tables}
    first = next((name for name in order if name in by_name), None)
    if first is None or len(tables) < 2:
        return None
    room = sum(len(table.open_seats) for table in tables if table.name != first)
    return first if room >= len(by_name[first].seats) else None


def find_redraw_rule(book: TournamentRules, tables: int, at_start: int, entrants: int = 0) -> Rule[int] | None:
    """The rule by which all seats are drawn anew now that `tables` are left; `None` when they are not.

    `entrants`: how many entered, where the book goes by them; 0: not known, and the tables count.
    """
    few = book.redraw_entrants.value
    small = entrants < few if few and entrants else at_start <= 5
    rule = book.redraw_small if small else book.redraw
    return rule if tables < at_start and tables <= rule.value else None


def find_hand_for_hand_rule(book: TournamentRules, players: int, tables: int) -> Rule[int] | None:
    """The rule by which both tables now play hand for hand, the clock running on [FC-10.final#a]."""
    return book.hand_for_hand if tables == 2 and players == book.hand_for_hand.value else None


def find_final_table_rule(
    book: TournamentRules, players: int, tables: int, places: int = 9
) -> Rule[int] | Rule[FinalTableSize] | None:
    """The rule by which the final table is formed now, the clock standing still meanwhile [FC-10.final#b].

    `places`: the seats of a table.
    """
    by_seats = book.final_table_by_seats
    size = {
        FinalTableSize.AS_PRINTED: book.final_table.value,
        FinalTableSize.NINE_OR_SEVEN: 9 if places >= 8 else 7,
        FinalTableSize.ONE_MORE: places + 1,
    }[by_seats.value]
    if tables < 2 or players > size:
        return None
    return book.final_table if by_seats.value is FinalTableSize.AS_PRINTED else by_seats


def assign_drawn_seats(
    players: Sequence[str], tables: Sequence[str], places: int, draw: Sequence[int]
) -> dict[str, tuple[str, int]]:
    """Seats for everybody, as evenly as possible over the tables [FC-10.seating.1, R7-15.tourn.2].

    `draw` is the lot: a permutation of 0 … `places * tables - 1`, drawn by the caller. The n-th player gets the n-th
    number of it among those that keep the tables even.

    Raises `ValueError`.
    """
    if len(players) > places * len(tables):
        raise ValueError(f"{len(players)} players do not fit on {pluralize(len(tables), 'table')} of {places}.")
    if sorted(draw) != list(range(places * len(tables))):
        raise ValueError(f"the draw wants each number from 0 to {places * len(tables) - 1} once.")
    sizes = {name: len(players) // len(tables) + (i < len(players) % len(tables)) for i, name in enumerate(tables)}
    taken = dict.fromkeys(tables, 0)
    seats: list[tuple[str, int]] = []
    for number in draw:
        name, seat = tables[number // places], number % places + 1
        if taken[name] < sizes[name]:
            taken[name] += 1
            seats.append((name, seat))
    return dict(zip(players, seats, strict=True))
