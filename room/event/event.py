"""The event's lines, one after the other: the same lines give the same event, in newer versions too.

`do` says what a line is; what else it needs stands in `docs/room-tournament.md`. A seat is `["table-07", 3]`. What was
drawn by lot stands in the line, drawn where it was entered: a fold needs no chance.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from controller.core.rules.questions.house.tournament import TournamentRules
from controller.core.tournament import event as core
from controller.core.tournament.balance import drawn_seats
from controller.core.tournament.clock import Clock
from controller.core.tournament.event import EventError, amount_of
from controller.core.values import value
from room.event import duties, hand_for_hand, schedule_line
from room.event.model import Event, Seat
from room.record.lines import Line

Books = Callable[[str], TournamentRules]
"""Finds a book's rules by its name; raises `ValueError`."""

LONGEST = 80
MOST_PLAYERS = 20_000
MOST_TABLES = 1_000
ANSWERS = ("asked", "entered", "refused", "again", "by-hand", "drop")
AFTERWARDS = (*ANSWERS, "pay")
"""What may still be entered once the event is closed."""


def folded(lines: Iterable[Line], books: Books) -> Event | None:
    """The event of a stream's lines; `None` before the first. Raises `EventError` with the number of a line."""
    event: Event | None = None
    for line in lines:
        try:
            event = opened(line, books) if event is None else after(event, line)
        except EventError as why:
            raise EventError(f"line {line.number}: {why}") from why
    return event


def opened(line: Line, books: Books) -> Event:
    """The event of its first line: `title`, `rulebook`, `schedule`, `buy_in`, `stack`, `tables` and what may be said.

    Raises `EventError`.
    """
    what = line.what
    if what.get("do") != "open":
        raise EventError("the first line of an event is `open`.")
    try:
        book = books(str(what["rulebook"]))
        schedule = schedule_line.read(what["schedule"])
        tables = {str(one["name"]): int(one.get("places", 9)) for one in what["tables"]}
    except (KeyError, TypeError, ValueError) as why:
        raise EventError(f"an event has rulebook, schedule and tables, each with name and places: {why}") from why
    if not 0 < len(tables) <= MOST_TABLES or len(tables) != len(what["tables"]):
        raise EventError(f"an event has 1 to {MOST_TABLES} tables, each with a name of its own.")
    if any(not 2 <= places <= 11 for places in tables.values()):
        raise EventError("a table has 2 to 11 chairs.")

    def number(key: str) -> int:
        return int(amount_of({"do": "open", key: 0, **what}, key))

    chairs = sum(tables.values())
    if not number("stack"):
        raise EventError("an entry has chips: `stack` is above 0.")
    return Event(
        _text(what, "title"),
        str(what["rulebook"]),
        book,
        schedule,
        number("buy_in"),
        number("stack"),
        min(number("capacity") or chairs, chairs),
        tables,
        late_levels=number("late_levels"),
        bounty=number("bounty"),
        seat_price=number("seat_price"),
        unlimited_rebuys=bool(what.get("unlimited_rebuys")),
        by_tables=bool(what.get("by_tables")),
        number=line.number,
        at=line.at,
    )


def after(event: Event, line: Line) -> Event:
    """The event after a line; raises `EventError`, in words."""
    if line.at < event.at:  # a server's clock that is set back moves no tournament
        line = replace(line, at=event.at)
    word = line.what.get("do")
    if not isinstance(word, str) or word not in WORDS:
        raise EventError(f"`do` cannot be {word!r}; it may be {', '.join(WORDS)}.")
    if event.closed_by and word not in AFTERWARDS:
        raise EventError(f"{event.closed_by} has closed this event; only prizes are paid out.")
    try:
        return replace(hand_for_hand.joined(WORDS[word](event, line), line), number=line.number, at=line.at)
    except (TypeError, ValueError, OverflowError) as why:
        if isinstance(why, EventError):
            raise
        raise EventError(f"`{word}` is not as it must be: {why}") from why


def _text(what: Mapping[str, Any], key: str) -> str:
    value = what.get(key)
    if not isinstance(value, str) or not 0 < len(value.strip()) <= LONGEST or not value.isprintable():
        raise EventError(f"`{key}` is a text of 1 to {LONGEST} letters; it is {value!r}.")
    return value.strip()


def _seat(event: Event, what: Mapping[str, Any]) -> Seat:
    """The seat of a line, which is free; raises `EventError`."""
    match what.get("seat"):
        case [str(table), int(seat)] if table in event.tables and 1 <= seat <= event.tables[table]:
            taken = next((player for player, place in event.seats.items() if place == (table, seat)), None)
            if taken is not None:
                raise EventError(f"{taken} has seat {seat} of table {table}.")
            return table, seat
        case other:
            raise EventError(f"`seat` is a table in play and the number of a chair there; it is {other!r}.")


def _started(event: Event) -> core.Tournament:
    if event.tournament is None:
        raise EventError("the event has not started.")
    return event.tournament


def _not_started(event: Event) -> None:
    if event.tournament is not None:
        raise EventError("the event has started.")


def _core(event: Event, line: Line, **what: Any) -> Event:  # noqa: ANN401 (JSON)
    """The tournament itself takes a line."""
    taken = core.after(_started(event), {"do": line.what["do"], **what, "at": line.at})
    return replace(event, tournament=taken)


def _register(event: Event, line: Line) -> Event:
    """A player enters before the start; who finds the event full is an alternate, and so is who comes to a full room.

    After the draw the line says the `seat`, drawn from those that are open.
    """
    player = _text(line.what, "player")
    started = event.tournament
    if player in (started.entrants if started else event.registered) or player in event.alternates:
        raise EventError(f"{player} is registered.")
    if len(event.registered) + len(event.alternates) >= MOST_PLAYERS:
        raise EventError(f"an event has {MOST_PLAYERS} registrations at most.")
    if started is not None or event.alternates or len(event.registered) >= event.capacity:
        return replace(event, alternates=(*event.alternates, player))
    seats = {**event.seats, player: _seat(event, line.what)} if event.drawn else event.seats
    return replace(event, registered=(*event.registered, player), seats=seats)


def _withdraw(event: Event, line: Line) -> Event:
    """Who has not played yet goes; before the start the first alternate takes the place, with the seat."""
    player = _text(line.what, "player")
    if player in event.alternates:
        return replace(event, alternates=tuple(one for one in event.alternates if one != player))
    _not_started(event)
    if player not in event.registered:
        raise EventError(f"{player} is not registered.")
    registered = tuple(one for one in event.registered if one != player)
    seats = {one: seat for one, seat in event.seats.items() if one != player}
    alternates = event.alternates
    if alternates:
        registered, alternates = (*registered, alternates[0]), alternates[1:]
        if player in event.seats:
            seats[registered[-1]] = event.seats[player]
    return replace(event, registered=registered, alternates=alternates, seats=seats)


def _draw(event: Event, line: Line) -> Event:
    """Seats for all, by lot: `draw` is a permutation of all chairs of the event, table by table, the largest size."""
    _not_started(event)
    if len(event.registered) < 2:
        raise EventError("seats are drawn for two players or more.")
    seats = drawn(event.registered, event.tables, line.what.get("draw"))
    return replace(event, seats=seats, drawn=True)


def drawn(players: Iterable[str], tables: Mapping[str, int], draw: Any) -> dict[str, Seat]:  # noqa: ANN401 (JSON)
    """The seats that a lot gives, as evenly as may be; a table that has fewer chairs than the others has them."""
    names, most = tuple(tables), max(tables.values())
    if not isinstance(draw, list) or sorted(draw) != list(range(most * len(names))):
        raise EventError(f"`draw` has each number from 0 to {most * len(names) - 1} once.")
    if len(set(tables.values())) == 1:
        try:
            return drawn_seats(tuple(players), names, most, draw)
        except ValueError as why:
            raise EventError(str(why)) from why
    order = [(names[number // most], number % most + 1) for number in draw]
    left = [place for place in order if place[1] <= tables[place[0]]]
    wanted, found = tuple(players), {}
    sizes = dict.fromkeys(names, 0)
    if len(wanted) > len(left):
        raise EventError(f"{len(wanted)} players do not fit on {len(left)} chairs.")
    for player in wanted:
        least = min(sizes[table] for table, _ in left)
        place = next(place for place in left if sizes[place[0]] == least)
        left.remove(place)
        sizes[place[0]] += 1
        found[player] = place
    return found


def _start(event: Event, line: Line) -> Event:
    """Cards are in the air: the clock begins, and each table is told who sits there."""
    _not_started(event)
    if not event.drawn:
        raise EventError("no seats have been drawn.")
    rules = None if event.unlimited_rebuys else event.book
    tournament = core.opened(event.schedule, event.registered, event.buy_in, line.at, rules)
    tournament = value.replace(tournament, late_levels=event.late_levels, bounty=event.bounty, seat=event.seat_price)
    tournament = value.replace(tournament, together=event.book.hand_for_hand_places.value)
    tournament = core.after(tournament, {"do": "start", "at": line.at})
    used = {table for table, _ in event.seats.values()}
    tables = {table: places for table, places in event.tables.items() if table in used}
    event = replace(event, tournament=tournament, tables=tables, at_start=len(tables))
    event = duties.told(event, line, tuple(tables), {"ev": "timer", "set": "start"})
    return duties.seated(event, line, event.seats, event.stack)


def _clock(event: Event, line: Line) -> Event:
    """The clock of the event stands still or goes on, and those of the tables with it."""
    event = _core(event, line)
    return duties.told(event, line, _with_players(event), {"ev": "timer", "set": str(line.what["do"])})


def _with_players(event: Event) -> tuple[str, ...]:
    return tuple(table for table, seats in event.by_table().items() if seats and table in event.tables)


def _level(event: Event, line: Line) -> Event:
    """The director begins the next level now, here and at every table; `to`: which they mean, as two may say it."""
    tournament = _started(event)
    level = tournament.clock.read(line.at).level + 1
    if level >= len(event.schedule.levels):
        raise EventError(f"level {level} is the last.")
    if line.what.get("to", level + 1) != level + 1:
        raise EventError(f"level {level} is on already; look again.")
    event = replace(event, tournament=value.replace(tournament, clock=tournament.clock.set_to(level, line.at)))
    return duties.told(event, line, _with_players(event), {"ev": "level"})


def _late_entry(event: Event, line: Line) -> Event:
    """A newcomer, or the first alternate, gets a full stack and a `seat`; nobody enters before an alternate."""
    player = _text(line.what, "player")
    if event.alternates and player != event.alternates[0]:
        raise EventError(f"{event.alternates[0]} is the next alternate.")
    _room_left(event)
    seat = _seat(event, line.what)
    event = replace(_core(event, line, player=player), alternates=event.alternates[1:])
    return duties.seated(event, line, {player: seat}, event.stack)


def _room_left(event: Event) -> None:
    if len(_started(event).remaining) >= event.capacity:
        raise EventError(
            f"the event is full with {event.capacity} players; who comes now is an alternate (`register`)."
        )


def _re_entry(event: Event, line: Line) -> Event:
    """Who has no chips left enters again, as a participant of its own, after the alternates [WSOP-T-13]."""
    player = _text(line.what, "player")
    if event.alternates:
        raise EventError(f"{event.alternates[0]} is the next alternate.")
    _room_left(event)
    seat = _seat(event, line.what)
    event = _core(event, line, player=player)
    return duties.seated(event, line, {_started(event).entrants[-1]: seat}, event.stack)


def _paid_more(event: Event, line: Line) -> Event:
    """A rebuy brings its player back, to a `seat`; an add-on is told to the table where `chips` are said."""
    player, what = _text(line.what, "player"), line.what
    seat = _seat(event, what) if what["do"] == "rebuy" else None
    event = _core(event, line, player=player, amount=what.get("amount"), last_hand=bool(what.get("last_hand")))
    if seat is not None:
        return duties.seated(event, line, {player: seat}, int(what.get("chips") or event.stack))
    if not what.get("chips") or player not in event.seats:
        return event
    table, chair = event.seats[player]
    return duties.told(event, line, (table,), {"ev": "buy", "seat": chair, "chips": int(amount_of(what, "chips"))})


def _eliminate(event: Event, line: Line) -> Event:
    """A player is out: `hand` of the table and `stack` at its start, `knocked_by` whom, where that is known.

    Hand for hand it is the hand that all tables play together that counts. The chair is free for the next.
    """
    player, what = _text(line.what, "player"), line.what
    left = [duty for duty in event.duties.values() if duty.player == player and duty.word == "leave"]
    there = left[0].table if left else event.seats.get(player, ("", 0))[0]
    hand = int(amount_of(what, "hand"))
    number = event.rounds.number if event.rounds else hand
    by = {"by": what["knocked_by"]} if what.get("knocked_by") else {}
    event = _core(event, line, player=player, table=there, hand=number, stack=what.get("stack", 0),
                  disqualified=bool(what.get("disqualified")), **by)  # fmt: skip
    seat = event.seats[player]
    came = int(left[0].line["seat"]) if left else seat[1]
    before = event.last_out.get(there, (0, ()))
    out = (hand, (*(before[1] if before[0] == hand else ()), came))
    kept = {number: duty for number, duty in event.duties.items() if duty.player != player}
    event = replace(
        event,
        seats={one: place for one, place in event.seats.items() if one != player},
        free=(*event.free, seat) if seat[0] in event.tables else event.free,
        last_out={**event.last_out, there: out},
        duties=kept,
    )
    if what.get("disqualified"):
        event = duties.told(event, line, (there,), {"ev": "leave", "seat": came})
    return _played_out(event, line) if event.over else event


def _played_out(event: Event, line: Line) -> Event:
    """The clock stands still, what tables still had to enter for play is dropped, and those that wait go on."""
    event = duties.without_play(event, line)
    if event.rounds is not None:
        event = _hand_for_hand(event, replace(line, what={"do": "hand-for-hand", "on": False}))
    if event.tournament is None or event.tournament.clock.since is None:
        return event
    return _with_clock(event, event.tournament.clock.pause(line.at))


def _reinstate(event: Event, line: Line) -> Event:
    """An elimination was a mistake: the player is back in, on the `seat` that is said."""
    player, tournament = _text(line.what, "player"), _started(event)
    if player not in {gone.player for gone in tournament.out}:
        raise EventError(f"{player} is not out.")
    seat = _seat(event, line.what)
    out = tuple(gone for gone in tournament.out if gone.player != player)
    knocked = tuple(pair for pair in tournament.knocked_out if pair[1] != player)
    lost = {one: level for one, level in tournament.lost_on.items() if one != player}
    tournament = value.replace(tournament, out=out, knocked_out=knocked, lost_on=lost, at=line.at)
    free = tuple(one for one in event.free if one != seat)
    return replace(event, tournament=tournament, seats={**event.seats, player: seat}, free=free)


def _moves(what: Mapping[str, Any]) -> dict[str, Seat]:
    match what.get("moves"):
        case [*moves] if moves:
            found: dict[str, Seat] = {}
            for move in moves:
                player, table, seat = move
                found[str(player)] = (str(table), int(seat))
            return found
        case _:
            raise EventError("`moves` is a list of [player, table, seat].")


def _move(event: Event, line: Line) -> Event:
    _started(event)
    return duties.changed_seats(event, line, _moves(line.what), "balance")


def _break(event: Event, line: Line) -> Event:
    """A table breaks: its players go where `moves` says, all of them, and it takes no part any more."""
    _started(event)
    table = str(line.what.get("table", ""))
    if table not in event.tables or len(event.tables) < 2:
        raise EventError(f"table {table} cannot break; in play are {', '.join(event.tables)}.")
    there, moves = set(event.at_table(table).values()), _moves(line.what)
    if set(moves) != there:
        raise EventError(f"all of table {table} move, and nobody else: {', '.join(sorted(there ^ set(moves)))} differ.")
    return duties.changed_seats(_without(event, (table,)), line, moves, "break", halting=True)


def _without(event: Event, tables: Iterable[str]) -> Event:
    gone = set(tables)
    left = {table: places for table, places in event.tables.items() if table not in gone}
    free = tuple(seat for seat in event.free if seat[0] not in gone)
    return replace(event, tables=left, free=free)


def _redraw(event: Event, line: Line) -> Event:
    """All seats are drawn anew over `tables`; the others break. The final table is one table."""
    _started(event)
    names = [str(name) for name in line.what.get("tables", ())]
    if not names or not set(names) <= set(event.tables):
        raise EventError(f"`tables` names those that play on; in play are {', '.join(event.tables)}.")
    tables = {name: event.tables[name] for name in event.tables if name in names}
    players = [player for seats in event.by_table().values() for player in seats.values()]
    places = line.what.get("places")
    if len(tables) == 1 and places is not None:
        tables = dict.fromkeys(tables, min(11, max(int(amount_of(line.what, "places")), len(players))))
    seats = drawn(players, tables, line.what.get("draw"))
    event = replace(_without(event, [table for table in event.tables if table not in tables]), tables=tables)
    event = duties.changed_seats(event, line, seats, "redraw", halting=True)
    if len(tables) > 1 or event.rounds is None:
        return event
    return _hand_for_hand(event, replace(line, what={"do": "hand-for-hand", "on": False}))


def _open_table(event: Event, line: Line) -> Event:
    table = _text(line.what, "table")
    places = int(amount_of(line.what, "places"))
    if table in event.tables or not 2 <= places <= 11 or len(event.tables) >= MOST_TABLES:
        raise EventError(f"table {table} is in play, or {places} are not 2 to 11 chairs.")
    grown = event.capacity + places if line.what.get("grows") else event.capacity
    return replace(event, tables={**event.tables, table: places}, capacity=grown)


def _order(event: Event, line: Line) -> Event:
    """In which order tables break, as it is posted [WSOP-T-66#order]."""
    order = [str(name) for name in line.what.get("tables", ())]
    if sorted(order) != sorted(event.tables):
        raise EventError(f"the order names each table once: {', '.join(event.tables)}.")
    return replace(event, tables={name: event.tables[name] for name in order})


def _hand_for_hand(event: Event, line: Line) -> Event:
    """It begins or ends; where a hand takes minutes of the level, the clock stands still meanwhile [TDA-RP-8-B]."""
    tournament, on = _started(event), line.what.get("on") is True
    seconds = 0.0 if on else _minutes_off(event)
    event = (hand_for_hand.began if on else hand_for_hand.ended)(event, line)
    event = _core(event, line)
    clock = tournament.clock
    if on and event.book.hand_for_hand_minutes.value and clock.since is not None:
        return replace(_with_clock(event, clock.pause(line.at)), by_hand_for_hand=True)
    if not on and event.by_hand_for_hand and clock.since is None:
        return replace(_with_clock(event, clock.run_off(seconds).resume(line.at)), by_hand_for_hand=False)
    return event


def _minutes_off(event: Event) -> float:
    """Seconds of the level that the hand has taken on which hand for hand ends: somebody went out on it."""
    tournament, rounds = _started(event), event.rounds
    ended_it = rounds is not None and any(
        (gone.common, gone.hand) == (tournament.common, rounds.number) for gone in tournament.out
    )
    return event.book.hand_for_hand_minutes.value * hand_for_hand.MINUTE if ended_it else 0.0


def _with_clock(event: Event, clock: Clock) -> Event:
    return replace(event, tournament=value.replace(_started(event), clock=clock))


def _go(event: Event, line: Line) -> Event:
    event = hand_for_hand.gone_on(event, line)
    if not event.by_hand_for_hand:
        return event
    seconds = event.book.hand_for_hand_minutes.value * hand_for_hand.MINUTE
    return _with_clock(event, _started(event).clock.run_off(seconds))


def _answer(event: Event, line: Line) -> Event:
    duty = event.duties.get(int(amount_of(line.what, "duty")))
    event = duties.answered(event, line)
    if duty is not None and line.what["do"] == "asked":
        event = hand_for_hand.asked(event, duty, line.what)
    return event


def _tell(event: Event, line: Line) -> Event:
    """Tables enter `lines` besides: to agree with the clock, to halt, to say when the day ends."""
    match line.what:
        case {"tables": [*tables], "lines": [*lines]} if (
            lines
            and set(tables) <= set(event.tables)
            and all(isinstance(one, Mapping) and "ev" in one for one in lines)
        ):
            return duties.told(event, line, [str(table) for table in tables], *lines)
        case _:
            raise EventError("`tell` has `tables` in play and `lines` of the table script.")


def _pay(event: Event, line: Line) -> Event:
    player = _text(line.what, "player")
    if player in event.paid or player not in {one.player for one in _started(event).finishes() if one.prize}:
        raise EventError(f"{player} has no prize to be paid.")
    return replace(event, paid=(*event.paid, player))


def _close(event: Event, line: Line) -> Event:
    """Nothing more is played, by somebody's word: it is over or was never begun, or `abandon` breaks it off."""
    tournament = event.tournament
    if tournament is not None and not event.over and line.what.get("abandon") is not True:
        raise EventError(
            f"{len(tournament.remaining)} players still play; `close` with `abandon` breaks the event off."
        )
    return replace(_played_out(event, line), closed_by=line.by, closed_at=line.at)


WORDS: Mapping[str, Callable[[Event, Line], Event]] = {
    "register": _register,
    "withdraw": _withdraw,
    "draw": _draw,
    "start": _start,
    "pause": _clock,
    "resume": _clock,
    "level": _level,
    "late-entry": _late_entry,
    "re-entry": _re_entry,
    "rebuy": _paid_more,
    "add-on": _paid_more,
    "eliminate": _eliminate,
    "reinstate": _reinstate,
    "move": _move,
    "break": _break,
    "redraw": _redraw,
    "open-table": _open_table,
    "order": _order,
    "hand-for-hand": _hand_for_hand,
    "turn-up": hand_for_hand.turned_up,
    "hand-done": hand_for_hand.done_by_word,
    "go": _go,
    "tell": _tell,
    "pay": _pay,
    "close": _close,
    **dict.fromkeys(ANSWERS, _answer),
}
