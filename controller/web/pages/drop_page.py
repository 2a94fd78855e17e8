"""The routes of the house's money: what was dropped, the counted boxes, and a count that two people enter."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Protocol

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from controller.core.protocol.table_error import Refused
from controller.records.drop import DropGrouping
from controller.runtime.journal.recovery.journal_replay import RecoveryError
from controller.runtime.staff.admission import AdmissionError, RefusalCode
from controller.runtime.storage.sqlite_database import DatabaseError
from controller.web import STATIC_FOLDER
from controller.web.access.authenticator import Principal, get_principal
from controller.web.http.responses import (
    MAX_BODY_BYTES,
    is_json,
    make_admission_refusal,
    make_not_json_refusal,
    make_refusal,
    read_json,
)
from controller.web.wording.page_translation import make_page_response

PAGE_FILE = STATIC_FOLDER / "drop.html"

READ_BUSY_MESSAGE = "Somebody else has the record read just now; ask again in a moment."
COUNT_HINT = 'Want {"box", "expected", "counted", "watcher", "pin"}, and "reason" to correct a count.'
QUERY_KEYS = frozenset({"by", "open", "day"})


class DropRecords(Protocol):
    """What the page wants of the house's money."""

    busy_error: type[Exception]
    """What is raised while somebody else has the record read."""

    def describe(self, grouping: DropGrouping, *, only_open: bool, day: date | None) -> Mapping[str, Any]:
        """Return the sums as a table, the boxes and what should be in the one that is open; may take a while.

        Raises `RecoveryError` and `DatabaseError`.
        """
        ...

    def export(self, grouping: DropGrouping, *, only_open: bool, day: date | None) -> str:
        """Return sums and boxes for a spreadsheet; raises and takes as `describe`."""
        ...

    def count(self, told: "CountTold", who: Principal) -> None:
        """Write a count down; raises `Refused` and `AdmissionError`, and as `describe`."""
        ...


class CountTold:
    """A count as it is entered: of which box, what should be in it by what was shown, what was, who watched."""

    def __init__(self, content: Mapping[str, Any]) -> None:
        """Take what was sent; raises `ValueError` for what is no count."""
        match content:
            case {"box": int() as box, "counted": counted, "watcher": str() as watcher, "pin": str() as pin, **rest}:
                if isinstance(box, bool) or not rest.keys() <= {"expected", "reason"}:
                    raise ValueError(COUNT_HINT)
                self.box, self.counted, self.watcher, self.pin = box, counted, watcher, pin
                self.expected: object = rest.get("expected")
                self.reason = str(rest.get("reason", "")).strip()
            case _:
                raise ValueError(COUNT_HINT)


class DropPage:
    """Makes the routes."""

    def __init__(self, records: DropRecords) -> None:
        self._records = records

    def make_routes(self) -> list[Route]:
        """Make them; the page itself is empty, and fetches what only floor and auditor may have."""
        return [
            Route("/drop", self.get_page, methods=["GET"]),
            Route("/drop/list", self.list_drop, methods=["GET"]),
            Route("/drop/export", self.export_drop, methods=["GET"]),
            Route("/drop/count", self.count_box, methods=["POST"], max_body_size=MAX_BODY_BYTES),
        ]

    async def get_page(self, request: Request) -> Response:
        """Answer with the empty page."""
        return make_page_response(request, PAGE_FILE)

    async def list_drop(self, request: Request) -> Response:
        """Answer with what was dropped, summed up as is wanted, and the boxes."""
        return await self._answer(request, self._records.describe, JSONResponse)

    async def export_drop(self, request: Request) -> Response:
        """Answer with the same for a spreadsheet."""

        def answer(content: str) -> Response:
            named = {"Content-Disposition": 'attachment; filename="drop.csv"'}
            return Response(content, media_type="text/csv; charset=utf-8", headers=named)

        return await self._answer(request, self._records.export, answer)

    async def _answer(
        self, request: Request, ask: Callable[..., Any], make_answer: Callable[[Any], Response]
    ) -> Response:
        try:
            wanted = _parse_query(request.query_params)
        except ValueError as why:
            return make_refusal(RefusalCode.NOT_UNDERSTOOD, str(why))
        try:
            return make_answer(await run_in_threadpool(lambda: ask(wanted[0], only_open=wanted[1], day=wanted[2])))
        except self._records.busy_error:
            return make_refusal(RefusalCode.TOO_MUCH, READ_BUSY_MESSAGE, wait=1.0)
        except (RecoveryError, DatabaseError) as why:
            return make_refusal(RefusalCode.RECORD_UNREADABLE, str(why))

    async def count_box(self, request: Request) -> Response:
        """Take a count of the box, or a correction of one."""
        if not is_json(request):
            return make_not_json_refusal()
        try:
            content = await read_json(request)
            told = CountTold(content if isinstance(content, dict) else {})
            await run_in_threadpool(self._records.count, told, get_principal(request))
        except ValueError as why:
            return make_refusal(RefusalCode.NOT_UNDERSTOOD, str(why))
        except Refused as why:
            code = RefusalCode.NOT_NOW if why.code == "not-now" else RefusalCode.NOT_UNDERSTOOD
            return make_refusal(code, why.message)
        except AdmissionError as why:
            return make_admission_refusal(why)
        except self._records.busy_error:
            return make_refusal(RefusalCode.TOO_MUCH, READ_BUSY_MESSAGE, wait=1.0)
        except (RecoveryError, DatabaseError) as why:
            return make_refusal(RefusalCode.RECORD_UNREADABLE, str(why))
        return Response(status_code=204)


def _parse_query(words: Mapping[str, str]) -> tuple[DropGrouping, bool, date | None]:
    """By what to sum up, whether only what came since the last count, and of which day; raises `ValueError`."""
    if unknown := words.keys() - QUERY_KEYS:
        raise ValueError(f"Unknown: {', '.join(sorted(unknown))}; there are by, day, open.")
    by = words.get("by", DropGrouping.SHIFT.value)
    if by not in [each.value for each in DropGrouping]:
        raise ValueError(f"`by` is one of {', '.join(each.value for each in DropGrouping)}.")
    try:
        day = date.fromisoformat(words["day"]) if words.get("day") else None
    except ValueError:
        raise ValueError("`day` is written as 2026-01-31.") from None
    return DropGrouping(by), words.get("open") == "1", day
