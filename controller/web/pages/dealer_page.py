"""The routes of the page. GET changes nothing; POST enters what was touched, or controls the simulation.

Every route stands behind the door (`door.py`), and `authority.ROUTES` says who may have it; one that is not named there
stops the program as it starts.
"""

from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from config.folders import Library
from config.language_file import ENGLISH, Language
from controller.client.shapes import Inventory
from controller.runtime.loop.standing import LIVE, SIMULATION
from controller.runtime.staff.admission import Code
from controller.runtime.staff.staff import Staff
from controller.web import STATIC
from controller.web.access.door import Door, put_behind, who
from controller.web.access.guard import Guard
from controller.web.access.sign_in import SignIn
from controller.web.api.room_asks import Take
from controller.web.api.routes import Api, no_such_route
from controller.web.languages import language_of, page, script
from controller.web.pages.answers import LONGEST_BODY, is_json, json_of, refusal, send_json, too_much
from controller.web.pages.floor_page import FloorPage
from controller.web.pages.hands_page import Hands, HandsPage
from controller.web.pages.metrics_page import Exposition, MetricsPage
from controller.web.pages.school_page import School, SchoolPage
from controller.web.pages.technician_page import Bench, TechnicianPage
from controller.web.pages.upkeep_page import Upkeep, UpkeepPage
from controller.web.serving.desk import Desk
from controller.web.serving.errors import as_markdown
from controller.web.serving.hub import Hub
from controller.web.wording import worded

SLOWEST, FASTEST = 0.25, 20.0

FAULTS = (
    "exposed", "boxed", "off-table", "wrong-seat", "double-burn", "no-burn", "premature", "duplicate", "foreign",
    "unplug", "plug",
)  # fmt: skip
"""What can be made to go wrong in a simulated room."""


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

    def go_wrong(self, fault: str) -> None:
        """Let one of `FAULTS` happen as soon as it can."""
        ...

    def set_table(self, game: str, rulebook: str) -> str | None:
        """Begin a new session with another game or rulebook; return why not, if not."""
        ...

    def answers(self) -> Sequence[Mapping[str, Any]]:
        """Return what every rulebook says to the event that was ruled on last, this table's own first."""
        ...


class Decks(Protocol):
    """The registered decks, and which of them is dealt from."""

    def standing(self) -> Mapping[str, Any]:
        """Return the name of the deck `in_play`, and the `decks` there are by name."""
        ...

    def choose(self, name: str, by: str) -> str | None:
        """Put a deck in play, between hands; return why not, if not."""
        ...


class _Number(IntegerConvertor):
    """A number in a path: of more digits Python makes no `int`, or SQLite none of its own."""

    regex = "[0-9]{1,15}"


register_url_convertor("int", _Number())


def make_app(
    hub: Hub,
    names: Collection[str],
    simulation: Simulation | None,
    desk: Desk | None = None,
    *,
    door: Door | None = None,
    staff: Staff | None = None,
    hands: Hands | None = None,
    rulebook_text: Path | None = None,
    library: Library | None = None,
    bench: Bench | None = None,
    call_floor: Callable[[bool, str], object] | None = None,
    entered: Callable[[], Sequence[Mapping[str, Any]]] | None = None,
    school: School | None = None,
    upkeep: Upkeep | None = None,
    decks: Decks | None = None,
    language: Language = ENGLISH,
    metrics: Exposition | None = None,
    broadcast: Callable[[Door], Sequence[BaseRoute]] | None = None,
    room: Take | None = None,
    inventory: Callable[[], Inventory] | None = None,
) -> Starlette:
    """Make the ASGI application.

    `simulation` is `None` at a live table, and there the control does not exist; without a `desk` nothing can be
    entered. Without a `door` nobody can sign in, and the table can be looked at only. `hands` is the record,
    `rulebook_text` the house's own copy of its rulebook, `library` where its clauses are, `bench` the technician's
    workshop; `call_floor` records that the floor is wanted at the table, or has come, and by whose word;
    `entered` tells the entries that can be put right; `school` is the dealers'; `upkeep` sets the table up and
    packs its backup; `decks` are those that can be dealt from; `language` is the house's, in which pages are that
    nobody wants otherwise; `metrics` is what is counted; `broadcast` makes the routes of a broadcast;
    `room` does what a room of many tables asks; `inventory` tells what runs here.
    """
    pages = _Pages(hub)
    door = door or Door()
    routes: list[BaseRoute] = [
        Route("/", pages.dealer, methods=["GET"]),
        Route("/watch", pages.spectators, methods=["GET"]),
        Route("/catalogue.js", pages.script, methods=["GET"]),
        Route("/favicon.ico", pages.icon, methods=["GET"]),
        Route("/events", pages.events, methods=["GET"]),
        Route("/state", pages.state, methods=["GET"]),
        Route("/errors", pages.errors, methods=["GET"]),
        *FloorPage(rulebook_text, library, lambda: hub.setup).routes(),
        Mount("/static", StaticFiles(directory=STATIC)),
        *SignIn(door, staff, LIVE if simulation is None else SIMULATION).routes(),
    ]
    if desk is not None:
        routes.append(Route("/entry", _Entry(desk).post, methods=["POST"], max_body_size=LONGEST_BODY))
    if entered is not None:
        routes.append(Route("/entries", _Entries(hub, entered).get, methods=["GET"]))
    if decks is not None:
        deck = _Deck(decks)
        routes.append(Route("/decks", deck.get, methods=["GET"]))
        routes.append(Route("/decks", deck.post, methods=["POST"], max_body_size=LONGEST_BODY))
    if call_floor is not None:
        routes.append(Route("/call", _Call(call_floor).post, methods=["POST"], max_body_size=LONGEST_BODY))
    if hands is not None:
        routes.extend(HandsPage(hands).routes())
    if school is not None:
        routes.extend(SchoolPage(school).routes())
    if bench is not None:
        routes.extend(TechnicianPage(bench).routes())
    if upkeep is not None:
        routes.extend(UpkeepPage(upkeep).routes())
    if metrics is not None:
        routes.extend(MetricsPage(metrics).routes())
    if broadcast is not None:
        routes.extend(broadcast(door))
    if simulation is not None:
        control = _Control(simulation)
        routes.append(Route("/simulation", control.post, methods=["POST"], max_body_size=LONGEST_BODY))
        routes.append(Route("/answers", control.answers, methods=["GET"]))
    api = Api(
        hub, door, simulated=simulation is not None, desk=desk, hands=hands, bench=bench, call_floor=call_floor,
        library=library, room=room, inventory=inventory,
    )  # fmt: skip
    routes.extend(api.routes())
    app = Starlette(
        routes=put_behind(door, routes),
        middleware=[Middleware(Guard, names=names)],
        exception_handlers={404: no_such_route, 405: no_such_route},
    )
    app.state.language = language
    return app


class _Pages:
    """What everybody may look at."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    async def dealer(self, request: Request) -> Response:
        return page(request, STATIC / "dealer.html")

    async def spectators(self, request: Request) -> Response:
        return page(request, STATIC / "watch.html")

    async def script(self, request: Request) -> Response:
        return script(request)

    async def icon(self, request: Request) -> Response:  # noqa: ARG002 - it is the same for everybody
        return FileResponse(STATIC / "icon.svg", media_type="image/svg+xml")

    async def errors(self, request: Request) -> Response:  # noqa: ARG002 - as above
        return PlainTextResponse(as_markdown())

    async def state(self, request: Request) -> Response:
        latest = self._hub.latest(language_of(request))
        if latest is None:
            return PlainTextResponse("The table is not up yet.\n", status_code=503)
        return Response(latest[1], media_type="application/json")

    async def events(self, request: Request) -> Response:
        seen = request.headers.get("last-event-id", "")
        after = int(seen) if seen.isascii() and seen.isdecimal() and len(seen) < 16 else -1
        return StreamingResponse(self._lines(after, language_of(request)), media_type="text/event-stream")

    async def _lines(self, after: int, language: Language) -> AsyncIterator[str]:
        """Write each publication as one event whose id lets a browser go on where it was."""
        yield "retry: 1000\n\n"
        latest = self._hub.latest(language)
        if after < 0 and latest is not None:
            after = latest[0] - 1
        async for publication in self._hub.stream(after, language):
            yield ": still here\n\n" if publication is None else f"id: {publication[0]}\ndata: {publication[1]}\n\n"


class _Entry:
    """The keys of the dealer's and the floor's pages."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def post(self, request: Request) -> Response:
        if not is_json(request):
            return send_json()
        answer = self._desk.take(await json_of(request), who(request))
        if answer.message is None:
            return Response(status_code=answer.status)
        return JSONResponse({"code": answer.code, "message": answer.message}, status_code=answer.status)


class _Entries:
    """What was entered, for whoever puts it right."""

    def __init__(self, hub: Hub, entered: Callable[[], Sequence[Mapping[str, Any]]]) -> None:
        self._hub = hub
        self._entered = entered

    async def get(self, request: Request) -> Response:  # noqa: ARG002 - as Starlette calls it
        seen = self._hub.entry  # first: what is told may be newer, and a touch then comes too late
        return JSONResponse({"seen": seen, "entries": await run_in_threadpool(self._entered)})


class _Deck:
    """The deck in play, which people may choose between hands."""

    def __init__(self, decks: Decks) -> None:
        self._decks = decks

    async def get(self, request: Request) -> Response:  # noqa: ARG002 - as Starlette calls it
        return JSONResponse(await run_in_threadpool(self._decks.standing))

    async def post(self, request: Request) -> Response:
        if not is_json(request):
            return send_json()
        match await json_of(request):
            case {"deck": str() as name, **rest} if not rest:
                why_not = await run_in_threadpool(self._decks.choose, name, who(request).name or "")
                return Response(status_code=204) if why_not is None else refusal(Code.NOT_NOW, why_not)
            case _:
                return refusal(Code.FORM, 'Want {"deck": …} with the name of a registered deck.')


class _Call:
    """Calls the floor to the table, or says that it has come."""

    def __init__(self, call_floor: Callable[[bool, str], object]) -> None:
        self._call_floor = call_floor

    async def post(self, request: Request) -> Response:
        if not is_json(request):
            return send_json()
        match await json_of(request):
            case {"wanted": bool() as wanted, **rest} if not rest:
                if self._call_floor(wanted, who(request).name or "") is False:
                    return too_much()
                return Response(status_code=204)
            case _:
                return refusal(Code.FORM, 'Want {"wanted": true} to call the floor, false when it has come.')


class _Control:
    """The keys of the simulation."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation

    async def post(self, request: Request) -> Response:
        if not is_json(request):
            return send_json()
        match await json_of(request):
            case {"do": "play", **rest} if not rest:
                self._simulation.play()
            case {"do": "pause", **rest} if not rest:
                self._simulation.pause()
            case {"do": "step", **rest} if not rest:
                self._simulation.step()
            case {"do": "speed", "speed": int() | float() as speed, **rest} if not rest and _is_speed(speed):
                self._simulation.set_speed(float(speed))
            case {"do": "fault", "fault": str() as fault, **rest} if not rest and fault in FAULTS:
                self._simulation.go_wrong(fault)
            case {"do": "table", "game": str() as game, "rulebook": str() as rulebook, **rest} if not rest:
                why_not = await run_in_threadpool(self._simulation.set_table, game, rulebook)
                if why_not is not None:
                    return JSONResponse({"message": why_not}, status_code=409)
            case _:
                accepted = (
                    f'"play", "pause", "step", "speed" with a speed of {SLOWEST:g} to {FASTEST:g}, "fault" with one of '
                    f'{", ".join(FAULTS)}, or "table" with game and rulebook'
                )
                return refusal(Code.FORM, f'Want {{"do": …}} with {accepted}.')
        return Response(status_code=204)

    async def answers(self, request: Request) -> Response:
        answers, language = await run_in_threadpool(self._simulation.answers), language_of(request)
        return JSONResponse([{**each, "next": worded(each.get("next", ()), language)} for each in answers])


def _is_speed(value: float) -> bool:
    return not isinstance(value, bool) and SLOWEST <= value <= FASTEST
