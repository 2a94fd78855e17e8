"""Reads `.scn` files: beginnings, stories, their tables of cases, and what each line plays and expects."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from config.rulebook_file import list_rulebooks
from controller.cli.rules.rule_coverage import parse_story_title
from tests.notation.expectations import Expectation, list_clauses
from tests.notation.play import TABLE, make_table_line, parse_phrase, parse_table
from tests.notation.words import NotationError, split

PLACEHOLDER = re.compile(r"<([a-z][\w-]*)>")


@dataclass(frozen=True)
class ScenarioLine:
    """A script line, what is expected of its answer, and the line of the file that says so."""

    event: dict[str, Any]
    expectation: Expectation
    where: str
    text: str

    @property
    def scenario_line(self) -> dict[str, Any]:
        """The line of a conformance scenario."""
        expect = self.expectation.to_expect()
        return self.event | ({"expect": expect} if expect else {})


@dataclass
class Script:
    """The lines of one table, and after how many of them a beginning ends that others may share."""

    lines: list[ScenarioLine]
    shared: list[int] = field(default_factory=list)
    unwatched: frozenset[str] = frozenset()
    """Invariants that do not hold here: where a deck has cards that nobody knew of, its count is not kept."""


@dataclass
class StoryLine:
    """A line of the file: its number, how deep it stands, its text."""

    number: int
    depth: int
    text: str


@dataclass
class Block:
    """A story or a beginning: its first line and what stands below it."""

    head: StoryLine
    lines: list[StoryLine] = field(default_factory=list)


@dataclass
class Beginning:
    """Lines that many stories begin with: what the table is, and what is played on it; each with its file."""

    table: dict[str, Any]
    lines: list[tuple[Path, StoryLine]]
    shared: list[int]
    is_used: bool = False


class StoryFile:
    """A file of stories; `cases` plays nothing."""

    def __init__(self, path: Path) -> None:
        """Read a file; raises `NotationError` with its name and line."""
        self.path = path
        self.beginnings: dict[str, Beginning] = {}
        self.stories: list[Block] = []
        self.books: list[str] = []
        for block in _read_blocks(path):
            with _LineContext(path, block.head):
                self._take(block)
        own = {name for name, beginning in self.beginnings.items() if beginning.lines and beginning.lines[0][0] == path}
        self.cases = [case for story in self.stories for case in self._read_cases(story)]
        ids = [name for name, _ in self.cases]
        for name in ids:
            if ids.count(name) > 1:
                raise NotationError(f"{path}: two cases are called {name}")
        for name in own if self.stories else ():
            if not self.beginnings[name].is_used:
                raise NotationError(f"{path}: no story begins with {name}")

    def _take(self, block: Block) -> None:
        word, _, rest = block.head.text.partition(" ")
        if word == "use" and not block.lines:
            self.beginnings |= _read_shared(self.path.parent / f"{rest}.scn")
        elif word == "under" and not block.lines:
            self.books = _read_books(rest)
        elif word == "given":
            if rest in self.beginnings:
                raise NotationError(f"given {rest}: it is there already")
            self.beginnings[rest] = self._begin([(self.path, line) for line in block.lines])
        else:
            self.stories.append(block)

    def _begin(self, lines: list[tuple[Path, StoryLine]]) -> Beginning:
        (path, first), *rest = lines
        opening, *played = split(first.text, ";")
        rest = [*((path, StoryLine(first.number, 1, clause)) for clause in played), *rest]
        table, above = self._open(opening)
        if above is None:
            return Beginning(table, rest, [_count_events(rest)])
        return Beginning(table, above.lines + rest, [*above.shared, _count_events(above.lines + rest)])

    def _open(self, text: str) -> tuple[dict[str, Any], Beginning | None]:
        """The table that a `table` or a `given` line opens, and the beginning that it goes on from."""
        words = split(text, " ")
        if words[0] == "table":
            return parse_table(words[1:], TABLE), None
        name = " ".join(word for word in words[1:] if "=" not in word)
        if words[0] != "given" or name not in self.beginnings:
            raise NotationError(f"{text}: a story begins with `table` or with one of: {', '.join(self.beginnings)}")
        self.beginnings[name].is_used = True
        return parse_table([word for word in words if "=" in word], self.beginnings[name].table), self.beginnings[name]

    def _read_cases(self, story: Block) -> Iterator[tuple[str, list[Script]]]:
        with _LineContext(self.path, story.head):
            title, clauses = parse_story_title(story.head.text)
            if unknown := set(clauses) - list_clauses():
                raise NotationError(f"{', '.join(sorted(unknown))}: no clause of the catalogue")
        books, rows, lines, unwatched = self.books, [], [], frozenset[str]()
        for line in story.lines:
            with _LineContext(self.path, line):
                if line.text.startswith("under "):
                    books = _read_books(line.text.removeprefix("under "))
                elif line.text.startswith("unwatched "):
                    unwatched = frozenset(split(line.text.removeprefix("unwatched "), ","))
                elif line.text.startswith("|"):
                    rows.append([cell.strip() for cell in line.text.strip("|").split("|")])
                else:
                    lines.append(line)
        with _LineContext(self.path, story.head):
            cases = list(_list_cases(rows, books, " ".join(line.text for line in lines)))
            if not lines or not cases:
                raise NotationError("a story needs lines, and the books that it is played under")
        for name, book, cells in cases:
            scripts = list(self._read_scripts(lines, book, cells))
            yield f"{title}[{name}]", [replace(script, unwatched=unwatched) for script in scripts]

    def _read_scripts(self, lines: list[StoryLine], book: str, cells: dict[str, str]) -> Iterator[Script]:
        script: Script | None = None
        for line in lines:
            with _LineContext(self.path, line):
                opening, *played = split(line.text, ";")
                if opening.split(" ")[0] not in ("given", "table") or line.depth > 1:
                    if script is None:
                        raise NotationError(f"{line.text}: a story begins with `table` or `given`")
                    _add(script, self.path, line, cells)
                    continue
                if script:
                    yield script
                table, above = self._open(_fill(opening, cells))
                where = f"{self.path}:{line.number}"
                opened = ScenarioLine(make_table_line(table, book), Expectation(), where, line.text)
                script = Script([opened], [1 + count for count in (above.shared if above else [0])])
                for path, earlier in above.lines if above else []:
                    _add(script, path, earlier, cells)
                for clause in played:
                    _add(script, self.path, StoryLine(line.number, 1, clause), cells)
        if script:
            yield script


class _LineContext:
    """What is wrong inside is said with the file and the line."""

    def __init__(self, path: Path, line: StoryLine) -> None:
        self.where = f"{path}:{line.number}"

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: object, _trace: object) -> None:
        if isinstance(error, NotationError) and error.args[0].startswith("/"):
            return
        if isinstance(error, (ValueError, IndexError)):
            raise NotationError(f"{self.where}: {error}") from error


def _add(script: Script, path: Path, line: StoryLine, cells: dict[str, str]) -> None:
    for clause in split(line.text, ";"):
        filled = _fill(clause, cells)
        if not filled:
            continue
        if line.depth == 1:
            for event in parse_phrase(filled):
                script.lines.append(ScenarioLine(event, Expectation(), f"{path}:{line.number}", line.text))
        else:
            script.lines[-1].expectation.add(filled)


def _fill(text: str, cells: dict[str, str]) -> str:
    """A clause with the cells of a case; none, where one of them is empty."""
    for name in PLACEHOLDER.findall(text):
        if name not in cells:
            raise NotationError(f"<{name}>: the story has no such column")
        if not cells[name]:
            return ""
        text = text.replace(f"<{name}>", cells[name])
    return text


def _list_cases(rows: list[list[str]], books: list[str], text: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Each case of a story: its name, its book, and its cells by their columns."""
    if not rows:
        yield from ((book, book, {}) for book in books)
        return
    columns, *rest = rows
    used = {*PLACEHOLDER.findall(text), "book"}
    for column in columns:
        if column not in used:
            raise NotationError(f"{column}: no line uses this column")
    for row in rest:
        if len(row) != len(columns):
            raise NotationError(f"| {' | '.join(row)} |: the table has {len(columns)} columns")
        cells = dict(zip(columns, row, strict=True))
        for book in _read_books(cells["book"]) if "book" in cells else books:
            is_alone = "book" in cells and sum(book in other[columns.index("book")] for other in rest) == 1
            yield book if is_alone else " ".join([book, *(cell for cell in row if cell not in ("", book))]), book, cells


def _read_books(text: str) -> list[str]:
    books = [book.strip() for book in text.split(",")]
    if unknown := set(books) - set(list_rulebooks()):
        raise NotationError(f"{', '.join(sorted(unknown))}: no rulebook")
    return books


def _count_events(lines: list[tuple[Path, StoryLine]]) -> int:
    return sum(len(parse_phrase(clause)) for _, line in lines if line.depth == 1 for clause in split(line.text, ";"))


def _read_blocks(path: Path) -> list[Block]:
    blocks: list[Block] = []
    for number, raw in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        depth, text = len(raw) - len(raw.lstrip()), raw.strip()
        if not text or text.startswith("#"):
            continue
        line = StoryLine(number, depth // 2, text)
        if depth % 2 or depth > 4 or (depth and not blocks):
            raise NotationError(f"{path}:{number}: a title stands at the margin, play 2 and what is expected 4 deep")
        if depth:
            blocks[-1].lines.append(line)
        elif blocks and not blocks[-1].lines and not blocks[-1].head.text.startswith(("use ", "under ")):
            blocks[-1].head.text += f" {text}"
        else:
            blocks.append(Block(line))
    return blocks


@cache
def _read_shared(path: Path) -> dict[str, Beginning]:
    """The beginnings of a file that has nothing else."""
    shared = StoryFile.__new__(StoryFile)
    shared.path, shared.beginnings, shared.stories, shared.books = path, {}, [], []
    for block in _read_blocks(path):
        with _LineContext(path, block.head):
            shared._take(block)
    if shared.stories:
        raise NotationError(f"{path}:{shared.stories[0].head.number}: a file that others use has beginnings only")
    return shared.beginnings
