"""`tablectl room export`: a table's journal out of the archive."""

import argparse
import sys

from room.commands.init import add_config


def add(actions: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the action."""
    parser = actions.add_parser(
        "export",
        help="in the room: write a table's journal, as the table itself would",
        description="Writes every record of a table's journal that the archive has, as `tablectl journal export` does "
        "at the table; `tablectl journal verify` proves it on any machine.",
    )
    parser.add_argument("table", metavar="TABLE", help="whose, such as table-07")
    parser.add_argument("--journal", metavar="NAME", help="which, by its random name (default: the newest)")
    parser.add_argument(
        "--signed", action="store_true", help="only as far as the table has signed it, with that signature as its end"
    )
    add_config(parser)
    parser.set_defaults(run=export)


def export(options: argparse.Namespace) -> int:
    """Export; return the exit status: 0 done, 1 there is nothing, 2 the room's file cannot be used."""
    from room.archive.export import NotHere, exported, journal_of
    from room.contract.subjects import BadName, checked
    from room.record.in_postgres import connected
    from room.room_file import load_room

    room = load_room(options.config)
    try:
        checked(options.table)
        with connected(room.database) as connection:
            journal = options.journal or journal_of(connection, options.table)
            sys.stdout.writelines(exported(connection, journal, signed=options.signed))
    except (NotHere, BadName, ConnectionError) as why:
        print(f"tablectl room export: {why}", file=sys.stderr)
        return 1
    return 0
