"""A lesson under a rulebook: what the dealer sees, moment by moment, and what the book wants if something is amiss.

The hand is played through `Table.handle`, as at every table; nothing here knows a rule. What is offered beside the
right answer is what other rulebooks would want (`other_rulebook`), so that a wrong choice is one that is right
elsewhere.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

from config import lesson_file, rulebook_file
from config.file_library import Library, resolve_library
from config.language_file import ENGLISH, Language
from config.lesson_file import Lesson
from config.table_line import parse_table_line
from controller.app.simulation.simulation_controls import make_table_line
from controller.app.training.lesson_scene import draw_scene, list_cards_beside
from controller.core.engine import other_rulebook
from controller.core.engine.output import outcome_rendering
from controller.core.engine.table import Table
from controller.core.model.outcome import Outcome
from controller.core.model.table_memory import TableMemory
from controller.core.model.table_state import TableState
from controller.core.protocol import script_lines
from controller.core.protocol.events import Event
from controller.core.protocol.table_error import Refused
from controller.core.rules.rulings import Verdict
from controller.core.values.cards import build_deck
from controller.web.wording.step_instructions import add_instructions, format_instruction, format_label

CARD_STRIDE = 29
"""The deck of a lesson lies in this order of a new one: each 29th card, so that neighbours have nothing in common."""

LESSON_SEATS = (1, 2, 3, 4)
STARTING_STACK = 200

MAX_CACHED_LESSONS = 16
"""Courses that are kept: a lesson is asked for again while somebody takes it, and there are hundreds of them."""

MAX_ANSWERS = 4
"""Among so many answers a dealer chooses."""

USUAL_VERDICTS = (Verdict.PLAY_ON, Verdict.MISDEAL, Verdict.REPLACE, Verdict.DEAD_HAND)
"""What is offered where the books want the same."""

MISDEAL_STEP = {"step": "return", "from": "all", "to": "stub"}
"""What a misdeal begins with."""


class LessonNotFoundError(Exception):
    """A lesson that cannot be had: there is none of that name, or the book says nothing to it."""


@dataclass(frozen=True, slots=True)
class LessonMoment:
    """One thing that happens, as the dealer sees it, and the table after it.

    `wrong`: here something is amiss. `description` does not say so, nor what: a dealer looks at the table, which is
    the `scene` then, with what lies `beside` it; `observation` says it in words.
    """

    description: str
    table: Mapping[str, Any]
    wrong: bool = False
    scene: Mapping[str, Any] | None = None
    beside: tuple[Mapping[str, str], ...] = ()
    observation: str = ""

    def to_json(self) -> dict[str, object]:
        """Write it as the page has it."""
        shown = {"happens": self.description, "table": self.table, "wrong": self.wrong}
        more = {"scene": self.scene, "beside": self.beside, "seen": self.observation}
        return shown | more if self.wrong else shown


@dataclass(frozen=True, slots=True)
class LessonQuestion:
    """A question, its answers, and which of them is right."""

    text: str
    answers: tuple[str, ...]
    right_index: int

    def to_json(self) -> dict[str, object]:
        """Write it as the page has it."""
        return {"asked": self.text, "answers": self.answers, "right": self.right_index}


@dataclass(frozen=True, slots=True)
class PlayedLesson:
    """A lesson as it goes under a book. `remedy_steps`: what the book wants done, step by step.

    `clause`: the deciding one.
    """

    lesson: str
    book: str
    title: str
    game: str
    moments: tuple[LessonMoment, ...]
    kind_question: LessonQuestion
    ruling_question: LessonQuestion
    rulings: tuple[Mapping[str, Any], ...]
    remedy_steps: tuple[str, ...]
    clause: str

    def to_json(self) -> dict[str, object]:
        """Write it as the page has it."""
        return {
            "lesson": self.lesson,
            "book": self.book,
            "title": self.title,
            "game": self.game,
            "moments": [moment.to_json() for moment in self.moments],
            "kind": self.kind_question.to_json(),
            "wants": self.ruling_question.to_json(),
            "rulings": self.rulings,
            "then": self.remedy_steps,
            "clause": self.clause,
        }


def list_lessons(book: str, library: Library | None = None) -> tuple[Lesson, ...]:
    """The lessons of the games that a book plays; raises `LessonNotFoundError` for a book that there is not."""
    library = resolve_library(library)
    if book not in rulebook_file.list_rulebooks(library):
        raise LessonNotFoundError(
            f"there is no rulebook {book}; there are {', '.join(rulebook_file.list_rulebooks(library))}"
        )
    games = rulebook_file.load_rulebook(book, library).games
    return tuple(lesson for lesson in map(lesson_file.load_lesson, lesson_file.list_lessons()) if lesson.game in games)


@lru_cache(maxsize=MAX_CACHED_LESSONS)
def play_lesson(name: str, book: str, library: Library | None = None, language: Language = ENGLISH) -> PlayedLesson:
    """Play a lesson under a book, told in a language; raises `LessonNotFoundError`, which says what there is."""
    library = resolve_library(library)
    there = {lesson.name: lesson for lesson in list_lessons(book, library)}
    if name not in there:
        raise LessonNotFoundError(f"there is no lesson {name} by {book}; there are {', '.join(there)}")
    lesson = there[name]
    seats = [{"seat": seat, "player": f"Seat {seat}", "stack": STARTING_STACK} for seat in LESSON_SEATS]
    line = make_table_line({"ev": "table", "seats": seats, "button": LESSON_SEATS[0]}, lesson.game, book, library)
    played = _LessonTable(Table(), line, library, language)
    try:
        moments = [*played.play_regular_moments(lesson)]
        wrong = played.play_wrong_moment(lesson, moments[-1])
        moments = [*(moments if wrong.is_news else moments[:-1]), wrong.moment]
    except Refused as why:
        raise LessonNotFoundError(f"{name} cannot be played by {book}: {why.message}") from None
    ruled = played.outcome
    rulings = [ruling for ruling in outcome_rendering.render_outcome(ruled, 0)["rulings"] if ruling["cite"]]
    if not rulings:
        raise LessonNotFoundError(f"by {book} nothing is ruled on in {name}")
    return PlayedLesson(
        lesson=lesson.name,
        book=ruled.state.setup.rulebook.title,
        title=language.translate(lesson.title),
        game=ruled.state.setup.game.title,
        moments=tuple(moments),
        kind_question=_make_question(
            language.translate("What went wrong?"),
            language.translate(lesson.title),
            _list_other_titles(lesson, played, language),
        ),
        ruling_question=_make_question(
            language.translate("What does the book want?"),
            _describe_outcome(ruled, language),
            _list_other_answers(played, book, library, language),
        ),
        rulings=tuple(rulings),
        remedy_steps=tuple(
            step["text"]
            for step in add_instructions(outcome_rendering.render_outcome(ruled, 0)["next"][:MAX_ANSWERS], language)
        ),
        clause=str(rulings[0]["cite"][0]).split("#")[0],
    )


@dataclass(frozen=True, slots=True)
class _WrongMoment:
    """What goes wrong; `is_news`: a card or an act comes with it, and not only a look at what has happened."""

    moment: LessonMoment
    is_news: bool


def _find_deciding(outcome: Outcome) -> tuple[object, ...]:
    """By what rulings of a book are told from each other: verdicts, clauses, what is done next."""
    line = outcome_rendering.render_outcome(outcome, 0)
    rulings = [(ruling["verdict"], tuple(ruling["cite"])) for ruling in line["rulings"]]
    return (*rulings, *map(str, line["next"]))


class _LessonTable:
    """The table of a lesson, and how it stood when something was ruled on."""

    def __init__(self, table: Table, line: Mapping[str, Any], library: Library, language: Language) -> None:
        self._table = table
        self._language = language
        opened = parse_table_line({**line, "ev": "table"}, library)
        table.handle(opened)
        cards = build_deck(opened.setup.deck_size, opened.setup.has_joker)
        self._cards = iter([cards[(number * CARD_STRIDE) % len(cards)] for number in range(len(cards))])
        self.state_before: TableState = table.outcome.state
        self.state_before_wrong: TableState = self.state_before
        self.last_event: Event | None = None
        self._dealt_cards: list[str] = []

    @property
    def outcome(self) -> Outcome:
        return self._table.outcome

    def play_regular_moments(self, lesson: Lesson) -> Iterator[LessonMoment]:
        for word, count in lesson.setup_actions:
            if word == "calls":
                first = True
                while first or self._next_step()["step"] == "act":
                    yield self._play_moment("call")
                    first = False
            elif word == "pats":
                while self._next_step()["step"] == "draw":
                    yield self._play_moment("draw", 0)
            elif word == "burn":
                if self._next_step()["step"] == word:
                    yield self._play_moment("deal")
            else:
                for _ in range(count if word == "deal" else 1):
                    yield self._play_moment(word, count)

    def play_wrong_moment(self, lesson: Lesson, last: LessonMoment) -> "_WrongMoment":
        """Go wrong. What is only seen belongs to the `last` regular moment, as which it is told."""
        due, (first, *_) = self._next_step(), lesson.script_lines
        self.state_before_wrong, before = self._table.outcome.state, self._render_shown()
        for line in lesson.script_lines:
            self._apply_line(line)
        say = self._language.translate
        match first:
            case {"ev": "act", "seat": seat, "do": do}:
                said = say("Seat {seat}: {act}", seat=seat, act=format_label(do, self._language))
            case {"ev": "card"}:
                said = format_instruction(due, self._language)
            case _:
                said = last.description
        moment = LessonMoment(
            said,
            self._render_shown(),
            wrong=True,
            scene=draw_scene(before, lesson, self._dealt_cards),
            beside=list_cards_beside(lesson, self._dealt_cards),
            observation=say(lesson.observation),
        )
        return _WrongMoment(moment, is_news=first["ev"] in ("act", "card"))

    def _render_shown(self) -> Mapping[str, Any]:
        return outcome_rendering.render_outcome(self._table.outcome, 0, live=True)

    def find_ruling_of(self, lesson: Lesson) -> tuple[object, ...] | None:
        """What the book would want had that lesson gone wrong at this table; nothing where it could not have."""
        table, cards = Table.from_memory(TableMemory(self.state_before_wrong)), iter(self._dealt_cards[::-1])
        try:
            for line in lesson.script_lines:
                card = {"card": next(cards, None), **line} if line["ev"] == "card" else dict(line)
                table.handle(script_lines.parse_line(card))
        except (Refused, KeyError):
            return None
        return _find_deciding(table.outcome)

    def _play_moment(self, word: str, count: int = 1) -> LessonMoment:
        due = self._next_step()
        line: dict[str, object]
        say = self._language.translate
        match word:
            case "start":
                said, line = say("You start the hand"), {"ev": "start"}
            case "deal":
                said, line = format_instruction(due, self._language), {"ev": "card"}
            case "up":
                said, line = say("A card comes with its face up; it is put aside"), {"ev": "card", "face": "up"}
            case "call":
                do = (
                    "check" if "check" in due["options"] else "call" if "call" in due["options"] else due["options"][-1]
                )
                said = say("Seat {seat}: {act}", seat=due["seat"], act=format_label(do, self._language))
                line = {"ev": "act", "seat": due["seat"], "do": do}
            case "draw":
                said = say("Seat {seat} draws {count}", seat=due["seat"], count=count)
                line = {"ev": "draw", "seat": due["seat"], "discard": count}
            case _:
                said, line = format_instruction(due, self._language), {"ev": "done"}
        self._apply_line(line)
        return LessonMoment(said, outcome_rendering.render_outcome(self._table.outcome, 0, live=True))

    def _next_step(self) -> Mapping[str, Any]:
        steps: list[Mapping[str, Any]] = outcome_rendering.render_outcome(self._table.outcome, 0)["next"]
        return steps[0] if steps else {"step": "start"}

    def _apply_line(self, line: Mapping[str, Any]) -> None:
        full = {"card": next(self._cards), **line} if line["ev"] == "card" else dict(line)
        if line["ev"] == "card":
            self._dealt_cards.append(str(full["card"]))
        self.state_before, self.last_event = self._table.outcome.state, script_lines.parse_line(full)
        self._table.handle(self.last_event)


def _make_question(asked: str, right: str, others: Sequence[str]) -> LessonQuestion:
    offered = [right, *islice((other for other in dict.fromkeys(others) if other != right), MAX_ANSWERS - 1)]
    answers = tuple(sorted(offered))
    return LessonQuestion(asked, answers, answers.index(right))


def _list_other_titles(lesson: Lesson, played: _LessonTable, language: Language) -> list[str]:
    """What else could have gone wrong: titles of other lessons, beginning behind this one in the list.

    None that the book does not tell from this: which at the same table has the same rulings and the same steps.
    """
    own, lessons = _find_deciding(played.outcome), list(map(lesson_file.load_lesson, lesson_file.list_lessons()))
    alike = {other.title for other in lessons if played.find_ruling_of(other) == own}
    titles = list(dict.fromkeys(other.title for other in lessons))
    at = titles.index(lesson.title)
    return [language.translate(title) for title in (*titles[at + 1 :], *titles[:at]) if title not in alike]


def _describe_outcome(outcome: Outcome, language: Language) -> str:
    """What a book wants, in a line: its verdict, and what is done next."""
    line = outcome_rendering.render_outcome(outcome, 0)
    ruled = line["rulings"]
    verdict = (
        _capitalize(format_label(ruled[0]["verdict"], language)) if ruled else language.translate("Nothing to rule on")
    )
    steps = line["next"]
    return _format_outcome(verdict, format_instruction(steps[0], language), language) if steps else f"{verdict}."


def _find_kind(outcome: Outcome) -> tuple[str, ...]:
    """What of an answer is asked: its verdict, and what kind of step comes next; in which pile it ends no book asks."""
    line = outcome_rendering.render_outcome(outcome, 0)
    return (*(ruling["verdict"] for ruling in line["rulings"][:1]), *(step["step"] for step in line["next"][:1]))


def _format_outcome(verdict: str, step: str, language: Language) -> str:
    return language.translate("{verdict}. Next: {step}", verdict=verdict, step=step)


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]


def _list_other_answers(played: _LessonTable, book: str, library: Library, language: Language) -> list[str]:
    """What other books want at the same table, and then what is usual."""
    assert played.last_event is not None
    game = played.state_before.setup.game.name
    found: list[str] = []
    told = {_find_kind(played.outcome)}
    for name in rulebook_file.list_rulebooks(library):
        other = rulebook_file.load_rulebook(name, library)
        if name == book or game not in other.games:
            continue
        try:
            answer = other_rulebook.handle_under_rulebook(other, played.state_before, played.last_event)
        except (Refused, KeyError):
            continue
        if _find_kind(answer) not in told:
            told.add(_find_kind(answer))
            found.append(_describe_outcome(answer, language))
    said = {answer.partition(".")[0] for answer in (*found, _describe_outcome(played.outcome, language))}
    due = outcome_rendering.render_outcome(Outcome(played.state_before), 0)["next"][:1] or [{"step": "start"}]
    first = {Verdict.MISDEAL: MISDEAL_STEP}
    usual = {
        _capitalize(format_label(verdict.value, language)): format_instruction(first.get(verdict, due[0]), language)
        for verdict in USUAL_VERDICTS
    }
    return [
        *found,
        *(_format_outcome(verdict, step, language) for verdict, step in usual.items() if verdict not in said),
    ]
