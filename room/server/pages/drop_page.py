"""The drop: what the house took on a day of the house, the boxes counted beside it, and the close of the day."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from controller.room_contract.subjects import TABLE_NAME_PATTERN, TableTopic
from controller.runtime.staff.admission import RefusalCode
from controller.runtime.staff.staff_store import AuthenticatedPerson
from controller.web.access.authenticator import get_principal
from controller.web.http.responses import MAX_BODY_BYTES, is_json, make_not_json_refusal, make_refusal, read_json
from controller.web.wording.page_translation import choose_language, make_page_response
from room.floor.day_drop import DayDrop, find_excuses, find_new_boxes
from room.floor.drop_closes import (
    DROP_STREAM,
    MAX_DAYS,
    MAX_REASON_LENGTH,
    CloseObstacle,
    DayAndTable,
    DayClose,
    DropCloses,
    DropTotal,
    add_up,
    apply_drop_line,
    is_day,
    make_close_line,
)
from room.floor.house_day import find_house_day
from room.record.folded_stream import FoldedStream
from room.server import STATIC_FOLDER
from room.server.drop_report import find_chips, format_moment, make_drop_parts, render_drop_sheet
from room.server.pages.daily_page import LineRefusedError
from room.server.room_context import PassivePage, RoomContext
from room.server.shift_report_export import render_csv
from room.staff.record_signature import find_line_key, sign_line

MAX_LISTENED_TABLES = 400
MAX_SHOWN_DAYS = 14
"""Days that wait to be closed and are named."""

DAY_S = 24 * 3600.0
FORMAT_HINT = (
    'Want {"do": "excuse", "day", "table", "why"} or {"do": "close", "day", "chips", "hands"}, as the page showed them.'
)

log = logging.getLogger(__name__)


class DropStanding(NamedTuple):
    """A day as the records say now, the closes so far, and what no close has taken up to that day."""

    day: DayDrop
    closes: DropCloses
    totals: Mapping[DayAndTable, DropTotal]

    def compute_untaken(self) -> dict[DayAndTable, DropTotal]:
        """What no close has taken, up to the end of the day."""
        return self.closes.compute_untaken(self.totals, self.day.day)


class DropPage(PassivePage):
    """Makes the routes. The database is asked beside the loop; a day is closed by a line of the room's record."""

    def __init__(self, room: RoomContext) -> None:
        self._room = room
        self._closes = FoldedStream(room.record, DROP_STREAM, DropCloses(), apply_drop_line)
        self._heard_at_by_table: dict[str, float] = {}

    def make_routes(self) -> Sequence[BaseRoute]:
        """Make them."""
        return [
            Route("/drop", self.get_page, methods=["GET"]),
            Route("/drop/day", self.get_day, methods=["GET"]),
            Route("/drop", self.post_line, methods=["POST"], max_body_size=MAX_BODY_BYTES),
        ]

    def on_table_message(self, table: str, what: TableTopic, text: bytes) -> None:  # noqa: ARG002 - that it speaks
        """Remember when a table was heard: what one that is away dropped since is not known."""
        if table in self._heard_at_by_table or len(self._heard_at_by_table) < MAX_LISTENED_TABLES:
            self._heard_at_by_table[table] = self._room.wall_clock()

    async def get_page(self, request: Request) -> Response:
        """Answer with the page, which is empty."""
        return make_page_response(request, STATIC_FOLDER / "drop.html")

    async def get_day(self, request: Request) -> Response:
        """Answer with a day, for the page, or as `csv` or `pdf`; without one, with the day that is closed next."""
        query = request.query_params
        wanted, form = query.get("day", ""), query.get("form", "")
        if (wanted and not is_day(wanted)) or form not in ("", "csv", "pdf") or set(query) - {"day", "form"}:
            return make_refusal(
                RefusalCode.NOT_UNDERSTOOD, "Ask for a `day`, as 2027-01-15; `form` is csv or pdf, or left out."
            )
        try:
            standing = await asyncio.to_thread(self._read_standing, wanted)
        except OSError as why:
            return _refuse_unread(why)
        language = choose_language(request)
        parts = make_drop_parts(standing.day, standing.closes, standing.compute_untaken(), language)
        named = {"Content-Disposition": f'attachment; filename="drop-{standing.day.day}.{form}"'}
        if form == "csv":
            return Response(render_csv(parts), media_type="text/csv; charset=utf-8", headers=named)
        if form == "pdf":
            pdf = await asyncio.to_thread(
                render_drop_sheet, self._room.file.name, standing.day, standing.closes, parts, language
            )
            return Response(pdf, media_type="application/pdf", headers=named)
        return JSONResponse({**self._render_day(standing), "parts": [
            {"title": title, "columns": [head for _, head in columns],
             "rows": [[line.get(key) for key, _ in columns] for line in lines]}
            for title, columns, lines in parts
        ]})  # fmt: skip

    async def post_line(self, request: Request) -> Response:
        """Take why a box is not counted, or close a day: signed by whoever says so."""
        if not is_json(request):
            return make_not_json_refusal()
        person = get_principal(request).person
        if person is None:
            return make_refusal(RefusalCode.SIGN_IN_NEEDED, "Sign in first.")
        match await read_json(request):
            case {"do": "excuse", "day": str(day), "table": str(table), "why": str(why), **rest} if (
                not rest and is_day(day) and TABLE_NAME_PATTERN.fullmatch(table)
                and 0 < len(why.strip()) <= MAX_REASON_LENGTH
            ):  # fmt: skip
                make_line = _make_excuse_line(day, table, why.strip())
            case {"do": "close", "day": str(day), "chips": int(chips), "hands": int(hands), **rest} if (
                not rest and is_day(day)
            ):
                make_line = _make_closing_line(day, self._find_today(), chips, hands)
            case _:
                return make_refusal(RefusalCode.NOT_UNDERSTOOD, FORMAT_HINT)
        return await self._enter(person, day, make_line)

    async def _enter(
        self, person: AuthenticatedPerson, day: str, make_line: Callable[[DropStanding], Mapping[str, Any]]
    ) -> Response:
        try:
            standing = await asyncio.to_thread(self._read_standing, day)
        except OSError as why:
            return _refuse_unread(why)

        def decide(closes: DropCloses) -> Mapping[str, Any]:
            return sign_line(person, DROP_STREAM, make_line(standing._replace(closes=closes)))

        try:
            await self._room.enter(self._closes, person.name, decide)
        except LineRefusedError as why:
            return make_refusal(RefusalCode.NOT_NOW, f"{str(why)[:1].upper()}{str(why)[1:]}.")
        except OSError:
            return make_refusal(
                RefusalCode.RECORD_UNREADABLE, "The room's record cannot be written now; nothing was entered."
            )
        return Response(status_code=204)

    def _find_today(self) -> str:
        return find_house_day(self._room.wall_clock())

    def _read_standing(self, wanted: str) -> DropStanding:
        """Read a day, and all that was dropped; raises `OSError`."""
        closes = self._closes.read()
        oldest = closes.oldest_day or find_house_day(self._room.wall_clock() - MAX_DAYS * DAY_S)
        totals = self._room.drop_records.read_totals(oldest)
        day = wanted or min(_find_open_days(closes, totals), default=self._find_today())
        return DropStanding(self._room.drop_records.read_day(day), closes, totals)

    def _render_day(self, standing: DropStanding) -> dict[str, Any]:
        """The day for the page: what stands in the way of its close, and what the close would take."""
        day, closes, untaken = standing.day, standing.closes, standing.compute_untaken()
        close = closes.find_close(day.day)
        excuses = find_excuses(closes, day.day)
        obstacle = _find_obstacle(standing, self._find_today())
        away = day.find_away_tables(self._heard_at_by_table, self._room.wall_clock())
        taken = add_up(untaken.values())
        return {
            "day": day.day, "begins": format_moment(day.begins_at), "ends": format_moment(day.ends_at),
            "open": sorted(_find_open_days(closes, standing.totals))[:MAX_SHOWN_DAYS],
            "missing": [] if close else [table for table in day.find_uncounted_tables() if table not in excuses],
            "obstacle": None if obstacle is None else {"kind": obstacle.kind.value, "names": ", ".join(obstacle.names)},
            "away": [{"table": record.table, "until": format_moment(record.told_until)} for record in away],
            "total": _render_total(day.total),
            "close": None if close is None else self._render_close(close),
            "next": {**_render_total(taken), "sum": taken.chips},
        }  # fmt: skip

    def _render_close(self, close: DayClose) -> dict[str, Any]:
        key = find_line_key(DROP_STREAM, close.content)
        people = () if self._room.staff is None else self._room.staff.list_signing_keys()
        signer = next((one.name for one in people if one.public_key == key), "")
        return {
            "by": close.closed_by, "at": format_moment(close.closed_at), "signed": key is not None and
            signer == close.closed_by, **_render_total(close.total), "late": _render_total(close.late_total),
        }  # fmt: skip


def _find_open_days(closes: DropCloses, totals: Mapping[DayAndTable, DropTotal]) -> set[str]:
    """Days with a hand that come after the last one closed."""
    return {day for day, _ in totals if day > closes.last_closed_day}


def _find_obstacle(standing: DropStanding, today: str) -> CloseObstacle | None:
    """Why the day cannot be closed now; `None` where it can."""
    day, closes = standing.day, standing.closes
    return closes.find_obstacle(day.day, today, standing.totals) or day.find_obstacle(closes)


def _make_excuse_line(day: str, table: str, why: str) -> Callable[[DropStanding], Mapping[str, Any]]:
    def make_line(standing: DropStanding) -> Mapping[str, Any]:
        if day <= standing.closes.last_closed_day:
            raise LineRefusedError(f"{day} is closed; what comes later goes into the next close")
        if table not in standing.day.find_uncounted_tables():
            raise LineRefusedError(f"no box of {table} is missing on {day}")
        return {"do": "excuse", "day": day, "table": table, "why": why}

    return make_line


def _make_closing_line(day: str, today: str, chips: int, hands: int) -> Callable[[DropStanding], Mapping[str, Any]]:
    def make_line(standing: DropStanding) -> Mapping[str, Any]:
        obstacle = _find_obstacle(standing, today)
        if obstacle is not None:
            raise LineRefusedError(obstacle.text)
        untaken = standing.compute_untaken()
        taken = add_up(untaken.values())
        if (taken.chips, taken.hand_count) != (chips, hands):
            raise LineRefusedError(
                f"the close would take {taken.chips} chips of {taken.hand_count} hands by now; look again"
            )
        boxes = [box.to_json() for box in find_new_boxes(standing.closes, standing.day.boxes)]
        return make_close_line(day, untaken, boxes, find_excuses(standing.closes, day))

    return make_line


def _render_total(total: DropTotal) -> dict[str, Any]:
    return {"chips": find_chips(total), "hands": total.hand_count, "unknown": total.unknown_count}


def _refuse_unread(why: OSError) -> Response:
    log.error("what tables dropped is not known: %s", why)
    return make_refusal(RefusalCode.RECORD_UNREADABLE, "The room's database does not answer.")
