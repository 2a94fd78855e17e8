"""What tables tell is on the floor's screen; a call is on the disk, taken and done by people, whatever restarts."""

import asyncio
import json
from collections.abc import Callable
from itertools import cycle
from typing import Any

import pytest
from starlette.responses import PlainTextResponse

from config.language_file import list_languages, load_language
from controller.room_contract.subjects import TableTopic
from controller.room_contract.table_health import TableHealth
from controller.web.wording.step_instructions import format_instruction
from room.fleet.staged_releases import AWAY_AFTER_S
from room.record.room_record import InMemoryRecord, RecordLine
from room.server.pages import floor_page as module
from room.server.pages.floor_page import FloorPage, name_feed
from tests.room.server.house import House
from tests.room.test_standing import TOLD


@pytest.fixture(autouse=True)
def remove_write_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MIN_WRITE_INTERVAL_S", 0)


def state(**changed: object) -> bytes:
    return json.dumps(TOLD | changed).encode()


def run(house: House, story: Callable[[], None], *then: Callable[[], None]) -> None:
    """Let the floor's page turn while a story is told to it, part by part."""

    async def turning() -> None:
        page = next(page for page in house.pages if isinstance(page, FloorPage))
        task = asyncio.create_task(page.run())
        await wait_until(lambda: "calls" in read_page_values(house))
        for part in (story, *then):
            part()
            await wait_until(lambda: not any(page._pending_by_table.values()))
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(turning())


async def wait_until(true: Callable[[], bool]) -> None:
    for _ in range(20000):
        if true():
            return
        await asyncio.sleep(0)
    raise AssertionError("it never came")


def read_page_values(house: House, language: str = "en") -> dict[str, Any]:
    return house.room.hub.read_values(name_feed(load_language(language)))


def test_a_table_is_shown_as_it_stands_and_its_call_waits_in_the_queue(house: House) -> None:
    run(house, lambda: house.deliver_table_message("table-02", TableTopic.STATE, state()))
    table = read_page_values(house)["table:table-02"]
    assert (table["stakes"], table["phase"], table["away"], table["seen"]) == ("1/2", "remedy", False, 1000)
    (call,) = read_page_values(house)["calls"]["open"]
    assert (call["table"], call["called"]) == ("table-02", 1000.0)
    assert [line.content["do"] for line in house.record.read_lines("calls")] == ["called"]


def test_a_person_takes_the_call_and_ends_it_and_a_second_server_knows(house: House) -> None:
    run(house, lambda: house.deliver_table_message("table-02", TableTopic.CALL, b'{"wanted": true, "at": 1}'))
    browser = house.browser("Bo")
    house.time = 1030.0
    assert browser.post("/floor/calls", {"call": 1, "do": "take"}).status_code == 204
    assert read_page_values(house)["calls"]["open"][0]["by"] == "Bo"
    assert browser.post("/floor/calls", {"call": 1, "do": "done"}).status_code == 204
    assert read_page_values(house)["calls"]["open"] == []
    late = browser.post("/floor/calls", {"call": 1, "do": "take"})
    assert (late.status_code, late.json()["code"]) == (409, "moved-on")
    assert browser.post("/floor/calls", {"call": "1", "do": "take"}).json()["code"] == "not-understood"
    other = FloorPage(house.room)
    assert other._calls.read().done_calls[0].taken_by == "Bo"
    assert other._known_tables.read() == ("table-02",)


def test_a_table_that_is_silent_stays_listed_and_says_when_it_was_seen(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "POLL_INTERVAL_S", 0)
    health = TableHealth(reported_at=1.0, level="health", is_up=True, fault_codes=("disk-low",)).to_json()

    def advance_clock() -> None:
        house.time += AWAY_AFTER_S + 1

    def send_health() -> None:
        house.deliver_table_message("table-03", TableTopic.HEALTH, health)

    async def run_until_away() -> None:
        page = next(page for page in house.pages if isinstance(page, FloorPage))
        task = asyncio.create_task(page.run())
        send_health()
        assert read_page_values(house)["table:table-03"]["away"] is False
        advance_clock()
        await wait_until(lambda: bool(read_page_values(house)["table:table-03"]["away"]))
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(run_until_away())
    table = read_page_values(house)["table:table-03"]
    assert (table["seen"], table["level"], table["faults"]) == (1000, "health", ["disk-low"])
    assert read_page_values(house)["table:table-01"]["away"] is True, (
        "the room's file names it, and nothing was heard of it"
    )


def test_how_a_table_stood_last_is_known_after_a_restart_though_it_is_away(house: House) -> None:
    house.tables.last["table-04"] = state(floor_called=False)
    run(house, lambda: None, lambda: None)
    table = read_page_values(house)["table:table-04"]
    assert (table["stakes"], table["away"], table["seen"]) == ("1/2", True, None)


@pytest.mark.parametrize("text", [b"", b"[]", b"x" * 10, b'{"wanted": 1}', b"[" * 3000, b'{"seats": 3, "next": {}}'])
@pytest.mark.parametrize("what", list(TableTopic))
def test_what_a_table_tells_wrongly_harms_nobody(house: House, what: TableTopic, text: bytes) -> None:
    house.deliver_table_message("table-05", what, text)
    house.deliver_table_message("table-05", TableTopic.STATE, state())
    assert read_page_values(house)["table:table-05"]["stakes"] == "1/2"


def test_a_table_that_calls_and_calls_off_without_end_holds_up_no_other_and_fills_no_record(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def story() -> None:
        for number in range(5001):
            house.deliver_table_message(
                "table-08", TableTopic.CALL, b'{"wanted": true}' if number % 2 == 0 else b'{"wanted": false}'
            )
        house.deliver_table_message("table-02", TableTopic.CALL, b'{"wanted": true}')

    run(house, story)
    assert [call["table"] for call in read_page_values(house)["calls"]["open"]] == ["table-08", "table-02"]
    assert len(list(house.record.read_lines("calls"))) == 2

    async def in_a_second() -> None:
        page = FloorPage(house.room)
        await asyncio.to_thread(page._calls.read)
        monkeypatch.setattr(module, "MIN_WRITE_INTERVAL_S", 3600.0)
        task = asyncio.create_task(page._write_pending())
        wanted = cycle((False, True))

        def toggle_call() -> bool:
            page._queue_write("table-09", next(wanted))
            return len(house.record.lines_by_stream["calls"]) > 3

        with pytest.raises(AssertionError, match="never came"):
            await wait_until(toggle_call)
        assert not task.done()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(in_a_second())


def test_the_case_is_for_staff_and_has_the_ruling_the_last_steps_and_the_tables_page(house: House) -> None:
    house.deliver_table_message("table-01", TableTopic.STATE, state())
    house.deliver_table_message("table-01", TableTopic.STATE, state(entry=42, next=[]))
    assert house.browser().get("/floor/case/table-01").status_code == 401
    case = house.browser("Ada").get("/floor/case/table-01").json()
    assert case["rulings"][0]["cite"] == ["R3-12"]
    assert case["url"] == "https://table-01.local:8443/"
    assert [step["entry"] for step in case["steps"]] == [41, 42]
    assert house.browser("Ada").get("/floor/case/nowhere").status_code == 404


def test_the_case_says_its_ruling_whole_and_in_the_language_of_the_browser(house: House) -> None:
    said = [
        "The burns stay out; cut, next card to seat 3", "Shuffle the discards and folded hands of all other seats (12)",
        "Put the cards back on the stub, the last one first; burn one, deal the street again",
    ]  # fmt: skip
    ruling = {"finding": "skipped", "verdict": "correct", "text": f"{'. '.join(said)} (R7, Section 3, rule 1)."}
    house.deliver_table_message("table-01", TableTopic.STATE, state(rulings=[ruling]))
    browser = house.browser("Ada")
    assert browser.get("/floor/case/table-01").json()["rulings"][0]["text"] == ruling["text"]
    browser.cookie += "; language=de"
    told = browser.get("/floor/case/table-01").json()["rulings"][0]["text"]
    assert told.startswith("Die Burns bleiben draußen; abheben, nächste Karte an Platz 3. Die abgeworfenen Karten")
    assert told.endswith("die Street neu geben (R7, Section 3, rule 1).")


def test_the_list_says_the_next_step_in_the_language_of_the_browser(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = {
        name: format_instruction({"step": "act", "seat": 3, "options": ["fold"]}, load_language(name))
        for name in list_languages()
    }
    due = {"step": "act", "seat": 3, "options": ["fold"], "text": said["en"]}
    house.deliver_table_message("table-01", TableTopic.STATE, state(next=[due]))
    shown = {name: read_page_values(house, name)["table:table-01"] for name in said}
    assert {name: table["next"] for name, table in shown.items()} == said
    assert len({*said.values()}) == len(said) > 2
    assert len({json.dumps({**table, "next": ""}) for table in shown.values()}) == 1
    monkeypatch.setattr(house.room.hub, "make_stream_response", lambda _, topic: PlainTextResponse(topic))
    browser = house.browser("Ada")
    signed_in = browser.cookie
    for name in said:
        browser.cookie = f"{signed_in}; language={name}"
        assert browser.get("/floor/events").text == name_feed(load_language(name))
    house.deliver_table_message("table-01", TableTopic.STATE, state(entry=42, next=[]))
    assert [read_page_values(house, name)["table:table-01"]["next"] for name in said] == [""] * len(said)


def test_the_case_says_its_steps_in_the_language_of_the_browser(house: House) -> None:
    replacement = {"step": "deal", "seat": 3, "face": "up", "why": "replacement"}
    told: list[dict[str, Any]] = [
        {**replacement, "text": "Card to seat 3, face up – replacement"},
        {"step": "burn", "text": "Burn a card"},
        {"step": "deal", "seat": 3, "text": "Card to seat 3, from a newer program"},
        {"step": "deal", "seat": {"of": "a newer program"}, "face": [], "text": "Card to somebody"},
        {"step": "burn", "more": "x" * 400, "text": "Burn a card"},
    ]
    german = [
        "Karte an Platz 3, offen – Ersatz", "Karte brennen", "Card to seat 3, from a newer program",
        "Card to somebody", "Burn a card",
    ]  # fmt: skip
    house.deliver_table_message("table-01", TableTopic.STATE, state(next=told, remedy=told[1:]))
    browser = house.browser("Ada")
    english = browser.get("/floor/case/table-01").json()
    assert [step["text"] for step in english["next"]] == [step["text"] for step in told]
    browser.cookie += "; language=de"
    case = browser.get("/floor/case/table-01").json()
    assert [step["text"] for step in case["next"]] == german
    assert [step["text"] for step in case["remedy"]] == german[1:]
    assert [step["text"] for step in case["steps"]] == german[:1]
    assert not any("words" in step for key in ("next", "remedy", "steps") for step in case[key])


def test_without_the_database_nothing_is_entered_and_the_person_is_told(house: House) -> None:
    run(house, lambda: house.deliver_table_message("table-02", TableTopic.CALL, b'{"wanted": true}'))

    class UnreachableRecord(InMemoryRecord):
        def append(self, *_: object) -> RecordLine:
            raise ConnectionError("the room's database does not answer")

    page = next(page for page in house.pages if isinstance(page, FloorPage))
    page._calls._record = UnreachableRecord()
    answer = house.browser("Bo").post("/floor/calls", {"call": 1, "do": "take"})
    assert (answer.status_code, answer.json()["code"]) == (503, "record-unreadable")
    assert page._calls.state.open_calls[0].taken_at is None
