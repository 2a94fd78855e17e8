"""The operations of the API: the table and its events, the record, the error catalogue, and the few acts of a token.

A token signs nothing. At a live table every entry is signed with the key of the person who makes it, so that there a
token calls the floor and tries the lamps, and enters nothing; at a simulated table it may enter lines.
"""

import json
from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from config.file_library import Library
from config.language_file import Language
from controller.client.api_types import Call, Entry, ErrorEntry, Hands, HandSteps, Health, Inventory, Light, Table, Walk
from controller.runtime.journal.hand_index import QUERY_KEYS
from controller.runtime.staff.admission import RefusalCode
from controller.runtime.staff.permissions import STAFF_ROLES, STAFF_TOKENS, TokenRole
from controller.web.access.authenticator import Authenticator, Principal, get_principal
from controller.web.api import room_operations
from controller.web.api.operations import API_BASE_PATH, API_VERSION, Operation
from controller.web.api.page_state_redaction import redact_page_state
from controller.web.entries.entry_endpoint import EntryEndpoint
from controller.web.http.host_check import API_PATH_PREFIX
from controller.web.http.responses import (
    EventStreamResponse,
    is_json,
    make_not_json_refusal,
    make_overload_refusal,
    make_refusal,
    read_json,
)
from controller.web.pages.hands_page import HandRecords as Record
from controller.web.pages.hands_page import HandsPage
from controller.web.pages.technician_page import WorkshopControls
from controller.web.publishing.page_state_hub import PageStateHub
from controller.web.wording.error_catalogue import load_catalogue
from controller.web.wording.page_translation import choose_language

MAX_EVENT_STREAMS = 16
"""Streams of the API at one time. Each holds a connection, and at most what the hub keeps for who falls behind."""

NOT_READY_MESSAGE = "The table is not up yet; ask again in a moment."


class ApiRoutes:
    """The operations of one page's table; what it is not given it has no operations of."""

    def __init__(
        self,
        hub: PageStateHub,
        door: Authenticator,
        *,
        simulated: bool,
        desk: EntryEndpoint | None = None,
        hands: Record | None = None,
        bench: WorkshopControls | None = None,
        call_floor: Callable[[bool, str], object] | None = None,
        library: Library | None = None,
        room: room_operations.RoomRequestHandler | None = None,
        inventory: Callable[[], Inventory] | None = None,
    ) -> None:
        self._hub = hub
        self._authenticator = door
        self._is_simulated = simulated
        self._entry_endpoint = desk
        self._workshop = bench
        self._call_floor = call_floor
        self._library = library
        self._handle_room_request = room
        self._make_inventory = inventory
        self._hands_page = None if hands is None else HandsPage(hands)
        self._stream_count = 0
        self._rendered_by_audience: dict[tuple[bool, str], tuple[int, str]] = {}
        self._openapi_document: str | None = None

    def make_routes(self) -> list[Route]:
        """Make a route of every operation."""
        return [operation.make_route() for operation in self.make_operations()]

    def make_operations(self) -> list[Operation]:
        """List them as the OpenAPI document does."""
        found = [
            Operation(
                "health", "GET", f"{API_BASE_PATH}/health", self.get_health,
                "Whether the table answers, for whoever watches over it", Health, refusal_statuses=(503,),
            ),
            Operation("openapi", "GET", f"{API_BASE_PATH}/openapi.json", self.get_openapi_document, "This document",
            {"type": "object"}),
            Operation(
                "script_schema", "GET", f"{API_BASE_PATH}/script.schema.json", self.get_script_schema,
                "The lines of the table script as a JSON Schema (draft 2020-12)", {"type": "object"},
                media_type="application/schema+json",
            ),
            Operation(
                "table", "GET", f"{API_BASE_PATH}/table", self.get_table, "The table as a spectator sees it, "
                    "whole", Table,
                refusal_statuses=(503,),
            ),
            Operation(
                "events", "GET", f"{API_BASE_PATH}/events", self.stream_events,
                "The table whenever it changes, as server-sent events: each `data` a whole Table, `id` its number",
                EVENT_SCHEMA, refusal_statuses=(429,), media_type="text/event-stream",
                description_by_header={"Last-Event-ID": "the `id` of the event that was seen last: goes on after it"},
            ),
            Operation(
                "errors", "GET", f"{API_BASE_PATH}/errors", self.list_errors, "Every code, what it means, and what "
                    "each person does",
                list[ErrorEntry],
            ),
        ]  # fmt: skip
        if self._make_inventory is not None:
            found.append(
                Operation(
                    "inventory", "GET", f"{API_BASE_PATH}/inventory", self.get_inventory,
                    "What runs here: versions, hashes, and what came of the last update", Inventory,
                )
            )  # fmt: skip
        if self._hands_page is not None:
            found += [
                Operation(
                    "listed", "GET", f"{API_BASE_PATH}/hands", self._hands_page.list_hands,
                    "Look for hands in the record, the newest first", Hands, refusal_statuses=(400,),
                    description_by_query_parameter={
                        **{key: DESCRIPTION_BY_SEARCH_KEY[key] for key in QUERY_KEYS},
                        "before": "go on from here: the `further` of the last look",
                    },
                ),
                Operation(
                    "steps", "GET", f"{API_BASE_PATH}/hands/{{session:int}}/{{hand:int}}", self._hands_page.get_steps,
                    "One hand, entry by entry; a long session takes seconds", HandSteps, refusal_statuses=(404, 429,
                    503),
                ),
            ]  # fmt: skip
        if self._call_floor is not None:
            found.append(
                Operation(
                    "call", "POST", f"{API_BASE_PATH}/call", self.call_floor, "Call the floor to the table",
                    request_type=Call, success_status=204,
                    refusal_statuses=(400, 413, 415, 429),
                )
            )  # fmt: skip
        if self._workshop is not None:
            found.append(
                Operation(
                    "lamps", "POST", f"{API_BASE_PATH}/lamps", self.light_lamps, "Try the lamps of a table that is "
                        "out of service",
                    Walk, Light, refusal_statuses=(400, 409, 413, 415),
                )
            )  # fmt: skip
        if self._entry_endpoint is not None:
            found.append(
                Operation(
                    "entries", "POST", f"{API_BASE_PATH}/entries", self.enter_line,
                    "Enter a line of the table script at a simulated table", request_type=Entry, success_status=202,
                    refusal_statuses=(400, 409, 413, 415, 429),
                )
            )  # fmt: skip
        return [*found, *room_operations.make_room_operations(self._handle_room_request)]

    async def get_health(self, request: Request) -> Response:  # noqa: ARG002 - as Starlette calls it
        """Answer whether the table is up."""
        standing = self._hub.table_view
        if standing is None:
            told: Health = {"status": "starting", "api": API_VERSION, "mode": None, "entry": None}
            return JSONResponse(told, status_code=503)
        halted = standing.output_line.get("phase") == "halted"
        told = {
            "status": "halted" if halted else "ok", "api": API_VERSION, "mode": standing.mode, "entry": standing.entry
        }  # fmt: skip
        return JSONResponse(told)

    async def get_openapi_document(self, request: Request) -> Response:  # noqa: ARG002 - as above
        """Answer with the document, made when it is first wanted."""
        if self._openapi_document is None:
            from controller.web.api.openapi import build_openapi_document

            self._openapi_document = json.dumps(build_openapi_document(self.make_operations()), ensure_ascii=False)
        return Response(self._openapi_document, media_type="application/json")

    async def get_script_schema(self, request: Request) -> Response:  # noqa: ARG002 - as above
        """Answer with the schema of the table script."""
        from config.script_schema import build_script_schema

        schema = await run_in_threadpool(build_script_schema, self._library)
        return Response(json.dumps(schema, ensure_ascii=False), media_type="application/schema+json")

    async def get_table(self, request: Request) -> Response:
        """Answer with the newest standing of the table."""
        language = choose_language(request)
        latest = self._hub.get_latest(language)
        if latest is None:
            return make_refusal(RefusalCode.NOT_NOW, NOT_READY_MESSAGE, status=503)
        return Response(self._render_redacted(*latest, get_principal(request), language), media_type="application/json")

    async def get_inventory(self, request: Request) -> Response:  # noqa: ARG002 - it is the same for all who may have it
        """Answer with what runs here."""
        assert self._make_inventory is not None
        return JSONResponse(await run_in_threadpool(self._make_inventory))

    async def stream_events(self, request: Request) -> Response:
        """Answer with the table whenever it changes."""
        if self._stream_count >= MAX_EVENT_STREAMS:
            return make_refusal(
                RefusalCode.TOO_MUCH, f"{MAX_EVENT_STREAMS} listen already; end a stream first.", wait=1.0
            )
        self._stream_count += 1
        person, language = get_principal(request), choose_language(request)
        lines = self._hub.iter_event_lines(
            request.headers.get("last-event-id", ""), language,
            is_allowed=lambda: self._authenticator.is_token_valid(person),
            render=lambda number, text: self._render_redacted(number, text, person, language),
        )  # fmt: skip
        return EventStreamResponse(lines, self._on_stream_ended)

    def _on_stream_ended(self) -> None:
        self._stream_count -= 1

    def _render_redacted(self, number: int, text: str, person: Principal, language: Language) -> str:
        """A publication as this token is told it, made once for all that are told the same."""
        role = TokenRole.WATCH if person.token is None else person.token.role
        key = (role in STAFF_TOKENS, language.name)
        if self._rendered_by_audience.get(key, (0, ""))[0] != number:
            told = redact_page_state(json.loads(text), role)
            self._rendered_by_audience[key] = (number, json.dumps(told, separators=(",", ":"), ensure_ascii=False))
        return self._rendered_by_audience[key][1]

    async def list_errors(self, request: Request) -> Response:
        """Answer with the error catalogue, in the house's language."""
        say = choose_language(request).translate
        told: list[ErrorEntry] = [
            {
                "kind": entry.kind, "code": entry.code, "cause": say(entry.cause), "dealer": say(entry.dealer_advice),
                "floor": say(entry.floor_advice), "technician": say(entry.technician_advice),
            }
            for entry in load_catalogue().values()
        ]  # fmt: skip
        return JSONResponse(told)

    async def call_floor(self, request: Request) -> Response:
        """Call the floor; once it is called, calling again changes nothing and is not recorded."""
        if not is_json(request):
            return make_not_json_refusal()
        match await read_json(request):
            case {"wanted": True, **rest} if not rest and self._call_floor is not None:
                standing = self._hub.table_view
                called = standing is not None and standing.floor_called
                if not called and self._call_floor(True, get_principal(request).name or "") is False:
                    return make_overload_refusal()
                return Response(status_code=204)
            case _:
                return make_refusal(
                    RefusalCode.NOT_UNDERSTOOD, 'Want {"wanted": true}; that the floor has come a person says.'
                )

    async def light_lamps(self, request: Request) -> Response:
        """Light one step of the walk of lamps."""
        if not is_json(request):
            return make_not_json_refusal()
        match await read_json(request):
            case {"step": int() | None as step, **rest} if (
                not rest and not isinstance(step, bool) and self._workshop is not None
            ):
                try:
                    await run_in_threadpool(self._workshop.light, step)
                except self._workshop.error_type as why:
                    return make_refusal(RefusalCode.NOT_NOW, f"{str(why)[:1].upper()}{str(why)[1:]}.")
                walk: Walk = {"step": step, "steps": len(self._workshop.describe().get("walk", ()))}
                return JSONResponse(walk)
            case _:
                return make_refusal(
                    RefusalCode.NOT_UNDERSTOOD, 'Want {"step": …}: a step of the walk from 0, or null for none.'
                )

    async def enter_line(self, request: Request) -> Response:
        """Enter a line at a simulated table, with every role, as whoever stands there may."""
        if not self._is_simulated or self._entry_endpoint is None:
            return make_refusal(
                RefusalCode.SIMULATED_ONLY,
                "At a live table every entry is signed with the key of the person who makes it, on the page; a token "
                "calls the floor and tries the lamps.",
            )
        if not is_json(request):
            return make_not_json_refusal()
        answer = self._entry_endpoint.submit(
            await read_json(request), Principal(get_principal(request).name, STAFF_ROLES)
        )
        if answer.message is None:
            return Response(status_code=answer.status)
        return JSONResponse({"code": answer.code, "message": answer.message}, status_code=answer.status)


EVENT_SCHEMA = {
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

DESCRIPTION_BY_SEARCH_KEY = {
    "player": "part of a player's name",
    "dealer": "part of a dealer's name",
    "ruling": "part of a finding or clause",
    "since": "a moment in ISO 8601: began then or later",
    "until": "a moment in ISO 8601: began before",
}
"""What each of `hand_index.KEYS` looks for."""


async def handle_unknown_route(request: Request, why: Exception) -> Response:
    """Answer a path that leads nowhere, or a method that it does not have; below the API as any refusal."""
    assert isinstance(why, HTTPException)
    if not request.url.path.startswith(API_PATH_PREFIX):
        return PlainTextResponse(why.detail, status_code=why.status_code, headers=why.headers)
    answer = make_refusal(
        RefusalCode.NO_ROUTE,
        f"There is no {request.method} of that path; {API_BASE_PATH}/openapi.json lists all.",
        status=why.status_code,
    )
    answer.headers.update(why.headers or {})
    return answer
