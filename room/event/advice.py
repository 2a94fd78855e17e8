"""What the director does next, with names and seats: the core's advice on how the tables stand, ready to be confirmed.

Each proposal has the line that confirms it; what needs a lot is drawn by the caller and goes into that line.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from controller.core.rules.questions.house.tournament import FinalTable, TournamentRules
from controller.core.tournament.advice import Advice, Todo, advise
from controller.core.tournament.balance import TableView
from controller.core.values.value import replace
from room.event.hand_for_hand import goes_on
from room.event.model import Event, Seat
from room.event.standing import Watched

Lot = Sequence[int]
"""A permutation of 0 … n - 1, drawn by the caller."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Something to confirm: the `line` that does it, `text` in words, the clauses; `draws`: how long a lot it wants.

    With `draws` above 0 the line is not whole until `with_lot` has put the lot in.
    """

    text: str
    line: Mapping[str, Any]
    cite: tuple[str, ...] = ()
    by_default: bool = False
    draws: int = 0


def views(event: Event, watched: Mapping[str, Watched]) -> tuple[TableView, ...]:
    """The tables in play with their live positions, in the order in which they break; seats once all moves are done."""
    found = []
    for table, seats in event.by_table().items():
        if table not in event.tables:
            continue
        at, gone = watched.get(table), event.last_out.get(table, (0, ()))
        button, big = (at.button, at.big) if at else (0, 0)
        left = tuple(seat for seat in gone[1] if seat not in seats)
        found.append(TableView(table, tuple(seats), button or 1, big or 1, event.tables[table], left))
    return tuple(found)


def entry_open(event: Event, now: float) -> bool:
    """Whether one may still enter at a time: until the end of the last level for it, and the break after that one."""
    tournament = event.tournament
    if tournament is None or not tournament.late_levels:
        return True
    return tournament.clock.read(now).level < tournament.late_levels and len(tournament.remaining) > 1


def proposals(event: Event, watched: Mapping[str, Watched], now: float) -> tuple[Proposal, ...]:
    """What is to be confirmed now, in this order. Nothing while the tables may play on."""
    tournament = event.tournament
    if tournament is None or event.over or event.closed_by:
        return ()
    alternates = _alternates(event) if entry_open(event, now) else ()
    if alternates:
        return alternates
    tables = views(event, watched)
    on_last_hand = {
        table: [seat for seat in seats if (table, seat) in event.free]
        for table, (hand, seats) in event.last_out.items()
        if table in event.tables and (table not in watched or watched[table].standing.hand <= hand)
    }
    chairs = {table: max(places, _places(watched, table)) for table, places in event.tables.items()}
    roomy = [table for table, places in chairs.items() if places >= len(event.seats)]

    def advised(book: TournamentRules) -> tuple[Advice, ...]:
        return advise(
            book,
            tables,
            max(event.at_start, len(tables)),
            order=tuple(view.name for view in tables),
            eliminated={table: seats for table, seats in on_last_hand.items() if seats},
            entrants=len(tournament.entrants),
        )

    found = advised(event.book)
    if found and found[0].todo is Todo.FINAL_TABLE and not roomy:
        found = advised(_final_with(event.book, max(chairs.values())))
    proposed = _of_advice(event, found, tables, roomy)
    proposed = (*proposed, *_around_the_money(event))
    standings = {table: one.standing for table, one in watched.items()}
    goes = goes_on(event, standings) if not any(one.line["do"] != "hand-for-hand" for one in proposed) else None
    if goes is not None:
        text = "all have done their hand: deal the next" if goes["do"] == "go" else "all others wait: turn the hands up"
        proposed = (*proposed, Proposal(text, goes, event.book.hand_for_hand_waits.cite))
    return proposed


def _around_the_money(event: Event) -> tuple[Proposal, ...]:
    """Hand for hand one place before the money, until it is reached, where the book goes by that [TDA-RP-8-A]."""
    rule, left = event.book.hand_for_hand, near_the_money(event)
    if rule.value or len(event.tables) < 2 or event.tournament is None:
        return ()
    if event.rounds is None and left == 1:
        line = {"do": "hand-for-hand", "on": True}
        return (Proposal("one place before the money: play hand for hand", line, rule.cite, rule.by_default),)
    if event.rounds is not None and left <= 0 and not event.duties:
        line = {"do": "hand-for-hand", "on": False}
        return (Proposal("all who are left are paid: hand for hand is over", line, rule.cite, rule.by_default),)
    return ()


def _alternates(event: Event) -> tuple[Proposal, ...]:
    """Alternates get the seats of those who went out, in order."""
    capacity = event.capacity - len(event.tournament.remaining if event.tournament else ())
    pairs = zip(event.alternates[: max(0, capacity)], event.free, strict=False)
    return tuple(
        Proposal(f"{player} enters: table {table}, seat {seat}",
                 {"do": "late-entry", "player": player, "seat": [table, seat]})
        for player, (table, seat) in pairs
    )[:1]  # fmt: skip


def _places(watched: Mapping[str, Watched], table: str) -> int:
    return watched[table].standing.places if table in watched else 0


def _final_with(book: TournamentRules, players: int) -> TournamentRules:
    """The same book where no table has chairs for the final table's number: it is formed once one has."""
    return replace(
        book,
        final_table=replace(book.final_table, value=players),
        final_table_by_seats=replace(book.final_table_by_seats, value=FinalTable.AS_PRINTED),
    )


def _of_advice(
    event: Event, found: Sequence[Advice], tables: Sequence[TableView], roomy: Sequence[str]
) -> tuple[Proposal, ...]:
    kinds = {one.todo for one in found}
    names = {(table, seat): player for player, (table, seat) in event.seats.items()}
    if not found:
        return ()
    first = found[0]
    if Todo.FINAL_TABLE in kinds:
        return (_drawn_anew(event, first, (roomy[-1],), "the final table is formed"),)
    if Todo.REDRAW in kinds:
        redraw = next(one for one in found if one.todo is Todo.REDRAW)
        left = tuple(view.name for view in tables if view.name != first.table)
        return (_drawn_anew(event, redraw, left, f"table {first.table} breaks, and all seats are drawn anew"),)
    moves = [one for one in found if one.todo is Todo.MOVE]
    if first.todo is Todo.BREAK:
        wanted = [[names[one.table, one.seat], one.to, one.to_seat] for one in moves]
        line = {"do": "break", "table": first.table, "moves": wanted, "cite": list(first.cite)}
        text = f"table {first.table} breaks: {len(moves)} players move"
        return (Proposal(text, line, first.cite, first.by_default, draws=len(moves)),)
    balanced = tuple(
        Proposal(
            f"{names[one.table, one.seat]}: table {one.table}, seat {one.seat}, to table {one.to}, seat {one.to_seat}",
            {"do": "move", "moves": [[names[one.table, one.seat], one.to, one.to_seat]], "cite": list(one.cite)},
            one.cite,
            one.by_default,
        )
        for one in moves
    )
    hands = [one for one in found if one.todo is Todo.HAND_FOR_HAND]
    if hands and event.rounds is None:
        begins = {"do": "hand-for-hand", "on": True}
        return (*balanced, Proposal("play hand for hand", begins, hands[0].cite, hands[0].by_default))
    return balanced


def _drawn_anew(event: Event, advice: Advice, tables: tuple[str, ...], text: str) -> Proposal:
    players = len(event.seats)
    places = max(event.tables[name] for name in tables)
    line: dict[str, Any] = {"do": "redraw", "tables": list(tables), "cite": list(advice.cite)}
    if len(tables) == 1:
        places = max(places, players)
        line["places"] = places
    return Proposal(text, line, advice.cite, advice.by_default, draws=places * len(tables))


def with_lot(proposal: Proposal, lot: Lot) -> dict[str, Any]:
    """The line of a proposal with the lot in it; the seats of a broken table go by lot among its players [TDA-10-B].

    Raises `ValueError` for a lot that is no permutation of so many.
    """
    line = dict(proposal.line)
    if not proposal.draws:
        return line
    if sorted(lot) != list(range(proposal.draws)):
        raise ValueError(f"the lot is each number from 0 to {proposal.draws - 1} once.")
    if line["do"] == "redraw":
        return line | {"draw": list(lot)}
    moves = line["moves"]
    seats = [moves[number][1:] for number in lot]
    return line | {"moves": [[move[0], *seat] for move, seat in zip(moves, seats, strict=True)], "draw": list(lot)}


def newcomers_seat(event: Event, lot: int) -> Seat | None:
    """The seat of a late player by lot, among the open ones of the tables with the fewest players [TDA-8-A]."""
    sizes = {table: len(seats) for table, seats in event.by_table().items() if table in event.tables}
    free = event.open_seats()
    if not free:
        return None
    least = min(sizes[table] for table, _ in free)
    places = [place for place in free if sizes[place[0]] == least]
    return places[lot % len(places)]


def near_the_money(event: Event) -> int:
    """How many players must go out before all who are left are paid; 0 and less: they are in the money."""
    tournament = event.tournament
    if tournament is None:
        return len(event.registered)
    return len(tournament.remaining) - sum(1 for prize in tournament.prizes() if prize)


def final_size(event: Event) -> int:
    """With how many players the final table is formed, by the book and the chairs of a table."""
    by = event.book.final_table_by_seats.value
    places = max(event.tables.values(), default=9)
    if by is FinalTable.AS_PRINTED:
        return event.book.final_table.value
    return places + 1 if by is FinalTable.ONE_MORE else (9 if places >= 8 else 7)
