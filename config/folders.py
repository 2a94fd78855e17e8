"""Where rulebooks, games and schedules are: those that come with the program, and a house's own beside them.

A house keeps its files in one directory, with any of `rulebooks/`, `games/` and `schedules/` in it and a
`catalogue.csv` of clauses that its books cite. A table's file names it (`[house] directory`); for commands that read
no table's file the environment does (`TABLE_HOUSE`).
"""

import os
from dataclasses import dataclass
from pathlib import Path

from config.errors import ConfigError

OWN = Path(__file__).parent
"""Where the files that come with the program are."""

VARIABLE = "TABLE_HOUSE"


@dataclass(frozen=True, slots=True)
class Library:
    """Where rulebooks, games and schedules are looked up: with the program and, beside it, in a house's directory."""

    house: Path | None = None

    def folder(self, kind: str) -> Path | None:
        """The folder of the house's own files of a kind ("rulebooks"), if it has one."""
        return None if self.house is None or not (self.house / kind).is_dir() else self.house / kind


def library_of(named: Library | None = None) -> Library:
    """The library that somebody names; where nobody does, the one of the environment."""
    if named is not None:
        return named
    said = os.environ.get(VARIABLE)
    return Library(Path(said) if said else None)


def names_in(own: Path, houses: Path | None) -> tuple[str, ...]:
    """The names of the TOML files in both folders; raises `ConfigError` where one name stands in both."""
    known = {path.stem for path in own.glob("*.toml")}
    others = {path.stem: path for path in ([] if houses is None else sorted(houses.glob("*.toml")))}
    for name, path in others.items():
        if name in known:
            raise ConfigError(path, 1, "", f"{name} comes with the program; give the house's own file another name")
    return tuple(sorted(known | set(others)))


def path_in(own: Path, houses: Path | None, name: str) -> Path:
    """The file of that name, in whichever of the two folders it is."""
    theirs = None if houses is None else houses / f"{name}.toml"
    return theirs if theirs is not None and theirs.is_file() else own / f"{name}.toml"
