"""`tablectl token`: which machines of the house may read what, through the API."""

import argparse
import sys
from contextlib import closing
from pathlib import Path

from controller.cli.table_options import find_state_and_library, make_table_options
from controller.command_table import Command, Option
from controller.runtime.journal.journal_reader import JournalReader, is_in_use
from controller.runtime.journal.recovery.known_staff import read_known_staff, refuse_by_lost_journal
from controller.runtime.staff.admission import AdmissionError
from controller.runtime.staff.permissions import TokenRole
from controller.runtime.staff.staff_continuity import find_tokens_trouble, read_tokens_file
from controller.runtime.staff.token_store import TokenStore
from controller.runtime.storage.revision_counter import ACCEPT_REMEDY
from controller.runtime.storage.sqlite_database import DatabaseError
from controller.runtime.storage.state_directory import JOURNAL_FILE, TOKENS_FILE
from controller.wall_clock import to_wall_time


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 done, 1 refused."""
    directory, _ = find_state_and_library(options)
    if not directory.is_dir():
        print(
            f"tablectl token: no table has run in {directory}: name the table's directory with --state, or its file "
            "with --config",
            file=sys.stderr,
        )
        return 1
    tokens = TokenStore(directory / TOKENS_FILE)
    try:
        trouble = _compare_with_journal(directory)
        if trouble is not None:
            print(f"tablectl token: {tokens.path} {trouble}; {ACCEPT_REMEDY}", file=sys.stderr)
            return 1
        options.action(options, tokens)
    except DatabaseError as why:
        print(f"tablectl token: {why}", file=sys.stderr)
        return 1
    except AdmissionError as why:
        print(f"tablectl token: {why}", file=sys.stderr)
        return 1
    finally:
        tokens.close()
    return 0


def _compare_with_journal(directory: Path) -> str | None:
    """Why the tokens' file is not the one that the journal knows; raises `DatabaseError`."""
    if not is_in_use(directory / JOURNAL_FILE):
        return None
    with closing(JournalReader.open(directory / JOURNAL_FILE)) as journal:
        trouble = find_tokens_trouble(read_known_staff(journal), read_tokens_file(directory / TOKENS_FILE))
        if trouble is not None:
            refuse_by_lost_journal(journal)
        return trouble


def _add(options: argparse.Namespace, tokens: TokenStore) -> None:
    print(tokens.add(options.name, TokenRole(options.role)))
    print(
        f"of the table in {tokens.path.parent}; shown this once, to be sent as `Authorization: Bearer …`, and never "
        "in an address",
        file=sys.stderr,
    )


def _list(options: argparse.Namespace, tokens: TokenStore) -> None:  # noqa: ARG001 - as the others are called
    found = tokens.list_tokens()
    if not found:
        print("there is no token: the API answers nobody, see `tablectl token add`", file=sys.stderr)
    for token in found:
        print(f"{token.name}\t{token.role.value}\tsince {to_wall_time(token.made_at):%Y-%m-%d}")


def _revoke(options: argparse.Namespace, tokens: TokenStore) -> None:
    tokens.revoke(options.name)
    print(f"withdrew {options.name}")


TOKEN_OPTIONS = make_table_options(state="its tokens' file is")

COMMAND = Command(
    "token",
    "Makes, lists and withdraws tokens of a table's API. A token is shown once, when it is made; the "
    "table keeps its hash. What a token may do is its role: docs/api.md.",
    Command(
        "add",
        "make a token and print it, once",
        *TOKEN_OPTIONS,
        Option("name", "what the token is for, such as the machine that sends it"),
        Option("--role", "what it may do", required=True, choices=[role.value for role in TokenRole]),
        action=_add,
    ),
    Command("list", "list the tokens that stand", *TOKEN_OPTIONS, action=_list),
    Command(
        "withdraw",
        "end a token; a running table lets it in no more, at once",
        *TOKEN_OPTIONS,
        Option("name", "which"),
        action=_revoke,
    ),
    run=run,
    as_table_user=True,
)
