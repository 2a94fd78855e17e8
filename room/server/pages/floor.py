"""The floor's page: all tables on one screen, calls as a queue, and the case itself on one touch.

What a table tells goes to the screens at once; what it tells of a call becomes a line of the room's record first.
"""

import asyncio
import contextlib
import json
import logging
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from controller.runtime.staff.admission import Code
from controller.web.access.door import who
from controller.web.languages import page
from controller.web.pages.answers import LONGEST_BODY, is_json, json_of, refusal, send_json
from room.contract.batch import BadBatch
from room.contract.health import HEALTH_SECONDS, Health
from room.contract.subjects import Told
from room.floor.calls import STREAM, Calls, NoSuchCall, fold
from room.floor.standing import case_of, standing_of
from room.record.folded import Folded
from room.record.lines import Line
from room.server import STATIC
from room.server.room import Room

TOPIC = "floor"

PAGE = STATIC / "floor.html"

AWAY_SECONDS = 3 * HEALTH_SECONDS
"""So long without a word, and a table is away."""

LOOK_SECONDS = 1.0
MOST_TABLES = 400
LAST_STEPS = 20
MOST_WORDS = 3
"""Words of one table about calls that wait for the database; of more, the newest takes the last one's place."""

PAUSE_SECONDS = 1.0
"""So often at most a word of one table about calls is written down: none fills the record or holds the others up."""

DONE_SHOWN = 8

log = logging.getLogger(__name__)

Known = tuple[str, ...]


def known(tables: Known, line: Line) -> Known:
    """Which tables this room has ever heard of: one that is away stays on the list."""
    match line.what:
        case {"do": "known", "table": str(table)} if table not in tables:
            return (*tables, table)
        case _:
            return tables


@dataclass(slots=True)
class _Seen:
    """What the server knows of a table; `at`: when it was heard last, in Unix seconds."""

    at: float | None = None
    standing: dict[str, Any] = field(default_factory=dict)
    case: dict[str, Any] = field(default_factory=dict)
    health: Health | None = None
    away: bool = True
    steps: deque[dict[str, Any]] = field(default_factory=lambda: deque(maxlen=LAST_STEPS))


class FloorPage:
    """Makes the routes, and keeps what the screens show."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._calls: Folded[Calls] = Folded(room.record, STREAM, Calls(), fold)
        self._known: Folded[Known] = Folded(room.record, "tables", (), known)
        self._tables: dict[str, _Seen] = {name: _Seen() for name in room.file.tables}
        self._waiting: asyncio.Queue[str] = asyncio.Queue()
        """Tables whose words wait, each once at most."""
        self._words: dict[str, list[bool | None]] = {}
        """What they said, in order; an empty list while it is too early for another word."""
        self._refused: set[str] = set()

    def routes(self) -> Sequence[BaseRoute]:
        """Make them."""
        return [
            Route("/", self.page, methods=["GET"]),
            Route("/floor/events", self.events, methods=["GET"]),
            Route("/floor/case/{table}", self.case, methods=["GET"]),
            Route("/floor/calls", self.answer, methods=["POST"], max_body_size=LONGEST_BODY),
        ]

    async def page(self, request: Request) -> Response:
        """Answer with the page, which is empty."""
        return page(request, PAGE)

    async def events(self, request: Request) -> Response:
        """Answer with the tables and the calls, as they change."""
        return self._room.hub.answer(request, TOPIC)

    async def case(self, request: Request) -> Response:
        """Answer with the case at a table: rulings, remedy, what happened last, and where its own page is."""
        name = request.path_params["table"]
        seen = self._tables.get(name)
        if seen is None:
            return refusal(Code.NO_ROUTE, "The room has no such table.")
        return JSONResponse(
            {
                "table": name, "url": self._room.file.tables.get(name), **seen.case, "steps": list(seen.steps),
                "wrong": "" if seen.health is None else seen.health.wrong,
            }
        )  # fmt: skip

    async def answer(self, request: Request) -> Response:
        """Take a call, or say that it is done."""
        if not is_json(request):
            return send_json()
        match await json_of(request):
            case {"call": int(number), "do": "take" | "done" as do, **rest} if not rest:
                pass
            case _:
                return refusal(Code.FORM, 'Want {"call": N, "do": "take" or "done"}.')
        try:
            await self._room.enter(
                self._calls, who(request).name or "",
                lambda calls: calls.take(number) if do == "take" else calls.finish(number),
            )  # fmt: skip
        except NoSuchCall as why:
            return refusal(Code.MOVED, str(why))
        except OSError as why:
            log.error("a call cannot be kept: %s", why)
            return refusal(Code.UNREADABLE, "The room's database does not answer; nothing was entered.")
        self._show_calls()
        return Response(status_code=204)

    def heard(self, table: str, what: Told, text: bytes) -> None:
        """A table has told something."""
        seen = self._tables.get(table)
        if seen is None:
            if len(self._tables) >= MOST_TABLES:
                return
            seen = self._tables[table] = _Seen()
            self._wait(table, None)
        try:
            if what is Told.HEALTH:
                seen.health = Health.read(text)
            else:
                told = json.loads(text)
                if not isinstance(told, dict):
                    raise ValueError
                self._told(table, seen, what, told)
        except (BadBatch, ValueError, RecursionError):
            if table not in self._refused:
                log.warning("%s tells what this program does not understand (%s)", table, what.value)
            self._refused.add(table)
            return
        seen.at, seen.away = self._room.now(), False
        self._show(table, seen)

    def _told(self, table: str, seen: _Seen, what: Told, told: Mapping[str, Any]) -> None:
        if what is Told.CALL:
            if isinstance(told.get("wanted"), bool):
                self._wait(table, told["wanted"])
            return
        before = seen.standing
        seen.standing, seen.case = standing_of(told), case_of(told)
        if seen.standing["called"] != before.get("called", False):
            self._wait(table, seen.standing["called"])
        if seen.standing["entry"] != before.get("entry"):
            step = {key: seen.standing[key] for key in ("entry", "hand", "phase", "next")}
            seen.steps.append({**step, "at": self._room.now(), "ruling": seen.standing["ruling"]})

    async def turn(self) -> None:
        """Keep what is to be kept, and look who has gone silent."""
        await self._read()
        async with asyncio.TaskGroup() as group:
            group.create_task(self._keep())
            group.create_task(self._ask_all())
            group.create_task(self._look())

    async def _read(self) -> None:
        """Begin with what the record says; without the database nothing is kept, and it is tried again."""
        while True:
            try:
                await asyncio.to_thread(self._calls.read)
                for table in await asyncio.to_thread(self._known.read):
                    self._tables.setdefault(table, _Seen())
                break
            except OSError as why:
                log.error("%s; tried again", why)
                await asyncio.sleep(LOOK_SECONDS)
        for table, seen in self._tables.items():
            self._show(table, seen)
        self._show_calls()

    async def _ask_all(self) -> None:
        """Show how tables stood that are away, or that nothing has happened at since the server's start."""
        while True:
            try:
                standings = await self._room.tables.standings()
                break
            except OSError:
                await asyncio.sleep(LOOK_SECONDS)
        for table, text in standings.items():
            seen = self._tables.setdefault(table, _Seen())
            with contextlib.suppress(ValueError, RecursionError):
                if not seen.standing and isinstance(told := json.loads(text), dict):
                    self._told(table, seen, Told.STATE, told)
                    self._show(table, seen)

    async def _keep(self) -> None:
        """Write down what tables have said of calls, each in the order in which it said it."""
        while True:
            table = await self._waiting.get()
            words = self._words[table]
            while True:
                try:
                    await self._enter(table, words[0])
                    break
                except OSError as why:
                    log.error("%s; tried again", why)
                    await asyncio.sleep(LOOK_SECONDS)
            words.pop(0)
            asyncio.get_running_loop().call_later(PAUSE_SECONDS, self._go_on, table)

    def _go_on(self, table: str) -> None:
        if self._words[table]:
            self._waiting.put_nowait(table)
        else:
            del self._words[table]

    async def _enter(self, table: str, wanted: bool | None) -> None:
        if wanted is None:
            await self._room.enter(
                self._known, table, lambda tables: None if table in tables else {"do": "known", "table": table}
            )
        elif await self._room.enter(self._calls, table, lambda calls: calls.heard(table, wanted=wanted)):
            self._show_calls()

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            now = self._room.now()
            for table, seen in self._tables.items():
                if not seen.away and (seen.at is None or now - seen.at > AWAY_SECONDS):
                    seen.away = True
                    self._show(table, seen)

    def _wait(self, table: str, wanted: bool | None) -> None:
        if table not in self._words:
            self._words[table] = []
            self._waiting.put_nowait(table)
        words = self._words[table]
        if len(words) < MOST_WORDS:
            words.append(wanted)
        else:
            words[-1] = wanted

    def _show(self, table: str, seen: _Seen) -> None:
        health = seen.health
        self._room.hub.put(
            TOPIC, f"table:{table}",
            {
                **seen.standing, "table": table, "away": seen.away, "seen": None if seen.at is None else round(seen.at),
                "level": None if health is None else health.level,
                "up": None if health is None else health.up,
                "faults": seen.standing.get("faults") or ([] if health is None else list(health.faults)),
                "wrong": "" if health is None else health.wrong,
                "url": self._room.file.tables.get(table),
            },
        )  # fmt: skip

    def _show_calls(self) -> None:
        calls = self._calls.state
        self._room.hub.put(
            TOPIC, "calls",
            {
                "open": [call.to_json() for call in calls.open],
                "done": [call.to_json() for call in calls.done[: -DONE_SHOWN - 1 : -1]],
                "escalate": self._room.file.escalate_after,
            },
        )  # fmt: skip
