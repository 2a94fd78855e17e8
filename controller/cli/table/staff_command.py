"""`tablectl staff`: who of the house may do what at a table."""

import argparse
import base64
import getpass
import sys
import time
from contextlib import closing
from pathlib import Path

from config.config_error import ConfigError
from config.table_file import load_table_file
from controller.cli.table_options import make_table_options
from controller.command_table import Command, Option
from controller.runtime.journal.journal_reader import JournalReader, is_in_use
from controller.runtime.journal.recovery.known_staff import read_known_staff, refuse_by_lost_journal
from controller.runtime.staff.admission import AdmissionError, RefusalCode
from controller.runtime.staff.permissions import Role
from controller.runtime.staff.staff_continuity import (
    KnownStaff,
    find_staff_trouble,
    find_tokens_trouble,
    read_staff_file,
    read_tokens_file,
)
from controller.runtime.staff.staff_store import (
    DEFAULT_CODE_ROLE,
    MAX_PIN_AGE_S,
    OpenCode,
    StaffStore,
    Warrant,
    format_code,
)
from controller.runtime.staff.token_store import TokenStore
from controller.runtime.storage.revision_counter import ACCEPT_REMEDY
from controller.runtime.storage.sqlite_database import DatabaseError
from controller.runtime.storage.state_directory import JOURNAL_FILE, STAFF_FILE, TOKENS_FILE
from controller.wall_clock import to_wall_time

POLL_INTERVAL_S = 3.0
"""How often the welcome looks whether somebody has enrolled, and which address the network has given."""


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 done, 1 refused, 2 the configuration cannot be used."""
    try:
        directory = options.state or load_table_file(options.config).state_directory
        known, trouble = _compare_with_journal(directory)
        staff = StaffStore(directory / STAFF_FILE)
        staff.find_trouble = lambda: trouble
        options.known = known
        if trouble is not None:
            print(f"tablectl staff: {directory / STAFF_FILE} {trouble}; {ACCEPT_REMEDY}", file=sys.stderr)
    except ConfigError as why:
        print(f"tablectl staff: {why}", file=sys.stderr)
        return 2
    except DatabaseError as why:
        print(f"tablectl staff: {why}", file=sys.stderr)
        return 1
    try:
        options.action(options, staff)
    except AdmissionError as why:
        print(f"tablectl staff: {why}", file=sys.stderr)
        return 1
    except (EOFError, KeyboardInterrupt):
        print("\ntablectl staff: nothing was changed", file=sys.stderr)
        return 1
    finally:
        staff.close()
    return 0


def _compare_with_journal(directory: Path) -> tuple[KnownStaff | None, str | None]:
    """What the journal knows of the staff's file, and why the one that is there is not that; raises `DatabaseError`."""
    if not is_in_use(directory / JOURNAL_FILE):
        return None, None
    with closing(JournalReader.open(directory / JOURNAL_FILE)) as journal:
        known = read_known_staff(journal)
        trouble = find_staff_trouble(known, read_staff_file(directory / STAFF_FILE))
        if trouble is not None or find_tokens_trouble(known, read_tokens_file(directory / TOKENS_FILE)) is not None:
            refuse_by_lost_journal(journal)
    return known, trouble


def _accept(options: argparse.Namespace, staff: StaffStore) -> None:
    """Take the file as it is; whoever has the table's account at the machine can do all that is done here."""
    tokens = TokenStore(staff.path.with_name(TOKENS_FILE))
    known: KnownStaff | None = options.known
    tokens_trouble = find_tokens_trouble(known, read_tokens_file(tokens.path))
    if staff.find_trouble() is None and tokens_trouble is None:
        print("it is the file that the journal knows; nothing was changed")
        return
    people = ", ".join(person.name for person in staff.list_people()) or "nobody"
    typed = _ask_secret("Whoever is in it is let in from now on, and the journal keeps that. Type yes: ")
    if typed.strip() != "yes":
        raise EOFError
    if staff.find_trouble() is not None:
        staff.accept_in_place_of(known)
    if tokens_trouble is not None:
        tokens.accept_in_place_of(None if known is None else known.tokens)
    tokens.close()
    print(f"accepted; enrolled are: {people}")
    print("start the table again; where nobody is enrolled it shows a one-time code", file=sys.stderr)


def _list(options: argparse.Namespace, staff: StaffStore) -> None:
    if options.keys:
        for key in staff.list_signing_keys():
            since = to_wall_time(key.since).strftime("%Y-%m-%d")
            print(f"{key.name}\t{key.role.value}\t{base64.b64encode(key.public_key).decode()}\tsince {since}")
        return
    people = staff.list_people()
    if not people:
        print("nobody is enrolled: start the table, or see `tablectl staff code`", file=sys.stderr)
    now = time.time()
    for person in people:
        since = to_wall_time(person.enrolled_at).strftime("%Y-%m-%d")
        notes = ["locked out"] if person.is_locked_out else []
        notes += ["PIN due"] if now - person.pin_set_at >= MAX_PIN_AGE_S else []
        about = "\t".join([f"since {since}", f"enrolled by {person.enrolled_by}", *notes])
        print(f"{person.name}\t{person.role.value}\t{about}")


def _add(options: argparse.Namespace, staff: StaffStore) -> None:
    warrant = _request_warrant(options, staff)
    staff.enrol(options.name, Role(options.role), _ask_new_pin(options.name), warrant)
    print(f"enrolled {options.name}, {options.role}")


def _remove(options: argparse.Namespace, staff: StaffStore) -> None:
    staff.remove(options.name, _request_warrant(options, staff))
    print(f"removed {options.name}; the name stays on record and is not given again")


def _reset(options: argparse.Namespace, staff: StaffStore) -> None:
    warrant = _request_warrant(options, staff)
    staff.reset_pin(options.name, _ask_new_pin(options.name), warrant)
    print(f"{options.name} has a new PIN and a new signing key")


def _change_pin(options: argparse.Namespace, staff: StaffStore) -> None:
    old = _ask_secret(f"{options.name}, your PIN: ")
    staff.change_pin(options.name, old, _ask_new_pin(options.name))
    print(f"{options.name} has a new PIN")


def _make_code(options: argparse.Namespace, staff: StaffStore) -> None:
    if options.void:
        staff.void_codes()
        print("no one-time code is open now")
        return
    issued = staff.issue_code(None if options.role is None else Role(options.role))
    print(format_code(issued.digits))
    where = "on the sign-in page or with `tablectl staff`" if issued.role is None else "on the sign-in page"
    role = issued.role or DEFAULT_CODE_ROLE
    print(f"enrols one {role.value} {where}; good for a day and for one person", file=sys.stderr)
    if issued.voided is not None:
        print(f"the code that was made before for a {_describe_role(issued.voided)} is void now", file=sys.stderr)
    others = [_describe_role(code) for code in staff.list_open_codes()[:-1]]
    if others:
        print(f"open besides: {', '.join(others)} (`tablectl staff code --void` ends them all)", file=sys.stderr)


def _describe_role(code: OpenCode) -> str:
    return (code.role or DEFAULT_CODE_ROLE).value


def refresh_code(staff: StaffStore, code: str, made: float | None) -> tuple[str, float | None]:
    """Return the code for the screen and when it was made, after `code`; empty once somebody is enrolled.

    A table that starts again makes a code of its own, and then the one on the screen is worth nothing.
    """
    if staff.list_people():
        return "", None
    if code and staff.find_code_time() == made:
        return code, made
    code = staff.make_one_time_code()
    return code, staff.find_code_time()


def _show_welcome(options: argparse.Namespace, staff: StaffStore) -> None:
    """Fill the table's own screen until somebody has enrolled; the code is made anew when the old one has ended."""
    from controller.app.commissioning.welcome_screen import render_welcome_screen

    page = load_table_file(options.config).page
    code, made, shown = "", None, ""
    while True:
        code, made = refresh_code(staff, code, made)
        text = render_welcome_screen(page, code or None)
        if text != shown:
            clear = "\x1b[2J\x1b[H" if sys.stdout.isatty() else ""
            print(f"{clear}{text}", flush=True)
            shown = text
        if not options.follow:
            return
        time.sleep(POLL_INTERVAL_S)


def _request_warrant(options: argparse.Namespace, staff: StaffStore) -> Warrant:
    if options.technician is None:
        return staff.redeem_code(_ask_secret("One-time code: "))
    return staff.make_warrant(staff.sign_in(options.technician, _ask_secret(f"{options.technician}, your PIN: ")))


def _ask_new_pin(name: str) -> str:
    first = _ask_secret(f"{name}, a new PIN: ")
    if _ask_secret(f"{name}, the same once more: ") != first:
        raise AdmissionError(RefusalCode.PIN_UNFIT, "The two are not the same; nothing was changed.")
    return first


def _ask_secret(prompt: str) -> str:
    """Ask on the terminal without showing what is typed; from a file or pipe, read a line."""
    if sys.stdin.isatty():
        return getpass.getpass(prompt)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.rstrip("\n")


STAFF_OPTIONS = make_table_options(state="its staff's file is")
TECHNICIAN = Option("--as NAME", "the technician who does it (otherwise: by one-time code)", dest="technician")

COMMAND = Command(
    "staff",
    "Enrols and lists the staff of a table. A PIN is asked for and never shown. add, remove and reset "
    "want a technician's PIN (--as NAME), or the one-time code that a table without staff shows as it starts.",
    Command(
        "list",
        "list who is enrolled",
        Option("--keys", "list every public key that anybody signed with, also of those who left", flag=True),
        *STAFF_OPTIONS,
        action=_list,
    ),
    Command(
        "add",
        "enrol somebody",
        Option("name", "the name to sign in with"),
        Option("role", "what this person does", choices=[role.value for role in Role]),
        *STAFF_OPTIONS,
        TECHNICIAN,
        action=_add,
    ),
    Command(
        "remove",
        "end somebody's enrolment; the name stays on record",
        Option("name", "who"),
        *STAFF_OPTIONS,
        TECHNICIAN,
        action=_remove,
    ),
    Command(
        "reset",
        "give somebody a new PIN and signing key, and end a lock-out",
        Option("name", "who; this person types the new PIN"),
        *STAFF_OPTIONS,
        TECHNICIAN,
        action=_reset,
    ),
    Command("pin", "change your own PIN", Option("name", "you"), *STAFF_OPTIONS, action=_change_pin),
    Command(
        "accept",
        "take a staff's file that is not the one that the journal knows",
        *STAFF_OPTIONS,
        description="For a staff's file that was lost, after the right one could not be put back. Shows what the "
        "journal knows, asks once, and then lets in whom the file names. Where it names nobody, a start or "
        "`tablectl staff code` makes a one-time code. The journal keeps that a file took the place of another.",
        action=_accept,
    ),
    Command(
        "welcome",
        "show name, address and one-time code of a table where nobody is enrolled",
        Option("--follow", "go on until somebody is enrolled, as a screen does", flag=True),
        *STAFF_OPTIONS,
        action=_show_welcome,
    ),
    Command(
        "code",
        "make a one-time code, with which one person enrols",
        Option("--role", "enrols a person of that role and no other", choices=[role.value for role in Role]),
        Option("--void", "make none, and end all that are open", flag=True),
        *STAFF_OPTIONS,
        action=_make_code,
    ),
    run=run,
    as_table_user=True,
)
