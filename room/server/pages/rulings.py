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

from controller.runtime.staff.admission import Code
from controller.web.languages import language_of, page
from controller.web.pages.answers import refusal
from controller.web.wording import said
from room.floor.calls import STREAM, Call, Calls, fold
from room.record.in_postgres import connected, make_tables
from room.record.lines import RoomRecord
from room.search.find import Before, Shift, Wanted, rulings, shift
from room.search.index import SCHEMA
from room.server import STATIC
from room.server.room import Quiet, Room
from room.server.written import as_csv, as_pdf, parts_of

KEYS = ("ruling", "table", "dealer", "person", "since", "until", "before")
LONGEST_WORD = 100
LONGEST_CALL_SECONDS = 24 * 3600.0
"""A call that somebody left open for longer than that stands in no report."""
LONGEST_SHIFT = timedelta(days=31)
USUAL_SHIFT = timedelta(hours=8)

STEPS_SECONDS = 120.0

MOST_DIGITS = 15
"""Of a number in a path; no session and no hand has as many, and Python reads 4,300 at most."""

SEARCHES = 4
"""Questions to the database at a time; each takes a thread, and the room's other work wants some."""

SEARCH_SECONDS = 20.0
"""How long the database may look."""

log = logging.getLogger(__name__)

T = TypeVar("T")


class RulingsPage(Quiet):
    """Makes the routes. The database is asked beside the loop, over a connection of its own for each question."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._reading = asyncio.Lock()
        self._searching = 0

    def routes(self) -> Sequence[BaseRoute]:
        """Make them."""
        return [
            Route("/rulings", self.page, methods=["GET"]),
            Route("/rulings/list", self.listed, methods=["GET"]),
            Route("/rulings/{journal}/{session}/{hand}", self.steps, methods=["GET"]),
            Route("/shift", self.shift_page, methods=["GET"]),
            Route("/shift/report", self.report, methods=["GET"]),
        ]

    async def page(self, request: Request) -> Response:
        """Answer with the page, which is empty."""
        return page(request, STATIC / "rulings.html")

    async def shift_page(self, request: Request) -> Response:
        """Answer with the page, which is empty."""
        return page(request, STATIC / "shift.html")

    async def listed(self, request: Request) -> Response:
        """Answer with the rulings that one look finds, the newest first."""
        try:
            wanted = wanted_of(request.query_params)
        except ValueError as why:
            return refusal(Code.FORM, str(why))
        return await self._asked(lambda connection: rulings(connection, wanted), lambda rows: JSONResponse(
            {"rulings": [{**row, "at": row["at"].isoformat()} for row in rows]}
        ))  # fmt: skip

    async def report(self, request: Request) -> Response:
        """Answer with a shift summed up, for the page, or as `csv` or `pdf`."""
        try:
            since, until, form = _span_of(request.query_params)
        except ValueError as why:
            return refusal(Code.FORM, str(why))
        language = language_of(request)

        def summed(connection: psycopg.Connection[TupleRow]) -> Shift:
            calls = calls_between(self._room.record, since, until)
            return shift(connection, since, until, calls, self._room.file.escalate_after)

        def answer(found: Shift) -> Response:
            parts = parts_of(found, language)
            named = {"Content-Disposition": f'attachment; filename="shift-{since:%Y%m%d-%H%M}.{form}"'}
            if form == "csv":
                return Response(as_csv(parts), media_type="text/csv; charset=utf-8", headers=named)
            if form == "pdf":
                pdf = as_pdf(self._room.file.name, since, until, parts)
                return Response(pdf, media_type="application/pdf", headers=named)
            rows = [
                {
                    "title": title, "columns": [head for _, head in columns],
                    "rows": [[_plain(line.get(key)) for key, _ in columns] for line in lines],
                }
                for title, columns, lines in parts
            ]  # fmt: skip
            return JSONResponse({"since": since.isoformat(), "until": until.isoformat(), "parts": rows})

        return await self._asked(summed, answer)

    async def steps(self, request: Request) -> Response:
        """Answer with a hand of the archive step by step, without the cards that nobody saw; one at a time is read."""
        asked: dict[str, object] = {**request.path_params, "where": self._room.file.database}
        if not str(asked["journal"]).isalnum():
            return refusal(Code.NO_HAND, "The archive has no such journal.")
        for part in ("session", "hand"):
            if not (text := str(asked[part])).isascii() or not text.isdecimal() or len(text) > MOST_DIGITS:
                return refusal(Code.FORM, f"A {part} is a number of {MOST_DIGITS} digits at most.")
            asked[part] = int(text)
        if self._reading.locked():
            return refusal(Code.TOO_MUCH, "Another hand is being read; ask again in a moment.", wait=1.0)
        async with self._reading:
            told = await _read(asked)
        if isinstance(told, str):
            log.warning("a hand cannot be read: %s", told)
            return refusal(Code.UNREADABLE, told)
        if not told:
            return refusal(Code.NO_HAND, "The archive has no such hand.")
        language = language_of(request)
        return JSONResponse({"steps": [{**step, "table": said(step["table"], language)} for step in told]})

    async def _asked(
        self, ask: Callable[[psycopg.Connection[TupleRow]], T], answer: Callable[[T], Response]
    ) -> Response:
        def asked() -> Response:
            with connected(self._room.file.database) as connection:
                connection.execute(f"SET statement_timeout = {SEARCH_SECONDS * 1000:.0f}".encode())
                make_tables(connection, SCHEMA.read_bytes())
                return answer(ask(connection))

        if self._searching >= SEARCHES:
            return refusal(Code.TOO_MUCH, "Others are searching; ask again in a moment.", wait=1.0)
        self._searching += 1
        try:
            return await run_in_threadpool(asked)
        except (psycopg.Error, OSError) as why:
            log.error("the archive is not reached (%s)", type(why).__name__)
            return refusal(Code.UNREADABLE, "The room's database does not answer.")
        finally:
            self._searching -= 1


def wanted_of(query: Mapping[str, str]) -> Wanted:
    """What is looked for; raises `ValueError`, which says what would be right."""
    if unknown := set(query) - set(KEYS):
        raise ValueError(f"Look for {', '.join(KEYS)}; not {', '.join(sorted(unknown))}.")
    words = {key: query.get(key, "").strip() for key in KEYS}
    if any(len(word) > LONGEST_WORD or "\0" in word for word in words.values()):
        raise ValueError(f"A word to look for has {LONGEST_WORD} letters at most.")
    since, until = (_instant(key, words[key]) if words[key] else None for key in ("since", "until"))
    before = _before(words["before"]) if words["before"] else None
    return Wanted(words["ruling"], words["table"], words["dealer"], words["person"], since, until, before)


def _before(text: str) -> Before:
    at, *where = text.split("/")
    if len(where) != 3 or not all(each.isdecimal() and len(each) <= MOST_DIGITS for each in where[1:]):
        raise ValueError("`before` is the last ruling that was found, as 2026-01-31T18:00Z/journal/120/0.")
    return Before(_instant("before", at), where[0], int(where[1]), int(where[2]))


def _span_of(query: Mapping[str, str]) -> tuple[datetime, datetime, str]:
    if unknown := set(query) - {"since", "until", "form"}:
        raise ValueError(f"A report takes since, until and form; not {', '.join(sorted(unknown))}.")
    form = query.get("form", "")
    if form not in ("", "csv", "pdf"):
        raise ValueError("`form` is csv or pdf, or left out.")
    until = _instant("until", query["until"]) if query.get("until") else datetime.now(UTC)
    since = _instant("since", query["since"]) if query.get("since") else until - USUAL_SHIFT
    if not since < until <= since + LONGEST_SHIFT:
        raise ValueError(f"A shift ends after it begins, and has {LONGEST_SHIFT.days} days at most.")
    return since, until, form


def _instant(key: str, text: str) -> datetime:
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError(f"`{key}` is a moment in ISO 8601, as 2026-01-31T18:00Z.") from None


def calls_between(record: RoomRecord, since: datetime, until: datetime) -> list[Call]:
    """The calls that ended in a time, from the record itself: memory has the newest alone."""
    found: dict[int, Call] = {}
    calls, begins = Calls(), since.timestamp()
    for line in record.between(STREAM, begins - LONGEST_CALL_SECONDS, until.timestamp()):
        calls = fold(calls, line)
        if calls.done and calls.done[-1].done == line.at and begins <= line.at:
            found[calls.done[-1].number] = calls.done[-1]
    return list(found.values())


async def _read(asked: Mapping[str, Any]) -> Any:  # noqa: ANN401 - JSON
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", "room.search.steps",
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        out, _ = await asyncio.wait_for(process.communicate(json.dumps(asked).encode()), STEPS_SECONDS)
        return json.loads(out)
    except (TimeoutError, ValueError):
        return "the archive's hand cannot be read"
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def _plain(value: object) -> object:
    return value if value is None or isinstance(value, str | int) else round(float(str(value)), 1)
