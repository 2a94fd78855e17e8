"""The routes of the record: the list of hands to search in, one hand step by step, and the export of what was found."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Protocol

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from controller.records.formats import Format
from controller.runtime.journal.hand_index import KEYS, Found, Wanted
from controller.runtime.journal.recovery.recovery import RecoveryError
from controller.runtime.staff.admission import Code
from controller.web import STATIC
from controller.web.languages import language_of, page
from controller.web.pages.answers import refusal
from controller.web.wording import said

PAGE = STATIC / "hands.html"

LONGEST_WORD = 100

FORMAT = "format"
"""The key under which the format of an export is named."""

BEING_READ = "Another hand is being read; ask again in a moment."


class Hands(Protocol):
    """What the page wants of the record."""

    being_read: type[Exception]
    """What `steps` raises while somebody else has a hand read."""

    def find(self, wanted: Wanted, before: tuple[int, int] | None = None) -> Found:
        """Look for hands, the newest first, from `before` (session and number) on; a bounded look."""
        ...

    @property
    def is_whole(self) -> bool:
        """Whether the list has them all; it soon will."""
        ...

    def steps(self, session: int | None, hand: int) -> Sequence[Mapping[str, Any]]:
        """Return every step of a hand, of the session in play for `None`; empty where there is no such hand.

        Raises `RecoveryError`; may take minutes.
        """
        ...

    def exported(self, wanted: Wanted, form: Format) -> tuple[str, int]:
        """Write the hands that are found, and say how many the format cannot say; raises and takes as `steps`."""
        ...

    @property
    def setup(self) -> Mapping[str, object]:
        """What the page shows of the table besides its steps."""
        ...


class HandsPage:
    """Makes the routes."""

    def __init__(self, hands: Hands) -> None:
        self._hands = hands

    def routes(self) -> list[Route]:
        """Make them; the page itself is empty, and fetches what only staff may have."""
        return [
            Route("/hands", self.page, methods=["GET"]),
            Route("/hands/list", self.listed, methods=["GET"]),
            Route("/hands/export", self.export, methods=["GET"]),
            Route("/hands/{hand:int}", self.steps, methods=["GET"]),
            Route("/hands/{session:int}/{hand:int}", self.steps, methods=["GET"]),
        ]

    async def page(self, request: Request) -> Response:
        """Answer with the empty page."""
        return page(request, PAGE)

    async def listed(self, request: Request) -> Response:
        """Answer with the hands that one look at the list finds, and where the next look begins."""
        try:
            wanted, before = _asked(request.query_params)
        except ValueError as why:
            return refusal(Code.FORM, str(why))
        found = await run_in_threadpool(self._hands.find, wanted, before)
        further = None if found.further is None else "{}-{}".format(*found.further)
        rows = [row.to_json() for row in found.hands]
        return JSONResponse({"hands": rows, "further": further, "whole": self._hands.is_whole})

    async def steps(self, request: Request) -> Response:
        """Answer with every step of one hand, of the session in play where none is named."""
        session, number = request.path_params.get("session"), request.path_params["hand"]
        try:
            steps = await run_in_threadpool(self._hands.steps, session, number)
        except self._hands.being_read:
            return refusal(Code.TOO_MUCH, BEING_READ)
        except RecoveryError as why:
            return refusal(Code.UNREADABLE, str(why))
        if not steps:
            return refusal(
                Code.NO_HAND,
                f"There is no hand {number} in {'this session' if session is None else f'session {session}'}.",
            )
        language = language_of(request)
        shown = [{**step, "table": said(step["table"], language)} for step in steps]
        return JSONResponse({"steps": shown, "setup": self._hands.setup})

    async def export(self, request: Request) -> Response:
        """Answer with the hands that are found as a file, `Left-Out` being how many the format cannot say."""
        try:
            wanted, _ = _asked({key: value for key, value in request.query_params.items() if key != FORMAT})
            form = _format(request.query_params.get(FORMAT, Format.PHH.value))
        except ValueError as why:
            return refusal(Code.FORM, str(why))
        try:
            content, left_out = await run_in_threadpool(self._hands.exported, wanted, form)
        except self._hands.being_read:
            return refusal(Code.TOO_MUCH, BEING_READ)
        except RecoveryError as why:
            return refusal(Code.UNREADABLE, str(why))
        if left_out and not content:
            return refusal(Code.NO_HAND, "This format can say none of these hands; PHH can.")
        if not content:
            return refusal(Code.NO_HAND, "No hand that is over was found.")
        named = {
            "Content-Disposition": f'attachment; filename="hands.{form.suffix}"',
            "Left-Out": str(left_out),
        }
        return Response(content, media_type="text/plain; charset=utf-8", headers=named)


def _format(named: str) -> Format:
    try:
        return Format(named)
    except ValueError:
        known = " or ".join(each.value for each in Format)
        raise ValueError(f"The `format` is {known}.") from None


def _asked(query: Mapping[str, str]) -> tuple[Wanted, tuple[int, int] | None]:
    """What is looked for and from where on; raises `ValueError`, which says what would be right."""
    unknown = set(query) - {*KEYS, "before"}
    if unknown:
        raise ValueError(f"Look for {', '.join(KEYS)}, and go on from `before`; not {', '.join(sorted(unknown))}.")
    words = {key: query.get(key, "").strip() for key in KEYS}
    if any(len(word) > LONGEST_WORD for word in words.values()):
        raise ValueError(f"A word to look for has {LONGEST_WORD} letters at most.")
    for key in ("since", "until"):
        words[key] = _instant(key, words[key])
    match query.get("before", "").split("-"):
        case [""]:
            return Wanted.of(words), None
        case [session, hand] if session.isdecimal() and hand.isdecimal() and max(len(session), len(hand)) < 16:
            return Wanted.of(words), (int(session), int(hand))
        case _:
            raise ValueError("`before` is session and number of a hand, as 3-17.")


def _instant(key: str, text: str) -> str:
    """A moment as the list writes it, in UTC."""
    if not text:
        return ""
    try:
        return datetime.fromisoformat(text).astimezone(UTC).isoformat(timespec="milliseconds")
    except (ValueError, OverflowError):
        raise ValueError(f"`{key}` is a moment in ISO 8601, as 2026-01-31T18:00Z.") from None
