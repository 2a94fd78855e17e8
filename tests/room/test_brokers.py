"""What whoever has one table's certificate can do at the room's servers: tell its own, and nothing of another's."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic

import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.js.api import KeyValueConfig, StreamConfig

from controller.room_contract.batch import Head
from controller.room_contract.subjects import (
    JOURNAL_STREAM,
    STATE_BUCKET,
    TableTopic,
    make_head_subject,
    make_topic_subject,
    make_wildcard_subject,
)
from room.archive import brokers
from room.server import nats_gateway as tables_module
from room.server.nats_gateway import NatsGateway
from tests.room.fake_tables import connect, trust
from tests.room.real_parts import HERE, PATIENCE, RealRoom, describe_missing_parts, run_story, wait_until

pytestmark = pytest.mark.skipif(bool(describe_missing_parts()), reason=describe_missing_parts())

OWN = [*(make_topic_subject("table-07", what) for what in TableTopic), f"$KV.{STATE_BUCKET}.table-07"]
OTHERS = [
    *(make_topic_subject("table-08", what) for what in TableTopic),
    *(f"$KV.{STATE_BUCKET}.table-08", make_head_subject("table-08"), "room.do.table-08.enter"),
]
BELIEVED = [
    {},
    {"Nats-Rollup": "all"},
    {"Nats-Rollup": "sub"},
    {"Nats-TTL": "1s"},
    {"Nats-Msg-Id": "same"},
    {"Nats-Expected-Last-Sequence": "9999"},
    {"Nats-Expected-Last-Subject-Sequence": "0", "Nats-Expected-Last-Subject-Sequence-Subject": "$KV.state.table-08"},
    {"Nats-Expected-Stream": "none"},
    {"KV-Operation": "PURGE", "Nats-Rollup": "all"},
    {"Nats-Incr": "+1"},
    {"Nats-Batch-Id": "b", "Nats-Batch-Sequence": "1", "Nats-Batch-Commit": "1"},
    {"Nats-Schedule": "@every 1s", "Nats-Schedule-Target": "room.table-08.state"},
    {"Nats-Schedule": "@at 2009-11-10T23:00:00Z", "Nats-Schedule-Target": "$KV.state.table-08"},
    {"Nats-Trace-Dest": "room.table-08.state"},
    {"Nats-Trace-Dest": "room.table-08.state", "Nats-Trace-Only": "true"},
]
"""Headers that a server does something by."""


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealRoom]:
    with RealRoom(tmp_path_factory.mktemp("brokers")) as room:
        room.start_nats()
        for table in ("table-07", "table-08"):
            room.enrol(table)
        yield room


async def wait_until_stored(hall: Client, stream: str, subject: str, body: bytes) -> None:
    """Wait until a stream has it."""
    js = hall.jetstream(timeout=PATIENCE)
    ends = monotonic() + PATIENCE
    while monotonic() < ends:
        with suppress(NatsError):
            if (await js.get_last_msg(stream, subject)).data == body:
                return
        await asyncio.sleep(0.02)
    raise AssertionError(f"{stream} has not {body!r} on {subject}")


def test_nothing_that_a_table_sends_lands_at_another(room: RealRoom) -> None:
    async def story() -> None:
        hall = await brokers.connect(room.brokers(), "hall")
        js = hall.jetstream(timeout=PATIENCE)
        await brokers.ensure_streams(js, 1)
        victim = await connect(room, "table-08")
        await victim.publish(f"$KV.{STATE_BUCKET}.table-08", b"as it stands")
        await wait_until_stored(hall, f"KV_{STATE_BUCKET}", f"$KV.{STATE_BUCKET}.table-08", b"as it stands")
        heard: list[Msg] = []

        async def hear(message: Msg) -> None:
            heard.append(message)

        for subject in OTHERS:
            await hall.subscribe(subject, cb=hear)
        await hall.flush()
        attacker = await connect(room, "table-07")
        for headers in BELIEVED:
            for subject in OWN:
                for reply in OTHERS:
                    await attacker.publish(subject, b"x", reply=reply, headers=headers)
        await attacker.publish(
            f"$JS.API.DIRECT.GET.KV_{STATE_BUCKET}.$KV.{STATE_BUCKET}.table-07", b"", reply=OTHERS[1]
        )
        await attacker.publish(make_topic_subject("table-07", TableTopic.JOURNAL), b"the last")
        await attacker.publish(f"$KV.{STATE_BUCKET}.table-07", b"the last")
        await wait_until_stored(hall, JOURNAL_STREAM, make_topic_subject("table-07", TableTopic.JOURNAL), b"the last")
        await wait_until_stored(hall, f"KV_{STATE_BUCKET}", f"$KV.{STATE_BUCKET}.table-07", b"the last")
        await hall.flush()
        assert [(message.subject, message.data[:80]) for message in heard] == []
        bucket = await js.key_value(STATE_BUCKET)
        assert (await bucket.get("table-08")).value == b"as it stands"
        kept = (await js.stream_info(JOURNAL_STREAM)).state
        assert kept.messages <= brokers.MAX_BATCHES_PER_TABLE, "whoever floods pushes out their own"
        for client in (attacker, victim, hall):
            await client.close()

    run_story(story)


def test_what_an_earlier_version_made_is_put_right(room: RealRoom) -> None:
    async def story() -> None:
        hall = await brokers.connect(room.brokers(), "hall")
        js = hall.jetstream(timeout=PATIENCE)
        for stream in (JOURNAL_STREAM, f"KV_{STATE_BUCKET}"):
            with suppress(NatsError):
                await js.delete_stream(stream)
        await js.add_stream(StreamConfig(name=JOURNAL_STREAM, subjects=["room.*.journal"], duplicate_window=2))
        await js.create_key_value(KeyValueConfig(STATE_BUCKET, history=1, max_value_size=1 << 19, direct=True))
        await hall.publish(f"$KV.{STATE_BUCKET}.table-08", b"as it stands")
        await wait_until_stored(hall, f"KV_{STATE_BUCKET}", f"$KV.{STATE_BUCKET}.table-08", b"as it stands")
        for _ in range(2):
            await brokers.ensure_streams(js, 1)
        for wanted in brokers.make_stream_configs(1):
            found = (await js.stream_info(wanted.name or "")).config
            assert found.no_ack
            assert not found.allow_rollup_hdrs
            assert (found.max_msgs_per_subject, found.max_msg_size, found.duplicate_window) == (
                wanted.max_msgs_per_subject, wanted.max_msg_size, wanted.duplicate_window,
            )  # fmt: skip
        assert (await (await js.key_value(STATE_BUCKET)).get("table-08")).value == b"as it stands", (
            "and nothing is lost"
        )
        await hall.close()

    run_story(story)


def test_the_archive_answers_on_the_tables_own_subject_and_asks_for_no_answer(room: RealRoom) -> None:
    room.start_database()
    room.start_archive()

    async def story() -> None:
        hall = await brokers.connect(room.brokers(), "hall")
        heard: asyncio.Queue[Msg] = asyncio.Queue()
        for subject in (*OTHERS, make_head_subject("table-07")):
            await hall.subscribe(subject, cb=heard.put)
        await hall.flush()
        attacker = await connect(room, "table-07")

        async def wait_for(is_wanted: Callable[[Head], bool], ask: Callable[[], Awaitable[None]] | None = None) -> None:
            """Hear answers until one is wanted, on the table's own subject all; others are to what was sent before."""
            async with asyncio.timeout(PATIENCE):
                while True:
                    if ask is not None:
                        await ask()
                    with suppress(TimeoutError):
                        told = await asyncio.wait_for(heard.get(), 0.1)
                        assert (told.subject, told.reply) == (make_head_subject("table-07"), "")
                        if is_wanted(Head.from_json(told.data)):
                            return

        async def ask_for_head() -> None:
            await attacker.publish(
                make_topic_subject("table-07", TableTopic.HEAD_REQUEST), reply=make_head_subject("table-08")
            )
            await attacker.flush()

        await wait_for(lambda head: head == Head(""), ask_for_head)
        await attacker.publish(
            make_topic_subject("table-07", TableTopic.JOURNAL), b"x", headers={"Room-Batch": "j:1-1"}
        )
        await wait_for(lambda head: "no record" in head.reason)
        for client in (attacker, hall):
            await client.close()

    run_story(story)
    room.kill("archive")


def test_no_table_is_a_route_of_the_servers(tmp_path_factory: pytest.TempPathFactory) -> None:
    with RealRoom(tmp_path_factory.mktemp("three"), 3) as room:
        room.start_nats()
        there = room.enrol("table-07")
        wait_until(
            lambda: any(
                "JetStream cluster new metadata leader" in line
                for line in (*room.read_log("nats-1"), *room.read_log("nats-2"), *room.read_log("nats-3"))
            ),
            "they are routes of each other",
        )

        def read_welcome(certificate: str, key: str) -> bytes:
            context = trust(there)
            context.check_hostname = False
            context.load_cert_chain(certificate, key)
            where = (HERE, room.nodes[0].cluster_port)
            with suppress(OSError), socket.create_connection(where, 5) as plain, context.wrap_socket(plain) as link:
                return link.recv(5)
            return b""

        assert read_welcome(str(room.set_up / "nats-2.crt"), str(room.set_up / "nats-2.key")) == b"INFO "
        assert read_welcome(str(there / "uplink.crt"), str(there / "uplink.key")) == b""


def test_tables_that_are_enrolled_while_three_servers_run_are_each_heard_and_answered(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Each connects at once, before every server has read of it: as a showroom's twelve do, and a real room's one."""
    names = [f"table-{number:02d}" for number in range(1, 13)]
    with RealRoom(tmp_path_factory.mktemp("twelve"), 3) as room:
        room.start_nats()
        room.start_database()
        room.start_archive()

        async def story() -> None:
            hall = await brokers.connect(room.brokers("server"), "hall")
            shown: set[str] = set()
            every = asyncio.Event()

            async def show(message: Msg) -> None:
                shown.add(message.subject.split(".")[1])
                if shown >= set(names):
                    every.set()

            await hall.subscribe(make_wildcard_subject(TableTopic.STATE), cb=show)
            await hall.flush()
            async with asyncio.TaskGroup() as group:
                for name in names:
                    await asyncio.to_thread(room.enrol, name)
                    group.create_task(at_table(name))
            async with asyncio.timeout(PATIENCE):
                await every.wait()
            kept = await hall.jetstream(timeout=5).key_value(STATE_BUCKET)
            assert [(await kept.get(name)).value for name in names] == [name.encode() for name in names]
            for name in names:
                assert (await hall.request(f"room.do.{name}.standing", b"{}", timeout=PATIENCE)).data == name.encode()
            ended.set()
            await hall.close()

        async def at_table(name: str) -> None:
            """As an uplink: tries until it is let in, tells until it is answered, and answers what it is asked."""
            heads: asyncio.Queue[Msg] = asyncio.Queue()

            async def answer(message: Msg) -> None:
                await message.respond(name.encode())

            table = await connect(room, name, max_reconnect_attempts=-1, reconnect_time_wait=0.1, error_cb=on_error)
            await table.subscribe(make_head_subject(name), cb=heads.put)
            await table.subscribe(f"room.do.{name}.*", cb=answer)
            async with asyncio.timeout(PATIENCE):
                while heads.empty():
                    await table.publish(make_topic_subject(name, TableTopic.STATE), name.encode())
                    await table.publish(f"$KV.{STATE_BUCKET}.{name}", name.encode())
                    await table.publish(make_topic_subject(name, TableTopic.HEAD_REQUEST))
                    await asyncio.sleep(0.2)
            tasks.append(asyncio.create_task(stay(table)))

        async def stay(table: Client) -> None:
            await ended.wait()
            await table.close()

        async def on_error(_: Exception) -> None:
            """A server that has not read of the table yet refuses it."""

        ended, tasks = asyncio.Event(), list[asyncio.Task[None]]()
        run_story(story)


def test_what_tables_told_last_is_read_up_to_a_bound(room: RealRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        hall = await brokers.connect(room.brokers(), "hall")
        await brokers.ensure_streams(hall.jetstream(timeout=PATIENCE), 1)
        for table, body in (("table-07", b"x" * 600), ("table-08", b"y" * 600), ("table-07", b"z" * (1 << 19))):
            await hall.publish(f"$KV.{STATE_BUCKET}.{table}", body)
        await wait_until_stored(hall, f"KV_{STATE_BUCKET}", f"$KV.{STATE_BUCKET}.table-08", b"y" * 600)
        tables = NatsGateway(room.brokers("server"))
        listening = asyncio.ensure_future(tables.listen(lambda *_: None))
        found: Mapping[str, bytes] = {}
        while not found:
            with suppress(ConnectionError):
                found = await tables.read_last_states()
            await asyncio.sleep(0.02)
        assert found == {"table-07": b"x" * 600, "table-08": b"y" * 600}, "a table's word of half a megabyte is none"
        monkeypatch.setattr(tables_module, "MAX_STATES_BYTES", 1000)
        assert len(await tables.read_last_states()) == 1
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
        await hall.close()

    run_story(story)


def test_servers_that_are_away_are_said_once_and_so_is_their_return(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with RealRoom(tmp_path / "room") as room:
        room.start_nats()

        async def story() -> None:
            failures = 0
            hall = await brokers.connect(room.brokers(), "hall")
            say = hall._error_cb  # how often the client tells its own

            async def on_error(why: Exception) -> None:
                nonlocal failures
                failures += 1
                await say(why)

            hall._error_cb = on_error
            caplog.clear()
            room.kill("nats-1")
            async with asyncio.timeout(PATIENCE):
                while failures < 3:
                    await asyncio.sleep(0.05)
            await asyncio.to_thread(room.start_nats)
            async with asyncio.timeout(PATIENCE):
                while not hall.is_connected:
                    await asyncio.sleep(0.05)
            await hall.close()

        run_story(story)
    said = [record.getMessage() for record in caplog.records if record.name == "room.archive.brokers"]
    assert len(said) == len(set(said)) <= 4, said
    assert said[-1] == "the servers of the room are reached again"
