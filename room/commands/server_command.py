"""`tablectl room server`: the room's pages."""

import argparse
import sys
from contextlib import suppress

from room.commands.init_command import add_config_option


def parse_port(text: str) -> int:
    """Read a port number, 0 for any free one; raises `argparse.ArgumentTypeError`."""
    with suppress(ValueError):
        if 0 <= (number := int(text)) <= 65535:
            return number
    raise argparse.ArgumentTypeError(f"invalid port value: {text!r}")


def add(actions: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the action."""
    parser = actions.add_parser("server", help="the room's pages", description="The room's pages and boards.")
    does = parser.add_subparsers(title="commands", metavar="WHAT", required=True)
    serve = does.add_parser(
        "run", help="serve the pages", description="Serve the room's pages until stopped, by Ctrl-C or SIGTERM."
    )
    add_config_option(serve)
    serve.add_argument(
        "--port", metavar="N", type=parse_port, help="port of the pages, instead of [page] (0: any free one)"
    )
    serve.set_defaults(run=run)


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
