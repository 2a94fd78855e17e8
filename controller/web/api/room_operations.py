"""The operations by which an uplink hands in what a room of many tables asks; each answers in the room's own words."""

from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from controller.client.api_types import RoomAnswer, RoomEntry, RoomFetch, RoomRelease, RoomStaff, RoomText, RoomWord
from controller.runtime.staff.admission import RefusalCode
from controller.runtime.staff.room_staff_list import MAX_LIST_BYTES
from controller.web.api.operations import API_BASE_PATH, Endpoint, Operation
from controller.web.entries.room_endpoint import REQUESTS_OFF_MESSAGE, RoomResponse
from controller.web.http.responses import MAX_BODY_BYTES, is_json, make_not_json_refusal, read_json

RoomRequestHandler = Callable[[str, object], RoomResponse]
"""Does what a verb asks, with its body (`RoomEndpoint.handle_request`)."""

MAX_TABLE_FILE_BYTES = 128 * 1024
"""Bytes of a table's file on the wire."""

OPERATION_BY_VERB = {
    "standing": ("Where the table is in its journal: what is signed for it", None, MAX_BODY_BYTES),
    "enter": ("Enter a line of the table script, signed by a person of the room", RoomEntry, 16 * MAX_BODY_BYTES),
    "staff": ("Take the room's list of staff, signed by the room", RoomStaff, MAX_LIST_BYTES),
    "fetch": ("Let a release come to this machine: whether it may, the table says", RoomFetch, MAX_BODY_BYTES),
    "release": ("Have a fetched release installed, or go back by one", RoomRelease, MAX_BODY_BYTES),
    "file": ("The table's file as it stands, for a technician of the room", RoomWord, MAX_BODY_BYTES),
    "set-up": ("Have a table's file checked and put in its place", RoomText, MAX_TABLE_FILE_BYTES),
    "announce": ("Tell whoever is at the table something", RoomText, 2 * MAX_BODY_BYTES),
}


def make_room_operations(take: RoomRequestHandler | None) -> list[Operation]:
    """Make an operation of each verb; `take` is `None` where the table belongs to no room."""
    return [
        Operation(
            f"room{verb.title().replace('-', '')}", "POST", f"{API_BASE_PATH}/room/{verb}", _make_endpoint(verb, take),
            summary,
            RoomAnswer, request_type=takes, refusal_statuses=(400, 409, 413, 415), max_body_bytes=longest,
        )
        for verb, (summary, takes, longest) in OPERATION_BY_VERB.items()
    ]  # fmt: skip


def _make_endpoint(verb: str, take: RoomRequestHandler | None) -> Endpoint:
    async def handle_request(request: Request) -> Response:
        if not is_json(request):
            return make_not_json_refusal()
        body = await read_json(request)
        answer = (
            RoomResponse.make_refusal(RefusalCode.NO_ROOM_REQUESTS, REQUESTS_OFF_MESSAGE)
            if take is None
            else await run_in_threadpool(take, verb, body)
        )
        told = {"taken": answer.is_accepted, "entry": answer.entry, "code": answer.code, "message": answer.message}
        status = 200 if answer.is_accepted else 400 if answer.code == RefusalCode.NOT_UNDERSTOOD.value else 409
        return JSONResponse(told | ({"told": dict(answer.content)} if answer.content else {}), status_code=status)

    return handle_request
