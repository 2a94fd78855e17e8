"""`tablectl room withdraw`: a table is none of the room any more."""

import argparse
import sys

from controller.command_table import Command, Option
from room.commands.init_command import FOLDER_OPTIONS, require_room_folder


def run(options: argparse.Namespace) -> int:
    """Withdraw; return the exit status: 0 done, 1 there is no such table, 3 done, and not every server was told."""
    from controller.room_contract.certificate_request import ProvisioningError
    from controller.room_contract.subjects import TableNameError
    from room.provisioning.nats_configuration import (
        format_remaining_commands,
        list_tables,
        reload_servers,
        revoke_table,
    )

    try:
        folder = require_room_folder(options)
        if not revoke_table(folder, options.table):
            known = ", ".join(list_tables(folder)) or "none"
            print(f"tablectl room withdraw: {options.table} is none of the room's tables: {known}", file=sys.stderr)
            return 1
    except (TableNameError, ProvisioningError) as why:
        print(f"tablectl room withdraw: {why}", file=sys.stderr)
        return 1
    left = reload_servers(options.folder, options.store)
    print(f"{options.table} is withdrawn" + ("" if left else ", and every server was told"))
    if left:
        print(
            f"{format_remaining_commands(options.folder, left)}\nUntil then {options.table} still speaks there.",
            file=sys.stderr,
        )
    return 3 if left else 0


COMMAND = Command(
    "withdraw",
    "in the room: cut a table off",
    Option("table TABLE", "its name in the room"),
    *FOLDER_OPTIONS,
    description="Takes away what a table may say and hear. The servers of this machine cut its connection at once. It"
    " says which were not told and what is left to do there, and ends with status 3.",
    run=run,
)
