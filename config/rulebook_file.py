"""Reads a rulebook: a TOML file with a key a question, each `{ is = …, cite = "…" }`.

A file says what differs. A form's table (`[counts.stud]`) answers first, then the section's `[counts.every]`, then the
book that this one is `based_on` (one level, no more), then, by default, the books of `fallback`.
Refuses a key that is unknown or uncited, a question that nobody answers, a value that is no answer, and a clause that
the catalogue does not have.
"""

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import tomli

from config import game_file
from config.config_error import ConfigError
from config.file_library import Library, find_path, list_names, name_package_in_errors, resolve_library
from config.line_index import LineIndex
from config.toml_file import read_toml
from controller.core.rules.questions.rule import Asked, Rule, questions_of
from controller.core.rules.rulebook import RULES_CLASS_BY_FORM_SECTION, RULES_CLASS_BY_SECTION, Fallback, Rulebook
from controller.core.values.value import Value, replace

FOLDER = Path(__file__).parent / "rulebooks"
CATALOGUE_FILE = FOLDER / "catalogue.csv"
HEAD_KEYS = ("title", "code", "games", "fallback", "based_on")
FALLBACK_KEYS = ("book", "cite", "binds")
EVERY = "every"
"""The table of a section (`[counts.every]`) that answers for each form whose own does not."""


@dataclass(frozen=True, slots=True)
class _KeyLocation:
    """Where in the file of a book something stands; its line is looked for when somebody is told."""

    path: Path
    line_index: LineIndex
    keys: tuple[str, ...]

    def make_error(self, what: str) -> ConfigError:
        """A message about it."""
        return ConfigError(self.path, self.line_index.find_line(*self.keys), ".".join(self.keys), what)


def list_rulebooks(library: Library | None = None) -> tuple[str, ...]:
    """The rulebooks that there are, the house's own among them."""
    return list_names(FOLDER, resolve_library(library).folders("rulebooks"))


def find_rulebook_path(name: str, library: Library | None = None) -> Path:
    """The file of the rulebook of that name."""
    return find_path(FOLDER, resolve_library(library).folders("rulebooks"), name)


def list_catalogues(library: Library | None = None) -> tuple[Path, ...]:
    """The files that list the clauses which books cite: the program's, and those of house and packages."""
    beside = (directory / CATALOGUE_FILE.name for directory in resolve_library(library).directories())
    return (CATALOGUE_FILE, *(path for path in beside if path.is_file()))


def load_clauses(library: Library | None = None) -> dict[str, str]:
    """Every id of the catalogue and its clause as printed, with the code of its book."""
    return _load_clauses(list_catalogues(library))


@cache
def _load_clauses(paths: tuple[Path, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for path in paths:
        with path.open(encoding="utf-8", newline="") as file:
            for number, row in enumerate(csv.reader(file), start=1):
                if len(row) < 3 or (row[0] in found and number > 1):
                    raise ConfigError(path, number, "", "wants id, book, clause, and each id once in all catalogues")
                found[row[0]] = f"{row[1]}, {row[2]}"
    return found


def load_rulebook(name: str, library: Library | None = None) -> Rulebook:
    """The rulebook of that name."""
    return _load_cached(name, resolve_library(library))


@cache
def _load_cached(name: str, library: Library) -> Rulebook:
    with name_package_in_errors(library):
        return _build_rulebook(_load_source(name, library), library)


@cache
def read_title_and_games(name: str, library: Library) -> tuple[str, tuple[str, ...]]:
    """The title and the games of a rulebook, from the head of its file: a fiftieth of what the whole takes to read."""
    try:
        text = find_rulebook_path(name, library).read_text(encoding="utf-8")
        head = tomli.loads(text.split("\n[", 1)[0])
        games = head["games"] if "games" in head else read_title_and_games(head["based_on"], library)[1]
        return str(head["title"]), tuple(map(str, games))
    except (OSError, ValueError, KeyError, TypeError):  # which of these it is, is said by whoever reads it whole
        book = load_rulebook(name, library)
        return book.title, book.games


@dataclass(frozen=True, slots=True)
class _Source:
    """What a book's file says itself, with what the book says that it is based on, before a fallback is asked.

    `answers`: the path of a table, `("boxed",)` or `("counts", "stud")`, and in it the answer of each field.
    `open_forms`: the forms' tables that leave answers to `every` or to another book.
    """

    path: Path
    lines: LineIndex
    base: str | None
    head: Mapping[str, str]
    games: tuple[str, ...]
    fallback: tuple[Fallback, ...]
    answers: Mapping[tuple[str, ...], Mapping[str, Rule[object]]]
    open_forms: tuple[tuple[str, str], ...]


def read_rulebook(path: Path, library: Library | None = None) -> Rulebook:
    """Read one file; raises `ConfigError`."""
    return _build_rulebook(_read_source(path, library), library)


def _build_rulebook(source: _Source, library: Library | None) -> Rulebook:
    base = load_rulebook(source.base, library) if source.base else None
    for at in source.open_forms:
        _require_known_form(source, at, library)
    filled = {at: _fill_section(source, base, at, library) for at in source.answers}
    sections: dict[str, Any] = {name: filled[(name,)] for name in RULES_CLASS_BY_SECTION}
    for name in RULES_CLASS_BY_FORM_SECTION:
        sections[name] = {at[1]: section for at, section in filled.items() if at[0] == name}
    head = source.head
    return Rulebook(source.path.stem, head["title"], head["code"], source.games, source.fallback, **sections)


def list_source_paths(name: str, library: Library | None = None) -> tuple[Path, ...]:
    """The files that a book's answers come from: its own, that of its base, those of the books of their chains."""
    if not find_rulebook_path(name, library).is_file():
        return ()
    source = _load_source(name, resolve_library(library))
    chain = (find_rulebook_path(other.path.stem, library) for other in _list_chain(source, library))
    base = list_source_paths(source.base, library) if source.base else ()
    return tuple(dict.fromkeys((find_rulebook_path(name, library), *base, *chain)))


@cache
def _load_source(name: str, library: Library) -> _Source:
    with name_package_in_errors(library):
        return _read_source(find_rulebook_path(name, library), library)


def _read_source(path: Path, library: Library | None) -> _Source:
    known_clauses = load_clauses(library)
    text, data = read_toml(path)
    lines = LineIndex(text)
    base = _load_base(path, lines, data["based_on"], library) if "based_on" in data else None
    for key in data:
        if key not in HEAD_KEYS and key not in RULES_CLASS_BY_SECTION and key not in RULES_CLASS_BY_FORM_SECTION:
            known = ", ".join((*HEAD_KEYS, *RULES_CLASS_BY_SECTION, *RULES_CLASS_BY_FORM_SECTION))
            raise ConfigError(path, lines.find_line(key), key, f"no such key or table; there are {known}")
    chain = _read_fallbacks(path, lines, known_clauses, data["fallback"], library) if "fallback" in data else None
    fallback = chain if chain is not None else base.fallback if base else ()
    inherited = base.answers if base else {}
    answers = {}
    open_forms: list[tuple[str, str]] = []
    for name, kind in RULES_CLASS_BY_SECTION.items():
        at: tuple[str, ...] = (name,)
        own = _read_section(path, lines, known_clauses, at, kind, data.get(name, {}))
        answers[at] = {**inherited.get(at, {}), **own}
    for name, kind in RULES_CLASS_BY_FORM_SECTION.items():
        tables = {
            form: _read_section(path, lines, known_clauses, (name, form), kind, table)
            for form, table in _read_forms(path, lines, name, data.get(name, {})).items()
        }
        every = tables.pop(EVERY, {})
        forms = [*(at[1] for at in inherited if at[0] == name), *tables]
        if every and not forms:
            what = f"answers for no form: the book has no table [{name}.…] beside it"
            raise _KeyLocation(path, lines, (name, EVERY)).make_error(what)
        open_forms += [
            (name, form)
            for form, own in tables.items()
            if len(own) < len(questions_of(kind)) and (name, form) not in inherited
        ]
        for form in dict.fromkeys(forms):
            answers[name, form] = {**inherited.get((name, form), {}), **every, **tables.get(form, {})}
    head = {key: _read_head_value(path, lines, data, key, base) for key in ("title", "code")}
    own_games = _read_texts(_KeyLocation(path, lines, ("games",)), data["games"]) if "games" in data else None
    games = own_games if own_games is not None else base.games if base else ()
    if not games:
        raise ConfigError(path, 1, "games", "missing: the list of games that the book has rules for")
    return _Source(path, lines, data.get("based_on"), head, games, fallback, answers, tuple(open_forms))


def _read_texts(place: _KeyLocation, found: object) -> tuple[str, ...]:
    """A list of texts; refuses anything else."""
    if not isinstance(found, list | tuple) or not all(isinstance(each, str) for each in found):
        raise place.make_error(f"a list of names is wanted, not {found!r}")
    return tuple(found)


def _read_forms(path: Path, lines: LineIndex, name: str, tables: object) -> Mapping[str, Any]:
    """The tables of a section that has one for each form; refuses what is none."""
    if not isinstance(tables, dict):
        what = f"wants tables, [{name}.{EVERY}] and a form's [{name}.…]"
        raise _KeyLocation(path, lines, (name,)).make_error(what)
    for form, table in tables.items():
        if not isinstance(table, dict) or "is" in table:
            what = f"stands once for each form of game: wants [{name}.{EVERY}] or a form's [{name}.…] above it"
            raise _KeyLocation(path, lines, (name, form)).make_error(what)
    return tables


def _require_known_form(source: _Source, at: tuple[str, str], library: Library | None) -> None:
    """Refuse a table that leaves answers to others and is for no form (in `players`: no game) that anybody has."""
    if any(at in other.answers for other in _list_chain(source, library)):
        return
    what, list_known = ("game", game_file.list_games) if at[0] == "players" else ("form", game_file.list_forms)
    known = list_known(resolve_library(library))
    if at[1] not in known:
        message = f"no such {what}; there are {', '.join((EVERY, *known))}"
        raise _KeyLocation(source.path, source.lines, at).make_error(message)


def _fill_section(source: _Source, base: Rulebook | None, at: tuple[str, ...], library: Library | None) -> Any:  # noqa: ANN401 (one of the kinds of tables)
    """A table with all of its answers: what the file leaves open is the base's, then that of the books of the chain."""
    kind = (RULES_CLASS_BY_SECTION | RULES_CLASS_BY_FORM_SECTION)[at[0]]
    said = source.answers[at]
    asked = questions_of(kind)
    if len(said) == len(asked):
        return kind(**said)
    theirs = getattr(base, at[0], None)
    if len(at) > 1:
        theirs = (theirs or {}).get(at[1])
    if theirs is not None:
        return replace(theirs, **said)
    values = dict(said)
    chain = _list_chain(source, library)
    for field, question in asked.items():
        if field not in values:
            rule = _find_default(chain, at, field)
            if rule is None:
                what = f"missing. {question['question']} {describe_answers(question)}{_describe_silence(source, chain)}"
                raise _KeyLocation(source.path, source.lines, (*at, _to_key(field))).make_error(what)
            values[field] = rule
    return kind(**values)


def _describe_silence(source: _Source, chain: Iterable[_Source]) -> str:
    """Who was asked in vain; it is said, too, where they go round in a circle."""
    silent = list(chain)
    if not silent:
        return ""
    asked = f" No fallback answers it: {', '.join(other.path.stem for other in silent)}"
    back = [other.path.stem for other in silent if source.path.stem in {each.book for each in other.fallback}]
    return f"{asked}, and {back[0]} leads back to {source.path.stem}, a circle." if back else f"{asked}."


def _list_chain(source: _Source, library: Library | None) -> tuple[_Source, ...]:
    """Who is asked where a book is silent: its chain, then the chains of those.

    Each is asked once, and the book itself not again: a chain may lead back to it.
    """
    found: dict[str, _Source] = {}
    waiting = [each.book for each in source.fallback]
    for name in waiting:
        if name != source.path.stem and name not in found:
            found[name] = _load_source(name, resolve_library(library))
            waiting += [each.book for each in found[name].fallback]
    return tuple(found.values())


def _find_default(chain: Iterable[_Source], at: tuple[str, ...], field: str) -> Rule[object] | None:
    """What the first of the chain answers that has a clause of its own; where none has, what the first one cites."""
    given = [rule for other in chain if (rule := other.answers.get(at, {}).get(field)) is not None]
    for rule in given:
        if not rule.by_default:
            return replace(rule, by_default=True)
    return given[0] if given else None


def _load_base(path: Path, lines: LineIndex, name: str, library: Library | None) -> _Source:
    """The book that another is based on: one that stands alone, so that every answer has a book that gives it."""
    others = [each for each in list_rulebooks(library) if each != path.stem]
    if name not in others:
        raise ConfigError(path, lines.find_line("based_on"), "based_on", f"one of {', '.join(others)} is wanted")
    _, data = read_toml(find_rulebook_path(name, library))
    further = data.get("based_on")
    if further is None:
        return _load_source(name, resolve_library(library))
    told = "this one: neither says what both leave open" if further == path.stem else f"{further!r}"
    raise ConfigError(
        path,
        lines.find_line("based_on"),
        "based_on",
        f"{name!r} is itself based on {told}; a book is based on one that stands alone",
    )


def _read_fallbacks(
    path: Path, lines: LineIndex, known_clauses: Mapping[str, str], entries: object, library: Library | None
) -> tuple[Fallback, ...]:
    """Which books answer where this one is silent, in that order."""
    place = _KeyLocation(path, lines, ("fallback",))
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise place.make_error('wants [{ book = "…", cite = "…" }, …], the first to be asked first')
    others = [name for name in list_rulebooks(library) if name != path.stem]
    chain: list[Fallback] = []
    for entry in entries:
        for part in entry:
            if part not in FALLBACK_KEYS:
                known = ", ".join(FALLBACK_KEYS)
                raise place.make_error(f"no such part `{part}`; there are {known}")
        book, binds, cite = entry.get("book"), entry.get("binds", False), entry.get("cite", ())
        if book not in others or book in {each.book for each in chain}:
            raise place.make_error(f"`book` is one of {', '.join(others)}, each once, not {book!r}")
        if not isinstance(binds, bool):
            raise place.make_error("`binds` is true or false")
        cites = _read_texts(place, [cite] if isinstance(cite, str) else cite)
        for clause in cites:
            if clause not in known_clauses:
                raise place.make_error(f"{clause!r} is no id in {CATALOGUE_FILE.name}; a new rule needs a row")
        if binds and not cites:
            raise place.make_error(f"uncited: name the clause by which {book!r} binds")
        chain.append(Fallback(book, binds, cites, known_clauses[cites[0]] if cites else ""))
    return tuple(chain)


def _read_head_value(path: Path, lines: LineIndex, data: Mapping[str, Any], key: str, base: _Source | None) -> str:
    value = data.get(key, base.head[key] if base else None)
    if not isinstance(value, str):
        raise ConfigError(path, lines.find_line(key), key, "missing: a text is wanted")
    return value


def _read_section(
    path: Path,
    lines: LineIndex,
    known_clauses: Mapping[str, str],
    at: tuple[str, ...],
    kind: type[Value],
    table: object,
) -> dict[str, Rule[object]]:
    """The answers of a table, by the names of their fields."""
    if not isinstance(table, dict):
        raise _KeyLocation(path, lines, at).make_error(f"wants a table, [{'.'.join(at)}]")
    known = {_to_key(name): (name, question) for name, question in questions_of(kind).items()}
    for key in table:
        if key not in known:
            once = f"[{at[0]}] stands once for all forms: " if len(at) == 1 and key == EVERY else ""
            what = f"{once}no such key; there are {', '.join(known)}"
            raise _KeyLocation(path, lines, (*at, key)).make_error(what)
    return {
        name: _read_rule(_KeyLocation(path, lines, (*at, key)), known_clauses, table[key], question)
        for key, (name, question) in known.items()
        if key in table
    }


def _read_rule(place: _KeyLocation, known_clauses: Mapping[str, str], entry: object, question: Asked) -> Rule[object]:
    if not isinstance(entry, dict) or "is" not in entry:
        raise place.make_error('wants { is = …, cite = "…" }')
    for part in entry:
        if part not in ("is", "cite", "by_default"):
            raise place.make_error(f"no such part `{part}`; there are is, cite, by_default")
    cite = entry.get("cite", ())
    cites = _read_texts(place, [cite] if isinstance(cite, str) else cite)
    if not cites:
        raise place.make_error(f"uncited: name the clause that gives it, by its id in {CATALOGUE_FILE.name}")
    for clause in cites:
        if clause not in known_clauses:
            raise place.make_error(f"{clause!r} is no id in {CATALOGUE_FILE.name}; a new rule needs a row")
    default = entry.get("by_default", False)
    if not isinstance(default, bool):
        raise place.make_error("by_default is true or false")
    try:
        said = parse_answer(entry["is"], question)
    except ValueError as why:
        raise place.make_error(str(why)) from None
    return Rule(said, cites, known_clauses[cites[0]], default)


def parse_answer(value: object, question: Asked) -> object:
    """What a value of a file stands for; raises `ValueError` when it is none of the answers."""
    if "answers" in question:
        if not isinstance(value, str) or value not in question["answers"]:
            raise ValueError(f"{value!r} is no answer. {describe_answers(question)}")
        return question["answers"][value]
    if type(value) is not question["type"] or (type(value) is int and value < 0):
        raise ValueError(f"{value!r} is no answer. {describe_answers(question)}")
    return value


def describe_answers(question: Asked) -> str:
    """What may be answered to a question, as a sentence."""
    if "answers" in question:
        return f"Answers: {', '.join(question['answers'])}."
    return "A whole number from 0 is wanted." if question["type"] is int else "true or false is wanted."


def list_questions() -> dict[str, Asked]:
    """Every key of a rulebook file, dotted (`betting.reopens`, `exposed.FORM.one`), and what it asks."""
    tables = {**RULES_CLASS_BY_SECTION, **{f"{name}.FORM": kind for name, kind in RULES_CLASS_BY_FORM_SECTION.items()}}
    return {f"{at}.{_to_key(name)}": asked for at, kind in tables.items() for name, asked in questions_of(kind).items()}


def _to_key(field: str) -> str:
    return field.replace("_", "-")


def apply_house_answers(book: Rulebook, house: Mapping[str, object]) -> Rulebook:
    """The book with single answers replaced (`"betting.reopens": "by-any-raise"`).

    Raises `LookupError` for an unknown key, `ValueError` for what is no answer.
    """
    for dotted, value in house.items():
        book = _replace_answer(book, dotted, value)
    return book


def _replace_answer(book: Rulebook, dotted: str, value: object) -> Rulebook:
    name, *form = dotted.split(".")
    key = form.pop() if form else ""
    section = (
        getattr(book, name, None) if name in RULES_CLASS_BY_SECTION or name in RULES_CLASS_BY_FORM_SECTION else None
    )
    if name in RULES_CLASS_BY_FORM_SECTION and section is not None:
        section = section.get(form[0]) if form else None
    asked = questions_of(type(section)) if section is not None and len(form) < 2 else {}
    known = {_to_key(field): (field, question) for field, question in asked.items()}
    if key not in known or (name in RULES_CLASS_BY_FORM_SECTION) != bool(form):
        raise LookupError(f"`house` has no key {dotted!r}; there are {', '.join(list_questions())}")
    field, question = known[key]
    assert section is not None
    old = getattr(section, field)
    try:
        new = replace(old, value=parse_answer(value, question))
    except ValueError as error:
        raise ValueError(f"`house` cannot have {value!r} for {dotted!r}. {describe_answers(question)}") from error
    changed: Any = replace(section, **{field: new})
    if form:
        changed = {**getattr(book, name), form[0]: changed}
    return replace(book, **{name: changed})
