"""`tablectl room enrol`: make a table one of the room."""

import argparse
import sys
from pathlib import Path

from controller.command_table import Command, Option
from room.commands.init_command import FOLDER_OPTIONS, require_room_folder


def enrol(options: argparse.Namespace) -> int:
    """Enrol; return the exit status: 0 done, 1 refused, 3 done, and not every server was told."""
    from time import time

    from controller.room_contract.certificate_request import ProvisioningError
    from controller.room_contract.subjects import TableNameError, require_table_name
    from room.provisioning.nats_configuration import format_remaining_commands, reload_servers
    from room.provisioning.node_addresses import check_server_url
    from room.provisioning.table_registration import accept_request, make_code

    try:
        require_table_name(options.table)
        folder, servers = require_room_folder(options), [check_server_url(address) for address in options.server]
        if options.request is None:
            code = make_code(folder, options.table, time())
            print(f"{code}\nWithin the hour, at the table: tablectl room uplink request {options.table} --code {code}")
            return 0
        request = options.request.read_text("ascii")
        answer = accept_request(folder, options.table, request, servers, time())
    except (ProvisioningError, TableNameError, UnicodeDecodeError) as why:
        print(f"tablectl room enrol: {why}", file=sys.stderr)
        return 1
    path = options.answer or Path(f"{options.table}.answer")
    path.write_text(answer, encoding="ascii")
    left = reload_servers(options.folder, options.store)
    print(f"{options.table} may speak; the table takes {path}")
    if left:
        print(
            f"{format_remaining_commands(options.folder, left)}\nUntil then {options.table} is refused there.",
            file=sys.stderr,
        )
    return 3 if left else 0


COMMAND = Command(
    "enrol",
    "in the room: make a table one of it",
    Option("table TABLE", "its name in the room, such as table-07"),
    Option("--request FILE", "what the table asks for", Path),
    Option("--answer FILE", "where the answer goes (default: TABLE.answer here)", Path),
    Option("--server ADDRESS", "tls://HOST:PORT, for the table", default=[], repeated=True),
    *FOLDER_OPTIONS,
    description="Without --request: makes a code, said once, for `tablectl room uplink request` at the table. With "
    "the request that the table made: signs its key, lets it speak, and writes the answer for the table.",
    run=enrol,
)
