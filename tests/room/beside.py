"""How much longer a table's entries take beside its uplink: `python -m tests.room.beside [--long] [--more SHARE]`.

A whole table (`timed_table`), an uplink and a room, each of processes of its own. The uplink is stopped and let go on
by turns, and what an entry takes is compared pair by pair (`paired`). Ends with status 1 where the table is slower than
it may be, beyond doubt. `--more 0.2`: beside the uplink each entry does a fifth of its work again; that must be found.

The table is asked first on its processor (`SCHED_RR`). Otherwise a thread that wakes up waits some milliseconds as soon
as two programs want the same one, which tells of the machine alone.
"""

import argparse
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, cached_property, partial
from pathlib import Path

from controller.runtime.journal.proof.chain import make_record
from controller.runtime.storage.state_directory import JOURNAL_FILE
from controller.uplink.uplink_outbox import UplinkOutbox
from tests.room.paired import MIN_PAIRS, Pair, SlowdownEstimate, estimate_slowdown
from tests.room.real_parts import RealRoom, free_ports, listens, tablectl, wait_until

SEED = 20261123
NICER = 10
"""As much as the uplink's unit has it (`systemd/table-uplink.service`)."""

FIRST = 10
"""The table's place among what cannot wait; where this account may not give it, the figures are of chance."""

HANDS, PAUSE = 1, 0.002
"""A turn: some twenty entries as fast as no table has them, so that the uplink finds something at each of its looks."""

SHORT_SECONDS, LONG_SECONDS = 7.0, 40.0
"""So long is compared at most; less where it can be told earlier."""

NARROW = 0.05
"""An interval is narrow enough to leave off at."""

FIFTH = 0.2
"""What is done again where it is tried whether that is found."""

OUTAGE = 500_000
"""Records that the room has nothing of."""

MEMORY = Path("/dev/shm")


def cores() -> tuple[set[int], set[int]]:
    """The processor of the table, and those of everything that is no part of one; the same where there is one."""
    mine = sorted(os.sched_getaffinity(0))
    return {mine[0]}, set(mine[1:]) or {mine[0]}


@cache
def may_be_first() -> bool:
    """Whether this account may have a program asked first."""
    return subprocess.run(["chrt", "-r", str(FIRST), "true"], check=False, capture_output=True).returncode == 0


class Table:
    """A table in a process of its own, on one processor."""

    def __init__(self, room: RealRoom, name: str, state: Path) -> None:
        self.name, self.state, self._room = name, state, room
        (self._port,) = free_ports(1)
        self.url = f"http://127.0.0.1:{self._port}"
        room.enrol(name)

    def start(self) -> None:
        (core,), _ = cores()
        first = ["chrt", "-r", str(FIRST)] if may_be_first() else []
        command = [*first, "taskset", "-c", str(core), sys.executable, "-m", "tests.room.timed_table"]
        with (self._room.folder / f"{self.name}.log").open("ab") as log:
            self._process = subprocess.Popen(
                [*command, str(self.state), str(self._port)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, bufsize=1,
            )  # fmt: skip
        wait_until(lambda: listens(self._port), f"{self.name} is up")
        self.turn(3)

    def turn(self, hands: int = HANDS, more: float = 0.0) -> dict[str, list[float]]:
        """Play some hands; return what each entry took, by kind, in seconds."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"hands": hands, "pause": PAUSE, "more": more}) + "\n")
        took: dict[str, list[float]] = json.loads(self._process.stdout.readline())
        return took

    def end(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(60)

    def last(self) -> int:
        reach = UplinkOutbox(self.state).read_position()
        return 0 if reach is None else reach.last_record

    @cached_property
    def token(self) -> str:
        command = [*tablectl(), "token", "add", "room", "--role", "uplink", "--state", str(self.state)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[-1]


@contextmanager
def uplink(room: RealRoom, table: Table, level: str) -> Iterator["subprocess.Popen[bytes]"]:
    """The table's uplink, after everything else of the table, as its unit has it."""
    (room.folder / table.name / "token").write_text(f"{table.token}\n")
    (core,), others = cores()
    room.start_uplink(table.name, room.uplink_file(table.name, table.state, level, table.url))
    process = room.processes.find_process(f"uplink-{table.name}")
    for task in Path(f"/proc/{process.pid}/task").iterdir():
        os.setpriority(os.PRIO_PROCESS, int(task.name), os.getpriority(os.PRIO_PROCESS, 0) + NICER)
        os.sched_setaffinity(int(task.name), {core, *others})
    try:
        yield process
    finally:
        process.send_signal(signal.SIGCONT)
        room.processes.stop(f"uplink-{table.name}")


def measure_slowdown(
    table: Table, beside: "subprocess.Popen[bytes]", chance: random.Random, more: float, *, long: bool = False
) -> dict[str, SlowdownEstimate]:
    """Compare by turns, as long as it takes to tell and no longer than it may."""
    pairs: dict[str, list[Pair]] = {"wall": [], "cpu": [], "process": []}
    ends = time.monotonic() + (LONG_SECONDS if long else SHORT_SECONDS)
    found: dict[str, SlowdownEstimate] = {}
    while time.monotonic() < ends and not (found and all(each.high - each.low <= NARROW for each in found.values())):
        turns: dict[bool, dict[str, list[float]]] = {}
        for running in chance.sample((False, True), 2):
            beside.send_signal(signal.SIGCONT if running else signal.SIGSTOP)
            wait_until(partial(has_stop_state, beside.pid, not running), "it stands, or goes on")
            turns[running] = table.turn(more=more if running else 0.0)
        for kind, known in pairs.items():
            known.append((turns[False][kind], turns[True][kind]))
        if len(pairs["wall"]) >= MIN_PAIRS:
            found = {kind: estimate_slowdown(known) for kind, known in pairs.items()}
    beside.send_signal(signal.SIGCONT)
    return found or {kind: estimate_slowdown(known) for kind, known in pairs.items()}


def has_stop_state(pid: int, wanted: bool) -> bool:
    """Whether a process is stopped, as it is wanted."""
    return (Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T") is wanted


def outage(table: Table, records: int) -> None:
    """Have a table's journal hold so many records more, while it is ended."""
    last = table.last()
    database = sqlite3.connect(table.state / JOURNAL_FILE)
    chain = bytes(database.execute("SELECT chain FROM record WHERE number = ?", (last,)).fetchone()[0]).hex()
    made = []
    for number in range(last + 1, last + records + 1):
        record = make_record(number, "call", json.dumps({"wanted": True, "by": "x" * 280}), chain)
        chain = record.chain
        made.append((record.number, record.kind, record.body, bytes.fromhex(chain)))
    database.executemany("INSERT INTO record VALUES (?, ?, ?, ?)", made)
    database.commit()
    database.close()


def main() -> int:
    """Compare, and say what was found."""
    parser = argparse.ArgumentParser(prog="tests.room.beside")
    parser.add_argument("--long", action="store_true", help="also beside an uplink that rests, and one that catches up")
    parser.add_argument("--more", type=float, default=0.0, help="share of an entry's work that is done again")
    parser.add_argument("--outage", type=int, default=OUTAGE, help="records that are caught up with")
    options = parser.parse_args()
    _, others = cores()
    os.sched_setaffinity(0, others)  # what is no part of a table is not on its processor
    if not may_be_first():
        print("==== CANNOT TELL: this account may not have the table asked first (chrt) ====", file=sys.stderr)  # noqa: T201
    with (
        tempfile.TemporaryDirectory(prefix="beside-") as scratch,
        tempfile.TemporaryDirectory(prefix="beside-", dir=MEMORY if MEMORY.is_mount() else None) as memory,
    ):
        Path(scratch).chmod(0o755)  # PostgreSQL runs as somebody else
        with RealRoom(Path(scratch) / "room", 1) as room:
            room.start_nats()
            room.start_database()
            room.start_archive()
            places = {"memory": Path(memory), "disk": Path(scratch)}
            slower = [story(room, place, folder, options) for place, folder in places.items()]
    return 1 if any(slower) else 0


def story(room: RealRoom, place: str, folder: Path, options: argparse.Namespace) -> bool:
    """One table, with its journal in one place; return whether it is slower than it may be."""
    chance, slower = random.Random(SEED), False
    table = Table(room, f"table-{place}", folder / "state")
    table.start()
    if options.long:
        with uplink(room, table, "health") as process:
            slower |= print_slowdowns(
                f"{place}, level health", measure_slowdown(table, process, chance, options.more, long=True)
            )
    with uplink(room, table, "live") as process:
        level_again(room, table)
        slower |= print_slowdowns(
            f"{place}, live", measure_slowdown(table, process, chance, options.more, long=options.long)
        )
        if place == "memory" and not options.more:
            found = measure_slowdown(table, process, chance, FIFTH, long=options.long)
            print_slowdowns(f"{place}, with {FIFTH:.0%} more to do beside it", found)
            if not any(each.slower for each in found.values()):
                print("==== CANNOT TELL: an entry that takes a fifth longer is not found ====", file=sys.stderr)  # noqa: T201
        level_again(room, table)
    table.end()
    if options.long:
        outage(table, options.outage)
        table.start()
        with uplink(room, table, "live") as process:
            first = room.find_last_archived_number(table.name)
            wait_until(lambda: room.find_last_archived_number(table.name) > first, "it catches up")
            found = measure_slowdown(table, process, chance, options.more, long=True)
            behind = table.last() - room.find_last_archived_number(table.name)
        slower |= print_slowdowns(f"{place}, {options.outage} to catch up, {behind} left", found)
        table.end()
    return slower


def level_again(room: RealRoom, table: Table) -> None:
    last = table.last()
    wait_until(lambda: room.find_last_archived_number(table.name) >= last, "the archive has all of it")


def print_slowdowns(what: str, found: dict[str, SlowdownEstimate]) -> bool:
    """Say what was found; return whether the table is slower than it may be."""
    names = {"wall": "line to answer", "cpu": "processor, loop", "process": "processor, process"}
    for kind, name in names.items():
        print(f"  {what}: {name:<20} {found[kind]}", flush=True)  # noqa: T201
    return any(each.slower for each in found.values())


if __name__ == "__main__":
    sys.exit(main())
