"""Writes the files of the room's own programs: `room.toml`, and `archive.toml` with the archive's own certificate."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

from room.provisioning.nats_configuration import NatsNode

PROGRAM_BY_FILE = {"room.toml": "server", "archive.toml": "archive"}
"""File -> whose certificate it names."""


def write_program_files(folder: Path, nodes: Sequence[NatsNode], store: Path, database: str) -> list[Path]:
    """Write those that are not there; return them. Only the folder's group may read them: a password may be in."""
    written = []
    for name, program in PROGRAM_BY_FILE.items():
        path = folder / name
        if path.exists():
            continue
        path.touch(mode=0o600)
        path.write_text(_render_file(nodes, store, database, program), encoding="utf-8")
        os.chown(path, -1, folder.stat().st_gid)
        path.chmod(0o640)
        written.append(path)
    return written


def _render_file(nodes: Sequence[NatsNode], store: Path, database: str, program: str) -> str:
    servers = ", ".join(json.dumps(f"tls://{node.host}:{node.client_port}") for node in nodes)
    return f"""\
# Written by tablectl room init, once; it is yours to change (docs/room.md).

[room]
name = "The room"
state = {json.dumps(str(store))}         # its staff's file

[page]                                # give it a certificate: tablectl certificate make
host = "127.0.0.1"
port = 8090

[database]
where = {json.dumps(database, ensure_ascii=False)}

[brokers]
servers = [{servers}]
authority = "ca.crt"
certificate = "{program}.crt"
key = "{program}.key"
"""
