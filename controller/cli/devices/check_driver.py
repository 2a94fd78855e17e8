"""`tablectl check-driver`: does what a package brings do what it must."""

import argparse
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from controller.plug_ins import PlugIn

PATIENCE_SECONDS = 120
"""What takes longer hangs: the longest check of a driver takes seconds on a Pi."""


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "check-driver",
        description="Runs over every driver of an installed package the checks that the drivers of this program pass "
        "(settings, damaged frames, a pulled cable, no memory without bound), on simulated wires; and reads its "
        "rulebooks and games. The package is a plug-in: docs/plug-ins.md. No device is touched.",
    )
    parser.add_argument("package", metavar="PACKAGE", help="the name under which pip installed it")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 it does all that it must, 1 not, 2 there is no such plug-in."""
    from controller import plug_ins

    brought = plug_ins.of_package(options.package)
    if not brought:
        there = sorted({each.package for group in plug_ins.GROUPS for each in plug_ins.installed(group)})
        print(
            f"tablectl check-driver: no package {options.package!r} that brings drivers, rulebooks or games is "
            f"installed beside this program; there {'is' if len(there) == 1 else 'are'} {', '.join(there) or 'none'}",
            file=sys.stderr,
        )
        return 2
    print(f"{brought[0].told}: {', '.join(f'{each.kind} {each.name}' for each in brought)}")
    passed = wrong = 0
    for name, what, fault in _outcomes(brought):
        if fault is None:
            passed += 1
            print(f"   ok  {name}: {what}", flush=True)
        else:
            wrong += 1
            print(f"  BAD  {name}: {what}\n       -> {fault}", flush=True)
    print(f"{wrong} bad, {passed} ok")
    return 1 if wrong else 0


def _outcomes(brought: "tuple[PlugIn, ...]") -> Iterator[tuple[str, str, str | None]]:
    """For each thing looked at: whose, what, and the fault if any."""
    from config import game_file, rulebook_file
    from controller import plug_ins
    from drivers.contract.registry import DRIVERS
    from drivers.sim import SIMS

    own = {
        plug_ins.DRIVERS: tuple(DRIVERS),
        plug_ins.TWINS: tuple(SIMS),
        plug_ins.RULEBOOKS: rulebook_file.names(),
        plug_ins.GAMES: game_file.names(),
    }
    for each in brought:
        taken = _taken(each, own[each.group])
        yield each.name, f"no other {each.kind} has its name", taken
        if taken is None and each.group == plug_ins.DRIVERS:
            yield from _driver(each)
        elif taken is None and each.group in (plug_ins.RULEBOOKS, plug_ins.GAMES):
            yield each.name, f"the {each.kind} can be read and has all its answers", _file(each)


def _taken(each: "PlugIn", own: tuple[str, ...]) -> str | None:
    from controller import plug_ins

    if each.name in own:
        return f"{each.told} brings a {each.kind} {each.name!r}, which is the name of the program's own"
    try:
        plug_ins.find(each.group, each.name)
    except plug_ins.PlugInError as why:
        return str(why)
    return None


def _driver(each: "PlugIn") -> Iterator[tuple[str, str, str | None]]:
    from controller.plug_ins import PlugInError
    from drivers.contract.errors import DriverConfigError
    from drivers.contract.registry import keys_of
    from drivers.sim.conformance.checks import checks, outcome
    from drivers.sim.conformance.subject import Nonconforming, subject

    try:
        keys_of(each.name)
        held = subject(each.name, _page(each.package))
        held.made()
    except (PlugInError, Nonconforming, DriverConfigError) as why:
        yield each.name, "it can be made as its page says", str(why)
        return
    for check in checks(held):
        with _patience() as late:
            fault = outcome(check)
        yield each.name, check.name, late() or fault


def _page(package: str) -> str:
    """The description of a package, which is its README."""
    from importlib.metadata import metadata

    return str(metadata(package).json.get("description", "")).replace("\r\n", "\n")


def _file(each: "PlugIn") -> str | None:
    """What is wrong with a rulebook or a game, for which nothing but the file is read."""
    from config import game_file, rulebook_file
    from config.errors import ConfigError
    from config.folders import Library, with_plug_ins
    from controller import plug_ins

    key, load = ("rulebook", rulebook_file.load) if each.group == plug_ins.RULEBOOKS else ("game", game_file.load)
    try:
        load(each.name, with_plug_ins(Library(), {key: each.name}))
    except ConfigError as why:
        return str(why)
    return None


class _LateError(BaseException):
    """It takes too long; no driver catches this by the way."""


@contextmanager
def _patience() -> "Iterator[Callable[[], str | None]]":
    """End what does not come back; the value says, afterwards, that it did not."""
    told: list[str] = []

    def late(*_: object) -> None:
        raise _LateError

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(PATIENCE_SECONDS)
    try:
        yield lambda: told[0] if told else None
    except _LateError:
        told.append(f"it does not come back: given up after {PATIENCE_SECONDS} s")
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
