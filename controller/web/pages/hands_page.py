"""The routes of the record: the list of hands to search in, one hand step by step, and the export of what was found."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Protocol

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from config.language_file import Language
from controller.records.export_formats import ExportFormat
from controller.runtime.journal.hand_index import QUERY_KEYS, HandMatches, HandQuery
from controller.runtime.journal.recovery.journal_replay import RecoveryError
from controller.runtime.staff.admission import RefusalCode
from controller.web import STATIC_FOLDER
from controller.web.http.responses import make_refusal
from controller.web.wording.page_translation import choose_language, make_page_response
from controller.web.wording.showdown_wording import reword_steps, word_showdown
from controller.web.wording.step_instructions import translate_line

PAGE_FILE = STATIC_FOLDER / "hands.html"

MAX_SEARCH_WORD_LENGTH = 100

FORMAT_KEY = "format"
"""The key under which the format of an export is named."""

READ_BUSY_MESSAGE = "Another hand is being read; ask again in a moment."


class HandRecords(Protocol):
    """What the page wants of the record."""

    busy_error: type[Exception]
    """What `read_steps` raises while somebody else has a hand read."""

    def find(self, wanted: HandQuery, before: tuple[int, int] | None = None) -> HandMatches:
        """Look for hands, the newest first, from `before` (session and number) on; a bounded look."""
        ...

    @property
    def is_complete(self) -> bool:
        """Whether the list has them all; it soon will."""
        ...

    def read_steps(self, session: int | None, hand: int) -> Sequence[Mapping[str, Any]]:
        """Return every step of a hand, of the session in play for `None`; empty where there is no such hand.

        Raises `RecoveryError`; may take minutes.
        """
        ...

    def export_hands(self, wanted: HandQuery, form: ExportFormat) -> tuple[str, int]:
        """Write the hands that are found, and say how many the format cannot say; raises and takes as `read_steps`."""
        ...

    @property
    def setup(self) -> Mapping[str, object]:
        """What the page shows of the table besides its steps."""
        ...


class HandsPage:
    """Makes the routes."""

    def __init__(self, hands: HandRecords) -> None:
        self._hand_records = hands

    def make_routes(self) -> list[Route]:
        """Make them; the page itself is empty, and fetches what only staff may have."""
        return [
            Route("/hands", self.get_page, methods=["GET"]),
            Route("/hands/list", self.list_hands, methods=["GET"]),
            Route("/hands/export", self.export_hands, methods=["GET"]),
            Route("/hands/{hand:int}", self.get_steps, methods=["GET"]),
            Route("/hands/{session:int}/{hand:int}", self.get_steps, methods=["GET"]),
        ]

    async def get_page(self, request: Request) -> Response:
        """Answer with the empty page."""
        return make_page_response(request, PAGE_FILE)

    async def list_hands(self, request: Request) -> Response:
        """Answer with the hands that one look at the list finds, and where the next look begins."""
        try:
            wanted, before = _parse_query(request.query_params)
        except ValueError as why:
            return make_refusal(RefusalCode.NOT_UNDERSTOOD, str(why))
        found = await run_in_threadpool(self._hand_records.find, wanted, before)
        further = None if found.next_before is None else "{}-{}".format(*found.next_before)
        rows = [row.to_json() for row in found.hands]
        return JSONResponse({"hands": rows, "further": further, "whole": self._hand_records.is_complete})

    async def get_steps(self, request: Request) -> Response:
        """Answer with every step of one hand, of the session in play where none is named."""
        session, number = request.path_params.get("session"), request.path_params["hand"]
        try:
            steps = await run_in_threadpool(self._hand_records.read_steps, session, number)
        except self._hand_records.busy_error:
            return make_refusal(RefusalCode.TOO_MUCH, READ_BUSY_MESSAGE, wait=1.0)
        except RecoveryError as why:
            return make_refusal(RefusalCode.RECORD_UNREADABLE, str(why))
        if not steps:
            return make_refusal(
                RefusalCode.NO_HAND,
                f"There is no hand {number} in {'this session' if session is None else f'session {session}'}.",
            )
        language = choose_language(request)
        shown = [_word_step(step, language) for step in steps]
        return JSONResponse({"steps": shown, "setup": self._hand_records.setup})

    async def export_hands(self, request: Request) -> Response:
        """Answer with the hands that are found as a file, `Left-Out` being how many the format cannot say."""
        try:
            wanted, _ = _parse_query({key: value for key, value in request.query_params.items() if key != FORMAT_KEY})
            form = _parse_format(request.query_params.get(FORMAT_KEY, ExportFormat.PHH.value))
        except ValueError as why:
            return make_refusal(RefusalCode.NOT_UNDERSTOOD, str(why))
        try:
            content, left_out = await run_in_threadpool(self._hand_records.export_hands, wanted, form)
        except self._hand_records.busy_error:
            return make_refusal(RefusalCode.TOO_MUCH, READ_BUSY_MESSAGE, wait=1.0)
        except RecoveryError as why:
            return make_refusal(RefusalCode.RECORD_UNREADABLE, str(why))
        if left_out and not content:
            return make_refusal(RefusalCode.NO_HAND, "This format can say none of these hands; PHH can.")
        if not content:
            return make_refusal(RefusalCode.NO_HAND, "No hand that is over was found.")
        named = {
            "Content-Disposition": f'attachment; filename="hands.{form.suffix}"',
            "Left-Out": str(left_out),
        }
        return Response(content, media_type="text/plain; charset=utf-8", headers=named)


def _word_step(step: Mapping[str, Any], language: Language) -> dict[str, Any]:
    """One step of a hand with everything that it says in a language."""
    table, showdown = translate_line(step["table"], language), word_showdown(step["showdown"], language)
    return {**step, "table": {**table, "next": reword_steps(table["next"], showdown, language)}, "showdown": showdown}


def _parse_format(named: str) -> ExportFormat:
    try:
        return ExportFormat(named)
    except ValueError:
        known = " or ".join(each.value for each in ExportFormat)
        raise ValueError(f"The `format` is {known}.") from None


def _parse_query(query: Mapping[str, str]) -> tuple[HandQuery, tuple[int, int] | None]:
    """What is looked for and from where on; raises `ValueError`, which says what would be right."""
    unknown = set(query) - {*QUERY_KEYS, "before"}
    if unknown:
        raise ValueError(
            f"Look for {', '.join(QUERY_KEYS)}, and go on from `before`; not {', '.join(sorted(unknown))}."
        )
    words = {key: query.get(key, "").strip() for key in QUERY_KEYS}
    if any(len(word) > MAX_SEARCH_WORD_LENGTH for word in words.values()):
        raise ValueError(f"A word to look for has {MAX_SEARCH_WORD_LENGTH} letters at most.")
    for key in ("since", "until"):
        words[key] = _parse_instant(key, words[key])
    match query.get("before", "").split("-"):
        case [""]:
            return HandQuery.from_words(words), None
        case [session, hand] if session.isdecimal() and hand.isdecimal() and max(len(session), len(hand)) < 16:
            return HandQuery.from_words(words), (int(session), int(hand))
        case _:
            raise ValueError("`before` is session and number of a hand, as 3-17.")


def _parse_instant(key: str, text: str) -> str:
    """A moment as the list writes it, in UTC."""
    if not text:
        return ""
    try:
        return datetime.fromisoformat(text).astimezone(UTC).isoformat(timespec="milliseconds")
    except (ValueError, OverflowError):
        raise ValueError(f"`{key}` is a moment in ISO 8601, as 2026-01-31T18:00Z.") from None
