"""The broadcast's routes: the overlay, what it shows, the feed, and who may have hole cards shown sooner.

They are there only where the table's file has a section [broadcast]. The overlay is empty; what it fetches takes a
token of the role `broadcast`, which the address carries behind `#`, so that it is in no request line and no log.
"""

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, Protocol

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from controller.runtime.broadcast.delay_agreement import MAX_DELAY_S, MIN_DELAY_S
from controller.runtime.staff.admission import AdmissionError, RefusalCode
from controller.web import STATIC
from controller.web.access.authenticator import Authenticator, Principal, get_principal
from controller.web.http.responses import (
    MAX_BODY_BYTES,
    EventStreamResponse,
    is_json,
    make_admission_refusal,
    make_not_json_refusal,
    make_refusal,
    read_json,
)
from controller.web.publishing.broadcast_stream import BroadcastStream
from controller.web.wording.page_translation import make_page_response


class DelayRequests(Protocol):
    """The words of floor and technician."""

    def describe(self) -> Mapping[str, Any]:
        """Return the `delay` that holds, the one that is `asked` for, and whose word is there: `said`."""
        ...

    def request_delay(self, delay: int | None, who: Principal) -> None:
        """Take somebody's word; `None` takes back what was agreed.

        Raises `ValueError` for a delay that cannot be, `AdmissionError` for a word that is not taken.
        """
        ...


class BroadcastPage:
    """The overlay and what it is made of."""

    def __init__(self, air: BroadcastStream, delays: DelayRequests, door: Authenticator) -> None:
        self._broadcast_stream = air
        self._delay_requests = delays
        self._authenticator = door

    def make_routes(self) -> list[BaseRoute]:
        """Return the routes; `permissions.ROLES_BY_ROUTE` says who may have each."""
        return [
            Route("/broadcast", self._get_overlay_page, methods=["GET"]),
            Route("/broadcast/show", self._stream_frames, methods=["GET"]),
            Route("/broadcast/feed", self._get_feed, methods=["GET"]),
            Route("/broadcast/desk", self._get_delay_page, methods=["GET"]),
            Route("/broadcast/delay", self._get_delay, methods=["GET"]),
            Route("/broadcast/delay", self._request_delay, methods=["POST"], max_body_size=MAX_BODY_BYTES),
        ]

    async def _get_overlay_page(self, request: Request) -> Response:
        return make_page_response(request, STATIC / "broadcast.html")

    async def _get_delay_page(self, request: Request) -> Response:
        return make_page_response(request, STATIC / "broadcast-delay.html")

    async def _stream_frames(self, request: Request) -> Response:
        if not self._broadcast_stream.reserve():
            return make_refusal(RefusalCode.TOO_MUCH, "Too many overlays are connected; close one.")
        person = get_principal(request)
        lines = self._iter_event_lines(lambda: self._authenticator.is_token_valid(person))
        return EventStreamResponse(lines, self._broadcast_stream.release, headers={"Cache-Control": "no-store"})

    async def _get_feed(self, request: Request) -> Response:  # noqa: ARG002 - it is the same for everybody
        return JSONResponse(self._broadcast_stream.build_feed(), headers={"Cache-Control": "no-store"})

    async def _get_delay(self, request: Request) -> Response:  # noqa: ARG002 - as above
        return JSONResponse(dict(self._delay_requests.describe()))

    async def _request_delay(self, request: Request) -> Response:
        if not is_json(request):
            return make_not_json_refusal()
        match await read_json(request):
            case {"delay": int() | None as delay, **rest} if not rest and not isinstance(delay, bool):
                try:
                    self._delay_requests.request_delay(delay, get_principal(request))
                except ValueError as why:
                    return make_refusal(RefusalCode.NOT_UNDERSTOOD, str(why))
                except AdmissionError as why:
                    return make_admission_refusal(why)
                return JSONResponse(dict(self._delay_requests.describe()))
            case _:
                return make_refusal(
                    RefusalCode.NOT_UNDERSTOOD,
                    f'Want {{"delay": seconds, {MIN_DELAY_S} to {MAX_DELAY_S}}}, or null to take it back.',
                )

    async def _iter_event_lines(self, stands: Callable[[], bool]) -> AsyncIterator[str]:
        async for picture in self._broadcast_stream.iter_frames():
            if not stands():
                return
            yield ": still here\n\n" if picture is None else f"data: {picture}\n\n"
