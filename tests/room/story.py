"""What a room of real parts must outlast: `python -m tests.room.story [--long]`; called by `tests/room/run`.

Prints a row for each blow, and ends with status 1 where a record was lost, doubled, changed or out of order.
"""

import argparse
import asyncio
import json
import logging
import shutil
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import nats
from nats.aio.msg import Msg

from controller.room_contract.subjects import TableTopic, make_topic_subject, make_wildcard_subject
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.proof.chain import make_record
from controller.runtime.storage.state_directory import JOURNAL_FILE
from controller.uplink.uplink_outbox import JournalUnreadableError, UplinkOutbox
from room.archive import brokers
from room.archive.journal_export import iter_export_lines
from room.provisioning import nats_configuration as servers_of
from room.provisioning.certificate_authority import make_ca, make_key_pair
from room.record.postgres_record import connect_database
from tests.room.fake_tables import connect, fake_tables, say_states
from tests.room.real_parts import RealRoom, tablectl, wait_until
from tests.room.real_parts import export_journal as by_the_table

RATE = 40.0
FOUND: list[str] = []
"""What went wrong."""


def print_result(what: str, value: str) -> None:
    print(f"  {what:<58} {value}", flush=True)  # noqa: T201


def check_that(true: bool, what: str) -> None:
    if not true:
        FOUND.append(what)
        print_result(what, "NOT SO")


class UplinkedJournal:
    """A journal that a process writes all the time, and the uplink that sends it."""

    def __init__(self, room: RealRoom, table: str, level: str = "live") -> None:
        self.room, self.table = room, table
        self.state = room.folder / f"{table}-state"
        self.state.mkdir(mode=0o700)
        self.times = room.folder / f"{table}-times"
        self.file = room.uplink_file(table, self.state, level)

    def start(self) -> None:
        command = [sys.executable, "-m", "tests.room.journal_writer", str(self.state), str(RATE), str(self.times)]
        self.room.processes.start(f"writer-{self.table}", command)
        wait_until(lambda: 0 < self.last() < 1 << 62, "there is a journal")
        self.room.start_uplink(self.table, self.file)

    def last(self) -> int:
        with suppress(JournalUnreadableError):
            reach = UplinkOutbox(self.state).read_position()
            return 0 if reach is None else reach.last_record
        return 1 << 62

    def level_again(self) -> float:
        """Wait until the archive has what the journal has now; return how long that took."""
        last = self.last()
        return wait_until(
            lambda: self.room.find_last_archived_number(self.table) >= last, f"{self.table}: record {last} archived"
        )

    def end(self) -> None:
        """End the writer, wait for the rest, and compare byte for byte."""
        with suppress(StopIteration):
            self.room.processes.stop(f"writer-{self.table}")
        self.level_again()
        compare(self.room, self.table, self.state)


def compare(room: RealRoom, table: str, state: Path) -> None:
    own = list(by_the_table(state))[:-1]
    with connect_database(room.database) as database:
        row = database.execute("SELECT journal FROM head WHERE table_name = %s", (table,)).fetchone()
        assert row is not None
        kept = [line.rstrip("\n") for line in iter_export_lines(database, str(row[0]))][:-1]
        open_alarms = database.execute("SELECT count(*) FROM alarm WHERE mended IS NULL AND table_name = %s", (table,))
        alarms = open_alarms.fetchone()
        refused = database.execute("SELECT count(*) FROM alarm WHERE table_name = %s", (table,)).fetchone()
    check_that(kept == own, f"{table}: byte for byte the table's own export")
    check_that(alarms == (0,), f"{table}: every alarm is mended")
    print_result(f"{table}: records of the table, of the archive", f"{len(own)}, {len(kept)}")
    print_result(f"{table}: batches refused (came before their predecessor)", str((refused or (0,))[0]))


def blows(room: RealRoom, table: UplinkedJournal) -> Iterator[tuple[str, Callable[[], None]]]:
    """Each blow with what it does; the room is whole again when it returns."""

    def restart(*names: str, pause: float = 0.0) -> None:
        room.kill(*names)
        time.sleep(pause)
        starts = {"archive": room.start_archive, "database": room.start_database}
        starts[f"uplink-{table.table}"] = lambda: room.start_uplink(table.table, table.file)
        for name in sorted(names, key=lambda name: (not name.startswith("nats"), name != "database")):
            starts.get(name, lambda name=name: room.start_nats(int(name[5:])))()

    every = [f"nats-{number}" for number in range(1, room.count + 1)]

    def brokers_emptied() -> None:
        room.kill(*every)
        time.sleep(2)
        room.empty_disks()
        room.start_nats()

    yield "the leader of the stream is killed", lambda: restart(f"nats-{room.leader()}", pause=1)
    yield "the archive is killed, 2 s off", lambda: restart("archive", pause=2)
    yield "PostgreSQL is killed", lambda: restart("database")
    yield "the uplink is killed", lambda: restart(f"uplink-{table.table}")
    yield "all brokers are killed, and start with EMPTY disks", brokers_emptied
    yield "everything at once", lambda: restart(*every, "archive", "database", f"uplink-{table.table}")


def chaos(room: RealRoom, *, simulated: bool) -> None:
    room.enrol("table-07")
    table = UplinkedJournal(room, "table-07")
    table.start()
    live = None
    if simulated:
        room.enrol("table-01")
        live = room.folder / "simulated"
        live.mkdir(mode=0o700)
        command = [*tablectl(), "run", "--simulate", "--state", str(live), "--port", "0"]
        room.processes.start("table", command)
        wait_until((live / JOURNAL_FILE).exists, "the simulated table has a journal")
        room.start_uplink("table-01", room.uplink_file("table-01", live, "live"))
    print_result("level at first", f"{table.level_again():.1f} s")
    for what, blow in blows(room, table):
        blow()
        print_result(what, f"level again after {table.level_again():.1f} s")
    if live is not None:
        room.processes.stop("table", signal.SIGINT)
        reach = UplinkOutbox(live).read_position()
        assert reach is not None
        wait_until(
            lambda: room.find_last_archived_number("table-01") == reach.last_record, "the simulated table is archived"
        )
        compare(room, "table-01", live)
    table.end()
    took = [seconds for _, seconds in json.loads(table.times.read_text())]
    print_result("commits of the table, p50 and p99 over all blows", f"{quantiles(took)} of {len(took)}")


def quantiles(took: list[float]) -> str:
    cut = statistics.quantiles(took, n=100)
    return f"{1e3 * cut[49]:.2f} and {1e3 * cut[98]:.2f} ms"


def identity(room: RealRoom) -> None:
    """Who is not the table is refused, and it is said."""
    for name in ("table-07", "table-08"):
        room.enrol(name)
    foreign = room.folder / "foreign"
    foreign.mkdir()
    make_ca(foreign)
    make_key_pair(foreign, "table-07")
    shutil.copy(foreign / "table-07.crt", foreign / "uplink.crt")
    shutil.copy(foreign / "table-07.key", foreign / "uplink.key")
    shutil.copy(room.set_up / "ca.crt", foreign / "room-ca.crt")

    async def story() -> None:
        said: list[str] = []

        async def on_error(why: Exception) -> None:
            said.append(str(why))

        heard: list[Msg] = []
        hall = await brokers.connect(room.brokers(), "hall")

        async def hear(message: Msg) -> None:
            heard.append(message)

        await hall.subscribe("room.>", cb=hear)
        await hall.flush()
        one = await connect(room, "table-07", error_cb=on_error)
        await one.publish(make_topic_subject("table-08", TableTopic.STATE), b"{}")
        await one.publish("room.do.table-08.enter", b"{}")
        await one.subscribe("room.do.table-08.*")
        await one.publish(make_topic_subject("table-07", TableTopic.STATE), b"{}")
        await one.flush(10)
        await hall.flush(10)
        for _ in range(100):
            if heard and len(said) >= 3:
                break
            await asyncio.sleep(0.05)
        check_that(
            [message.subject for message in heard] == ["room.table-07.state"], "another table's subject is refused"
        )
        check_that(sum("permissions violation" in each.lower() for each in said) >= 3, "and the table is told so")
        two = await connect(room, "table-08")
        refused = False
        try:
            await asyncio.wait_for(connect(room, "foreign", allow_reconnect=False), 10)
        except (nats.errors.Error, OSError, TimeoutError, ValueError):
            refused = True
        check_that(refused, "a certificate of another authority is refused")
        closed = asyncio.Event()

        async def on_disconnected() -> None:
            closed.set()

        three = await connect(room, "table-07", disconnected_cb=on_disconnected, max_reconnect_attempts=1)
        began = time.monotonic()
        servers_of.revoke_table(room.set_up, "table-07")
        servers_of.reload_servers(room.set_up, room.store)
        with suppress(TimeoutError):
            await asyncio.wait_for(closed.wait(), 10)
        check_that(closed.is_set(), "a withdrawn table's open connection is cut")
        print_result("a withdrawn table's connection is cut after", f"{time.monotonic() - began:.2f} s")
        await two.flush(5)
        check_that(two.is_connected, "the others are not touched")
        refused = False
        try:
            await asyncio.wait_for(connect(room, "table-07", allow_reconnect=False), 10)
        except (nats.errors.Error, OSError, TimeoutError):
            refused = True
        check_that(refused, "a withdrawn table is refused again")
        for each in (one, two, three, hall):
            with suppress(nats.errors.Error, OSError, TimeoutError):
                await asyncio.wait_for(each.close(), 10)  # of one that was cut off it may wait for ever

    asyncio.run(story())
    log = "\n".join(line for number in range(1, room.count + 1) for line in room.read_log(f"nats-{number}"))
    check_that("Publish Violation" in log, "the server's log names the violation")
    print_result("other table's subject, foreign authority, withdrawn", "refused and said")


def many_tables(room: RealRoom, count: int, seconds: float) -> None:
    """Tables that speak at once: how long from a table to whoever listens in the room."""
    names = [f"hall-{number:03d}" for number in range(count)]
    for name in names:
        room.enrol(name)

    async def story() -> list[float]:
        took: list[float] = []

        async def hear(message: Msg) -> None:
            took.append(time.time() - json.loads(message.data)["at"])

        hall = await brokers.connect(room.brokers(), "hall")
        await hall.subscribe(make_wildcard_subject(TableTopic.STATE), cb=hear)
        await hall.flush()
        began = time.monotonic()
        async with fake_tables(room, names) as tables:
            print_result(f"{count} tables are connected", f"after {time.monotonic() - began:.1f} s")
            body = {"seats": [{"seat": seat, "cards": 2, "player": "x" * 12} for seat in range(9)]}
            said = await say_states(
                tables,
                100.0,
                seconds,
                lambda _, number: json.dumps({**body, "number": number, "at": time.time()}).encode(),
            )
            for _ in range(100):
                if len(took) >= said:
                    break
                await asyncio.sleep(0.05)
        check_that(len(took) == said, "every message of every table arrives")
        await hall.close()
        return took

    took = asyncio.run(story())
    print_result(f"{count} tables, 100 messages a second, p50 and p99", f"{quantiles(took)} of {len(took)}")


def after_an_outage(room: RealRoom, records: int) -> None:
    """A long journal that the room has nothing of."""
    room.enrol("table-09")
    state = room.folder / "table-09-state"
    state.mkdir(mode=0o700)
    journal = Journal(state / JOURNAL_FILE)
    journal.begin_run("boot", "1")
    journal.begin_session({"mode": "live"})
    journal.finish_hand()
    journal.end_run("asked")
    number, chain = journal.read_head()
    journal.close()
    database = sqlite3.connect(state / JOURNAL_FILE)
    made = []
    for following in range(number + 1, number + records + 1):
        body = json.dumps({"entry": following, "source": "page", "line": {"ev": "call", "by": "x" * 280}})
        made.append(make_record(following, "call", body, chain))
        chain = made[-1].chain
    database.executemany(
        "INSERT INTO record VALUES (?, ?, ?, ?)",
        ((each.number, each.kind, each.body, bytes.fromhex(each.chain)) for each in made),
    )
    database.commit()
    database.close()
    began = time.monotonic()
    room.start_uplink("table-09", room.uplink_file("table-09", state, "live"))
    most: dict[str, int] = {}

    def is_archived() -> bool:
        for name in ("archive", "uplink-table-09", "nats-1"):
            status = Path(f"/proc/{room.processes.find_process(name).pid}/status").read_text()
            kilobytes = int(status.split("VmHWM:")[1].split()[0])
            most[name] = max(most.get(name, 0), kilobytes)
        return room.find_last_archived_number("table-09") == number + records

    wait_until(is_archived, f"{records} records are archived", 1200)
    seconds = time.monotonic() - began
    print_result(f"{records} records after an outage", f"{seconds:.0f} s, {records / seconds:.0f} a second")
    print_result("memory at most", ", ".join(f"{name} {size // 1024} MB" for name, size in most.items()))
    check_that(most["uplink-table-09"] < 96 * 1024, "the uplink stays within its unit's memory")
    compare(room, "table-09", state)


@contextmanager
def device(image: Path, there: Path) -> Iterator[None]:
    """Mount an image on a loop device whose writes go straight to it."""
    loop = subprocess.run(
        ["losetup", "--find", "--show", "--direct-io=on", str(image)], capture_output=True, text=True, check=True
    ).stdout.strip()
    try:
        there.mkdir(exist_ok=True)
        subprocess.run(["mount", loop, str(there)], check=True, capture_output=True)
        there.chmod(0o755)
        try:
            yield
        finally:
            subprocess.run(["umount", "--lazy", str(there)], check=False, capture_output=True)
    finally:
        subprocess.run(["losetup", "--detach", loop], check=False, capture_output=True)


def power_cut(folder: Path) -> None:
    """The room's power goes; what its disk has by then is all that is left."""
    if shutil.which("losetup") is None or shutil.which("mkfs.ext4") is None:
        print_result("power cut of the room", "SKIPPED: losetup or mkfs.ext4 is missing")
        return
    image, copy = folder / "disk", folder / "copy"
    with open(image, "wb") as file:
        file.truncate(600 << 20)
    subprocess.run(["mkfs.ext4", "-q", "-F", str(image)], check=True, capture_output=True)
    mounted = folder / "mounted"
    try:
        with device(image, mounted):
            pass
    except subprocess.CalledProcessError as why:
        print_result("power cut of the room", f"SKIPPED: no loop device ({str(why.stderr).strip()[:80]})")
        return
    with device(image, mounted), RealRoom(folder / "room", 1, disk=mounted) as room:
        room.start_nats()
        room.start_database()
        room.start_archive()
        room.enrol("table-07")
        table = UplinkedJournal(room, "table-07")
        table.start()
        table.level_again()
        time.sleep(5)
        known = room.find_last_archived_number("table-07")
        room.kill("nats-1", "archive", "database")
        shutil.copyfile(image, copy)
        subprocess.run(["umount", str(mounted)], check=True, capture_output=True)
        with device(copy, mounted):
            room.start_nats()
            room.start_database()
            kept = room.find_last_archived_number("table-07")
            check_that(kept >= known, "nothing that the archive had said was lost at the power cut")
            print_result("power cut of the room: said by the archive, there afterwards", f"{known}, {kept}")
            room.start_archive()
            print_result("power cut of the room", f"level again after {table.level_again():.1f} s")
            table.end()
            room.kill("nats-1", "archive", "database")


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests/room/run")
    parser.add_argument("--long", action="store_true", help="also 100 tables, 500,000 records, a power cut")
    options = parser.parse_args()
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)  # a word at each link that a blow cuts
    with tempfile.TemporaryDirectory(prefix="story-") as scratch:
        folder = Path(scratch)
        folder.chmod(0o755)  # PostgreSQL runs as somebody else, and its disk is mounted below
        with RealRoom(folder / "three", 3) as room:
            room.start_nats()
            room.start_database()
            room.start_archive()
            chaos(room, simulated=options.long)
            identity(room)
            many_tables(room, 100 if options.long else 20, 30 if options.long else 5)
            if options.long:
                after_an_outage(room, 500_000)
        (folder / "cut").mkdir()
        power_cut(folder / "cut")
    for what in FOUND:
        print(f"tests/room/run: not so: {what}", file=sys.stderr)  # noqa: T201
    return 1 if FOUND else 0


if __name__ == "__main__":
    sys.exit(main())
