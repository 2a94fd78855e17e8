"""`tablectl room init`: put a room up, once."""

import argparse
import sys
from pathlib import Path

from controller.command_table import Command, Option

DEFAULT_FOLDER = Path("/etc/table-room")
"""Where authority, certificates and configurations of a room are."""

DEFAULT_DATABASE = "host=/run/postgresql dbname=room user=table-room"
"""A PostgreSQL of the same machine, which knows the room's programs by their user (`peer`)."""

DEFAULT_STORE = Path("/var/lib/table-room")
"""Where the servers of NATS keep what they carry."""


def make_config_option(name: str = "room.toml") -> Option:
    """`--config`, the file of one of the room's programs."""
    path = DEFAULT_FOLDER / name
    return Option("--config FILE", f"its file (default: {path})", Path, default=path)


FOLDER_OPTIONS = (
    Option("--folder DIR", f"where the room's files are (default: {DEFAULT_FOLDER})", Path, default=DEFAULT_FOLDER),
    Option("--store DIR", f"where its servers keep theirs (default: {DEFAULT_STORE})", Path, default=DEFAULT_STORE),
)
"""Where a room is; `require_room_folder` finds it in them."""


def require_room_folder(options: argparse.Namespace) -> Path:
    """The folder of a room that has been put up; raises `SetUpError`."""
    from controller.room_contract.certificate_request import ProvisioningError

    folder: Path = options.folder
    if not (folder / "ca.crt").exists():
        raise ProvisioningError(
            f"{folder} has no room's files: tablectl room init makes them; --folder names another place"
        )
    return folder


def init(options: argparse.Namespace) -> int:
    """Make it; return the exit status: 0 done, 1 it cannot be."""
    from controller.room_contract.certificate_request import ProvisioningError
    from room.provisioning.certificate_authority import make_ca
    from room.provisioning.nats_configuration import write_configurations
    from room.provisioning.node_addresses import parse_nodes
    from room.provisioning.program_files import write_program_files

    try:
        nodes = parse_nodes(options.nodes)
        folder, store = options.folder.absolute(), options.store.absolute()  # the servers have a folder of their own
        folder.mkdir(mode=0o750, parents=True, exist_ok=True)
        store.mkdir(mode=0o700, parents=True, exist_ok=True)
        make_ca(folder)
        configurations = write_configurations(folder, nodes, store)
        written = write_program_files(folder, nodes, store, options.database)
    except ProvisioningError as why:
        print(f"tablectl room init: {why}", file=sys.stderr)
        return 1
    for path in configurations:
        print(f"nats-server --config {path}")
    for path in written:
        print(f"{path}: written; look at it")
    return 0


COMMAND = Command(
    "init",
    "in the room: make its authority, its servers' configurations and its programs' files",
    Option("nodes HOST", "where the servers of NATS are: one, or three (HOST or HOST:PORT)", nargs="+"),
    Option(
        "--database WHERE",
        f'the room\'s database, as libpq has it (default: "{DEFAULT_DATABASE}"); the programs make their tables there',
        default=DEFAULT_DATABASE,
    ),
    *FOLDER_OPTIONS,
    description="Makes the room's certificate authority and the configurations of its NATS servers. Makes "
    "certificates for them and for the room's programs, and their files room.toml and archive.toml, which the "
    "folder's group can read. What is there already is kept.",
    run=init,
)
