"""The floor's page: all tables on one screen, and who calls."""

from collections.abc import Sequence
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from controller.web.languages import page
from room.server.room import Quiet, Room

TOPIC = "floor"

PAGE = Path(__file__).parents[1] / "static" / "floor.html"


class FloorPage(Quiet):
    """Makes the routes."""

    def __init__(self, room: Room) -> None:
        self._room = room

    def routes(self) -> Sequence[BaseRoute]:
        """Make them."""
        return [
            Route("/", self.page, methods=["GET"]),
            Route("/floor/events", self.events, methods=["GET"]),
        ]

    async def page(self, request: Request) -> Response:
        """Answer with the page, which is empty."""
        return page(request, PAGE)

    async def events(self, request: Request) -> Response:
        """Answer with the tables and the calls, as they change."""
        return self._room.hub.answer(request, TOPIC)
