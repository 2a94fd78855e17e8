"""The routes of the dealers' school: its page, what lessons there are, and a lesson."""

from collections.abc import Mapping
from typing import Any, Protocol

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from config.language_file import ENGLISH, Language
from controller.runtime.staff.admission import Code
from controller.web import STATIC
from controller.web.languages import language_of, page
from controller.web.pages.answers import refusal
from controller.web.wording import said

PAGE = STATIC / "train.html"


class School(Protocol):
    """What the page wants of the school."""

    no_lesson: type[Exception]
    """What is raised for a lesson or book that there is not; its text says which there are."""

    def contents(self, book: str | None) -> Mapping[str, Any]:
        """Name the books, the lessons of one, and the table's own book, which is meant without a name."""
        ...

    def lesson(self, book: str, lesson: str, language: Language = ENGLISH) -> Mapping[str, Any]:
        """Return a lesson as it goes under a book."""
        ...


class SchoolPage:
    """Makes the routes."""

    def __init__(self, school: School) -> None:
        self._school = school

    def routes(self) -> list[Route]:
        """Make them."""
        return [
            Route("/train", self.page, methods=["GET"]),
            Route("/train/lessons", self.contents, methods=["GET"]),
            Route("/train/lessons/{book}/{lesson}", self.lesson, methods=["GET"]),
        ]

    async def page(self, request: Request) -> Response:
        """Answer with the empty page."""
        return page(request, PAGE)

    async def contents(self, request: Request) -> Response:
        """Answer with the lessons of a book."""
        try:
            return JSONResponse(await run_in_threadpool(self._school.contents, request.query_params.get("book")))
        except self._school.no_lesson as why:
            return refusal(Code.NO_LESSON, f"{why}.".capitalize())

    async def lesson(self, request: Request) -> Response:
        """Answer with a lesson, its steps with what is said of them."""
        book, name = request.path_params["book"], request.path_params["lesson"]
        language = language_of(request)
        try:
            found = await run_in_threadpool(self._school.lesson, book, name, language)
        except self._school.no_lesson as why:
            return refusal(Code.NO_LESSON, f"{why}.".capitalize())
        moments = [{**moment, "table": said(moment["table"], language)} for moment in found["moments"]]
        return JSONResponse({**found, "moments": moments})
