"""Writes the configuration of the room's servers of NATS: one or three, and who may say and hear what there.

A table has its own subjects and no other. What a server refuses it says in its log (`Publish Violation`).
Nobody answers where a table would have the answer go: no stream acknowledges, and the archive has a subject for each.
"""

import os
import re
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from room.contract.subjects import STATES, Told, archived, checked, told
from room.set_up.authority import SetUpError, make_pair, pin_of, user_of

USERS = "users.conf"
TABLES = "tables"
"""One empty file a table that may speak: from these `users.conf` is written, and withdrawing one removes it."""

PROGRAMS = ("archive", "server")
"""The room's own programs, which may say and hear everything."""

LISTENER = "mqtt"
"""Whoever follows the tables by MQTT 3.1.1: hears, and says nothing."""

HIGHEST_PORT = 65535

PLAIN = 'allowed_connection_types: ["STANDARD"]'
"""No table speaks MQTT, where a client may have sessions and retained messages without number."""

JETSTREAM_BYTES = 8 << 30


@dataclass(frozen=True, slots=True)
class Node:
    """One server: where it is reached, and its ports for tables and programs, for the other servers, and for MQTT."""

    host: str
    port: int = 4222
    cluster: int = 6222
    mqtt: int = 8883


def write_servers(folder: Path, nodes: Sequence[Node], store: Path) -> list[Path]:
    """Write a configuration a node with its certificate; raises `SetUpError`. Users are in a file of their own."""
    if len(nodes) not in (1, 3):
        raise SetUpError(f"a room has one server or three, which outlast one of them; not {len(nodes)}")
    for node in nodes:
        if not 0 < node.port <= HIGHEST_PORT:
            raise SetUpError(f"a port is 1 to {HIGHEST_PORT}, not {node.port}")
    for number, node in enumerate(nodes, 1):
        make_pair(folder, f"nats-{number}", (node.host, "localhost", "127.0.0.1"))
    written = []
    for number in range(1, len(nodes) + 1):
        name = f"nats-{number}"
        path = folder / f"{name}.conf"
        path.write_text(_configuration(folder, nodes, number, store), encoding="utf-8")
        written.append(path)
    for program in (*PROGRAMS, LISTENER):
        make_pair(folder, program)
    (folder / TABLES).mkdir(exist_ok=True)
    write_users(folder)
    return written


def _configuration(folder: Path, nodes: Sequence[Node], number: int, store: Path) -> str:
    there, node, name = folder.absolute(), nodes[number - 1], f"nats-{number}"
    tls = f"cert_file: {_text(there / f'{name}.crt')}, key_file: {_text(there / f'{name}.key')}, "
    tls += f"ca_file: {_text(there / 'ca.crt')}"
    lines = [
        "# Written by tablectl room init; NATS 2.14 or later (docs/room.md).",
        f"server_name: {name}",
        f"listen: {_text(f'{node.host}:{node.port}')}",
        f"pid_file: {_text(store / f'{name}.pid')}",
        "max_payload: 2MB",
        "max_connections: 1000",
        "max_subscriptions: 1000",
        'ping_interval: "10s"',  # what a lost line left counts among an address's connections (deploy/room-nats.nft)
        "ping_max: 2",
        f"tls {{ {tls}, verify_and_map: true, timeout: 5 }}",
        f"jetstream {{ store_dir: {_text(store / name)}, sync_interval: always, max_file_store: {JETSTREAM_BYTES}, "
        f"max_memory_store: {64 << 20} }}",
        f"mqtt {{ listen: {_text(f'{node.host}:{node.mqtt}')}, stream_replicas: {len(nodes)}, "
        f"tls {{ {tls}, verify_and_map: true, timeout: 5 }} }}",
        f"include {USERS}",
    ]
    if len(nodes) > 1:
        routes = ", ".join(_text(f"nats-route://{other.host}:{other.cluster}") for other in nodes)
        # A route says and hears everything: the servers' own keys, and no table's, though one authority signed both.
        pins = ", ".join(_text(pin_of(folder / f"nats-{each}.crt")) for each in range(1, len(nodes) + 1))
        lines.append(
            f"cluster {{ name: room, listen: {_text(f'{node.host}:{node.cluster}')}, no_advertise: true, "
            f"routes: [{routes}], tls {{ {tls}, verify: true, pinned_certs: [{pins}], timeout: 5 }} }}"
        )
    return "\n".join(lines) + "\n"


def _text(value: object) -> str:
    text = str(value)
    if not text.isprintable() or '"' in text or "\\" in text:
        raise SetUpError(f"{text!r} cannot stand in a server's configuration")
    return f'"{text}"'


def admit(folder: Path, table: str) -> None:
    """Let a table speak, from the servers' next reload on."""
    (folder / TABLES / checked(table)).touch()
    write_users(folder)


def withdraw(folder: Path, table: str) -> bool:
    """Let a table speak no more, from the servers' next reload on; return whether it could."""
    path = folder / TABLES / checked(table)
    if not path.exists():
        return False
    path.unlink()
    write_users(folder)
    return True


def tables(folder: Path) -> list[str]:
    """The tables that may speak."""
    return sorted(path.name for path in (folder / TABLES).iterdir())


def write_users(folder: Path) -> None:
    """Write who may say and hear what, whole."""
    everything = '{ publish: ">", subscribe: ">" }'
    lines = [f'    {{ user: "{user_of(program)}", permissions: {everything}, {PLAIN} }}' for program in PROGRAMS]
    heard = ", ".join(f'"room.*.{what.value}"' for what in (Told.STATE, Told.HEALTH, Told.CALL))
    lines.append(
        f'    {{ user: "{user_of(LISTENER)}", permissions: {{ publish: {{ deny: ">" }}, '
        f'subscribe: [{heard}, "$MQTT.sub.>"] }}, allowed_connection_types: ["MQTT"] }}'
    )
    lines += [f"    {_user(table)}" for table in tables(folder)]
    new = folder / f"{USERS}.new"
    new.write_text("authorization {\n  users: [\n" + "\n".join(lines) + "\n  ]\n}\n", encoding="ascii")
    new.replace(folder / USERS)


def _user(table: str) -> str:
    says = [told(table, what) for what in Told]
    says.append(f"$KV.{STATES}.{table}")
    hears = [f"room.do.{table}.*", archived(table)]
    allowed = (", ".join(f'"{subject}"' for subject in subjects) for subjects in (says, hears))
    publish, subscribe = allowed
    return (
        f'{{ user: "{user_of(table)}", permissions: {{ publish: [{publish}], subscribe: [{subscribe}], '
        f'allow_responses: {{ max: 1, expires: "2m" }} }}, {PLAIN} }}'
    )


@dataclass(frozen=True, slots=True)
class Server:
    """One of the room's servers, as its configuration says: `nats-2`, and the host where it listens."""

    name: str
    host: str

    @property
    def unit(self) -> str:
        """Its unit on its own machine."""
        return f"room-nats@{self.name.removeprefix('nats-')}"


def reload(folder: Path, store: Path) -> tuple[Server, ...]:
    """Have the servers of this machine read their users again, which cuts off who is none; return who was not told."""
    left = []
    for config in sorted(folder.glob("nats-*.conf")):
        found = re.search(r'(?m)^listen: "(.*):\d+"$', config.read_text("utf-8"))
        try:
            pid = int((store / f"{config.stem}.pid").read_text("ascii"))
            if config.name.encode() not in Path(f"/proc/{pid}/cmdline").read_bytes():  # another program has its number
                raise ProcessLookupError
            os.kill(pid, signal.SIGHUP)
        except (OSError, ValueError):
            left.append(Server(config.stem, found[1] if found else "its machine"))
    return tuple(left)


def to_do(folder: Path, left: Sequence[Server]) -> str:
    """What is left to do at servers that were not told, in commands."""
    users = folder.absolute() / USERS
    lines = [f"NOT told: {', '.join(f'{server.name} ({server.host})' for server in left)}. Bring each the new users:"]
    for server in left:
        lines.append(
            f"  scp {users} root@{server.host}:{users} && ssh root@{server.host} systemctl reload {server.unit}"
        )
    return "\n".join(lines)
