"""A table that was taken over says what it likes: the room's server, its people and the other tables bear it."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from starlette.requests import Request

from controller.room_contract.subjects import TableTopic
from controller.room_contract.table_request import (
    MAX_MESSAGE_LENGTH,
    MessageFormatError,
    RequestKind,
    TableReply,
    parse_json_object,
)
from controller.runtime.staff.admission import RefusalCode
from controller.web.access.authenticator import Principal
from room.server import room_server
from room.server.pages.fleet_page import FleetPage
from room.server.pages.people_page import PeoplePage
from room.staff.signed_requests import TablePosition
from room.staff.staff_list_publisher import MAX_NUMBER_GAP, REPEAT_INTERVAL_S
from tests.room.fleet.archive_maker import archive
from tests.room.server.house import House
from tests.room.server.test_house_pages import health, page, refresh_page

NO = TableReply(False, None, "no", "no").to_json()


@pytest.mark.parametrize(
    "text",
    [
        NO.replace(b'"no"', b'"\\ud800"'), NO.replace(b"}", b', "told": {"own": NaN}}'),
        NO.replace(b"null", b"-1"), NO.replace(b"null", b"9" * 30),
    ],
)  # fmt: skip
def test_an_answer_that_no_database_and_no_page_can_hold_is_none(text: bytes) -> None:
    assert text != NO
    with pytest.raises(MessageFormatError):
        TableReply.from_json(text)


def test_a_refusal_is_kept_as_long_as_one_reads() -> None:
    told = TableReply.from_json(TableReply(False, None, "c" * 10_000, "m" * 10_000).to_json())
    assert (len(told.message), len(told.code)) == (MAX_MESSAGE_LENGTH, 40)
    with pytest.raises(MessageFormatError):
        parse_json_object(b'{"a": "\\ud800"}')


@pytest.mark.parametrize("key", ["session", "entry", "staff"])
def test_a_standing_has_numbers_that_can_be(key: str) -> None:
    there = {"journal": "j", "session": 1, "entry": 5, "rests": True, "staff": 1, "own": ["x" * 1000] * 1000}
    assert all(len(name) < 100 for name in TablePosition.from_reply(TableReply(True, content=there)).own_names)
    assert len(TablePosition.from_reply(TableReply(True, content=there)).own_names) == 500
    with pytest.raises(MessageFormatError):
        TablePosition.from_reply(TableReply(True, content=there | {key: 10**400}))


class Liar:
    """A table that says of every list that it has a newer one, or what the test says."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.number = 1 << 52
        self.asked = 0
        self.why = ""
        house.room.tables.ask = self.ask  # type: ignore[method-assign]

    async def ask(self, table: str, verb: RequestKind, what: Mapping[str, Any]) -> TableReply:  # noqa: ARG002
        self.asked += 1
        if self.why:
            self.why += "."
            return TableReply(False, None, "no", self.why)
        if verb is RequestKind.STAFF:
            return TableReply(False, None, RefusalCode.OLDER_LIST.value, "older")
        told = {"journal": "j", "session": 1, "entry": 5, "rests": True, "staff": self.number, "own": []}
        return TableReply(True, content=told)


def test_a_table_that_says_it_has_a_list_of_a_far_number_does_not_use_the_numbers_up(house: House) -> None:
    """Tables take no list above 2**53: one stolen card kept every withdrawal from every table, for ever."""
    table = Liar(house)
    refresh_page(house, PeoplePage)
    publisher = page(house, PeoplePage)._publisher
    assert publisher is not None
    first = publisher.distribution.number
    assert first == 1
    table.number = first + MAX_NUMBER_GAP
    for turn in range(5):
        house.time += 2 * REPEAT_INTERVAL_S
        health(house)
        refresh_page(house, PeoplePage)
        assert publisher.distribution.number == table.number + 1 if turn == 0 else True
        now = publisher.distribution.number
        assert now == first + MAX_NUMBER_GAP + 1, "it is believed once"
        table.number = now + 1
    assert "never signed" in publisher.distribution.held_list_by_table["table-01"].reason


def test_a_table_with_ever_new_reasons_fills_no_record_and_is_not_sent_the_list_all_the_time(house: House) -> None:
    table = Liar(house)
    table.why = "no"
    for _ in range(100):
        house.time += 0.25
        health(house)
        refresh_page(house, PeoplePage)
    assert table.asked <= 100 * 0.25 / 5 + 1
    assert len(house.record.lines_by_stream["staff"]) == 2, "the list, and that it is owed"


@pytest.mark.parametrize(
    "have", [lambda asked: asked, lambda _: -1, lambda _: 1 << 60, lambda asked: asked % 2 * 262144]
)
def test_a_table_that_takes_a_release_byte_by_byte_or_never_does_not_keep_the_line(
    house: House, have: Callable[[int], int]
) -> None:
    """Four releases are sent at a time: who takes one for ever keeps it from the others."""
    asked: list[RequestKind] = []

    async def ask(table: str, verb: RequestKind, what: Mapping[str, Any]) -> TableReply:  # noqa: ARG001
        asked.append(verb)
        assert len(asked) < 50, "it goes on for ever"
        return TableReply(True, content={"have": have(len(asked)), "size": 3_000_000})

    async def send_releases() -> None:
        fleet = page(house, FleetPage)
        await fleet.ask_tables()
        await asyncio.gather(*fleet._transfer_task_by_table.values())

    archive(house, "1.4.0", 3_000_000)
    house.room.tables.ask = ask  # type: ignore[method-assign]
    wish = {"tables": ["table-01"], "release": "table-controller-1.4.0-aarch64.tar"}
    assert house.browser("Cy").post("/fleet/stage", wish).status_code == 204
    asyncio.run(send_releases())
    assert "Its uplink says" in page(house, FleetPage)._fleet.state.release_by_table["table-01"].reason


def test_a_page_that_fails_begins_anew_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_server, "RESTART_DELAY_S", 0)
    turns: list[int] = []

    class Fails:
        async def run(self) -> None:
            turns.append(1)
            if len(turns) < 3:
                async with asyncio.TaskGroup() as group:
                    group.create_task(self.part())

        async def part(self) -> None:
            raise UnicodeEncodeError("utf-8", "\ud800", 0, 1, "x")

    asyncio.run(room_server.keep_running(Fails()))  # type: ignore[arg-type]
    assert len(turns) == 3


def test_who_has_signed_out_signs_nothing_more_and_is_told_nothing_more(house: House) -> None:
    browser = house.browser("Bo")
    assert house.door.sessions is not None
    session = house.door.sessions.find(browser.cookie)

    async def look_on() -> list[str]:
        scope = {"type": "http", "headers": [], "state": {"who": Principal("Bo", frozenset(), session)}}
        lines = house.room.hub.make_stream_response(Request(scope), "fleet").body_iterator  # type: ignore[attr-defined]
        house.room.hub.put("fleet", "a", {"n": 1})
        told = [await anext(lines), await anext(lines)]
        house.door.sessions.end(browser.cookie)  # type: ignore[union-attr]
        house.room.hub.put("fleet", "a", {"n": 2})
        return told + [line async for line in lines]

    told = asyncio.run(look_on())
    assert "retry" in told[0]
    assert '"n":1' in told[1]
    assert len(told) == 2


def test_what_one_page_fails_on_the_others_hear() -> None:
    heard: list[bytes] = []

    class PageListener:
        def __init__(self, *, fails: bool) -> None:
            self.fails = fails

        def on_table_message(self, table: str, what: TableTopic, text: bytes) -> None:  # noqa: ARG002
            if self.fails:
                raise KeyError(table)
            heard.append(text)

    listeners: Any = [PageListener(fails=True), PageListener(fails=False)]
    room_server.deliver_message(listeners, "table-01", TableTopic.STATE, b"{}")
    assert heard == [b"{}"]
