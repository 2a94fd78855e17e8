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

from controller.room_contract.certificate_request import ProvisioningError, make_user_name
from controller.room_contract.subjects import (
    STATE_BUCKET,
    TableTopic,
    make_head_subject,
    make_topic_subject,
    require_table_name,
)
from room.provisioning.certificate_authority import compute_key_pin, make_key_pair

USERS_FILE = "users.conf"
TABLES_FOLDER = "tables"
"""One empty file a table that may speak: from these `users.conf` is written, and withdrawing one removes it."""

PROGRAM_NAMES = ("archive", "server")
"""The room's own programs, which may say and hear everything."""

MQTT_LISTENER_NAME = "mqtt"
"""Whoever follows the tables by MQTT 3.1.1: hears, and says nothing."""

MAX_PORT = 65535

NATS_CLIENTS_ONLY = 'allowed_connection_types: ["STANDARD"]'
"""No table speaks MQTT, where a client may have sessions and retained messages without number."""

MAX_JETSTREAM_BYTES = 8 << 30


@dataclass(frozen=True, slots=True)
class NatsNode:
    """One server: where it is reached, and its ports for tables and programs, for the other servers, and for MQTT."""

    host: str
    client_port: int = 4222
    cluster_port: int = 6222
    mqtt_port: int = 8883


def write_configurations(folder: Path, nodes: Sequence[NatsNode], store: Path) -> list[Path]:
    """Write a configuration a node with its certificate; raises `SetUpError`. Users are in a file of their own."""
    if len(nodes) not in (1, 3):
        raise ProvisioningError(f"a room has one server or three, which outlast one of them; not {len(nodes)}")
    for node in nodes:
        if not 0 < node.client_port <= MAX_PORT:
            raise ProvisioningError(f"a port is 1 to {MAX_PORT}, not {node.client_port}")
    for number, node in enumerate(nodes, 1):
        make_key_pair(folder, f"nats-{number}", (node.host, "localhost", "127.0.0.1"))
    written = []
    for number in range(1, len(nodes) + 1):
        name = f"nats-{number}"
        path = folder / f"{name}.conf"
        path.write_text(_render_configuration(folder, nodes, number, store), encoding="utf-8")
        written.append(path)
    for program in (*PROGRAM_NAMES, MQTT_LISTENER_NAME):
        make_key_pair(folder, program)
    (folder / TABLES_FOLDER).mkdir(exist_ok=True)
    write_users(folder)
    return written


def _render_configuration(folder: Path, nodes: Sequence[NatsNode], number: int, store: Path) -> str:
    there, node, name = folder.absolute(), nodes[number - 1], f"nats-{number}"
    tls = f"cert_file: {_quote(there / f'{name}.crt')}, key_file: {_quote(there / f'{name}.key')}, "
    tls += f"ca_file: {_quote(there / 'ca.crt')}"
    lines = [
        "# Written by tablectl room init; NATS 2.14 or later (docs/room.md).",
        f"server_name: {name}",
        f"listen: {_quote(f'{node.host}:{node.client_port}')}",
        f"pid_file: {_quote(store / f'{name}.pid')}",
        "max_payload: 2MB",
        "max_connections: 1000",
        "max_subscriptions: 1000",
        'ping_interval: "10s"',  # what a lost line left counts among an address's connections (deploy/room-nats.nft)
        "ping_max: 2",
        f"tls {{ {tls}, verify_and_map: true, timeout: 5 }}",
        f"jetstream "
        f"{{ store_dir: {_quote(store / name)}, sync_interval: always, max_file_store: {MAX_JETSTREAM_BYTES}, "
        f"max_memory_store: {64 << 20} }}",
        f"mqtt {{ listen: {_quote(f'{node.host}:{node.mqtt_port}')}, stream_replicas: {len(nodes)}, "
        f"tls {{ {tls}, verify_and_map: true, timeout: 5 }} }}",
        f"include {USERS_FILE}",
    ]
    if len(nodes) > 1:
        routes = ", ".join(_quote(f"nats-route://{other.host}:{other.cluster_port}") for other in nodes)
        # A route says and hears everything: the servers' own keys, and no table's, though one authority signed both.
        pins = ", ".join(_quote(compute_key_pin(folder / f"nats-{each}.crt")) for each in range(1, len(nodes) + 1))
        lines.append(
            f"cluster {{ name: room, listen: {_quote(f'{node.host}:{node.cluster_port}')}, no_advertise: true, "
            f"routes: [{routes}], tls {{ {tls}, verify: true, pinned_certs: [{pins}], timeout: 5 }} }}"
        )
    return "\n".join(lines) + "\n"


def _quote(value: object) -> str:
    text = str(value)
    if not text.isprintable() or '"' in text or "\\" in text:
        raise ProvisioningError(f"{text!r} cannot stand in a server's configuration")
    return f'"{text}"'


def admit_table(folder: Path, table: str) -> None:
    """Let a table speak, from the servers' next reload on."""
    (folder / TABLES_FOLDER / require_table_name(table)).touch()
    write_users(folder)


def revoke_table(folder: Path, table: str) -> bool:
    """Let a table speak no more, from the servers' next reload on; return whether it could."""
    path = folder / TABLES_FOLDER / require_table_name(table)
    if not path.exists():
        return False
    path.unlink()
    write_users(folder)
    return True


def list_tables(folder: Path) -> list[str]:
    """The tables that may speak."""
    return sorted(path.name for path in (folder / TABLES_FOLDER).iterdir())


def write_users(folder: Path) -> None:
    """Write who may say and hear what, whole."""
    everything = '{ publish: ">", subscribe: ">" }'
    lines = [
        f'    {{ user: "{make_user_name(program)}", permissions: {everything}, {NATS_CLIENTS_ONLY} }}'
        for program in PROGRAM_NAMES
    ]
    heard = ", ".join(f'"room.*.{what.value}"' for what in (TableTopic.STATE, TableTopic.HEALTH, TableTopic.CALL))
    lines.append(
        f'    {{ user: "{make_user_name(MQTT_LISTENER_NAME)}", permissions: {{ publish: {{ deny: ">" }}, '
        f'subscribe: [{heard}, "$MQTT.sub.>"] }}, allowed_connection_types: ["MQTT"] }}'
    )
    lines += [f"    {_render_user(table)}" for table in list_tables(folder)]
    new = folder / f"{USERS_FILE}.new"
    new.write_text("authorization {\n  users: [\n" + "\n".join(lines) + "\n  ]\n}\n", encoding="ascii")
    new.replace(folder / USERS_FILE)


def _render_user(table: str) -> str:
    says = [make_topic_subject(table, what) for what in TableTopic]
    says.append(f"$KV.{STATE_BUCKET}.{table}")
    hears = [f"room.do.{table}.*", make_head_subject(table)]
    allowed = (", ".join(f'"{subject}"' for subject in subjects) for subjects in (says, hears))
    publish, subscribe = allowed
    return (
        f'{{ user: "{make_user_name(table)}", permissions: {{ publish: [{publish}], subscribe: [{subscribe}], '
        f'allow_responses: {{ max: 1, expires: "2m" }} }}, {NATS_CLIENTS_ONLY} }}'
    )


@dataclass(frozen=True, slots=True)
class NatsServer:
    """One of the room's servers, as its configuration says: `nats-2`, and the host where it listens."""

    name: str
    host: str

    @property
    def unit_name(self) -> str:
        """Its unit on its own machine."""
        return f"room-nats@{self.name.removeprefix('nats-')}"


def reload_servers(folder: Path, store: Path) -> tuple[NatsServer, ...]:
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
            left.append(NatsServer(config.stem, found[1] if found else "its machine"))
    return tuple(left)


def format_remaining_commands(folder: Path, left: Sequence[NatsServer]) -> str:
    """What is left to do at servers that were not told, in commands."""
    users = folder.absolute() / USERS_FILE
    lines = [f"NOT told: {', '.join(f'{server.name} ({server.host})' for server in left)}. Bring each the new users:"]
    for server in left:
        lines.append(
            f"  scp {users} root@{server.host}:{users} && ssh root@{server.host} systemctl reload {server.unit_name}"
        )
    return "\n".join(lines)
