"""Webhooks against a real HTTP server: signed, at least once, again after a failure, given up and seen."""

import base64
import hashlib
import hmac
import json
import socket
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from config.announcer_file import MAX_WEBHOOKS, WEBHOOK_EVENTS, WebhookSection
from controller.announcer import announcement_outbox as outbox_module
from controller.announcer.announcement_outbox import (
    MAX_SHOWN_FAILURES,
    MAX_WAITING_DELIVERIES,
    OUTBOX_FILE,
    AnnouncementOutbox,
)
from controller.announcer.announcement_sender import RETRY_DELAYS_S, AnnouncementSender
from controller.announcer.announcements import AnnouncerMark
from controller.webhooks.webhook_sender import MAX_REASON_LENGTH, RETRY_JITTER
from controller.webhooks.webhook_signature import sign_body
from tests.announcer.room import IDLE, KEY, RULING, Log, Receiver, StoodTable, announcing, hook, write_announcer_file

SECRET = base64.b64decode(KEY.removeprefix("whsec_"))


class Watch:
    def __init__(self) -> None:
        self.at = 1_800_000_000.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def outbox(tmp_path: Path) -> Iterator[AnnouncementOutbox]:
    box = AnnouncementOutbox(tmp_path / "state")
    yield box
    box.close()


@pytest.fixture
def pager(receiver: Receiver, outbox: AnnouncementOutbox, watch: Watch, tmp_path: Path) -> AnnouncementSender:
    section = WebhookSection("pager", f"{receiver.url}/hook", tmp_path / "key", frozenset(WEBHOOK_EVENTS))
    return AnnouncementSender(section, SECRET, outbox, watch)


def put(outbox: AnnouncementOutbox, *identities: str, at: float = 0.0) -> None:
    outbox.add_deliveries(
        AnnouncerMark(), [("pager", identity, b'{"type":"hand.over"}') for identity in identities], at
    )


def test_the_signature_is_that_of_the_specification() -> None:
    # The example of the Standard Webhooks libraries.
    body = b'{"test": 2432232314}'
    signature = sign_body(SECRET, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body)
    assert signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_whoever_wants_an_event_is_told_it_signed(tmp_path: Path, receiver: Receiver) -> None:
    stood = StoodTable()
    file = write_announcer_file(tmp_path, hook(receiver, "ruling.made", "hand.over"))
    with announcing(file, stood, now=lambda: 1_800_000_000.25):
        stood.show_state()
        stood.show_state(floor_called=True)
        stood.show_state(rulings=[RULING], ruled_in=12)
        ruling = receiver.next()
        stood.show_state(**IDLE)
        over = receiver.next()
    assert ruling.path == "/hook?table=3"
    assert json.loads(ruling.body) == {
        "type": "ruling.made",
        "timestamp": "2027-01-15T08:00:00.250Z",
        "data": {
            "table": {"id": "table-3", "name": "Table 3"}, "hand": 12, "game": "holdem", "rulebook": "roberts-7",
            "mode": "live", "finding": "exposed-card", "verdict": "replace", "seat": 3,
            "text": "The card is replaced.", "cite": ["R7-5.holdem.1"],
        },
    }  # fmt: skip
    signed = f"{ruling.identity}.{ruling.headers['webhook-timestamp']}.".encode() + ruling.body
    digest = base64.b64encode(hmac.new(SECRET, signed, hashlib.sha256).digest()).decode()
    assert ruling.headers["webhook-signature"] == f"v1,{digest}"
    assert ruling.headers["webhook-timestamp"] == "1800000000"
    assert ruling.headers["content-type"] == "application/json"
    assert (over.kind, over.identity == ruling.identity) == ("hand.over", False)


def test_what_failed_comes_again_under_its_identity_and_signed_anew(
    receiver: Receiver, outbox: AnnouncementOutbox, pager: AnnouncementSender, watch: Watch
) -> None:
    put(outbox, "msg_1")
    for failures, answer in enumerate((500, 302, None)):
        receiver.answers.put(answer)
        wait = pager.deliver_waiting()
        waiting = outbox.find_next_delivery("pager")
        assert waiting is not None
        shortest = RETRY_DELAYS_S[failures]
        assert shortest <= waiting.due_at - watch.at <= shortest * (1 + RETRY_JITTER)
        watch.at += wait - 0.01
        assert pager.deliver_waiting() > 0, "not before its time"
        while (left := outbox.find_next_delivery("pager").due_at - watch.at) > 0:  # type: ignore[union-attr]
            watch.at += left
    pager.deliver_waiting()
    came = [receiver.next() for _ in range(4)]
    assert {each.identity for each in came} == {"msg_1"}
    assert {each.path for each in came} == {"/hook"}, "a redirection is not followed"
    assert len({each.headers["webhook-signature"] for each in came}) == 4
    stands = outbox.read_status("pager")
    assert (stands.waiting_count, stands.delivered_count, stands.abandoned_count, stands.last_delivered_at) == (
        0,
        1,
        0,
        watch.at,
    )


def test_after_the_last_wait_it_is_given_up_and_seen(
    receiver: Receiver, outbox: AnnouncementOutbox, pager: AnnouncementSender, watch: Watch
) -> None:
    put(outbox, "msg_1")
    with Log() as log:
        for _ in range(len(RETRY_DELAYS_S) + 1):
            receiver.answers.put(503)
            pager.deliver_waiting()
            watch.at += 2 * max(RETRY_DELAYS_S)
        log.wait_for_line(f"pager: msg_1 is given up after {len(RETRY_DELAYS_S) + 1} attempts: it answered 503")
    stands = outbox.read_status("pager")
    assert (stands.waiting_count, stands.abandoned_count) == (0, 1)
    assert [(identity, reason) for identity, _, reason in stands.abandoned_deliveries] == [("msg_1", "it answered 503")]


def test_a_receiver_that_is_gone_ends_it_at_once(
    receiver: Receiver, outbox: AnnouncementOutbox, pager: AnnouncementSender
) -> None:
    put(outbox, "msg_1")
    receiver.answers.put(410)
    pager.deliver_waiting()
    assert outbox.read_status("pager").abandoned_deliveries[0][2] == "it answered 410"


def test_what_waits_outlasts_a_restart(tmp_path: Path, receiver: Receiver) -> None:
    file = write_announcer_file(tmp_path, hook(receiver, "hand.over", "floor.called"))
    first = StoodTable()
    receiver.answers.put(500)
    with announcing(file, first, waits=(1e6,)):
        first.show_state(hand=12)
        first.show_state(**IDLE, floor_called=False)
        before = receiver.next()
    again = StoodTable()
    with announcing(file, again, now=lambda: 2e9 * 2, waits=(1e6,)) as announcer:
        after = receiver.next()
        assert (after.identity, after.body) == (before.identity, before.body)
        again.show_state(**IDLE)
        again.show_state(**IDLE, floor_called=True)
        assert receiver.next().kind == "floor.called", "and the hand that was over is not told again"
        assert announcer.outbox.read_status("pager").abandoned_count == 0


def test_one_receiver_that_fails_holds_up_no_other(tmp_path: Path, receiver: Receiver) -> None:
    stood = StoodTable()
    dead = '[[webhook]]\nname = "dead"\nurl = "http://127.0.0.1:9/"\nsecret_file = "key"\nevents = ["floor.called"]'
    with announcing(write_announcer_file(tmp_path, dead, hook(receiver, "floor.called")), stood):
        stood.show_state()
        stood.show_state(floor_called=True)
        assert receiver.next().kind == "floor.called"


def test_the_queue_is_bounded_and_what_is_dropped_is_counted(outbox: AnnouncementOutbox) -> None:
    put(outbox, *(f"msg_{number}" for number in range(MAX_WAITING_DELIVERIES + 5)))
    stands = outbox.read_status("pager")
    assert (stands.waiting_count, stands.dropped_count) == (MAX_WAITING_DELIVERIES, 5)
    first = outbox.find_next_delivery("pager")
    assert first is not None
    assert first.identity == "msg_5", "the oldest went"
    assert MAX_WEBHOOKS * MAX_WAITING_DELIVERIES <= 10_000


def test_what_was_given_up_is_kept_in_bounds(outbox: AnnouncementOutbox) -> None:
    put(outbox, *(f"msg_{number}" for number in range(MAX_SHOWN_FAILURES + 3)))
    while (delivery := outbox.find_next_delivery("pager")) is not None:
        outbox.abandon(delivery, "x" * 10_000, 1.0)
    stands = outbox.read_status("pager")
    assert (stands.abandoned_count, len(stands.abandoned_deliveries)) == (MAX_SHOWN_FAILURES + 3, MAX_SHOWN_FAILURES)
    assert all(len(reason) == MAX_REASON_LENGTH for _, _, reason in stands.abandoned_deliveries)


@pytest.mark.parametrize("waits", [(), (5.0,)])
def test_what_a_receiver_says_stands_in_no_log_and_on_no_terminal(
    tmp_path: Path, tablectl: Callable[..., tuple[int, str, str]], watch: Watch, waits: tuple[float, ...]
) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        closing(AnnouncementOutbox(tmp_path / "state")) as outbox,
        Log() as log,
    ):
        far = Receiver(f"http://127.0.0.1:{server.getsockname()[1]}")
        file = write_announcer_file(tmp_path, hook(far))
        put(outbox, "msg_1")
        pager = AnnouncementSender(file.webhooks[0], SECRET, outbox, watch, waits)
        thread = threading.Thread(target=pager.deliver_waiting)
        thread.start()
        wire, _ = server.accept()
        with wire:
            wire.sendall(b"\x1b[2J\x1b]0;all is well\x07\x9b31m\r" + b"x" * 5000 + b"\r\n\r\n")
            thread.join()
        log.wait_for_line("BadStatusLine")
        _, said, _ = tablectl("announce", "status", "--config", file.path)
    assert "BadStatusLine" in said
    assert not any("all is well" in text for text in (said, *log.said))


def test_what_an_earlier_program_kept_is_shown_in_printable_characters(outbox: AnnouncementOutbox) -> None:
    put(outbox, "msg_1", "msg_2")
    for keep in (outbox.abandon, outbox.record_failed):
        delivery = outbox.find_next_delivery("pager")
        assert delivery is not None
        keep(delivery, "\x1b[2Jno", 1.0)
    stands = outbox.read_status("pager")
    assert (stands.last_failure, stands.abandoned_deliveries[0][2]) == ("[2Jno", "[2Jno")


def test_a_clock_that_was_put_back_holds_nothing_up_for_a_year(
    receiver: Receiver, outbox: AnnouncementOutbox, pager: AnnouncementSender, watch: Watch
) -> None:
    put(outbox, "msg_1", at=watch.at + 365 * 86400)
    pager.deliver_waiting()
    assert receiver.next().identity == "msg_1"


@pytest.mark.parametrize("schema", [False, True], ids=["no database", "a schema that is no text"])
def test_a_damaged_outbox_is_put_aside_and_said(tmp_path: Path, schema: bool) -> None:
    AnnouncementOutbox(tmp_path).close()
    whole = (tmp_path / OUTBOX_FILE).read_bytes()
    spoilt = whole.replace(b"CREATE TABLE", b"CREATE \xff\xfeBLE") if schema else b"no database " * 500
    assert spoilt != whole
    (tmp_path / OUTBOX_FILE).write_bytes(spoilt)
    with Log() as log:
        AnnouncementOutbox(tmp_path).close()
        log.wait_for_line("is damaged and put aside")
    assert (tmp_path / "announcer.damaged").exists()
    AnnouncementOutbox(tmp_path).close()


def test_a_full_disk_loses_no_event(tmp_path: Path, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    whole: Callable[..., None] = outbox_module.AnnouncementOutbox.add_deliveries
    full = threading.Event()

    def put_or_fail(self: AnnouncementOutbox, *told: object) -> None:
        if full.is_set():
            full.clear()
            raise sqlite3.OperationalError("database or disk is full")
        whole(self, *told)

    monkeypatch.setattr(outbox_module.AnnouncementOutbox, "add_deliveries", put_or_fail)
    stood = StoodTable()
    with Log() as log, announcing(write_announcer_file(tmp_path, hook(receiver, "floor.called", "hand.over")), stood):
        stood.show_state()
        stood.show_state(**IDLE)
        assert receiver.next().kind == "hand.over"
        full.set()
        stood.show_state(**IDLE, floor_called=True)
        log.wait_for_line("cannot be written: database or disk is full")
        stood.show_state(**IDLE, floor_called=True, number=8)
        assert receiver.next().kind == "floor.called"
