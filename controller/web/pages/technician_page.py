"""The routes of the technician's page: how the work stands, and what to do next."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from controller.runtime.staff.admission import RefusalCode
from controller.web import STATIC_FOLDER
from controller.web.access.authenticator import get_principal
from controller.web.http.responses import MAX_BODY_BYTES, is_json, make_not_json_refusal, make_refusal, read_json
from controller.web.wording.page_translation import make_page_response

PAGE_FILE = STATIC_FOLDER / "technician.html"

MAX_DECK_NAME_LENGTH = 40


class WorkshopControls(Protocol):
    """What the page wants of the workshop. What cannot be done is raised as an exception of the kind `error_type`."""

    error_type: type[Exception]

    def describe(self) -> Mapping[str, Any]:
        """Return how the work stands."""
        ...

    def light(self, step: int | None) -> None:
        """Light a step of the walk of lamps, or none."""
        ...

    def start_registration(
        self, name: str, *, jokers: int = 0, printed: bool = False, replace: bool = False, by: str = ""
    ) -> None:
        """Begin to register a deck, or go on; `by` whom, for the record."""
        ...

    def start_verification(self, name: str) -> None:
        """Begin to deal a registered deck past the reader and compare."""
        ...

    def take_back(self) -> None:
        """Take back the last card."""
        ...

    def stop_registration(self) -> None:
        """Stop registering."""
        ...

    def run_self_check(self) -> None:
        """Ask for the self-check; what it finds is said like any fault."""
        ...


class TechnicianPage:
    """Makes the routes."""

    def __init__(self, bench: WorkshopControls) -> None:
        self._workshop = bench

    def make_routes(self) -> list[Route]:
        """Make them; the page itself is empty, and what it shows of tags is for technicians alone."""
        return [
            Route("/technician", self.get_page, methods=["GET"]),
            Route("/workshop", self.get_workshop, methods=["GET"]),
            Route("/workshop", self.handle_work, methods=["POST"], max_body_size=MAX_BODY_BYTES),
        ]

    async def get_page(self, request: Request) -> Response:
        """Answer with the empty page."""
        return make_page_response(request, PAGE_FILE)

    async def get_workshop(self, request: Request) -> Response:  # noqa: ARG002 - as above
        """Answer how the work stands."""
        return JSONResponse(await run_in_threadpool(self._workshop.describe))

    async def handle_work(self, request: Request) -> Response:
        """Do what is asked."""
        if not is_json(request):
            return make_not_json_refusal()
        work = self._parse_work(await read_json(request), get_principal(request).name or "")
        if work is None:
            return make_refusal(
                RefusalCode.NOT_UNDERSTOOD,
                'Want {"do": …} with "light" and a step or null, "register" with name, jokers, printed and anew, '
                '"deal-through" with a name, "take-back", "leave-off", or "check".',
            )
        try:
            await run_in_threadpool(work)
        except self._workshop.error_type as why:
            return make_refusal(RefusalCode.NOT_NOW, f"{str(why)[:1].upper()}{str(why)[1:]}.")
        return Response(status_code=204)

    def _parse_work(self, wish: object, by: str) -> Callable[[], None] | None:
        match wish:
            case {"do": "light", "step": int() | None as step, **rest} if not rest and not isinstance(step, bool):
                return lambda: self._workshop.light(step)
            case {
                "do": "register",
                "name": str() as name,
                "jokers": int() as jokers,
                "printed": bool() as printed,
                "anew": bool() as anew,
                **rest,
            } if not rest and _is_deck_name(name) and not isinstance(jokers, bool) and 0 <= jokers <= 2:
                return lambda: self._workshop.start_registration(
                    name, jokers=jokers, printed=printed, replace=anew, by=by
                )
            case {"do": "deal-through", "name": str() as name, **rest} if not rest and _is_deck_name(name):
                return lambda: self._workshop.start_verification(name)
            case {"do": "take-back", **rest} if not rest:
                return self._workshop.take_back
            case {"do": "leave-off", **rest} if not rest:
                return self._workshop.stop_registration
            case {"do": "check", **rest} if not rest:
                return self._workshop.run_self_check
            case _:
                return None


def _is_deck_name(name: str) -> bool:
    """Whether a deck may be called so: the name becomes part of a file's name."""
    plain = name.replace("-", "").replace("_", "").replace(" ", "")
    return 0 < len(name) <= MAX_DECK_NAME_LENGTH and plain.isascii() and plain.isalnum()
