"""`tablectl journal`: read, prove and export what a table recorded."""

import argparse
import json
import sys
from collections.abc import Callable
from functools import partial

from config.errors import ConfigError
from config.setup import open_table
from controller.cli.journal import auditor, shuffles
from controller.cli.journal import proof as journal_proof
from controller.cli.which_table import add_table, state_and_library
from controller.runtime.journal.archive import Archive
from controller.runtime.journal.database import DatabaseError
from controller.runtime.journal.proof.chain import End
from controller.runtime.journal.proof.receipt import last_receipt
from controller.runtime.journal.recovery.recovery import RecoveryError, check, session_of, settled_entries
from controller.runtime.journal.sealing.device_key import load_key
from controller.runtime.journal.sealing.unsealing import as_script, keys_in_play, no_keys
from controller.runtime.state_directory import JOURNAL_FILE


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command and its own commands."""
    parser = subparsers.add_parser(
        "journal",
        description="Lists, exports and proves the journal of a table. The table may be in play meanwhile.",
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    listing = commands.add_parser("list", help="list the sessions of the journal")
    _finish(listing, _list)

    export = commands.add_parser(
        "export",
        help="write the journal, or a session of it as a table script",
        description="Writes every record as JSON lines, which `tablectl journal verify` proves on any machine. With "
        "--script: a session as a table script, which `tablectl replay` plays again; a hand in progress is held back, "
        "because its cards lie face down.",
    )
    export.add_argument("--script", action="store_true", help="a session as a table script instead")
    export.add_argument("--session", type=int, metavar="N", help="which session, with --script (default: the last)")
    export.add_argument("--live-hand", action="store_true", help="with --script: also the hand in progress")
    _finish(export, _export)

    proof = commands.add_parser(
        "check",
        help="prove that the recorded events give the recorded outcomes",
        description="Plays every session again and compares each outcome with the one recorded.",
    )
    _finish(proof, _check)

    receipt = commands.add_parser(
        "receipt",
        help="print the signed head of the journal",
        description="Prints the last head of the journal that the table signed. Print it every day and keep it away "
        "from the table: `tablectl journal verify --receipt` shows later that nothing before it was changed.",
    )
    _finish(receipt, _receipt)
    journal_proof.add(commands)
    auditor.add(commands)
    shuffles.add(commands)


def _finish(parser: argparse.ArgumentParser, command: Callable[[argparse.Namespace, Archive], int]) -> None:
    add_table(parser, state="its journal is")
    parser.set_defaults(run=run, journal_command=command)


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 done, 1 refused or differing, 2 the configuration cannot be used."""
    try:
        directory, library = state_and_library(options)
        options.open_table = partial(open_table, library=library)
        archive = Archive.open(directory / JOURNAL_FILE)
    except ConfigError as why:
        print(f"tablectl journal: {why}", file=sys.stderr)
        return 2
    except DatabaseError as why:
        print(f"tablectl journal: {why}", file=sys.stderr)
        return 1
    try:
        command: Callable[[argparse.Namespace, Archive], int] = options.journal_command
        return command(options, archive)
    except (RecoveryError, DatabaseError) as why:
        print(f"tablectl journal: {why}", file=sys.stderr)
        return 1
    finally:
        archive.close()


def _list(options: argparse.Namespace, archive: Archive) -> int:  # noqa: ARG001 - every command takes both
    for session in archive.sessions():
        header = session.header
        about = (header["mode"], header["game"], header["rulebook"], f"{archive.count(session)} entries")
        print(session.number, session.begun, *about, sep="\t")
    return 0


def _export(options: argparse.Namespace, archive: Archive) -> int:
    if options.script:
        return _export_script(options, archive)
    number, chain, table = 0, "", ""
    for record in archive.records(linked=False):
        table = json.loads(record.body)["table"] if record.kind == "file" else table
        number, chain = record.number, record.chain
        sys.stdout.write(f"{record.line}\n")
    signature = None
    try:
        signature = load_key(archive.path.parent).sign(table, number, chain)
    except DatabaseError as why:
        print(f"tablectl journal: the end of the export is not signed ({why}); the last hand's is", file=sys.stderr)
    sys.stdout.write(f"{End(number, chain, signature).line}\n")
    return 0


def _export_script(options: argparse.Namespace, archive: Archive) -> int:
    session = session_of(archive, options.session)
    keys = keys_in_play(archive.path.parent) if options.live_hand else no_keys
    entries, held_back = settled_entries(archive, session, options.open_table, keys, live_hand=options.live_hand)
    sys.stdout.write("".join(f"{as_script(entry)}\n" for entry in entries))
    if held_back:
        print(f"tablectl journal: held back the hand in progress ({held_back} entries)", file=sys.stderr)
    return 0


def _check(options: argparse.Namespace, archive: Archive) -> int:
    alike = True
    for session in archive.sessions():
        found = check(archive, session, options.open_table)
        unrecorded = f", {found.unrecorded} never recorded" if found.unrecorded else ""
        print(f"session {session.number}: {found.entries} entries, {found.alike} outcomes as recorded{unrecorded}")
        if found.first_difference is not None:
            print(f"session {session.number}: entry {found.first_difference} gives another outcome than recorded")
            alike = False
    return 0 if alike else 1


def _receipt(options: argparse.Namespace, archive: Archive) -> int:  # noqa: ARG001 - every command takes both
    receipt = last_receipt(archive)
    if receipt is None:
        print("tablectl journal: the table has not signed yet; it does at the end of each hand", file=sys.stderr)
        return 1
    sys.stdout.write(receipt.text())
    return 0
