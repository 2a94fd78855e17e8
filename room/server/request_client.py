"""Asks a table for something by the word of whoever is signed in: where it is first, then the thing itself."""

from collections.abc import Callable, Mapping
from typing import Any

from starlette.responses import JSONResponse

from controller.room_contract.table_request import MessageFormatError, RequestKind, TableReply
from room.server.room_context import TableGateway
from room.staff.signed_requests import RequestNotSentError, TablePosition

RequestSigner = Callable[[TablePosition], Mapping[str, Any]]
"""Signs what is asked for the place where the table is; raises `RequestNotSentError`."""


async def send_signed_request(
    tables: TableGateway, table: str, verb: RequestKind, sign: RequestSigner, seen: int | None = None
) -> TableReply:
    """Ask it; `seen`: the entry that the person saw, where they saw one: a table that has moved on is not asked."""
    there = await tables.ask(table, RequestKind.POSITION, {})
    if not there.is_accepted:
        return there
    try:
        standing = TablePosition.from_reply(there)
        if seen not in (None, standing.shown_entry):
            return TableReply(False, None, "moved-on", "The table has moved on since; look again.")
        return await tables.ask(table, verb, sign(standing))
    except (RequestNotSentError, MessageFormatError) as why:
        return TableReply(False, None, getattr(why, "code", "not-understood"), str(why))


def to_json_response(answer: TableReply) -> JSONResponse:
    """Tell a page what a table answered."""
    body = {"taken": answer.is_accepted, "entry": answer.entry_number, "code": answer.code, "message": answer.message}
    return JSONResponse(body, status_code=200 if answer.is_accepted else 409)
