"""The school as the page of a table has it: by the house's own books, the table's own first."""

from collections.abc import Callable, Mapping
from typing import Any

from config import rulebook_file
from config.folders import Library
from config.language_file import ENGLISH, Language
from controller.app.school.course import NoLesson, course, lessons


class Lessons:
    """The lessons of a library; `own` says by which book the table plays."""

    no_lesson: type[Exception] = NoLesson

    def __init__(self, library: Library, own: Callable[[], str]) -> None:
        self._library = library
        self._own = own

    def contents(self, book: str | None) -> Mapping[str, Any]:
        """Name the books and the lessons of one; raises `NoLesson`."""
        chosen = book or self._own()
        found = [{"name": lesson.name, "title": lesson.title} for lesson in lessons(chosen, self._library)]
        books = {name: rulebook_file.load(name, self._library).title for name in rulebook_file.names(self._library)}
        return {"book": chosen, "books": books, "lessons": found}

    def lesson(self, book: str, lesson: str, language: Language = ENGLISH) -> Mapping[str, Any]:
        """Return a lesson as it goes under a book; raises `NoLesson`."""
        return course(lesson, book, self._library, language).to_json()
