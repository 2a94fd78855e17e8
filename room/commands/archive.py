"""`tablectl room archive`: takes the journals of all tables."""

import argparse
import sys

from room.commands.init import add_config


def add(actions: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the action."""
    parser = actions.add_parser(
        "archive",
        help="in the room: take the journals of all tables",
        description="Takes the journals of all tables: number and chain of each record are checked, and a table is "
        "told how far its journal is kept when the database has committed it.",
    )
    does = parser.add_subparsers(title="commands", metavar="WHAT", required=True)
    action = does.add_parser(
        "run", help="take them, until it is stopped", description="Takes them, until it is stopped."
    )
    add_config(action, "archive.toml")
    action.set_defaults(run=run_archive)


def run_archive(options: argparse.Namespace) -> int:
    """Run until SIGTERM or Ctrl-C; return the exit status: 0 stopped, 2 the file cannot be used."""
    import asyncio
    import logging
    from functools import partial

    from controller.runtime.service.log_lines import start_log
    from controller.runtime.service.notify import READY, STOPPING, Notifier
    from room.archive.archive import ArchiveProcess
    from room.record.in_postgres import connected
    from room.room_file import load_room

    start_log(sys.stderr)
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    room = load_room(options.config)
    notifier = Notifier()

    async def run() -> None:
        import signal

        archive = ArchiveProcess(room.brokers, partial(connected, room.database))
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, archive.end)
        notifier.tell(READY)
        await archive.run()

    asyncio.run(run())
    notifier.tell(STOPPING)
    return 0
