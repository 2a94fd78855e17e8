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

from controller.runtime.staff.admission import RefusalCode
from controller.web.access.authenticator import Principal, get_principal
from controller.web.http.responses import EventStreamResponse, make_refusal

MAX_KEYS = 4096
"""Keys of a topic; a further one is not shown, and the log says so."""

MAX_STREAMS = 200
"""Screens that look on at a time."""

GATHER_DELAY_S = 0.04
"""How long what changes is gathered into one event, so that a hundred tables cost a screen 25 events a second."""

KEEP_ALIVE_INTERVAL_S = 10.0

log = logging.getLogger(__name__)


class _Feed:
    def __init__(self) -> None:
        self.last_number = 0
        self.change_by_key: dict[str, tuple[int, str]] = {}
        """Key -> number of its last change, and its value as JSON; the key that changed last stands last."""
        self.listeners: set[asyncio.Event] = set()


class FeedHub:
    """Everything that screens show; `is_signed_in`: whether the session in which a screen was opened goes on."""

    def __init__(self, is_signed_in: Callable[[Principal], bool]) -> None:
        self._is_signed_in = is_signed_in
        self._run_id = secrets.token_hex(4)
        self._feed_by_name: dict[str, _Feed] = {}
        self._stream_count = 0
        self._is_closed = False

    def put(self, topic: str, key: str, value: Mapping[str, Any] | None) -> None:
        """Show a value; `None`: it is there no more. What says the same as before changes nothing."""
        here = self._feed_by_name.setdefault(topic, _Feed())
        text = json.dumps(value, separators=(",", ":"))  # in ASCII: half a sign that a table sends blanks no screen
        if here.change_by_key.get(key, (0, "null"))[1] == text:
            return
        if (
            here.change_by_key.pop(key, None) is None
            and len(here.change_by_key) >= MAX_KEYS
            and not self._forget_removed_key(here)
        ):
            log.error("%s has %d things to show; %s is left out", topic, MAX_KEYS, key)
            return
        here.last_number += 1
        here.change_by_key[key] = (here.last_number, text)
        for listener in here.listeners:
            listener.set()

    def read_values(self, topic: str) -> dict[str, Any]:
        """All that a topic shows now."""
        here = self._feed_by_name.get(topic, _Feed())
        return {key: json.loads(text) for key, (_, text) in here.change_by_key.items() if text != "null"}

    def close(self) -> None:
        """End every stream."""
        self._is_closed = True
        for topic in self._feed_by_name.values():
            for listener in topic.listeners:
                listener.set()

    def make_stream_response(self, request: Request, topic: str) -> Response:
        """Answer with a topic as server-sent events.

        Each is `{"whole": …, "now": …, "keys": {key: value}}`: `whole` has all there is, another what has changed;
        `null`: gone. `now`: Unix seconds of the server, by which a screen says how old something is. It ends with the
        session in which it was asked for: who has signed out or was withdrawn is told no more.
        """
        if self._stream_count >= MAX_STREAMS:
            return make_refusal(RefusalCode.TOO_MUCH, f"{MAX_STREAMS} screens look on already; try again.", wait=5.0)
        self._stream_count += 1
        return EventStreamResponse(
            self._iter_sse_lines(topic, request.headers.get("last-event-id", ""), get_principal(request)),
            self._on_stream_ended,
        )

    def _on_stream_ended(self) -> None:
        self._stream_count -= 1

    async def _iter_sse_lines(self, topic: str, seen: str, person: Principal) -> AsyncIterator[str]:
        yield "retry: 1000\n\n"
        run, _, number = seen.partition("-")
        known = run == self._run_id and number.isascii() and number.isdecimal() and len(number) < 16
        async for at, text in self.iter_changes(topic, int(number) if known else None):
            if person.session is not None and not self._is_signed_in(person):
                return
            yield f"id: {self._run_id}-{at}\ndata: {text}\n\n" if text else ": still here\n\n"

    async def iter_changes(self, topic: str, after: int | None = None) -> AsyncIterator[tuple[int, str]]:
        """Yield all, or what has changed since number `after`, then what changes; an empty text while nothing does."""
        here = self._feed_by_name.setdefault(topic, _Feed())
        changed = asyncio.Event()
        here.listeners.add(changed)
        try:
            whole = after is None or after > here.last_number
            seen = 0 if whole else after or 0
            if whole or here.last_number > seen:
                number, text = here.last_number, _render_event(here, seen, whole=whole)
                yield number, text
                seen = number
            while not self._is_closed:
                try:
                    await asyncio.wait_for(changed.wait(), KEEP_ALIVE_INTERVAL_S)
                except TimeoutError:
                    yield seen, ""
                    continue
                if not self._is_closed:
                    await asyncio.sleep(GATHER_DELAY_S)
                changed.clear()
                if here.last_number > seen:
                    number, text = here.last_number, _render_event(here, seen, whole=False)
                    yield number, text
                    seen = number
        finally:
            here.listeners.discard(changed)

    @staticmethod
    def _forget_removed_key(topic: _Feed) -> bool:
        """Make room by forgetting the key that went longest ago; a screen that has not heard of it keeps it."""
        gone = next((key for key, (_, text) in topic.change_by_key.items() if text == "null"), None)
        if gone is not None:
            del topic.change_by_key[gone]
        return gone is not None


def _render_event(topic: _Feed, after: int, *, whole: bool) -> str:
    found = []
    for key, (number, text) in reversed(topic.change_by_key.items()):
        if number <= after:
            break
        if not (whole and text == "null"):
            found.append(f"{json.dumps(key)}:{text}")
    told = f'"whole":{"true" if whole else "false"},"now":{time.time():.3f}'
    return f'{{{told},"keys":{{{",".join(found)}}}}}'
