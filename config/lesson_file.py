"""Reads a lesson of the dealers' school: a hand up to something that goes wrong. What is right then, no lesson says.

* `title`: what went wrong, as a dealer would name it; lessons of one title ask for the same answer.
* `game`: what is played, at a table of four.
* `before`: what happens regularly, a word each: `start`, `deal N` (cards leave the shoe), `call` (whoever acts calls or
  checks), `calls` (all do, to the end of the round), `draw N` (whoever draws takes so many), `pats` (who else draws
  before a card comes takes none), `burn` (a card is burned, where the book wants that), `done` (a step is confirmed),
  `up` (a card comes face up).
* `shows`: what then lies where, as on the table: `{ at = "seat 4", card = "up" }`. `at`: `seat N`, `board`, `burn`, or
  beside the table `shoe`, `stub`, `floor`. `card`: `up` (the last card that left the shoe, of several marks the last
  ones), `turned` (one that lay there, face up now), `down`, `missing` (one less), `joker`, `other-back`.
* `seen`: the same in words, for a terminal, and once the lesson is over. `happens`: that as lines of the table script;
  the last is what is ruled on. A card without a name is the next one of the deck.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from config import game_file
from config.config_error import ConfigError
from config.line_index import LineIndex
from config.toml_file import read_toml

FOLDER = Path(__file__).parent / "lessons"

TYPE_BY_KEY: dict[str, type] = {"title": str, "game": str, "before": list, "seen": str, "happens": list, "shows": list}
WORDS_BY_TYPE: dict[type, str] = {str: "a text", list: "a list that is not empty"}
PLAIN_ACTIONS = ("start", "call", "calls", "done", "up", "pats", "burn")
COUNTED_ACTIONS = ("deal", "draw")


MARKED_PLACES = ("board", "burn", "shoe", "stub", "floor")
MARKED_CARDS = ("up", "turned", "down", "missing", "joker", "other-back")


@dataclass(frozen=True, slots=True)
class LessonMark:
    """A card that lies where it is seen: at a `place`, which may be the one of a `seat`."""

    place: str
    seat: int | None
    card: str


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson, as its file says it."""

    name: str
    title: str
    game: str
    setup_actions: tuple[tuple[str, int], ...]
    """Each a word and how often."""
    observation: str
    script_lines: tuple[Mapping[str, Any], ...]
    marks: tuple[LessonMark, ...] = ()


@cache
def list_lessons() -> tuple[str, ...]:
    """The lessons that there are."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


@cache
def load_lesson(name: str) -> Lesson:
    """Read a lesson of `list_lessons`; raises `ConfigError` for the first mistake in its file."""
    return read_lesson(FOLDER / f"{name}.toml")


def read_lesson(path: Path) -> Lesson:
    """Read the lesson of a file; raises `ConfigError`."""
    text, content = read_toml(path)
    lines = LineIndex(text)
    for key in content:
        if key not in TYPE_BY_KEY:
            raise ConfigError(
                path, lines.find_line(key), key, f"is no key of a lesson; it has {', '.join(TYPE_BY_KEY)}"
            )
    for key, kind in TYPE_BY_KEY.items():
        if key == "shows" and key not in content:
            continue
        if not isinstance(content.get(key), kind) or not content[key]:
            raise ConfigError(
                path, lines.find_line(key) if key in content else 1, key, f"must be {WORDS_BY_TYPE[kind]}"
            )
    if content["game"] not in game_file.list_games():
        raise ConfigError(path, lines.find_line("game"), "game", f"must be one of {', '.join(game_file.list_games())}")
    before = tuple(_read_action(path, lines, word) for word in content["before"])
    if not all(isinstance(line, dict) and isinstance(line.get("ev"), str) for line in content["happens"]):
        raise ConfigError(
            path, lines.find_line("happens"), "happens", 'must hold lines of the table script, as { ev = "card" }'
        )
    happens = tuple(content["happens"])
    shows = tuple(_read_mark(path, lines, mark) for mark in content.get("shows", ()))
    return Lesson(path.stem, content["title"], content["game"], before, content["seen"], happens, shows)


def _read_mark(path: Path, lines: LineIndex, mark: object) -> LessonMark:
    match mark:
        case {"at": str() as at, "card": str() as card, **rest} if not rest and card in MARKED_CARDS:
            word, _, number = at.partition(" ")
            if at in MARKED_PLACES or (word == "seat" and number.isdecimal()):
                return LessonMark(at if at in MARKED_PLACES else word, int(number) if number else None, card)
    wanted = f"must hold {{ at, card }}: seat N or {', '.join(MARKED_PLACES)}; {', '.join(MARKED_CARDS)}"
    raise ConfigError(path, lines.find_line("shows"), "shows", wanted)


def _read_action(path: Path, lines: LineIndex, word: object) -> tuple[str, int]:
    match str(word).split():
        case [one] if one in PLAIN_ACTIONS:
            return one, 1
        case [one, count] if one in COUNTED_ACTIONS and count.isdecimal() and 0 < int(count) <= 52:
            return one, int(count)
        case _:
            wanted = (
                f"must hold {', '.join(PLAIN_ACTIONS)}, {' and '.join(f'{one} N' for one in COUNTED_ACTIONS)}, "
                f"not {word!r}"
            )
            raise ConfigError(path, lines.find_line("before"), "before", wanted)
