"""`tablectl room withdraw`: a table is none of the room any more."""

import argparse
import sys

from room.commands.init import add_folder


def add(actions: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the action."""
    parser = actions.add_parser(
        "withdraw",
        help="in the room: cut a table off",
        description="Takes away what a table may say and hear. The servers of this machine cut its connection at once; "
        "where others run elsewhere, copy users.conf there and have them reload it.",
    )
    parser.add_argument("table", metavar="TABLE", help="its name in the room")
    add_folder(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Withdraw; return the exit status: 0 done, 1 there is no such table."""
    from room.contract.subjects import BadName
    from room.set_up.servers import reload, tables, withdraw

    try:
        if not withdraw(options.folder, options.table):
            known = ", ".join(tables(options.folder)) or "none"
            print(f"tablectl room withdraw: {options.table} is none of the room's tables: {known}", file=sys.stderr)
            return 1
    except BadName as why:
        print(f"tablectl room withdraw: {why}", file=sys.stderr)
        return 1
    print(f"{options.table} is withdrawn; {reload(options.store.glob('*.pid'))} servers of this machine were told")
    return 0
