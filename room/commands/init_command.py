"""`tablectl room init`: put a room up, once."""

import argparse
import sys
from pathlib import Path

DEFAULT_FOLDER = Path("/etc/table-room")
"""Where authority, certificates and configurations of a room are."""

DEFAULT_DATABASE = "host=/run/postgresql dbname=room user=table-room"
"""A PostgreSQL of the same machine, which knows the room's programs by their user (`peer`)."""

DEFAULT_STORE = Path("/var/lib/table-room")
"""Where the servers of NATS keep what they carry."""


def add_config_option(parser: argparse.ArgumentParser, name: str = "room.toml") -> None:
    """Add `--config`, the file of one of the room's programs."""
    path = DEFAULT_FOLDER / name
    parser.add_argument("--config", metavar="FILE", type=Path, default=path, help=f"its file (default: {path})")


def add_folder_options(parser: argparse.ArgumentParser) -> None:
    """Add `--folder` and `--store`; `require_room_folder` finds the room in them."""
    parser.add_argument(
        "--folder",
        metavar="DIR",
        type=Path,
        default=DEFAULT_FOLDER,
        help=f"where the room's files are (default: {DEFAULT_FOLDER})",
    )
    parser.add_argument(
        "--store",
        metavar="DIR",
        type=Path,
        default=DEFAULT_STORE,
        help=f"where its servers keep theirs (default: {DEFAULT_STORE})",
    )


def require_room_folder(options: argparse.Namespace) -> Path:
    """The folder of a room that has been put up; raises `SetUpError`."""
    from controller.room_contract.certificate_request import ProvisioningError

    folder: Path = options.folder
    if not (folder / "ca.crt").exists():
        raise ProvisioningError(
            f"{folder} has no room's files: tablectl room init makes them; --folder names another place"
        )
    return folder


def add(actions: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the action."""
    parser = actions.add_parser(
        "init",
        help="in the room: make its authority, its servers' configurations and its programs' files",
        description="Makes the room's authority and the configurations of its servers of NATS, with certificates for "
        "them and for the room's programs, and the files of these programs, room.toml and archive.toml, for the group "
        "of the folder to read. What is there already is kept.",
    )
    parser.add_argument(
        "nodes", nargs="+", metavar="HOST", help="where the servers of NATS are: one, or three (HOST or HOST:PORT)"
    )
    parser.add_argument(
        "--database", metavar="WHERE", default=DEFAULT_DATABASE,
        help=f'the room\'s database, as libpq has it (default: "{DEFAULT_DATABASE}"); the programs make their tables '
            f'there',
    )  # fmt: skip
    add_folder_options(parser)
    parser.set_defaults(run=init)


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
