"""`tablectl journal`: read, prove and export what a table recorded."""

import argparse
import json
import sys
from collections.abc import Callable
from functools import partial

from config.config_error import ConfigError
from config.table_line import parse_table_line
from controller.cli.journal import auditor_command, shuffles_command
from controller.cli.journal import verify_command as journal_proof
from controller.cli.journal.journal_loss import report_loss
from controller.cli.table_options import JOURNAL_OPTIONS, find_state_and_library
from controller.command_table import Command, Option
from controller.runtime.journal.journal_reader import JournalReader, find_closed_files
from controller.runtime.journal.proof.chain import ExportEnd, compute_chain
from controller.runtime.journal.proof.device_key import DEVICE_KEY_FILE, load_device_key
from controller.runtime.journal.receipt import make_last_receipt
from controller.runtime.journal.recovery.journal_replay import (
    RecoveryError,
    compare_with_replay,
    find_session,
    list_releasable_entries,
)
from controller.runtime.journal.sealing.hand_reader import find_no_key, make_current_key_finder, render_script_line
from controller.runtime.storage.sqlite_database import DatabaseError
from controller.runtime.storage.state_directory import JOURNAL_FILE


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 done, 1 refused or differing, 2 the configuration cannot be used."""
    try:
        directory, library = find_state_and_library(options)
        options.open_table = partial(parse_table_line, library=library)
        archive = JournalReader.open(directory / JOURNAL_FILE)
    except ConfigError as why:
        print(f"tablectl journal: {why}", file=sys.stderr)
        return 2
    except DatabaseError as why:
        print(f"tablectl journal: {why}", file=sys.stderr)
        return 1
    try:
        command: Callable[[argparse.Namespace, JournalReader], int] = options.action
        return max(command(options, archive), report_loss("journal", archive))
    except (RecoveryError, DatabaseError) as why:
        print(f"tablectl journal: {why}", file=sys.stderr)
        return 1
    finally:
        archive.close()


def _list(options: argparse.Namespace, archive: JournalReader) -> int:  # noqa: ARG001 - every command takes both
    for session in archive.list_sessions():
        header = session.header
        about = (header["mode"], header["game"], header["rulebook"], f"{archive.count_entries(session)} entries")
        print(session.number, session.begun_at, *about, sep="\t")
    return 0


def _export(options: argparse.Namespace, archive: JournalReader) -> int:
    if options.script:
        return _export_script(options, archive)
    number, chain, table, device = 0, "", "", ""
    changed: int | None = None
    for record in archive.read_records(linked=False):
        if record.kind == "file":
            body = json.loads(record.body)
            table, device = str(body["table"]), str(body["device"])
        if changed is None and number and record.chain != compute_chain(record, chain):
            changed = record.number
        number, chain = record.number, record.chain
        sys.stdout.write(f"{record.export_line}\n")
    signature = None
    try:
        key = load_device_key(archive.path.parent)
        if key.public_hex == device:
            signature = key.sign_head(table, number, chain)
        else:
            print(
                f"tablectl journal: the end of the export is not signed: {archive.path.parent / DEVICE_KEY_FILE} is "
                "not the key that the journal names; put the right one back",
                file=sys.stderr,
            )
    except DatabaseError as why:
        print(f"tablectl journal: the end of the export is not signed ({why}); the last hand's is", file=sys.stderr)
    sys.stdout.write(f"{ExportEnd(number, chain, signature).export_line}\n")
    if changed is None:
        return 0
    files = [path.name for first, path in find_closed_files(archive.path).items() if first <= changed]
    place = files[-1] if files and changed < archive.first_number else archive.path.name
    print(
        f"tablectl journal: {place}: record {changed} was changed, or the one before it is another: the export has it "
        "as it is, and proves nothing from there on; keep the file for the technician",
        file=sys.stderr,
    )
    return 1


def _export_script(options: argparse.Namespace, archive: JournalReader) -> int:
    session = find_session(archive, options.session)
    keys = make_current_key_finder(archive.path.parent) if options.live_hand else find_no_key
    entries, held_back = list_releasable_entries(
        archive, session, options.open_table, keys, live_hand=options.live_hand
    )
    before = entries[0].number - 1 if entries else 0
    sys.stdout.write("".join(f"{render_script_line(entry, before)}\n" for entry in entries))
    if held_back:
        print(f"tablectl journal: held back the hand in progress ({held_back} entries)", file=sys.stderr)
    return 0


def _check_replay(options: argparse.Namespace, archive: JournalReader) -> int:
    alike = True
    for session in archive.list_sessions():
        found = compare_with_replay(archive, session, options.open_table)
        unrecorded = f", {found.unrecorded_count} never recorded" if found.unrecorded_count else ""
        print(
            f"session {session.number}: {found.entry_count} entries, {found.same_count} outcomes as "
            f"recorded{unrecorded}"
        )
        if found.first_difference is not None:
            print(f"session {session.number}: entry {found.first_difference} gives another outcome than recorded")
            alike = False
    return 0 if alike else 1


def _print_receipt(options: argparse.Namespace, archive: JournalReader) -> int:  # noqa: ARG001 - every command takes both
    receipt = make_last_receipt(archive)
    if receipt is None:
        print("tablectl journal: the table has not signed yet; it does at the end of each hand", file=sys.stderr)
        return 1
    sys.stdout.write(receipt.render_text())
    return 0


COMMAND = Command(
    "journal",
    "Lists, exports and proves the journal of a table. The table may be in play meanwhile.",
    Command("list", "list the sessions of the journal", *JOURNAL_OPTIONS, action=_list),
    Command(
        "export",
        "write the journal, or a session of it as a table script",
        Option("--script", "a session as a table script instead", flag=True),
        Option("--session N", "which session, with --script (default: the last)", int),
        Option("--live-hand", "with --script: also the hand in progress", flag=True),
        *JOURNAL_OPTIONS,
        description="Writes every record as JSON lines, which `tablectl journal verify` proves on any machine. With "
        "--script: a session as a table script, which `tablectl replay` plays again; a hand in progress is held back, "
        "because its cards lie face down.",
        action=_export,
    ),
    Command(
        "replay-check",
        "prove that the recorded events give the recorded outcomes",
        *JOURNAL_OPTIONS,
        description="Plays every session again and compares each outcome with the one recorded.",
        action=_check_replay,
        aliases=("check",),
    ),
    Command(
        "receipt",
        "print the signed head of the journal",
        *JOURNAL_OPTIONS,
        description="Prints the last head of the journal that the table signed. Print it every day and keep it away "
        "from the table: `tablectl journal verify --receipt` shows later that nothing before it was changed.",
        action=_print_receipt,
    ),
    journal_proof.COMMAND,
    *auditor_command.COMMANDS,
    shuffles_command.COMMAND,
    run=run,
    as_table_user=True,
)
