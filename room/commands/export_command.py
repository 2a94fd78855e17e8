"""`tablectl room export`: a table's journal out of the archive."""

import argparse
import sys

from controller.command_table import Command, Option
from room.commands.init_command import make_config_option


def export(options: argparse.Namespace) -> int:
    """Export; return the exit status: 0 done, 1 there is nothing, 2 the room's file cannot be used."""
    from controller.room_contract.subjects import TableNameError, require_table_name
    from room.archive.journal_export import JournalNotFoundError, find_newest_journal, iter_export_lines
    from room.record.postgres_record import connect_database
    from room.room_file import load_room_file

    room = load_room_file(options.config)
    try:
        require_table_name(options.table)
        with connect_database(room.conninfo) as connection:
            journal = options.journal or find_newest_journal(connection, options.table)
            sys.stdout.writelines(iter_export_lines(connection, journal, signed=options.signed))
    except (JournalNotFoundError, TableNameError, ConnectionError) as why:
        print(f"tablectl room export: {why}", file=sys.stderr)
        return 1
    return 0


COMMAND = Command(
    "export",
    "in the room: write a table's journal, as the table itself would",
    Option("table TABLE", "whose, such as table-07"),
    Option("--journal NAME", "which, by its random name (default: the newest)"),
    Option("--signed", "only as far as the table has signed it, with that signature as its end", flag=True),
    make_config_option(),
    description="Writes every record of a table's journal that the archive has, as `tablectl journal export` does at "
    "the table. `tablectl journal verify` proves it on any machine.",
    run=export,
)
