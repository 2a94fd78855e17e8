"""The routes of the floor's page: the page itself, and the printed rulebook beside ours."""

from collections.abc import Callable, Mapping
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from config.file_library import Library
from controller.runtime.staff.admission import RefusalCode
from controller.web import STATIC_FOLDER
from controller.web.http.responses import make_refusal
from controller.web.wording.page_translation import make_page_response
from controller.web.wording.printed_rulebook import find_passage
from controller.web.wording.rule_clauses import find_clause_cases, list_people_only_clauses

PAGE_FILE = STATIC_FOLDER / "floor.html"


class TableFloorPage:
    """Makes the routes; `rulebook_text` is the house's own copy of its rulebook, where it has put one on the table.

    `setup` says what the pages are told of the table, its `book` and `tournament` among it.
    """

    def __init__(
        self, rulebook_text: Path | None, library: Library | None, setup: Callable[[], Mapping[str, object]]
    ) -> None:
        self._rulebook_file = rulebook_text
        self._library = library
        self._get_setup = setup

    def make_routes(self) -> list[Route]:
        """Make them; the page itself is empty, and what it decides goes to the table's own entry."""
        return [
            Route("/floor", self.get_page, methods=["GET"]),
            Route("/printed/{cite}", self.get_printed_passage, methods=["GET"]),
            Route("/by-people", self.get_people_only_clauses, methods=["GET"]),
        ]

    async def get_page(self, request: Request) -> Response:
        """Answer with the empty page."""
        return make_page_response(request, PAGE_FILE)

    async def get_people_only_clauses(self, request: Request) -> Response:  # noqa: ARG002 - as Starlette calls it
        """Answer with what the rulebook asks of people."""
        setup = self._get_setup()
        code, tournament = str(setup.get("book", "")), bool(setup.get("tournament"))
        rows = await run_in_threadpool(list_people_only_clauses, code, tournament=tournament, library=self._library)
        return JSONResponse({"rows": rows})

    async def get_printed_passage(self, request: Request) -> Response:
        """Answer with the passage of the printed rulebook that a clause names."""
        cite: str = request.path_params["cite"]
        cases = find_clause_cases((cite,), self._library)[cite]
        if not cases:
            return make_refusal(RefusalCode.NO_CLAUSE, "No clause of the catalogue has that id.")
        if self._rulebook_file is None:
            return make_refusal(
                RefusalCode.NO_PRINTED_TEXT, "The table's file names no printed text (`rulebook_text` in [page])."
            )
        try:
            text = await run_in_threadpool(self._rulebook_file.read_text, encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return make_refusal(
                RefusalCode.NO_PRINTED_TEXT,
                f"{self._rulebook_file.name} cannot be read; see `rulebook_text` in [page].",
            )
        found = find_passage(text, cases[0]["section"])
        if found is None:
            return make_refusal(
                RefusalCode.NO_PRINTED_TEXT, f"{cases[0]['section']} was not found in {self._rulebook_file.name}."
            )
        return JSONResponse(found.to_json())
