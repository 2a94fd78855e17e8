"""The event's lines, one after the other: the same lines give the same event, in newer versions too.

`do` says what a line is; what else it needs stands in `docs/room-tournament.md`. A seat is `["table-07", 3]`. What was
drawn by lot stands in the line, drawn where it was entered: a fold needs no chance.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from controller.core.rules.questions.house.tournament_rules import TournamentRules
from controller.core.tournament import tournament as core
from controller.core.tournament.balance import assign_drawn_seats
from controller.core.tournament.money_terms import parse_terms
from controller.core.tournament.tournament import TournamentError, parse_amount, parse_units, require_balance
from controller.core.tournament.tournament_clock import TournamentClock
from controller.core.values import value
from room.record.room_record import RecordLine
from room.tournament import hand_for_hand, instructions, schedule_codec, seating, table_release
from room.tournament.tournament_state import RoomTournament, TableSeat

RulesLoader = Callable[[str], TournamentRules]
"""Finds a book's rules by its name; raises `ValueError`."""

MAX_TEXT_LENGTH = 80
MAX_PLAYERS = 20_000
MAX_TABLES = 1_000
ANSWER_WORDS = ("asked", "entered", "refused", "again", "by-hand", "drop")
WORDS_AFTER_CLOSING = (*ANSWER_WORDS, "pay", "let-go")
"""What may still be entered once the event is closed."""

WORDS_WHILE_SEATING = (
    *ANSWER_WORDS, "begin", "register", "withdraw", "late-entry", "eliminate", "reinstate", "move", "open-table",
    "order", "tell", "close",
)  # fmt: skip
"""What may be entered between `start` and the first hand: what does not want play to be on."""


def fold_lines(lines: Iterable[RecordLine], books: RulesLoader) -> RoomTournament | None:
    """The event of a stream's lines; `None` before the first. Raises `TournamentError` with the number of a line."""
    event: RoomTournament | None = None
    for line in lines:
        try:
            event = open_tournament(line, books) if event is None else apply_tournament_line(event, line)
        except TournamentError as why:
            raise TournamentError(f"line {line.number}: {why}") from why
    return event


def open_tournament(line: RecordLine, books: RulesLoader) -> RoomTournament:
    """The event of its first line: `title`, `rulebook`, `schedule`, `buy_in`, `stack`, `tables` and what may be said.

    Raises `TournamentError`.
    """
    what = line.content
    if what.get("do") != "open":
        raise TournamentError("the first line of an event is `open`.")
    try:
        book = books(str(what["rulebook"]))
        schedule = schedule_codec.from_json(what["schedule"])
        tables = {str(one["name"]): int(one.get("places", 9)) for one in what["tables"]}
    except (KeyError, TypeError, ValueError) as why:
        raise TournamentError(f"an event has rulebook, schedule and tables, each with name and places: {why}") from why
    if not 0 < len(tables) <= MAX_TABLES or len(tables) != len(what["tables"]):
        raise TournamentError(f"an event has 1 to {MAX_TABLES} tables, each with a name of its own.")
    if any(not 2 <= places <= 11 for places in tables.values()):
        raise TournamentError("a table has 2 to 11 chairs.")

    def number(key: str) -> int:
        return parse_units({"do": "open", key: 0, **what}, key, has_account="payouts" in what)

    try:
        terms = parse_terms(what)
    except ValueError as why:
        raise TournamentError(str(why)) from why
    chairs = sum(tables.values())
    if not number("stack"):
        raise TournamentError("an entry has chips: `stack` is above 0.")
    return RoomTournament(
        _require_text(what, "title"),
        str(what["rulebook"]),
        book,
        schedule,
        number("buy_in"),
        number("stack"),
        min(number("capacity") or chairs, chairs),
        tables,
        late_entry_levels=number("late_levels"),
        bounty=number("bounty"),
        satellite_seat_price=number("seat_price"),
        terms=terms,
        unlimited_rebuys=bool(what.get("unlimited_rebuys")),
        eliminates_by_tables=bool(what.get("by_tables")),
        line_number=line.number,
        last_line_at=line.entered_at,
    )


def apply_tournament_line(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """The event after a line; raises `TournamentError`, in words."""
    if line.entered_at < event.last_line_at:  # a server's clock that is set back moves no tournament
        line = replace(line, entered_at=event.last_line_at)
    word = line.content.get("do")
    if not isinstance(word, str) or word not in HANDLER_BY_WORD:
        raise TournamentError(f"`do` cannot be {word!r}; it may be {', '.join(HANDLER_BY_WORD)}.")
    if event.closed_by and word not in WORDS_AFTER_CLOSING:
        raise TournamentError(f"{event.closed_by} has closed this event; only prizes are paid out.")
    if event.is_let_go and word not in (*WORDS_AFTER_CLOSING, "close"):
        raise TournamentError("all is paid out and the tables have been let go: nothing more is played.")
    if event.seating_by and word not in WORDS_WHILE_SEATING:
        raise TournamentError("players are being seated; play begins when all are, or with `begin`.")
    try:
        after = table_release.let_tables_go(HANDLER_BY_WORD[word](event, line), line)
        return replace(
            hand_for_hand.join_returning_tables(after, line),
            line_number=line.number,
            last_line_at=line.entered_at,
        )
    except (TypeError, ValueError, OverflowError) as why:
        if isinstance(why, TournamentError):
            raise
        raise TournamentError(f"`{word}` is not as it must be: {why}") from why


def _require_text(what: Mapping[str, Any], key: str) -> str:
    value = what.get(key)
    if not isinstance(value, str) or not 0 < len(value.strip()) <= MAX_TEXT_LENGTH or not value.isprintable():
        raise TournamentError(f"`{key}` is a text of 1 to {MAX_TEXT_LENGTH} letters; it is {value!r}.")
    return value.strip()


def _require_free_seat(event: RoomTournament, what: Mapping[str, Any]) -> TableSeat:
    """The seat of a line, which is free; raises `TournamentError`."""
    match what.get("seat"):
        case [str(table), int(seat)] if (
            table in event.seat_count_by_table and 1 <= seat <= event.seat_count_by_table[table]
        ):
            taken = next((player for player, place in event.seat_by_player.items() if place == (table, seat)), None)
            if taken is not None:
                raise TournamentError(f"{taken} has seat {seat} of table {table}.")
            return table, seat
        case other:
            raise TournamentError(f"`seat` is a table in play and the number of a chair there; it is {other!r}.")


def _require_started(event: RoomTournament) -> core.Tournament:
    if event.progress is None:
        raise TournamentError("the event has not started.")
    return event.progress


def _refuse_started(event: RoomTournament) -> None:
    if event.progress is not None:
        raise TournamentError("the event has started.")


def _apply_to_progress(event: RoomTournament, line: RecordLine, **what: Any) -> RoomTournament:  # noqa: ANN401 (JSON)
    """The tournament itself takes a line."""
    taken = core.apply_line(_require_started(event), {"do": line.content["do"], **what, "at": line.entered_at})
    return replace(event, progress=taken)


def _register(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """A player enters before the start; who finds the event full is an alternate, and so is who comes to a full room.

    After the draw the line says the `seat`, drawn from those that are open.
    """
    player = _require_text(line.content, "player")
    started = event.progress
    if player in (started.entrants if started else event.registered_players) or player in event.alternates:
        raise TournamentError(f"{player} is registered.")
    if len(event.registered_players) + len(event.alternates) >= MAX_PLAYERS:
        raise TournamentError(f"an event has {MAX_PLAYERS} registrations at most.")
    if started is not None or event.alternates or len(event.registered_players) >= event.capacity:
        return replace(event, alternates=(*event.alternates, player))
    seats = (
        {**event.seat_by_player, player: _require_free_seat(event, line.content)}
        if event.seats_drawn
        else event.seat_by_player
    )
    return replace(event, registered_players=(*event.registered_players, player), seat_by_player=seats)


def _withdraw(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """Who has not played yet goes; before the start the first alternate takes the place, with the seat."""
    player = _require_text(line.content, "player")
    if player in event.alternates:
        return replace(event, alternates=tuple(one for one in event.alternates if one != player))
    _refuse_started(event)
    if player not in event.registered_players:
        raise TournamentError(f"{player} is not registered.")
    registered = tuple(one for one in event.registered_players if one != player)
    seats = {one: seat for one, seat in event.seat_by_player.items() if one != player}
    alternates = event.alternates
    if alternates:
        registered, alternates = (*registered, alternates[0]), alternates[1:]
        if player in event.seat_by_player:
            seats[registered[-1]] = event.seat_by_player[player]
    return replace(event, registered_players=registered, alternates=alternates, seat_by_player=seats)


def _draw_seats(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """Seats for all, by lot: `draw` is a permutation of all chairs of the event, table by table, the largest size."""
    _refuse_started(event)
    if len(event.registered_players) < 2:
        raise TournamentError("seats are drawn for two players or more.")
    seats = assign_seats_by_lot(event.registered_players, event.seat_count_by_table, line.content.get("draw"))
    return replace(event, seat_by_player=seats, seats_drawn=True)


def assign_seats_by_lot(players: Iterable[str], tables: Mapping[str, int], draw: Any) -> dict[str, TableSeat]:  # noqa: ANN401 (JSON)
    """The seats that a lot gives, as evenly as may be; a table that has fewer chairs than the others has them."""
    names, most = tuple(tables), max(tables.values())
    if not isinstance(draw, list) or sorted(draw) != list(range(most * len(names))):
        raise TournamentError(f"`draw` has each number from 0 to {most * len(names) - 1} once.")
    if len(set(tables.values())) == 1:
        try:
            return assign_drawn_seats(tuple(players), names, most, draw)
        except ValueError as why:
            raise TournamentError(str(why)) from why
    order = [(names[number // most], number % most + 1) for number in draw]
    left = [place for place in order if place[1] <= tables[place[0]]]
    wanted, found = tuple(players), {}
    sizes = dict.fromkeys(names, 0)
    if len(wanted) > len(left):
        raise TournamentError(f"{len(wanted)} players do not fit on {len(left)} chairs.")
    for player in wanted:
        least = min(sizes[table] for table, _ in left)
        place = next(place for place in left if sizes[place[0]] == least)
        left.remove(place)
        sizes[place[0]] += 1
        found[player] = place
    return found


def _start(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """Each table is told who sits there; then cards are in the air and the clock begins.

    With `seats_first` no hand begins before: the tables are halted, and `begin` follows when all are seated. All who
    have paid are dealt in on the first hand [R7-15.tourn.6, TDA-30].
    """
    _refuse_started(event)
    if not event.seats_drawn:
        raise TournamentError("no seats have been drawn.")
    rules = None if event.unlimited_rebuys else event.rules
    tournament = core.open_tournament(event.schedule, event.registered_players, event.buy_in, line.entered_at, rules)
    tournament = value.replace(
        tournament,
        late_entry_levels=event.late_entry_levels,
        bounty=event.bounty,
        satellite_seat_price=event.satellite_seat_price,
        terms=event.terms,
    )
    tournament = value.replace(tournament, same_hand_ranking=event.rules.hand_for_hand_places.value)
    seats_first = line.content.get("seats_first") is True
    if not seats_first:
        tournament = core.apply_line(tournament, {"do": "start", "at": line.entered_at})
    used = {table for table, _ in event.seat_by_player.values()}
    tables = {table: places for table, places in event.seat_count_by_table.items() if table in used}
    event = replace(event, progress=tournament, seat_count_by_table=tables, table_count_at_start=len(tables))
    event = replace(event, held_tables=tuple(tables), seating_by=line.entered_by if seats_first else "")
    first = {"ev": "halt"} if seats_first else {"ev": "timer", "set": "start"}
    event = instructions.instruct_tables(event, line, tuple(tables), first)
    return instructions.seat_players(event, line, event.seat_by_player, event.starting_stack)


def _begin_play(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """All are seated: the clock begins and the tables deal; `anyway` begins without those who are not."""
    if not event.seating_by:
        raise TournamentError("no players are being seated.")
    missing = seating.find_unseated(event)
    if missing and line.content.get("anyway") is not True:
        raise TournamentError(
            f"{seating.describe_unseated(event, missing)}; `begin` with `anyway` begins without them."
        )
    event = replace(_apply_to_progress(event, replace(line, content={"do": "start"})), seating_by="")
    return instructions.begin_play_at_tables(event, line, tuple(event.seat_count_by_table))


def _pause_or_resume(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """The clock of the event stands still or goes on, and those of the tables with it."""
    event = _apply_to_progress(event, line)
    return instructions.instruct_tables(
        event, line, _list_occupied_tables(event), {"ev": "timer", "set": str(line.content["do"])}
    )


def _list_occupied_tables(event: RoomTournament) -> tuple[str, ...]:
    return tuple(
        table for table, seats in event.seating_by_table().items() if seats and table in event.seat_count_by_table
    )


def _begin_next_level(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """The director begins the next level now, here and at every table; `to`: which they mean, as two may say it."""
    tournament = _require_started(event)
    level = tournament.clock.read(line.entered_at).level_index + 1
    if level >= len(event.schedule.levels):
        raise TournamentError(f"level {level} is the last.")
    if line.content.get("to", level + 1) != level + 1:
        raise TournamentError(f"level {level} is on already; look again.")
    event = replace(
        event, progress=value.replace(tournament, clock=tournament.clock.set_to_level(level, line.entered_at))
    )
    return instructions.instruct_tables(event, line, _list_occupied_tables(event), {"ev": "level"})


def _enter_late(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """A newcomer, or the first alternate, gets a full stack and a `seat`; nobody enters before an alternate."""
    player = _require_text(line.content, "player")
    if event.alternates and player != event.alternates[0]:
        raise TournamentError(f"{event.alternates[0]} is the next alternate.")
    _refuse_when_full(event)
    seat = _require_free_seat(event, line.content)
    event = replace(_apply_to_progress(event, line, player=player), alternates=event.alternates[1:])
    return instructions.seat_players(event, line, {player: seat}, event.starting_stack)


def _refuse_when_full(event: RoomTournament) -> None:
    if len(_require_started(event).remaining_players) >= event.capacity:
        raise TournamentError(
            f"the event is full with {event.capacity} players; who comes now is an alternate (`register`)."
        )


def _reenter(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """Who has no chips left enters again, as a participant of its own, after the alternates [WSOP-T-13]."""
    player = _require_text(line.content, "player")
    if event.alternates:
        raise TournamentError(f"{event.alternates[0]} is the next alternate.")
    _refuse_when_full(event)
    seat = _require_free_seat(event, line.content)
    event = _apply_to_progress(event, line, player=player)
    return instructions.seat_players(event, line, {_require_started(event).entrants[-1]: seat}, event.starting_stack)


def _rebuy_or_add_on(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """A rebuy brings its player back, to a `seat`; an add-on is told to the table where `chips` are said."""
    player, what = _require_text(line.content, "player"), line.content
    seat = _require_free_seat(event, what) if what["do"] == "rebuy" else None
    event = _apply_to_progress(
        event, line, player=player, amount=what.get("amount"), last_hand=bool(what.get("last_hand"))
    )
    if seat is not None:
        return instructions.seat_players(event, line, {player: seat}, int(what.get("chips") or event.starting_stack))
    if not what.get("chips") or player not in event.seat_by_player:
        return event
    table, chair = event.seat_by_player[player]
    return instructions.instruct_tables(
        event, line, (table,), {"ev": "buy", "seat": chair, "chips": int(parse_amount(what, "chips"))}
    )


def _eliminate(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """A player is out: `hand` of the table and `stack` at its start, `knocked_by` whom, where that is known.

    Hand for hand it is the hand that all tables play together that counts. The chair is free for the next.
    """
    player, what = _require_text(line.content, "player"), line.content
    left = [
        duty for duty in event.instruction_by_number.values() if duty.player == player and duty.event_name == "leave"
    ]
    there = left[0].table if left else event.seat_by_player.get(player, ("", 0))[0]
    hand = int(parse_amount(what, "hand"))
    number = event.current_round.number if event.current_round else hand
    event = _apply_to_progress(event, line, player=player, table=there, hand=number, stack=what.get("stack", 0),
                  disqualified=bool(what.get("disqualified")), **_make_knockout_keys(what))  # fmt: skip
    seat = event.seat_by_player[player]
    came = int(left[0].script_line["seat"]) if left else seat[1]
    before = event.last_elimination_by_table.get(there, (0, ()))
    out = (hand, (*(before[1] if before[0] == hand else ()), came))
    kept = {number: duty for number, duty in event.instruction_by_number.items() if duty.player != player}
    event = replace(
        event,
        seat_by_player={one: place for one, place in event.seat_by_player.items() if one != player},
        freed_seats=(*event.freed_seats, seat) if seat[0] in event.seat_count_by_table else event.freed_seats,
        last_elimination_by_table={**event.last_elimination_by_table, there: out},
        instruction_by_number=kept,
    )
    if what.get("disqualified"):
        event = instructions.send_away(event, line, player, (there, came))
    return _finish_play(event, line) if event.is_over else event


def _make_knockout_keys(what: Mapping[str, Any]) -> dict[str, Any]:
    """Who has knocked a player out, as the tournament itself takes it: `knocked_by`, a name or a list, and `shares`."""
    by = what.get("knocked_by")
    shares = {} if what.get("shares") is None else {"shares": what["shares"]}
    return {"by": by, **shares} if by or by == [] else shares


def _say_knockout_anew(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """Somebody else has knocked out a player who is out, or it is said only now."""
    player = _require_text(line.content, "player")
    return _apply_to_progress(event, line, player=player, **_make_knockout_keys(line.content))


def _buy_marker(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """A player is found without a bounty marker, and pays for another [WSOP-T-39.a]."""
    return _apply_to_progress(event, line, player=_require_text(line.content, "player"))


def _refund_entry(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """An entry does not count: its money is paid back, the player leaves the table, and the chair is free."""
    player = _require_text(line.content, "player")
    event = _apply_to_progress(event, line, player=player)
    seat = event.seat_by_player[player]
    own = [duty for duty in event.instruction_by_number.values() if duty.player == player]
    left = [(duty.table, int(duty.script_line["seat"])) for duty in own if duty.event_name == "leave"]
    event = replace(
        event,
        seat_by_player={one: place for one, place in event.seat_by_player.items() if one != player},
        freed_seats=(*event.freed_seats, seat) if seat[0] in event.seat_count_by_table else event.freed_seats,
        instruction_by_number={
            number: duty for number, duty in event.instruction_by_number.items() if duty.player != player
        },
    )
    event = instructions.send_away(event, line, player, left[0] if left else seat)
    return _finish_play(event, line) if event.is_over else event


def _share_by_deal(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """Those who are left have agreed on their `shares`, in units: nothing more is played."""
    return _finish_play(_apply_to_progress(event, line, shares=line.content.get("shares")), line)


def _sell_jackpot_cards(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """Cards of the jackpot are sold: `sold` as they were drawn, `price`, `brought`, `last` [FC-11.side.jackpot]."""
    rule = event.rules.side_games
    if not rule.value:
        raise TournamentError(f"{event.rulebook} has no river jackpot ({rule.source}).")
    said = {key: line.content[key] for key in ("sold", "price", "brought", "last") if key in line.content}
    return _apply_to_progress(event, line, **said)


def _say_river_card(event: RoomTournament, line: RecordLine) -> RoomTournament:
    return _apply_to_progress(event, line, card=line.content.get("card"))


def _finish_play(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """The clock stands still, what tables still had to enter for play is dropped, and those that wait go on."""
    event = replace(instructions.drop_play_instructions(event, line), seating_by="")
    if event.current_round is not None:
        event = _switch_hand_for_hand(event, replace(line, content={"do": "hand-for-hand", "on": False}))
    if event.progress is None or event.progress.clock.running_since_s is None:
        return event
    return _replace_clock(event, event.progress.clock.pause(line.entered_at))


def _reinstate(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """An elimination was a mistake: the player is back in, on the `seat` that is said."""
    player, tournament = _require_text(line.content, "player"), _require_started(event)
    if tournament.deal_cents_by_player:
        raise TournamentError("those who were left have agreed on a deal: nobody plays on.")
    if player not in {gone.player for gone in tournament.eliminations}:
        raise TournamentError(f"{player} is not out.")
    seat = _require_free_seat(event, line.content)
    tournament = value.replace(core.remove_elimination(tournament, player), last_line_s=line.entered_at)
    free = tuple(one for one in event.freed_seats if one != seat)
    stays = {
        number: duty
        for number, duty in event.instruction_by_number.items()
        if (duty.player, duty.event_name) != (player, "leave")
    }
    return replace(
        event,
        progress=tournament,
        seat_by_player={**event.seat_by_player, player: seat},
        freed_seats=free,
        instruction_by_number=stays,
    )


def _parse_moves(what: Mapping[str, Any]) -> dict[str, TableSeat]:
    match what.get("moves"):
        case [*moves] if moves:
            found: dict[str, TableSeat] = {}
            for move in moves:
                player, table, seat = move
                found[str(player)] = (str(table), int(seat))
            return found
        case _:
            raise TournamentError("`moves` is a list of [player, table, seat].")


def _move_players(event: RoomTournament, line: RecordLine) -> RoomTournament:
    _require_started(event)
    return instructions.move_players(event, line, _parse_moves(line.content), "balance")


def _break_table(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """A table breaks: its players go where `moves` says, all of them, and it takes no part any more."""
    _require_started(event)
    table = str(line.content.get("table", ""))
    if table not in event.seat_count_by_table or len(event.seat_count_by_table) < 2:
        raise TournamentError(f"table {table} cannot break; in play are {', '.join(event.seat_count_by_table)}.")
    there, moves = set(event.seating_at(table).values()), _parse_moves(line.content)
    if set(moves) != there:
        raise TournamentError(
            f"all of table {table} move, and nobody else: {', '.join(sorted(there ^ set(moves)))} differ."
        )
    return instructions.move_players(_remove_tables(event, (table,)), line, moves, "break", halting=True)


def _remove_tables(event: RoomTournament, tables: Iterable[str]) -> RoomTournament:
    gone = set(tables)
    left = {table: places for table, places in event.seat_count_by_table.items() if table not in gone}
    free = tuple(seat for seat in event.freed_seats if seat[0] not in gone)
    return replace(event, seat_count_by_table=left, freed_seats=free)


def _redraw_seats(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """All seats are drawn anew over `tables`; the others break. The final table is one table."""
    _require_started(event)
    names = [str(name) for name in line.content.get("tables", ())]
    if not names or not set(names) <= set(event.seat_count_by_table):
        raise TournamentError(f"`tables` names those that play on; in play are {', '.join(event.seat_count_by_table)}.")
    tables = {name: event.seat_count_by_table[name] for name in event.seat_count_by_table if name in names}
    players = [player for seats in event.seating_by_table().values() for player in seats.values()]
    places = line.content.get("places")
    if len(tables) == 1 and places is not None:
        tables = dict.fromkeys(tables, min(11, max(int(parse_amount(line.content, "places")), len(players))))
    seats = assign_seats_by_lot(players, tables, line.content.get("draw"))
    event = replace(
        _remove_tables(event, [table for table in event.seat_count_by_table if table not in tables]),
        seat_count_by_table=tables,
    )
    event = instructions.move_players(event, line, seats, "redraw", halting=True)
    if len(tables) > 1 or event.current_round is None:
        return event
    return _switch_hand_for_hand(event, replace(line, content={"do": "hand-for-hand", "on": False}))


def _open_table(event: RoomTournament, line: RecordLine) -> RoomTournament:
    table = _require_text(line.content, "table")
    places = int(parse_amount(line.content, "places"))
    if table in event.seat_count_by_table or not 2 <= places <= 11 or len(event.seat_count_by_table) >= MAX_TABLES:
        raise TournamentError(f"table {table} is in play, or {places} are not 2 to 11 chairs.")
    if table in table_release.find_releasing_tables(event):
        raise TournamentError(f"table {table} broke and has not been let go yet; it is opened again once it is.")
    grown = event.capacity + places if line.content.get("grows") else event.capacity
    event = replace(event, seat_count_by_table={**event.seat_count_by_table, table: places}, capacity=grown)
    if event.progress is None or table in event.held_tables:
        return event
    event = replace(event, held_tables=(*event.held_tables, table))
    return instructions.instruct_tables(event, line, (table,), {"ev": "halt"}) if event.seating_by else event


def _set_break_order(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """In which order tables break, as it is posted [WSOP-T-66#order]."""
    order = [str(name) for name in line.content.get("tables", ())]
    if sorted(order) != sorted(event.seat_count_by_table):
        raise TournamentError(f"the order names each table once: {', '.join(event.seat_count_by_table)}.")
    return replace(event, seat_count_by_table={name: event.seat_count_by_table[name] for name in order})


def _switch_hand_for_hand(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """It begins or ends; where a hand takes minutes of the level, the clock stands still meanwhile [TDA-RP-8-B]."""
    tournament, on = _require_started(event), line.content.get("on") is True
    seconds = 0.0 if on else _compute_hand_time_s(event)
    event = (hand_for_hand.begin_hand_for_hand if on else hand_for_hand.end_hand_for_hand)(event, line)
    event = _apply_to_progress(event, line)
    clock = tournament.clock
    if on and event.rules.hand_for_hand_minutes.value and clock.running_since_s is not None:
        return replace(_replace_clock(event, clock.pause(line.entered_at)), paused_by_hand_for_hand=True)
    if not on and event.paused_by_hand_for_hand and clock.running_since_s is None:
        return replace(
            _replace_clock(event, clock.skip_time(seconds).resume(line.entered_at)), paused_by_hand_for_hand=False
        )
    return event


def _compute_hand_time_s(event: RoomTournament) -> float:
    """Seconds of the level that the hand has taken on which hand for hand ends: somebody went out on it."""
    tournament, rounds = _require_started(event), event.current_round
    ended_it = rounds is not None and any(
        (gone.hand_for_hand_number, gone.hand) == (tournament.hand_for_hand_count, rounds.number)
        for gone in tournament.eliminations
    )
    return event.rules.hand_for_hand_minutes.value * hand_for_hand.SECONDS_PER_MINUTE if ended_it else 0.0


def _replace_clock(event: RoomTournament, clock: TournamentClock) -> RoomTournament:
    return replace(event, progress=value.replace(_require_started(event), clock=clock))


def _release_next_hand(event: RoomTournament, line: RecordLine) -> RoomTournament:
    event = hand_for_hand.release_next_hand(event, line)
    if not event.paused_by_hand_for_hand:
        return event
    seconds = event.rules.hand_for_hand_minutes.value * hand_for_hand.SECONDS_PER_MINUTE
    return _replace_clock(event, _require_started(event).clock.skip_time(seconds))


def _apply_answer(event: RoomTournament, line: RecordLine) -> RoomTournament:
    duty = event.instruction_by_number.get(int(parse_amount(line.content, "duty")))
    event = instructions.apply_answer(event, line)
    if duty is not None and line.content["do"] == "asked":
        event = hand_for_hand.record_table_hand(event, duty, line.content)
    is_free = duty is not None and duty.event_name == instructions.TABLE_RELEASE_EVENT
    if duty is not None and is_free and duty.number not in event.instruction_by_number:
        return table_release.release_table(event, duty.table)
    return event


def _instruct_tables(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """Tables enter `lines` besides: to agree with the clock, to halt, to say when the day ends."""
    match line.content:
        case {"tables": [*tables], "lines": [*lines]} if (
            lines
            and set(tables) <= set(event.seat_count_by_table)
            and all(isinstance(one, Mapping) and "ev" in one for one in lines)
        ):
            return instructions.instruct_tables(event, line, [str(table) for table in tables], *lines)
        case _:
            raise TournamentError("`tell` has `tables` in play and `lines` of the table script.")


def _pay(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """A prize is handed out; once the event is over, only where its account comes out.

    Where a prize has changed since, the same word brings what was paid to what is won.
    """
    player, tournament = _require_text(line.content, "player"), _require_started(event)
    if event.is_over:
        require_balance(tournament)
    if tournament.is_abandoned:
        raise TournamentError(
            "the event was broken off: what was paid for entries is paid back, and there are no prizes."
        )
    prizes = {one.player: one.prize_cents for one in tournament.finishes() if one.prize_cents}
    prize = prizes.get(player, 0)
    if event.is_paid_out(player, prize) or (not prize and player not in event.paid_cents_by_player):
        raise TournamentError(f"{player} has no prize to be paid.")
    return replace(event, paid_cents_by_player={**event.paid_cents_by_player, player: prize})


def _close_tournament(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """Nothing more is played, by somebody's word: it is over or was never begun, or `abandon` breaks it off.

    Its account comes out to the cent, or it stays open; what is broken off is paid back.
    """
    tournament = event.progress
    if tournament is not None and not event.is_over and line.content.get("abandon") is not True:
        raise TournamentError(
            f"{len(tournament.remaining_players)} players still play; `close` with `abandon` breaks the event off."
        )
    if tournament is not None:
        tournament = value.replace(tournament, is_abandoned=tournament.terms.has_account and not event.is_over)
        require_balance(tournament, event.paid_cents_by_player)
    event = replace(event, progress=tournament)
    return replace(_finish_play(event, line), closed_by=line.entered_by, closed_at=line.entered_at)


HANDLER_BY_WORD: Mapping[str, Callable[[RoomTournament, RecordLine], RoomTournament]] = {
    "register": _register,
    "withdraw": _withdraw,
    "draw": _draw_seats,
    "start": _start,
    "begin": _begin_play,
    "pause": _pause_or_resume,
    "resume": _pause_or_resume,
    "level": _begin_next_level,
    "late-entry": _enter_late,
    "re-entry": _reenter,
    "rebuy": _rebuy_or_add_on,
    "add-on": _rebuy_or_add_on,
    "eliminate": _eliminate,
    "reinstate": _reinstate,
    "knockout": _say_knockout_anew,
    "marker": _buy_marker,
    "move": _move_players,
    "break": _break_table,
    "redraw": _redraw_seats,
    "open-table": _open_table,
    "order": _set_break_order,
    "hand-for-hand": _switch_hand_for_hand,
    "turn-up": hand_for_hand.turn_up_hands,
    "hand-done": hand_for_hand.confirm_hand_done,
    "go": _release_next_hand,
    "tell": _instruct_tables,
    "pay": _pay,
    "deal": _share_by_deal,
    "jackpot": _sell_jackpot_cards,
    "river": _say_river_card,
    "refund": _refund_entry,
    "close": _close_tournament,
    "let-go": table_release.let_go_by_word,
    **dict.fromkeys(ANSWER_WORDS, _apply_answer),
}
