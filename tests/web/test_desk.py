"""What a page may enter, when, and from where."""

from typing import Any

import httpx
import pytest

from controller.core import script
from controller.core.events import Event
from controller.web.desk import Desk
from controller.web.hub import Hub
from controller.web.pages import make_app
from tests.web.test_pages import NAMES, ORIGIN, Client, standing


class Table:
    """Remembers what was entered; nothing moves until the test publishes."""

    def __init__(self, *, floor: bool) -> None:
        self.hub = Hub({})
        self.entered: list[dict[str, Any]] = []
        self.desk = Desk(self.enter, lambda: self.hub.entry, floor=floor)
        self.hub.publish(standing(7))

    def enter(self, event: Event, source: str) -> None:
        assert source == "page"
        self.entered.append(script.write(event))

    def client(self, *, near_only: bool = False) -> Client:
        return Client(make_app(self.hub, NAMES, None, self.desk, near_only=near_only))

    def post(self, line: object, seen: object = 7) -> httpx.Response:
        return self.client().post("/entry", json={"seen": seen, "line": line}, headers=ORIGIN)


@pytest.fixture
def table() -> Table:
    return Table(floor=False)


@pytest.mark.parametrize(
    "line",
    [
        {"ev": "start"},
        {"ev": "act", "seat": 4, "do": "raise", "to": 600},
        {"ev": "report", "what": "exposed"},
        {"ev": "draw", "seat": 4, "discard": 2},
        {"ev": "undo"},
        {"ev": "card", "card": None},
        {"ev": "sit", "seat": 3, "stack": 200},
    ],
)
def test_a_touch_is_entered_as_a_line_of_the_table_script(table: Table, line: dict[str, Any]) -> None:
    assert table.post(line).status_code == 202
    assert table.entered == [line]


@pytest.mark.parametrize(
    "line",
    [
        {"ev": "card", "card": "As"},
        {"ev": "card", "card": None, "foreign": True},
        {"ev": "seen", "at": "muck", "card": "As"},
        {"ev": "device", "id": "shoe", "status": "back"},
        {"ev": "time", "t": 5},
        {"ev": "table"},
        {"ev": "start", "t": 5.0},
        {"ev": "act", "seat": 4},
        {"ev": "report", "what": "magic"},
        {},
        [],
        "start",
        None,
    ],
)
def test_what_only_devices_know_cannot_be_entered(table: Table, line: object) -> None:
    answer = table.post(line)
    assert answer.status_code == 400
    assert answer.json()["message"]
    assert table.entered == []


def test_the_floor_decides_on_the_page_only_where_nobody_is_fooled() -> None:
    live, shown = Table(floor=False), Table(floor=True)
    decision = {"ev": "floor", "decide": "misdeal"}
    assert live.post(decision).status_code == 403
    assert live.entered == []
    assert shown.post(decision).status_code == 202


def test_a_second_touch_on_the_same_showing_is_not_taken(table: Table) -> None:
    assert table.post({"ev": "act", "seat": 4, "do": "fold"}).status_code == 202
    second = table.post({"ev": "act", "seat": 4, "do": "fold"})
    assert (second.status_code, second.json()["code"]) == (409, "moved-on")
    assert len(table.entered) == 1


def test_a_touch_on_an_old_showing_is_not_taken(table: Table) -> None:
    table.hub.publish(standing(8))
    assert table.post({"ev": "undo"}, seen=7).status_code == 409
    assert table.post({"ev": "undo"}, seen=9).status_code == 409
    assert table.post({"ev": "undo"}, seen=8).status_code == 202


@pytest.mark.parametrize("seen", [None, "7", 7.5, True])
def test_a_touch_says_what_it_saw(table: Table, seen: object) -> None:
    assert table.post({"ev": "undo"}, seen=seen).status_code == 400


def test_a_touch_from_elsewhere_is_refused_by_the_guard(table: Table) -> None:
    content = {"seen": 7, "line": {"ev": "undo"}}
    assert table.client().post("/entry", json=content).status_code == 403
    assert table.client().post("/entry", json=content, headers={"Origin": "http://evil.example"}).status_code == 403
    assert table.client().get("/entry").status_code == 405
    assert table.entered == []


def test_a_live_table_is_entered_at_the_table_alone(table: Table) -> None:
    content = {"seen": 7, "line": {"ev": "undo"}}
    app = make_app(table.hub, NAMES, None, table.desk, near_only=True)
    far = Client(app)
    far._transport = httpx.ASGITransport(app, client=("10.0.0.9", 1))
    assert far.post("/entry", json=content, headers=ORIGIN).status_code == 403
    assert table.client(near_only=True).post("/entry", json=content, headers=ORIGIN).status_code == 202


def test_without_a_desk_nothing_is_entered(table: Table) -> None:
    app = make_app(table.hub, NAMES, None)
    assert Client(app).post("/entry", json={}, headers=ORIGIN).status_code == 404
