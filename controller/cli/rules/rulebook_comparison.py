"""Two rulebooks question by question: both answers with their clauses, and whether they differ."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from controller.core.rules.questions.rule import Asked, Rule, questions_of
from controller.core.rules.rulebook import RULES_CLASS_BY_FORM_SECTION, RULES_CLASS_BY_SECTION, Fallback, Rulebook
from controller.core.values.value import Value

FALLBACK_QUESTION = "Which rulebooks answer where this one is silent?"

SUBJECT_BY_TABLE: Mapping[str, str] = {
    "table": "The game, the button and the blinds",
    "betting": "Betting",
    "showdown": "The showdown",
    "misdeal": "Misdeals",
    "boxed": "Boxed cards",
    "turns": "Acts out of turn",
    "wagers": "Chips and words",
    "clock": "Time called on a player",
    "floor": "What the floor may do",
    "people": "Newcomers, absent and returning players",
    "collection": "What the house takes",
    "tournament": "Tournaments",
    "deck": "The deck",
    "stub": "The stub",
    "kill": "Kill pots",
    "exposed": "Exposed cards",
    "burns": "Missed and surplus burns",
    "board": "Too many cards on the board",
    "premature": "Premature cards",
    "upcards": "Stud",
    "exchange": "The draw",
    "lowball": "Lowball",
    "players": "How many players",
    "counts": "Too many and too few cards",
    "sequence": "Wrong seats",
    "procedure": "Before the first card",
}
"""What each table of a rulebook file is about, in its order."""


def iter_answers(book: Rulebook) -> Iterator[tuple[str, Rule[object], Asked]]:
    """Every key of a book, dotted, with its answer and what its field says of it."""
    for name, kind in RULES_CLASS_BY_SECTION.items():
        yield from _iter_section(name, kind, getattr(book, name))
    for name, kind in RULES_CLASS_BY_FORM_SECTION.items():
        for form, section in getattr(book, name).items():
            yield from _iter_section(f"{name}.{form}", kind, section)


def _iter_section(name: str, kind: type[Value], section: object) -> Iterator[tuple[str, Rule[object], Asked]]:
    for field, question in questions_of(kind).items():
        yield f"{name}.{field.replace('_', '-')}", getattr(section, field), question


def format_answer(rule: Rule[object], question: Asked) -> str:
    """An answer as the file spells it."""
    value = rule.value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Enum):
        return str(value.value)
    if "answers" in question:
        return str(next(name for name, answer in question["answers"].items() if answer is value))
    return str(value)


def format_source(rule: Rule[object]) -> str:
    """The clauses of an answer: by their ids, and the first as printed."""
    return f"{', '.join(rule.cite)} ({rule.source})"


def format_fallbacks(book: Rulebook) -> str:
    """Which books answer where this one is silent, in a sentence without its stop."""
    return ", then ".join(map(_format_fallback, book.fallback)) or "none; the nearest clause of another, by default"


def _format_fallback(fallback: Fallback) -> str:
    how = "whose clauses bind" if fallback.is_binding else "by default"
    return f"{fallback.book} {how}" + (f": {', '.join(fallback.cite)} ({fallback.clause})" if fallback.cite else "")


@dataclass(frozen=True, slots=True)
class BookAnswer:
    """What a book answers: the `value` of its file, and the `source`."""

    value: str
    source: str


@dataclass(frozen=True, slots=True)
class ComparedQuestion:
    """A key that at least one of two books answers: `None` where a book does not, having no such games.

    `subject` is the table of the file, `game_form` the kind of game where it is asked once for each, else empty.
    """

    subject: str
    game_form: str
    key: str
    text: str
    first: BookAnswer | None
    second: BookAnswer | None

    @property
    def is_different(self) -> bool:
        """Whether both answer, and not alike."""
        return self.first is not None and self.second is not None and self.first.value != self.second.value


def compare_rulebooks(first: Rulebook, second: Rulebook) -> list[ComparedQuestion]:
    """Every question that either book answers, by subject; those of the first book first."""
    mine, others = _index_by_key(first), _index_by_key(second)
    found = []
    for key, (text, _) in (others | mine).items():
        table, *form, _ = key.split(".")
        given = tuple(book[key][1] if key in book else None for book in (mine, others))
        found.append(ComparedQuestion(table, ".".join(form), key, text, *given))
    order = list(mine) + [key for key in others if key not in mine]
    place = {key: number for number, key in enumerate(order)}
    return sorted(found, key=lambda each: (list(SUBJECT_BY_TABLE).index(each.subject), place[each.key]))


def _index_by_key(book: Rulebook) -> dict[str, tuple[str, BookAnswer]]:
    return {
        key: (metadata["question"], BookAnswer(format_answer(rule, metadata), format_source(rule)))
        for key, rule, metadata in iter_answers(book)
    }
