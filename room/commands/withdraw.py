"""`tablectl room withdraw`: a table is none of the room any more."""

import argparse
import sys

from room.commands.init import add_folder, folder_of


def add(actions: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the action."""
    parser = actions.add_parser(
        "withdraw",
        help="in the room: cut a table off",
        description="Takes away what a table may say and hear. The servers of this machine cut its connection at once; "
        "which were not told, and what is left to do there, it says, and ends with status 3.",
    )
    parser.add_argument("table", metavar="TABLE", help="its name in the room")
    add_folder(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Withdraw; return the exit status: 0 done, 1 there is no such table, 3 done, and not every server was told."""
    from room.contract.subjects import BadName
    from room.set_up.authority import SetUpError
    from room.set_up.servers import reload, tables, to_do, withdraw

    try:
        folder = folder_of(options)
        if not withdraw(folder, options.table):
            known = ", ".join(tables(folder)) or "none"
            print(f"tablectl room withdraw: {options.table} is none of the room's tables: {known}", file=sys.stderr)
            return 1
    except (BadName, SetUpError) as why:
        print(f"tablectl room withdraw: {why}", file=sys.stderr)
        return 1
    left = reload(options.folder, options.store)
    print(f"{options.table} is withdrawn" + ("" if left else ", and every server was told"))
    if left:
        print(f"{to_do(options.folder, left)}\nUntil then {options.table} still speaks there.", file=sys.stderr)
    return 3 if left else 0
