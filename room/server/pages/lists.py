"""The waiting lists: a board that everybody may look at, and the desk's keys beside it."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from controller.runtime.staff.admission import Code
from controller.web.access.door import who
from controller.web.languages import page
from controller.web.pages.answers import LONGEST_BODY, is_json, json_of, refusal, send_json
from room.floor.waiting import PAGE_SECONDS, Lists, after
from room.server.day import Day
from room.server.room import Quiet, Room

TOPIC = "lists"
PAGE = Path(__file__).parents[1] / "static" / "lists.html"

log = logging.getLogger(__name__)


class NotSo(Exception):
    """A word that does not fit the lists as they are."""


class ListsPage(Quiet):
    """Makes the routes, and lets pages run out."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._day: Day[Lists] = Day(room, "waiting", Lists(), after)

    def routes(self) -> Sequence[BaseRoute]:
        """Make them."""
        return [
            Route("/lists", self.page, methods=["GET"]),
            Route("/lists/events", self.events, methods=["GET"]),
            Route("/lists", self.say, methods=["POST"], max_body_size=LONGEST_BODY),
        ]

    async def page(self, request: Request) -> Response:
        """Answer with the page, which is empty."""
        return page(request, PAGE)

    async def events(self, request: Request) -> Response:
        """Answer with the lists and the open tables, as they change."""
        return self._room.hub.answer(request, TOPIC)

    async def say(self, request: Request) -> Response:
        """Take a word of `room.floor.waiting` from the desk."""
        if not is_json(request):
            return send_json()
        match await json_of(request):
            case {"do": str(do), **rest} if do != "late":
                try:
                    await self._say(
                        {"do": do, **{str(key): value for key, value in rest.items()}}, who(request).name or ""
                    )
                except NotSo as why:
                    return refusal(Code.NOT_NOW, f"{str(why)[:1].upper()}{str(why)[1:]}.")
                except OSError:
                    return refusal(Code.UNREADABLE, "The room's record cannot be written now; nothing was entered.")
                return Response(status_code=204)
            case _:
                return refusal(Code.FORM, 'Want {"do": …} with what the word needs.')

    async def turn(self) -> None:
        """Show the lists, and move whoever did not come in time, every second."""
        while True:
            try:
                await self.look()
            except OSError as why:
                log.warning("the lists cannot be kept: %s", why)
            await asyncio.sleep(1.0)

    async def look(self) -> None:
        """Look once; raises `OSError`."""
        day = await self._day.today()
        for word in list(day.state.late(self._room.now())):
            with suppress(NotSo):  # somebody at the desk was quicker
                await self._say(word, "room")
        self._show(day.state)

    async def _say(self, what: Mapping[str, Any], by: str) -> None:
        def decide(lists: Lists) -> Mapping[str, Any]:
            why = lists.why_not(what)
            if why:
                raise NotSo(why)
            return what

        day = await self._day.today()
        await self._room.enter(day, by, decide)
        self._show(day.state)

    def _show(self, lists: Lists) -> None:
        told: dict[str, Any] = {}
        for place, one in enumerate(lists.in_order()):
            people = [
                {"player": waits.player, "since": waits.since, "chips": waits.chips, "missed": waits.missed}
                | ({} if waits.paged is None else {"until": waits.paged + PAGE_SECONDS})
                for waits in one.people
            ]
            tables = sorted(table.name for table in lists.tables.values() if table.list == one.name)
            told[f"list:{one.name}"] = {
                "name": one.name, "game": one.game, "place": place, "interest": lists.is_interest(one.name),
                "people": people, "tables": tables,
            }  # fmt: skip
        for table in lists.tables.values():
            moves = [{"table": at, "player": player} for at, player in lists.moves(table.name)]
            told[f"table:{table.name}"] = {
                "name": table.name, "list": table.list, "main": table.main, "moves": moves,
                "seated": [player for player, _ in table.seated],
            }  # fmt: skip
        for key in [*self._room.hub.shown(TOPIC)]:
            told.setdefault(key, None)
        for key, value in told.items():
            self._room.hub.put(TOPIC, key, value)
