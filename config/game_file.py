"""Reads a game: a TOML file of streets. Refuses what is unknown, missing or of the wrong kind."""

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from config.errors import ConfigError
from config.folders import Library, library_of, names_in, naming_the_package, path_in
from config.lines import Lines
from config.toml_file import read_toml
from controller.core.rules.games import Game, Opener, Ranking, Street
from controller.core.values.cards import LOWEST_RANK, RANKS

E = TypeVar("E", bound=Enum)

FOLDER = Path(__file__).parent / "games"
HEAD: dict[str, type] = {
    "title": str,
    "form": str,
    "button": bool,
    "streets": list,
    "rankings": list,
    "hole": int,
    "deck": int,
    "joker": str,
    "opening_pair": str,
    "openers": str,
}
STREET: dict[str, type] = {
    "name": str,
    "opener": str,
    "bet": str,
    "deal": list,
    "board": int,
    "burn": bool,
    "draw": bool,
    "discard": int,
}
KINDS: dict[type, str] = {
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    list: "a list",
}
FACES = ("down", "up")
LIMITS = ("small", "big")
JOKERS = ("never", "default", "optional")
MOST_ON_BOARD = 5
REQUIRED = ("title", "form", "button", "streets", "rankings")
REQUIRED_STREET = ("name", "opener", "bet")


def names(library: Library | None = None) -> tuple[str, ...]:
    """The games that there are, the house's own among them."""
    return names_in(FOLDER, library_of(library).folders("games"))


def path_of(name: str, library: Library | None = None) -> Path:
    """The file of the game of that name."""
    return path_in(FOLDER, library_of(library).folders("games"), name)


def load(name: str, library: Library | None = None) -> Game:
    """The game of that name."""
    return _load(name, library_of(library))


@cache
def _load(name: str, library: Library) -> Game:
    with naming_the_package(library):
        return read(path_of(name, library))


def read(path: Path) -> Game:
    """Read one file; raises `ConfigError` with the line and what is allowed there."""
    text, data = read_toml(path)
    file = _File(path, Lines(text))
    file.checked(data, HEAD, REQUIRED)
    if not data["streets"]:
        raise file.error("missing: a game has at least one [[streets]]", "streets")
    streets = tuple(_street(file, street, str(number)) for number, street in enumerate(data["streets"]))
    _names_differ(file, streets)
    rankings = tuple(file.member(Ranking, ranking, "rankings") for ranking in data["rankings"])
    if not 1 <= len(rankings) <= 2 or len(set(rankings)) < len(rankings):
        raise file.error(f"one order of hands is wanted, or two different ones, not {data['rankings']!r}", "rankings")
    game = Game(
        name=path.stem,
        title=data["title"],
        form=data["form"],
        button=data["button"],
        streets=streets,
        rankings=rankings,
        hole=data.get("hole"),
        deck=data.get("deck", 52),
        joker=data.get("joker", "never"),
        opening_pair=data.get("opening_pair"),
        openers=data.get("openers"),
    )
    _head_makes_sense(file, game)
    return game


def _head_makes_sense(file: "_File", game: Game) -> None:
    names = [street.name for street in game.streets]
    if game.deck not in LOWEST_RANK:
        raise file.error(f"there are decks of {_listed(LOWEST_RANK)} cards, not {game.deck}", "deck")
    if game.joker not in JOKERS:
        raise file.error(f"{game.joker!r} is none of {_listed(JOKERS)}", "joker")
    if not game.hand_size:
        raise file.error("some street must `deal` cards to the seats", "streets")
    if game.hole is not None and not 1 <= game.hole <= min(game.hand_size, 5):
        raise file.error(f"1 to {min(game.hand_size, 5)} own cards can play, not {game.hole}", "hole")
    if game.opening_pair is not None and game.opening_pair not in names:
        raise file.error(f"{game.opening_pair!r} is no street; there are {_listed(names)}", "opening_pair")
    if game.openers is not None and game.openers not in [rank * 2 for rank in RANKS]:
        raise file.error(f'{game.openers!r} is no pair; one is two equal ranks, as "JJ"', "openers")
    for number, street in enumerate(game.streets):
        if street.discard and game.kept(number) < 1:
            raise file.error("more cards are thrown away than were dealt", "streets", str(number), "discard")
    board = sum(street.board for street in game.streets)
    if game.hand_size + board > game.deck // 2:
        raise file.error(f"two players would need more than the {game.deck} cards of the deck", "streets")


def _names_differ(file: "_File", streets: Sequence[Street]) -> None:
    for number, street in enumerate(streets):
        if street.name in [other.name for other in streets[:number]]:
            raise file.error(f"{street.name!r} is the name of another street", "streets", str(number), "name")


def _street(file: "_File", table: object, number: str) -> Street:
    at = ("streets", number)
    if not isinstance(table, dict):
        raise file.error("a table is wanted, written [[streets]]", *at)
    file.checked(table, STREET, REQUIRED_STREET, *at)
    for face in table.get("deal", ()):
        if face not in FACES:
            raise file.error(f"{face!r} is none of {_listed(FACES)}", *at, "deal")
    if table["bet"] not in LIMITS:
        raise file.error(f"{table['bet']!r} is none of {_listed(LIMITS)}", *at, "bet")
    opener = file.member(Opener, table["opener"], *at, "opener")
    if not 0 <= table.get("board", 0) <= MOST_ON_BOARD:
        raise file.error(f"0 to {MOST_ON_BOARD} cards, not {table['board']}", *at, "board")
    if table.get("discard", 0) < 0 or (table.get("discard") and table.get("draw")):
        raise file.error("a whole number from 0 is wanted, and no `draw` on the same street", *at, "discard")
    if not (table.get("deal") or table.get("board") or table.get("draw")):
        raise file.error("a street deals, turns or exchanges cards: `deal`, `board` or `draw` is wanted", *at)
    return Street(
        name=table["name"],
        opener=opener,
        bet=table["bet"],
        deal=tuple(table.get("deal", ())),
        board=table.get("board", 0),
        burn=table.get("burn", False),
        draw=table.get("draw", False),
        discard=table.get("discard", 0),
    )


class _File:
    """A file that is being read, for what is wrong with it."""

    def __init__(self, path: Path, lines: Lines) -> None:
        self._path = path
        self._lines = lines

    def error(self, message: str, *at: str) -> ConfigError:
        """The error that names the place; the number of a street is left to the line."""
        key = ".".join(part for part in at if not part.isdecimal())
        return ConfigError(self._path, self._lines.of(*at), key, message)

    def checked(self, table: Mapping[str, Any], keys: dict[str, type], required: tuple[str, ...], *at: str) -> None:
        """Refuse an unknown key, a value of another kind, an empty text, and what is missing."""
        for key, value in table.items():
            if key not in keys:
                raise self.error(f"no such key; there are {_listed(keys)}", *at, key)
            if type(value) is not keys[key] or value == "":
                raise self.error(f"{KINDS[keys[key]]} is wanted, not {value!r}", *at, key)
        for key in required:
            if key not in table:
                raise self.error(f"missing: {KINDS[keys[key]]} is wanted", *at, key)

    def member(self, kind: type[E], value: object, *at: str) -> E:
        """The member of `kind` that a value names."""
        try:
            return kind(value)
        except ValueError:
            accepted = _listed(member.value for member in kind)
            raise self.error(f"{value!r} is none of {accepted}", *at) from None


def _listed(words: Iterable[object]) -> str:
    return ", ".join(map(str, words))
