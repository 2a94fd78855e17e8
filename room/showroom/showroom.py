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

from room.set_up.authority import make_authority, make_request
from room.set_up.enrolment import new_code, request_of, take, taken
from room.set_up.servers import Node, reload, write_servers
from room.showroom.database import start_database
from room.showroom.processes import NotUp, Processes
from room.showroom.tables import ShownTable, laid_out
from room.staff.publishing import room_key

HERE = "127.0.0.1"
TABLECTL = (sys.executable, "-c", "import sys; from controller.cli import main; sys.exit(main())")
ANSWER_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Running:
    """A room that is up: where its pages are, and what runs."""

    url: str
    tables: tuple[ShownTable, ...]
    processes: Processes


@contextmanager
def showroom(
    folder: Path,
    tables: int,
    nodes: int,
    port: int,
    say: Callable[[str], None] = lambda _: None,
    tournament: int = 0,
) -> Iterator[Running]:
    """Put the room up, and take it down at the end; `say` is told what comes up. Raises `NotUp` and `SetUpError`.

    The last `tournament` of its tables have empty chairs, and wait for the desk.
    """
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    with Processes(folder / "logs") as processes:
        brokers, set_up = _brokers(folder, nodes, processes)
        say(f"{nodes} server{'s' if nodes > 1 else ''} of NATS")
        database = start_database(processes, folder / "database")
        say("PostgreSQL")
        url = f"http://{HERE}:{port}/"
        (folder / "staff").mkdir(mode=0o700, exist_ok=True)
        key = bytes(room_key(folder / "staff").verify_key).hex()  # before the server, which would make one, too
        for name in ("archive", "server"):
            config = _room_file(folder, name, set_up, brokers, database, port, tables)
            said = _length(processes.log_of(name))
            answers = partial(_answers, url) if name == "server" else lambda: True
            processes.start(name, [*TABLECTL, "room", name, "run", "--config", str(config)], is_up=answers)
            say(f"the {name}{_code(processes.log_of(name), said)}")
        processes.start("index", [*TABLECTL, "room", "index", "run", "--config", str(config)])
        say("the index")
        shown = tuple(
            laid_out(folder / "tables", number, port + number, key, tournament=number > tables - tournament)
            for number in range(1, tables + 1)
        )
        for table in shown:
            _start(table, set_up, brokers, folder / "nats", processes)
            say(
                f"{table.name} at {table.url}" + (", for a tournament" if table in shown[tables - tournament :] else "")
            )
        yield Running(url, shown, processes)


def _brokers(folder: Path, count: int, processes: Processes) -> tuple[list[str], Path]:
    beside = Path(sys.executable).with_name("nats-server")
    program = str(beside) if beside.exists() else shutil.which("nats-server")
    if program is None:
        raise NotUp("nats-server is missing: pip install --require-hashes -r requirements/room.txt")
    set_up, store = folder / "set-up", folder / "nats"
    for path in (set_up, store):
        path.mkdir(mode=0o700, exist_ok=True)
    ports = _free_ports(3 * count)
    nodes = [Node(HERE, *ports[3 * number : 3 * number + 3]) for number in range(count)]
    make_authority(set_up)
    for config, node in zip(write_servers(set_up, nodes, store), nodes, strict=True):
        processes.start(config.stem, [program, "--config", str(config)], is_up=partial(_listens, node.port))
    return [f"tls://{HERE}:{node.port}" for node in nodes], set_up


def _room_file(
    folder: Path, name: str, set_up: Path, brokers: list[str], database: str, port: int, tables: int
) -> Path:
    """The file of one of the room's programs: each has a certificate of its own."""
    config = folder / f"{name}.toml"
    pages = [f'table-{number:02d} = "http://{HERE}:{port + number}/"' for number in range(1, tables + 1)]
    lines = [
        "[room]", 'name = "Showroom"', "samples = true", f"state = {json.dumps(str(folder / 'staff'))}",
        "[page]", f'host = "{HERE}"', f"port = {port}",
        "[database]", f"where = {json.dumps(database)}",
        "[brokers]", f"servers = {json.dumps(brokers)}", f"authority = {json.dumps(str(set_up / 'ca.crt'))}",
        f"certificate = {json.dumps(str(set_up / f'{name}.crt'))}", f"key = {json.dumps(str(set_up / f'{name}.key'))}",
        "[tables]", *pages,
    ]  # fmt: skip
    config.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return config


def _start(table: ShownTable, set_up: Path, brokers: list[str], store: Path, processes: Processes) -> None:
    if not (table.folder / "uplink.crt").exists():
        _enrol(table, set_up, brokers)
        reload(set_up, store)
    link = table.folder / "uplink.toml"
    link.write_text(
        "\n".join(
            (
                "[table]", f'name = "{table.name}"', f"state = {json.dumps(str(table.state))}",
                f"url = {json.dumps(table.url)}", 'token_file = "token"',
                "[room]", 'level = "live"', f"servers = {json.dumps(brokers)}", 'certificate = "uplink.crt"',
                'key = "uplink.key"', 'authority = "room-ca.crt"', "asks = true", "",
            )
        ),
        encoding="utf-8",
    )  # fmt: skip
    run = [*TABLECTL, "run", "--simulate", "--config", str(table.config)]
    processes.start(table.name, run, is_up=partial(_answers, table.url))
    environment = {**os.environ, "RUNTIME_DIRECTORY": str(table.folder)}
    uplink = [*TABLECTL, "room", "uplink", "run", "--config", str(link)]
    processes.start(f"{table.name}-uplink", uplink, environment=environment)


def _enrol(table: ShownTable, set_up: Path, brokers: list[str]) -> None:
    """Make the table one of the room, as `tablectl room enrol` and `room uplink request` do."""
    code = new_code(set_up, table.name, time.time())
    key, request = make_request(table.folder, table.name)
    answer = take(set_up, table.name, request_of(table.name, request.read_text("ascii"), code), brokers, time.time())
    got = taken(table.name, answer, code)
    key.rename(table.folder / "uplink.key")
    (table.folder / "uplink.crt").write_text(got.certificate, encoding="ascii")
    (table.folder / "room-ca.crt").write_text(got.authority, encoding="ascii")


def _length(log: Path) -> int:
    return log.stat().st_size if log.exists() else 0


def _code(log: Path, after: int) -> str:
    """What a program's log says, after so many bytes of earlier starts, of the code with which the first enrols."""
    said = log.read_bytes()[after:].decode(errors="replace")
    found = re.findall(r"one-time code ([0-9 -]+[0-9])", said)
    return f"; the one-time code {found[-1]} enrols the first person" if found else ""


def _free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind((HERE, 0))
        return [int(each.getsockname()[1]) for each in sockets]


def _listens(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex((HERE, port)) == 0


def _answers(url: str) -> bool:
    try:
        urllib.request.urlopen(url, timeout=ANSWER_SECONDS).close()
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
    return True
