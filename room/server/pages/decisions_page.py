"""Decisions at a table from the room's desk: signed by whoever is signed in, entered or refused by the table.

What may be decided the table says; the desk shows it, and a person chooses.
"""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from controller.room_contract.subjects import TABLE_NAME_PATTERN
from controller.room_contract.table_request import MessageFormatError, RequestKind, TableReply
from controller.runtime.staff.admission import RefusalCode
from controller.web.access.authenticator import get_principal
from controller.web.http.responses import MAX_BODY_BYTES, is_json, make_not_json_refusal, make_refusal, read_json
from room.server.request_client import send_signed_request, to_json_response
from room.server.room_context import PassivePage, RoomContext
from room.staff import signed_requests


class DecisionsPage(PassivePage):
    """Makes the routes."""

    def __init__(self, room: RoomContext) -> None:
        self._room = room

    def make_routes(self) -> Sequence[BaseRoute]:
        """Make them."""
        return [
            Route("/decide/{table}", self.get_offers, methods=["GET"]),
            Route("/decide", self.post_decision, methods=["POST"], max_body_size=4 * MAX_BODY_BYTES),
        ]

    async def get_offers(self, request: Request) -> Response:
        """Ask a table where it is and what it would take of the floor now; a table that may not be asked says so."""
        table = request.path_params["table"]
        if TABLE_NAME_PATTERN.fullmatch(table) is None:
            return make_refusal(RefusalCode.NO_ROUTE, "The room has no such table.")
        there = await self._room.tables.ask(table, RequestKind.POSITION, {})
        if not there.is_accepted:
            return to_json_response(there)
        try:
            standing = signed_requests.TablePosition.from_reply(there)
        except MessageFormatError as why:
            return to_json_response(TableReply(False, None, "not-understood", str(why)))
        return JSONResponse({"entry": standing.shown_entry, "offers": standing.offers})

    async def post_decision(self, request: Request) -> Response:
        """Enter a line of the table script at a table, or say something there."""
        if not is_json(request):
            return make_not_json_refusal()
        person = get_principal(request).person
        match await read_json(request):
            case {"table": str(table), "seen": int(seen), "line": {**said}, **rest} if self._is_valid_target(
                table, rest
            ):
                line = {str(key): value for key, value in said.items()}
                if person is None:
                    return make_refusal(RefusalCode.SIGN_IN_NEEDED, "Sign in first.")
                return to_json_response(
                    await send_signed_request(
                        self._room.tables,
                        table,
                        RequestKind.ENTER,
                        lambda at: signed_requests.sign_script_line(person, line, at),
                        seen,
                    )
                )
            case {"table": str(table), "say": str(text), **rest} if self._is_valid_target(table, rest):
                if person is None:
                    return make_refusal(RefusalCode.SIGN_IN_NEEDED, "Sign in first.")
                return to_json_response(
                    await send_signed_request(
                        self._room.tables,
                        table,
                        RequestKind.ANNOUNCE,
                        lambda at: signed_requests.sign_announcement(person, text, at),
                    )
                )
            case _:
                return make_refusal(
                    RefusalCode.NOT_UNDERSTOOD,
                    'Want {"table", "seen": number of the entry shown, "line"}, or {"table", "say"}.',
                )

    def _is_valid_target(self, table: str, rest: dict[object, object]) -> bool:
        return not rest and TABLE_NAME_PATTERN.fullmatch(table) is not None
