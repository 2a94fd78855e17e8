"""`tablectl check-driver`: does what a package brings do what it must."""

import argparse
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from controller.command_table import Command, Option

if TYPE_CHECKING:
    from collections.abc import Callable

    from controller.plug_ins import PlugIn

CHECK_TIMEOUT_S = 120
"""What takes longer hangs: the longest check of a driver takes seconds on a Pi."""


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 it does all that it must, 1 not, 2 there is no such plug-in."""
    from controller import plug_ins

    brought = plug_ins.list_package_plug_ins(options.package)
    if not brought:
        there = sorted({each.package for group in plug_ins.KIND_BY_GROUP for each in plug_ins.list_plug_ins(group)})
        print(
            f"tablectl check-driver: no package {options.package!r} that brings drivers, rulebooks or games is "
            f"installed beside this program; there {'is' if len(there) == 1 else 'are'} {', '.join(there) or 'none'}",
            file=sys.stderr,
        )
        return 2
    print(f"{brought[0].label}: {', '.join(f'{each.kind} {each.name}' for each in brought)}")
    passed = wrong = 0
    for name, what, fault in _check_plug_ins(brought):
        if fault is None:
            passed += 1
            print(f"   ok  {name}: {what}", flush=True)
        else:
            wrong += 1
            print(f"  BAD  {name}: {what}\n       -> {fault}", flush=True)
    print(f"{wrong} bad, {passed} ok")
    return 1 if wrong else 0


def _check_plug_ins(brought: "tuple[PlugIn, ...]") -> Iterator[tuple[str, str, str | None]]:
    """For each thing looked at: whose, what, and the fault if any."""
    from config import game_file, rulebook_file
    from controller import plug_ins
    from controller.cli import COMMANDS
    from drivers.contract.driver_registry import DRIVERS
    from drivers.simulators import SIMULATORS

    own = {
        plug_ins.DRIVERS: tuple(DRIVERS),
        plug_ins.SIMULATORS: tuple(SIMULATORS),
        plug_ins.RULEBOOKS: rulebook_file.list_rulebooks(),
        plug_ins.GAMES: game_file.list_games(),
        plug_ins.COMMANDS: tuple(COMMANDS),
    }
    for each in brought:
        taken = _find_name_clash(each, own[each.group])
        yield each.name, f"no other {each.kind} has its name", taken
        if taken is None and each.group == plug_ins.DRIVERS:
            yield from _check_driver(each)
        elif taken is None and each.group == plug_ins.SIMULATORS:
            yield each.name, f"the {each.kind} can be loaded", _check_simulator(each)
        elif taken is None and each.group in (plug_ins.RULEBOOKS, plug_ins.GAMES):
            yield each.name, f"the {each.kind} can be read and has all its answers", _check_file(each)


def _find_name_clash(each: "PlugIn", own: tuple[str, ...]) -> str | None:
    from controller import plug_ins

    if each.name in own:
        return f"{each.label} brings a {each.kind} {each.name!r}, which is the name of the program's own"
    try:
        plug_ins.find_plug_in(each.group, each.name)
    except plug_ins.PlugInError as why:
        return str(why)
    return None


def _check_driver(each: "PlugIn") -> Iterator[tuple[str, str, str | None]]:
    from controller.plug_ins import PlugInError
    from drivers.conformance.checks import list_checks, run_check
    from drivers.conformance.documented_driver import ConformanceError, parse_driver_page
    from drivers.contract.device_errors import DriverConfigError
    from drivers.contract.driver_registry import list_driver_keys

    try:
        list_driver_keys(each.name)
        held = parse_driver_page(each.name, _read_description(each.package))
        held.build_driver()
    except (PlugInError, ConformanceError, DriverConfigError) as why:
        yield each.name, "it can be made as its page says", str(why)
        return
    for check in list_checks(held):
        with _limit_time() as late:
            fault = run_check(check)
        yield each.name, check.name, late() or fault


def _check_simulator(each: "PlugIn") -> str | None:
    """Why a simulator cannot be loaded; what it does is checked with its driver."""
    from controller.plug_ins import PlugInError
    from drivers.contract.older_contract import load_contract_class

    try:
        load_contract_class(each)
    except PlugInError as why:
        return str(why)
    return None


def _read_description(package: str) -> str:
    """The description of a package, which is its README."""
    from importlib.metadata import metadata

    return str(metadata(package).json.get("description", "")).replace("\r\n", "\n")


def _check_file(each: "PlugIn") -> str | None:
    """What is wrong with a rulebook or a game, for which nothing but the file is read."""
    from config import game_file, rulebook_file
    from config.config_error import ConfigError
    from config.file_library import Library, add_plug_in_packages
    from controller import plug_ins

    key, load = (
        ("rulebook", rulebook_file.load_rulebook) if each.group == plug_ins.RULEBOOKS else ("game", game_file.load_game)
    )
    try:
        load(each.name, add_plug_in_packages(Library(), {key: each.name}))
    except ConfigError as why:
        return str(why)
    return None


class _CheckTimeoutError(BaseException):
    """It takes too long; no driver catches this by the way."""


@contextmanager
def _limit_time() -> "Iterator[Callable[[], str | None]]":
    """End what does not come back; the value says, afterwards, that it did not."""
    reasons: list[str] = []

    def give_up(*_: object) -> None:
        raise _CheckTimeoutError

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(CHECK_TIMEOUT_S)
    try:
        yield lambda: reasons[0] if reasons else None
    except _CheckTimeoutError:
        reasons.append(f"it does not come back: given up after {CHECK_TIMEOUT_S} s")
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


COMMAND = Command(
    "check-driver",
    "Checks every driver of an installed package as the program's own drivers are checked, on simulated wires. The "
    "checks are settings, damaged frames, a pulled cable and bounded memory. It also reads the package's rulebooks "
    "and games. The package is a plug-in: docs/plug-ins.md. No device is touched.",
    Option("package PACKAGE", "the name under which pip installed it"),
    run=run,
)
