"""What the director does next, with names and seats: the core's advice on how the tables stand, ready to be confirmed.

Each proposal has the line that confirms it; what needs a lot is drawn by the caller and goes into that line.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from controller.core.rules.questions.house.tournament_rules import FinalTableSize, TournamentRules
from controller.core.tournament.advice import Advice, AdviceKind, advise
from controller.core.tournament.balance import TableOccupancy
from controller.core.values.value import replace
from room.tournament.hand_for_hand import find_next_line
from room.tournament.tournament_state import RoomTournament, TableSeat
from room.tournament.tournament_table_view import WatchedTable

Lot = Sequence[int]
"""A permutation of 0 … n - 1, drawn by the caller."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Something to confirm: the `line` that does it, `text` in words, the clauses; `lot_size`: how long a lot it wants.

    With `lot_size` above 0 the line is not whole until `insert_lot` has put the lot in.
    """

    text: str
    line: Mapping[str, Any]
    cite: tuple[str, ...] = ()
    by_default: bool = False
    lot_size: int = 0


def make_table_occupancies(event: RoomTournament, watched: Mapping[str, WatchedTable]) -> tuple[TableOccupancy, ...]:
    """The tables in play with their live positions, in the order in which they break; seats once all moves are done."""
    found = []
    for table, seats in event.seating_by_table().items():
        if table not in event.seat_count_by_table:
            continue
        at, gone = watched.get(table), event.last_elimination_by_table.get(table, (0, ()))
        button, big = (at.last_button_seat, at.last_big_blind_seat) if at else (0, 0)
        left = tuple(seat for seat in gone[1] if seat not in seats)
        places, plays_stud = event.seat_count_by_table[table], at is not None and at.view.hand > 0 and not button
        found.append(TableOccupancy(table, tuple(seats), button or 1, big or 1, places, left, not plays_stud))
    return tuple(found)


def is_entry_open(event: RoomTournament, now: float) -> bool:
    """Whether one may still enter at a time: until the end of the last level for it, and the break after that one."""
    tournament = event.progress
    if tournament is None or not tournament.late_entry_levels:
        return True
    return (
        tournament.clock.read(now).level_index < tournament.late_entry_levels and len(tournament.remaining_players) > 1
    )


def find_proposals(event: RoomTournament, watched: Mapping[str, WatchedTable], now: float) -> tuple[Proposal, ...]:
    """What is to be confirmed now, in this order. Nothing while the tables may play on."""
    tournament = event.progress
    if tournament is None or event.is_over or event.closed_by or event.seating_by:
        return ()
    alternates = _propose_alternates(event) if is_entry_open(event, now) else ()
    if alternates:
        return alternates
    tables = make_table_occupancies(event, watched)
    on_last_hand = {
        table: [seat for seat in seats if (table, seat) in event.freed_seats]
        for table, (hand, seats) in event.last_elimination_by_table.items()
        if table in event.seat_count_by_table and (table not in watched or watched[table].view.hand <= hand)
    }
    chairs = {table: max(places, _count_seats(watched, table)) for table, places in event.seat_count_by_table.items()}
    roomy = [table for table, places in chairs.items() if places >= len(event.seat_by_player)]

    def make_advice(book: TournamentRules) -> tuple[Advice, ...]:
        return advise(
            book,
            tables,
            max(event.table_count_at_start, len(tables)),
            order=tuple(view.name for view in tables),
            eliminated={table: seats for table, seats in on_last_hand.items() if seats},
            entrants=len(tournament.entrants),
        )

    found = make_advice(event.rules)
    if found and found[0].kind is AdviceKind.FINAL_TABLE and not roomy:
        found = make_advice(_replace_final_table_size(event.rules, max(chairs.values())))
    proposed = _propose_from_advice(event, found, tables, roomy)
    proposed = (*proposed, *_propose_hand_for_hand(event))
    standings = {table: one.view for table, one in watched.items()}
    goes = find_next_line(event, standings) if not any(one.line["do"] != "hand-for-hand" for one in proposed) else None
    if goes is not None:
        text = "all have done their hand: deal the next" if goes["do"] == "go" else "all others wait: turn the hands up"
        proposed = (*proposed, Proposal(text, goes, event.rules.hand_for_hand_waits.cite))
    return proposed


def _propose_hand_for_hand(event: RoomTournament) -> tuple[Proposal, ...]:
    """Hand for hand one place before the money, until it is reached, where the book goes by that [TDA-RP-8-A]."""
    rule, left = event.rules.hand_for_hand, count_players_to_money(event)
    if rule.value or len(event.seat_count_by_table) < 2 or event.progress is None:
        return ()
    if event.current_round is None and left == 1:
        line = {"do": "hand-for-hand", "on": True}
        return (Proposal("one place before the money: play hand for hand", line, rule.cite, rule.by_default),)
    if event.current_round is not None and left <= 0 and not event.instruction_by_number:
        line = {"do": "hand-for-hand", "on": False}
        return (Proposal("all who are left are paid: hand for hand is over", line, rule.cite, rule.by_default),)
    return ()


def _propose_alternates(event: RoomTournament) -> tuple[Proposal, ...]:
    """Alternates get the seats of those who went out, in order."""
    capacity = event.capacity - len(event.progress.remaining_players if event.progress else ())
    pairs = zip(event.alternates[: max(0, capacity)], event.freed_seats, strict=False)
    return tuple(
        Proposal(f"{player} enters: table {table}, seat {seat}",
                 {"do": "late-entry", "player": player, "seat": [table, seat]})
        for player, (table, seat) in pairs
    )[:1]  # fmt: skip


def _count_seats(watched: Mapping[str, WatchedTable], table: str) -> int:
    return watched[table].view.seat_count if table in watched else 0


def _replace_final_table_size(book: TournamentRules, players: int) -> TournamentRules:
    """The same book where no table has chairs for the final table's number: it is formed once one has."""
    return replace(
        book,
        final_table=replace(book.final_table, value=players),
        final_table_by_seats=replace(book.final_table_by_seats, value=FinalTableSize.AS_PRINTED),
    )


def _propose_from_advice(
    event: RoomTournament, found: Sequence[Advice], tables: Sequence[TableOccupancy], roomy: Sequence[str]
) -> tuple[Proposal, ...]:
    kinds = {one.kind for one in found}
    names = {(table, seat): player for player, (table, seat) in event.seat_by_player.items()}
    if not found:
        return ()
    first = found[0]
    if AdviceKind.FINAL_TABLE in kinds:
        return (_propose_redraw(event, first, (roomy[-1],), "the final table is formed"),)
    if AdviceKind.REDRAW in kinds:
        redraw = next(one for one in found if one.kind is AdviceKind.REDRAW)
        left = tuple(view.name for view in tables if view.name != first.table)
        return (_propose_redraw(event, redraw, left, f"table {first.table} breaks, and all seats are drawn anew"),)
    moves = [one for one in found if one.kind is AdviceKind.MOVE]
    if first.kind is AdviceKind.BREAK:
        wanted = [[names[one.table, one.seat], one.to_table, one.to_seat] for one in moves]
        line = {"do": "break", "table": first.table, "moves": wanted, "cite": list(first.cite)}
        text = f"table {first.table} breaks: {len(moves)} players move"
        return (Proposal(text, line, first.cite, first.by_default, lot_size=len(moves)),)
    balanced = tuple(
        Proposal(
            f"{names[one.table, one.seat]}: table {one.table}, seat {one.seat}, to table {one.to_table}, seat "
            f"{one.to_seat}",
            {"do": "move", "moves": [[names[one.table, one.seat], one.to_table, one.to_seat]], "cite": list(one.cite)},
            one.cite,
            one.by_default,
        )
        for one in moves
    )
    hands = [one for one in found if one.kind is AdviceKind.HAND_FOR_HAND]
    if hands and event.current_round is None:
        begins = {"do": "hand-for-hand", "on": True}
        return (*balanced, Proposal("play hand for hand", begins, hands[0].cite, hands[0].by_default))
    return balanced


def _propose_redraw(event: RoomTournament, advice: Advice, tables: tuple[str, ...], text: str) -> Proposal:
    players = len(event.seat_by_player)
    places = max(event.seat_count_by_table[name] for name in tables)
    line: dict[str, Any] = {"do": "redraw", "tables": list(tables), "cite": list(advice.cite)}
    if len(tables) == 1:
        places = max(places, players)
        line["places"] = places
    return Proposal(text, line, advice.cite, advice.by_default, lot_size=places * len(tables))


def insert_lot(proposal: Proposal, lot: Lot) -> dict[str, Any]:
    """The line of a proposal with the lot in it; the seats of a broken table go by lot among its players [TDA-10-B].

    Raises `ValueError` for a lot that is no permutation of so many.
    """
    line = dict(proposal.line)
    if not proposal.lot_size:
        return line
    if sorted(lot) != list(range(proposal.lot_size)):
        raise ValueError(f"the lot is each number from 0 to {proposal.lot_size - 1} once.")
    if line["do"] == "redraw":
        return line | {"draw": list(lot)}
    moves = line["moves"]
    seats = [moves[number][1:] for number in lot]
    return line | {"moves": [[move[0], *seat] for move, seat in zip(moves, seats, strict=True)], "draw": list(lot)}


def pick_newcomer_seat(event: RoomTournament, lot: int) -> TableSeat | None:
    """The seat of a late player by lot, among the open ones of the tables with the fewest players [TDA-8-A]."""
    sizes = {
        table: len(seats) for table, seats in event.seating_by_table().items() if table in event.seat_count_by_table
    }
    free = event.open_seats()
    if not free:
        return None
    least = min(sizes[table] for table, _ in free)
    places = [place for place in free if sizes[place[0]] == least]
    return places[lot % len(places)]


def count_players_to_money(event: RoomTournament) -> int:
    """How many players must go out before all who are left are paid; 0 and less: they are in the money."""
    tournament = event.progress
    if tournament is None:
        return len(event.registered_players)
    return len(tournament.remaining_players) - sum(1 for prize in tournament.prizes() if prize)


def find_final_table_size(event: RoomTournament) -> int:
    """With how many players the final table is formed, by the book and the chairs of a table."""
    by = event.rules.final_table_by_seats.value
    places = max(event.seat_count_by_table.values(), default=9)
    if by is FinalTableSize.AS_PRINTED:
        return event.rules.final_table.value
    return places + 1 if by is FinalTableSize.ONE_MORE else (9 if places >= 8 else 7)
