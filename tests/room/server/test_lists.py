"""The waiting lists' page: chairs as the tables tell them, since when by their records, and few lines."""

import asyncio
import json
from typing import Any

from controller.room_contract.subjects import TableTopic
from room.server.pages.waiting_lists_page import SEATING_POLL_INTERVAL_S, WaitingListsPage
from tests.room.server.house import House


def refresh_page(house: House) -> None:
    asyncio.run(next(page for page in house.pages if isinstance(page, WaitingListsPage)).refresh())


def tells(house: House, table: str, *players: str, places: int = 3) -> None:
    seats = [{"seat": seat, "player": player} for seat, player in enumerate(players, 1) if player != "-"]
    house.deliver_table_message(table, TableTopic.STATE, json.dumps({"places": places, "seats": seats}).encode())
    refresh_page(house)


def open_lists(house: House) -> Any:  # noqa: ANN401
    house.time = 1_000_000.0
    bo = house.browser("Bo")
    for word in ({"do": "list", "list": "1/3", "game": "holdem", "stakes": [1, 3]},
                 {"do": "open", "table": "table-01", "list": "1/3"},
                 {"do": "open", "table": "table-02", "list": "1/3", "main": "table-01"},
                 {"do": "join", "list": "1/3", "player": "Wil"}):  # fmt: skip
        assert bo.post("/lists", word).status_code == 204
    return bo


def read_page_values(house: House) -> dict[str, Any]:
    return house.room.hub.read_values("lists")


def test_a_chair_that_is_free_at_a_table_is_seen_and_the_next_is_proposed(house: House) -> None:
    open_lists(house)
    refresh_page(house)
    assert read_page_values(house)["table:table-01"]["free"] is None
    house.newest.chairs = {"table-02": {1: ("Cid", 999_000.0), 2: ("Dora", 998_000.0)}}
    house.time += SEATING_POLL_INTERVAL_S
    tells(house, "table-02", "Cid", "Dora", "Eve")
    tells(house, "table-01", "Ana", "", "Gil")
    assert [read_page_values(house)[f"table:table-0{number}"]["free"] for number in (1, 2)] == [0, 0]
    tells(house, "table-01", "Ana", "-", "Gil")
    assert read_page_values(house)["table:table-01"]["free"] == 1
    assert read_page_values(house)["next"]["proposed"] == [{"table": "table-01", "from": "table-02", "player": "Dora"}]
    tells(house, "table-01", "Ana", "Dora", "Gil")
    tells(house, "table-02", "Cid", "-", "Eve")
    assert read_page_values(house)["next"]["proposed"] == [{"table": "table-02", "from": None, "player": "Wil"}]
    tells(house, "table-02", "Cid", "Wil", "Eve")
    assert read_page_values(house)["list:1/3"]["people"] == []


def test_who_sits_is_looked_up_on_when_the_clock_is_put_back(house: House) -> None:
    open_lists(house)
    refresh_page(house)
    house.time -= 3600
    house.newest.chairs = {"table-02": {1: ("Cid", 999_000.0)}}
    refresh_page(house)
    assert read_page_values(house)["table:table-02"]["seated"] == ["Cid"]


def test_what_tables_repeat_is_no_line_and_a_clock_that_is_ahead_makes_none(house: House) -> None:
    open_lists(house)
    house.newest.chairs = {"table-01": {1: ("Ana", 1_000_900.0)}, "table-02": {1: ("Cid", 5.0)}}
    tells(house, "table-01", "Ana")
    (stream,) = house.record.list_streams("waiting:")
    lines = len(list(house.record.read_lines(stream)))
    for _ in range(5):
        house.time += 2 * SEATING_POLL_INTERVAL_S
        tells(house, "table-01", "Ana")
    assert len(list(house.record.read_lines(stream))) == lines
    assert read_page_values(house)["table:table-02"]["free"] is None, (
        "by its record alone nobody knows how many chairs it has"
    )
    assert read_page_values(house)["table:table-02"]["seated"] == ["Cid"]


def test_a_table_that_is_not_open_or_tells_nonsense_changes_nothing(house: House) -> None:
    open_lists(house)
    (stream,) = house.record.list_streams("waiting:")
    lines = len(list(house.record.read_lines(stream)))
    tells(house, "table-09", "Ana")
    for text in (b"[]", b"{", b'{"places": -4, "seats": 3}', b'{"places": 99, "seats": [{"seat": 1}]}'):
        house.deliver_table_message("table-01", TableTopic.STATE, text)
        refresh_page(house)
    assert len(list(house.record.read_lines(stream))) <= lines + 1


def test_only_the_tables_say_chairs(house: House) -> None:
    bo = open_lists(house)
    assert bo.post("/lists", {"do": "chairs", "table": "table-01", "places": 3, "taken": []}).status_code == 400
