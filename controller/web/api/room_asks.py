"""The operations by which an uplink hands in what a room of many tables asks; each answers in the room's own words."""

from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from controller.client.shapes import RoomAnswer, RoomEntry, RoomFetch, RoomRelease, RoomStaff, RoomText, RoomWord
from controller.runtime.staff.admission import Code
from controller.runtime.staff.room_list import LONGEST
from controller.web.api.operations import BASE, Endpoint, Operation
from controller.web.pages.answers import LONGEST_BODY, is_json, json_of, send_json
from controller.web.serving.room_desk import OFF, Answer

Take = Callable[[str, object], Answer]
"""Does what a verb asks, with its body (`RoomDesk.take`)."""

LONGEST_FILE = 128 * 1024
"""Bytes of a table's file on the wire."""

ABOUT = {
    "standing": ("Where the table is in its journal: what is signed for it", None, LONGEST_BODY),
    "enter": ("Enter a line of the table script, signed by a person of the room", RoomEntry, 16 * LONGEST_BODY),
    "staff": ("Take the room's list of staff, signed by the room", RoomStaff, LONGEST),
    "fetch": ("Let a release come to this machine: whether it may, the table says", RoomFetch, LONGEST_BODY),
    "release": ("Have a fetched release installed, or go back by one", RoomRelease, LONGEST_BODY),
    "file": ("The table's file as it stands, for a technician of the room", RoomWord, LONGEST_BODY),
    "set-up": ("Have a table's file checked and put in its place", RoomText, LONGEST_FILE),
    "announce": ("Tell whoever is at the table something", RoomText, 2 * LONGEST_BODY),
}


def operations(take: Take | None) -> list[Operation]:
    """Make an operation of each verb; `take` is `None` where the table belongs to no room."""
    return [
        Operation(
            f"room{verb.title().replace('-', '')}", "POST", f"{BASE}/room/{verb}", _endpoint(verb, take), summary,
            RoomAnswer, takes=takes, refuses=(400, 409, 413, 415), longest=longest,
        )
        for verb, (summary, takes, longest) in ABOUT.items()
    ]  # fmt: skip


def _endpoint(verb: str, take: Take | None) -> Endpoint:
    async def asked(request: Request) -> Response:
        if not is_json(request):
            return send_json()
        body = await json_of(request)
        answer = Answer.no(Code.NO_ROOM, OFF) if take is None else await run_in_threadpool(take, verb, body)
        told = {"taken": answer.taken, "entry": answer.entry, "code": answer.code, "message": answer.message}
        status = 200 if answer.taken else 400 if answer.code == Code.FORM.value else 409
        return JSONResponse(told | ({"told": dict(answer.told)} if answer.told else {}), status_code=status)

    return asked
