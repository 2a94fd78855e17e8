"""The routes of the record: the list of hands, and one hand step by step."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from controller.runtime.journal.recovery.recovery import RecoveryError
from controller.runtime.staff.admission import Code
from controller.web.pages.answers import refusal
from controller.web.wording import said

PAGE = Path(__file__).parents[1] / "static" / "hands.html"


class Hands(Protocol):
    """What the page wants of the record."""

    being_read: type[Exception]
    """What `steps` raises while somebody else has a hand read."""

    def listed(self) -> Sequence[Mapping[str, Any]]:
        """Name the newest hands, the newest first; takes no time."""
        ...

    @property
    def is_whole(self) -> bool:
        """Whether the list has them all; it soon will."""
        ...

    def steps(self, hand: int) -> Sequence[Mapping[str, Any]]:
        """Return every step of a hand; empty where there is no such hand. Raises `RecoveryError`; may take minutes."""
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
            Route("/hands/{hand:int}", self.steps, methods=["GET"]),
        ]

    async def page(self, request: Request) -> Response:  # noqa: ARG002 - the page is the same for everybody
        """Answer with the empty page."""
        return FileResponse(PAGE)

    async def listed(self, request: Request) -> Response:  # noqa: ARG002 - as above
        """Answer with the list of hands."""
        return JSONResponse({"hands": self._hands.listed(), "whole": self._hands.is_whole})

    async def steps(self, request: Request) -> Response:
        """Answer with every step of one hand."""
        number: int = request.path_params["hand"]
        try:
            steps = await run_in_threadpool(self._hands.steps, number)
        except self._hands.being_read:
            return refusal(Code.TOO_MUCH, "Another hand is being read; ask again in a moment.")
        except RecoveryError as why:
            return refusal(Code.UNREADABLE, str(why))
        if not steps:
            return refusal(Code.NO_HAND, f"There is no hand {number} in this session.")
        shown = [{**step, "table": said(step["table"])} for step in steps]
        return JSONResponse({"steps": shown, "setup": self._hands.setup})
