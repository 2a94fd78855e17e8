"""`tablectl room index`: keeps what is searched of the archive's records."""

import argparse
import sys

from controller.command_table import Command
from room.commands.init_command import make_config_option


def run(options: argparse.Namespace) -> int:
    """Return the exit status: 0 stopped, 2 the file cannot be used."""
    import logging
    import signal
    from functools import partial
    from threading import Event

    from controller.runtime.service.crash_log import install_crash_log
    from controller.runtime.service.log_setup import start_log
    from room.record.postgres_record import connect_database
    from room.room_file import load_room_file
    from room.search.archive_index import keep_index_updated

    file = load_room_file(options.config)
    start_log(sys.stderr)
    install_crash_log()
    logging.getLogger("transitions").setLevel(logging.WARNING)
    ended = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    keep_index_updated(partial(connect_database, file.conninfo), ended.is_set)
    return 0


COMMAND = Command(
    "index",
    "what is searched of the archive",
    Command(
        "run",
        "keep it up to date, until stopped",
        make_config_option(),
        description="Play what tables have sent again, and keep rulings and hands to search in, until stopped.",
        run=run,
    ),
    description="What is searched of the archive's records.",
    metavar="WHAT",
)
