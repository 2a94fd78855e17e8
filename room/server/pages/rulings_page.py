"""Rulings of all tables, a hand of the archive step by step, and the shift report."""

import asyncio
import json
import logging
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

import psycopg
from psycopg.rows import TupleRow
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from controller.runtime.staff.admission import RefusalCode
from controller.wall_clock import MAX_WALL_TIME, MIN_WALL_TIME, read_wall_clock
from controller.web.http.responses import make_refusal
from controller.web.wording.page_translation import choose_language, make_page_response
from controller.web.wording.ruling_translation import translate_ruling
from controller.web.wording.step_instructions import translate_line
from room.floor.call_queue import CALLS_STREAM, CallQueue, FloorCall, apply_call_line
from room.record.postgres_record import connect_database, make_tables
from room.record.room_record import RoomRecord
from room.search.archive_index import INDEX_SCHEMA
from room.search.archive_queries import RulingCursor, RulingQuery, ShiftReport, find_rulings, summarize_shift
from room.server import STATIC_FOLDER
from room.server.room_context import PassivePage, RoomContext
from room.server.shift_report_export import make_report_parts, render_csv, render_pdf

QUERY_KEYS = ("ruling", "table", "dealer", "person", "since", "until", "before")
MAX_WORD_LENGTH = 100
MAX_CALL_DURATION_S = 24 * 3600.0
"""A call that somebody left open for longer than that stands in no report."""
MAX_SHIFT = timedelta(days=31)
DEFAULT_SHIFT = timedelta(hours=8)

STEPS_TIMEOUT_S = 120.0

MAX_DIGITS = 15
"""Of a number in a path; no session and no hand has as many, and Python reads 4,300 at most."""

MAX_SEARCHES = 4
"""Questions to the database at a time; each takes a thread, and the room's other work wants some."""

SEARCH_TIMEOUT_S = 20.0
"""How long the database may look."""

log = logging.getLogger(__name__)

T = TypeVar("T")


class RulingsPage(PassivePage):
    """Makes the routes. The database is asked beside the loop, over a connection of its own for each question."""

    def __init__(self, room: RoomContext) -> None:
        self._room = room
        self._read_lock = asyncio.Lock()
        self._search_count = 0

    def make_routes(self) -> Sequence[BaseRoute]:
        """Make them."""
        return [
            Route("/rulings", self.get_page, methods=["GET"]),
            Route("/rulings/list", self.list_rulings, methods=["GET"]),
            Route("/rulings/{journal}/{session}/{hand}", self.get_hand_steps, methods=["GET"]),
            Route("/shift", self.get_shift_page, methods=["GET"]),
            Route("/shift/report", self.get_shift_report, methods=["GET"]),
        ]

    async def get_page(self, request: Request) -> Response:
        """Answer with the page, which is empty."""
        return make_page_response(request, STATIC_FOLDER / "rulings.html")

    async def get_shift_page(self, request: Request) -> Response:
        """Answer with the page, which is empty."""
        return make_page_response(request, STATIC_FOLDER / "shift.html")

    async def list_rulings(self, request: Request) -> Response:
        """Answer with the rulings that one look finds, the newest first."""
        try:
            wanted = parse_query(request.query_params)
        except ValueError as why:
            return make_refusal(RefusalCode.NOT_UNDERSTOOD, str(why))
        language = choose_language(request)
        return await self._run_query(lambda connection: find_rulings(connection, wanted), lambda rows: JSONResponse(
            {"rulings": [{**translate_ruling(row, language), "at": row["at"].isoformat()} for row in rows]}
        ))  # fmt: skip

    async def get_shift_report(self, request: Request) -> Response:
        """Answer with a shift summed up, for the page, or as `csv` or `pdf`."""
        try:
            since, until, form = _parse_span(request.query_params)
        except ValueError as why:
            return make_refusal(RefusalCode.NOT_UNDERSTOOD, str(why))
        language = choose_language(request)

        def summarize(connection: psycopg.Connection[TupleRow]) -> ShiftReport:
            calls = find_calls_between(self._room.record, since, until)
            return summarize_shift(connection, since, until, calls, self._room.file.escalate_after_s)

        def answer(found: ShiftReport) -> Response:
            parts = make_report_parts(found, language)
            named = {"Content-Disposition": f'attachment; filename="shift-{since:%Y%m%d-%H%M}.{form}"'}
            if form == "csv":
                return Response(render_csv(parts), media_type="text/csv; charset=utf-8", headers=named)
            if form == "pdf":
                pdf = render_pdf(self._room.file.name, since, until, parts)
                return Response(pdf, media_type="application/pdf", headers=named)
            rows = [
                {
                    "title": title, "columns": [head for _, head in columns],
                    "rows": [[_to_plain_value(line.get(key)) for key, _ in columns] for line in lines],
                }
                for title, columns, lines in parts
            ]  # fmt: skip
            return JSONResponse({"since": since.isoformat(), "until": until.isoformat(), "parts": rows})

        return await self._run_query(summarize, answer)

    async def get_hand_steps(self, request: Request) -> Response:
        """Answer with a hand of the archive step by step, without the cards that nobody saw; one at a time is read."""
        asked: dict[str, object] = {**request.path_params, "where": self._room.file.conninfo}
        if not str(asked["journal"]).isalnum():
            return make_refusal(RefusalCode.NO_HAND, "The archive has no such journal.")
        for part in ("session", "hand"):
            if not (text := str(asked[part])).isascii() or not text.isdecimal() or len(text) > MAX_DIGITS:
                return make_refusal(RefusalCode.NOT_UNDERSTOOD, f"A {part} is a number of {MAX_DIGITS} digits at most.")
            asked[part] = int(text)
        if self._read_lock.locked():
            return make_refusal(RefusalCode.TOO_MUCH, "Another hand is being read; ask again in a moment.", wait=1.0)
        async with self._read_lock:
            told = await _read_steps(asked)
        if isinstance(told, str):
            log.warning("a hand cannot be read: %s", told)
            return make_refusal(RefusalCode.RECORD_UNREADABLE, told)
        if not told:
            return make_refusal(RefusalCode.NO_HAND, "The archive has no such hand.")
        language = choose_language(request)
        return JSONResponse({"steps": [{**step, "table": translate_line(step["table"], language)} for step in told]})

    async def _run_query(
        self, ask: Callable[[psycopg.Connection[TupleRow]], T], answer: Callable[[T], Response]
    ) -> Response:
        def query() -> Response:
            with connect_database(self._room.file.conninfo) as connection:
                connection.execute(f"SET statement_timeout = {SEARCH_TIMEOUT_S * 1000:.0f}".encode())
                make_tables(connection, INDEX_SCHEMA.read_bytes())
                return answer(ask(connection))

        if self._search_count >= MAX_SEARCHES:
            return make_refusal(RefusalCode.TOO_MUCH, "Others are searching; ask again in a moment.", wait=1.0)
        self._search_count += 1
        try:
            return await run_in_threadpool(query)
        except (psycopg.Error, OSError) as why:
            log.error("the archive is not reached (%s)", type(why).__name__)
            return make_refusal(RefusalCode.RECORD_UNREADABLE, "The room's database does not answer.")
        finally:
            self._search_count -= 1


def parse_query(query: Mapping[str, str]) -> RulingQuery:
    """What is looked for; raises `ValueError`, which says what would be right."""
    if unknown := set(query) - set(QUERY_KEYS):
        raise ValueError(f"Look for {', '.join(QUERY_KEYS)}; not {', '.join(sorted(unknown))}.")
    words = {key: query.get(key, "").strip() for key in QUERY_KEYS}
    if any(len(word) > MAX_WORD_LENGTH or "\0" in word for word in words.values()):
        raise ValueError(f"A word to look for has {MAX_WORD_LENGTH} letters at most.")
    since, until = (_parse_instant(key, words[key]) if words[key] else None for key in ("since", "until"))
    before = _parse_cursor(words["before"]) if words["before"] else None
    return RulingQuery(words["ruling"], words["table"], words["dealer"], words["person"], since, until, before)


def _parse_cursor(text: str) -> RulingCursor:
    at, *where = text.split("/")
    if len(where) != 3 or not all(each.isdecimal() and len(each) <= MAX_DIGITS for each in where[1:]):
        raise ValueError("`before` is the last ruling that was found, as 2026-01-31T18:00Z/journal/120/0.")
    return RulingCursor(_parse_instant("before", at), where[0], int(where[1]), int(where[2]))


def _parse_span(query: Mapping[str, str]) -> tuple[datetime, datetime, str]:
    if unknown := set(query) - {"since", "until", "form"}:
        raise ValueError(f"A report takes since, until and form; not {', '.join(sorted(unknown))}.")
    form = query.get("form", "")
    if form not in ("", "csv", "pdf"):
        raise ValueError("`form` is csv or pdf, or left out.")
    until = _parse_instant("until", query["until"]) if query.get("until") else read_wall_clock()
    since = _parse_instant("since", query["since"]) if query.get("since") else until - DEFAULT_SHIFT
    if not timedelta(0) < until - since <= MAX_SHIFT:
        raise ValueError(f"A shift ends after it begins, and has {MAX_SHIFT.days} days at most.")
    return since, until, form


def _parse_instant(key: str, text: str) -> datetime:
    try:
        found = datetime.fromisoformat(text).astimezone(UTC)
        if not MIN_WALL_TIME <= found <= MAX_WALL_TIME:
            raise ValueError
        return found
    except (ValueError, OverflowError):
        raise ValueError(f"`{key}` is a moment in ISO 8601, as 2026-01-31T18:00Z.") from None


def find_calls_between(record: RoomRecord, since: datetime, until: datetime) -> list[FloorCall]:
    """The calls that ended in a time, from the record itself: memory has the newest alone."""
    found: dict[int, FloorCall] = {}
    calls, begins = CallQueue(), since.timestamp()
    for line in record.read_lines_between(CALLS_STREAM, begins - MAX_CALL_DURATION_S, until.timestamp()):
        calls = apply_call_line(calls, line)
        if calls.done_calls and calls.done_calls[-1].done_at == line.entered_at and begins <= line.entered_at:
            found[calls.done_calls[-1].number] = calls.done_calls[-1]
    return list(found.values())


async def _read_steps(asked: Mapping[str, Any]) -> Any:  # noqa: ANN401 - JSON
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", "room.search.hand_steps_process",
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        out, _ = await asyncio.wait_for(process.communicate(json.dumps(asked).encode()), STEPS_TIMEOUT_S)
        return json.loads(out)
    except (TimeoutError, ValueError):
        return "the archive's hand cannot be read"
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def _to_plain_value(value: object) -> object:
    return value if value is None or isinstance(value, str | int) else round(float(str(value)), 1)
