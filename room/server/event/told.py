"""What screens are told of an event: the board what everybody may see, the desk what it has to confirm."""

from collections.abc import Mapping
from typing import Any

from config import rulebook_file
from room.event.advice import Proposal
from room.event.hand_for_hand import waiting
from room.event.model import Event, How
from room.server.event.desk import EventDesk

MOVES_SECONDS = 240.0
"""So long a move stays on the board [as rooms do: moves are shown for minutes]."""

MOST_SHOWN = 120
PLACES_SHOWN = 40


def board(event: Event, now: float) -> dict[str, Mapping[str, Any]]:
    """The public keys of an event's topic: `event`, `clock`, `moves`, and `table:NAME` for each table in play."""
    tournament = event.tournament
    players = len(tournament.remaining) if tournament else len(event.registered)
    chips = event.stack * (len(tournament.entrants) + len(tournament.paid_more) if tournament else players)
    places = tournament.finishes() if tournament else ()
    found: dict[str, Mapping[str, Any]] = {
        "event": {
            "title": event.title,
            "players": players,
            "entrants": len(tournament.entrants) if tournament else players,
            "capacity": event.capacity,
            "alternates": len(event.alternates),
            "tables": len(event.tables),
            "stack": event.stack,
            "average": round(chips / players) if players else 0,
            "started": tournament is not None,
            "drawn": event.drawn,
            "over": event.over,
            "closed": [event.closed_by, event.closed_at] if event.closed_by else None,
            "pool": tournament.purse()[0] if tournament else 0,
            "prizes": list(tournament.prizes()) if tournament else [],
            "hand_for_hand": event.rounds.number if event.rounds else 0,
            "places": [
                {"player": one.player, "place": one.place, "tied": one.tied, "prize": one.prize,
                 "paid": one.player in event.paid}
                for one in places[:PLACES_SHOWN]
            ],
            "bounties": tournament.bounties() if tournament else {},
        },
        "clock": clock(event, now),
        "moves": {"moves": [
            {"at": move.at, "player": move.player, "from": list(move.source) if move.source else None,
             "to": list(move.to), "open": move.until in event.duties}
            for move in event.moved[-MOST_SHOWN:]
            if now - move.at < MOVES_SECONDS or move.until in event.duties
        ]},
    }  # fmt: skip
    seats = event.by_table()
    for table in event.tables:
        found[f"table:{table}"] = {
            "places": event.tables[table],
            "seats": {str(seat): player for seat, player in seats[table].items()},
        }
    return found


def clock(event: Event, now: float) -> dict[str, Any]:
    """The clock so that a screen counts down by itself: when it ends, or what is left while it stands still."""
    levels = event.schedule.levels
    tournament = event.tournament
    if tournament is None:
        return {"stage": "waiting", "level": 1, "stakes": _stakes(event, 0), "left": 60.0 * levels[0].minutes,
                "running": False, "then": _stakes(event, 1), "to_break": None}  # fmt: skip
    reading = tournament.clock.read(now)
    end = round(now + reading.left, 1) if reading.running else None
    to_break = reading.to_break
    return {
        "stage": reading.stage.value,
        "level": reading.level + 1,
        "stakes": _stakes(event, reading.level),
        "then": _stakes(event, reading.level + 1),
        "running": reading.running,
        "ends": end,
        "left": None if reading.running else round(reading.left, 1),
        "break_at": round(now + to_break, 1) if reading.running and to_break is not None else None,
        "to_break": None if reading.running or to_break is None else round(to_break, 1),
    }


def _stakes(event: Event, level: int) -> list[int] | None:
    if level >= len(event.schedule.levels):
        return None
    found = event.schedule.levels[level]
    return [found.small_blind, found.big_blind, found.ante]


def shown_line(proposal: Proposal) -> dict[str, Any]:
    """The line of a proposal as the desk shows it, and sends it back to confirm it."""
    return {key: value for key, value in proposal.line.items() if key != "cite"}


def desk_keys(desk: EventDesk, now: float) -> dict[str, Mapping[str, Any]]:
    """The keys of a desk's topic: `proposals`, `duties`, `clocks`, `round`, `people`."""
    event = desk.event
    clauses = rulebook_file.clauses()
    proposals = [
        {"line": shown_line(one), "cite": "; ".join(clauses.get(cite, cite) for cite in one.cite),
         "by_default": one.by_default}
        for one in desk.proposals(now)[:MOST_SHOWN]
    ]  # fmt: skip
    duties = [
        {"number": one.number, "table": one.table, "line": dict(one.line), "player": one.player, "how": one.how.value,
         "why": one.why or desk.waits.get(one.number, "")}
        for one in sorted(event.duties.values(), key=lambda one: (one.how is not How.REFUSED, one.number))[:MOST_SHOWN]
    ]  # fmt: skip
    apart = [
        {"table": one.table, "ahead": round(one.ahead), "lines": [dict(line) for line in one.lines]}
        for one in desk.apart(now)
        if abs(one.ahead) >= 1
    ]
    state = waiting(event, desk.standings)
    return {
        "proposals": {"list": proposals},
        "duties": {"open": len(event.duties), "list": duties},
        "clocks": {"list": apart},
        "round": {"number": event.rounds.number if event.rounds else 0, "done": sorted(state.done),
                  "all_in": list(state.all_in), "behind": list(state.behind)},
        "people": {"registered": list(event.registered[-MOST_SHOWN:]),
                   "alternates": list(event.alternates[:MOST_SHOWN])},
    }  # fmt: skip
