"""`tablectl watch`: the table of a running controller in a terminal."""

import argparse
import http.client
import json
import shutil
import ssl
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from config.errors import ConfigError
from config.table_file import load_table
from controller.cli.which_table import add_table
from controller.web.terminal import drawn

SILENCE_SECONDS = 25.0
"""After so long without a sign of life the connection is given up: the page says something every ten seconds."""

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
    add_table(parser)
    parser.add_argument("--url", metavar="URL", help="where its page is, instead of [page]")
    parser.add_argument("--once", action="store_true", help="print the table once, without styles, and end")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 done, 1 there is no table, 2 the configuration cannot be used."""
    try:
        place = _where(options)
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
                ended = str(failure) or type(failure).__name__
            _show([f"No connection to the table at {place.host}, port {place.port}: {ended}", "What was shown is old."])
            time.sleep(AGAIN_SECONDS)
    except KeyboardInterrupt:
        return 0


@dataclass(frozen=True, slots=True)
class PageAddress:
    """Where a page is; `trust` is what its certificate is checked against, `None` for plain HTTP."""

    host: str
    port: int
    trust: ssl.SSLContext | None = None

    def connect(self) -> http.client.HTTPConnection:
        """Make a connection; nothing is sent yet."""
        if self.trust is None:
            return http.client.HTTPConnection(self.host, self.port, timeout=SILENCE_SECONDS)
        return http.client.HTTPSConnection(self.host, self.port, timeout=SILENCE_SECONDS, context=self.trust)


def _where(options: argparse.Namespace) -> PageAddress:
    if options.url is None:
        page = load_table(options.config).page
        if page.certificate is None:
            return PageAddress(page.host, page.port)
        try:
            trust = ssl.create_default_context(cafile=str(page.certificate))
        except OSError as why:
            raise ValueError(f"{page.certificate} cannot be used: {why}") from why
        trust.check_hostname = False  # the address that the page is bound to need not be a name of the certificate
        return PageAddress(page.host, page.port, trust)
    parts = urlsplit(options.url)
    if parts.scheme not in ("http", "https") or parts.hostname is None:
        raise ValueError(f"{options.url!r} is no address of a page; want one such as http://127.0.0.1:8080/")
    if parts.scheme == "https":
        return PageAddress(parts.hostname, parts.port or 443, ssl.create_default_context())
    return PageAddress(parts.hostname, parts.port or 80)


def _once(place: PageAddress) -> int:
    connection = place.connect()
    try:
        connection.request("GET", "/state")
        answer = connection.getresponse()
        content = answer.read()
    except (OSError, http.client.HTTPException) as why:
        print(f"tablectl watch: no table at {place.host}, port {place.port}: {why}", file=sys.stderr)
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
