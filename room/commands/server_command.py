"""`tablectl room server`: the room's pages."""

import argparse
import sys
from contextlib import suppress

from controller.command_table import Command, Option
from room.commands.init_command import make_config_option


def parse_port(text: str) -> int:
    """Read a port number, 0 for any free one; raises `argparse.ArgumentTypeError`."""
    with suppress(ValueError):
        if 0 <= (number := int(text)) <= 65535:
            return number
    raise argparse.ArgumentTypeError(f"invalid port value: {text!r}")


def run(options: argparse.Namespace) -> int:
    """Return the exit status: 0 stopped, 1 it could not go on, 2 the file cannot be used."""
    import logging
    import os

    from controller.runtime.service.log_setup import start_log
    from controller.runtime.storage.sqlite_database import DatabaseError
    from controller.web.serving.listener import PageError
    from controller.web.serving.tls import TlsError
    from room.room_file import load_room_file
    from room.server.room_server import run_server

    file = load_room_file(options.config)
    start_log(sys.stderr)
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
    logging.getLogger("nats").setLevel(logging.CRITICAL)  # what it says is said once, by the server itself
    os.umask(0o077)
    try:
        run_server(file, options.port)
    except (PageError, TlsError, DatabaseError) as why:
        print(f"tablectl room: {why}", file=sys.stderr)
        return 1
    return 0


COMMAND = Command(
    "server",
    "the room's pages",
    Command(
        "run",
        "serve the pages",
        make_config_option(),
        Option("--port N", "port of the pages, instead of [page] (0: any free one)", parse_port),
        description="Serve the room's pages until stopped, by Ctrl-C or SIGTERM.",
        run=run,
    ),
    description="The room's pages and boards.",
    metavar="WHAT",
)
