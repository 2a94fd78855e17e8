"""Answers of the page that are no page: JSON with a code of the catalogue, and what the request may carry."""

import json
from collections.abc import AsyncIterator, Callable, Mapping

from starlette.requests import Request
from starlette.responses import JSONResponse, StreamingResponse
from starlette.types import Receive, Scope, Send

from controller.runtime.staff.admission import AdmissionError, RefusalCode

MAX_BODY_BYTES = 1024
"""Bytes that a POST may carry."""

STATUS_BY_CODE = {
    RefusalCode.SIGN_IN_NEEDED: 401,
    RefusalCode.TOKEN_NEEDED: 401,
    RefusalCode.TOKEN_WRONG: 401,
    RefusalCode.WAIT: 429,
    RefusalCode.SIGN_IN_BUSY: 429,
    RefusalCode.NAME_TAKEN: 409,
    RefusalCode.LAST_WHO_ENROLS: 409,
    RefusalCode.MOVED_ON: 409,
    RefusalCode.UNKNOWN_PERSON: 404,
    RefusalCode.PIN_UNFIT: 400,
    RefusalCode.NAME_UNFIT: 400,
    RefusalCode.NOT_UNDERSTOOD: 400,
    RefusalCode.STAFF_FILE_UNUSABLE: 503,
    RefusalCode.STAFF_FILE_REPLACED: 503,
    RefusalCode.NO_HAND: 404,
    RefusalCode.NO_ROUTE: 404,
    RefusalCode.NO_LESSON: 404,
    RefusalCode.RECORD_UNREADABLE: 503,
    RefusalCode.NO_CLAUSE: 404,
    RefusalCode.NOT_NOW: 409,
    RefusalCode.NO_PRINTED_TEXT: 404,
    RefusalCode.TOO_MUCH: 429,
    RefusalCode.DISK_FULL: 503,
    RefusalCode.DISK_READ_ONLY: 503,
    RefusalCode.DISK_FAILING: 503,
    RefusalCode.FILE_HELD: 503,
    RefusalCode.PAGE_FAULT: 500,
}
"""Status of HTTP of each code; 403 where none is named."""


def make_refusal(code: RefusalCode, message: str, *, status: int | None = None, wait: float = 0.0) -> JSONResponse:
    """Say why a request is not taken."""
    headers = {"Retry-After": str(int(wait) + 1)} if wait else None
    content: dict[str, object] = {"code": code.value, "message": message}
    if wait:
        content["wait"] = round(wait, 1)
    return JSONResponse(content, status_code=status or STATUS_BY_CODE.get(code, 403), headers=headers)


def make_admission_refusal(why: AdmissionError) -> JSONResponse:
    """Say why somebody was not let in."""
    return make_refusal(why.code, why.message, wait=why.retry_after_s)


def make_overload_refusal() -> JSONResponse:
    """Answer what the table had no room for."""
    return make_refusal(RefusalCode.TOO_MUCH, "More is entered than the table can take; wait a moment.", wait=1.0)


async def read_json(request: Request) -> object:
    """Read the JSON that a request carries; `None` where it carries none, or what no text and no number can be."""
    try:
        found: object = json.loads(await request.body(), parse_constant=_reject_constant)
        json.dumps(found, ensure_ascii=False).encode()  # half a sign (a lone surrogate) can be neither kept nor said
    except (ValueError, RecursionError):
        return None
    return found


def _reject_constant(word: str) -> object:
    raise ValueError(word)


def is_json(request: Request) -> bool:
    """Whether the request says that it carries JSON, which no form of another site can say."""
    return request.headers.get("content-type", "").partition(";")[0].strip() == "application/json"


def make_not_json_refusal() -> JSONResponse:
    """Answer a request that does not carry JSON."""
    return make_refusal(
        RefusalCode.NOT_UNDERSTOOD, "Send JSON, with the header Content-Type: application/json.", status=415
    )


class EventStreamResponse(StreamingResponse):
    """Server-sent events; tells when it has ended, however it does."""

    def __init__(
        self, lines: AsyncIterator[str], ended: Callable[[], None], headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(lines, media_type="text/event-stream", headers=headers)
        self._on_ended = ended

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._on_ended()
