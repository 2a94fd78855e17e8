"""The routes of the floor's page: the page itself, and the printed rulebook beside ours."""

from collections.abc import Callable, Mapping
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from config.folders import Library
from controller.runtime.staff.admission import Code
from controller.web import STATIC
from controller.web.languages import page
from controller.web.pages.answers import refusal
from controller.web.pages.clauses import by_people, explained
from controller.web.pages.printed import passage

PAGE = STATIC / "floor.html"


class FloorPage:
    """Makes the routes; `rulebook_text` is the house's own copy of its rulebook, where it has put one on the table.

    `setup` says what the pages are told of the table, its `book` and `tournament` among it.
    """

    def __init__(
        self, rulebook_text: Path | None, library: Library | None, setup: Callable[[], Mapping[str, object]]
    ) -> None:
        self._file = rulebook_text
        self._library = library
        self._setup = setup

    def routes(self) -> list[Route]:
        """Make them; the page itself is empty, and what it decides goes to the table's own entry."""
        return [
            Route("/floor", self.page, methods=["GET"]),
            Route("/printed/{cite}", self.printed, methods=["GET"]),
            Route("/by-people", self.by_people, methods=["GET"]),
        ]

    async def page(self, request: Request) -> Response:
        """Answer with the empty page."""
        return page(request, PAGE)

    async def by_people(self, request: Request) -> Response:  # noqa: ARG002 - as Starlette calls it
        """Answer with what the rulebook asks of people."""
        setup = self._setup()
        code, tournament = str(setup.get("book", "")), bool(setup.get("tournament"))
        rows = await run_in_threadpool(by_people, code, tournament=tournament, library=self._library)
        return JSONResponse({"rows": rows})

    async def printed(self, request: Request) -> Response:
        """Answer with the passage of the printed rulebook that a clause names."""
        cite: str = request.path_params["cite"]
        cases = explained((cite,), self._library)[cite]
        if not cases:
            return refusal(Code.NO_CLAUSE, "No clause of the catalogue has that id.")
        if self._file is None:
            return refusal(Code.NO_TEXT, "The table's file names no printed text (`rulebook_text` in [page]).")
        try:
            text = await run_in_threadpool(self._file.read_text, encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return refusal(Code.NO_TEXT, f"{self._file.name} cannot be read; see `rulebook_text` in [page].")
        found = passage(text, cases[0]["section"])
        if found is None:
            return refusal(Code.NO_TEXT, f"{cases[0]['section']} was not found in {self._file.name}.")
        return JSONResponse(found.to_json())
