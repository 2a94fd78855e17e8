"""What leaves a table at each level, and what comes in: an uplink at a real server of NATS, and all of it is heard."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from itertools import pairwise
from pathlib import Path
from time import monotonic
from typing import Any, cast

import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import NoRespondersError

from controller.client.api_types import Inventory, Table
from controller.client.table_client import RequestRefusedError
from controller.room_contract.batch import Head
from controller.room_contract.subjects import TableTopic, make_head_subject, make_topic_subject
from controller.room_contract.table_health import TableHealth
from controller.room_contract.table_request import TableReply
from controller.runtime.journal.journal import Journal
from controller.runtime.storage.state_directory import JOURNAL_FILE
from controller.uplink.link_status_file import STATUS_FILE_NAME, LinkStatusFile
from controller.uplink.uplink import Uplink
from controller.uplink.uplink_file import load_uplink_file
from room.archive import brokers
from room.provisioning.nats_configuration import admit_table, reload_servers, revoke_table
from tests.room.real_parts import PATIENCE, RealRoom, describe_missing_parts, run_story

pytestmark = pytest.mark.skipif(bool(describe_missing_parts()), reason=describe_missing_parts())

PUBLIC = {
    "program": "1.2.3", "game": "holdem", "halted": False,
    "faults": [{"code": "device-lost", "stops": "deal", "text": "seat 3 holds a card", "since": 1000.0}],
    "floor_called": True, "seats": [{"seat": 1, "player": "Ann"}],
}  # fmt: skip


class FakeTable:
    """The table's API as the uplink has it."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, object]] = []

    def fetch_table(self) -> Table:
        board = {"name": "board", "driver": "bridge", "state": "ready", "why": "secret", "noise": 0}
        devices = [{**board, "firmware": "1.0.0"}, {**board, "name": "shoe", "firmware": ""}]
        return cast(Table, {**PUBLIC, "staff": {"devices": devices, "notices": ["secret"]}})

    def fetch_inventory(self) -> Inventory:
        return {
            "program": {"version": "1.2.3", "sha256": "ab" * 32},
            "rulebook": {"version": "roberts-7", "sha256": "cd" * 32},
            "update": {"version": "1.2.3", "result": "installed", "at": "2026-11-20T03:00:00+00:00"},
        }

    def iter_tables(self) -> Iterator[Table]:
        yield self.fetch_table()

    def send_room_request(self, verb: str, content: Mapping[str, object]) -> dict[str, Any]:
        self.asked.append((verb, content))
        if content.get("line") == "wrong":
            raise RequestRefusedError(409, "moved-on", "The table has moved on.")
        return {"taken": True, "entry": 7, "code": "", "message": ""}


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealRoom]:
    with RealRoom(tmp_path_factory.mktemp("levels")) as room:
        room.start_nats()
        room.enrol("table-07")
        yield room


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    journal = Journal(tmp_path / JOURNAL_FILE)
    journal.begin_run("boot", "1")
    journal.begin_session({"mode": "live"})
    journal.finish_hand()
    journal.append_note("call", {"wanted": True, "by": "in a hand that is on"})
    return journal


class MessagesBySubject(dict[str, list[bytes]]):
    """Subject -> what was said there."""

    async def wait_for_message(self, subject: str) -> bytes:
        ends = monotonic() + PATIENCE
        while monotonic() < ends:
            if subject in self:
                return self[subject][-1]
            await asyncio.sleep(0.02)
        raise AssertionError(f"nothing was said on {subject}: {sorted(self)}")


@asynccontextmanager
async def link_table(
    room: RealRoom, state: Path, level: str, *, asks: bool = False
) -> AsyncIterator[tuple[MessagesBySubject, Client, FakeTable]]:
    heard, table = MessagesBySubject(), FakeTable()
    hall = await brokers.connect(room.brokers(), "hall")
    await brokers.ensure_streams(hall.jetstream(timeout=PATIENCE), 1)

    async def hear(message: Msg) -> None:
        heard.setdefault(message.subject, []).append(message.data)
        if message.subject == make_topic_subject(
            "table-07", TableTopic.HEAD_REQUEST
        ):  # as an archive that has nothing of it
            await hall.publish(make_head_subject("table-07"), Head("").to_json())

    for subjects in ("room.*.*", "$KV.>"):
        await hall.subscribe(subjects, cb=hear)
    await hall.flush()
    uplink = Uplink(
        load_uplink_file(room.uplink_file("table-07", state, level, asks=asks)), table, LinkStatusFile(state)
    )
    running = asyncio.ensure_future(uplink.run())
    try:
        await heard.wait_for_message("room.table-07.health")
        yield heard, hall, table
    finally:
        uplink.stop()
        await asyncio.wait_for(running, PATIENCE)
        await hall.close()


@pytest.mark.usefixtures("journal")
def test_at_level_health_versions_counters_and_faults_leave_and_nothing_is_taken(
    room: RealRoom, tmp_path: Path
) -> None:
    async def story() -> None:
        async with link_table(room, tmp_path, "health") as (heard, hall, table):
            health = TableHealth.from_json(await heard.wait_for_message("room.table-07.health"))
            assert (health.is_up, health.fault_codes, health.raised_at_by_fault) == (
                True,
                ("device-lost",),
                {"device-lost": 1000.0},
            )
            assert health.version_by_component == {
                "program": "1.2.3",
                "rulebook": "roberts-7",
                "firmware:board": "1.0.0",
            }
            assert health.hash_by_component == {"program": "ab" * 32, "rulebook": "cd" * 32}
            assert health.last_update["result"] == "installed"
            assert health.free_bytes_by_disk.keys() == {"journal", "system"}
            with pytest.raises(NoRespondersError):
                await hall.request("room.do.table-07.enter", b"{}", timeout=PATIENCE)
            await asyncio.sleep(0.3)
            assert set(heard) == {"room.table-07.health"}
            said = b"".join(heard["room.table-07.health"])
            assert not [word for word in (b"holdem", b"Ann", b"seat", b"card", b"secret") if word in said]
            assert table.asked == []
            assert json.loads((tmp_path / STATUS_FILE_NAME).read_text())["since"] is None

    run_story(story)
    assert not (tmp_path / STATUS_FILE_NAME).exists(), "it goes with the uplink"


def test_after_the_hand_nothing_of_a_hand_that_is_on_leaves(room: RealRoom, journal: Journal, tmp_path: Path) -> None:
    async def story() -> None:
        async with link_table(room, tmp_path, "after-the-hand") as (heard, hall, _):
            first = await heard.wait_for_message("room.table-07.journal")
            assert first.count(b"\n") == journal.read_head()[0] - 1
            chain = journal.find_chain(journal.read_head()[0] - 1)
            head = Head(journal.journal_name, journal.read_head()[0] - 1, chain or "")
            await hall.publish(make_head_subject("table-07"), head.to_json())
            await asyncio.sleep(0.3)
            assert b"in a hand that is on" not in b"".join(heard["room.table-07.journal"])
            journal.finish_hand()
            ends = monotonic() + PATIENCE
            while monotonic() < ends:
                if b"in a hand that is on" in heard["room.table-07.journal"][-1]:
                    break
                await asyncio.sleep(0.02)
            assert b"in a hand that is on" in heard["room.table-07.journal"][-1], "and it leaves when the hand is over"
            with pytest.raises(NoRespondersError):
                await hall.request("room.do.table-07.enter", b"{}", timeout=PATIENCE)
            assert not {"room.table-07.state", "room.table-07.call", "$KV.state.table-07"} & set(heard)

    run_story(story)


@pytest.mark.usefixtures("journal")
def test_at_level_live_every_spectators_view_leaves_and_the_room_asks_where_it_may(
    room: RealRoom, tmp_path: Path
) -> None:
    async def story() -> None:
        async with link_table(room, tmp_path, "live", asks=True) as (heard, hall, table):
            state = json.loads(await heard.wait_for_message("room.table-07.state"))
            assert state == PUBLIC, "and nothing of the staff's"
            assert json.loads(await heard.wait_for_message("$KV.state.table-07")) == PUBLIC
            assert json.loads(await heard.wait_for_message("room.table-07.call"))["wanted"] is True
            assert b"in a hand that is on" in await heard.wait_for_message("room.table-07.journal")

            async def ask(verb: str, body: bytes) -> TableReply:
                return TableReply.from_json(
                    (await hall.request(f"room.do.table-07.{verb}", body, timeout=PATIENCE)).data
                )

            assert await ask("enter", b'{"line":"x"}') == TableReply(True, 7)
            assert await ask("enter", b'{"line":"wrong"}') == TableReply(
                False, None, "moved-on", "The table has moved on."
            )
            assert (await ask("shutdown", b"{}")).code == "bad-request"
            assert (await ask("enter", b"no object")).code == "bad-request"
            assert [verb for verb, _ in table.asked] == ["enter", "enter"]

    run_story(story)


@pytest.mark.usefixtures("journal")
def test_a_table_that_the_room_may_not_ask_says_so(room: RealRoom, tmp_path: Path) -> None:
    async def story() -> None:
        async with link_table(room, tmp_path, "live") as (_, hall, table):
            answer = TableReply.from_json((await hall.request("room.do.table-07.enter", b"{}", timeout=PATIENCE)).data)
            assert (answer.is_accepted, answer.code) == (False, "not-allowed")
            assert table.asked == []

    run_story(story)


@pytest.mark.usefixtures("journal")
def test_a_table_that_is_withdrawn_says_so_in_plain_words(
    room: RealRoom, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        async with link_table(room, tmp_path, "health"):
            said: dict[str, Any] = {}

            async def wait_for_status(true: Callable[[], bool]) -> bool:
                ends = monotonic() + PATIENCE
                while monotonic() < ends:
                    with suppress(FileNotFoundError):
                        said.update(json.loads((tmp_path / STATUS_FILE_NAME).read_text()))
                    if said and true():
                        return True
                    await asyncio.sleep(0.02)
                return False

            assert await wait_for_status(lambda: said["since"] is None)
            revoke_table(room.set_up, "table-07")
            assert reload_servers(room.set_up, room.store) == (), "the server is told"
            assert await wait_for_status(lambda: "does not admit this table" in said["why"]), said
            admit_table(room.set_up, "table-07")
            assert reload_servers(room.set_up, room.store) == ()
            assert await wait_for_status(lambda: said["since"] is None), "and goes on by itself"
        named = [one.getMessage() for one in caplog.records if "does not admit this table" in one.getMessage()]
        assert len(named) == 1, "the log says it, once, although the link was lost before that was known"

    try:
        run_story(story)
    finally:
        admit_table(room.set_up, "table-07")
        reload_servers(room.set_up, room.store)


def test_an_idle_table_that_is_cut_off_does_not_say_in_between_that_it_is_not(
    room: RealRoom, journal: Journal, tmp_path: Path
) -> None:
    journal.finish_hand()

    async def story() -> None:
        async with link_table(room, tmp_path, "after-the-hand") as (heard, hall, _):
            await heard.wait_for_message("room.table-07.journal")
            settled = journal.read_head()
            await hall.publish(make_head_subject("table-07"), Head(journal.journal_name, *settled).to_json())
            sinces: list[object] = []
            ends, left = monotonic() + PATIENCE, 100
            while left and monotonic() < ends:
                with suppress(FileNotFoundError):
                    sinces.append(json.loads((tmp_path / STATUS_FILE_NAME).read_text())["since"])
                if len(sinces) == 50:
                    revoke_table(room.set_up, "table-07")
                    reload_servers(room.set_up, room.store)
                if sinces and sinces[-1] is not None:
                    left -= 1  # it is away, and has a second to say otherwise
                await asyncio.sleep(0.01)
            assert sinces[0] is None, "nothing waits"
            assert len([since for before, since in pairwise(sinces) if since != before]) == 1, "once it is away"

    try:
        run_story(story)
    finally:
        admit_table(room.set_up, "table-07")
        reload_servers(room.set_up, room.store)
