"""The staff's page: everybody of the room, and at which table the newest list is not yet."""

import asyncio
import logging
from collections.abc import Sequence

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from controller.runtime.staff.admission import Code, NotAdmitted
from controller.web.access.door import who
from controller.web.languages import page
from controller.web.pages.answers import LONGEST_BODY, is_json, json_of, not_admitted, refusal, send_json
from room.contract.request import Answer, BadRequest, Verb
from room.contract.subjects import Told
from room.fleet.wanted import MOST_TABLES
from room.server import STATIC
from room.server.room import Room
from room.staff.asking import Standing
from room.staff.publishing import Publisher, room_key

TOPIC = "people"
PAGE = STATIC / "people.html"

LOOK_SECONDS = 0.25
"""How often the staff's file is looked at: who is withdrawn, on the page or by a command, is out within a second."""

AGAIN_SECONDS = 5.0
"""When a table that did not take the list is asked again."""

log = logging.getLogger(__name__)


class PeoplePage:
    """Makes the routes, and hands the list out."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._lists: Publisher | None = None
        self._known = set(room.file.tables)
        self._again: dict[str, tuple[int, float]] = {}
        """Table -> the list that it was asked to take last, and when it is asked again if it did not."""
        self._heard: dict[str, float] = {}
        self._asked: set[asyncio.Task[None]] = set()
        self._shown: object = None

    def routes(self) -> Sequence[BaseRoute]:
        """Make them."""
        return [
            Route("/people", self.page, methods=["GET"]),
            Route("/people/events", self.events, methods=["GET"]),
            Route("/people/withdraw", self.withdraw, methods=["POST"], max_body_size=LONGEST_BODY),
        ]

    async def page(self, request: Request) -> Response:
        """Answer with the page, which is empty."""
        return page(request, PAGE)

    async def events(self, request: Request) -> Response:
        """Answer with the people and the tables, as they change."""
        return self._room.hub.answer(request, TOPIC)

    async def withdraw(self, request: Request) -> Response:
        """Let somebody in no more, anywhere."""
        if not is_json(request):
            return send_json()
        staff, person = self._room.staff, who(request).person
        match await json_of(request):
            case {"name": str(name), **rest} if not rest and staff is not None and person is not None:
                try:
                    await run_in_threadpool(staff.remove, name, staff.warrant_of(person))
                except NotAdmitted as why:
                    return not_admitted(why)
                return Response(status_code=204)
            case _:
                return refusal(Code.FORM, 'Want {"name": …}, whom nobody is to let in any more.')

    def heard(self, table: str, what: Told, text: bytes) -> None:  # noqa: ARG002 - that it says anything is enough
        """A table that was away is asked at once when it is back."""
        if what is not Told.HEALTH or (table not in self._known and len(self._known) >= MOST_TABLES):
            return
        self._known.add(table)
        now = self._room.now()
        if not 0 <= now - self._heard.get(table, -AGAIN_SECONDS) < AGAIN_SECONDS:  # more often would be no health
            self._heard[table] = now
            self._again.pop(table, None)

    async def turn(self) -> None:
        """Sign a list whenever somebody comes, goes or changes, and send it until every table has it."""
        if self._room.staff is None:
            return
        while True:
            try:
                await self.look()
            except (OSError, NotAdmitted) as why:
                log.warning("the list of staff cannot be handed out: %s", why)
            await asyncio.sleep(LOOK_SECONDS)

    async def look(self) -> None:
        """Look once, and ask whoever is owed; raises `OSError` and `NotAdmitted`."""
        if self._lists is None:
            self._lists = await run_in_threadpool(self._opened)
        await run_in_threadpool(self._lists.publish_news)
        now, number = asyncio.get_running_loop().time(), self._lists.spread.number
        for table in self._lists.spread.owing(self._known):
            asked, again = self._again.get(table, (0, 0.0))
            if asked < number or now >= again:
                self._again[table] = (number, now + AGAIN_SECONDS)
                task = asyncio.create_task(self._hand(self._lists, table))
                self._asked.add(task)
                task.add_done_callback(self._asked.discard)
        self._show(self._lists)

    async def _hand(self, lists: Publisher, table: str) -> None:
        try:
            answer: Answer = await self._room.tables.ask(table, Verb.STAFF, lists.sent)
            if answer.code == Code.OLDER.value:  # the room was put back from a copy
                there = Standing.of(await self._room.tables.ask(table, Verb.STANDING, {}))
                await run_in_threadpool(lists.stands, table, there.staff, there.own)
            else:
                await run_in_threadpool(lists.hear, table, answer)
        except (OSError, BadRequest) as why:
            log.warning("what %s answered cannot be written down: %s", table, why)
        self._show(lists)

    def _opened(self) -> Publisher:
        assert self._room.staff is not None
        return Publisher(self._room.staff, room_key(self._room.file.state), self._room.record, self._room.now)

    def _show(self, lists: Publisher) -> None:
        spread, staff = lists.spread, self._room.staff
        if staff is None or self._shown == (spread, frozenset(self._known)):
            return
        self._shown = (spread, frozenset(self._known))
        put, owing = self._room.hub.put, spread.owing(self._known)
        people = {f"person:{person.name}": person for person in staff.people()}
        for key in {*people, *(key for key in self._room.hub.shown(TOPIC) if key.startswith("person:"))}:
            person = people.get(key)
            told = None if person is None else {"name": person.name, "role": person.role.value}
            put(TOPIC, key, told)
        put(TOPIC, "list", {"number": spread.number, "key": lists.public_key})
        for table in self._known:
            held = spread.tables.get(table)
            where: dict[str, object] = {"table": table, "owed": table in owing}
            if held is not None:
                where |= {"number": held.number, "own": list(held.own), "since": held.since, "why": held.why}
            put(TOPIC, f"table:{table}", where)
