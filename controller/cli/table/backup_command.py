"""`tablectl backup`: all that a table knows in one file, and restored on a new card."""

import argparse
import os
import sys
from pathlib import Path

from controller.cli.table_options import INSTALLED_TABLE_FILE, TABLE_USER, add_table_options


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command and its own commands."""
    parser = subparsers.add_parser(
        "backup",
        description="Packs the table's file, decks, staff and journal into one file, and restores it, or the folder of "
        "a second store ([state] second_store), on a new card.",
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    make = commands.add_parser(
        "make",
        help="write a backup",
        description="Writes a backup; the table may be in play, and the hand in play is not in it. Without --keys a "
        "restored table keeps the old journal for reading and begins a new one.",
    )
    make.add_argument("file", metavar="FILE", type=Path, help="where to, such as /media/stick/table-07.tar")
    make.add_argument("--keys", action="store_true", help="with the keys of table and page: keep the file like a key")
    add_table_options(make, state="its state is")
    make.set_defaults(run=_make)
    back = commands.add_parser(
        "restore",
        help="restore a backup on a new card",
        description="Proves the backup, then puts table's file, decks, staff and journal in their places. As root; the "
        "table must not run.",
    )
    back.add_argument("source", metavar="FILE", type=Path, help="the backup, or the folder of a second store")
    back.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        default=INSTALLED_TABLE_FILE,
        help=f"where the table's file goes ({INSTALLED_TABLE_FILE})",
    )
    back.add_argument("--replace", action="store_true", help="put the journal that is there aside")
    back.set_defaults(run=_restore)


def _make(options: argparse.Namespace) -> int:
    from config.table_file import load_table_file
    from controller.app.table.session_start import read_program_version
    from controller.app.upkeep.backup import make_backup
    from controller.app.upkeep.table_copy import CopyError

    file = load_table_file(options.config)
    fresh = options.file.with_name(f"{options.file.name}.part")
    try:
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with open(handle, "wb") as output:
            listed = make_backup(
                file, options.state or file.state_directory, output, keys=options.keys, program=read_program_version()
            )
            output.flush()
            os.fsync(output.fileno())
        fresh.replace(options.file)
    except CopyError as why:
        fresh.unlink(missing_ok=True)
        print(f"tablectl backup: {why}", file=sys.stderr)
        return 1
    files = listed["files"]
    assert isinstance(files, dict)
    size = options.file.stat().st_size / 1e6
    print(f"{options.file}: {len(files)} files, {size:.1f} MB, {'with' if options.keys else 'without'} the keys")
    return 0


def _restore(options: argparse.Namespace) -> int:
    from controller.app.upkeep.backup import BackupError, restore

    owner = TABLE_USER if options.config == INSTALLED_TABLE_FILE else None
    try:
        done = restore(options.source, options.config, replace=options.replace, owner=owner)
    except BackupError as why:
        print(f"tablectl backup: {why}; nothing was changed", file=sys.stderr)
        return 1
    print(f"restored the table of {done.made_at} to {options.config} and {done.state_directory}")
    if done.aside_folder is not None:
        print(f"what was there is in {done.aside_folder}")
    if not done.has_keys:
        print(
            f"it was packed without keys: its journal is in {done.state_directory}/restored-journal, and a new one "
            f"begins"
        )
    print("start it: systemctl start table-controller")
    return 0
