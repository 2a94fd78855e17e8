"""`tablectl watch`: the table of a running controller in a terminal."""

import argparse
import http.client
import shutil
import sys
import time
from collections.abc import Iterator
from typing import Any

from config.config_error import ConfigError
from controller.cli.running_table_options import RUNNING_TABLE_OPTIONS, find_page_address
from controller.client.page_address import PageAddress
from controller.command_table import Command, Option
from controller.strict_json import parse_json
from controller.web.terminal_screen import render_screen

RECONNECT_INTERVAL_S = 1.0

CURSOR_HOME, CLEAR_TO_END = "\x1b[H", "\x1b[J"
CLEAR_LINE = "\x1b[K"


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 done, 1 there is no table, 2 the configuration cannot be used."""
    try:
        place = find_page_address(options)
    except (ConfigError, ValueError) as why:
        print(f"tablectl watch: {why}", file=sys.stderr)
        return 2
    try:
        if options.once:
            return _print_once(place)
        while True:
            try:
                for publication in read_page_states(place):
                    _show(render_screen(publication, width=shutil.get_terminal_size().columns))
                ended = "the controller closed the connection"
            except (OSError, http.client.HTTPException) as failure:
                ended = getattr(failure, "strerror", None) or str(failure) or type(failure).__name__
            _show([f"No connection to the table at {place}: {ended}", "What was shown is old."])
            time.sleep(RECONNECT_INTERVAL_S)
    except KeyboardInterrupt:
        return 0


def _print_once(place: PageAddress) -> int:
    connection = place.connect()
    try:
        connection.request("GET", "/state")
        answer = connection.getresponse()
        content = answer.read()
    except (OSError, http.client.HTTPException) as why:
        told = getattr(why, "strerror", None) or why
        print(f"tablectl watch: no table at {place}: {told}", file=sys.stderr)
        return 1
    finally:
        connection.close()
    if answer.status != http.client.OK:
        print(f"tablectl watch: {content.decode(errors='replace').strip()}", file=sys.stderr)
        return 1
    print("\n".join(render_screen(parse_json(content), styled=False)))
    return 0


def read_page_states(place: PageAddress) -> Iterator[dict[str, Any]]:
    """Yield each publication of the page's stream, until it ends."""
    connection = place.connect()
    try:
        connection.request("GET", "/events")
        answer = connection.getresponse()
        if answer.status != http.client.OK:
            raise OSError(answer.read().decode(errors="replace").strip())
        while line := answer.readline():
            if line.startswith(b"data: "):
                yield parse_json(line.removeprefix(b"data: "))
    finally:
        connection.close()


def _show(lines: list[str]) -> None:
    screen = "".join(f"{line}{CLEAR_LINE}\n" for line in lines)
    sys.stdout.write(f"{CURSOR_HOME}{screen}{CLEAR_TO_END}")
    sys.stdout.flush()


COMMAND = Command(
    "watch",
    "Shows the table of a running controller, as its page does, and nothing that the page does not "
    "show. Ends with Ctrl-C; when the controller is stopped it waits until it is back.",
    *RUNNING_TABLE_OPTIONS,
    Option("--once", "print the table once, without styles, and end", flag=True),
    run=run,
)
