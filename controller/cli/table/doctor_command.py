"""`tablectl doctor`: what is wrong with this table, and what to do."""

import argparse
import re
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.table_options import INSTALLED_TABLE_FILE, make_table_options
from controller.command_table import Command

if TYPE_CHECKING:
    from controller.app.diagnostics.check_result import CheckResult

_TABLE_COMMAND_PATTERN = re.compile(
    r"\btablectl (?:monitor|wiring|udev|lamps test|gate test|gate safe|deck \w+|staff \w+)"
)


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 nothing bad, 1 something is, 2 the file cannot be used."""
    from controller.app.commissioning.table_file_check import find_problems
    from controller.app.diagnostics.check_result import CheckGrade

    found = find_problems(options.config)
    if found:
        for problem in found:
            print(f"tablectl doctor: {problem}", file=sys.stderr)
        print("tablectl doctor: correct the file first (tablectl check)", file=sys.stderr)
        return 2
    counted = dict.fromkeys(CheckGrade, 0)
    for finding in _run_checks(options.config):
        counted[finding.grade] += 1
        print(f"{finding.grade.value:>5}  {finding.subject}: {finding.text}", flush=True)
        if finding.remedy:
            print(f"       -> {_add_config_option(finding.remedy, options.config)}")
    print(f"{counted[CheckGrade.BAD]} bad, {counted[CheckGrade.DOUBTFUL]} to look at, {counted[CheckGrade.GOOD]} ok")
    return 1 if counted[CheckGrade.BAD] else 0


def _add_config_option(remedy: str, config: Path) -> str:
    """Let each command in a remedy name the table that was examined, unless it is the installed one."""
    if config == INSTALLED_TABLE_FILE:
        return remedy
    return _TABLE_COMMAND_PATTERN.sub(rf"\g<0> --config {shlex.quote(str(config))}", remedy)


def _run_checks(path: Path) -> "Iterator[CheckResult]":
    from config.table_file import load_table_file
    from controller.app.commissioning.table_file_check import find_doubts, find_weaknesses
    from controller.app.diagnostics import integrity_checks, plug_in_checks
    from controller.app.diagnostics.check_result import report_bad, report_doubtful, report_good
    from controller.app.diagnostics.device_checks import DeviceCheck, check_decks
    from controller.app.diagnostics.dwell_checks import check_dwells
    from controller.app.diagnostics.machine_checks import MachineCheck
    from controller.app.diagnostics.machine_ports import list_other_ports, list_serial_ports
    from controller.app.releases.needed_extras import find_extras_beside
    from controller.app.table.table_devices import build_devices, open_pins
    from controller.cli.devices.device_access import CommandError, lock_out_controller
    from controller.extras import find_missing
    from drivers.contract.device_errors import PinError

    file = load_table_file(path)
    devices = build_devices(file)
    weak = [str(why).partition("; ") for why in find_weaknesses(file)]
    yield from (report_bad("file", text, remedy) for text, _, remedy in weak)
    missing = [(find_missing(name) or "").partition(": ") for name in sorted(find_extras_beside(path))]
    yield from (report_bad("file", text, remedy) for text, _, remedy in missing if text)
    doubts = [str(why).partition("; ") for why in find_doubts(file)]
    yield from (report_doubtful("file", text, remedy) for text, _, remedy in doubts)
    if not weak:
        yield report_good("file", f"{path} is right")
    yield from MachineCheck().check_machine(file, devices)
    yield from integrity_checks.check_integrity(file)
    yield from plug_in_checks.check_plug_ins(file)
    yield from check_decks(file)
    yield from check_dwells(file)
    try:
        with lock_out_controller(file.state_directory):
            pins = None
            try:
                pins = open_pins(devices)
            except PinError as why:
                text, _, remedy = str(why).partition("; ")
                yield report_bad("pins", text, remedy or "tablectl wiring shows what is on them")
            ports = [*list_serial_ports(), *list_other_ports()]
            yield from DeviceCheck(file, devices, pins, time.monotonic, time.sleep, ports).check_devices()
    except CommandError as why:
        text, _, remedy = str(why).partition(": ")
        yield report_bad("devices", text, remedy)


COMMAND = Command(
    "doctor",
    "Opens and questions every device of the table. Looks at board, kernel, pins, groups, clock, disk and the program"
    " itself. Says in a sentence what is wrong and what to do. Run it as the user who runs the table; nobody should"
    " touch cards or keys meanwhile.",
    *make_table_options(),
    run=run,
    defaults={"state": None},
    as_table_user=True,
)
