"""The waiting lists: a board that everybody may look at, and the desk's keys beside it."""

import asyncio
import json
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
from room.contract.subjects import Told
from room.floor.standing import standing_of
from room.floor.waiting import MOST_TABLES, PAGE_SECONDS, Lists, after
from room.server.day import Day
from room.server.room import Quiet, Room

TOPIC = "lists"
PAGE = Path(__file__).parents[1] / "static" / "lists.html"

SEATED_SECONDS = 5.0
"""How often the tables' records are asked who sits since when."""

log = logging.getLogger(__name__)


class NotSo(Exception):
    """A word that does not fit the lists as they are."""


class ListsPage(Quiet):
    """Makes the routes, and lets pages run out."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._chairs: dict[str, tuple[int, dict[int, str]]] = {}
        """Table -> its places, and who sits where, as it told last."""
        self._seated: Mapping[str, Mapping[int, tuple[str, float]]] = {}
        self._looked: float | None = None
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
            case {"do": str(do), **rest} if do not in ("late", "chairs"):
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

    def heard(self, table: str, what: Told, text: bytes) -> None:
        """Remember who sits where; it is written with the next look, where the table is open here."""
        if what is not Told.STATE or (table not in self._chairs and len(self._chairs) >= MOST_TABLES):
            return
        with suppress(ValueError, RecursionError):
            if isinstance(told := json.loads(text), dict):
                stands = standing_of(told)
                self._chairs[table] = (stands["places"], {one["seat"]: one["player"] for one in stands["seats"]})

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
        if self._looked is None or self._room.now() - self._looked >= SEATED_SECONDS:
            self._seated = await asyncio.to_thread(self._room.newest.seated)
            self._looked = self._room.now()
        for word in [*self._of_chairs(day.state), *day.state.late(self._room.now())]:
            with suppress(NotSo):  # somebody at the desk was quicker
                await self._say(word, "room")
        self._show(day.state)

    def _of_chairs(self, lists: Lists) -> list[Mapping[str, Any]]:
        """The words of tables whose chairs are otherwise than the lists know."""
        found: list[Mapping[str, Any]] = []
        for name, table in lists.tables.items():
            recorded = self._seated.get(name, {})
            places, there = self._chairs.get(name, (0, {seat: player for seat, (player, _) in recorded.items()}))
            taken: list[list[Any]] = []
            for seat, player in sorted(there.items()):
                who, since = recorded.get(seat, ("", None))
                known = who == player and since is not None and since <= self._room.now()
                taken.append([seat, player or None, since if known else None])
            told = tuple((seat, player or "") for seat, player, _ in taken)
            times = dict(table.seated)
            moved = any(
                since is not None and player in times and abs(times[player] - since) > 1.0 for _, player, since in taken
            )
            if (name in self._chairs or recorded) and (moved or (places, told) != (table.places, table.taken)):
                found.append({"do": "chairs", "table": name, "places": places, "taken": taken})
        return found

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
        told["next"] = {
            "proposed": [{"table": at, "from": source, "player": player} for at, source, player in lists.proposed()]
        }
        for table in lists.tables.values():
            moves = [{"table": at, "player": player} for at, player in lists.moves(table.name)]
            told[f"table:{table.name}"] = {
                "name": table.name, "list": table.list, "main": table.main, "moves": moves,
                "seated": [player for player, _ in table.seated], "places": table.places, "free": table.free,
            }  # fmt: skip
        for key in [*self._room.hub.shown(TOPIC)]:
            told.setdefault(key, None)
        for key, value in told.items():
            self._room.hub.put(TOPIC, key, value)
