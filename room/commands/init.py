"""`tablectl room init`: put a room up, once."""

import argparse
import sys
from pathlib import Path

FOLDER = Path("/etc/table-room")
"""Where authority, certificates and configurations of a room are."""

STORE = Path("/var/lib/table-room")
"""Where the servers of NATS keep what they carry."""


def add_folder(parser: argparse.ArgumentParser) -> None:
    """Add `--folder` and `--store`."""
    parser.add_argument(
        "--folder", metavar="DIR", type=Path, default=FOLDER, help=f"where the room's files are (default: {FOLDER})"
    )
    parser.add_argument(
        "--store", metavar="DIR", type=Path, default=STORE, help=f"where its servers keep theirs (default: {STORE})"
    )


def add(actions: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the action."""
    parser = actions.add_parser(
        "init",
        help="in the room: make its authority, its servers' configurations and its database",
        description="Makes the room's authority and the configurations of its servers of NATS, with certificates for "
        "them and for the room's programs. What is there already is kept.",
    )
    parser.add_argument(
        "nodes", nargs="+", metavar="HOST", help="where the servers of NATS are: one, or three (HOST or HOST:PORT)"
    )
    parser.add_argument("--database", metavar="WHERE", help='make its tables in this database, as in "dbname=room"')
    add_folder(parser)
    parser.set_defaults(run=init)


def init(options: argparse.Namespace) -> int:
    """Make it; return the exit status: 0 done, 1 it cannot be."""
    from room.set_up.authority import SetUpError, make_authority
    from room.set_up.servers import Node, write_servers

    try:
        nodes = []
        for number, place in enumerate(options.nodes):
            host, _, port = place.partition(":")
            # Servers of one machine share no port.
            apart = 10 * number if len({each.partition(":")[0] for each in options.nodes}) == 1 else 0
            nodes.append(Node(host, int(port or 4222 + apart), 6222 + apart, 8883 + apart))
        folder, store = options.folder.absolute(), options.store.absolute()  # the servers have a folder of their own
        folder.mkdir(mode=0o750, parents=True, exist_ok=True)
        store.mkdir(mode=0o700, parents=True, exist_ok=True)
        make_authority(folder)
        written = write_servers(folder, nodes, store)
        if options.database:
            from room.record.in_postgres import connected

            connected(options.database).close()
    except (SetUpError, ConnectionError) as why:
        print(f"tablectl room init: {why}", file=sys.stderr)
        return 1
    except ValueError:
        print("tablectl room init: want HOST or HOST:PORT, such as room-1.lan:4222", file=sys.stderr)
        return 1
    for path in written:
        print(f"nats-server --config {path}")
    servers = ", ".join(f'"tls://{node.host}:{node.port}"' for node in nodes)
    for name in ("archive", "server"):
        print(f"\n# {'archive' if name == 'archive' else 'room'}.toml\n[brokers]\nservers = [{servers}]")
        print(f'authority = "ca.crt"\ncertificate = "{name}.crt"\nkey = "{name}.key"')
    return 0
