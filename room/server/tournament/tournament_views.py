"""What screens are told of an event: the board what everybody may see, the desk what it has to confirm."""

from collections.abc import Mapping
from typing import Any

from config import rulebook_file
from controller.core.tournament.ledger import sum_ledger
from controller.core.tournament.money_terms import to_number
from controller.core.tournament.payouts import CENTS_PER_UNIT
from controller.core.tournament.tournament import Tournament, has_carried_as_printed
from room.server.tournament.tournament_desk import TournamentDesk
from room.tournament.hand_for_hand import assess_round
from room.tournament.proposals import Proposal
from room.tournament.seating import find_unseated
from room.tournament.tournament_state import InstructionStatus, RoomTournament

MOVE_DISPLAY_S = 240.0
"""So long a move stays on the board [as rooms do: moves are shown for minutes]."""

MAX_SHOWN = 120
MAX_SHOWN_PLACES = 40


def make_board_values(event: RoomTournament, now: float) -> dict[str, Mapping[str, Any]]:
    """The public keys of an event's topic: `event`, `clock`, `moves`, and `table:NAME` for each table in play."""
    tournament = event.progress
    players = len(tournament.remaining_players) if tournament else len(event.registered_players)
    chips = event.starting_stack * (
        len(tournament.entrants) + len(tournament.extra_payments) if tournament else players
    )
    places = tournament.finishes() if tournament else ()
    found: dict[str, Mapping[str, Any]] = {
        "event": {
            "title": event.title,
            "players": players,
            "entrants": len(tournament.entrants) if tournament else players,
            "capacity": event.capacity,
            "alternates": len(event.alternates),
            "tables": len(event.seat_count_by_table),
            "stack": event.starting_stack,
            "average": round(chips / players) if players else 0,
            "started": tournament is not None,
            "drawn": event.seats_drawn,
            "seating": [len(find_unseated(event)), len(event.seat_by_player)] if event.seating_by else None,
            "over": event.is_over,
            "closed": [event.closed_by, event.closed_at] if event.closed_by else None,
            "held": list(event.held_tables) if event.closed_by or event.is_over else [],
            "pool": tournament.split_purse()[0] if tournament else 0,
            "prizes": list(tournament.prizes()) if tournament else [],
            "hand_for_hand": event.current_round.number if event.current_round else 0,
            "places": [
                {"player": one.player, "place": one.place, "tied": one.tied_count, "prize": one.prize_cents,
                 "paid": event.is_paid_out(one.player, one.prize_cents)}
                for one in places[:MAX_SHOWN_PLACES]
            ],
            "bounty": event.bounty,
            "bounties": tournament.bounty_by_player() if tournament else {},
            "knockouts": _list_knockouts(tournament) if tournament and event.bounty else [],
        },
        "clock": make_clock_value(event, now),
        "moves": {"moves": [
            {"at": move.moved_at, "player": move.player, "from": list(move.source_seat) if move.source_seat else None,
             "to": list(move.target_seat), "open": move.final_sit in event.instruction_by_number}
            for move in event.moves[-MAX_SHOWN:]
            if now - move.moved_at < MOVE_DISPLAY_S or move.final_sit in event.instruction_by_number
        ]},
    }  # fmt: skip
    seats = event.seating_by_table()
    for table in event.seat_count_by_table:
        found[f"table:{table}"] = {
            "places": event.seat_count_by_table[table],
            "seats": {str(seat): player for seat, player in seats[table].items()},
        }
    return found


def _list_knockouts(tournament: Tournament) -> list[dict[str, Any]]:
    """Who is out, the last first, and by whom; without `knocked_by` where nobody has said it yet."""
    known = {one.player: one for one in tournament.knockouts
             if one.rebuy_count == tournament.rebuy_count_by_player.get(one.player, 0)}  # fmt: skip
    return [
        {"player": gone.player}
        | ({"knocked_by": list(by.winners)} if (by := known.get(gone.player)) else {})
        | ({"shares": list(by.shares)} if by and by.shares else {})
        for gone in reversed(tournament.eliminations[-MAX_SHOWN:])
    ]


def make_clock_value(event: RoomTournament, now: float) -> dict[str, Any]:
    """The clock so that a screen counts down by itself: when it ends, or what is left while it stands still."""
    levels = event.schedule.levels
    tournament = event.progress
    if tournament is None:
        return {"stage": "waiting", "level": 1, "stakes": _level_stakes(event, 0), "left": 60.0 * levels[0].minutes,
                "running": False, "then": _level_stakes(event, 1), "to_break": None}  # fmt: skip
    reading = tournament.clock.read(now)
    end = round(now + reading.left_s, 1) if reading.is_running else None
    to_break = reading.to_break_s
    return {
        "stage": reading.stage.value,
        "level": reading.level_index + 1,
        "stakes": _level_stakes(event, reading.level_index),
        "then": _level_stakes(event, reading.level_index + 1),
        "running": reading.is_running,
        "ends": end,
        "left": None if reading.is_running else round(reading.left_s, 1),
        "break_at": round(now + to_break, 1) if reading.is_running and to_break is not None else None,
        "to_break": None if reading.is_running or to_break is None else round(to_break, 1),
    }


def _level_stakes(event: RoomTournament, level: int) -> list[int] | None:
    if level >= len(event.schedule.levels):
        return None
    found = event.schedule.levels[level]
    return [*found.blinds, found.ante]


def make_shown_line(proposal: Proposal) -> dict[str, Any]:
    """The line of a proposal as the desk shows it, and sends it back to confirm it."""
    return {key: value for key, value in proposal.line.items() if key != "cite"}


def make_account_value(event: RoomTournament) -> dict[str, Any]:
    """The event's account for the desk: sides with their kinds in units, and what nobody has collected yet."""
    tournament = event.progress
    if tournament is None or not event.terms.has_account:
        return {}
    paid = event.paid_cents_by_player
    uncollected = sum(one.prize_cents - paid.get(one.player, 0) for one in tournament.finishes())
    return sum_ledger(tournament.make_ledger()) | {
        "uncollected": 0 if tournament.is_abandoned else to_number(uncollected, CENTS_PER_UNIT),
        "season_cite": event.rules.carried_percent.source if has_carried_as_printed(event.terms, event.rules) else "",
        "structure": event.terms.structure.title,
        "cite": rulebook_file.load_clauses().get(event.terms.structure.cite, ""),
    }


def make_desk_values(desk: TournamentDesk, now: float) -> dict[str, Mapping[str, Any]]:
    """The keys of a desk's topic: `proposals`, `duties`, `clocks`, `round`, `people`, `account`, `seating`."""
    event = desk.tournament
    clauses = rulebook_file.load_clauses()
    proposals = [
        {"line": make_shown_line(one), "cite": "; ".join(clauses.get(cite, cite) for cite in one.cite),
         "by_default": one.by_default}
        for one in desk.find_proposals(now)[:MAX_SHOWN]
    ]  # fmt: skip
    duties = [
        {"number": one.number, "table": one.table, "line": dict(one.script_line), "player": one.player,
        "how": one.status.value,
         "why": one.reason or desk.wait_reason_by_instruction.get(one.number, "")}
        for one in sorted(event.instruction_by_number.values(),
        key=lambda one: (one.status is not InstructionStatus.REFUSED, one.number))[:MAX_SHOWN]
    ]  # fmt: skip
    apart = [
        {"table": one.table, "ahead": round(one.ahead_s), "lines": [dict(line) for line in one.script_lines]}
        for one in desk.find_clock_deviations(now)
        if abs(one.ahead_s) >= 1
    ]
    state = assess_round(event, desk.view_by_table)
    return {
        "proposals": {"list": proposals},
        "duties": {"open": len(event.instruction_by_number), "list": duties},
        "clocks": {"list": apart},
        "round": {"number": event.current_round.number if event.current_round else 0,
        "done": sorted(state.finished_hand_by_table),
                  "all_in": list(state.all_in_tables), "behind": list(state.unfinished_tables)},
        "seating": make_seating_value(desk),
        "account": make_account_value(event),
        "people": {"registered": list(event.registered_players[-MAX_SHOWN:]),
                   "alternates": list(event.alternates[:MAX_SHOWN])},
    }  # fmt: skip


def make_seating_value(desk: TournamentDesk) -> dict[str, Any]:
    """Who is not seated yet, table by table, and what each table waits for; `all`: how many players there are."""
    event = desk.tournament
    by_table: dict[str, list[list[int | str]]] = {}
    for player, (table, seat) in desk.find_unseated().items():
        by_table.setdefault(table, []).append([seat, player])
    return {
        "on": bool(event.seating_by),
        "left": sum(len(players) for players in by_table.values()),
        "all": len(event.seat_by_player),
        "tables": [
            {"table": table, "players": players[:MAX_SHOWN], "heard": table in desk.view_by_table,
             "why": _find_wait_reason(desk, table)}
            for table, players in by_table.items()
        ][:MAX_SHOWN],
    }  # fmt: skip


def _find_wait_reason(desk: TournamentDesk, table: str) -> str:
    """Why a table has not taken what it was asked, the first reason that there is; empty: it is being asked."""
    reasons = (
        duty.reason or desk.wait_reason_by_instruction.get(duty.number, "")
        for duty in desk.tournament.instruction_by_number.values()
        if duty.table == table
    )
    return next(filter(None, reasons), "")
