"""`tablectl room archive`: takes the journals of all tables."""

import argparse
import sys

from controller.command_table import Command
from room.commands.init_command import make_config_option


def run_archive(options: argparse.Namespace) -> int:
    """Run until SIGTERM or Ctrl-C; return the exit status: 0 stopped, 2 the file cannot be used."""
    import asyncio
    import logging
    from functools import partial

    from controller.runtime.service.log_setup import start_log
    from controller.runtime.service.systemd_notifier import READY, STOPPING, SystemdNotifier
    from room.archive.archive_process import ArchiveProcess
    from room.record.postgres_record import connect_database
    from room.room_file import load_room_file

    start_log(sys.stderr)
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    room = load_room_file(options.config)
    notifier = SystemdNotifier()

    async def run() -> None:
        import signal

        archive = ArchiveProcess(room.brokers, partial(connect_database, room.conninfo))
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, archive.stop)
        notifier.send(READY)
        await archive.run()

    asyncio.run(run())
    notifier.send(STOPPING)
    return 0


COMMAND = Command(
    "archive",
    "in the room: take the journals of all tables",
    Command(
        "run",
        "take them, until it is stopped",
        make_config_option("archive.toml"),
        description="Takes them, until it is stopped.",
        run=run_archive,
    ),
    description="Takes the journals of all tables: number and chain of each record are checked, and a table is "
    "told how far its journal is kept when the database has committed it.",
    metavar="WHAT",
)
