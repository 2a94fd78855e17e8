"""The room's webhooks: a thread for each, and a page that says how each stands and has it told again."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from controller.runtime.staff.admission import RefusalCode
from controller.web.access.authenticator import get_principal
from controller.web.http.responses import MAX_BODY_BYTES, is_json, make_not_json_refusal, make_refusal, read_json
from controller.web.wording.page_translation import make_page_response
from room.record.postgres_record import ReconnectingDatabase
from room.record.webhook_outbox import WebhookStatus, delete_other_webhooks, read_statuses, retry_webhook
from room.server import STATIC_FOLDER
from room.server.record_sender import RecordSender
from room.server.room_context import PassivePage, RoomContext

FEED = "webhooks"
PAGE_FILE = STATIC_FOLDER / "webhooks.html"
POLL_INTERVAL_S = 1.0

log = logging.getLogger(__name__)


class WebhooksPage(PassivePage):
    """Makes the routes, and has each webhook told; raises `ConfigError` where a secret file cannot be used."""

    def __init__(self, room: RoomContext) -> None:
        self._room = room
        self._keys = [room.file.read_webhook_key(section) for section in room.file.webhooks]
        self._senders: Sequence[RecordSender] = ()
        self._status_by_name: Mapping[str, WebhookStatus] = {}
        self._database = ReconnectingDatabase(room.file.conninfo)

    def make_routes(self) -> Sequence[BaseRoute]:
        """Make them."""
        return [
            Route("/webhooks", self.get_page, methods=["GET"]),
            Route("/webhooks/events", self.stream_feed, methods=["GET"]),
            Route("/webhooks/again", self.retry_webhook, methods=["POST"], max_body_size=MAX_BODY_BYTES),
        ]

    async def get_page(self, request: Request) -> Response:
        """Answer with the page, which is empty."""
        return make_page_response(request, PAGE_FILE)

    async def stream_feed(self, request: Request) -> Response:
        """Answer with how each webhook stands, as it changes."""
        return self._room.hub.make_stream_response(request, FEED)

    async def retry_webhook(self, request: Request) -> Response:
        """Have told what a webhook was not told, as far as it can be, and see what was given up as known."""
        if not is_json(request):
            return make_not_json_refusal()
        names = [section.name for section in self._room.file.webhooks]
        match await read_json(request):
            case {"name": str(name), **rest} if not rest and name in names:
                pass
            case _:
                return make_refusal(RefusalCode.NOT_UNDERSTOOD, 'Want {"name": …}, a webhook of the room\'s file.')
        try:
            done = await asyncio.to_thread(self._database.run, lambda database: retry_webhook(database, name))
        except OSError:
            return make_refusal(
                RefusalCode.RECORD_UNREADABLE, "The room's database does not answer; nothing was entered."
            )
        if not done:
            return make_refusal(RefusalCode.NOT_NOW, "This webhook has not begun yet; try again.")
        log.info("webhook %s is told again, by %s", name, get_principal(request).name)
        for thread in self._senders:
            thread.wake()
        return Response(status_code=204)

    async def run(self) -> None:
        """Have them told, and show how they stand, until cancelled; one that is no more in the file is forgotten."""
        file = self._room.file
        if not file.conninfo:
            return
        names = [section.name for section in file.webhooks]
        try:
            await asyncio.to_thread(self._database.run, lambda database: delete_other_webhooks(database, names))
        except OSError as why:
            log.warning("webhooks that are no more in the file are kept until the next start: %s", why)
        if not names:
            return
        self._senders = [
            RecordSender(section, key, file.name, file.conninfo, self._room.wall_clock)
            for section, key in zip(file.webhooks, self._keys, strict=True)
        ]
        try:
            for thread in self._senders:
                thread.start()
            while True:
                await self._show_statuses(names)
                await asyncio.sleep(POLL_INTERVAL_S)
        finally:
            for thread in self._senders:
                thread.stop()
            self._database.close()

    async def _show_statuses(self, names: Sequence[str]) -> None:
        try:
            self._status_by_name = await asyncio.to_thread(
                self._database.run, lambda database: read_statuses(database, names)
            )
        except OSError:
            why = "the room's database does not answer"
        else:
            why = ""
        here = {thread.name: thread.failure for thread in self._senders}
        for section in self._room.file.webhooks:
            stands = self._status_by_name.get(section.name, WebhookStatus(section.name))
            self._room.hub.put(
                FEED, section.name,
                {
                    **stands.to_json(), "failing": why or here.get(f"webhook {section.name}", "") or stands.failure,
                    "alarm": stands.needs_attention,
                    "host": urlsplit(section.url).hostname, "events": sorted(section.events),
                },
            )  # fmt: skip
