"""What the pages of one day of the house share: a stream a day, one topic, words of the desk, a look a second."""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from controller.runtime.staff.admission import RefusalCode
from controller.web.access.authenticator import get_principal
from controller.web.http.responses import MAX_BODY_BYTES, is_json, make_not_json_refusal, make_refusal, read_json
from controller.web.wording.page_translation import make_page_response
from room.record.room_record import RecordLine
from room.server import STATIC_FOLDER
from room.server.daily_stream import DailyStream
from room.server.room_context import PassivePage, RoomContext

S = TypeVar("S")

POLL_INTERVAL_S = 1.0

log = logging.getLogger(__name__)


class LineRefusedError(Exception):
    """A word that does not fit the day as it stands; the message says why."""


class DailyPage(PassivePage, ABC, Generic[S]):
    """Makes the routes of `/NAME`, keeps the stream `STREAM:DAY`, and enters what the desk says into it."""

    name: ClassVar[str]
    """Of the page's path, of its file and of its topic."""
    stream_name: ClassVar[str]
    format_hint: ClassVar[str]
    """What a word has, for who sends something else."""
    refusal_code: ClassVar[RefusalCode] = RefusalCode.NOT_NOW
    """Of a word that does not fit."""

    def __init__(self, room: RoomContext, empty: S, fold: Callable[[S, RecordLine], S]) -> None:
        self._room = room
        self._daily_stream: DailyStream[S] = DailyStream(room, self.stream_name, empty, fold)

    def make_routes(self) -> Sequence[BaseRoute]:
        """Make them."""
        return [
            Route(f"/{self.name}", self.get_page, methods=["GET"]),
            Route(f"/{self.name}/events", self.stream_feed, methods=["GET"]),
            Route(f"/{self.name}", self.post_line, methods=["POST"], max_body_size=MAX_BODY_BYTES),
        ]

    async def get_page(self, request: Request) -> Response:
        """Answer with the page, which is empty."""
        return make_page_response(request, STATIC_FOLDER / f"{self.name}.html")

    async def stream_feed(self, request: Request) -> Response:
        """Answer with what everybody of the house may see of today, as it changes."""
        return self._room.hub.make_stream_response(request, self.name)

    async def post_line(self, request: Request) -> Response:
        """Take a word from the desk."""
        if not is_json(request):
            return make_not_json_refusal()
        word = self.parse_line(await read_json(request))
        if word is None:
            return make_refusal(RefusalCode.NOT_UNDERSTOOD, self.format_hint)
        try:
            await self.enter_line(word, get_principal(request).name or "")
        except LineRefusedError as why:
            return make_refusal(self.refusal_code, f"{str(why)[:1].upper()}{str(why)[1:]}.")
        except OSError:
            return make_refusal(
                RefusalCode.RECORD_UNREADABLE, "The room's record cannot be written now; nothing was entered."
            )
        return Response(status_code=204)

    async def enter_line(self, word: Mapping[str, Any], by: str) -> None:
        """Enter a word into today's stream and show what comes of it. Raises `LineRefusedError`, `OSError`."""

        def decide(state: S) -> Mapping[str, Any]:
            why = self.find_refusal(state, word)
            if why:
                raise LineRefusedError(why)
            return word

        day = await self._daily_stream.read_today()
        try:
            await self._room.enter(day, by, decide)
        finally:
            self.show_state(day.state)

    async def run(self) -> None:
        """Look every second."""
        while True:
            try:
                await self.refresh()
            except OSError as why:
                log.warning("what /%s shows cannot be kept: %s", self.name, why)
            await asyncio.sleep(POLL_INTERVAL_S)

    @abstractmethod
    def parse_line(self, told: object) -> Mapping[str, Any] | None:
        """A word as the desk may say it; `None` for any other."""

    @abstractmethod
    def find_refusal(self, state: S, word: Mapping[str, Any]) -> str:
        """Why a word does not fit the day as it stands; empty where it does."""

    @abstractmethod
    async def refresh(self) -> None:
        """Take what tables have told, and show the day; raises `OSError`."""

    @abstractmethod
    def show_state(self, state: S) -> None:
        """Put the day on the screens."""
