"""The broadcast's routes: the overlay, what it shows, the feed, and who may have hole cards shown sooner.

They are there only where the table's file has a section [broadcast]. The overlay is empty; what it fetches takes a
token of the role `broadcast`, which the address carries behind `#`, so that it is in no request line and no log.
"""

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, Protocol

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from controller.runtime.broadcast.agreement import LONGEST, SHORTEST
from controller.runtime.staff.admission import Code, NotAdmitted
from controller.web import STATIC
from controller.web.access.door import Door, Who, who
from controller.web.languages import page
from controller.web.pages.answers import LONGEST_BODY, EventStream, is_json, json_of, not_admitted, refusal, send_json
from controller.web.serving.air import Air


class Delays(Protocol):
    """The words of floor and technician."""

    def standing(self) -> Mapping[str, Any]:
        """Return the `delay` that holds, the one that is `asked` for, and whose word is there: `said`."""
        ...

    def say(self, delay: int | None, who: Who) -> None:
        """Take somebody's word; `None` takes back what was agreed.

        Raises `ValueError` for a delay that cannot be, `NotAdmitted` for a word that is not taken.
        """
        ...


class BroadcastPage:
    """The overlay and what it is made of."""

    def __init__(self, air: Air, delays: Delays, door: Door) -> None:
        self._air = air
        self._delays = delays
        self._door = door

    def routes(self) -> list[BaseRoute]:
        """Return the routes; `authority.ROUTES` says who may have each."""
        return [
            Route("/broadcast", self._overlay, methods=["GET"]),
            Route("/broadcast/show", self._show, methods=["GET"]),
            Route("/broadcast/feed", self._feed, methods=["GET"]),
            Route("/broadcast/desk", self._desk, methods=["GET"]),
            Route("/broadcast/delay", self._delay, methods=["GET"]),
            Route("/broadcast/delay", self._say, methods=["POST"], max_body_size=LONGEST_BODY),
        ]

    async def _overlay(self, request: Request) -> Response:
        return page(request, STATIC / "broadcast.html")

    async def _desk(self, request: Request) -> Response:
        return page(request, STATIC / "broadcast-desk.html")

    async def _show(self, request: Request) -> Response:
        if not self._air.reserve():
            return refusal(Code.TOO_MUCH, "Too many overlays are connected; close one.")
        person = who(request)
        lines = self._lines(lambda: self._door.still_stands(person))
        return EventStream(lines, self._air.free, headers={"Cache-Control": "no-store"})

    async def _feed(self, request: Request) -> Response:  # noqa: ARG002 - it is the same for everybody
        return JSONResponse(self._air.feed(), headers={"Cache-Control": "no-store"})

    async def _delay(self, request: Request) -> Response:  # noqa: ARG002 - as above
        return JSONResponse(dict(self._delays.standing()))

    async def _say(self, request: Request) -> Response:
        if not is_json(request):
            return send_json()
        match await json_of(request):
            case {"delay": int() | None as delay, **rest} if not rest and not isinstance(delay, bool):
                try:
                    self._delays.say(delay, who(request))
                except ValueError as why:
                    return refusal(Code.FORM, str(why))
                except NotAdmitted as why:
                    return not_admitted(why)
                return JSONResponse(dict(self._delays.standing()))
            case _:
                return refusal(
                    Code.FORM, f'Want {{"delay": seconds, {SHORTEST} to {LONGEST}}}, or null to take it back.'
                )

    async def _lines(self, stands: Callable[[], bool]) -> AsyncIterator[str]:
        async for picture in self._air.stream():
            if not stands():
                return
            yield ": still here\n\n" if picture is None else f"data: {picture}\n\n"
