"""`tablectl room showroom`: a whole room on this machine, to look at."""

import argparse
import sys
from pathlib import Path

from controller.command_table import Command, Option

DEFAULT_PORT = 8090
"""Of the room's pages; the tables have the ports behind it."""


MAX_PORT = 65535
MAX_DURATION_S = 7 * 24 * 3600


def run(options: argparse.Namespace) -> int:
    """Run until Ctrl-C or SIGTERM; return the exit status: 0 ended, 1 it did not come up, or a part of it ended."""
    import signal
    import threading
    import time

    from controller.room_contract.certificate_request import ProvisioningError
    from room.demo.demo_room import run_demo
    from room.demo.demo_tables import MAX_TABLES
    from room.demo.process_group import DemoError

    if not 1 <= options.tables <= MAX_TABLES:
        print(f"tablectl room showroom: --tables is 1 to {MAX_TABLES}, not {options.tables}", file=sys.stderr)
        return 2
    if not 1 <= options.port <= MAX_PORT - options.tables:
        print(
            f"tablectl room showroom: --port is 1 to {MAX_PORT - options.tables}, not {options.port}: the tables have "
            "the ports behind it", file=sys.stderr,
        )  # fmt: skip
        return 2
    if options.seconds is not None and not 0 <= options.seconds <= MAX_DURATION_S:
        print(f"tablectl room showroom: --seconds is 0 to {MAX_DURATION_S}, not {options.seconds:g}", file=sys.stderr)
        return 2
    tournament = options.tables // 3 if options.tournament is None else options.tournament
    if not 0 <= tournament <= options.tables:
        print(f"tablectl room showroom: --tournament is 0 to {options.tables}, not {tournament}", file=sys.stderr)
        return 2
    end = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: end.set())
    began = time.monotonic()

    def say(what: str) -> None:
        if end.is_set():
            raise DemoError("stopped")
        print(f"{time.monotonic() - began:5.1f} s  {what}", flush=True)

    try:
        with run_demo(options.folder, options.tables, options.nodes, options.port, say, tournament) as running:
            say(f"the room is at {running.url}")
            until = None if options.seconds is None else time.monotonic() + options.seconds
            while not end.wait(1.0) and (until is None or time.monotonic() < until):
                running.processes.trim_logs()
                gone = running.processes.find_ended()
                if gone is not None:
                    raise DemoError(f"{gone} ended{running.processes.describe_log(gone)}")
    except (DemoError, ProvisioningError) as why:
        print(f"tablectl room showroom: {why}", file=sys.stderr)
        return 1
    return 0


COMMAND = Command(
    "showroom",
    "a whole room on this machine, to look at: brokers, database, pages, simulated tables",
    Option("folder DIR", "where everything of it is, in a short path", Path),
    Option("--tables N", "how many tables (12)", int, default=12),
    Option(
        "--tournament N",
        "how many of them, the last, have empty chairs and wait for a tournament of the desk (a third)",
        int,
    ),
    Option("--nodes N", "servers of NATS: 1 or 3 (3)", int, choices=(1, 3), default=3),
    Option("--port N", f"of its pages ({DEFAULT_PORT})", int, default=DEFAULT_PORT),
    Option("--seconds S", "end by itself after so long", float),
    description="Puts a room up in a folder, with simulated tables, until Ctrl-C. What it has learned stays in the "
    "folder, and a second start goes on with it. It listens on this machine alone.",
    run=run,
)
