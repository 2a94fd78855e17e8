"""The routes of the page. GET changes nothing; the one POST there is belongs to the simulation."""

import json
from collections.abc import AsyncIterator, Collection
from pathlib import Path
from typing import Protocol

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from controller.web.guard import Guard
from controller.web.hub import Hub

STATIC = Path(__file__).parent / "static"

LONGEST_BODY = 1024
"""Bytes that a POST may carry."""

SLOWEST, FASTEST = 0.25, 20.0


class Simulation(Protocol):
    """What the page can do to a simulated room."""

    def play(self) -> None:
        """Go on by itself."""
        ...

    def pause(self) -> None:
        """Stop after the move in hand."""
        ...

    def step(self) -> None:
        """Make one move."""
        ...

    def set_speed(self, speed: float) -> None:
        """Go `speed` times as fast as people do."""
        ...


def make_app(hub: Hub, names: Collection[str], simulation: Simulation | None) -> Starlette:
    """Make the ASGI application; `simulation` is `None` at a live table, and there the control does not exist."""
    pages = _Pages(hub)
    routes: list[Route | Mount] = [
        Route("/", pages.dealer, methods=["GET"]),
        Route("/favicon.ico", pages.icon, methods=["GET"]),
        Route("/events", pages.events, methods=["GET"]),
        Route("/state", pages.state, methods=["GET"]),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    if simulation is not None:
        control = _Control(simulation).post
        routes.append(Route("/simulation", control, methods=["POST"], max_body_size=LONGEST_BODY))
    return Starlette(routes=routes, middleware=[Middleware(Guard, names=names)])


class _Pages:
    """What everybody may look at."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    async def dealer(self, request: Request) -> Response:  # noqa: ARG002 - the page is the same for everybody
        return FileResponse(STATIC / "dealer.html")

    async def icon(self, request: Request) -> Response:  # noqa: ARG002 - as above
        return FileResponse(STATIC / "icon.svg", media_type="image/svg+xml")

    async def state(self, request: Request) -> Response:  # noqa: ARG002 - as above
        latest = self._hub.latest()
        if latest is None:
            return PlainTextResponse("The table is not up yet.\n", status_code=503)
        return Response(latest[1], media_type="application/json")

    async def events(self, request: Request) -> Response:
        seen = request.headers.get("last-event-id", "")
        after = int(seen) if seen.isascii() and seen.isdecimal() and len(seen) < 16 else -1
        return StreamingResponse(self._lines(after), media_type="text/event-stream")

    async def _lines(self, after: int) -> AsyncIterator[str]:
        """Write each publication as one event whose id lets a browser go on where it was."""
        yield "retry: 1000\n\n"
        latest = self._hub.latest()
        if after < 0 and latest is not None:
            after = latest[0] - 1
        async for publication in self._hub.stream(after):
            yield ": still here\n\n" if publication is None else f"id: {publication[0]}\ndata: {publication[1]}\n\n"


class _Control:
    """The keys of the simulation."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation

    async def post(self, request: Request) -> Response:
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return PlainTextResponse("Send JSON.\n", status_code=415)
        try:
            wish = json.loads(await request.body())
        except ValueError:
            wish = None
        match wish:
            case {"do": "play", **rest} if not rest:
                self._simulation.play()
            case {"do": "pause", **rest} if not rest:
                self._simulation.pause()
            case {"do": "step", **rest} if not rest:
                self._simulation.step()
            case {"do": "speed", "speed": int() | float() as speed, **rest} if not rest and _is_speed(speed):
                self._simulation.set_speed(float(speed))
            case _:
                accepted = f'"play", "pause", "step", or "speed" with a speed of {SLOWEST:g} to {FASTEST:g}'
                return PlainTextResponse(f'Want {{"do": …}} with {accepted}.\n', status_code=400)
        return Response(status_code=204)


def _is_speed(value: float) -> bool:
    return not isinstance(value, bool) and SLOWEST <= value <= FASTEST
