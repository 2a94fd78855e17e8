"""The room's webhooks: a thread for each, and a page that says how each stands and has it told again."""

import asyncio
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar
from urllib.parse import urlsplit

import psycopg
from psycopg.rows import TupleRow
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from controller.runtime.staff.admission import Code
from controller.web.access.door import who
from controller.web.languages import page
from controller.web.pages.answers import LONGEST_BODY, is_json, json_of, refusal, send_json
from room.record.in_postgres import connected
from room.record.outbox import WebhookStanding, forget, standings, tell_again
from room.server import STATIC
from room.server.room import Quiet, Room
from room.server.webhooks import Webhook

T = TypeVar("T")

TOPIC = "webhooks"
PAGE = STATIC / "webhooks.html"
LOOK_SECONDS = 1.0

log = logging.getLogger(__name__)


class WebhooksPage(Quiet):
    """Makes the routes, and has each webhook told; raises `ConfigError` where a secret file cannot be used."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._keys = [room.file.key(section) for section in room.file.webhooks]
        self._threads: Sequence[Webhook] = ()
        self._stood: Mapping[str, WebhookStanding] = {}
        self._lock = threading.Lock()
        self._database: psycopg.Connection[TupleRow] | None = None

    def routes(self) -> Sequence[BaseRoute]:
        """Make them."""
        return [
            Route("/webhooks", self.page, methods=["GET"]),
            Route("/webhooks/events", self.events, methods=["GET"]),
            Route("/webhooks/again", self.again, methods=["POST"], max_body_size=LONGEST_BODY),
        ]

    async def page(self, request: Request) -> Response:
        """Answer with the page, which is empty."""
        return page(request, PAGE)

    async def events(self, request: Request) -> Response:
        """Answer with how each webhook stands, as it changes."""
        return self._room.hub.answer(request, TOPIC)

    async def again(self, request: Request) -> Response:
        """Have told what a webhook was not told, as far as it can be, and see what was given up as known."""
        if not is_json(request):
            return send_json()
        names = [section.name for section in self._room.file.webhooks]
        match await json_of(request):
            case {"name": str(name), **rest} if not rest and name in names:
                pass
            case _:
                return refusal(Code.FORM, 'Want {"name": …}, a webhook of the room\'s file.')
        try:
            done = await asyncio.to_thread(self._within, lambda database: tell_again(database, name))
        except OSError:
            return refusal(Code.UNREADABLE, "The room's database does not answer; nothing was entered.")
        if not done:
            return refusal(Code.NOT_NOW, "This webhook has not begun yet; try again.")
        log.info("webhook %s is told again, by %s", name, who(request).name)
        for thread in self._threads:
            thread.wake()
        return Response(status_code=204)

    async def turn(self) -> None:
        """Have them told, and show how they stand, until cancelled; one that is no more in the file is forgotten."""
        file = self._room.file
        if not file.database:
            return
        names = [section.name for section in file.webhooks]
        try:
            await asyncio.to_thread(self._within, lambda database: forget(database, names))
        except OSError as why:
            log.warning("webhooks that are no more in the file are kept until the next start: %s", why)
        if not names:
            return
        self._threads = [
            Webhook(section, key, file.name, file.database, self._room.now)
            for section, key in zip(file.webhooks, self._keys, strict=True)
        ]
        try:
            for thread in self._threads:
                thread.start()
            while True:
                await self._look(names)
                await asyncio.sleep(LOOK_SECONDS)
        finally:
            for thread in self._threads:
                thread.end()
            with self._lock:
                self._let_go()

    async def _look(self, names: Sequence[str]) -> None:
        try:
            self._stood = await asyncio.to_thread(self._within, lambda database: standings(database, names))
        except OSError:
            why = "the room's database does not answer"
        else:
            why = ""
        here = {thread.name: thread.failing for thread in self._threads}
        for section in self._room.file.webhooks:
            stands = self._stood.get(section.name, WebhookStanding(section.name))
            self._room.hub.put(
                TOPIC, section.name,
                {
                    **stands.to_json(), "failing": why or here.get(f"webhook {section.name}", "") or stands.failing,
                    "alarm": stands.wants_somebody,
                    "host": urlsplit(section.url).hostname, "events": sorted(section.events),
                },
            )  # fmt: skip

    def _within(self, do: Callable[[psycopg.Connection[TupleRow]], T]) -> T:
        """Do something in the room's database, opened anew after it was lost; raises `ConnectionError`."""
        with self._lock:
            try:
                if self._database is None:
                    self._database = connected(self._room.file.database)
                return do(self._database)
            except psycopg.Error as why:
                self._let_go()
                raise ConnectionError(f"the room's database does not answer ({type(why).__name__})") from why

    def _let_go(self) -> None:
        if self._database is not None:
            self._database.close()
        self._database = None
