"""The tournament's pages: what the desk enters, what the board shows, and whose signature tables are asked with."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import pytest

from controller.runtime.staff.staff import Warrant
from room.contract.request import Answer, Verb
from room.contract.subjects import Told
from room.server.pages.event import EventPage
from tests.room.server.house import House, NoTables

OPEN = {
    "title": "Sunday", "rulebook": "tda-2024", "schedule": "T2000", "buy_in": 50, "stack": 2000,
    "tables": [{"name": "table-01", "places": 3}, {"name": "table-02", "places": 3}],
}  # fmt: skip


class Tables(NoTables):
    """Tables with nobody at them, which take every line; `lines`: table, line, and whose signature stood under it."""

    def __init__(self, *names: str) -> None:
        super().__init__()
        self.chairs: dict[str, dict[int, str]] = {name: {} for name in names}
        self.entry = dict.fromkeys(self.chairs, 5)
        self.lines: list[tuple[str, Mapping[str, Any], str]] = []

    async def ask(self, table: str, verb: Verb, what: Mapping[str, Any]) -> Answer:
        if verb is Verb.STANDING:
            told = {"journal": "j", "session": 1, "entry": self.entry[table], "rests": True, "staff": 1, "own": []}
            return Answer(True, told=told)
        self.entry[table] += 1
        self.lines.append((table, what["line"], what["by"]["name"]))
        if what["line"]["ev"] == "sit":
            self.chairs[table][what["line"]["seat"]] = what["line"]["player"]
        if what["line"]["ev"] == "leave":
            del self.chairs[table][what["line"]["seat"]]
        return Answer(True, self.entry[table])

    def state(self, table: str) -> bytes:
        seats = [{"seat": seat, "player": who, "stack": 2000} for seat, who in self.chairs[table].items()]
        whole = {"entry": self.entry[table], "hand": 0, "phase": "idle", "next": [], "lamps": {}, "seats": seats}
        return json.dumps(whole).encode()


class Desk:
    """The floor's browser at a room whose tables are those above."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.tables = Tables("table-01", "table-02")
        house.room.tables = self.tables
        self.page = next(page for page in house.pages if isinstance(page, EventPage))
        self.browser = house.browser("Bo")

    def say(self, **what: Any) -> int:  # noqa: ANN401 (JSON)
        return self.browser.post("/events/1/say", what).status_code

    def turns(self, count: int = 8) -> None:
        """The server hears the tables and asks them, so often."""
        for _ in range(count):
            for table in self.tables.chairs:
                self.house.told(table, Told.STATE, self.tables.state(table))
            for running in self.page._events.values():
                asyncio.run(self.page._work(running))
            self.house.time += 1.0

    def shown(self, key: str) -> dict[str, Any]:
        found: dict[str, Any] = self.house.room.hub.shown("event:1")[key]
        return found


@pytest.fixture
def desk(house: House) -> Desk:
    made = Desk(house)
    assert made.browser.post("/events/open", OPEN).status_code == 200
    return made


@pytest.mark.parametrize(
    "since", ["heard before the event was opened", "known to the brokers before the server's start"]
)
def test_tables_at_which_nothing_happens_are_asked_all_the_same(house: House, since: str) -> None:
    """Empty tables tell nothing new: how they stood last is what the desk goes by."""
    desk = Desk(house)
    if since.startswith("heard"):
        for table in desk.tables.chairs:
            house.told(table, Told.STATE, desk.tables.state(table))
    else:
        desk.tables.last = {table: desk.tables.state(table) for table in desk.tables.chairs}
        asyncio.run(desk.page._begin())
    assert desk.browser.post("/events/open", OPEN).status_code == 200
    for player in ("Player 1", "Player 2"):
        assert desk.say(do="register", player=player) == 204
    assert desk.say(do="draw") == 204
    assert desk.say(do="start") == 204
    asyncio.run(desk.page._work(desk.page._events["1"]))
    assert {table for table, _, _ in desk.tables.lines} == set(desk.tables.chairs)


def test_from_the_registration_to_the_first_hand(desk: Desk) -> None:
    """The director enters names, draws and starts; each table is told who sits there, in the director's name."""
    for player in ("Ana", "Ben", "Cem", "Dan"):
        assert desk.say(do="register", player=player) == 204
    assert desk.say(do="draw") == 204
    assert desk.say(do="start") == 204
    desk.turns()
    sitting = {who for chairs in desk.tables.chairs.values() for who in chairs.values()}
    assert sitting == {"Ana", "Ben", "Cem", "Dan"}
    assert {by for _, _, by in desk.tables.lines} == {"Bo"}
    assert desk.shown("event")["players"] == 4
    assert desk.shown("clock")["running"]
    assert sorted(desk.shown("table:table-01")["seats"].values()) == sorted(desk.tables.chairs["table-01"].values())
    before = len(desk.tables.lines)
    desk.turns()
    assert len(desk.tables.lines) == before


def test_a_server_that_starts_again_goes_on_where_it_was(desk: Desk) -> None:
    for player in ("Ana", "Ben", "Cem", "Dan"):
        desk.say(do="register", player=player)
    desk.say(do="draw")
    desk.say(do="start")
    desk.turns(2)
    told = len(desk.tables.lines)
    people = desk.page._people
    again = EventPage(desk.house.room)
    asyncio.run(again._read())
    desk.page = again
    desk.house.pages = [again]
    desk.turns(3)
    assert len(desk.tables.lines) == told  # nobody is signed in at this server: nothing can be signed
    again._people = people
    desk.turns(10)
    assert {who for chairs in desk.tables.chairs.values() for who in chairs.values()} == {"Ana", "Ben", "Cem", "Dan"}
    sits = [line["player"] for _, line, _ in desk.tables.lines if line["ev"] == "sit"]
    assert len(sits) == 4


@pytest.mark.parametrize(
    ("what", "status"),
    [
        ({"do": "start"}, 409),
        ({"do": "fly"}, 409),
        ({"do": "entered", "duty": 1, "entry": 7}, 400),
        ({"confirm": {"do": "go"}}, 409),
        ({}, 400),
        (["do"], 400),
    ],
)
def test_what_makes_no_sense_is_refused_and_nothing_is_written(desk: Desk, what: Any, status: int) -> None:  # noqa: ANN401
    before = list(desk.house.record.lines("event:1"))
    assert desk.browser.post("/events/1/say", what).status_code == status
    assert list(desk.house.record.lines("event:1")) == before
    assert desk.browser.post("/events/99/say", {"do": "start"}).status_code == 404


@pytest.mark.parametrize(
    "change", [{"tables": [{"name": "A b"}]}, {"schedule": "none"}, {"rulebook": "x"}, {"tables": 1}]
)
def test_an_event_that_cannot_be_is_not_opened(desk: Desk, change: dict[str, Any]) -> None:
    assert desk.browser.post("/events/open", OPEN | change).status_code in (400, 409)
    assert desk.house.record.streams("event:") == ["event:1"]


def test_a_dealer_directs_nothing_and_everybody_may_look(desk: Desk) -> None:
    dealer = desk.house.browser("Ada")
    assert dealer.post("/events/1/say", {"do": "draw"}).status_code == 403
    assert desk.house.browser().post("/events/1/say", {"do": "draw"}).status_code == 401
    for path in ("/events", "/events/board", "/events/list"):
        assert desk.house.browser().get(path).status_code == 200


def test_slips_are_printed_for_everybody_and_for_the_last_moves(desk: Desk) -> None:
    for player in ("Ana", "<b>", "Cem"):
        desk.say(do="register", player=player)
    desk.say(do="draw")
    text = desk.browser.get("/events/1/slips").text
    assert text.count("<pre>") == 3
    assert "&lt;b&gt;" in text
    assert "<b>" not in text
    assert desk.browser.get("/events/1/slips?moves").text.count("<pre>") == 0


def test_a_move_stays_on_the_board_for_minutes(desk: Desk) -> None:
    for player in ("Ana", "Ben", "Cem", "Dan"):
        desk.say(do="register", player=player)
    desk.say(do="draw")
    desk.say(do="start")
    desk.turns()
    player, chair = next((who, seat) for seat, who in desk.tables.chairs["table-01"].items())
    free = next(seat for seat in (1, 2, 3) if seat not in desk.tables.chairs["table-02"])
    assert desk.say(do="move", moves=[[player, "table-02", free]]) == 204
    moves = desk.shown("moves")["moves"]
    assert moves[-1]["from"] == ["table-01", chair]
    assert moves[-1]["to"] == ["table-02", free]
    assert moves[-1]["open"]


@pytest.mark.parametrize("leaves", ["signs out", "is withdrawn"])
def test_nothing_more_is_signed_for_a_director_who_has_left(desk: Desk, leaves: str) -> None:
    for player in ("Ana", "Ben", "Cem", "Dan"):
        desk.say(do="register", player=player)
    desk.say(do="draw")
    desk.say(do="start")
    if leaves == "signs out":
        desk.browser.post("/sign-out", {})
    else:
        desk.house.staff.remove("Bo", Warrant("test"))
    desk.turns()
    assert desk.tables.lines == []
