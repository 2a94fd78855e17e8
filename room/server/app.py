"""The application of the room's server: its pages behind the door, and the guard before it.

A page is a module in `room/server/pages` with a class that is a `Page`, made of the `Room`; it stands in `PAGES` here,
its routes in `authority.ROUTES`, its files in `room/server/static`, served as `/room/…` (what tables' pages share, such
as `/static/language.js`, is served as there), its link in `static/menu.js`.
"""

from collections.abc import Callable, Collection, Sequence

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from config.language_file import load as load_language
from controller.web import STATIC as TABLES_STATIC
from controller.web import languages
from controller.web.access.door import put_behind
from controller.web.access.guard import Guard
from controller.web.access.sign_in import SignIn
from room.server import STATIC
from room.server.authority import HOMES, WHERE, right_to
from room.server.pages.dealers import DealersPage
from room.server.pages.decisions import Decisions
from room.server.pages.event import EventPage
from room.server.pages.fleet import FleetPage
from room.server.pages.floor import FloorPage
from room.server.pages.high_hands import HighHandsPage
from room.server.pages.lists import ListsPage
from room.server.pages.people import PeoplePage
from room.server.pages.rulings import RulingsPage
from room.server.pages.webhooks import WebhooksPage
from room.server.room import Page, Room

MODE = "room"

PAGES: Sequence[Callable[[Room], Page]] = (
    FloorPage, RulingsPage, EventPage, ListsPage, DealersPage, HighHandsPage, PeoplePage, FleetPage, Decisions,
    WebhooksPage,
)  # fmt: skip


def make_app(room: Room, names: Collection[str], pages: Sequence[Page]) -> Starlette:
    """Make the ASGI application; `names` are the host names under which it may be asked for."""
    routes: list[BaseRoute] = [
        Route("/favicon.ico", _icon, methods=["GET"]),
        Route("/catalogue.js", _catalogue, methods=["GET"]),
        Mount("/static", StaticFiles(directory=TABLES_STATIC)),
        Mount("/room", StaticFiles(directory=STATIC)),
        *SignIn(room.door, room.staff, MODE, HOMES, STATIC / "sign-in.html").routes(),
    ]
    for page in pages:
        routes.extend(page.routes())
    app = Starlette(routes=put_behind(room.door, routes, right_to, WHERE), middleware=[Middleware(Guard, names=names)])
    app.state.language = load_language(room.file.language)
    return app


async def _icon(request: Request) -> Response:  # noqa: ARG001 - it is the same for everybody
    return FileResponse(TABLES_STATIC / "icon.svg", media_type="image/svg+xml")


async def _catalogue(request: Request) -> Response:
    return languages.script(request)
