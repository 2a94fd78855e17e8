"""Answers of the page that are no page: JSON with a code of the catalogue, and what the request may carry."""

import json
from collections.abc import AsyncIterator, Callable, Mapping

from starlette.requests import Request
from starlette.responses import JSONResponse, StreamingResponse
from starlette.types import Receive, Scope, Send

from controller.runtime.staff.admission import Code, NotAdmitted

LONGEST_BODY = 1024
"""Bytes that a POST may carry."""

STATUS = {
    Code.SIGN_IN: 401,
    Code.TOKEN_NEEDED: 401,
    Code.TOKEN_WRONG: 401,
    Code.WAIT: 429,
    Code.BUSY: 429,
    Code.NAME_TAKEN: 409,
    Code.LAST: 409,
    Code.MOVED: 409,
    Code.UNKNOWN: 404,
    Code.PIN_UNFIT: 400,
    Code.NAME_UNFIT: 400,
    Code.FORM: 400,
    Code.RECORDS: 503,
    Code.NO_HAND: 404,
    Code.NO_ROUTE: 404,
    Code.NO_LESSON: 404,
    Code.UNREADABLE: 503,
    Code.NO_CLAUSE: 404,
    Code.NOT_NOW: 409,
    Code.NO_TEXT: 404,
    Code.TOO_MUCH: 429,
    Code.FAULT: 500,
}
"""Status of HTTP of each code; 403 where none is named."""


def refusal(code: Code, message: str, *, status: int | None = None, wait: float = 0.0) -> JSONResponse:
    """Say why a request is not taken."""
    headers = {"Retry-After": str(int(wait) + 1)} if wait else None
    content: dict[str, object] = {"code": code.value, "message": message}
    if wait:
        content["wait"] = round(wait, 1)
    return JSONResponse(content, status_code=status or STATUS.get(code, 403), headers=headers)


def not_admitted(why: NotAdmitted) -> JSONResponse:
    """Say why somebody was not let in."""
    return refusal(why.code, why.message, wait=why.wait)


def too_much() -> JSONResponse:
    """Answer what the table had no room for."""
    return refusal(Code.TOO_MUCH, "More is entered than the table can take; wait a moment.", wait=1.0)


async def json_of(request: Request) -> object:
    """Read the JSON that a request carries; `None` where it carries none, or what no text and no number can be."""
    try:
        found: object = json.loads(await request.body(), parse_constant=_no_number)
        json.dumps(found, ensure_ascii=False).encode()  # half a sign (a lone surrogate) can be neither kept nor said
    except (ValueError, RecursionError):
        return None
    return found


def _no_number(word: str) -> object:
    raise ValueError(word)


def is_json(request: Request) -> bool:
    """Whether the request says that it carries JSON, which no form of another site can say."""
    return request.headers.get("content-type", "").partition(";")[0].strip() == "application/json"


def send_json() -> JSONResponse:
    """Answer a request that does not carry JSON."""
    return refusal(Code.FORM, "Send JSON, with the header Content-Type: application/json.", status=415)


class EventStream(StreamingResponse):
    """Server-sent events; tells when it has ended, however it does."""

    def __init__(
        self, lines: AsyncIterator[str], ended: Callable[[], None], headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(lines, media_type="text/event-stream", headers=headers)
        self._ended = ended

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._ended()
