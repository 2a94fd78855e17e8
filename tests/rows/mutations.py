"""What is broken for a row of the catalogue, by the row's own rule.

A book's answer that cites the row becomes each other answer that is legal there. For a row that no answer cites, it is
the line of code or of a game, a schedule, a paying table that does what the row says: `breaks.toml` names it.
"""

import csv
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from config.rulebook_file import CATALOGUE_FILE, list_rulebooks, load_rulebook
from controller.cli.rules.rule_coverage import CatalogueRow, find_tests, iter_catalogue_rows, read_reasons
from controller.cli.rules.rulebook_comparison import iter_answers
from controller.core.rules.questions.rule import PEOPLE_ONLY, Asked, Rule

ROOT = Path(__file__).parents[2]
BREAKS_FILES = (Path(__file__).with_name("breaks.toml"), ROOT / "tests/docs/collection_mutations.toml")
UNDERIVABLE_FILE = Path(__file__).with_name("underivable.csv")
SCHEDULE_PREFIX = "FC-10.sched."

CLAUSE_KEYS = (
    "wagers.word",
    "wagers.least",
    "wagers.over-pot",
    "wagers.pot-chip-raise",
    "wagers.last-chips",
    "wagers.prior",
    "floor.corrected",
    "clock.shot",
    "kill.one",
    "tournament.mover-otherwise",
    "procedure.FORM.misread",
)
"""Answers of which the program reads the clause alone: it is the clause that is changed."""

FIRST_ROWS = ("WSOP-L-79", "WSOP-L-80", "TDA-46")
"""Rows that once counted by tests that played something else: every sample has them, whatever their kind."""

HERE = "<here>"
"""Where `after` of a break asks whether the table plays a game of the row."""

GAMES_BY_WORD = {
    "holdem": ("holdem",),
    "omaha": ("omaha",),
    "omaha8": ("omaha-8",),
    "draw-high": ("draw-high",),
    "manila2": ("manila-2",),
    "manila3": ("manila-3",),
    "stud5": ("stud-5",),
    "stud7": ("stud-7",),
    "stud8": ("stud-8",),
    "razz": ("razz",),
    "lowball-a5": ("lowball-a5",),
    "lowball-27": ("lowball-27",),
}
"""The games that the catalogue's column of games names."""


@dataclass(frozen=True)
class AnswerChange:
    """The answer `answer` to `key` in these books in place of theirs; `None`: by another clause."""

    books: tuple[str, ...]
    key: str
    answer: str | int | bool | None


@dataclass(frozen=True)
class TextChange:
    """`after` in place of `before` in a file of the tree, where it stands once."""

    file: str
    before: str
    after: str


Change = AnswerChange | TextChange


@dataclass(frozen=True)
class Claim:
    """What a row says of one place, and the changes of which one at least must turn a test of the row red.

    `name` is the key of a rulebook, or what is broken in words. `decides`: the row is the first that an answer cites,
    or the place does nothing else; where another clause decides, the row only adds to it.
    """

    row: str
    name: str
    changes: tuple[Change, ...]
    decides: bool


@dataclass(frozen=True)
class Break:
    """A place of the tree that does what the rows of these ids (or patterns of ids) say, and how it is broken."""

    rows: tuple[str, ...]
    broken: str
    change: TextChange

    def is_of(self, row: str) -> bool:
        """Whether it breaks what this row says."""
        return any(fnmatchcase(row, pattern) for pattern in self.rows)


def list_rows() -> tuple[CatalogueRow, ...]:
    """The rows that the program enforces, and those that every sample has."""
    return tuple(row for row in iter_catalogue_rows() if row.kind == "enforce" or row.id in FIRST_ROWS)


@cache
def read_breaks() -> tuple[Break, ...]:
    """The breaks that are written down."""
    entries = [entry for file in BREAKS_FILES for entry in tomllib.loads(file.read_text(encoding="utf-8"))["mutation"]]
    return tuple(
        Break(tuple(each["rows"]), each["broken"], TextChange(each["file"], each["before"], each["after"]))
        for each in entries
    )


def read_underivable() -> dict[str, str]:
    """Rows of which nothing can be broken that a test here could notice, with the reason."""
    return read_reasons(UNDERIVABLE_FILE)


@cache
def list_citations() -> Mapping[str, tuple[tuple[str, str, Rule[object], Asked], ...]]:
    """For each row the answers that cite it on their own: book, key, answer, what is asked."""
    found: dict[str, list[tuple[str, str, Rule[object], Asked]]] = {}
    for book in list_rulebooks():
        for key, rule, asked in iter_answers(load_rulebook(book)):
            for row in () if rule.by_default else rule.cite:
                found.setdefault(row, []).append((book, key, rule, asked))
    return {row: tuple(citations) for row, citations in found.items()}


def list_claims(row: str) -> Iterator[Claim]:
    """What a row says, place by place; nothing where nothing of it can be derived."""
    citations = list_citations().get(row, ())
    for key in dict.fromkeys(key for _, key, _, _ in citations):
        said = [(book, rule, asked) for book, at, rule, asked in citations if at == key]
        _, rule, asked = said[0]
        if asked.get(PEOPLE_ONLY):
            continue
        books = tuple(book for book, _, _ in said)
        answers = (None,) if name_question(key) in CLAUSE_KEYS else list_other_answers(rule, asked)
        changes = tuple(AnswerChange(books, key, answer) for answer in answers)
        if changes:
            yield Claim(row, key, changes, any(rule.cite[0] == row for _, rule, _ in said))
    for each in read_breaks():
        if each.is_of(row):
            after = each.change.after.replace(HERE, format_here(row))
            yield Claim(row, each.broken, (replace(each.change, after=after),), decides=True)
    yield from _list_schedule_claims(row)


def name_question(key: str) -> str:
    """The question of a key: one that each form of game answers for itself is the same in all of them."""
    section, *form, field = key.split(".")
    return ".".join((section, *("FORM" for _ in form), field))


def format_here(row: str) -> str:
    """What a line of code asks to know whether the table plays a game of the row; any where it is of none."""
    games = tuple(game for word in read_games()[row].split() for game in GAMES_BY_WORD.get(word, ()))
    return f"(hand.setup.game.name in {games!r})" if games else "True"


@cache
def read_games() -> Mapping[str, str]:
    """What the catalogue says of each row's games."""
    with CATALOGUE_FILE.open(encoding="utf-8", newline="") as lines:
        return {line["id"]: line["game"] for line in csv.DictReader(lines)}


def list_other_answers(rule: Rule[object], asked: Asked) -> Iterator[str | int | bool]:
    """What else may be answered, as a file spells it: each other name, the other switch, some other numbers."""
    value = rule.value
    if isinstance(value, bool):
        yield not value
    elif "answers" in asked:
        yield from (name for name, answer in asked["answers"].items() if answer is not value)
    elif isinstance(value, int) and not isinstance(value, Enum):
        yield from dict.fromkeys(other for other in (value + 1, value - 1, 0, 2 * value + 3) if 0 <= other != value)


def _list_schedule_claims(row: str) -> Iterator[Claim]:
    """A level of a printed schedule is another one, or the break after it."""
    if not row.startswith(SCHEDULE_PREFIX):
        return
    name, _, part = row.removeprefix(SCHEDULE_PREFIX).partition(".")
    file = f"config/schedules/{name}.toml"
    if not (ROOT / file).exists():
        return
    kind, number = part.rstrip("0123456789"), part.lstrip("Lbreak")
    levels = (ROOT / file).read_text(encoding="utf-8").split("\n[[level]]")
    if kind not in ("L", "break") or not number.isdecimal() or int(number) >= len(levels):
        return
    level = f"\n[[level]]{levels[int(number)]}"
    words = {"L": "big-blind = ", "break": "break = { minutes = "}
    after = level.replace(words[kind], f"{words[kind]}1")
    yield Claim(row, f"{part} of {name} is another", (TextChange(file, level, after),), decides=True)


@cache
def list_tests() -> Mapping[str, tuple[str, ...]]:
    """For each row the tests that count it, as `file::title or name`, from the folder of tests on."""
    return find_tests(ROOT / "tests", [row.id for row in iter_catalogue_rows()])[0]


def find_wrong_breaks(breaks: Iterable[Break], rows: Iterable[str]) -> list[str]:
    """What is wrong with the breaks that are written down: a place that is not there once, a row that is nobody's."""
    known = tuple(rows)
    found = []
    for each in breaks:
        text = (ROOT / each.change.file).read_text(encoding="utf-8")
        if (times := text.count(each.change.before)) != 1:
            found.append(f"{each.broken}: {each.change.file} has it {times} times: {each.change.before!r}")
        found += [
            f"{each.broken}: no row of the catalogue is {pattern}"
            for pattern in each.rows
            if not any(fnmatchcase(row, pattern) for row in known)
        ]
    return found


def read_survivors(file: Path) -> dict[str, tuple[str, ...]]:
    """The claims of rows that no test proves yet, by row."""
    with file.open(encoding="utf-8", newline="") as lines:
        found: dict[str, list[str]] = {}
        for line in csv.DictReader(lines):
            found.setdefault(line["id"], []).append(line["claim"])
    return {row: tuple(claims) for row, claims in found.items()}
