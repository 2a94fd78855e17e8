"""The routes of the page. GET changes nothing; POST enters what was touched, or controls the simulation.

Every route stands behind the door (`authenticator.py`), and `permissions.ROLES_BY_ROUTE` says who may have it; one that is not named there
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

from config.file_library import Library
from config.language_file import ENGLISH, Language
from controller.client.api_types import Inventory
from controller.runtime.loop.table_view import LIVE, SIMULATION
from controller.runtime.staff.admission import RefusalCode
from controller.runtime.staff.staff_store import StaffStore
from controller.web import STATIC
from controller.web.access.authenticator import Authenticator, get_principal, protect_routes
from controller.web.api.api_routes import ApiRoutes, handle_unknown_route
from controller.web.api.room_operations import RoomRequestHandler
from controller.web.entries.entry_endpoint import EntryEndpoint
from controller.web.http.host_check import HostCheck
from controller.web.http.responses import (
    MAX_BODY_BYTES,
    is_json,
    make_not_json_refusal,
    make_overload_refusal,
    make_refusal,
    read_json,
)
from controller.web.pages.hands_page import HandRecords, HandsPage
from controller.web.pages.metrics_page import MetricsPage, MetricsSource
from controller.web.pages.sign_in_page import SignInPage
from controller.web.pages.table_floor_page import TableFloorPage
from controller.web.pages.technician_page import TechnicianPage, WorkshopControls
from controller.web.pages.training_page import LessonLibrary, TrainingPage
from controller.web.pages.upkeep_page import Upkeep, UpkeepPage
from controller.web.publishing.page_state_hub import PageStateHub
from controller.web.wording.error_catalogue import render_markdown
from controller.web.wording.page_translation import choose_language, make_page_response, make_script_response
from controller.web.wording.step_instructions import add_instructions

MIN_SPEED, MAX_SPEED = 0.25, 20.0

MISHAPS = (
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

    def cause_mishap(self, fault: str) -> None:
        """Let one of `FAULTS` happen as soon as it can."""
        ...

    def set_table(self, game: str, rulebook: str) -> str | None:
        """Begin a new session with another game or rulebook; return why not, if not."""
        ...

    def compare_rulings(self) -> Sequence[Mapping[str, Any]]:
        """Return what every rulebook says to the event that was ruled on last, this table's own first."""
        ...


class Decks(Protocol):
    """The registered decks, and which of them is dealt from."""

    def describe(self) -> Mapping[str, Any]:
        """Return the name of the deck `in_play`, and the `decks` there are by name."""
        ...

    def choose(self, name: str, by: str) -> str | None:
        """Put a deck in play, between hands; return why not, if not."""
        ...


class _PathInteger(IntegerConvertor):
    """A number in a path: of more digits Python makes no `int`, or SQLite none of its own."""

    regex = "[0-9]{1,15}"


register_url_convertor("int", _PathInteger())


def make_app(
    hub: PageStateHub,
    names: Collection[str],
    simulation: Simulation | None,
    desk: EntryEndpoint | None = None,
    *,
    door: Authenticator | None = None,
    staff: StaffStore | None = None,
    hands: HandRecords | None = None,
    rulebook_text: Path | None = None,
    library: Library | None = None,
    bench: WorkshopControls | None = None,
    call_floor: Callable[[bool, str], object] | None = None,
    entered: Callable[[], Sequence[Mapping[str, Any]]] | None = None,
    school: LessonLibrary | None = None,
    upkeep: Upkeep | None = None,
    decks: Decks | None = None,
    language: Language = ENGLISH,
    metrics: MetricsSource | None = None,
    broadcast: Callable[[Authenticator], Sequence[BaseRoute]] | None = None,
    room: RoomRequestHandler | None = None,
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
    pages = PublicPages(hub)
    door = door or Authenticator()
    routes: list[BaseRoute] = [
        Route("/", pages.get_dealer_page, methods=["GET"]),
        Route("/watch", pages.get_spectator_page, methods=["GET"]),
        Route("/catalogue.js", pages.get_catalogue_script, methods=["GET"]),
        Route("/favicon.ico", pages.get_icon, methods=["GET"]),
        Route("/events", pages.stream_events, methods=["GET"]),
        Route("/state", pages.get_state, methods=["GET"]),
        Route("/errors", pages.get_error_catalogue, methods=["GET"]),
        *TableFloorPage(rulebook_text, library, lambda: hub.setup).make_routes(),
        Mount("/static", StaticFiles(directory=STATIC)),
        *SignInPage(door, staff, LIVE if simulation is None else SIMULATION).make_routes(),
    ]
    if desk is not None:
        routes.append(Route("/entry", EntryRoute(desk).post, methods=["POST"], max_body_size=MAX_BODY_BYTES))
    if entered is not None:
        routes.append(Route("/entries", AmendableEntriesRoute(hub, entered).get, methods=["GET"]))
    if decks is not None:
        deck = DeckRoutes(decks)
        routes.append(Route("/decks", deck.get, methods=["GET"]))
        routes.append(Route("/decks", deck.post, methods=["POST"], max_body_size=MAX_BODY_BYTES))
    if call_floor is not None:
        routes.append(Route("/call", FloorCallRoute(call_floor).post, methods=["POST"], max_body_size=MAX_BODY_BYTES))
    if hands is not None:
        routes.extend(HandsPage(hands).make_routes())
    if school is not None:
        routes.extend(TrainingPage(school).make_routes())
    if bench is not None:
        routes.extend(TechnicianPage(bench).make_routes())
    if upkeep is not None:
        routes.extend(UpkeepPage(upkeep).make_routes())
    if metrics is not None:
        routes.extend(MetricsPage(metrics).make_routes())
    if broadcast is not None:
        routes.extend(broadcast(door))
    if simulation is not None:
        control = SimulationRoutes(simulation)
        routes.append(Route("/simulation", control.post, methods=["POST"], max_body_size=MAX_BODY_BYTES))
        routes.append(Route("/answers", control.compare_rulings, methods=["GET"]))
    api = ApiRoutes(
        hub, door, simulated=simulation is not None, desk=desk, hands=hands, bench=bench, call_floor=call_floor,
        library=library, room=room, inventory=inventory,
    )  # fmt: skip
    routes.extend(api.make_routes())
    app = Starlette(
        routes=protect_routes(door, routes),
        middleware=[Middleware(HostCheck, names=names)],
        exception_handlers={404: handle_unknown_route, 405: handle_unknown_route},
    )
    app.state.language = language
    return app


class PublicPages:
    """What everybody may look at."""

    def __init__(self, hub: PageStateHub) -> None:
        self._hub = hub

    async def get_dealer_page(self, request: Request) -> Response:
        return make_page_response(request, STATIC / "dealer.html")

    async def get_spectator_page(self, request: Request) -> Response:
        return make_page_response(request, STATIC / "watch.html")

    async def get_catalogue_script(self, request: Request) -> Response:
        return make_script_response(request)

    async def get_icon(self, request: Request) -> Response:  # noqa: ARG002 - it is the same for everybody
        return FileResponse(STATIC / "icon.svg", media_type="image/svg+xml")

    async def get_error_catalogue(self, request: Request) -> Response:  # noqa: ARG002 - as above
        return PlainTextResponse(render_markdown())

    async def get_state(self, request: Request) -> Response:
        latest = self._hub.get_latest(choose_language(request))
        if latest is None:
            return PlainTextResponse("The table is not up yet.\n", status_code=503)
        return Response(latest[1], media_type="application/json")

    async def stream_events(self, request: Request) -> Response:
        seen = request.headers.get("last-event-id", "")
        after = int(seen) if seen.isascii() and seen.isdecimal() and len(seen) < 16 else -1
        return StreamingResponse(
            self._iter_event_lines(after, choose_language(request)), media_type="text/event-stream"
        )

    async def _iter_event_lines(self, after: int, language: Language) -> AsyncIterator[str]:
        """Write each publication as one event whose id lets a browser go on where it was."""
        yield "retry: 1000\n\n"
        latest = self._hub.get_latest(language)
        if after < 0 and latest is not None:
            after = latest[0] - 1
        async for publication in self._hub.iter_states(after, language):
            yield ": still here\n\n" if publication is None else f"id: {publication[0]}\ndata: {publication[1]}\n\n"


class EntryRoute:
    """The keys of the dealer's and the floor's pages."""

    def __init__(self, desk: EntryEndpoint) -> None:
        self._entry_endpoint = desk

    async def post(self, request: Request) -> Response:
        if not is_json(request):
            return make_not_json_refusal()
        answer = self._entry_endpoint.submit(await read_json(request), get_principal(request))
        if answer.message is None:
            return Response(status_code=answer.status)
        return JSONResponse({"code": answer.code, "message": answer.message}, status_code=answer.status)


class AmendableEntriesRoute:
    """What was entered, for whoever puts it right."""

    def __init__(self, hub: PageStateHub, entered: Callable[[], Sequence[Mapping[str, Any]]]) -> None:
        self._hub = hub
        self._list_amendable_entries = entered

    async def get(self, request: Request) -> Response:  # noqa: ARG002 - as Starlette calls it
        seen = self._hub.shown_entry  # first: what is told may be newer, and a touch then comes too late
        return JSONResponse({"seen": seen, "entries": await run_in_threadpool(self._list_amendable_entries)})


class DeckRoutes:
    """The deck in play, which people may choose between hands."""

    def __init__(self, decks: Decks) -> None:
        self._decks = decks

    async def get(self, request: Request) -> Response:  # noqa: ARG002 - as Starlette calls it
        return JSONResponse(await run_in_threadpool(self._decks.describe))

    async def post(self, request: Request) -> Response:
        if not is_json(request):
            return make_not_json_refusal()
        match await read_json(request):
            case {"deck": str() as name, **rest} if not rest:
                why_not = await run_in_threadpool(self._decks.choose, name, get_principal(request).name or "")
                return Response(status_code=204) if why_not is None else make_refusal(RefusalCode.NOT_NOW, why_not)
            case _:
                return make_refusal(RefusalCode.NOT_UNDERSTOOD, 'Want {"deck": …} with the name of a registered deck.')


class FloorCallRoute:
    """Calls the floor to the table, or says that it has come."""

    def __init__(self, call_floor: Callable[[bool, str], object]) -> None:
        self._call_floor = call_floor

    async def post(self, request: Request) -> Response:
        if not is_json(request):
            return make_not_json_refusal()
        match await read_json(request):
            case {"wanted": bool() as wanted, **rest} if not rest:
                if self._call_floor(wanted, get_principal(request).name or "") is False:
                    return make_overload_refusal()
                return Response(status_code=204)
            case _:
                return make_refusal(
                    RefusalCode.NOT_UNDERSTOOD, 'Want {"wanted": true} to call the floor, false when it has come.'
                )


class SimulationRoutes:
    """The keys of the simulation."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation

    async def post(self, request: Request) -> Response:
        if not is_json(request):
            return make_not_json_refusal()
        match await read_json(request):
            case {"do": "play", **rest} if not rest:
                self._simulation.play()
            case {"do": "pause", **rest} if not rest:
                self._simulation.pause()
            case {"do": "step", **rest} if not rest:
                self._simulation.step()
            case {"do": "speed", "speed": int() | float() as speed, **rest} if not rest and _is_speed(speed):
                self._simulation.set_speed(float(speed))
            case {"do": "fault", "fault": str() as fault, **rest} if not rest and fault in MISHAPS:
                self._simulation.cause_mishap(fault)
            case {"do": "table", "game": str() as game, "rulebook": str() as rulebook, **rest} if not rest:
                why_not = await run_in_threadpool(self._simulation.set_table, game, rulebook)
                if why_not is not None:
                    return JSONResponse({"message": why_not}, status_code=409)
            case _:
                accepted = (
                    f'"play", "pause", "step", "speed" with a speed of {MIN_SPEED:g} to {MAX_SPEED:g}, "fault" with one of '
                    f'{", ".join(MISHAPS)}, or "table" with game and rulebook'
                )
                return make_refusal(RefusalCode.NOT_UNDERSTOOD, f'Want {{"do": …}} with {accepted}.')
        return Response(status_code=204)

    async def compare_rulings(self, request: Request) -> Response:
        answers, language = await run_in_threadpool(self._simulation.compare_rulings), choose_language(request)
        return JSONResponse([{**each, "next": add_instructions(each.get("next", ()), language)} for each in answers])


def _is_speed(value: float) -> bool:
    return not isinstance(value, bool) and MIN_SPEED <= value <= MAX_SPEED
