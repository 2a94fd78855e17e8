"""`tablectl status`: how a running table stands, through its API."""

import argparse
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from config.config_error import ConfigError
from controller.cli.running_table_options import RUNNING_TABLE_OPTIONS, find_page_address
from controller.client.api_types import Table
from controller.client.table_client import RequestRefusedError, TableClient
from controller.command_table import Command, Option

TOKEN_VARIABLE = "TABLE_TOKEN"

EXIT_HALTED = 3


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status."""
    try:
        place = find_page_address(options)
        token = _read_token(options.token_file)
        client = TableClient(place, token, plain=options.plain)
    except (ConfigError, ValueError) as why:
        print(f"tablectl status: {why}", file=sys.stderr)
        return 2
    try:
        return _print_health(options, client) if token is None else _print_table(options, client)
    except RequestRefusedError as why:
        print(f"tablectl status: {why}", file=sys.stderr)
    except OSError as why:
        told = getattr(why, "strerror", None) or why
        print(f"tablectl status: no table at {place}: {told}", file=sys.stderr)
    return 1


def _print_health(options: argparse.Namespace, client: TableClient) -> int:
    told = client.fetch_health()
    mode = "" if told["mode"] is None else f"  {told['mode']} table"
    print(json.dumps(told) if options.json else f"{told['status'].upper()}{mode}")
    print("for more, make a token: tablectl token add NAME --role floor-read", file=sys.stderr)
    return EXIT_HALTED if told["status"] == "halted" else 0


def _print_table(options: argparse.Namespace, client: TableClient) -> int:
    told = client.fetch_table()
    print(json.dumps(told, indent=2, ensure_ascii=False) if options.json else "\n".join(format_table(told)))
    return EXIT_HALTED if told["halted"] else 0


def format_table(table: Table) -> Iterator[str]:
    """Say a table in lines, as far as the token is told of it."""
    yield f"{table['mode'].upper()}  {table['game']}, {table['rulebook']}, program {table['program']}"
    yield f"hand {table['hand']}, {table['phase']}{'' if table['street'] is None else ', ' + table['street']}"
    yield f"next: {table['next'][0]['text'] if table['next'] else 'shuffle, then start'}"
    for fault in table["faults"]:
        yield f"! {fault.get('text', fault['code'])}"
    if table["floor_called"]:
        yield "! the floor is called"
    for device in table["staff"]["devices"] if "staff" in table else ():
        yield f"{device['name']}\t{device['driver']}\t{device['state']}{': ' + device['why'] if device['why'] else ''}"


def _read_token(file: Path | None) -> str | None:
    """The token that was given, if any; raises `ValueError` for what can be none."""
    token = os.environ.get(TOKEN_VARIABLE) if file is None else file.read_text(encoding="utf-8", errors="replace")
    token = (token or "").strip() or None
    if token is None and file is not None:
        raise ValueError(f"{file} is empty; it must hold a token")
    if token is not None and not (token.isascii() and token.isprintable() and " " not in token):
        raise ValueError("that is no token: one is a word such as tablectl token add prints")
    return token


COMMAND = Command(
    "status",
    "Says how a running table stands: what is played, what comes next, which faults and devices. It "
    f"asks the table's API with a token from --token-file or the variable {TOKEN_VARIABLE}. Without one it only says "
    "whether the table is up. Exit status: 0 it is up, 1 there is none or it refuses, 3 a fault halts it.",
    *RUNNING_TABLE_OPTIONS,
    Option("--token-file FILE", "a file that holds a token and nothing else", Path),
    Option(
        "--plain",
        "send the token in clear, where everybody on the way can read it: to another machine without https",
        flag=True,
    ),
    Option("--json", "print what the API says", flag=True),
    run=run,
)
