"""Reads a game: a TOML file of streets. Refuses what is unknown, missing or of the wrong kind."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from config import folders
from config.errors import ConfigError
from config.lines import Lines
from config.toml_file import read_toml
from controller.core.rules.games import Game, Opener, Ranking, Street

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
}
REQUIRED = ("title", "form", "button", "streets", "rankings")
REQUIRED_STREET = ("name", "opener", "bet")


def names() -> tuple[str, ...]:
    """The games that there are, the house's own among them."""
    return _names(FOLDER, folders.house_folder("games"))


_names = cache(folders.names_in)


def path_of(name: str) -> Path:
    """The file of the game of that name."""
    return folders.path_in(FOLDER, folders.house_folder("games"), name)


def load(name: str) -> Game:
    """The game of that name."""
    return _load(path_of(name))


@cache
def _load(path: Path) -> Game:
    return read(path)


def read(path: Path) -> Game:
    """Read one file; raises `ConfigError`."""
    text, data = read_toml(path)
    lines = Lines(text)
    _checked(path, lines, data, HEAD, REQUIRED, ())
    streets = tuple(_street(path, lines, street) for street in data["streets"])
    rankings = tuple(_one_of(path, lines, "rankings", Ranking, ranking) for ranking in data["rankings"])
    rest = {key: data[key] for key in ("hole", "deck", "joker", "opening_pair", "openers") if key in data}
    return Game(
        name=path.stem,
        title=data["title"],
        form=data["form"],
        button=data["button"],
        streets=streets,
        rankings=rankings,
        **rest,
    )


def _street(path: Path, lines: Lines, table: Mapping[str, Any]) -> Street:
    _checked(path, lines, table, STREET, REQUIRED_STREET, ("streets",))
    for face in table.get("deal", ()):
        if face not in ("down", "up"):
            raise ConfigError(path, lines.of("streets", "deal"), "streets.deal", f"{face!r} is neither down nor up")
    if table["bet"] not in ("small", "big"):
        raise ConfigError(path, lines.of("streets", "bet"), "streets.bet", "small or big is wanted")
    opener = _one_of(path, lines, "opener", Opener, table["opener"])
    rest = {key: table[key] for key in ("board", "burn", "draw") if key in table}
    return Street(name=table["name"], opener=opener, bet=table["bet"], deal=tuple(table.get("deal", ())), **rest)


def _checked(
    path: Path,
    lines: Lines,
    table: Mapping[str, Any],
    keys: dict[str, type],
    required: tuple[str, ...],
    at: tuple[str, ...],
) -> None:
    for key, value in table.items():
        if key not in keys:
            raise ConfigError(path, lines.of(*at, key), key, f"no such key; there are {', '.join(keys)}")
        if type(value) is not keys[key]:
            raise ConfigError(path, lines.of(*at, key), key, f"{keys[key].__name__} is wanted, not {value!r}")
    for key in required:
        if key not in table:
            raise ConfigError(path, lines.of(*at), key, "missing")


def _one_of(path: Path, lines: Lines, key: str, members: Any, value: object) -> Any:  # noqa: ANN401 (an Enum)
    try:
        return members(value)
    except ValueError:
        accepted = ", ".join(member.value for member in members)
        raise ConfigError(path, lines.of("streets", key), key, f"{value!r} is none of {accepted}") from None
