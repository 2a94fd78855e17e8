"""`tablectl backup`: all that a table knows in one file, and restored on a new card."""

import argparse
import os
import sys
from pathlib import Path

from controller.cli.table_options import INSTALLED_TABLE_FILE, TABLE_USER, make_table_options
from controller.command_table import Command, Option


def _make(options: argparse.Namespace) -> int:
    from config.table_file import load_table_file
    from controller.app.table.session_start import read_program_version
    from controller.app.upkeep.backup import make_backup
    from controller.app.upkeep.table_copy import CopyError, find_absent_journal_file

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
    absent = find_absent_journal_file(options.state or file.state_directory)
    if absent is not None:
        print(
            f"tablectl backup: {absent} was not here, and with it the records before those that are in the backup: put "
            "it back and make another, or keep it beside this one",
            file=sys.stderr,
        )
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


COMMAND = Command(
    "backup",
    "Packs the table's file, decks, staff and journal into one file. Restores that file, or the folder of a second "
    "store ([state] second_store), on a new card.",
    Command(
        "make",
        "write a backup",
        Option("file FILE", "where to, such as /media/stick/table-07.tar", Path),
        Option("--keys", "with the keys of table and page: keep the file like a key", flag=True),
        *make_table_options(state="its state is"),
        description="Writes a backup; the table may be in play, and the hand in play is not in it. Without --keys a "
        "restored table keeps the old journal for reading and begins a new one.",
        run=_make,
    ),
    Command(
        "restore",
        "restore a backup on a new card",
        Option("source FILE", "the backup, or the folder of a second store", Path),
        Option(
            "--config FILE", f"where the table's file goes ({INSTALLED_TABLE_FILE})", Path, default=INSTALLED_TABLE_FILE
        ),
        Option("--replace", "put the journal that is there aside", flag=True),
        description="Proves the backup, then puts table's file, decks, staff and journal in their places. As root; the "
        "table must not run.",
        run=_restore,
    ),
)
