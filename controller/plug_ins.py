"""What other packages bring by entry points: drivers, simulators of their devices, rulebooks, games and commands.

An entry point's name is that of the driver, rulebook or game as a table's file says it, or of the command. Its value is
"module:Class" of a driver or a simulator, and "module:COMMAND" of a command (`controller.command_table.Command`);
of a rulebook or game it is a package laid out as a house's directory (`config.file_library`).
Nothing is looked up but for a name that the program itself does not have, so that a table without plug-ins pays
nothing and none can take the place of what comes with the program.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

DRIVERS = "table_controller.drivers"
SIMULATORS = "table_controller.twins"
RULEBOOKS = "table_controller.rulebooks"
GAMES = "table_controller.games"
COMMANDS = "table_controller.commands"
KIND_BY_GROUP = {
    DRIVERS: "driver",
    SIMULATORS: "simulated device",
    RULEBOOKS: "rulebook",
    GAMES: "game",
    COMMANDS: "command of tablectl",
}
"""Each group of entry points, and what one of them is called in a sentence."""


class PlugInError(Exception):
    """What a package brings cannot be used; the sentence names the package."""


@dataclass(frozen=True, slots=True)
class PlugIn:
    """One entry point of an installed package; `target` is its value."""

    group: str
    name: str
    package: str
    version: str
    target: str

    @property
    def label(self) -> str:
        """Package and version, as journal and doctor have them."""
        return f"{self.package} {self.version}"

    @property
    def kind(self) -> str:
        """What it is, in a word."""
        return KIND_BY_GROUP[self.group]


@cache
def list_plug_ins(group: str) -> tuple[PlugIn, ...]:
    """All entry points of a group, by name and package; a package whose list cannot be read has none."""
    return tuple(
        sorted((each for each in _scan_packages() if each.group == group), key=lambda each: (each.name, each.package))
    )


@cache
def _scan_packages() -> tuple[PlugIn, ...]:
    from importlib.metadata import distributions

    found: dict[str, tuple[PlugIn, ...]] = {}
    for each in distributions():
        try:
            if "[table_controller." not in (each.read_text("entry_points.txt") or ""):
                continue
            name, version = each.name, each.version
            listed = [entry for entry in each.entry_points if entry.group in KIND_BY_GROUP]
        except Exception:  # whatever is wrong with a package that nobody asked for, it ends no table
            continue
        # The first on the path is the one that Python imports.
        found.setdefault(
            _normalize_name(name),
            tuple(PlugIn(entry.group, entry.name, name, version, entry.value) for entry in listed),
        )
    return tuple(entry for entries in found.values() for entry in entries)


def list_package_plug_ins(package: str) -> tuple[PlugIn, ...]:
    """What one package brings, group by group."""
    return tuple(
        each
        for group in KIND_BY_GROUP
        for each in list_plug_ins(group)
        if _normalize_name(each.package) == _normalize_name(package)
    )


def find_plug_in(group: str, name: str) -> PlugIn | None:
    """The one plug-in of that name, if any. Raises `PlugInError` where two packages bring it."""
    bringing = [each for each in list_plug_ins(group) if each.name == name]
    if len(bringing) > 1:
        packages = " and ".join(each.label for each in bringing)
        raise PlugInError(
            f"the {KIND_BY_GROUP[group]} {name!r} is brought by {packages}; uninstall all but one of them"
        )
    return bringing[0] if bringing else None


def find_clashes(group: str, own: Collection[str]) -> Iterator[str]:
    """Say of each name that is brought twice, or that is one of the program's `own`, who brings it."""
    for each in list_plug_ins(group):
        if each.name in own:
            yield f"{each.label} brings a {each.kind} {each.name!r}, which is the name of the program's own"
    for name in sorted({each.name for each in list_plug_ins(group)}):
        try:
            find_plug_in(group, name)
        except PlugInError as why:
            yield str(why)


def load_plug_in(plug_in: PlugIn) -> Any:  # noqa: ANN401 - whatever the package has there
    """Import what the value names: an attribute, or a whole module. Raises `PlugInError` naming the package."""
    from importlib import import_module

    module, _, attribute = plug_in.target.partition(":")
    try:
        found: Any = import_module(module.strip())
        for part in filter(None, attribute.strip().split(".")):
            found = getattr(found, part)
    except (Exception, SystemExit) as why:
        raise make_error(plug_in, f"cannot be loaded from {plug_in.target}", why) from why
    return found


def find_folder(plug_in: PlugIn) -> Path:
    """Where the files of a package lie that brings a rulebook or a game. Raises `PlugInError`."""
    module = load_plug_in(plug_in)
    path = getattr(module, "__file__", None)
    if path is None:
        raise PlugInError(f"the {plug_in.kind} {plug_in.name!r} of {plug_in.label}: {plug_in.target} is no package")
    return Path(path).parent


def make_error(plug_in: PlugIn, what: str, why: BaseException | None = None) -> PlugInError:
    """The error that names package and plug-in, and what Python said."""
    reason = "" if why is None else f": {type(why).__name__}" + (f": {why}" if str(why) else "")
    return PlugInError(f"the {plug_in.kind} {plug_in.name!r} of {plug_in.label} {what}{reason}")


def clear_cache() -> None:
    """Look anew at what is installed."""
    list_plug_ins.cache_clear()
    _scan_packages.cache_clear()


def _normalize_name(name: str) -> str:
    return name.replace("-", "_").replace(".", "_").lower()
