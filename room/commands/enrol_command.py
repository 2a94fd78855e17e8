"""`tablectl room enrol`: make a table one of the room."""

import argparse
import sys
from pathlib import Path

from room.commands.init_command import add_folder_options, require_room_folder


def add(actions: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the action."""
    parser = actions.add_parser(
        "enrol",
        help="in the room: make a table one of it",
        description="Without --request: makes a code, said once, for `tablectl room uplink request` at the table. With "
        "the request that the table made: signs its key, lets it speak, and writes the answer for the table.",
    )
    parser.add_argument("table", metavar="TABLE", help="its name in the room, such as table-07")
    parser.add_argument("--request", metavar="FILE", type=Path, help="what the table asks for")
    parser.add_argument(
        "--answer", metavar="FILE", type=Path, help="where the answer goes (default: TABLE.answer here)"
    )
    parser.add_argument(
        "--server", metavar="ADDRESS", action="append", default=[], help="tls://HOST:PORT, for the table"
    )
    add_folder_options(parser)
    parser.set_defaults(run=enrol)


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
