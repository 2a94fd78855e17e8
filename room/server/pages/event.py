"""The tournament's pages: the director's desk, the board on the wall, and slips to print."""

import asyncio
import contextlib
import html
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import SystemRandom
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route

from config import rulebook_file, schedule_file
from config.errors import ConfigError
from controller.core.rules.questions.house.tournament import TournamentRules
from controller.core.tournament.event import EventError
from controller.runtime.staff.admission import Code
from controller.web.access.door import Who, who
from controller.web.languages import page
from controller.web.pages.answers import LONGEST_BODY, is_json, json_of, refusal, send_json
from room.contract.request import Answer, BadRequest, Verb, object_of
from room.contract.subjects import BadName, Told, checked
from room.event import schedule_line
from room.event.advice import newcomers_seat
from room.event.event import after, opened
from room.event.model import Event
from room.event.slips import Slip, move_slips, seat_slips
from room.record.folded import Folded
from room.record.lines import Line
from room.server import STATIC
from room.server.asking import ask
from room.server.event.desk import EventDesk
from room.server.event.told import board, desk_keys, shown_line
from room.server.room import Room, where
from room.staff.asking import entry

PREFIX = "event:"
TURN_SECONDS = 0.25
SHOW_SECONDS = 1.0
MOST_OPEN = 20
"""So many events may be open at a time."""

MOST_CLOSED = 5
"""So many of the newest that were closed are still shown; older ones are in the record."""

SHOWROOM = {"samples": True, "proposed": {"rulebook": "tda-2024", "schedule": "T2000", "stack": 2000, "places": 8}}
"""What the desk says besides where sample players may enter: what the tables of a showroom play."""

NEWCOMERS = ("register", "late-entry", "re-entry", "rebuy")
"""Words whose seat is drawn by lot where the line names none."""

LOT = SystemRandom()

log = logging.getLogger(__name__)

State = Event | None


def books(name: str) -> TournamentRules:
    """Find a book's rules; raises `ValueError`."""
    if name not in rulebook_file.names():
        raise ValueError(f"there is no rulebook {name!r}; there are {', '.join(rulebook_file.names())}")
    return rulebook_file.load(name).tournament


def fold(event: State, line: Line) -> State:
    """The event after a line."""
    return opened(line, books) if event is None else after(event, line)


@dataclass(slots=True)
class _Running:
    """One event: its lines, its desk, and which keys its screens have."""

    folded: Folded[State]
    desk: EventDesk
    shown: set[str] = field(default_factory=set)
    at: float = 0.0
    dirty: bool = True


class EventPage:
    """Makes the routes, works the duties off, and keeps what the screens show."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._events: dict[str, _Running] = {}
        self._people: dict[str, Who] = {}
        """Whose word the desk has, by name, as long as they are signed in: their keys sign what tables are asked."""
        self._last: dict[str, Mapping[str, Any]] = {}
        self._newest = 0
        """The number of the newest event, those too that are being opened."""
        self._opening = 0
        self._has_read = False

    def routes(self) -> Sequence[BaseRoute]:
        """Make them."""
        return [
            Route("/events", self.page, methods=["GET"]),
            Route("/events/board", self.board, methods=["GET"]),
            Route("/events/list", self.list, methods=["GET"]),
            Route("/events/{event}/told", self.told, methods=["GET"]),
            Route("/events/{event}/desk", self.desk, methods=["GET"]),
            Route("/events/{event}/slips", self.slips, methods=["GET"]),
            Route("/events/open", self.open, methods=["POST"], max_body_size=LONGEST_BODY),
            Route("/events/{event}/say", self.say, methods=["POST"], max_body_size=LONGEST_BODY),
        ]

    async def page(self, request: Request) -> Response:
        """Answer with the director's desk, which is empty."""
        return page(request, STATIC / "event.html")

    async def board(self, request: Request) -> Response:
        """Answer with the board for a screen on the wall."""
        return page(request, STATIC / "event-board.html")

    async def list(self, request: Request) -> Response:  # noqa: ARG002 - it is the same for everybody
        """Answer with the events, the newest last, and what one may be opened with."""
        events = [
            {"event": name, "title": state.title, "closed": bool(state.closed_by)}
            for name, running in self._events.items()
            if (state := running.folded.state)
        ]
        return JSONResponse(
            {
                "events": events,
                "rulebooks": list(rulebook_file.names()),
                "schedules": list(schedule_file.names()),
                **(SHOWROOM if self._room.file.samples else {}),
            }
        )

    async def told(self, request: Request) -> Response:
        """Answer with what everybody may see of an event, as it changes."""
        return self._stream(request, PREFIX)

    async def desk(self, request: Request) -> Response:
        """Answer with what the desk has to confirm, as it changes."""
        self._remember(who(request))
        return self._stream(request, "desk:")

    def _stream(self, request: Request, topic: str) -> Response:
        name = request.path_params["event"]
        if name not in self._events:
            return refusal(Code.NO_ROUTE, "The room has no such event.")
        return self._room.hub.answer(request, f"{topic}{name}")

    async def slips(self, request: Request) -> Response:
        """Answer with slips to print: of all seats, or with `?moves` of the last moves."""
        running = self._events.get(request.path_params["event"])
        event = running.folded.state if running else None
        if event is None:
            return refusal(Code.NO_ROUTE, "The room has no such event.")
        moves = tuple(move for move in event.moved if move.until in event.duties or move.at == event.moved[-1].at)
        slips = move_slips(event, moves) if "moves" in request.query_params else seat_slips(event)
        return HTMLResponse(_printed(slips))

    async def open(self, request: Request) -> Response:
        """Open an event with a title, a rulebook, a schedule, tables, and what the first line may say."""
        if not is_json(request):
            return send_json()
        match await json_of(request):
            case {"schedule": str(schedule), "tables": [*tables], **rest}:
                pass
            case _:
                return refusal(Code.FORM, "Want title, rulebook, schedule, buy_in, stack and tables.")
        try:
            levels = schedule_line.written(schedule_file.load(schedule))
            for one in tables:
                checked(str(one["name"]))
        except (ConfigError, BadName, KeyError, TypeError) as why:
            return refusal(Code.FORM, str(why))
        try:
            await self._read()
        except OSError as why:
            log.error("no event is opened: %s", why)
            return refusal(Code.RECORDS, "The room's database does not answer; nothing was entered.")
        if len(self._open()) + self._opening >= MOST_OPEN:
            return refusal(Code.MOVED, f"{MOST_OPEN} tournaments are open; close one that is over first.")
        self._newest += 1
        name = str(self._newest)
        running = self._running(name)
        what: dict[str, Any] = {**_named(rest), "do": "open", "schedule": levels, "tables": tables}
        self._remember(who(request))
        self._opening += 1
        try:
            answer = await self._said(running, what, who(request).name or "")
        finally:
            self._opening -= 1
        if answer is None:
            self._events[name] = running
            self._hear_last(running)
            return JSONResponse({"event": name})
        return answer

    def _open(self) -> Sequence[str]:
        """Name the events that nobody has closed."""
        return [name for name, running in self._events.items() if not _closed(running)]

    async def say(self, request: Request) -> Response:
        """Enter a line of an event, or confirm what was proposed: `{"confirm": its line}`."""
        if not is_json(request):
            return send_json()
        running = self._events.get(request.path_params["event"])
        if running is None:
            return refusal(Code.NO_ROUTE, "The room has no such event.")
        person = who(request)
        self._remember(person)
        match await json_of(request):
            case {"confirm": {**line}, **changed}:
                what = self._proposed(running, _named(line), _named(changed))
                if what is None:
                    return refusal(Code.MOVED, "The event has moved on since; look again.")
            case {"do": str(word), **rest}:
                what = {**_named(rest), "do": word}
            case _:
                return refusal(Code.FORM, 'Want {"do": …} and what the word needs, or {"confirm": the line proposed}.')
        if what["do"] in ("asked", "entered", "refused"):
            return refusal(Code.FORM, "Tables answer for themselves; a person says `by-hand`, `again` or `drop`.")
        return await self._said(running, self._drawn(running, what), person.name or "") or Response(status_code=204)

    def _proposed(
        self, running: _Running, line: Mapping[str, Any], changed: Mapping[str, Any]
    ) -> dict[str, Any] | None:
        """The line of a proposal, with what the director has put right in it; `None`: it is no more."""
        if running.folded.state is None:
            return None
        found = (one for one in running.desk.proposals(self._room.now()) if shown_line(one) == line)
        proposal = next(found, None)
        if proposal is None:
            return None
        what = running.desk.with_lot(proposal)
        if what["do"] == "eliminate":
            what |= {key: changed[key] for key in ("hand", "stack", "knocked_by") if key in changed}
        return what

    def _drawn(self, running: _Running, what: dict[str, Any]) -> dict[str, Any]:
        """What wants a lot gets one here, and the line keeps it."""
        event = running.folded.state
        if event is None:
            return what
        if what["do"] == "draw":
            size = max(event.tables.values()) * len(event.tables)
            return {**what, "draw": LOT.sample(range(size), size)}
        wants = what["do"] in NEWCOMERS and "seat" not in what
        if wants and (what["do"] != "register" or event.drawn):
            seat = newcomers_seat(event, LOT.randrange(10**9))
            return {**what, "seat": None if seat is None else list(seat)}
        return what

    async def _said(self, running: _Running, what: Mapping[str, Any], by: str) -> Response | None:
        try:
            await self._enter(running, what, by)
        except EventError as why:
            return refusal(Code.MOVED, str(why))
        except OSError as why:
            log.error("a line of an event cannot be kept: %s", why)
            return refusal(Code.RECORDS, "The room's database does not answer; nothing was entered.")
        self._show(running, self._room.now())
        if what["do"] == "close":
            self._put_away()
        return None

    def _put_away(self) -> None:
        """Show no more of the closed than the newest; what is asked of tables still is done first."""
        closed = [name for name, running in self._events.items() if _closed(running)]
        for name in closed[:-MOST_CLOSED]:
            running = self._events.pop(name)
            for key in (*running.shown, "time"):
                self._room.hub.put(f"{PREFIX}{name}", key, None)

    async def _enter(self, running: _Running, what: Mapping[str, Any], by: str) -> Event:
        """Enter a line that the event takes; raises `EventError` and `OSError`."""
        folded, now = running.folded, self._room.now()

        def decide(event: State) -> Mapping[str, Any]:
            paid = fold(event, Line(folded.stream, folded.number + 1, now, by, what))
            if what["do"] != "pay" or paid is None or paid.tournament is None:
                return what
            prizes = {one.player: one.prize for one in paid.tournament.finishes()}
            return {**what, "prize": prizes[what["player"]]}

        await self._room.enter(folded, by, decide)
        running.dirty = True
        assert folded.state is not None
        return folded.state

    def heard(self, table: str, what: Told, text: bytes) -> None:
        """A table has told something."""
        if what is not Told.STATE:
            return
        try:
            state = object_of(text)
        except BadRequest:
            return
        self._last[table] = state
        for running in self._events.values():
            if running.folded.state is not None and running.desk.heard(table, state, self._room.now()):
                running.dirty = True

    async def turn(self) -> None:
        """Read the events, then ask tables and show what has changed, all the time."""
        while True:
            try:
                await self._begin()
                break
            except OSError as why:
                log.error("%s; tried again", why)
                await asyncio.sleep(SHOW_SECONDS)
        while True:
            for running in tuple(self._events.values()):
                try:
                    await self._work(running)
                except OSError as why:
                    log.error("an event waits: %s", why)
                except Exception as failure:  # the other events go on
                    log.error("event %s waits: %s", running.folded.stream, where(failure))
            await asyncio.sleep(TURN_SECONDS)

    async def _begin(self) -> None:
        """Take up the events, and how tables stood last at which nothing has happened since the server's start."""
        for table, text in (await self._room.tables.standings()).items():
            with contextlib.suppress(BadRequest):
                self._last.setdefault(table, object_of(text))
        await self._read()

    async def _read(self) -> None:
        if self._has_read:
            return
        record = self._room.record
        numbers = _numbers(await asyncio.to_thread(record.streams, PREFIX))
        are_open = _numbers(await asyncio.to_thread(record.streams, PREFIX, "close"))
        closed = [number for number in numbers if number not in are_open]
        for number in sorted({*are_open, *closed[-MOST_CLOSED:]}):
            if str(number) in self._events:
                continue
            running = self._running(str(number))
            try:
                await asyncio.to_thread(running.folded.read)
            except EventError as why:
                log.error("event %d cannot be read: %s", number, why)
                continue
            self._events.setdefault(str(number), running)
            self._hear_last(running)
        self._newest = max(self._newest, *numbers, 0)
        self._has_read = True

    def _hear_last(self, running: _Running) -> None:
        """Let a desk know how tables stand at which nothing has happened since."""
        for table, state in self._last.items():
            running.desk.heard(table, state, self._room.now())

    def _running(self, name: str) -> _Running:
        folded: Folded[State] = Folded(self._room.record, f"{PREFIX}{name}", None, fold)

        def state() -> Event:
            assert folded.state is not None
            return folded.state

        async def write(what: Mapping[str, Any], by: str) -> Event:
            return await self._enter(running, what, by)

        running = _Running(folded, EventDesk(state, write, self, lambda count: LOT.sample(range(count), count)))
        return running

    async def _work(self, running: _Running) -> None:
        event, now = running.folded.state, self._room.now()
        if event is None:
            return
        if (event.over or event.closed_by) and not event.duties:
            if running.dirty:
                self._show(running, now)
            return
        await running.desk.step(now)
        if running.dirty or now - running.at >= SHOW_SECONDS:
            self._show(running, now)

    def _show(self, running: _Running, now: float) -> None:
        event = running.folded.state
        if event is None:
            return
        running.dirty, running.at = False, now
        name = running.folded.stream.removeprefix(PREFIX)
        hub, topic = self._room.hub, f"{PREFIX}{name}"
        keys = board(event, now) | {"time": {"at": round(now / 5) * 5, "now": now}}
        if self._same_time(topic, keys["time"]):
            del keys["time"]
        for key, value in keys.items():
            hub.put(topic, key, value)
        for key in running.shown - set(keys) - {"time"}:
            hub.put(topic, key, None)
        running.shown = set(keys)
        for key, value in desk_keys(running.desk, now).items():
            hub.put(f"desk:{name}", key, value)

    def _same_time(self, topic: str, time: Mapping[str, Any]) -> bool:
        return bool(self._room.hub.shown(topic).get("time", {}).get("at") == time["at"])

    def _remember(self, person: Who) -> None:
        if person.person is not None:
            self._people[person.person.name] = person

    async def enter(self, table: str, line: Mapping[str, Any], by: str, seen: int) -> Answer:
        """Have a table enter a line by somebody's word, signed with their key while they are signed in."""
        person = self._people.get(by)
        if person is None or person.person is None or not self._room.door.is_signed_in(person):
            self._people.pop(by, None)
            return Answer(False, None, Code.SIGN_IN.value, f"{by} is not signed in: nothing can be signed.")
        signer = person.person
        return await ask(self._room.tables, table, Verb.ENTER, lambda at: entry(signer, line, at), seen)


def _named(body: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(key): value for key, value in body.items()}


def _closed(running: _Running) -> bool:
    return running.folded.state is not None and bool(running.folded.state.closed_by)


def _numbers(streams: Sequence[str]) -> list[int]:
    return sorted(int(name) for one in streams if (name := one.removeprefix(PREFIX)).isdecimal())


def _printed(slips: Sequence[Slip]) -> str:
    """The slips as a page of paper, which a browser prints."""
    cards = "".join(f"<pre>{html.escape(slip.text())}</pre>" for slip in slips)
    head = '<meta charset="utf-8"><title></title><link rel="stylesheet" href="/room/slips.css">'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{cards}</body></html>'
