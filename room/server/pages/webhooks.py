"""The room's webhooks: a thread for each, and whether it is told what the room enters."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict

import psycopg
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from room.record.in_postgres import connected
from room.record.outbox import forget
from room.server.room import Quiet, Room
from room.server.webhooks import Webhook

log = logging.getLogger(__name__)


class Webhooks(Quiet):
    """Makes the route, and has each webhook told; raises `ConfigError` where a secret file cannot be used."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._keys = [room.file.key(section) for section in room.file.webhooks]
        self._threads: Sequence[Webhook] = ()

    def routes(self) -> Sequence[BaseRoute]:
        """Make it."""
        return [Route("/webhooks", self.standings, methods=["GET"])]

    async def standings(self, request: Request) -> Response:  # noqa: ARG002 - the same for all who may have it
        """Answer with how each webhook stands."""
        return JSONResponse([asdict(thread.standing) for thread in self._threads])

    async def turn(self) -> None:
        """Have them told until cancelled; a webhook that is no more in the file is forgotten."""
        file = self._room.file
        if file.database:
            await asyncio.to_thread(self._forget)
        self._threads = [
            Webhook(section, key, file.name, file.database, self._room.now)
            for section, key in zip(file.webhooks, self._keys, strict=True)
        ]
        try:
            for thread in self._threads:
                thread.start()
            if self._threads:
                await asyncio.Event().wait()
        finally:
            for thread in self._threads:
                thread.end()

    def _forget(self) -> None:
        try:
            with closing(connected(self._room.file.database)) as connection:
                forget(connection, [section.name for section in self._room.file.webhooks])
        except (psycopg.Error, ConnectionError) as why:
            log.warning("webhooks that are no more in the file are kept until the next start: %s", type(why).__name__)
