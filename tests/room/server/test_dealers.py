"""The dealers' page: fed by the tables' records, a push by one touch, and nothing twice."""

import asyncio

from room.search.recent_facts import DealerSignInRow
from room.server.pages.dealers_page import DealersPage
from tests.room.server.house import House


def refresh_page(house: House) -> None:
    asyncio.run(next(page for page in house.pages if isinstance(page, DealersPage)).refresh())


def make_sign_in_row(id: int, table: str, name: str, *, gone: bool = False) -> DealerSignInRow:
    return DealerSignInRow(id, f"journal of {table}", id, table, 1_000_000.0 + id, name, gone)


def dealing(house: House) -> dict[str, str]:
    return {one["table"]: one["dealer"] for one in house.room.hub.read_values("dealers")["dealing"]["tables"]}


def test_who_signs_in_at_a_table_deals_there_and_a_push_is_one_touch_and_a_line(house: House) -> None:
    house.time = 1_000_100.0
    house.newest.signs = [
        make_sign_in_row(1, "table-01", "Ada"),
        make_sign_in_row(2, "table-02", "Ben"),
        make_sign_in_row(3, "table-02", "Cy"),
    ]
    house.newest.counted = {"Ada": 31}
    refresh_page(house)
    assert dealing(house) == {"table-01": "Ada", "table-02": "Cy"}
    bo = house.browser("Bo")
    assert bo.post("/dealers", {"do": "string", "tables": ["table-01", "table-02"]}).status_code == 204
    shown = house.room.hub.read_values("dealers")
    assert [one["dealer"] for one in shown["resting"]["dealers"]] == ["Ben"]
    moves = shown["push"]["moves"]
    assert moves == [["Ben", "table-01", "Ada"], ["Ada", "table-02", "Cy"]]
    assert {one["dealer"]: (one["hands"], one["downs"]) for one in shown["done"]["dealers"]}["Ada"] == (31, 1)
    assert house.browser("Ada").post("/dealers", {"do": "push", "moves": moves}).status_code == 403
    assert bo.post("/dealers", {"do": "push", "moves": moves}).status_code == 204
    assert dealing(house) == {"table-01": "Ben", "table-02": "Ada"}
    (line,) = [line for stream in house.record.list_streams("dealers:") for line in house.record.read_lines(stream)
               if line.content["do"] == "push"]  # fmt: skip
    assert line.entered_by == "Bo"
    again = bo.post("/dealers", {"do": "push", "moves": moves})
    assert (again.status_code, again.json()["code"]) == (409, "moved-on"), "two touches are one push"


def test_a_start_of_the_server_tells_nothing_twice_and_who_signs_out_rests(house: House) -> None:
    house.time = 1_000_100.0
    house.newest.signs = [make_sign_in_row(1, "table-01", "Ada")]
    refresh_page(house)
    house.newest.signs.append(make_sign_in_row(2, "table-01", "Ada", gone=True))
    for page in (house.pages, [DealersPage(house.room)]):
        asyncio.run(next(each for each in page if isinstance(each, DealersPage)).refresh())
    (stream,) = house.record.list_streams("dealers:")
    assert [line.content["do"] for line in house.record.read_lines(stream)] == ["deals", "rests"]
    assert dealing(house) == {}


def test_a_word_that_is_none_is_refused_in_words(house: House) -> None:
    bo = house.browser("Bo")
    for wrong in ({}, {"do": "push"}, {"do": "deals", "table": "t"}, {"do": "rests", "dealer": ""}, {"do": "string"},
                  {"do": "string", "tables": [3]}, {"do": "deals", "table": "t", "dealer": "x" * 41}):  # fmt: skip
        answer = bo.post("/dealers", wrong)
        assert (answer.status_code, answer.json()["code"]) == (400, "not-understood"), wrong
    assert house.record.list_streams("dealers:") == []


def test_hands_are_counted_on_when_the_clock_is_put_back(house: House) -> None:
    house.time = 1_000_000.0
    refresh_page(house)
    house.time -= 3600
    house.newest.counted = {"Ada": 31}
    refresh_page(house)
    assert [one["hands"] for one in house.room.hub.read_values("dealers")["done"]["dealers"]] == [31]
