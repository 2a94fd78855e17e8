"""The page of the webhooks: who sees how each stands, who has it told again, and what it looks like."""

import asyncio
import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from config.announcer_file import WebhookSection
from config.config_error import ConfigError
from room.record.postgres_record import connect_database
from room.record.webhook_outbox import WebhookStatus
from room.server.app import make_app
from room.server.pages.webhooks_page import WebhooksPage
from room.server.record_sender import RecordSender
from tests.announcer.room import KEY, Receiver, secret
from tests.room.real_parts import RealRoom, describe_missing_parts, wait_until
from tests.room.server.conftest import SIZES
from tests.room.server.house import House
from tests.room.server.served import ServedRoom
from tests.room.server.test_desk_in_a_browser import looks_whole

if TYPE_CHECKING:
    from playwright.sync_api import Page

needs_postgres = pytest.mark.skipif(bool(describe_missing_parts()), reason=describe_missing_parts())

SECRET_PATH = "/hook-of-the-books"


@pytest.fixture
def conninfo(tmp_path: Path) -> Iterator[str]:
    with RealRoom(tmp_path / "r") as real:
        real.start_database()
        yield real.database


def with_hooks(house: House, folder: Path, where: str, url: str) -> WebhooksPage:
    """The page of a room whose file has a webhook."""
    key = secret(folder / "key", KEY)
    section = WebhookSection("accounting", f"{url}{SECRET_PATH}", key, frozenset({"call.made"}))
    house.room.file = replace(house.room.file, webhooks=(section,), conninfo=where)
    return WebhooksPage(house.room)


def read_webhook_status(house: House) -> dict[str, Any]:
    found: dict[str, Any] = house.room.hub.read_values("webhooks").get("accounting", {})
    return found


def enter_call(where: str, number: int, at: float) -> None:
    with connect_database(where) as database:
        told = json.dumps({"do": "called", "table": "table-04"})
        database.execute("INSERT INTO line VALUES ('calls', %s, %s, 'table-04', %s)", (number, at, told))


@needs_postgres
def test_floor_and_technicians_see_what_was_refused_and_have_it_told_again(
    room: ServedRoom, conninfo: str, receiver: Receiver, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    page = with_hooks(room, tmp_path, conninfo, receiver.url)
    room.app = make_app(room.room, ["127.0.0.1"], [page])
    task = room.begin(page.run)
    wait_until(lambda: read_webhook_status(room).get("failing") == "" and page._senders[0].is_sender, "it is begun")
    receiver.answers.put(410)
    enter_call(conninfo, 1, room.room.wall_clock())
    wait_until(lambda: read_webhook_status(room)["alarm"], "it has ended")
    assert (read_webhook_status(room)["ended"], read_webhook_status(room)["host"]) == (True, "127.0.0.1")
    assert SECRET_PATH not in json.dumps(room.room.hub.read_values("webhooks")) + caplog.text
    wish = {"name": "accounting"}
    assert room.browser("Ada").post("/webhooks/again", wish).status_code == 403
    bo = room.browser("Bo")
    for wrong in ({"name": "books"}, {}, {"name": "accounting", "url": "http://169.254.169.254/"}):
        assert bo.post("/webhooks/again", wrong).status_code == 400
    assert bo.post("/webhooks/again", wish).status_code == 204
    wait_until(lambda: not read_webhook_status(room)["alarm"] and read_webhook_status(room)["last"], "it is told")
    assert [receiver.next().identity for _ in range(2)] == ["calls:1", "calls:1"]
    assert "webhook accounting is told again, by Bo" in caplog.text
    room.call_soon(task.cancel)
    for thread in page._senders:
        thread.join(60)
        assert not thread.is_alive()


@needs_postgres
def test_without_the_database_the_page_says_so(house: House, tmp_path: Path) -> None:
    page = with_hooks(house, tmp_path, "host=127.0.0.1 port=9 dbname=none", "http://127.0.0.1:9")
    house.app = make_app(house.room, ["127.0.0.1"], [page])
    answer = house.browser("Cy").post("/webhooks/again", {"name": "accounting"})
    assert (answer.status_code, answer.json()["code"]) == (503, "record-unreadable")
    asyncio.run(page._show_statuses(["accounting"]))
    assert read_webhook_status(house)["failing"] == "the room's database does not answer"


@needs_postgres
def test_what_fails_before_anything_can_be_kept_of_it_is_shown_too(house: House, conninfo: str, tmp_path: Path) -> None:
    page = with_hooks(house, tmp_path, conninfo, "http://127.0.0.1:9")
    hook = RecordSender(house.room.file.webhooks[0], b"", "The room", "host=127.0.0.1 port=9", lambda: 0.0)
    page._senders = [hook]
    hook.deliver_waiting()
    asyncio.run(page._show_statuses(["accounting"]))
    assert read_webhook_status(house)["failing"] == hook.failure != ""
    page._database.close()


def test_the_room_does_not_start_with_a_key_that_others_may_read(house: House, tmp_path: Path) -> None:
    with_hooks(house, tmp_path, "", "http://127.0.0.1:9")
    (tmp_path / "key").chmod(0o644)
    house.room.file.path.write_text('[webhooks.accounting]\nsecret_file = "key"\n')
    with pytest.raises(ConfigError, match=r"webhooks\.accounting\.secret_file: .*is open to others") as refused:
        WebhooksPage(house.room)
    assert KEY not in str(refused.value)


STANDINGS = (
    WebhookStatus("accounting", last_delivered_at=1_800_000_000.0),
    WebhookStatus("cashier", "it refuses waiting:2027-01-15:1234, answering 422", waiting_count=12, abandoned_count=3,
                    last_delivered_at=1_800_000_000.0, set_aside_count=7,
                    refusals=tuple((f"event:1:{n}", "it answered 422") for n in range(5, 0, -1))),
    WebhookStatus("wall", "its receiver wants no more (410)", has_ended=True, waiting_count=1),
)  # fmt: skip


def show(room: ServedRoom, *standings: WebhookStatus) -> None:
    for one in standings:
        told = {**one.to_json(), "alarm": one.needs_attention, "host": "books.a-rather-long-name-of-a-house.example",
                "events": ["event.registered", "event.rebuy", "event.paid", "high-hand.confirmed"]}  # fmt: skip
        room.now(lambda told=told: room.room.hub.put("webhooks", told["name"], told))  # type: ignore[misc]


@pytest.mark.parametrize("size", SIZES)
def test_the_page_says_how_each_stands_and_the_floors_page_that_one_wants_somebody(
    room: ServedRoom, open_page: "Callable[..., Page]", size: tuple[int, int]
) -> None:
    show(room, STANDINGS[0])
    page = open_page(room, "/webhooks", size=size)
    page.get_by_text("Took a message last at").wait_for()
    floor = open_page(room, "/", size=size)
    floor.get_by_text("Nobody calls.").wait_for()
    show(room, *STANDINGS[1:])
    floor.get_by_text("Webhook cashier, wall: messages were not delivered").wait_for()
    looks_whole(floor)
    for text in ("7 messages were refused and are set aside", "12 messages wait", "event:1:5: it answered 422",
                 "3 messages were given up, too old or too many", "Ended: its receiver wants no more"):  # fmt: skip
        page.get_by_text(text).wait_for()
    assert page.get_by_role("button", name="Tell again").count() == 2
    looks_whole(page)
    floor.get_by_text("Webhook cashier").click()
    floor.wait_for_url("**/webhooks")


@pytest.mark.parametrize("name", [None, "Ada"])
def test_who_does_not_run_the_room_sees_no_webhook(
    room: ServedRoom, open_page: "Callable[..., Page]", name: str | None
) -> None:
    show(room, *STANDINGS)
    page = open_page(room, "/webhooks", name=name)
    page.get_by_text("Floor and technicians see the webhooks: sign in.").wait_for()
    floor = open_page(room, "/", name=name)
    floor.get_by_text("Nobody calls.").wait_for()
    assert floor.locator("#webhooks").is_hidden()
