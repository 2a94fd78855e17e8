"""`tablectl doctor`: what is wrong with this table, and what to do."""

import argparse
import re
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.which_table import INSTALLED, add_table

if TYPE_CHECKING:
    from controller.app.doctor.check_result import Finding

_ABOUT_A_TABLE = re.compile(r"\btablectl (?:monitor|wiring|udev|lamps test|gate test|gate safe|deck \w+|staff \w+)")


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "doctor",
        description="Opens and questions every device of the table, looks at board, kernel, pins, groups, clock and "
        "disk and at the program itself, and says in a sentence what is wrong and what to do. Run it as the user who "
        "runs the table; nobody should touch cards or keys meanwhile.",
    )
    add_table(parser)
    parser.set_defaults(run=run, state=None)  # whom that is closed to would be told what is wrong with himself


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 nothing bad, 1 something is, 2 the file cannot be used."""
    from controller.app.doctor.check_result import Grade
    from controller.app.table_setup.check_file import problems

    found = problems(options.config)
    if found:
        for problem in found:
            print(f"tablectl doctor: {problem}", file=sys.stderr)
        print("tablectl doctor: correct the file first (tablectl check)", file=sys.stderr)
        return 2
    counted = dict.fromkeys(Grade, 0)
    for finding in _findings(options.config):
        counted[finding.grade] += 1
        print(f"{finding.grade.value:>5}  {finding.about}: {finding.text}", flush=True)
        if finding.remedy:
            print(f"       -> {_to_be_typed(finding.remedy, options.config)}")
    print(f"{counted[Grade.BAD]} bad, {counted[Grade.DOUBTFUL]} to look at, {counted[Grade.GOOD]} ok")
    return 1 if counted[Grade.BAD] else 0


def _to_be_typed(remedy: str, config: Path) -> str:
    """Let each command in a remedy name the table that was examined, unless it is the installed one."""
    if config == INSTALLED:
        return remedy
    return _ABOUT_A_TABLE.sub(rf"\g<0> --config {shlex.quote(str(config))}", remedy)


def _findings(path: Path) -> "Iterator[Finding]":
    from config.table_file import load_table
    from controller.app.doctor import integrity_checks, plug_in_checks
    from controller.app.doctor.check_result import bad, good
    from controller.app.doctor.device_checks import Examination, deck_findings
    from controller.app.doctor.machine_checks import Machine
    from controller.app.doctor.ports import other_ports, serial_ports
    from controller.app.table.build_devices import build_devices, open_pins
    from controller.app.table_setup.check_file import weaknesses
    from controller.cli.devices.on_site import CommandRefused, out_of_service
    from drivers.contract.errors import PinError

    file = load_table(path)
    devices = build_devices(file)
    weak = [str(why).partition("; ") for why in weaknesses(file)]
    yield from (bad("file", text, remedy) for text, _, remedy in weak)
    if not weak:
        yield good("file", f"{path} is right")
    yield from Machine().examine(file, devices)
    yield from integrity_checks.examine(file)
    yield from plug_in_checks.examine(file)
    yield from deck_findings(file)
    try:
        with out_of_service(file.directory):
            pins = None
            try:
                pins = open_pins(devices)
            except PinError as why:
                text, _, remedy = str(why).partition("; ")
                yield bad("pins", text, remedy or "tablectl wiring shows what is on them")
            ports = [*serial_ports(), *other_ports()]
            yield from Examination(file, devices, pins, time.monotonic, time.sleep, ports).findings()
    except CommandRefused as why:
        text, _, remedy = str(why).partition(": ")
        yield bad("devices", text, remedy)
