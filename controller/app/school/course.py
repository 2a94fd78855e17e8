"""A lesson under a rulebook: what the dealer sees, moment by moment, and what the book wants if something is amiss.

The hand is played through `Table.handle`, as at every table; nothing here knows a rule. What is offered beside the
right answer is what other rulebooks would want (`other_book`), so that a wrong choice is one that is right elsewhere.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

from config import lesson_file, rulebook_file
from config.folders import Library, library_of
from config.language_file import ENGLISH, Language
from config.lesson_file import Lesson
from config.setup import open_table
from controller.app.simulation.controls import table_line
from controller.core.engine import other_book
from controller.core.engine.display import view
from controller.core.engine.table import Table
from controller.core.model.outcome import Outcome
from controller.core.model.state import State
from controller.core.protocol import script
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Event
from controller.core.rules.rulings import Verdict
from controller.core.values.cards import deck
from controller.web.wording import instruction, worded, words

STRIDE = 29
"""The deck of a lesson lies in this order of a new one: each 29th card, so that neighbours have nothing in common."""

SEATS = (1, 2, 3, 4)
STACK = 200

KEPT = 16
"""Courses that are kept: a lesson is asked for again while somebody takes it, and there are hundreds of them."""

ANSWERS = 4
"""Among so many answers a dealer chooses."""

USUAL = (Verdict.PLAY_ON, Verdict.MISDEAL, Verdict.REPLACE, Verdict.DEAD_HAND)
"""What is offered where the books want the same."""

NOT_DEALT = {"step": "return", "from": "all", "to": "stub"}
"""What a misdeal begins with."""


class NoLesson(Exception):
    """A lesson that cannot be had: there is none of that name, or the book says nothing to it."""


@dataclass(frozen=True, slots=True)
class Moment:
    """One thing that happens, as the dealer sees it, and the table after it. `wrong`: here something is amiss."""

    happens: str
    table: Mapping[str, Any]
    wrong: bool = False

    def to_json(self) -> dict[str, object]:
        """Write it as the page has it."""
        return {"happens": self.happens, "table": self.table, "wrong": self.wrong}


@dataclass(frozen=True, slots=True)
class Question:
    """A question, its answers, and which of them is right."""

    asked: str
    answers: tuple[str, ...]
    right: int

    def to_json(self) -> dict[str, object]:
        """Write it as the page has it."""
        return {"asked": self.asked, "answers": self.answers, "right": self.right}


@dataclass(frozen=True, slots=True)
class Course:
    """A lesson as it goes under a book. `then`: what the book wants done, step by step; `clause`: the deciding one."""

    lesson: str
    book: str
    title: str
    game: str
    moments: tuple[Moment, ...]
    kind: Question
    wants: Question
    rulings: tuple[Mapping[str, Any], ...]
    then: tuple[str, ...]
    clause: str

    def to_json(self) -> dict[str, object]:
        """Write it as the page has it."""
        return {
            "lesson": self.lesson,
            "book": self.book,
            "title": self.title,
            "game": self.game,
            "moments": [moment.to_json() for moment in self.moments],
            "kind": self.kind.to_json(),
            "wants": self.wants.to_json(),
            "rulings": self.rulings,
            "then": self.then,
            "clause": self.clause,
        }


def lessons(book: str, library: Library | None = None) -> tuple[Lesson, ...]:
    """The lessons of the games that a book plays; raises `NoLesson` for a book that there is not."""
    library = library_of(library)
    if book not in rulebook_file.names(library):
        raise NoLesson(f"there is no rulebook {book}; there are {', '.join(rulebook_file.names(library))}")
    games = rulebook_file.load(book, library).games
    return tuple(lesson for lesson in map(lesson_file.load, lesson_file.names()) if lesson.game in games)


@lru_cache(maxsize=KEPT)
def course(name: str, book: str, library: Library | None = None, language: Language = ENGLISH) -> Course:
    """Play a lesson under a book, told in a language; raises `NoLesson`, which says what there is."""
    library = library_of(library)
    there = {lesson.name: lesson for lesson in lessons(book, library)}
    if name not in there:
        raise NoLesson(f"there is no lesson {name} by {book}; there are {', '.join(there)}")
    lesson = there[name]
    seats = [{"seat": seat, "player": f"Seat {seat}", "stack": STACK} for seat in SEATS]
    line = table_line({"ev": "table", "seats": seats, "button": SEATS[0]}, lesson.game, book, library)
    played = _Played(Table(), line, library, language)
    try:
        moments = [*played.regular(lesson), played.wrong(lesson)]
    except Refused as why:
        raise NoLesson(f"{name} cannot be played by {book}: {why.message}") from None
    ruled = played.ruled
    rulings = [ruling for ruling in view.line(ruled, 0)["rulings"] if ruling["cite"]]
    if not rulings:
        raise NoLesson(f"by {book} nothing is ruled on in {name}")
    return Course(
        lesson=lesson.name,
        book=ruled.state.setup.rulebook.title,
        title=language.text(lesson.title),
        game=ruled.state.setup.game.title,
        moments=tuple(moments),
        kind=_question(language.text("What went wrong?"), language.text(lesson.title), _titles(lesson, language)),
        wants=_question(
            language.text("What does the book want?"),
            _answer(ruled, language),
            _elsewhere(played, book, library, language),
        ),
        rulings=tuple(rulings),
        then=tuple(step["text"] for step in worded(view.line(ruled, 0)["next"][:ANSWERS], language)),
        clause=str(rulings[0]["cite"][0]).split("#")[0],
    )


class _Played:
    """The table of a lesson, and how it stood when something was ruled on."""

    def __init__(self, table: Table, line: Mapping[str, Any], library: Library, language: Language) -> None:
        self._table = table
        self._language = language
        opened = open_table({**line, "ev": "table"}, library)
        table.handle(opened)
        cards = deck(opened.setup.deck, opened.setup.joker)
        self._cards = iter([cards[(number * STRIDE) % len(cards)] for number in range(len(cards))])
        self.before: State = table.outcome.state
        self.event: Event | None = None

    @property
    def ruled(self) -> Outcome:
        return self._table.outcome

    def regular(self, lesson: Lesson) -> Iterator[Moment]:
        for word, count in lesson.before:
            if word == "calls":
                first = True
                while first or self._due()["step"] == "act":
                    yield self._moment("call")
                    first = False
            else:
                for _ in range(count if word == "deal" else 1):
                    yield self._moment(word, count)

    def wrong(self, lesson: Lesson) -> Moment:
        for line in lesson.happens:
            self._take(line)
        return Moment(self._language.text(lesson.seen), view.line(self._table.outcome, 0, live=True), wrong=True)

    def _moment(self, word: str, count: int = 1) -> Moment:
        due = self._due()
        line: dict[str, object]
        say = self._language.text
        match word:
            case "start":
                said, line = say("You start the hand"), {"ev": "start"}
            case "deal":
                said, line = instruction(due, self._language), {"ev": "card"}
            case "up":
                said, line = say("A card comes with its face up; it is put aside"), {"ev": "card", "face": "up"}
            case "call":
                do = (
                    "check" if "check" in due["options"] else "call" if "call" in due["options"] else due["options"][-1]
                )
                said = say("Seat {seat}: {act}", seat=due["seat"], act=words(do, self._language))
                line = {"ev": "act", "seat": due["seat"], "do": do}
            case "draw":
                said = say("Seat {seat} draws {count}", seat=due["seat"], count=count)
                line = {"ev": "draw", "seat": due["seat"], "discard": count}
            case _:
                said, line = instruction(due, self._language), {"ev": "done"}
        self._take(line)
        return Moment(said, view.line(self._table.outcome, 0, live=True))

    def _due(self) -> Mapping[str, Any]:
        steps: list[Mapping[str, Any]] = view.line(self._table.outcome, 0)["next"]
        return steps[0] if steps else {"step": "start"}

    def _take(self, line: Mapping[str, Any]) -> None:
        full = {"card": next(self._cards), **line} if line["ev"] == "card" else dict(line)
        self.before, self.event = self._table.outcome.state, script.read(full)
        self._table.handle(self.event)


def _question(asked: str, right: str, others: Sequence[str]) -> Question:
    offered = [right, *islice((other for other in dict.fromkeys(others) if other != right), ANSWERS - 1)]
    answers = tuple(sorted(offered))
    return Question(asked, answers, answers.index(right))


def _titles(lesson: Lesson, language: Language) -> list[str]:
    """What else could have gone wrong: titles of other lessons, beginning behind this one in the list."""
    titles = list(dict.fromkeys(lesson_file.load(name).title for name in lesson_file.names()))
    at = titles.index(lesson.title)
    return [language.text(title) for title in (*titles[at + 1 :], *titles[:at])]


def _answer(outcome: Outcome, language: Language) -> str:
    """What a book wants, in a line: its verdict, and what is done next."""
    line = view.line(outcome, 0)
    ruled = line["rulings"]
    verdict = _capital(words(ruled[0]["verdict"], language)) if ruled else language.text("Nothing to rule on")
    steps = line["next"]
    return _wanted(verdict, instruction(steps[0], language), language) if steps else f"{verdict}."


def _wanted(verdict: str, step: str, language: Language) -> str:
    return language.text("{verdict}. Next: {step}", verdict=verdict, step=step)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _elsewhere(played: _Played, book: str, library: Library, language: Language) -> list[str]:
    """What other books want at the same table, and then what is usual."""
    assert played.event is not None
    game = played.before.setup.game.name
    found: list[str] = []
    for name in rulebook_file.names(library):
        other = rulebook_file.load(name, library)
        if name == book or game not in other.games:
            continue
        try:
            found.append(_answer(other_book.under(other, played.before, played.event), language))
        except (Refused, KeyError):
            continue
    said = {answer.partition(".")[0] for answer in (*found, _answer(played.ruled, language))}
    due = view.line(Outcome(played.before), 0)["next"][:1] or [{"step": "start"}]
    first = {Verdict.MISDEAL: NOT_DEALT}
    usual = {
        _capital(words(verdict.value, language)): instruction(first.get(verdict, due[0]), language) for verdict in USUAL
    }
    return [*found, *(_wanted(verdict, step, language) for verdict, step in usual.items() if verdict not in said)]
