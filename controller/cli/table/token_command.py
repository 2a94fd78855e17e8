"""`tablectl token`: which machines of the house may read what, through the API."""

import argparse
import sys
from collections.abc import Callable
from datetime import UTC, datetime

from controller.cli.table_options import add_table_options, find_state_and_library
from controller.runtime.staff.admission import AdmissionError
from controller.runtime.staff.permissions import TokenRole
from controller.runtime.staff.token_store import TokenStore
from controller.runtime.storage.state_directory import TOKENS_FILE


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command and its own commands."""
    parser = subparsers.add_parser(
        "token",
        description="Makes, lists and withdraws tokens of a table's API. A token is shown once, when it is made; the "
        "table keeps its hash. What a token may do is its role: docs/api.md.",
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    made = _add_command(commands, "add", "make a token and print it, once", _add)
    made.add_argument("name", help="what the token is for, such as the machine that sends it")
    made.add_argument("--role", required=True, choices=[role.value for role in TokenRole], help="what it may do")
    _add_command(commands, "list", "list the tokens that stand", _list)
    gone = _add_command(commands, "withdraw", "end a token; a running table lets it in no more, at once", _revoke)
    gone.add_argument("name", help="which")


def _add_command(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    text: str,
    command: Callable[[argparse.Namespace, TokenStore], None],
) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=text, description=f"{text[:1].upper()}{text[1:]}.")
    add_table_options(parser, state="its tokens' file is")
    parser.set_defaults(run=run, token_command=command)
    return parser


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
        options.token_command(options, tokens)
    except AdmissionError as why:
        print(f"tablectl token: {why}", file=sys.stderr)
        return 1
    finally:
        tokens.close()
    return 0


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
        print(f"{token.name}\t{token.role.value}\tsince {datetime.fromtimestamp(token.made_at, UTC):%Y-%m-%d}")


def _revoke(options: argparse.Namespace, tokens: TokenStore) -> None:
    tokens.revoke(options.name)
    print(f"withdrew {options.name}")
