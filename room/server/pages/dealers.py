"""The dealers: who deals where since when, who rests, and the next push; fed by who signs in at the tables."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from controller.runtime.staff.admission import Code
from controller.web.access.door import who
from controller.web.languages import page
from controller.web.pages.answers import LONGEST_BODY, is_json, json_of, refusal, send_json
from room.floor.rotation import DOWN_SECONDS, Rotation, after, word_of_push
from room.floor.waiting import fits
from room.search.newest import DealerSigned
from room.server.day import Day
from room.server.room import Quiet, Room

TOPIC = "dealers"
PAGE = Path(__file__).parents[1] / "static" / "dealers.html"

LOOK_SECONDS = 1.0
HANDS_SECONDS = 15.0
"""How often the hands that each dealer has dealt are counted."""

log = logging.getLogger(__name__)


class DealersPage(Quiet):
    """Makes the routes, and takes what the tables' records say of dealers."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._day: Day[Rotation] = Day(room, "dealers", Rotation(), after)
        self._read = 0
        self._hands: Mapping[str, int] = {}
        self._counted: float | None = None

    def routes(self) -> Sequence[BaseRoute]:
        """Make them."""
        return [
            Route("/dealers", self.page, methods=["GET"]),
            Route("/dealers/events", self.events, methods=["GET"]),
            Route("/dealers", self.say, methods=["POST"], max_body_size=LONGEST_BODY),
        ]

    async def page(self, request: Request) -> Response:
        """Answer with the page, which is empty."""
        return page(request, PAGE)

    async def events(self, request: Request) -> Response:
        """Answer with the dealers, as they change."""
        return self._room.hub.answer(request, TOPIC)

    async def say(self, request: Request) -> Response:
        """Take a word of `room.floor.rotation` from the floor."""
        if not is_json(request):
            return send_json()
        word = _word_of(await json_of(request))
        if word is None:
            return refusal(Code.FORM, 'Want {"do": "push", "string", "deals", "rests" or "home", …}.')

        def decide(rotation: Rotation) -> Mapping[str, Any] | None:
            return None if word["do"] == "push" and word != word_of_push(rotation) else word

        try:
            day = await self._day.today()
            line = await self._room.enter(day, who(request).name or "", decide)
        except OSError:
            return refusal(Code.UNREADABLE, "The room's record cannot be written now; nothing was entered.")
        self._show(day.state)
        if line is None:
            return refusal(Code.MOVED, "The next push is another one by now; look again.")
        return Response(status_code=204)

    async def turn(self) -> None:
        """Take what tables have told, every second."""
        while True:
            try:
                await self.look()
            except OSError as why:
                log.warning("the dealers cannot be kept: %s", why)
            await asyncio.sleep(LOOK_SECONDS)

    async def look(self) -> None:
        """Look once; raises `OSError`."""
        day, now = await self._day.today(), self._room.now()
        told = await asyncio.to_thread(self._room.newest.signed, self._read, self._day.begins)
        for signed in told:
            await self._room.enter(day, signed.table, partial(_told, signed))
            self._read = signed.id
        if self._counted is None or now - self._counted >= HANDS_SECONDS:
            self._hands = await asyncio.to_thread(self._room.newest.dealt, self._day.begins)
            self._counted = now
        self._show(day.state)

    def _show(self, rotation: Rotation) -> None:
        now = self._room.now()
        late = set(rotation.over(now))
        dealing = [
            {"table": table, "dealer": one.dealer, "since": one.since, "late": table in late}
            for table, one in sorted(rotation.dealing.items(), key=lambda item: _place(rotation, item[0]))
        ]
        names = sorted({*rotation.dealt, *self._hands})
        done = [
            {
                "dealer": name, "hands": self._hands.get(name, 0),
                "downs": rotation.dealt[name].downs if name in rotation.dealt else 0,
                "seconds": rotation.dealt[name].seconds if name in rotation.dealt else 0.0,
            }
            for name in names
        ]  # fmt: skip
        put = self._room.hub.put
        put(TOPIC, "dealing", {"tables": dealing, "string": list(rotation.string), "down": DOWN_SECONDS})
        put(TOPIC, "resting", {"dealers": [{"dealer": one.dealer, "since": one.since} for one in rotation.resting]})
        put(TOPIC, "push", {"moves": word_of_push(rotation)["moves"]})
        put(TOPIC, "done", {"dealers": done})
        put(TOPIC, "tables", {"names": sorted({*self._room.file.tables, *rotation.dealing})})


def _word_of(told: object) -> dict[str, Any] | None:
    """A word as the floor may say it; `None` for any other."""
    match told:
        case {"do": "push", "moves": [*moves], **rest} if not rest:
            return {"do": "push", "moves": moves}
        case {"do": "string", "tables": [*tables], **rest} if not rest and all(
            isinstance(table, str) and fits(table) for table in tables
        ):
            return {"do": "string", "tables": list(dict.fromkeys(tables))}
        case {"do": "deals", "table": str(table), "dealer": str(dealer), **rest} if (
            not rest and fits(table) and fits(dealer)
        ):
            return {"do": "deals", "table": table, "dealer": dealer}
        case {"do": "rests" | "home" as do, "dealer": str(dealer), **rest} if not rest and fits(dealer):
            return {"do": do, "dealer": dealer}
        case _:
            return None


def _told(one: DealerSigned, rotation: Rotation) -> Mapping[str, Any] | None:
    if one.record <= rotation.read.get(one.journal, 0):
        return None
    does = {"do": "rests"} if one.gone else {"do": "deals"}
    where = {"table": one.table, "dealer": one.name, "at": one.at, "journal": one.journal, "record": one.record}
    return {**does, **where}


def _place(rotation: Rotation, table: str) -> tuple[int, str]:
    return (rotation.string.index(table) if table in rotation.string else len(rotation.string), table)
