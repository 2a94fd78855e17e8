"""Reads a rulebook: a TOML file with a key a question, each `{ is = …, cite = "…" }`.

Refuses a key that is unknown, missing or uncited, a value that is no answer, and a clause that the catalogue does not
have. A house's own book says `based_on = "roberts-7"` and lists only what differs; one level, no more.
"""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import tomli

from config.errors import ConfigError
from config.folders import Library, library_of, names_in, naming_the_package, path_in
from config.lines import Lines
from config.toml_file import read_toml
from controller.core.rules.questions.rule import Asked, Rule, questions_of
from controller.core.rules.rulebook import FORM_SECTIONS, SECTIONS, Fallback, Rulebook
from controller.core.values.value import Value, replace

FOLDER = Path(__file__).parent / "rulebooks"
CATALOGUE = FOLDER / "catalogue.csv"
HEAD = ("title", "code", "games", "fallback", "based_on")
FALLBACK = ("book", "cite", "binds")


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in the file of a book something stands; its line is looked for when somebody is told."""

    path: Path
    lines: Lines
    keys: tuple[str, ...]

    def error(self, what: str) -> ConfigError:
        """A message about it."""
        return ConfigError(self.path, self.lines.of(*self.keys), ".".join(self.keys), what)


def names(library: Library | None = None) -> tuple[str, ...]:
    """The rulebooks that there are, the house's own among them."""
    return names_in(FOLDER, library_of(library).folders("rulebooks"))


def path_of(name: str, library: Library | None = None) -> Path:
    """The file of the rulebook of that name."""
    return path_in(FOLDER, library_of(library).folders("rulebooks"), name)


def catalogues(library: Library | None = None) -> tuple[Path, ...]:
    """The files that list the clauses which books cite: the program's, and those of house and packages."""
    beside = (directory / CATALOGUE.name for directory in library_of(library).directories())
    return (CATALOGUE, *(path for path in beside if path.is_file()))


def clauses(library: Library | None = None) -> dict[str, str]:
    """Every id of the catalogue and its clause as printed, with the code of its book."""
    return _clauses(catalogues(library))


@cache
def _clauses(paths: tuple[Path, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for path in paths:
        with path.open(encoding="utf-8", newline="") as file:
            for number, row in enumerate(csv.reader(file), start=1):
                if len(row) < 3 or (row[0] in found and number > 1):
                    raise ConfigError(path, number, "", "wants id, book, clause, and each id once in all catalogues")
                found[row[0]] = f"{row[1]}, {row[2]}"
    return found


def load(name: str, library: Library | None = None) -> Rulebook:
    """The rulebook of that name."""
    return _load(name, library_of(library))


@cache
def _load(name: str, library: Library) -> Rulebook:
    with naming_the_package(library):
        return read(path_of(name, library), library)


@cache
def offer_of(name: str, library: Library) -> tuple[str, tuple[str, ...]]:
    """The title and the games of a rulebook, from the head of its file: a fiftieth of what the whole takes to read."""
    try:
        text = path_of(name, library).read_text(encoding="utf-8")
        head = tomli.loads(text.split("\n[", 1)[0])
        games = head["games"] if "games" in head else offer_of(head["based_on"], library)[1]
        return str(head["title"]), tuple(map(str, games))
    except (OSError, ValueError, KeyError, TypeError):  # which of these it is, is said by whoever reads it whole
        book = load(name, library)
        return book.title, book.games


def read(path: Path, library: Library | None = None) -> Rulebook:
    """Read one file; raises `ConfigError`."""
    known_clauses = clauses(library)
    text, data = read_toml(path)
    lines = Lines(text)
    base = None
    if "based_on" in data:
        others = [name for name in names(library) if name != path.stem]
        if data["based_on"] not in others:
            raise ConfigError(path, lines.of("based_on"), "based_on", f"one of {', '.join(others)} is wanted")
        base = _base(path, lines, data["based_on"], library)
    for key in data:
        if key not in HEAD and key not in SECTIONS and key not in FORM_SECTIONS:
            known = ", ".join((*HEAD, *SECTIONS, *FORM_SECTIONS))
            raise ConfigError(path, lines.of(key), key, f"no such key or table; there are {known}")
    sections: dict[str, Any] = {
        name: _section(path, lines, known_clauses, (name,), kind, data.get(name, {}), getattr(base, name, None))
        for name, kind in SECTIONS.items()
    }
    for name, kind in FORM_SECTIONS.items():
        inherited: Mapping[str, Any] = getattr(base, name, {})
        forms = data.get(name, {})
        sections[name] = {
            form: _section(path, lines, known_clauses, (name, form), kind, forms.get(form, {}), inherited.get(form))
            for form in (*inherited, *(form for form in forms if form not in inherited))
        }
    head = {key: _head(path, lines, data, key, base) for key in ("title", "code")}
    games = tuple(data.get("games", base.games if base else ()))
    if not games:
        raise ConfigError(path, 1, "games", "missing: the list of games that the book has rules for")
    chain = _fallbacks(path, lines, known_clauses, data["fallback"], library) if "fallback" in data else None
    fallback = chain if chain is not None else base.fallback if base else ()
    return Rulebook(path.stem, head["title"], head["code"], games, fallback, **sections)


def _base(path: Path, lines: Lines, name: str, library: Library | None) -> Rulebook:
    """The book that another is based on: one that stands alone, so that every answer has a book that gives it."""
    _, data = read_toml(path_of(name, library))
    further = data.get("based_on")
    if further is None:
        return load(name, library)
    told = "this one: neither says what both leave open" if further == path.stem else f"{further!r}"
    raise ConfigError(
        path,
        lines.of("based_on"),
        "based_on",
        f"{name!r} is itself based on {told}; a book is based on one that stands alone",
    )


def _fallbacks(
    path: Path, lines: Lines, known_clauses: Mapping[str, str], entries: object, library: Library | None
) -> tuple[Fallback, ...]:
    """Which books answer where this one is silent, in that order."""
    place = _Place(path, lines, ("fallback",))
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise place.error('wants [{ book = "…", cite = "…" }, …], the first to be asked first')
    others = [name for name in names(library) if name != path.stem]
    chain: list[Fallback] = []
    for entry in entries:
        for part in entry:
            if part not in FALLBACK:
                known = ", ".join(FALLBACK)
                raise place.error(f"no such part `{part}`; there are {known}")
        book, binds, cite = entry.get("book"), entry.get("binds", False), entry.get("cite", ())
        if book not in others or book in {each.book for each in chain}:
            raise place.error(f"`book` is one of {', '.join(others)}, each once, not {book!r}")
        if not isinstance(binds, bool):
            raise place.error("`binds` is true or false")
        cites = (cite,) if isinstance(cite, str) else tuple(cite)
        for clause in cites:
            if clause not in known_clauses:
                raise place.error(f"{clause!r} is no id in {CATALOGUE.name}; a new rule needs a row")
        if binds and not cites:
            raise place.error(f"uncited: name the clause by which {book!r} binds")
        chain.append(Fallback(book, binds, cites, known_clauses[cites[0]] if cites else ""))
    return tuple(chain)


def _head(path: Path, lines: Lines, data: Mapping[str, Any], key: str, base: Rulebook | None) -> str:
    value = data.get(key, getattr(base, key) if base else None)
    if not isinstance(value, str):
        raise ConfigError(path, lines.of(key), key, "missing: a text is wanted")
    return value


def _section(
    path: Path,
    lines: Lines,
    known_clauses: Mapping[str, str],
    at: tuple[str, ...],
    kind: type[Value],
    table: Mapping[str, Any],
    base: object | None,
) -> Any:  # noqa: ANN401 (one of the kinds of SECTIONS)
    known = {_key(name): (name, question) for name, question in questions_of(kind).items()}
    for key in table:
        if key not in known:
            raise _Place(path, lines, (*at, key)).error(f"no such key; there are {', '.join(known)}")
    values = {}
    for key, (name, question) in known.items():
        place = _Place(path, lines, (*at, key))
        if key in table:
            values[name] = _rule(place, known_clauses, table[key], question)
        elif base is not None:
            values[name] = getattr(base, name)
        else:
            raise place.error(f"missing. {question['question']} {accepted(question)}")
    return kind(**values)


def _rule(place: _Place, known_clauses: Mapping[str, str], entry: object, question: Asked) -> Rule[object]:
    if not isinstance(entry, dict) or "is" not in entry:
        raise place.error('wants { is = …, cite = "…" }')
    for part in entry:
        if part not in ("is", "cite", "by_default"):
            raise place.error(f"no such part `{part}`; there are is, cite, by_default")
    cite = entry.get("cite", ())
    cites = (cite,) if isinstance(cite, str) else tuple(cite)
    if not cites:
        raise place.error(f"uncited: name the clause that gives it, by its id in {CATALOGUE.name}")
    for clause in cites:
        if clause not in known_clauses:
            raise place.error(f"{clause!r} is no id in {CATALOGUE.name}; a new rule needs a row")
    default = entry.get("by_default", False)
    if not isinstance(default, bool):
        raise place.error("by_default is true or false")
    try:
        said = answer(entry["is"], question)
    except ValueError as why:
        raise place.error(str(why)) from None
    return Rule(said, cites, known_clauses[cites[0]], default)


def answer(value: object, question: Asked) -> object:
    """What a value of a file stands for; raises `ValueError` when it is none of the answers."""
    if "answers" in question:
        if not isinstance(value, str) or value not in question["answers"]:
            raise ValueError(f"{value!r} is no answer. {accepted(question)}")
        return question["answers"][value]
    if type(value) is not question["type"] or (type(value) is int and value < 0):
        raise ValueError(f"{value!r} is no answer. {accepted(question)}")
    return value


def accepted(question: Asked) -> str:
    """What may be answered to a question, as a sentence."""
    if "answers" in question:
        return f"Answers: {', '.join(question['answers'])}."
    return "A whole number from 0 is wanted." if question["type"] is int else "true or false is wanted."


def questions() -> dict[str, Asked]:
    """Every key of a rulebook file, dotted (`betting.reopens`, `exposed.FORM.one`), and what it asks."""
    tables = {**SECTIONS, **{f"{name}.FORM": kind for name, kind in FORM_SECTIONS.items()}}
    return {f"{at}.{_key(name)}": asked for at, kind in tables.items() for name, asked in questions_of(kind).items()}


def _key(field: str) -> str:
    return field.replace("_", "-")


def with_house(book: Rulebook, house: Mapping[str, object]) -> Rulebook:
    """The book with single answers replaced (`"betting.reopens": "by-any-raise"`).

    Raises `LookupError` for an unknown key, `ValueError` for what is no answer.
    """
    for dotted, value in house.items():
        book = _with_answer(book, dotted, value)
    return book


def _with_answer(book: Rulebook, dotted: str, value: object) -> Rulebook:
    name, *form = dotted.split(".")
    key = form.pop() if form else ""
    section = getattr(book, name, None) if name in SECTIONS or name in FORM_SECTIONS else None
    if name in FORM_SECTIONS and section is not None:
        section = section.get(form[0]) if form else None
    asked = questions_of(type(section)) if section is not None and len(form) < 2 else {}
    known = {_key(field): (field, question) for field, question in asked.items()}
    if key not in known or (name in FORM_SECTIONS) != bool(form):
        raise LookupError(f"`house` has no key {dotted!r}; there are {', '.join(questions())}")
    field, question = known[key]
    assert section is not None
    old = getattr(section, field)
    try:
        new = replace(old, value=answer(value, question))
    except ValueError as error:
        raise ValueError(f"`house` cannot have {value!r} for {dotted!r}. {accepted(question)}") from error
    changed: Any = replace(section, **{field: new})
    if form:
        changed = {**getattr(book, name), form[0]: changed}
    return replace(book, **{name: changed})
