"""Which tournament uses a table: none is opened on one that another has, and it has it until the table is let go."""

import asyncio
from typing import Any

import pytest

from controller.room_contract.table_request import TableReply
from room.server.pages.tournament_page import MAX_CLOSED_TOURNAMENTS, TournamentPage
from tests.room.server.house import House
from tests.room.server.test_event import OPEN, Desk, open_on

AWAY = TableReply(False, None, "not-reached", "It is not reached.")


@pytest.fixture
def desk(house: House) -> Desk:
    made = Desk(house)
    assert made.browser.post("/events/open", OPEN).status_code == 200
    return made


def open_again(desk: Desk, what: dict[str, Any] = OPEN) -> str:
    """The event's number, or why it was refused."""
    answer = desk.browser.post("/events/open", what).json()
    return str(answer.get("event") or answer["message"])


def restart(desk: Desk) -> None:
    """The server starts again; who was signed in signs in anew."""
    people = desk.page._principal_by_name
    desk.page = TournamentPage(desk.house.room)
    desk.house.pages = [desk.page]
    asyncio.run(desk.page._read_tournaments())
    desk.page._principal_by_name = people


def test_a_table_in_use_is_opened_by_no_other_event(desk: Desk) -> None:
    taken = "table-01 is taken: tournament 1 (Sunday) still uses it, and lets it go when it is over, or closed."
    assert open_again(desk, open_on("table-01", "table-07")) == taken
    assert open_again(desk, open_on("table-07")) == "2"
    assert desk.browser.post("/events/2/say", {"do": "open-table", "table": "table-02", "places": 9}).status_code == 409
    assert desk.browser.post("/events/2/say", {"do": "open-table", "table": "table-08", "places": 9}).status_code == 204
    assert desk.say(do="close") == 204, "it was never started: no table was told anything"
    assert desk.tables.lines == []
    assert open_again(desk) == "3"


def test_a_table_that_is_away_is_taken_until_it_has_been_let_go_also_after_a_start_of_the_server(desk: Desk) -> None:
    desk.plays("Ana", "Ben", "Cem", "Dan")
    desk.turns(12)
    desk.tables.refuses["table-02"] = AWAY
    assert desk.say(do="close", abandon=True) == 204
    desk.turns(6)
    assert [line["ev"] for table, line, _ in desk.tables.lines if table == "table-01"][-2:] == [
        "halt",
        "tournament-over",
    ]
    leaving = (
        "table-02 is taken: tournament 1 (Sunday) is over there, and the table has not entered yet that it is let go."
    )
    assert open_again(desk) == leaving
    for number in range(2, 4 + MAX_CLOSED_TOURNAMENTS):
        assert open_again(desk, open_on("table-09")) == str(number)
        assert desk.browser.post(f"/events/{number}/say", {"do": "close"}).status_code == 204
    assert open_again(desk) == leaving, "newer ones that are closed do not push it out of sight"
    restart(desk)
    assert "1" in desk.page._running_by_name
    del desk.tables.refuses["table-02"]
    desk.turns(8)
    assert desk.tables.chairs == {"table-01": {}, "table-02": {}}
    assert not any(desk.page._list_uses(desk.page._make_running("99")))


def test_tables_are_let_go_with_the_last_prize(desk: Desk) -> None:
    desk.plays("Ana", "Ben", "Cem")
    desk.turns(12)
    desk.say(do="eliminate", player="Ana", hand=1, stack=2000)
    desk.say(do="eliminate", player="Ben", hand=2, stack=2000)
    prizes = [one["player"] for one in desk.read_page_value("event")["places"] if one["prize"]]
    for player in prizes:
        assert desk.tables.chairs != {"table-01": {}, "table-02": {}}
        assert desk.say(do="pay", player=player, let_go=["table-09"]) == 204, (
            "what a browser says of tables is not read"
        )
    desk.turns(8)
    assert desk.tables.chairs == {"table-01": {}, "table-02": {}}
    assert desk.house.room.hub.read_values("desk:1")["proposals"]["list"] == [], "the winner is not out"
    assert open_again(desk) == "2"
    assert desk.say(do="close") == 204


def test_somebody_else_lets_the_tables_go_where_who_closed_has_left(desk: Desk) -> None:
    desk.plays("Ana", "Ben", "Cem", "Dan")
    desk.turns(12)
    desk.tables.refuses["table-02"] = AWAY
    assert desk.say(do="close", abandon=True) == 204
    desk.turns(4)
    desk.page._principal_by_name.clear()
    del desk.tables.refuses["table-02"]
    desk.turns(6)
    assert desk.tables.chairs["table-02"], "nobody is signed in who could sign it"
    assert desk.say(do="let-go") == 204
    desk.turns(8)
    assert desk.tables.chairs == {"table-01": {}, "table-02": {}}


def test_the_desk_says_who_is_not_seated_and_where_and_the_floor_begins_without(desk: Desk) -> None:
    desk.tables.refuses["table-02"] = AWAY
    desk.plays("Ana", "Ben", "Cem", "Dan")
    desk.turns(8)
    shown = desk.house.room.hub.read_values("desk:1")["seating"]
    assert (shown["on"], shown["left"], shown["all"]) == (True, 2, 4)
    (table,) = shown["tables"]
    assert (table["table"], table["why"], table["heard"]) == ("table-02", "It is not reached.", True)
    seats = desk.read_page_value("table:table-02")["seats"]
    assert table["players"] == [[int(seat), player] for seat, player in seats.items()]
    assert desk.read_page_value("event")["seating"] == [2, 4]
    assert desk.read_page_value("clock")["stage"] == "waiting"
    assert desk.say(do="begin") == 409
    assert desk.say(do="begin", anyway=True) == 204
    assert desk.read_page_value("event")["seating"] is None
    assert desk.read_page_value("clock")["running"] is True
    desk.turns(4)
    assert [line["ev"] for table_, line, _ in desk.tables.lines if table_ == "table-01"][-2:] == ["timer", "halt"]


def test_a_server_that_starts_again_in_the_middle_of_seating_goes_on(desk: Desk) -> None:
    desk.plays("Ana", "Ben", "Cem", "Dan")
    desk.turns(2)
    restart(desk)
    desk.turns(12)
    sits = [line["player"] for _, line, _ in desk.tables.lines if line["ev"] == "sit"]
    assert sorted(sits) == ["Ana", "Ben", "Cem", "Dan"]
    assert desk.read_page_value("clock")["running"] is True
    assert not desk.tables.halted
