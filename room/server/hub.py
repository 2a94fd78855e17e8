"""Carries what screens show to the screens. Used in the server's loop alone.

A topic (`floor`, `event:1`) is a set of keys with their newest value. Nothing queues up: a screen that falls behind, or
comes back, is told the newest value of each key that has changed since, so that memory is bounded by what there is to
show, however slow a screen is. Changes of one moment go in one event.
"""

import asyncio
import json
import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from controller.runtime.staff.admission import Code
from controller.web.access.door import Who, who
from controller.web.pages.answers import EventStream, refusal

MOST_KEYS = 4096
"""Keys of a topic; a further one is not shown, and the log says so."""

MOST_STREAMS = 200
"""Screens that look on at a time."""

GATHER_SECONDS = 0.04
"""How long what changes is gathered into one event, so that a hundred tables cost a screen 25 events a second."""

KEEP_ALIVE_SECONDS = 10.0

log = logging.getLogger(__name__)


class _Topic:
    def __init__(self) -> None:
        self.number = 0
        self.keys: dict[str, tuple[int, str]] = {}
        """Key -> number of its last change, and its value as JSON; the key that changed last stands last."""
        self.listeners: set[asyncio.Event] = set()


class Hub:
    """Everything that screens show; `is_signed_in`: whether the session in which a screen was opened goes on."""

    def __init__(self, is_signed_in: Callable[[Who], bool]) -> None:
        self._is_signed_in = is_signed_in
        self._run = secrets.token_hex(4)
        self._topics: dict[str, _Topic] = {}
        self._streams = 0
        self._closed = False

    def put(self, topic: str, key: str, value: Mapping[str, Any] | None) -> None:
        """Show a value; `None`: it is there no more. What says the same as before changes nothing."""
        here = self._topics.setdefault(topic, _Topic())
        text = json.dumps(value, separators=(",", ":"))  # in ASCII: half a sign that a table sends blanks no screen
        if here.keys.get(key, (0, "null"))[1] == text:
            return
        if here.keys.pop(key, None) is None and len(here.keys) >= MOST_KEYS and not self._forgotten(here):
            log.error("%s has %d things to show; %s is left out", topic, MOST_KEYS, key)
            return
        here.number += 1
        here.keys[key] = (here.number, text)
        for listener in here.listeners:
            listener.set()

    def shown(self, topic: str) -> dict[str, Any]:
        """All that a topic shows now."""
        here = self._topics.get(topic, _Topic())
        return {key: json.loads(text) for key, (_, text) in here.keys.items() if text != "null"}

    def close(self) -> None:
        """End every stream."""
        self._closed = True
        for topic in self._topics.values():
            for listener in topic.listeners:
                listener.set()

    def answer(self, request: Request, topic: str) -> Response:
        """Answer with a topic as server-sent events.

        Each is `{"whole": …, "now": …, "keys": {key: value}}`: `whole` has all there is, another what has changed;
        `null`: gone. `now`: Unix seconds of the server, by which a screen says how old something is. It ends with the
        session in which it was asked for: who has signed out or was withdrawn is told no more.
        """
        if self._streams >= MOST_STREAMS:
            return refusal(Code.TOO_MUCH, f"{MOST_STREAMS} screens look on already; try again.", wait=5.0)
        self._streams += 1
        return EventStream(self._lines(topic, request.headers.get("last-event-id", ""), who(request)), self._ended)

    def _ended(self) -> None:
        self._streams -= 1

    async def _lines(self, topic: str, seen: str, person: Who) -> AsyncIterator[str]:
        yield "retry: 1000\n\n"
        run, _, number = seen.partition("-")
        known = run == self._run and number.isascii() and number.isdecimal() and len(number) < 16
        async for at, text in self.stream(topic, int(number) if known else None):
            if person.session is not None and not self._is_signed_in(person):
                return
            yield f"id: {self._run}-{at}\ndata: {text}\n\n" if text else ": still here\n\n"

    async def stream(self, topic: str, after: int | None = None) -> AsyncIterator[tuple[int, str]]:
        """Yield all, or what has changed since number `after`, then what changes; an empty text while nothing does."""
        here = self._topics.setdefault(topic, _Topic())
        changed = asyncio.Event()
        here.listeners.add(changed)
        try:
            whole = after is None or after > here.number
            seen = 0 if whole else after or 0
            if whole or here.number > seen:
                number, text = here.number, _event(here, seen, whole=whole)
                yield number, text
                seen = number
            while not self._closed:
                try:
                    await asyncio.wait_for(changed.wait(), KEEP_ALIVE_SECONDS)
                except TimeoutError:
                    yield seen, ""
                    continue
                if not self._closed:
                    await asyncio.sleep(GATHER_SECONDS)
                changed.clear()
                if here.number > seen:
                    number, text = here.number, _event(here, seen, whole=False)
                    yield number, text
                    seen = number
        finally:
            here.listeners.discard(changed)

    @staticmethod
    def _forgotten(topic: _Topic) -> bool:
        """Make room by forgetting the key that went longest ago; a screen that has not heard of it keeps it."""
        gone = next((key for key, (_, text) in topic.keys.items() if text == "null"), None)
        if gone is not None:
            del topic.keys[gone]
        return gone is not None


def _event(topic: _Topic, after: int, *, whole: bool) -> str:
    found = []
    for key, (number, text) in reversed(topic.keys.items()):
        if number <= after:
            break
        if not (whole and text == "null"):
            found.append(f"{json.dumps(key)}:{text}")
    told = f'"whole":{"true" if whole else "false"},"now":{time.time():.3f}'
    return f'{{{told},"keys":{{{",".join(found)}}}}}'
