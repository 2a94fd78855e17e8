"""Where rulebooks, games and schedules are: those that come with the program, and a house's own beside them.

A house keeps its files in one directory, with any of `rulebooks/`, `games/`, `schedules/` and `payouts/` in it and a
`catalogue.csv` of clauses that its books cite. A table's file names it (`[house] directory`); for commands that read
no table's file the environment does (`TABLE_HOUSE`). An installed package that brings a rulebook or a game by an entry
point is a directory like that; it is looked for only where a table names what neither program nor house has.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from config.config_error import ConfigError
from controller import plug_ins
from controller.plug_ins import PlugInError

PROGRAM_FOLDER = Path(__file__).parent
"""Where the files that come with the program are."""

HOUSE_VARIABLE = "TABLE_HOUSE"


KIND_BY_KEY = {
    "rulebook": ("rulebooks", PROGRAM_FOLDER / "rulebooks", plug_ins.RULEBOOKS),
    "game": ("games", PROGRAM_FOLDER / "games", plug_ins.GAMES),
}
"""Key of the table line -> the folder of its files, the program's own, the group of entry points that bring such."""


@dataclass(frozen=True, slots=True)
class FilePackage:
    """An installed package, `label` with its version, that brings files; they are in `folder` as a house's are."""

    label: str
    folder: Path


@dataclass(frozen=True, slots=True)
class Library:
    """Where rulebooks, games and schedules are looked up: with the program and, beside it, in a house's directory.

    And in the `packages` that the table uses (`add_plug_in_packages`).
    """

    house: Path | None = None
    packages: tuple[FilePackage, ...] = ()

    def directories(self) -> tuple[Path, ...]:
        """Where files are that do not come with the program: the house's directory, then those of packages."""
        return (*(() if self.house is None else (self.house,)), *(package.folder for package in self.packages))

    def folders(self, kind: str) -> tuple[Path, ...]:
        """The folders of such files of a kind ("rulebooks"), as far as there are any."""
        directories = self.directories()
        return tuple(folder / kind for folder in directories if (folder / kind).is_dir()) if directories else ()


def resolve_library(named: Library | None = None) -> Library:
    """The library that somebody names; where nobody does, the one of the environment."""
    if named is not None:
        return named
    said = os.environ.get(HOUSE_VARIABLE)
    return Library(Path(said) if said else None)


def add_plug_in_packages(library: Library, table: Mapping[str, object]) -> Library:
    """The library with the packages that bring rulebook and game of a table line, where it has not got them itself.

    Raises `ConfigError` where two packages bring one, or a package cannot be loaded.
    """
    found_before = library
    for key, (kind, own, group) in KIND_BY_KEY.items():
        name = table.get(key)
        if not isinstance(name, str) or not name.isprintable() or "/" in name:
            continue
        if name in list_names(own, ()) or find_path(own, found_before.folders(kind), name).is_file():
            continue
        try:
            found = plug_ins.find_plug_in(group, name)
            package = None if found is None else FilePackage(found.label, plug_ins.find_folder(found))
        except PlugInError as why:
            raise ConfigError(Path(f"{name}.toml"), 1, key, str(why)) from why
        if package is not None and not (package.folder / kind / f"{name}.toml").is_file():
            missing = f"{package.label} is to bring the {key} {name!r}, but has no file {kind}/{name}.toml"
            raise ConfigError(Path(f"{name}.toml"), 1, key, missing)
        if package is not None and package not in library.packages:
            library = replace(library, packages=(*library.packages, package))
    return library


def find_house_files(library: Library, table: Mapping[str, object]) -> tuple[Path, ...]:
    """Where the house keeps, or kept, the rulebook and the games of a table line that do not come with the program."""
    if library.house is None:
        return ()
    rotation = table.get("rotation")
    lines = [table, *(row for row in rotation if isinstance(row, Mapping))] if isinstance(rotation, list) else [table]
    named = [(kind, own, line.get(key)) for key, (kind, own, _) in KIND_BY_KEY.items() for line in lines]
    return tuple(
        library.house / kind / f"{name}.toml"
        for kind, own, name in named
        if isinstance(name, str)
        and name not in list_names(own, ())
        and not find_path(own, tuple(package.folder / kind for package in library.packages), name).is_file()
    )


@contextmanager
def name_package_in_errors(library: Library | None) -> Iterator[None]:
    """Let an error in a file that a package brought name the package."""
    try:
        yield
    except ConfigError as error:
        for package in resolve_library(library).packages:
            if error.path.is_relative_to(package.folder):
                raise ConfigError(error.path, error.line, error.key, f"{error.message} ({package.label})") from error
        raise


@cache
def list_names(own: Path, others: tuple[Path, ...]) -> tuple[str, ...]:
    """The names of the TOML files in all folders; raises `ConfigError` where one name stands in two."""
    known = {path.stem: "comes with the program" for path in own.glob("*.toml")}
    for folder in others:
        for path in sorted(folder.glob("*.toml")):
            if path.stem in known:
                raise ConfigError(
                    path, 1, "", f"{path.stem} {known[path.stem]}; give the house's own file another name"
                )
            known[path.stem] = f"is in {folder} already"
    return tuple(sorted(known))


def find_path(own: Path, others: tuple[Path, ...], name: str) -> Path:
    """The file of that name, in whichever of the folders it is, whatever stands there in its place."""
    return next((path for folder in others if os.path.lexists(path := folder / f"{name}.toml")), own / f"{name}.toml")
