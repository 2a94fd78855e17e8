"""The routes of the dealers' school: its page, what lessons there are, and a lesson."""

from collections.abc import Mapping
from typing import Any, Protocol

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from config.language_file import ENGLISH, Language
from controller.runtime.staff.admission import RefusalCode
from controller.web import STATIC_FOLDER
from controller.web.http.responses import make_refusal
from controller.web.wording.page_translation import choose_language, make_page_response
from controller.web.wording.ruling_translation import translate_ruling
from controller.web.wording.step_instructions import translate_line

PAGE_FILE = STATIC_FOLDER / "train.html"


class LessonLibrary(Protocol):
    """What the page wants of the school."""

    not_found_error: type[Exception]
    """What is raised for a lesson or book that there is not; its text says which there are."""

    def list_contents(self, book: str | None) -> Mapping[str, Any]:
        """Name the books, the lessons of one, and the table's own book, which is meant without a name."""
        ...

    def render_lesson(self, book: str, lesson: str, language: Language = ENGLISH) -> Mapping[str, Any]:
        """Return a lesson as it goes under a book."""
        ...


class TrainingPage:
    """Makes the routes."""

    def __init__(self, school: LessonLibrary) -> None:
        self._lessons = school

    def make_routes(self) -> list[Route]:
        """Make them."""
        return [
            Route("/train", self.get_page, methods=["GET"]),
            Route("/train/lessons", self.get_contents, methods=["GET"]),
            Route("/train/lessons/{book}/{lesson}", self.get_lesson, methods=["GET"]),
        ]

    async def get_page(self, request: Request) -> Response:
        """Answer with the empty page."""
        return make_page_response(request, PAGE_FILE)

    async def get_contents(self, request: Request) -> Response:
        """Answer with the lessons of a book."""
        try:
            return JSONResponse(await run_in_threadpool(self._lessons.list_contents, request.query_params.get("book")))
        except self._lessons.not_found_error as why:
            return make_refusal(RefusalCode.NO_LESSON, f"{why}.".capitalize())

    async def get_lesson(self, request: Request) -> Response:
        """Answer with a lesson, its steps with what is said of them."""
        book, name = request.path_params["book"], request.path_params["lesson"]
        language = choose_language(request)
        try:
            found = await run_in_threadpool(self._lessons.render_lesson, book, name, language)
        except self._lessons.not_found_error as why:
            return make_refusal(RefusalCode.NO_LESSON, f"{why}.".capitalize())
        pictures = ("table", "scene")
        moments = [
            {key: translate_line(value, language) if key in pictures else value for key, value in moment.items()}
            for moment in found["moments"]
        ]
        rulings = [translate_ruling(ruling, language) for ruling in found["rulings"]]
        return JSONResponse({**found, "moments": moments, "rulings": rulings})
