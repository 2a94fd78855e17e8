"""A game is a file and a word in a book's list; an answer is a function or a member and somebody who gives it."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from config import game_file, rulebook_file
from controller.core.rules.questions.rule import questions_of
from controller.core.rules.rulebook import RULES_CLASS_BY_FORM_SECTION, RULES_CLASS_BY_SECTION

BOOKS = [rulebook_file.load_rulebook(name) for name in rulebook_file.list_rulebooks()]
TESTS = Path(__file__).parents[1]


def test_every_game_is_in_a_book_and_every_game_of_a_book_is_there() -> None:
    assert set(game_file.list_games()) == {game for book in BOOKS for game in book.games}


def iter_book_answers() -> Iterator[object]:
    """Every answer of every book."""
    for book in BOOKS:
        for name, kind in RULES_CLASS_BY_SECTION.items():
            yield from (getattr(getattr(book, name), key).value for key in questions_of(kind))
        for name, kind in RULES_CLASS_BY_FORM_SECTION.items():
            for section in getattr(book, name).values():
                yield from (getattr(section, key).value for key in questions_of(kind))


@cache
def texts_of_tests() -> str:
    """What the tests of rules say, where a script may answer a question itself by `house`."""
    return "\n".join(path.read_text(encoding="utf-8") for path in (TESTS / "rules").rglob("*.py"))


ANSWERS = {
    (name, id(answer)): answer
    for question in rulebook_file.list_questions().values()
    for name, answer in question.get("answers", {}).items()
}


@pytest.mark.parametrize(("name", "answer"), [(name, answer) for (name, _), answer in ANSWERS.items()])
def test_every_answer_is_given_by_a_book_or_by_a_test(name: str, answer: object) -> None:
    assert any(answer is one for one in GIVEN) or f'"{name}"' in texts_of_tests(), f"nobody ever answers {name!r}"


GIVEN = list(iter_book_answers())
