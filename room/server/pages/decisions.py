"""Decisions at a table from the room's desk: signed by whoever is signed in, entered or refused by the table.

What may be decided the table says; the desk shows it, and a person chooses.
"""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from controller.runtime.staff.admission import Code
from controller.web.access.door import who
from controller.web.pages.answers import LONGEST_BODY, is_json, json_of, refusal, send_json
from room.contract.request import Answer, BadRequest, Verb
from room.contract.subjects import NAME
from room.server.asking import ask, told
from room.server.room import Quiet, Room
from room.staff import asking


class Decisions(Quiet):
    """Makes the routes."""

    def __init__(self, room: Room) -> None:
        self._room = room

    def routes(self) -> Sequence[BaseRoute]:
        """Make them."""
        return [
            Route("/decide/{table}", self.offered, methods=["GET"]),
            Route("/decide", self.decide, methods=["POST"], max_body_size=4 * LONGEST_BODY),
        ]

    async def offered(self, request: Request) -> Response:
        """Ask a table where it is and what it would take of the floor now; a table that may not be asked says so."""
        table = request.path_params["table"]
        if NAME.fullmatch(table) is None:
            return refusal(Code.NO_ROUTE, "The room has no such table.")
        there = await self._room.tables.ask(table, Verb.STANDING, {})
        if not there.taken:
            return told(there)
        try:
            standing = asking.Standing.of(there)
        except BadRequest as why:
            return told(Answer(False, None, "not-understood", str(why)))
        return JSONResponse({"entry": standing.entry, "offers": standing.offers})

    async def decide(self, request: Request) -> Response:
        """Enter a line of the table script at a table, or say something there."""
        if not is_json(request):
            return send_json()
        person = who(request).person
        match await json_of(request):
            case {"table": str(table), "seen": int(seen), "line": {**said}, **rest} if self._fits(table, rest):
                line = {str(key): value for key, value in said.items()}
                if person is None:
                    return refusal(Code.SIGN_IN, "Sign in first.")
                return told(
                    await ask(self._room.tables, table, Verb.ENTER, lambda at: asking.entry(person, line, at), seen)
                )
            case {"table": str(table), "say": str(text), **rest} if self._fits(table, rest):
                if person is None:
                    return refusal(Code.SIGN_IN, "Sign in first.")
                return told(
                    await ask(self._room.tables, table, Verb.ANNOUNCE, lambda at: asking.announcement(person, text, at))
                )
            case _:
                return refusal(
                    Code.FORM, 'Want {"table", "seen": number of the entry shown, "line"}, or {"table", "say"}.'
                )

    def _fits(self, table: str, rest: dict[object, object]) -> bool:
        return not rest and NAME.fullmatch(table) is not None
