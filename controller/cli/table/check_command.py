"""`tablectl check`: is a table's file right."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.table_options import INSTALLED_TABLE_FILE
from controller.command_table import Command, Option

if TYPE_CHECKING:
    from config.table_file import TableFile


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 nothing wrong, 2 something is."""
    if options.schema:
        from controller.app.commissioning.table_file_schema import make_table_schema

        print(json.dumps(make_table_schema(), indent=2))
        return 0
    if options.file is None:
        options.parser.error("name the table's FILE, or say --schema")
    if options.announcer:
        return _check_announcer(options.file)
    if options.install:
        return _install(options.file)
    from controller.app.table.used_plug_ins import find_used_plug_ins

    file = _load_without_mistakes(options.file)
    if file is None:
        return 2
    devices = ", ".join(f"{name} ({section.driver})" for name, section in file.devices.items()) or "no devices"
    packages = "".join(f"; by {told}" for told in find_used_plug_ins(file))
    print(f"{options.file} is right: {file.table_line['game']} by {file.table_line['rulebook']}; {devices}{packages}")
    return 0


def _load_without_mistakes(path: Path) -> "TableFile | None":
    """Return the table's file; where something is wrong with it, say what, and return nothing."""
    from config.table_file import load_table_file
    from controller.app.commissioning.table_file_check import (
        find_doubts,
        find_problems,
        find_sampled_edges,
        find_weaknesses,
    )
    from controller.app.diagnostics.integrity_checks import check_parts

    found = find_problems(path)
    if found:
        ending = f"{len(found)} {'mistake' if len(found) == 1 else 'mistakes'} in {path}"
        print(*found, ending, sep="\n")
        return None
    file = load_table_file(path)
    weak = [*find_weaknesses(file)]
    if weak:
        print(*weak, sep="\n")
        return None
    for doubt in (*find_doubts(file), *find_sampled_edges(file), *check_parts(file)):
        print(f"look: {doubt}")
    return file


def _check_announcer(path: Path) -> int:
    """Say what is wrong with an announcer's file and with the secret files that it names."""
    from config.announcer_file import load_announcer_file
    from config.config_error import ConfigError
    from controller.extras import find_missing

    try:
        file = load_announcer_file(path)
        found = file.find_secret_errors()
    except ConfigError as why:
        found = [why]
    for problem in found:
        print(problem)
    if found:
        print(f"{len(found)} {'mistake' if len(found) == 1 else 'mistakes'} in {path}")
        return 2
    missing = find_missing("announcer") if file.mqtt else None
    if missing is not None:
        print(f"{path}: {missing}")
        return 2
    broker = [] if file.mqtt is None else [f"the broker at {file.mqtt.host}, port {file.mqtt.port}"]
    print(f"{path} is right: told are {', '.join([*broker, *(webhook.name for webhook in file.webhooks)])}")
    return 0


def _install(wanted: Path) -> int:
    """Put a file without mistakes where the service reads it; the one before stays beside it.

    It is judged there, not where it was left: the certificates that it names lie beside the table's file.
    """
    from controller.runtime.storage.atomic_file import write_atomically

    judged = INSTALLED_TABLE_FILE.with_name(f"{INSTALLED_TABLE_FILE.name}.judged")
    try:
        write_atomically(judged, wanted.read_bytes(), mode=0o644)
        if _load_without_mistakes(judged) is None:
            judged.unlink()
            return 2
        if INSTALLED_TABLE_FILE.exists():
            write_atomically(
                INSTALLED_TABLE_FILE.with_name(f"{INSTALLED_TABLE_FILE.name}.before"),
                INSTALLED_TABLE_FILE.read_bytes(),
                mode=0o644,
            )
        write_atomically(INSTALLED_TABLE_FILE, judged.read_bytes(), mode=0o644)
        for done in (judged, wanted):
            done.unlink()
    except OSError as why:
        print(
            f"tablectl check: {why.filename or INSTALLED_TABLE_FILE} cannot be written: {why.strerror}", file=sys.stderr
        )
        return 1
    print(f"{INSTALLED_TABLE_FILE} is the table now; systemctl restart table-controller")
    return 0


COMMAND = Command(
    "check",
    "Reads a table's file without touching any device and names every mistake with file, line, key and "
    "what is accepted. Whether the devices are there is for `tablectl doctor`.",
    Option("file FILE", "the table's file", Path, nargs="?"),
    Option("--schema", "print a JSON Schema of the file, for editors that complete and check TOML", flag=True),
    Option("--install", f"put a file without mistakes in its place ({INSTALLED_TABLE_FILE}), as root", flag=True),
    Option("--announcer", "the file is the announcer's, not a table's (docs/announcer.md)", flag=True),
    run=run,
)
