"""The school as the page of a table has it: by the house's own books, the table's own first."""

from collections.abc import Callable, Mapping
from typing import Any

from config import rulebook_file
from config.file_library import Library
from config.language_file import ENGLISH, Language
from controller.app.training.played_lesson import LessonNotFoundError, list_lessons, play_lesson


class LessonLibrary:
    """The lessons of a library; `own` says by which book the table plays."""

    not_found_error: type[Exception] = LessonNotFoundError

    def __init__(self, library: Library, own: Callable[[], str]) -> None:
        self._library = library
        self._own_book = own

    def list_contents(self, book: str | None) -> Mapping[str, Any]:
        """Name the books and the lessons of one; raises `LessonNotFoundError`."""
        chosen = book or self._own_book()
        found = [{"name": lesson.name, "title": lesson.title} for lesson in list_lessons(chosen, self._library)]
        books = {
            name: rulebook_file.load_rulebook(name, self._library).title
            for name in rulebook_file.list_rulebooks(self._library)
        }
        return {"book": chosen, "books": books, "lessons": found}

    def render_lesson(self, book: str, lesson: str, language: Language = ENGLISH) -> Mapping[str, Any]:
        """Return a lesson as it goes under a book; raises `LessonNotFoundError`."""
        return play_lesson(lesson, book, self._library, language).to_json()
