"""Decisions at a table from the room's desk: signed by whoever is signed in, entered or refused by the table."""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from controller.runtime.staff.admission import Code
from controller.web.access.door import who
from controller.web.pages.answers import LONGEST_BODY, is_json, json_of, refusal, send_json
from room.contract.request import Verb
from room.contract.subjects import NAME
from room.server.asking import ask, told
from room.server.room import Quiet, Room
from room.staff import asking


class Decisions(Quiet):
    """Makes the route."""

    def __init__(self, room: Room) -> None:
        self._room = room

    def routes(self) -> Sequence[BaseRoute]:
        """Make it."""
        return [Route("/decide", self.decide, methods=["POST"], max_body_size=4 * LONGEST_BODY)]

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
