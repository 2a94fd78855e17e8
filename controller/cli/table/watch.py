"""`tablectl watch`: the table of a running controller in a terminal."""

import argparse
import http.client
import json
import shutil
import sys
import time
from collections.abc import Iterator
from typing import Any

from config.errors import ConfigError
from controller.cli.running_table import add_running_table, place_of
from controller.client.address import PageAddress
from controller.web.terminal import drawn

AGAIN_SECONDS = 1.0

HOME, CLEAR_REST = "\x1b[H", "\x1b[J"
CLEAR_LINE = "\x1b[K"


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "watch",
        description="Shows the table of a running controller, as its page does, and nothing that the page does not "
        "show. Ends with Ctrl-C; when the controller is stopped it waits until it is back.",
    )
    add_running_table(parser)
    parser.add_argument("--once", action="store_true", help="print the table once, without styles, and end")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 done, 1 there is no table, 2 the configuration cannot be used."""
    try:
        place = place_of(options)
    except (ConfigError, ValueError) as why:
        print(f"tablectl watch: {why}", file=sys.stderr)
        return 2
    try:
        if options.once:
            return _once(place)
        while True:
            try:
                for publication in publications(place):
                    _show(drawn(publication, width=shutil.get_terminal_size().columns))
                ended = "the controller closed the connection"
            except (OSError, http.client.HTTPException) as failure:
                ended = getattr(failure, "strerror", None) or str(failure) or type(failure).__name__
            _show([f"No connection to the table at {place}: {ended}", "What was shown is old."])
            time.sleep(AGAIN_SECONDS)
    except KeyboardInterrupt:
        return 0


def _once(place: PageAddress) -> int:
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
    print("\n".join(drawn(json.loads(content), styled=False)))
    return 0


def publications(place: PageAddress) -> Iterator[dict[str, Any]]:
    """Yield each publication of the page's stream, until it ends."""
    connection = place.connect()
    try:
        connection.request("GET", "/events")
        answer = connection.getresponse()
        if answer.status != http.client.OK:
            raise OSError(answer.read().decode(errors="replace").strip())
        while line := answer.readline():
            if line.startswith(b"data: "):
                yield json.loads(line.removeprefix(b"data: "))
    finally:
        connection.close()


def _show(lines: list[str]) -> None:
    screen = "".join(f"{line}{CLEAR_LINE}\n" for line in lines)
    sys.stdout.write(f"{HOME}{screen}{CLEAR_REST}")
    sys.stdout.flush()
