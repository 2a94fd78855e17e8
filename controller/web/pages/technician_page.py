"""The routes of the technician's page: how the work stands, and what to do next."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from controller.runtime.staff.admission import Code
from controller.web import STATIC
from controller.web.access.door import who
from controller.web.languages import page
from controller.web.pages.answers import LONGEST_BODY, is_json, json_of, refusal, send_json

PAGE = STATIC / "technician.html"

LONGEST_NAME = 40


class Bench(Protocol):
    """What the page wants of the workshop. What cannot be done is raised as an exception of the kind `refused`."""

    refused: type[Exception]

    def standing(self) -> Mapping[str, Any]:
        """Return how the work stands."""
        ...

    def light(self, step: int | None) -> None:
        """Light a step of the walk of lamps, or none."""
        ...

    def register(
        self, name: str, *, jokers: int = 0, printed: bool = False, replace: bool = False, by: str = ""
    ) -> None:
        """Begin to register a deck, or go on; `by` whom, for the record."""
        ...

    def deal_through(self, name: str) -> None:
        """Begin to deal a registered deck past the reader and compare."""
        ...

    def take_back(self) -> None:
        """Take back the last card."""
        ...

    def leave_off(self) -> None:
        """Stop registering."""
        ...

    def check(self) -> None:
        """Ask for the self-check; what it finds is said like any fault."""
        ...


class TechnicianPage:
    """Makes the routes."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench

    def routes(self) -> list[Route]:
        """Make them; the page itself is empty, and what it shows of tags is for technicians alone."""
        return [
            Route("/technician", self.page, methods=["GET"]),
            Route("/workshop", self.standing, methods=["GET"]),
            Route("/workshop", self.work, methods=["POST"], max_body_size=LONGEST_BODY),
        ]

    async def page(self, request: Request) -> Response:
        """Answer with the empty page."""
        return page(request, PAGE)

    async def standing(self, request: Request) -> Response:  # noqa: ARG002 - as above
        """Answer how the work stands."""
        return JSONResponse(await run_in_threadpool(self._bench.standing))

    async def work(self, request: Request) -> Response:
        """Do what is asked."""
        if not is_json(request):
            return send_json()
        work = self._wanted(await json_of(request), who(request).name or "")
        if work is None:
            return refusal(
                Code.FORM,
                'Want {"do": …} with "light" and a step or null, "register" with name, jokers, printed and anew, '
                '"deal-through" with a name, "take-back", "leave-off", or "check".',
            )
        try:
            await run_in_threadpool(work)
        except self._bench.refused as why:
            return refusal(Code.NOT_NOW, f"{str(why)[:1].upper()}{str(why)[1:]}.")
        return Response(status_code=204)

    def _wanted(self, wish: object, by: str) -> Callable[[], None] | None:
        match wish:
            case {"do": "light", "step": int() | None as step, **rest} if not rest and not isinstance(step, bool):
                return lambda: self._bench.light(step)
            case {
                "do": "register",
                "name": str() as name,
                "jokers": int() as jokers,
                "printed": bool() as printed,
                "anew": bool() as anew,
                **rest,
            } if not rest and _is_name(name) and not isinstance(jokers, bool) and 0 <= jokers <= 2:
                return lambda: self._bench.register(name, jokers=jokers, printed=printed, replace=anew, by=by)
            case {"do": "deal-through", "name": str() as name, **rest} if not rest and _is_name(name):
                return lambda: self._bench.deal_through(name)
            case {"do": "take-back", **rest} if not rest:
                return self._bench.take_back
            case {"do": "leave-off", **rest} if not rest:
                return self._bench.leave_off
            case {"do": "check", **rest} if not rest:
                return self._bench.check
            case _:
                return None


def _is_name(name: str) -> bool:
    """Whether a deck may be called so: the name becomes part of a file's name."""
    plain = name.replace("-", "").replace("_", "").replace(" ", "")
    return 0 < len(name) <= LONGEST_NAME and plain.isascii() and plain.isalnum()
