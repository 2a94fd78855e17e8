"""The site of a table: every page and the API, as one application behind one door.

GET changes nothing; POST enters what was touched, or controls the simulation. `permissions.ROLES_BY_ROUTE` says who may
have which route; one that is not named there stops the program as it starts.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from config.file_library import Library
from config.language_file import ENGLISH, Language
from controller.client.api_types import Inventory
from controller.runtime.loop.table_view import LIVE, SIMULATION
from controller.runtime.staff.staff_store import StaffStore
from controller.strict_json import RepeatedKeyError
from controller.web import STATIC_FOLDER
from controller.web.access.authenticator import Authenticator, protect_routes
from controller.web.api.api_routes import ApiRoutes, handle_unknown_route
from controller.web.api.room_operations import RoomRequestHandler
from controller.web.entries.entry_endpoint import EntryEndpoint
from controller.web.http.host_check import HostCheck
from controller.web.http.responses import MAX_BODY_BYTES, answer_repeated_key
from controller.web.pages.dealer_page import (
    AmendableEntriesRoute,
    DeckRoutes,
    Decks,
    EntryRoute,
    FloorCallRoute,
    OffersRoute,
    PublicPages,
    Simulation,
    SimulationRoutes,
)
from controller.web.pages.drop_page import DropPage, DropRecords
from controller.web.pages.hands_page import HandRecords, HandsPage
from controller.web.pages.metrics_page import MetricsPage, MetricsSource
from controller.web.pages.sign_in_page import SignInPage
from controller.web.pages.table_floor_page import TableFloorPage
from controller.web.pages.technician_page import TechnicianPage, WorkshopControls
from controller.web.pages.training_page import LessonLibrary, TrainingPage
from controller.web.pages.upkeep_page import Upkeep, UpkeepPage
from controller.web.publishing.page_state_hub import PageStateHub


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
    offers: Callable[[int | None], Mapping[str, Any]] | None = None,
    school: LessonLibrary | None = None,
    upkeep: Upkeep | None = None,
    decks: Decks | None = None,
    language: Language = ENGLISH,
    metrics: MetricsSource | None = None,
    broadcast: Callable[[Authenticator], Sequence[BaseRoute]] | None = None,
    room: RoomRequestHandler | None = None,
    inventory: Callable[[], Inventory] | None = None,
    drop: DropRecords | None = None,
) -> Starlette:
    """Make the ASGI application.

    `simulation` is `None` at a live table, and there the control does not exist; without a `desk` nothing can be
    entered. Without a `door` nobody can sign in, and the table can be looked at only. `hands` is the record,
    `rulebook_text` the house's own copy of its rulebook, `library` where its clauses are, `bench` the technician's
    workshop; `call_floor` records that the floor is wanted at the table, or has come, and by whose word;
    `entered` tells the entries that can be put right, `offers` what may be said of a seat or the table; `school` is the
    dealers'; `upkeep` sets the table up and packs its backup; `decks` are those that can be dealt from; `language` is
    the house's, in which pages are that nobody wants otherwise; `metrics` is what is counted; `broadcast` makes the
    routes of a broadcast; `room` does what a room of many tables asks; `inventory` tells what runs here; `drop` is
    what the house took.
    """
    pages = PublicPages(hub)
    door = door or Authenticator()
    routes: list[BaseRoute] = [
        Route("/", pages.get_dealer_page, methods=["GET"]),
        Route("/watch", pages.get_spectator_page, methods=["GET"]),
        Route("/notice", pages.get_notice_page, methods=["GET"]),
        Route("/catalogue.js", pages.get_catalogue_script, methods=["GET"]),
        Route("/favicon.ico", pages.get_icon, methods=["GET"]),
        Route("/events", pages.stream_events, methods=["GET"]),
        Route("/state", pages.get_state, methods=["GET"]),
        Route("/errors", pages.get_error_catalogue, methods=["GET"]),
        *TableFloorPage(rulebook_text, library, lambda: hub.setup).make_routes(),
        Mount("/static", StaticFiles(directory=STATIC_FOLDER)),
        *SignInPage(door, staff, LIVE if simulation is None else SIMULATION).make_routes(),
    ]
    if desk is not None:
        routes.append(Route("/entry", EntryRoute(desk).post, methods=["POST"], max_body_size=MAX_BODY_BYTES))
    if entered is not None:
        routes.append(Route("/entries", AmendableEntriesRoute(hub, entered).get, methods=["GET"]))
    if offers is not None:
        routes.append(Route("/offers", OffersRoute(hub, offers).get, methods=["GET"]))
    if decks is not None:
        deck = DeckRoutes(decks)
        routes.append(Route("/decks", deck.get, methods=["GET"]))
        routes.append(Route("/decks", deck.post, methods=["POST"], max_body_size=MAX_BODY_BYTES))
    if call_floor is not None:
        routes.append(Route("/call", FloorCallRoute(call_floor).post, methods=["POST"], max_body_size=MAX_BODY_BYTES))
    if hands is not None:
        routes.extend(HandsPage(hands).make_routes())
    if drop is not None:
        routes.extend(DropPage(drop).make_routes())
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
        exception_handlers={
            404: handle_unknown_route,
            405: handle_unknown_route,
            RepeatedKeyError: answer_repeated_key,
        },
    )
    app.state.language = language
    app.state.library = library
    return app
