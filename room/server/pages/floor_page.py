"""The floor's page: all tables on one screen, calls as a queue, and the case itself on one touch.

What a table tells goes to the screens at once; what it tells of a call becomes a line of the room's record first.
"""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from config.language_file import Language, list_languages, load_language
from controller.room_contract.batch import BatchError
from controller.room_contract.subjects import TableTopic
from controller.room_contract.table_health import TableHealth
from controller.runtime.staff.admission import RefusalCode
from controller.strict_json import parse_json
from controller.web.access.authenticator import get_principal
from controller.web.http.responses import MAX_BODY_BYTES, is_json, make_not_json_refusal, make_refusal, read_json
from controller.web.wording.page_translation import choose_language, make_page_response
from controller.web.wording.ruling_translation import translate_ruling
from room.fleet.staged_releases import AWAY_AFTER_S
from room.floor.call_queue import CALLS_STREAM, CallNotOpenError, CallQueue, apply_call_line
from room.floor.step_translation import translate_steps
from room.floor.table_summary import summarize_case, summarize_table
from room.record.folded_stream import FoldedStream
from room.record.room_record import RecordLine
from room.server import STATIC_FOLDER
from room.server.room_context import RoomContext

PAGE_FILE = STATIC_FOLDER / "floor.html"

POLL_INTERVAL_S = 1.0
MAX_TABLES = 400
MAX_REMEMBERED_STEPS = 20
MAX_PENDING_WRITES = 3
"""Words of one table about calls that wait for the database; of more, the newest takes the last one's place."""

MIN_WRITE_INTERVAL_S = 1.0
"""So often at most a word of one table about calls is written down: none fills the record or holds the others up."""

MAX_SHOWN_DONE_CALLS = 8

log = logging.getLogger(__name__)

KnownTables = tuple[str, ...]


def name_feed(language: Language) -> str:
    """Return the topic under which the tables and the calls are shown in a language."""
    return f"floor:{language.name}"


def add_known_table(tables: KnownTables, line: RecordLine) -> KnownTables:
    """Which tables this room has ever heard of: one that is away stays on the list."""
    match line.content:
        case {"do": "known", "table": str(table)} if table not in tables:
            return (*tables, table)
        case _:
            return tables


@dataclass(slots=True)
class _SeenTable:
    """What the server knows of a table; `last_message_at`: when it was heard last, in Unix seconds."""

    last_message_at: float | None = None
    summary: dict[str, Any] = field(default_factory=dict)
    case: dict[str, Any] = field(default_factory=dict)
    health: TableHealth | None = None
    is_away: bool = True
    steps: deque[dict[str, Any]] = field(default_factory=lambda: deque(maxlen=MAX_REMEMBERED_STEPS))


class FloorPage:
    """Makes the routes, and keeps what the screens show."""

    def __init__(self, room: RoomContext) -> None:
        self._room = room
        self._languages = tuple(map(load_language, list_languages()))
        self._calls: FoldedStream[CallQueue] = FoldedStream(room.record, CALLS_STREAM, CallQueue(), apply_call_line)
        self._known_tables: FoldedStream[KnownTables] = FoldedStream(room.record, "tables", (), add_known_table)
        self._seen_by_table: dict[str, _SeenTable] = {name: _SeenTable() for name in room.file.page_url_by_table}
        self._tables_to_write: asyncio.Queue[str] = asyncio.Queue()
        """Tables whose words wait, each once at most."""
        self._pending_by_table: dict[str, list[bool | None]] = {}
        """What they said, in order; an empty list while it is too early for another word."""
        self._misunderstood_tables: set[str] = set()

    def make_routes(self) -> Sequence[BaseRoute]:
        """Make them."""
        return [
            Route("/", self.get_page, methods=["GET"]),
            Route("/floor/events", self.stream_feed, methods=["GET"]),
            Route("/floor/case/{table}", self.get_case, methods=["GET"]),
            Route("/floor/calls", self.post_call, methods=["POST"], max_body_size=MAX_BODY_BYTES),
        ]

    async def get_page(self, request: Request) -> Response:
        """Answer with the page, which is empty."""
        return make_page_response(request, PAGE_FILE)

    async def stream_feed(self, request: Request) -> Response:
        """Answer with the tables and the calls, as they change."""
        return self._room.hub.make_stream_response(request, name_feed(choose_language(request)))

    async def get_case(self, request: Request) -> Response:
        """Answer with the case at a table: rulings, remedy, what happened last, and where its own page is."""
        name = request.path_params["table"]
        seen = self._seen_by_table.get(name)
        if seen is None:
            return make_refusal(RefusalCode.NO_ROUTE, "The room has no such table.")
        language = choose_language(request)
        rulings = [translate_ruling(each, language) for each in seen.case.get("rulings", ())]
        steps = {key: translate_steps(seen.case.get(key, ()), language) for key in ("remedy", "next")}
        return JSONResponse(
            {
                "table": name, "url": self._room.file.page_url_by_table.get(name), **seen.case, "rulings": rulings,
                **steps, "steps": translate_steps(seen.steps, language),
                "wrong": "" if seen.health is None else seen.health.archive_refusal,
            }
        )  # fmt: skip

    async def post_call(self, request: Request) -> Response:
        """Take a call, or say that it is done."""
        if not is_json(request):
            return make_not_json_refusal()
        match await read_json(request):
            case {"call": int(number), "do": "take" | "done" as do, **rest} if not rest:
                pass
            case _:
                return make_refusal(RefusalCode.NOT_UNDERSTOOD, 'Want {"call": N, "do": "take" or "done"}.')
        try:
            await self._room.enter(
                self._calls, get_principal(request).name or "",
                lambda calls: calls.make_take_line(number) if do == "take" else calls.make_done_line(number),
            )  # fmt: skip
        except CallNotOpenError as why:
            return make_refusal(RefusalCode.MOVED_ON, str(why))
        except OSError as why:
            log.error("a call cannot be kept: %s", why)
            return make_refusal(
                RefusalCode.RECORD_UNREADABLE, "The room's database does not answer; nothing was entered."
            )
        self._show_calls()
        return Response(status_code=204)

    def on_table_message(self, table: str, what: TableTopic, text: bytes) -> None:
        """A table has told something."""
        seen = self._seen_by_table.get(table)
        if seen is None:
            if len(self._seen_by_table) >= MAX_TABLES:
                return
            seen = self._seen_by_table[table] = _SeenTable()
            self._queue_write(table, None)
        try:
            if what is TableTopic.HEALTH:
                seen.health = TableHealth.from_json(text)
            else:
                told = parse_json(text)
                if not isinstance(told, dict):
                    raise ValueError
                self._apply_message(table, seen, what, told)
        except (BatchError, ValueError, RecursionError):
            if table not in self._misunderstood_tables:
                log.warning("%s tells what this program does not understand (%s)", table, what.value)
            self._misunderstood_tables.add(table)
            return
        seen.last_message_at, seen.is_away = self._room.wall_clock(), False
        self._show_table(table, seen)

    def _apply_message(self, table: str, seen: _SeenTable, what: TableTopic, told: Mapping[str, Any]) -> None:
        if what is TableTopic.CALL:
            if isinstance(told.get("wanted"), bool):
                self._queue_write(table, told["wanted"])
            return
        before = seen.summary
        seen.summary, seen.case = summarize_table(told), summarize_case(told)
        if seen.summary["called"] != before.get("called", False):
            self._queue_write(table, seen.summary["called"])
        if seen.summary["entry"] != before.get("entry"):
            step = {key: seen.summary[key] for key in ("entry", "hand", "phase", "ruling")}
            due = {"text": seen.summary["next"], "words": seen.case["next"][0]["words"] if seen.case["next"] else {}}
            seen.steps.append({**step, **due, "at": self._room.wall_clock()})

    async def run(self) -> None:
        """Keep what is to be kept, and look who has gone silent."""
        await self._read_record()
        async with asyncio.TaskGroup() as group:
            group.create_task(self._write_pending())
            group.create_task(self._show_last_states())
            group.create_task(self._mark_silent_tables())

    async def _read_record(self) -> None:
        """Begin with what the record says; without the database nothing is kept, and it is tried again."""
        while True:
            try:
                await asyncio.to_thread(self._calls.read)
                for table in await asyncio.to_thread(self._known_tables.read):
                    self._seen_by_table.setdefault(table, _SeenTable())
                break
            except OSError as why:
                log.error("%s; tried again", why)
                await asyncio.sleep(POLL_INTERVAL_S)
        for table, seen in self._seen_by_table.items():
            self._show_table(table, seen)
        self._show_calls()

    async def _show_last_states(self) -> None:
        """Show how tables stood that are away, or that nothing has happened at since the server's start."""
        while True:
            try:
                standings = await self._room.tables.read_last_states()
                break
            except OSError:
                await asyncio.sleep(POLL_INTERVAL_S)
        for table, text in standings.items():
            seen = self._seen_by_table.setdefault(table, _SeenTable())
            with contextlib.suppress(ValueError, RecursionError):
                if not seen.summary and isinstance(told := parse_json(text), dict):
                    self._apply_message(table, seen, TableTopic.STATE, told)
                    self._show_table(table, seen)

    async def _write_pending(self) -> None:
        """Write down what tables have said of calls, each in the order in which it said it."""
        while True:
            table = await self._tables_to_write.get()
            words = self._pending_by_table[table]
            while True:
                try:
                    await self._enter_line(table, words[0])
                    break
                except OSError as why:
                    log.error("%s; tried again", why)
                    await asyncio.sleep(POLL_INTERVAL_S)
            words.pop(0)
            asyncio.get_running_loop().call_later(MIN_WRITE_INTERVAL_S, self._resume_writing, table)

    def _resume_writing(self, table: str) -> None:
        if self._pending_by_table[table]:
            self._tables_to_write.put_nowait(table)
        else:
            del self._pending_by_table[table]

    async def _enter_line(self, table: str, wanted: bool | None) -> None:
        if wanted is None:
            await self._room.enter(
                self._known_tables, table, lambda tables: None if table in tables else {"do": "known", "table": table}
            )
        elif await self._room.enter(self._calls, table, lambda calls: calls.make_table_line(table, wanted=wanted)):
            self._show_calls()

    async def _mark_silent_tables(self) -> None:
        while True:
            await asyncio.sleep(POLL_INTERVAL_S)
            now = self._room.wall_clock()
            for table, seen in self._seen_by_table.items():
                if not seen.is_away and (seen.last_message_at is None or now - seen.last_message_at > AWAY_AFTER_S):
                    seen.is_away = True
                    self._show_table(table, seen)

    def _queue_write(self, table: str, wanted: bool | None) -> None:
        if table not in self._pending_by_table:
            self._pending_by_table[table] = []
            self._tables_to_write.put_nowait(table)
        words = self._pending_by_table[table]
        if len(words) < MAX_PENDING_WRITES:
            words.append(wanted)
        else:
            words[-1] = wanted

    def _show_table(self, table: str, seen: _SeenTable) -> None:
        health = seen.health
        told = {
            **seen.summary, "table": table, "away": seen.is_away,
            "seen": None if seen.last_message_at is None else round(seen.last_message_at),
            "level": None if health is None else health.level,
            "up": None if health is None else health.is_up,
            "faults": seen.summary.get("faults") or ([] if health is None else list(health.fault_codes)),
            "wrong": "" if health is None else health.archive_refusal,
            "url": self._room.file.page_url_by_table.get(table),
        }  # fmt: skip
        for language in self._languages:
            due = [step["text"] for step in translate_steps(seen.case.get("next", ())[:1], language)]
            self._room.hub.put(name_feed(language), f"table:{table}", {**told, "next": "".join(due)})

    def _show_calls(self) -> None:
        calls = self._calls.state
        told = {
            "open": [call.to_json() for call in calls.open_calls],
            "done": [call.to_json() for call in calls.done_calls[: -MAX_SHOWN_DONE_CALLS - 1 : -1]],
            "escalate": self._room.file.escalate_after_s,
        }
        for language in self._languages:
            self._room.hub.put(name_feed(language), "calls", told)
