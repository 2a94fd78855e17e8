"""A game is a file and a word in a book's list; an answer is a function or a member and somebody who gives it."""

from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path

import pytest
import tomli

from config import game_file, rulebook_file
from config.file_library import Library
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


def list_needless_answers(name: str) -> list[str]:
    """The answers of a book's file that its table of `every`, or the books that it falls back on, would give too."""
    source = rulebook_file._load_source(name, Library())
    chain = rulebook_file._list_chain(source, Library())
    data = tomli.loads(source.path.read_text(encoding="utf-8"))
    needless = []

    def note(at: tuple[str, ...], key: str, takers: list[tuple[str, ...]]) -> None:
        field = key.replace("-", "_")
        if all(rulebook_file._find_default(chain, each, field) == source.answers[each][field] for each in takers):
            needless.append(".".join((*at, key)))

    for section in RULES_CLASS_BY_SECTION:
        for key in data.get(section, {}):
            note((section,), key, [(section,)])
    for section in RULES_CLASS_BY_FORM_SECTION:
        forms = dict(data.get(section, {}))
        every = forms.pop(rulebook_file.EVERY, {})
        for key in every:
            note((section, "every"), key, [(section, form) for form, table in forms.items() if key not in table])
        for form, table in forms.items():
            for key, said in table.items():
                if key not in every:
                    note((section, form), key, [(section, form)])
                elif said == every[key]:
                    needless.append(f"{section}.{form}.{key}")
            twins = [k for k in table if k not in every and all(other.get(k) == table[k] for other in forms.values())]
            needless += [f"{section}.{form}.{key}" for key in twins if len(forms) > 1]
    return needless


@pytest.mark.parametrize("name", rulebook_file.list_rulebooks())
def test_no_book_says_what_its_fallback_or_every_would_say(name: str) -> None:
    assert list_needless_answers(name) == []


def test_an_answer_that_is_said_twice_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = tmp_path / "corner.toml"
    source = partial(rulebook_file._read_source, book)
    monkeypatch.setattr(rulebook_file, "_load_source", lambda _, library: source(library))
    book.write_text("""title = "Corner"\ncode = "CC"\ngames = ["holdem", "razz"]
[boxed]
one = { is = "aside", cite = "R7-3.irreg.7" }
[counts.every]
top-card = { is = true, cite = "R7-3.misdeals.1e" }
button-late = { is = true, cite = "R7-3.misdeals.1e" }
[counts.flop]
top-card = { is = true, cite = "R7-3.misdeals.1e" }
button-late = { is = false, cite = "R7-3.misdeals.1e" }
extra-one = { is = "burn", cite = "R7-3.irreg.11" }
[counts.stud]
button-late = { is = false, cite = "R7-3.irreg.11" }
extra-one = { is = "burn", cite = "R7-3.irreg.11" }
""")
    said = ["counts.every.button-late", "counts.flop.top-card", "counts.flop.extra-one", "counts.stud.extra-one"]
    assert list_needless_answers("corner") == said
