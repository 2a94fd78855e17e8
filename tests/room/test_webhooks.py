"""Webhooks of the room, with a real PostgreSQL and a real receiver that fails: nothing is lost or out of order."""

import base64
import json
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest

from config.announcer_file import WebhookSection, read_webhook_key
from config.config_error import ConfigError
from controller.webhooks.webhook_sender import post_event
from room.record import webhook_outbox as outbox_module
from room.record.postgres_record import PostgresRecord, ReconnectingDatabase, connect_database
from room.record.webhook_message import MESSAGE_TYPES, TYPE_AND_KEYS_BY_KIND
from room.record.webhook_outbox import (
    LINES_PER_READ,
    MAX_AGE_S,
    WebhookOutbox,
    WebhookStatus,
    delete_other_webhooks,
    read_statuses,
    retry_webhook,
)
from room.room_file import load_room_file
from room.server import record_sender as sender_module
from room.server.record_sender import (
    MAX_TRIES,
    MIN_POLL_INTERVAL_S,
    POLL_REST_FACTOR,
    RETRY_DELAYS_S,
    TEMPORARY_STATUSES,
    RecordSender,
)
from tests.announcer.room import KEY, ReceivedRequest, Receiver, free_port, receiving, secret
from tests.docs.test_commands_and_links import ROOT
from tests.room.real_parts import describe_missing_parts
from tests.room.test_room_file import SHORT_FILE

Database = psycopg.Connection[tuple[Any, ...]]

needs_postgres = pytest.mark.skipif(bool(describe_missing_parts()), reason=describe_missing_parts())

NOW = 1_800_000_000.0
HOUR = 3600.0
SECRET = base64.b64decode(KEY.removeprefix("whsec_"))


GARBLED = (
    b"", b"all is well, Ana\r\n\r\n", b"HTTP/1.1 2\r\n\r\n", b"HTTP/1.1 200", b"HTTP/1.1 200 OK\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n", b"HTTP/1.1 200 OK\r\n" + 200 * b"X: y\r\n", 70_000 * b"x",
)  # fmt: skip
"""Answers that are none, or that were cut short."""


class WebhookRoom:
    """A room's record, and one webhook of all its types; the time is the test's."""

    def __init__(self, where: str, url: str) -> None:
        self.where = where
        self.database = connect_database(where)
        self.database.execute("TRUNCATE line, webhook, webhook_told, webhook_aside")
        self.record = PostgresRecord(self.database)
        self.now = NOW
        self.url = url
        self.begin()

    def begin(self) -> None:
        """The server starts, and looks; PostgreSQL may see a moment later that the one before has ended."""
        self.hook = self.server()
        while not self.hook.is_sender:
            self.hook.deliver_waiting()

    def server(self) -> RecordSender:
        """A server of the room, which has not looked yet."""
        section = WebhookSection("books", f"{self.url}/hook", Path("key"), frozenset(MESSAGE_TYPES))
        return RecordSender(section, SECRET, "The room", self.where, lambda: self.now)

    @property
    def standing(self) -> WebhookStatus:
        return read_statuses(self.database, ["books"])["books"]

    def enters(self, stream: str, at: float = NOW, by: str = "Bo", **what: Any) -> None:  # noqa: ANN401 - JSON
        row = self.database.execute("SELECT max(number) FROM line WHERE stream = %s", (stream,)).fetchone()
        self.record.append(stream, (row and row[0]) or 0, at, by, what)

    def waits(self, number: int) -> None:
        """Players pay, one second after the other."""
        for player in range(number):
            self.enters("event:1", NOW + player, do="pay", player=f"player {player}")

    def close(self) -> None:
        self.hook.close()
        self.database.close()


@pytest.fixture
def webhook_room(conninfo: str, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> Iterator[WebhookRoom]:
    monkeypatch.setattr(sender_module, "POLL_REST_FACTOR", 0)  # a machine that others use too is slow at times
    made = WebhookRoom(conninfo, receiver.url)
    yield made
    made.close()


def take_arrivals(receiver: Receiver) -> list[ReceivedRequest]:
    found = []
    while not receiver.arrived.empty():
        found.append(receiver.arrived.get())
    return found


def players(receiver: Receiver) -> list[str]:
    return [json.loads(one.body)["data"]["player"] for one in take_arrivals(receiver)]


def by_openssl(signed: bytes) -> str:
    """What a program that is not ours makes of it with the same key."""
    command = ["openssl", "dgst", "-sha256", "-mac", "HMAC", "-macopt", f"hexkey:{SECRET.hex()}", "-binary"]
    done = subprocess.run(command, input=signed, capture_output=True, check=True)
    return base64.b64encode(done.stdout).decode()


@needs_postgres
@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl to check the signature")
def test_what_the_room_enters_is_told_in_order_signed_as_documented(
    webhook_room: WebhookRoom, receiver: Receiver
) -> None:
    webhook_room.enters("event:1", NOW, do="register", player="Ana")
    webhook_room.enters("calls", NOW + 1, by="table-04", do="called", table="table-04")
    webhook_room.enters("event:1", NOW + 2, do="rebuy", player="Ana", amount=100, seat=["table-07", 3], draw=[1, 2])
    webhook_room.enters("calls", NOW + 3, do="take", call=1)
    webhook_room.enters("event:1", NOW + 4, do="asked", duty=1)
    webhook_room.enters("waiting:2027-01-15", NOW + 5, do="open", table="table-04", list="1/3 NL", main="table-01")
    webhook_room.enters("waiting:2027-01-15", NOW + 6, by="room", do="chairs", table="table-04", places=9, taken=[])
    assert webhook_room.hook.deliver_waiting() == MIN_POLL_INTERVAL_S
    found = take_arrivals(receiver)
    assert [one.identity for one in found] == ["event:1:1", "calls:1", "event:1:2", "calls:2", "waiting:2027-01-15:1"]
    assert json.loads(found[2].body) == {
        "id": "event:1:2", "type": "event.rebuy", "timestamp": "2027-01-15T08:00:02.000Z",
        "data": {"room": "The room", "by": "Bo", "event": "1", "player": "Ana", "amount": 100, "table": "table-07",
                 "seat": 3},
    }  # fmt: skip
    assert json.loads(found[3].body)["data"] == {"room": "The room", "by": "Bo", "call": 1, "table": "table-04"}
    for one in found:
        signed = f"{one.identity}.{one.headers['webhook-timestamp']}.".encode() + one.body
        assert one.headers["webhook-signature"] == f"v1,{by_openssl(signed)}"
    webhook_room.hook.deliver_waiting()
    assert take_arrivals(receiver) == []


@needs_postgres
def test_of_high_hands_the_confirmed_one_alone_is_told(webhook_room: WebhookRoom, receiver: Receiver) -> None:
    hand: dict[str, Any] = {
        "promotion": "late",
        "table": "table-04",
        "hand": 7,
        "player": "Ana",
        "board": ["Ac", "Ks", "Kd"],
    }
    for seat, own in ((3, ["Ah", "Ad"]), (4, ["2h", "2d"])):
        webhook_room.enters("high-hands:2027-01-15", do="tabled", key="a1 1 7", seat=seat, own=own, **hand)
    webhook_room.enters("high-hands:2027-01-15", do="confirm", promotion="late", number=1)
    webhook_room.enters("high-hands:2027-01-15", do="refuse", promotion="late", number=2, why="not at the table")
    webhook_room.hook.deliver_waiting()
    (one,) = take_arrivals(receiver)
    data = {"room": "The room", "by": "Bo", **hand, "seat": 3, "own": ["Ah", "Ad"]}
    assert json.loads(one.body)["data"] == data
    assert b"2h" not in one.body


@needs_postgres
def test_a_call_ends_once_whether_a_person_or_the_table_says_so(webhook_room: WebhookRoom, receiver: Receiver) -> None:
    for do in ("called", "came", "came", "called"):
        webhook_room.enters("calls", by="table-04", do=do, table="table-04")
    webhook_room.enters("calls", do="done", call=4)
    webhook_room.enters("calls", by="table-04", do="came", table="table-04")  # its lamp goes out
    webhook_room.hook.deliver_waiting()
    types = [(one.kind, json.loads(one.body)["data"]["call"]) for one in take_arrivals(receiver)]
    assert types == [("call.made", 1), ("call.done", 1), ("call.made", 4), ("call.done", 4)]


@needs_postgres
@pytest.mark.parametrize("slow", [None, 500, 503, 302, *TEMPORARY_STATUSES, *GARBLED])
def test_what_fails_holds_up_what_follows_and_is_told_again_as_the_same_message(
    webhook_room: WebhookRoom, receiver: Receiver, slow: int | bytes | None, caplog: pytest.LogCaptureFixture
) -> None:
    webhook_room.waits(3)
    receiver.answers.put(200)
    for number in range(MAX_TRIES + 1):
        receiver.answers.put(slow)
        assert webhook_room.hook.deliver_waiting() == RETRY_DELAYS_S[number], "it is set aside after no number of tries"
    assert (webhook_room.standing.failure, webhook_room.standing.waiting_count) == (webhook_room.hook.failure, 2)
    assert webhook_room.hook.failure
    assert not webhook_room.standing.needs_attention
    assert webhook_room.hook.deliver_waiting() == MIN_POLL_INTERVAL_S
    found = take_arrivals(receiver)
    again = (MAX_TRIES + 2) * ("event:1:2",)
    assert [one.identity for one in found] == ["event:1:1", *again, "event:1:3"]
    assert {one.path for one in found} == {"/hook"}, "no redirection is followed"
    assert found[1].body == found[2].body
    assert (
        webhook_room.standing.failure,
        webhook_room.standing.waiting_count,
        webhook_room.standing.last_delivered_at,
    ) == ("", 0, NOW)
    assert "Ana" not in caplog.text, "nothing that a receiver says stands in the log"


@needs_postgres
def test_a_receiver_that_says_nothing_is_left_in_time(
    webhook_room: WebhookRoom, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RecordSender, "response_timeout_s", 0.3)
    webhook_room.waits(2)
    silent = threading.Event()
    receiver.answers.put(silent)
    assert webhook_room.hook.deliver_waiting() == RETRY_DELAYS_S[0]
    assert webhook_room.standing.failure == "timed out"
    silent.set()
    webhook_room.hook.deliver_waiting()
    assert players(receiver) == ["player 0", "player 0", "player 1"]


@needs_postgres
def test_the_waits_grow_and_begin_anew_with_what_is_taken(webhook_room: WebhookRoom, receiver: Receiver) -> None:
    webhook_room.waits(2)
    for _ in range(12):
        receiver.answers.put(503)
    waits = [webhook_room.hook.deliver_waiting() for _ in range(12)]
    assert waits == [*RETRY_DELAYS_S, 600.0, 600.0]
    for answer in (200, 503):
        receiver.answers.put(answer)
    assert webhook_room.hook.deliver_waiting() == RETRY_DELAYS_S[0]


@needs_postgres
@pytest.mark.parametrize("status", [400, 401, 404, 422])
def test_what_is_refused_is_set_aside_after_a_few_tries_and_told_again_on_a_word(
    webhook_room: WebhookRoom, receiver: Receiver, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    webhook_room.waits(4)
    for answer in (200, *MAX_TRIES * (status,)):
        receiver.answers.put(answer)
    assert [webhook_room.hook.deliver_waiting() for _ in range(MAX_TRIES)] == [
        *RETRY_DELAYS_S[: MAX_TRIES - 1],
        MIN_POLL_INTERVAL_S,
    ]
    assert players(receiver) == ["player 0", *MAX_TRIES * ("player 1",), "player 2", "player 3"]
    assert (
        webhook_room.standing.set_aside_count,
        webhook_room.standing.needs_attention,
        webhook_room.standing.failure,
    ) == (1, True, "")
    assert webhook_room.standing.refusals == (("event:1:2", f"it answered {status}"),)
    assert f"webhook books refuses event:1:2, answering {status}: it is set aside" in caplog.text
    assert "player" not in caplog.text
    webhook_room.hook.close()
    webhook_room.begin()
    assert players(receiver) == [], "it waits for a person, over a restart too"
    assert retry_webhook(webhook_room.database, "books")
    webhook_room.waits(1)
    webhook_room.hook.deliver_waiting()
    webhook_room.hook.deliver_waiting()
    assert [one.identity for one in take_arrivals(receiver)] == ["event:1:2", "event:1:5"], (
        "what was refused comes first"
    )
    assert not webhook_room.standing.needs_attention


@needs_postgres
def test_who_refuses_everything_is_held_up_and_loses_nothing(
    webhook_room: WebhookRoom, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox_module, "MAX_SET_ASIDE", 2)
    webhook_room.hook.close()
    webhook_room.begin()
    webhook_room.waits(5)
    for _ in range(4 * MAX_TRIES):
        receiver.answers.put(401)
    for _ in range(4 * MAX_TRIES - 2):  # two are set aside, and each time the next is tried in the same step
        webhook_room.hook.deliver_waiting()
    assert set(players(receiver)) == {"player 0", "player 1", "player 2"}
    assert (webhook_room.standing.set_aside_count, webhook_room.standing.waiting_count) == (2, 3)
    assert "player" not in webhook_room.standing.failure
    assert retry_webhook(webhook_room.database, "books")
    webhook_room.hook.deliver_waiting()
    webhook_room.hook.deliver_waiting()
    assert players(receiver) == [f"player {number}" for number in range(5)], "in order, as if nothing had been"


@needs_postgres
def test_who_wants_no_more_is_told_no_more_until_somebody_says_so(
    webhook_room: WebhookRoom, receiver: Receiver, caplog: pytest.LogCaptureFixture
) -> None:
    webhook_room.waits(3)
    for answer in (200, 410):
        receiver.answers.put(answer)
    webhook_room.hook.deliver_waiting()
    assert webhook_room.hook.deliver_waiting() == MIN_POLL_INTERVAL_S
    webhook_room.hook.close()
    webhook_room.begin()
    assert players(receiver) == ["player 0", "player 1"], "nothing more, over a restart too"
    assert (
        webhook_room.standing.has_ended,
        webhook_room.standing.waiting_count,
        webhook_room.standing.needs_attention,
    ) == (True, 2, True)
    assert caplog.text.count("webhook books has ended until somebody has it told again") == 1
    webhook_room.now += MAX_AGE_S + 1.5  # and what is too old is given up meanwhile, so that what waits is bounded
    webhook_room.hook.deliver_waiting()
    assert (webhook_room.standing.waiting_count, webhook_room.standing.abandoned_count) == (1, 1)
    assert retry_webhook(webhook_room.database, "books")
    webhook_room.hook.deliver_waiting()
    assert players(receiver) == ["player 2"]
    assert webhook_room.standing == WebhookStatus("books", last_delivered_at=webhook_room.now)


@needs_postgres
def test_of_two_servers_one_tells_and_the_other_goes_on_when_it_ends(
    webhook_room: WebhookRoom, receiver: Receiver
) -> None:
    other = webhook_room.server()
    webhook_room.waits(2)
    assert other.deliver_waiting() == MIN_POLL_INTERVAL_S
    assert take_arrivals(receiver) == []
    delete_other_webhooks(webhook_room.database, [])  # a server with another file begins
    webhook_room.hook.deliver_waiting()
    assert players(receiver) == ["player 0", "player 1"]
    webhook_room.waits(2)
    webhook_room.hook.close()
    while not other.is_sender:
        other.deliver_waiting()
    assert players(receiver) == ["player 0", "player 1"]
    webhook_room.hook.deliver_waiting()
    webhook_room.waits(1)
    webhook_room.hook.deliver_waiting()
    assert (webhook_room.hook.is_sender, other.is_sender, take_arrivals(receiver)) == (False, True, [])
    other.close()


@needs_postgres
def test_of_two_servers_that_begin_at_once_each_message_is_told_by_one(
    webhook_room: WebhookRoom, receiver: Receiver
) -> None:
    webhook_room.hook.close()
    servers = [webhook_room.server() for _ in range(2)]
    webhook_room.waits(40)

    def steps(server: RecordSender) -> None:
        for _ in range(3):
            server.deliver_waiting()

    threads = [threading.Thread(target=steps, args=(server,)) for server in servers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert players(receiver) == [f"player {number}" for number in range(40)]
    for server in servers:
        server.close()


SERVER = """
import sys, time
from functools import partial
from pathlib import Path
from config.announcer_file import WebhookSection
from room.record.webhook_message import MESSAGE_TYPES
from room.server.record_sender import RecordSender
where, url, key = sys.argv[1:]
section = WebhookSection("books", url, Path("key"), frozenset(MESSAGE_TYPES))
RecordSender(section, bytes.fromhex(key), "The room", where, time.time).run()
"""


@needs_postgres
def test_a_server_that_is_killed_before_it_noted_a_delivery_tells_the_same_message_again(
    webhook_room: WebhookRoom, receiver: Receiver
) -> None:
    webhook_room.hook.close()
    webhook_room.now = time.time()
    silent = threading.Event()
    for answer in (200, silent):
        receiver.answers.put(answer)
    for player in range(3):
        webhook_room.enters("event:1", webhook_room.now + player, do="pay", player=f"player {player}")
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER, webhook_room.where, f"{webhook_room.url}/hook", SECRET.hex()]
    )
    first, second = receiver.next(), receiver.next()
    server.kill()
    server.wait()
    silent.set()
    webhook_room.begin()
    found = take_arrivals(receiver)
    assert [one.identity for one in (first, second, *found)] == ["event:1:1", "event:1:2", "event:1:2", "event:1:3"]
    assert found[0].body == second.body


@needs_postgres
def test_a_receiver_that_is_not_there_is_told_when_it_comes_back(conninfo: str) -> None:
    port = free_port()
    told = WebhookRoom(conninfo, f"http://127.0.0.1:{port}")
    told.waits(3)
    assert told.hook.deliver_waiting() == RETRY_DELAYS_S[0]
    with receiving(port) as receiver:
        told.hook.deliver_waiting()
        assert players(receiver) == ["player 0", "player 1", "player 2"]
    told.close()


@needs_postgres
def test_a_restart_tells_again_nothing_that_was_taken(webhook_room: WebhookRoom, receiver: Receiver) -> None:
    webhook_room.waits(3)
    for answer in (200, 200, 500):
        receiver.answers.put(answer)
    webhook_room.hook.deliver_waiting()
    assert players(receiver) == ["player 0", "player 1", "player 2"]
    webhook_room.hook.close()
    webhook_room.begin()
    assert players(receiver) == ["player 2"]


@needs_postgres
def test_a_database_that_was_lost_is_opened_anew(webhook_room: WebhookRoom, receiver: Receiver) -> None:
    webhook_room.waits(1)
    webhook_room.database.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
    )
    assert webhook_room.hook.deliver_waiting() == RETRY_DELAYS_S[0]
    assert "cannot be read" in webhook_room.hook.failure
    webhook_room.hook.deliver_waiting()
    assert players(receiver) == ["player 0"]


@needs_postgres
def test_a_database_in_which_something_failed_is_opened_anew(conninfo: str) -> None:
    database = ReconnectingDatabase(conninfo)

    def read_pid(connection: Database) -> object:
        return connection.execute("SELECT pg_backend_pid()").fetchone()

    before = database.run(read_pid)
    assert database.run(read_pid) == before
    with pytest.raises(ConnectionError, match=r"the room's database does not answer \(DivisionByZero\)"):
        database.run(lambda connection: connection.execute("SELECT 1 / 0"))
    assert database.run(read_pid) != before
    database.close()


@needs_postgres
def test_one_that_is_new_begins_now_and_one_that_was_taken_out_is_new_again(
    webhook_room: WebhookRoom, receiver: Receiver
) -> None:
    webhook_room.waits(2)
    webhook_room.hook.close()
    while read_statuses(webhook_room.database, ["books"]):
        delete_other_webhooks(webhook_room.database, [])
    webhook_room.begin()
    webhook_room.enters("event:2", do="register", player="Ana")
    webhook_room.hook.deliver_waiting()
    assert players(receiver) == ["Ana"]
    assert webhook_room.database.execute("SELECT count(*) FROM webhook_told").fetchone() == (2,), "one a stream"


@needs_postgres
def test_what_is_too_old_or_too_much_is_given_up_and_said(
    webhook_room: WebhookRoom, receiver: Receiver, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    webhook_room.waits(4)
    webhook_room.now = NOW + MAX_AGE_S + 1.5  # players 0 and 1 are too old
    webhook_room.hook.deliver_waiting()
    assert players(receiver) == ["player 2", "player 3"]
    assert webhook_room.standing.abandoned_count == 2
    assert "2 messages were given up" in caplog.text
    monkeypatch.setattr(outbox_module, "MAX_WAITING_MESSAGES", 3)
    webhook_room.hook.close()
    webhook_room.begin()
    assert webhook_room.standing.abandoned_count == 2, "counted over a restart, and not said again"
    assert caplog.text.count("given up") == 1
    for player in range(5):
        webhook_room.enters("event:2", webhook_room.now, do="pay", player=f"player {player}")
    webhook_room.hook.deliver_waiting()
    assert players(receiver) == ["player 2", "player 3", "player 4"]
    assert webhook_room.standing.abandoned_count == 4


@needs_postgres
def test_of_a_long_stream_nothing_is_overtaken_by_another(webhook_room: WebhookRoom) -> None:
    with webhook_room.database.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO line VALUES ('event:1', %s, %s, 'Bo', %s)",
            [(n, NOW + n, json.dumps({"do": "pay", "player": "p"})) for n in range(1, 2 * LINES_PER_READ + 1)],
        )
    webhook_room.enters("calls", NOW + LINES_PER_READ + 10.5, by="table-04", do="called", table="table-04")
    webhook_room.enters("event:2", NOW + 50, do="pay", player="q")
    webhook_room.enters("event:2", NOW + 3, do="pay", player="a clock was put back")
    with connect_database(webhook_room.where) as connection:
        outbox = WebhookOutbox(connection, "books", frozenset(MESSAGE_TYPES))
        order = []
        while messages := outbox.read_next_messages():
            order += [message.identity for message in messages]
            for message in messages:
                outbox.record_delivered(message, NOW)
    assert len(order) == len(set(order)) == 2 * LINES_PER_READ + 3
    assert order.index("calls:1") == order.index(f"event:1:{LINES_PER_READ + 10}") + 1
    assert order.index("event:2:2") == order.index("event:2:1") + 1


@needs_postgres
def test_a_record_of_many_streams_is_looked_at_less_often(
    webhook_room: WebhookRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender_module, "POLL_REST_FACTOR", POLL_REST_FACTOR)
    for took, wait in ((0.001, MIN_POLL_INTERVAL_S), (0.1, 5.0), (3.0, 10.0)):
        clock = iter((0.0, took))
        monkeypatch.setattr("time.monotonic", partial(next, clock, 0.0))
        assert webhook_room.hook.deliver_waiting() == wait


@pytest.mark.parametrize(
    ("scheme", "begins"), [("http", b"HTTP/1.1 200 "), ("https", b"\x16\x03\x03\x40\x00\x02\x00\x3f\xfc\x03\x03")]
)
def test_an_answer_that_comes_byte_by_byte_is_given_up_in_time(scheme: str, begins: bytes) -> None:
    over = threading.Event()

    def drip(server: socket.socket) -> None:
        wire, _ = server.accept()
        with wire:
            wire.sendall(begins)
            with suppress(OSError):
                while not over.wait(0.05):
                    wire.sendall(b"x")

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=drip, args=(server,), daemon=True)
        thread.start()
        try:
            with pytest.raises(TimeoutError):
                post_event(f"{scheme}://127.0.0.1:{server.getsockname()[1]}/", SECRET, "id", b"{}", 1, "test", 0.3)
        finally:
            over.set()


HOOK = '[webhooks.books]\nurl = "https://books.example/hook"\nsecret_file = "key"\nevents = ["event.paid"]\n'


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (
            HOOK.replace("https", "http"),
            r"webhooks\.books\.url: goes over a network without TLS: https, or plain",
        ),
        (HOOK.replace("https://books.example", "http://169.254.169.254"), r"goes over a network without TLS"),
        (HOOK.replace("https://books.example", "ftp://x"), r"must be an address such as"),
        (HOOK.replace("https://", "https://me:pass@"), r"must hold no user and no password"),
        (HOOK.replace("event.paid", "paid"), r"there is no event 'paid'; there are event\.registered, "),
        (HOOK.replace('["event.paid"]', "[]"), r"must be a list of event.registered, .*, not \[\]"),
        (HOOK.replace("books]", '"Back office"]'), r"must be named with a-z, 0-9 and -"),
        (HOOK + "body = true\n", r"is unknown here; known: url, secret_file, events, plain"),
        ("".join(HOOK.replace("books]", f"b{n}]") for n in range(9)), r"webhooks: are 8 at most, not 9"),
    ],
)
def test_a_webhook_that_cannot_be_is_refused_with_its_place(tmp_path: Path, changed: str, said: str) -> None:
    (tmp_path / "room.toml").write_text(SHORT_FILE + changed)
    with pytest.raises(ConfigError, match=said):
        load_room_file(tmp_path / "room.toml")


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/", "http://[::1]:9/hook", "https://books.example/hook"])
def test_its_key_is_read_by_the_server_alone_and_must_be_one(tmp_path: Path, url: str) -> None:
    (tmp_path / "room.toml").write_text(SHORT_FILE + HOOK.replace("https://books.example/hook", url))
    file = load_room_file(tmp_path / "room.toml")
    with pytest.raises(ConfigError, match=r"room\.toml:10: webhooks\.books\.secret_file: .*key cannot be read"):
        file.read_webhook_key(file.webhooks[0])
    secret(tmp_path / "key", KEY)
    assert file.read_webhook_key(file.webhooks[0]) == read_webhook_key(tmp_path / "key") == SECRET


def test_the_page_has_each_type_and_an_example_of_one() -> None:
    text = (ROOT / "docs" / "room.md").read_text()
    section = text[text.index("## Webhooks") :]
    rows = [line.split("`")[1] for line in section.splitlines() if line.startswith("| `")]
    assert sorted(rows) == sorted(MESSAGE_TYPES)
    example = json.loads(section.split("```json\n")[1].split("```")[0])
    assert example["type"] in MESSAGE_TYPES
    keys = next(keys for name, keys in TYPE_AND_KEYS_BY_KIND.values() if name == example["type"])
    assert set(example["data"]) == {"room", "by", *keys, "event", "table"}
    assert example["id"].startswith(f"event:{example['data']['event']}:")
