"""Reads a game: a TOML file of streets. Refuses what is unknown, missing or of the wrong kind."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import tomli

from config.config_error import ConfigError
from config.file_library import Library, find_path, list_names, name_package_in_errors, resolve_library
from config.line_index import LineIndex
from config.toml_file import read_toml
from controller.core.rules.games import Game, Ranking, Street, StreetOpener
from controller.core.values.cards import LOWEST_RANK_BY_DECK_SIZE, RANKS

E = TypeVar("E", bound=Enum)

FOLDER = Path(__file__).parent / "games"
TYPE_BY_GAME_KEY: dict[str, type] = {
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
TYPE_BY_STREET_KEY: dict[str, type] = {
    "name": str,
    "opener": str,
    "bet": str,
    "deal": list,
    "board": int,
    "burn": bool,
    "draw": bool,
    "discard": int,
}
WORDS_BY_TYPE: dict[type, str] = {
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    list: "a list",
}
FACES = ("down", "up")
BET_SIZES = ("small", "big")
JOKER_USES = ("never", "default", "optional")
MAX_BOARD_CARDS = 5
REQUIRED_GAME_KEYS = ("title", "form", "button", "streets", "rankings")
REQUIRED_STREET_KEYS = ("name", "opener", "bet")


def list_games(library: Library | None = None) -> tuple[str, ...]:
    """The games that there are, the house's own among them."""
    return list_names(FOLDER, resolve_library(library).folders("games"))


@cache
def list_forms(library: Library) -> tuple[str, ...]:
    """The forms of all games, from the heads of their files; one that cannot be read has none here."""
    forms = set()
    for name in list_games(library):
        with suppress(OSError, ValueError):
            head = find_game_path(name, library).read_text(encoding="utf-8").split("\n[", 1)[0]
            forms.add(tomli.loads(head).get("form"))
    return tuple(sorted(form for form in forms if isinstance(form, str)))


def find_game_path(name: str, library: Library | None = None) -> Path:
    """The file of the game of that name."""
    return find_path(FOLDER, resolve_library(library).folders("games"), name)


def load_game(name: str, library: Library | None = None) -> Game:
    """The game of that name."""
    return _load_cached(name, resolve_library(library))


@cache
def _load_cached(name: str, library: Library) -> Game:
    with name_package_in_errors(library):
        return read_game(find_game_path(name, library))


def read_game(path: Path) -> Game:
    """Read one file; raises `ConfigError` with the line and what is allowed there."""
    text, data = read_toml(path)
    file = _GameFileReader(path, LineIndex(text))
    file.check_keys(data, TYPE_BY_GAME_KEY, REQUIRED_GAME_KEYS)
    if not data["streets"]:
        raise file.make_error("missing: a game has at least one [[streets]]", "streets")
    streets = tuple(_read_street(file, street, str(number)) for number, street in enumerate(data["streets"]))
    _check_street_names(file, streets)
    rankings = tuple(file.read_member(Ranking, ranking, "rankings") for ranking in data["rankings"])
    if not 1 <= len(rankings) <= 2 or len(set(rankings)) < len(rankings):
        raise file.make_error(
            f"one order of hands is wanted, or two different ones, not {data['rankings']!r}", "rankings"
        )
    game = Game(
        name=path.stem,
        title=data["title"],
        rules_form=data["form"],
        has_button=data["button"],
        streets=streets,
        rankings=rankings,
        hole_cards_to_play=data.get("hole"),
        deck_size=data.get("deck", 52),
        joker_use=data.get("joker", "never"),
        open_pair_street=data.get("opening_pair"),
        min_openers=data.get("openers"),
    )
    _check_game(file, game)
    return game


def _check_game(file: "_GameFileReader", game: Game) -> None:
    names = [street.name for street in game.streets]
    if game.deck_size not in LOWEST_RANK_BY_DECK_SIZE:
        raise file.make_error(
            f"there are decks of {_join_words(LOWEST_RANK_BY_DECK_SIZE)} cards, not {game.deck_size}", "deck"
        )
    if game.joker_use not in JOKER_USES:
        raise file.make_error(f"{game.joker_use!r} is none of {_join_words(JOKER_USES)}", "joker")
    if not game.hand_size:
        raise file.make_error("some street must `deal` cards to the seats", "streets")
    if game.hole_cards_to_play is not None and not 1 <= game.hole_cards_to_play <= min(game.hand_size, 5):
        raise file.make_error(
            f"1 to {min(game.hand_size, 5)} own cards can play, not {game.hole_cards_to_play}", "hole"
        )
    if game.open_pair_street is not None and game.open_pair_street not in names:
        raise file.make_error(f"{game.open_pair_street!r} is no street; there are {_join_words(names)}", "opening_pair")
    if game.min_openers is not None and game.min_openers not in [rank * 2 for rank in RANKS]:
        raise file.make_error(f'{game.min_openers!r} is no pair; one is two equal ranks, as "JJ"', "openers")
    for number, street in enumerate(game.streets):
        if street.discard_count and game.kept_card_count(number) < 1:
            raise file.make_error("more cards are thrown away than were dealt", "streets", str(number), "discard")
    board = sum(street.board_count for street in game.streets)
    if game.hand_size + board > game.deck_size // 2:
        raise file.make_error(f"two players would need more than the {game.deck_size} cards of the deck", "streets")


def _check_street_names(file: "_GameFileReader", streets: Sequence[Street]) -> None:
    for number, street in enumerate(streets):
        if street.name in [other.name for other in streets[:number]]:
            raise file.make_error(f"{street.name!r} is the name of another street", "streets", str(number), "name")


def _read_street(file: "_GameFileReader", table: object, number: str) -> Street:
    at = ("streets", number)
    if not isinstance(table, dict):
        raise file.make_error("a table is wanted, written [[streets]]", *at)
    file.check_keys(table, TYPE_BY_STREET_KEY, REQUIRED_STREET_KEYS, *at)
    for face in table.get("deal", ()):
        if face not in FACES:
            raise file.make_error(f"{face!r} is none of {_join_words(FACES)}", *at, "deal")
    if table["bet"] not in BET_SIZES:
        raise file.make_error(f"{table['bet']!r} is none of {_join_words(BET_SIZES)}", *at, "bet")
    opener = file.read_member(StreetOpener, table["opener"], *at, "opener")
    if not 0 <= table.get("board", 0) <= MAX_BOARD_CARDS:
        raise file.make_error(f"0 to {MAX_BOARD_CARDS} cards, not {table['board']}", *at, "board")
    if table.get("discard", 0) < 0 or (table.get("discard") and table.get("draw")):
        raise file.make_error("a whole number from 0 is wanted, and no `draw` on the same street", *at, "discard")
    if not (table.get("deal") or table.get("board") or table.get("draw")):
        raise file.make_error("a street deals, turns or exchanges cards: `deal`, `board` or `draw` is wanted", *at)
    return Street(
        name=table["name"],
        opener=opener,
        bet_limit=table["bet"],
        deal_faces=tuple(table.get("deal", ())),
        board_count=table.get("board", 0),
        has_burn=table.get("burn", False),
        has_draw=table.get("draw", False),
        discard_count=table.get("discard", 0),
    )


class _GameFileReader:
    """A file that is being read, for what is wrong with it."""

    def __init__(self, path: Path, lines: LineIndex) -> None:
        self._path = path
        self._line_index = lines

    def make_error(self, message: str, *at: str) -> ConfigError:
        """The error that names the place; the number of a street is left to the line."""
        key = ".".join(part for part in at if not part.isdecimal())
        return ConfigError(self._path, self._line_index.find_line(*at), key, message)

    def check_keys(self, table: Mapping[str, Any], keys: dict[str, type], required: tuple[str, ...], *at: str) -> None:
        """Refuse an unknown key, a value of another kind, an empty text, and what is missing."""
        for key, value in table.items():
            if key not in keys:
                raise self.make_error(f"no such key; there are {_join_words(keys)}", *at, key)
            if type(value) is not keys[key] or value == "":
                raise self.make_error(f"{WORDS_BY_TYPE[keys[key]]} is wanted, not {value!r}", *at, key)
        for key in required:
            if key not in table:
                raise self.make_error(f"missing: {WORDS_BY_TYPE[keys[key]]} is wanted", *at, key)

    def read_member(self, kind: type[E], value: object, *at: str) -> E:
        """The member of `kind` that a value names."""
        try:
            return kind(value)
        except ValueError:
            accepted = _join_words(member.value for member in kind)
            raise self.make_error(f"{value!r} is none of {accepted}", *at) from None


def _join_words(words: Iterable[object]) -> str:
    return ", ".join(map(str, words))
