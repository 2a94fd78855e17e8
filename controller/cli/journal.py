"""`tablectl journal`: read what a table recorded."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from config.errors import ConfigError
from config.setup import open_table
from config.table_file import DEMO, load_table
from controller.runtime.database import DatabaseError
from controller.runtime.journal import Journal
from controller.runtime.places import JOURNAL_FILE
from controller.runtime.recovery import RecoveryError, check, session_of, settled_entries


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command and its own commands."""
    parser = subparsers.add_parser(
        "journal",
        help="export and check what a table recorded",
        description="Lists, exports and checks the journal of a table. The table may be in play meanwhile.",
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    listing = commands.add_parser("list", help="list the sessions of the journal")
    _finish(listing, _list)

    export = commands.add_parser(
        "export",
        help="write a session as a table script",
        description="Writes a session as a table script, which `tablectl replay` plays again. A hand in progress is "
        "held back: its cards lie face down.",
    )
    export.add_argument("--session", type=int, metavar="N", help="which session (default: the last)")
    export.add_argument("--live-hand", action="store_true", help="also the hand in progress, with its face-down cards")
    _finish(export, _export)

    proof = commands.add_parser(
        "check",
        help="prove that the recorded events give the recorded outcomes",
        description="Plays every session again and compares each outcome with the one recorded.",
    )
    _finish(proof, _check)


def _finish(parser: argparse.ArgumentParser, command: Callable[[argparse.Namespace, Journal], int]) -> None:
    parser.add_argument("--config", metavar="FILE", type=Path, default=DEMO, help="the table (default: the demo table)")
    parser.add_argument("--state", metavar="DIR", type=Path, help="where its journal is, instead of [state]")
    parser.set_defaults(run=run, journal_command=command)


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 done, 1 refused or differing, 2 the configuration cannot be used."""
    try:
        directory = options.state or load_table(options.config).directory
        journal = Journal(directory / JOURNAL_FILE, create=False)
    except ConfigError as why:
        print(f"tablectl journal: {why}", file=sys.stderr)
        return 2
    except DatabaseError as why:
        print(f"tablectl journal: {why}", file=sys.stderr)
        return 1
    try:
        command: Callable[[argparse.Namespace, Journal], int] = options.journal_command
        return command(options, journal)
    except (RecoveryError, DatabaseError) as why:
        print(f"tablectl journal: {why}", file=sys.stderr)
        return 1
    finally:
        journal.close()


def _list(options: argparse.Namespace, journal: Journal) -> int:  # noqa: ARG001 - every command takes both
    for session in journal.sessions():
        header = session.header
        about = (header["mode"], header["game"], header["rulebook"], f"{journal.count(session)} entries")
        print(session.number, session.begun, *about, sep="\t")
    return 0


def _export(options: argparse.Namespace, journal: Journal) -> int:
    session = session_of(journal, options.session)
    entries, held_back = settled_entries(journal, session, open_table, live_hand=options.live_hand)
    sys.stdout.write("".join(f"{entry.line}\n" for entry in entries))
    if held_back:
        print(f"tablectl journal: held back the hand in progress ({held_back} entries)", file=sys.stderr)
    return 0


def _check(options: argparse.Namespace, journal: Journal) -> int:  # noqa: ARG001 - every command takes both
    alike = True
    for session in journal.sessions():
        found = check(journal, session, open_table)
        unrecorded = f", {found.unrecorded} never recorded" if found.unrecorded else ""
        print(f"session {session.number}: {found.entries} entries, {found.alike} outcomes as recorded{unrecorded}")
        if found.first_difference is not None:
            print(f"session {session.number}: entry {found.first_difference} gives another outcome than recorded")
            alike = False
    return 0 if alike else 1
