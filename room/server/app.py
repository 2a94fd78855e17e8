"""The application of the room's server: its pages behind the `Authenticator`, and the `HostCheck` before it.

A page is a module in `room/server/pages` with a class that is a `Page`, made of the `Room`; it stands in `PAGES` here,
its routes in `route_permissions.ROLES_BY_ROUTE`, its files in `room/server/static`, served as `/room/…`
(what tables' pages share, such as `/static/language.js`, is served as there), its link in `static/menu.js`.
"""

from collections.abc import Callable, Collection, Sequence

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from config.language_file import load_language
from controller.strict_json import RepeatedKeyError
from controller.web import STATIC_FOLDER as TABLE_STATIC_FOLDER
from controller.web.access.authenticator import protect_routes
from controller.web.http.host_check import HostCheck
from controller.web.http.responses import answer_repeated_key
from controller.web.pages.sign_in_page import SignInPage
from controller.web.wording import page_translation
from room.server import STATIC_FOLDER
from room.server.pages.dealers_page import DealersPage
from room.server.pages.decisions_page import DecisionsPage
from room.server.pages.drop_page import DropPage
from room.server.pages.fleet_page import FleetPage
from room.server.pages.floor_page import FloorPage
from room.server.pages.high_hands_page import HighHandsPage
from room.server.pages.people_page import PeoplePage
from room.server.pages.rulings_page import RulingsPage
from room.server.pages.tournament_page import TournamentPage
from room.server.pages.waiting_lists_page import WaitingListsPage
from room.server.pages.webhooks_page import WebhooksPage
from room.server.room_context import Page, RoomContext
from room.server.route_permissions import DECLARED_IN, HOME_PAGE_BY_ROLE, find_route_roles

SIGN_IN_MODE = "room"

PAGES: Sequence[Callable[[RoomContext], Page]] = (
    FloorPage, RulingsPage, TournamentPage, WaitingListsPage, DealersPage, HighHandsPage, PeoplePage, FleetPage,
    DecisionsPage,
    DropPage,
    WebhooksPage,
)  # fmt: skip


def make_app(room: RoomContext, names: Collection[str], pages: Sequence[Page]) -> Starlette:
    """Make the ASGI application; `names` are the host names under which it may be asked for."""
    routes: list[BaseRoute] = [
        Route("/favicon.ico", _get_icon, methods=["GET"]),
        Route("/catalogue.js", _get_catalogue, methods=["GET"]),
        Mount("/static", StaticFiles(directory=TABLE_STATIC_FOLDER)),
        Mount("/room", StaticFiles(directory=STATIC_FOLDER)),
        *SignInPage(
            room.authenticator, room.staff, SIGN_IN_MODE, HOME_PAGE_BY_ROLE, STATIC_FOLDER / "sign-in.html"
        ).make_routes(),
    ]
    for page in pages:
        routes.extend(page.make_routes())
    app = Starlette(
        routes=protect_routes(room.authenticator, routes, find_route_roles, DECLARED_IN),
        middleware=[Middleware(HostCheck, names=names)],
        exception_handlers={RepeatedKeyError: answer_repeated_key},
    )
    app.state.language = load_language(room.file.language)
    return app


async def _get_icon(request: Request) -> Response:  # noqa: ARG001 - it is the same for everybody
    return FileResponse(TABLE_STATIC_FOLDER / "icon.svg", media_type="image/svg+xml")


async def _get_catalogue(request: Request) -> Response:
    return page_translation.make_script_response(request)
