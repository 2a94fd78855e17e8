"""What the pages of one day of the house share: a stream a day, one topic, words of the desk, a look a second."""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from controller.runtime.staff.admission import Code
from controller.web.access.door import who
from controller.web.languages import page
from controller.web.pages.answers import LONGEST_BODY, is_json, json_of, refusal, send_json
from room.record.lines import Line
from room.server import STATIC
from room.server.day import Day
from room.server.room import Quiet, Room

S = TypeVar("S")

LOOK_SECONDS = 1.0

log = logging.getLogger(__name__)


class NotSo(Exception):
    """A word that does not fit the day as it stands; the message says why."""


class PageOfToday(Quiet, ABC, Generic[S]):
    """Makes the routes of `/NAME`, keeps the stream `STREAM:DAY`, and enters what the desk says into it."""

    name: ClassVar[str]
    """Of the page's path, of its file and of its topic."""
    stream: ClassVar[str]
    wanted: ClassVar[str]
    """What a word has, for who sends something else."""
    code: ClassVar[Code] = Code.NOT_NOW
    """Of a word that does not fit."""

    def __init__(self, room: Room, empty: S, fold: Callable[[S, Line], S]) -> None:
        self._room = room
        self._day: Day[S] = Day(room, self.stream, empty, fold)

    def routes(self) -> Sequence[BaseRoute]:
        """Make them."""
        return [
            Route(f"/{self.name}", self.page, methods=["GET"]),
            Route(f"/{self.name}/events", self.events, methods=["GET"]),
            Route(f"/{self.name}", self.say, methods=["POST"], max_body_size=LONGEST_BODY),
        ]

    async def page(self, request: Request) -> Response:
        """Answer with the page, which is empty."""
        return page(request, STATIC / f"{self.name}.html")

    async def events(self, request: Request) -> Response:
        """Answer with what everybody of the house may see of today, as it changes."""
        return self._room.hub.answer(request, self.name)

    async def say(self, request: Request) -> Response:
        """Take a word from the desk."""
        if not is_json(request):
            return send_json()
        word = self.word_of(await json_of(request))
        if word is None:
            return refusal(Code.FORM, self.wanted)
        try:
            await self.enter(word, who(request).name or "")
        except NotSo as why:
            return refusal(self.code, f"{str(why)[:1].upper()}{str(why)[1:]}.")
        except OSError:
            return refusal(Code.UNREADABLE, "The room's record cannot be written now; nothing was entered.")
        return Response(status_code=204)

    async def enter(self, word: Mapping[str, Any], by: str) -> None:
        """Enter a word into today's stream and show what comes of it. Raises `NotSo`, `OSError`."""

        def decide(state: S) -> Mapping[str, Any]:
            why = self.why_not(state, word)
            if why:
                raise NotSo(why)
            return word

        day = await self._day.today()
        try:
            await self._room.enter(day, by, decide)
        finally:
            self.show(day.state)

    async def turn(self) -> None:
        """Look every second."""
        while True:
            try:
                await self.look()
            except OSError as why:
                log.warning("what /%s shows cannot be kept: %s", self.name, why)
            await asyncio.sleep(LOOK_SECONDS)

    @abstractmethod
    def word_of(self, told: object) -> Mapping[str, Any] | None:
        """A word as the desk may say it; `None` for any other."""

    @abstractmethod
    def why_not(self, state: S, word: Mapping[str, Any]) -> str:
        """Why a word does not fit the day as it stands; empty where it does."""

    @abstractmethod
    async def look(self) -> None:
        """Take what tables have told, and show the day; raises `OSError`."""

    @abstractmethod
    def show(self, state: S) -> None:
        """Put the day on the screens."""
