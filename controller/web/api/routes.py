"""The operations of the API: the table and its events, the record, the error catalogue, and the few acts of a token.

A token signs nothing. At a live table every entry is signed with the key of the person who makes it, so that there a
token calls the floor and tries the lamps, and enters nothing; at a simulated table it may enter lines.
"""

import json
from collections.abc import AsyncIterator, Callable

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from config.folders import Library
from config.language_file import Language
from controller.client.shapes import (
    Call,
    Entry,
    ErrorEntry,
    Hands,
    HandSteps,
    Health,
    Inventory,
    Light,
    Table,
    Walk,
)
from controller.runtime.journal.hand_index import KEYS
from controller.runtime.staff.admission import Code
from controller.runtime.staff.authority import STAFF, STAFF_TOKENS, TokenRole
from controller.web.access.door import Door, Who, who
from controller.web.access.guard import API
from controller.web.api import room_asks
from controller.web.api.operations import BASE, VERSION, Operation
from controller.web.api.redaction import table_for
from controller.web.languages import language_of
from controller.web.pages.answers import EventStream, is_json, json_of, refusal, send_json, too_much
from controller.web.pages.hands_page import Hands as Record
from controller.web.pages.hands_page import HandsPage
from controller.web.pages.technician_page import Bench
from controller.web.serving.desk import Desk
from controller.web.serving.errors import catalogue
from controller.web.serving.hub import Hub

MOST_LISTENERS = 16
"""Streams of the API at one time. Each holds a connection, and at most what the hub keeps for who falls behind."""

LATER = "The table is not up yet; ask again in a moment."


class Api:
    """The operations of one page's table; what it is not given it has no operations of."""

    def __init__(
        self,
        hub: Hub,
        door: Door,
        *,
        simulated: bool,
        desk: Desk | None = None,
        hands: Record | None = None,
        bench: Bench | None = None,
        call_floor: Callable[[bool, str], object] | None = None,
        library: Library | None = None,
        room: room_asks.Take | None = None,
        inventory: Callable[[], Inventory] | None = None,
    ) -> None:
        self._hub = hub
        self._door = door
        self._simulated = simulated
        self._desk = desk
        self._bench = bench
        self._call_floor = call_floor
        self._library = library
        self._room = room
        self._inventory = inventory
        self._record = None if hands is None else HandsPage(hands)
        self._listening = 0
        self._told: dict[tuple[bool, str], tuple[int, str]] = {}
        self._document: str | None = None

    def routes(self) -> list[Route]:
        """Make a route of every operation."""
        return [operation.route() for operation in self.operations()]

    def operations(self) -> list[Operation]:
        """List them as the OpenAPI document does."""
        found = [
            Operation(
                "health", "GET", f"{BASE}/health", self.health,
                "Whether the table answers, for whoever watches over it", Health, refuses=(503,),
            ),
            Operation("openapi", "GET", f"{BASE}/openapi.json", self.openapi, "This document", {"type": "object"}),
            Operation(
                "script_schema", "GET", f"{BASE}/script.schema.json", self.script_schema,
                "The lines of the table script as a JSON Schema (draft 2020-12)", {"type": "object"},
                media="application/schema+json",
            ),
            Operation(
                "table", "GET", f"{BASE}/table", self.table, "The table as a spectator sees it, whole", Table,
                refuses=(503,),
            ),
            Operation(
                "events", "GET", f"{BASE}/events", self.events,
                "The table whenever it changes, as server-sent events: each `data` a whole Table, `id` its number",
                EVENT, refuses=(429,), media="text/event-stream",
                headers={"Last-Event-ID": "the `id` of the event that was seen last: goes on after it"},
            ),
            Operation(
                "errors", "GET", f"{BASE}/errors", self.errors, "Every code, what it means, and what each person does",
                list[ErrorEntry],
            ),
        ]  # fmt: skip
        if self._inventory is not None:
            found.append(
                Operation(
                    "inventory", "GET", f"{BASE}/inventory", self.inventory,
                    "What runs here: versions, hashes, and what came of the last update", Inventory,
                )
            )  # fmt: skip
        if self._record is not None:
            found += [
                Operation(
                    "listed", "GET", f"{BASE}/hands", self._record.listed,
                    "Look for hands in the record, the newest first", Hands, refuses=(400,),
                    query={
                        **{key: LOOKED_FOR[key] for key in KEYS},
                        "before": "go on from here: the `further` of the last look",
                    },
                ),
                Operation(
                    "steps", "GET", f"{BASE}/hands/{{session:int}}/{{hand:int}}", self._record.steps,
                    "One hand, entry by entry; a long session takes seconds", HandSteps, refuses=(404, 429, 503),
                ),
            ]  # fmt: skip
        if self._call_floor is not None:
            found.append(
                Operation(
                    "call", "POST", f"{BASE}/call", self.call, "Call the floor to the table", takes=Call, status=204,
                    refuses=(400, 413, 415, 429),
                )
            )  # fmt: skip
        if self._bench is not None:
            found.append(
                Operation(
                    "lamps", "POST", f"{BASE}/lamps", self.lamps, "Try the lamps of a table that is out of service",
                    Walk, Light, refuses=(400, 409, 413, 415),
                )
            )  # fmt: skip
        if self._desk is not None:
            found.append(
                Operation(
                    "entries", "POST", f"{BASE}/entries", self.entries,
                    "Enter a line of the table script at a simulated table", takes=Entry, status=202,
                    refuses=(400, 409, 413, 415, 429),
                )
            )  # fmt: skip
        return [*found, *room_asks.operations(self._room)]

    async def health(self, request: Request) -> Response:  # noqa: ARG002 - as Starlette calls it
        """Answer whether the table is up."""
        standing = self._hub.standing
        if standing is None:
            told: Health = {"status": "starting", "api": VERSION, "mode": None, "entry": None}
            return JSONResponse(told, status_code=503)
        halted = standing.output.get("phase") == "halted"
        told = {
            "status": "halted" if halted else "ok", "api": VERSION, "mode": standing.mode, "entry": standing.entry
        }  # fmt: skip
        return JSONResponse(told)

    async def openapi(self, request: Request) -> Response:  # noqa: ARG002 - as above
        """Answer with the document, made when it is first wanted."""
        if self._document is None:
            from controller.web.api.openapi import document

            self._document = json.dumps(document(self.operations()), ensure_ascii=False)
        return Response(self._document, media_type="application/json")

    async def script_schema(self, request: Request) -> Response:  # noqa: ARG002 - as above
        """Answer with the schema of the table script."""
        from config.script_schema import script_schema

        schema = await run_in_threadpool(script_schema, self._library)
        return Response(json.dumps(schema, ensure_ascii=False), media_type="application/schema+json")

    async def table(self, request: Request) -> Response:
        """Answer with the newest standing of the table."""
        language = language_of(request)
        latest = self._hub.latest(language)
        if latest is None:
            return refusal(Code.NOT_NOW, LATER, status=503)
        return Response(self._worded(*latest, who(request), language), media_type="application/json")

    async def inventory(self, request: Request) -> Response:  # noqa: ARG002 - it is the same for all who may have it
        """Answer with what runs here."""
        assert self._inventory is not None
        return JSONResponse(await run_in_threadpool(self._inventory))

    async def events(self, request: Request) -> Response:
        """Answer with the table whenever it changes."""
        if self._listening >= MOST_LISTENERS:
            return refusal(Code.TOO_MUCH, f"{MOST_LISTENERS} listen already; end a stream first.", wait=1.0)
        seen = request.headers.get("last-event-id", "")
        after = int(seen) if seen.isascii() and seen.isdecimal() and len(seen) < 16 else -1
        self._listening += 1
        return EventStream(self._lines(after, who(request), language_of(request)), self._ended)

    def _ended(self) -> None:
        self._listening -= 1

    async def _lines(self, after: int, person: Who, language: Language) -> AsyncIterator[str]:
        yield "retry: 1000\n\n"
        latest = self._hub.latest(language)
        if after < 0 and latest is not None:
            after = latest[0] - 1
        async for publication in self._hub.stream(after, language):
            if not self._door.still_stands(person):
                return
            if publication is None:
                yield ": still here\n\n"
            else:
                yield f"id: {publication[0]}\ndata: {self._worded(*publication, person, language)}\n\n"

    def _worded(self, number: int, text: str, person: Who, language: Language) -> str:
        """A publication as this token is told it, made once for all that are told the same."""
        role = TokenRole.WATCH if person.token is None else person.token.role
        key = (role in STAFF_TOKENS, language.name)
        if self._told.get(key, (0, ""))[0] != number:
            told = table_for(json.loads(text), role)
            self._told[key] = (number, json.dumps(told, separators=(",", ":"), ensure_ascii=False))
        return self._told[key][1]

    async def errors(self, request: Request) -> Response:
        """Answer with the error catalogue, in the house's language."""
        say = language_of(request).text
        told: list[ErrorEntry] = [
            {
                "kind": entry.kind, "code": entry.code, "cause": say(entry.cause), "dealer": say(entry.dealer),
                "floor": say(entry.floor), "technician": say(entry.technician),
            }
            for entry in catalogue().values()
        ]  # fmt: skip
        return JSONResponse(told)

    async def call(self, request: Request) -> Response:
        """Call the floor; once it is called, calling again changes nothing and is not recorded."""
        if not is_json(request):
            return send_json()
        match await json_of(request):
            case {"wanted": True, **rest} if not rest and self._call_floor is not None:
                standing = self._hub.standing
                called = standing is not None and standing.floor_called
                if not called and self._call_floor(True, who(request).name or "") is False:
                    return too_much()
                return Response(status_code=204)
            case _:
                return refusal(Code.FORM, 'Want {"wanted": true}; that the floor has come a person says.')

    async def lamps(self, request: Request) -> Response:
        """Light one step of the walk of lamps."""
        if not is_json(request):
            return send_json()
        match await json_of(request):
            case {"step": int() | None as step, **rest} if (
                not rest and not isinstance(step, bool) and self._bench is not None
            ):
                try:
                    await run_in_threadpool(self._bench.light, step)
                except self._bench.refused as why:
                    return refusal(Code.NOT_NOW, f"{str(why)[:1].upper()}{str(why)[1:]}.")
                walk: Walk = {"step": step, "steps": len(self._bench.standing().get("walk", ()))}
                return JSONResponse(walk)
            case _:
                return refusal(Code.FORM, 'Want {"step": …}: a step of the walk from 0, or null for none.')

    async def entries(self, request: Request) -> Response:
        """Enter a line at a simulated table, with every role, as whoever stands there may."""
        if not self._simulated or self._desk is None:
            return refusal(
                Code.SIMULATED,
                "At a live table every entry is signed with the key of the person who makes it, on the page; a token "
                "calls the floor and tries the lamps.",
            )
        if not is_json(request):
            return send_json()
        answer = self._desk.take(await json_of(request), Who(who(request).name, STAFF))
        if answer.message is None:
            return Response(status_code=answer.status)
        return JSONResponse({"code": answer.code, "message": answer.message}, status_code=answer.status)


EVENT = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "data": {
            "type": "string",
            "contentMediaType": "application/json",
            "contentSchema": {"$ref": "#/components/schemas/Table"},
        },
    },
    "required": ["id", "data"],
}
"""One event of the stream."""

LOOKED_FOR = {
    "player": "part of a player's name",
    "dealer": "part of a dealer's name",
    "ruling": "part of a finding or clause",
    "since": "a moment in ISO 8601: began then or later",
    "until": "a moment in ISO 8601: began before",
}
"""What each of `hand_index.KEYS` looks for."""


async def no_such_route(request: Request, why: Exception) -> Response:
    """Answer a path that leads nowhere, or a method that it does not have; below the API as any refusal."""
    assert isinstance(why, HTTPException)
    if not request.url.path.startswith(API):
        return PlainTextResponse(why.detail, status_code=why.status_code, headers=why.headers)
    answer = refusal(
        Code.NO_ROUTE,
        f"There is no {request.method} of that path; {BASE}/openapi.json lists all.",
        status=why.status_code,
    )
    answer.headers.update(why.headers or {})
    return answer
