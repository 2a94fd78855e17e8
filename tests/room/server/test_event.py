"""The tournament's pages: what the desk enters, what the board shows, and whose signature tables are asked with."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import httpx
import pytest

from controller.core.tournament.money_terms import TERMS_KEYS
from controller.room_contract.refusal_codes import RETRY_CONDITION_BY_CODE
from controller.room_contract.subjects import TableTopic
from controller.room_contract.table_request import RequestKind, TableReply
from controller.runtime.staff.staff_store import Warrant
from controller.web.access.authenticator import CSRF_HEADER
from room.server.pages.tournament_page import MAX_CLOSED_TOURNAMENTS, MAX_OPEN_TOURNAMENTS, TournamentPage
from tests.room.server.house import ORIGIN, House, NoTables

OPEN = {
    "title": "Sunday", "rulebook": "tda-2024", "schedule": "T2000", "buy_in": 50, "stack": 2000,
    "tables": [{"name": "table-01", "places": 3}, {"name": "table-02", "places": 3}],
}  # fmt: skip


def open_on(*tables: str) -> dict[str, Any]:
    """The same tournament at other tables."""
    return {**OPEN, "tables": [{"name": name, "places": 3} for name in tables]}


class Tables(NoTables):
    """Tables with nobody at them, which take every line; `lines`: table, line, and whose signature stood under it."""

    def __init__(self, *names: str) -> None:
        super().__init__()
        self.chairs: dict[str, dict[int, str]] = {name: {} for name in names}
        self.entry = dict.fromkeys(self.chairs, 5)
        self.lines: list[tuple[str, Mapping[str, Any], str]] = []
        self.hand = 0
        self.halted: set[str] = set()
        self.out: list[Mapping[str, Any]] = []
        """Whom the tables show as out, with the seats that have knocked them out."""
        self.board: list[str] = []
        self.refuses: dict[str, TableReply] = {}
        """What a table says instead."""
        self.takes: set[str] = set()
        """Words that it takes all the same."""

    async def ask(self, table: str, verb: RequestKind, what: Mapping[str, Any]) -> TableReply:
        if verb is RequestKind.POSITION:
            told = {"journal": "j", "session": 1, "entry": self.entry[table], "rests": True, "staff": 1, "own": []}
            return TableReply(True, content=told)
        if verb is not RequestKind.ENTER:
            return TableReply(False, None, "no-room-asks", "Not here.")
        if table in self.refuses and what["line"]["ev"] not in self.takes:
            return self.refuses[table]
        self.entry[table] += 1
        self.lines.append((table, what["line"], what["by"]["name"]))
        if what["line"]["ev"] == "sit":
            self.chairs[table][what["line"]["seat"]] = what["line"]["player"]
        if what["line"]["ev"] == "leave":
            del self.chairs[table][what["line"]["seat"]]
        if what["line"]["ev"] == "halt":
            (self.halted.add if what["line"].get("on", True) else self.halted.discard)(table)
        if what["line"]["ev"] == "tournament-over":
            self.chairs[table].clear()
            self.halted.discard(table)
        return TableReply(True, self.entry[table])

    def lose_player(self, table: str) -> str:
        """Somebody leaves a table without a word of the room's."""
        self.entry[table] += 1
        return self.chairs[table].popitem()[1]

    def state(self, table: str) -> bytes:
        seats = [{"seat": seat, "player": who, "stack": 2000} for seat, who in self.chairs[table].items()]
        whole = {
            "board": self.board,
            "entry": self.entry[table],
            "hand": self.hand,
            "phase": "idle",
            "next": [{"step": "hold"}] if table in self.halted else [],
            "lamps": {},
            "seats": seats,
            "out": self.out,
        }
        return json.dumps(whole).encode()


class Desk:
    """The floor's browser at a room whose tables are those above."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.tables = Tables("table-01", "table-02")
        house.room.tables = self.tables
        self.page = next(page for page in house.pages if isinstance(page, TournamentPage))
        self.browser = house.browser("Bo")

    def say(self, **what: Any) -> int:  # noqa: ANN401 (JSON)
        return self.browser.post("/events/1/say", what).status_code

    def turns(self, count: int = 8) -> None:
        """The server hears the tables and asks them, so often."""
        for _ in range(count):
            for table in self.tables.chairs:
                self.house.deliver_table_message(table, TableTopic.STATE, self.tables.state(table))
            for running in self.page._running_by_name.values():
                asyncio.run(self.page._process(running))
            self.house.time += 1.0

    def read_page_value(self, key: str) -> dict[str, Any]:
        found: dict[str, Any] = self.house.room.hub.read_values("event:1")[key]
        return found

    def plays(self, *players: str) -> None:
        for player in players:
            assert self.say(do="register", player=player) == 204
        assert self.say(do="draw") == 204
        assert self.say(do="start") == 204

    def duties(self, table: str) -> list[dict[str, Any]]:
        """What the desk is told of what a table has to enter still."""
        self.turns(1)
        return [one for one in self.house.room.hub.read_values("desk:1")["duties"]["list"] if one["table"] == table]


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
            house.deliver_table_message(table, TableTopic.STATE, desk.tables.state(table))
    else:
        desk.tables.last = {table: desk.tables.state(table) for table in desk.tables.chairs}
        asyncio.run(desk.page._recover())
    assert desk.browser.post("/events/open", OPEN).status_code == 200
    for player in ("Player 1", "Player 2"):
        assert desk.say(do="register", player=player) == 204
    assert desk.say(do="draw") == 204
    assert desk.say(do="start") == 204
    asyncio.run(desk.page._process(desk.page._running_by_name["1"]))
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
    assert desk.read_page_value("event")["players"] == 4
    assert desk.read_page_value("clock")["running"]
    assert sorted(desk.read_page_value("table:table-01")["seats"].values()) == sorted(
        desk.tables.chairs["table-01"].values()
    )
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
    people = desk.page._principal_by_name
    again = TournamentPage(desk.house.room)
    asyncio.run(again._read_tournaments())
    desk.page = again
    desk.house.pages = [again]
    desk.turns(3)
    assert len(desk.tables.lines) == told  # nobody is signed in at this server: nothing can be signed
    again._principal_by_name = people
    desk.turns(10)
    assert {who for chairs in desk.tables.chairs.values() for who in chairs.values()} == {"Ana", "Ben", "Cem", "Dan"}
    sits = [line["player"] for _, line, _ in desk.tables.lines if line["ev"] == "sit"]
    assert len(sits) == 4


def test_a_payout_is_entered_with_the_prize_whatever_the_browser_says_it_is(desk: Desk) -> None:
    for player in ("Ana", "Ben"):
        desk.say(do="register", player=player)
    desk.say(do="draw")
    desk.say(do="start")
    desk.turns()
    assert desk.say(do="eliminate", player="Ben", hand=1, stack=2000) == 204
    assert desk.say(do="pay", player="Ana", prize=1) == 204
    line = list(desk.house.record.read_lines("event:1"))[-1]
    (won,) = (one["prize"] for one in desk.read_page_value("event")["places"] if one["player"] == "Ana")
    assert won > 1
    assert line.content == {"do": "pay", "player": "Ana", "prize": won, "let_go": line.content["let_go"]}


def make_bounty_desk(house: House) -> Desk:
    desk = Desk(house)
    assert desk.browser.post("/events/open", {**OPEN, "bounty": 20, "by_tables": False}).status_code == 200
    desk.plays("Ana", "Ben", "Cem", "Dee")
    desk.turns()
    return desk


def test_the_director_confirms_who_has_won_a_bounty_or_names_others(house: House) -> None:
    """Covers: WSOP-T-39.a."""
    desk = make_bounty_desk(house)
    table = next(name for name, chairs in desk.tables.chairs.items() if len(chairs) > 1)
    (lost, player), (won, winner) = list(desk.tables.chairs[table].items())[:2]
    del desk.tables.chairs[table][lost]
    desk.tables.hand, desk.tables.entry[table] = 1, 90
    desk.tables.out = [{"seat": lost, "by": [won]}]
    desk.turns(2)
    line = desk.house.room.hub.read_values("desk:1")["proposals"]["list"][0]["line"]
    assert (line["do"], line["player"], line["knocked_by"]) == ("eliminate", player, [winner])
    assert desk.say(confirm=line, hand=1, stack=2000) == 204
    shown = desk.read_page_value("event")
    assert (shown["bounty"], shown["bounties"]) == (20, {winner: 20_00})
    assert shown["knockouts"] == [{"player": player, "knocked_by": [winner]}]
    other = next(one for one in ("Ana", "Ben", "Cem", "Dee") if one not in (player, winner))
    assert desk.say(do="knockout", player=player, knocked_by=[other, winner], shares=[3, 1]) == 204
    assert desk.read_page_value("event")["bounties"] == {other: 15_00, winner: 5_00}
    assert desk.say(do="knockout", player=player, knocked_by=None) == 409


def test_a_director_who_changes_a_proposal_has_the_last_word(house: House) -> None:
    desk = make_bounty_desk(house)
    table = next(name for name, chairs in desk.tables.chairs.items() if len(chairs) > 1)
    (lost, player), (won, winner) = list(desk.tables.chairs[table].items())[:2]
    del desk.tables.chairs[table][lost]
    desk.tables.hand, desk.tables.entry[table] = 1, 90
    desk.tables.out = [{"seat": lost, "by": [won], "shares": [1]}]
    desk.turns(2)
    line = desk.house.room.hub.read_values("desk:1")["proposals"]["list"][0]["line"]
    others = [one for one in ("Ana", "Ben", "Cem", "Dee") if one not in (player, winner)]
    assert desk.say(confirm=line, hand=1, stack=2000, knocked_by=others) == 204
    assert desk.read_page_value("event")["bounties"] == dict.fromkeys(others, 10_00)


def test_the_bounty_of_who_is_disqualified_is_the_prize_pools(house: House) -> None:
    desk = make_bounty_desk(house)
    before = desk.read_page_value("event")["pool"]
    assert desk.say(do="eliminate", player="Ben", hand=1, stack=2000, disqualified=True) == 204
    assert list(desk.house.record.read_lines("event:1"))[-1].content["knocked_by"] == []
    assert desk.read_page_value("event")["pool"] == before + 20_00
    assert desk.say(do="eliminate", player="Cem", hand=2, stack=2000) == 204
    assert desk.read_page_value("event")["knockouts"] == [{"player": "Cem"}, {"player": "Ben", "knocked_by": []}]


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
    before = list(desk.house.record.read_lines("event:1"))
    assert desk.browser.post("/events/1/say", what).status_code == status
    assert list(desk.house.record.read_lines("event:1")) == before
    assert desk.browser.post("/events/99/say", {"do": "start"}).status_code == 404


@pytest.mark.parametrize(
    "change",
    [
        {"tables": [{"name": "A b"}]},
        {"schedule": "none"},
        {"rulebook": "x"},
        {"tables": 1},
        {"payouts": "x"},
        {"staff": 0.25},
        {"payouts": 5},
        {"fee": -1},
    ],
)
def test_an_event_that_cannot_be_is_not_opened(desk: Desk, change: dict[str, Any]) -> None:
    assert desk.browser.post("/events/open", OPEN | change).status_code in (400, 409)
    assert desk.house.record.list_streams("event:") == ["event:1"]


def test_an_event_is_opened_with_its_money_and_the_desk_has_its_account(desk: Desk) -> None:
    """Every key stands in the first line, by the book where the desk says nothing; the account is a file, too."""
    first = next(iter(desk.house.record.read_lines("event:1"))).content
    assert [first[key] for key in TERMS_KEYS[:-1]] == [0, 0, 0, 0, 0, 0]
    assert first["payouts"]["name"] == "standard"
    club: dict[str, Any] = OPEN | {"rulebook": "fish-n-chips", "fee": 5, "staff": 2.5, "payouts": ""}
    changes: list[tuple[dict[str, Any], tuple[int, str]]] = [
        ({}, (10, "fish-n-chips")),
        ({"carried": 0, "payouts": "standard"}, (0, "standard")),
        ({"carried_in": 9.5}, (0, "fish-n-chips")),
    ]
    for number, (change, expected) in enumerate(changes, start=2):
        tables = open_on(f"table-{10 + number}")["tables"]
        assert desk.browser.post("/events/open", club | change | {"tables": tables}).status_code == 200
        line = next(iter(desk.house.record.read_lines(f"event:{number}"))).content
        assert ((line["carried"], line["payouts"]["name"]), line["fee"], line["staff"]) == (expected, 5, 2.5)
    assert desk.browser.get("/events/1/account.csv").status_code == 404
    desk.plays("Ana", "Ben")
    assert desk.say(do="eliminate", player="Ben", hand=1, stack=2000) == 204
    assert desk.house.room.hub.read_values("desk:1")["account"]["paid"] == {"prize": 100}
    assert desk.browser.get("/events/1/account.csv").text.splitlines() == [
        "side,kind,player,amount", "taken,buy-in,Ana,50.00", "taken,buy-in,Ben,50.00", "paid,prize,Ana,100.00",
        "difference,,,0.00",
    ]  # fmt: skip
    assert desk.house.browser("Ada").get("/events/1/account.csv").status_code == 403


def test_who_goes_home_after_a_deal_or_as_the_winner_is_not_out(desk: Desk) -> None:
    """All have left the tables: nobody is proposed out, and the event closes."""
    desk.plays("Ana", "Ben", "Cem")
    desk.turns()
    desk.tables.chairs = {table: {} for table in desk.tables.chairs}
    desk.turns(1)
    assert {one["line"]["do"] for one in desk.house.room.hub.read_values("desk:1")["proposals"]["list"]} == {
        "eliminate"
    }
    assert desk.say(do="deal", shares={"Ana": 100, "Ben": 30, "Cem": 20}) == 204
    desk.turns(1)
    assert desk.house.room.hub.read_values("desk:1")["proposals"]["list"] == []
    places = [(one["player"], one["place"], one["prize"]) for one in desk.read_page_value("event")["places"]]
    assert places == [("Ana", 1, 100_00), ("Ben", 2, 30_00), ("Cem", 3, 20_00)]
    assert (desk.say(do="pay", player="Cem"), desk.say(do="close")) == (204, 204)


@pytest.mark.parametrize(("board", "card"), [(["2c", "3d", "9h", "Ts", "Ks"], "Ks"), (["2c", "3d", "9h"], "")])
def test_cards_of_a_jackpot_are_sold_and_the_river_card_wins(house: House, board: list[str], card: str) -> None:
    """Cards are sold by lot; the last hand's river card is proposed as its table shows it, and somebody has won.

    Covers: FC-11.side.jackpot
    """
    desk = Desk(house)
    assert desk.browser.post("/events/open", open_on("table-11")).status_code == 200
    assert desk.say(do="jackpot", wanted=[["Ana", 2]]) == 409, "not under this book"
    tables = [{"name": "table-01", "places": 3}]
    club = OPEN | {"rulebook": "fish-n-chips", "tables": tables}
    assert desk.browser.post("/events/open", club).json() == {"event": "2"}

    def say(**what: Any) -> int:  # noqa: ANN401 (JSON)
        return desk.browser.post("/events/2/say", what).status_code

    for player in ("Ana", "Ben"):
        assert say(do="register", player=player) == 204
    assert say(do="jackpot", wanted=[["Ana", 2]]) == 409, "the event has not started"
    assert (say(do="draw"), say(do="start")) == (204, 204)
    desk.turns()
    for wanted in ([["Zoe", 1]], [["Ana", "many"]], "all"):
        assert say(do="jackpot", wanted=wanted) == 409
    assert say(do="jackpot", wanted=[["Ana", 52], ["Ben", 1]], last=True, brought=7) == 204
    desk.turns()
    (sold,) = (one.content["sold"] for one in desk.house.record.read_lines("event:2") if one.content["do"] == "jackpot")
    assert len(sold) == 52
    assert list(sold.values()).count("Ben") == 1
    desk.tables.board = board
    assert say(do="eliminate", player="Ben", hand=1, stack=2000) == 204
    assert say(do="close") == 409
    for table in desk.tables.chairs:
        desk.house.deliver_table_message(table, TableTopic.STATE, desk.tables.state(table))
    asyncio.run(desk.page._process(desk.page._running_by_name["2"]))
    (proposal,) = desk.house.room.hub.read_values("desk:2")["proposals"]["list"]
    assert (proposal["line"], proposal["cite"][:2]) == ({"do": "river", "card": card}, "FC")
    assert desk.browser.post("/events/2/say", {"confirm": proposal["line"]}).status_code == 204
    account = desk.house.room.hub.read_values("desk:2")["account"]
    assert account["difference"] == 0
    assert account["paid"].get("jackpot", 0) == (59 if card else 0)
    assert account["carried"]["season"] == (10 if card else 69)
    assert desk.house.room.hub.read_values("desk:2")["proposals"]["list"] == []
    assert say(do="close") == 204


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
    moves = desk.read_page_value("moves")["moves"]
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


@pytest.mark.parametrize("code", RETRY_CONDITION_BY_CODE)
def test_a_table_whose_refusal_passes_is_asked_again_and_the_desk_is_told_why_it_waits(desk: Desk, code: str) -> None:
    desk.tables.refuses["table-01"] = TableReply(False, None, code, "Not now.")
    desk.plays("Ana", "Ben", "Cem", "Dan")
    desk.turns(4)
    waits = next(one for one in desk.duties("table-01") if one["why"])
    assert (waits["how"], waits["why"]) == ("asked", "Not now.")
    del desk.tables.refuses["table-01"]
    desk.turns(8)
    assert len(desk.tables.chairs["table-01"]) == 2
    assert desk.duties("table-01") == []


@pytest.mark.parametrize(("code", "known"), [("moved-on", True), ("unknown-staff", True), ("no-answer", False)])
def test_who_was_surely_not_seated_is_asked_for_after_a_hand_and_who_may_be_is_looked_for(
    desk: Desk, code: str, known: bool
) -> None:
    """A hand that began meanwhile makes nothing doubtful which the table itself has refused."""
    desk.plays("Ana", "Ben", "Cem", "Dan")
    desk.turns(1)
    assert [line["ev"] for table, line, _ in desk.tables.lines if table == "table-01"] == ["halt"]
    desk.tables.refuses["table-01"] = TableReply(False, None, code, "Not now.")
    desk.turns(4)
    desk.tables.entry["table-01"] += 3
    desk.tables.hand += 1
    desk.turns(4)
    del desk.tables.refuses["table-01"]
    desk.turns(8)
    assert len(desk.tables.chairs["table-01"]) == (2 if known else 1), "the other was not asked for"
    assert {one["how"] for one in desk.duties("table-01")} == (set() if known else {"refused"})


def test_a_table_that_is_away_for_long_makes_the_record_no_longer(desk: Desk) -> None:
    desk.tables.refuses["table-01"] = TableReply(False, None, "not-reached", "It is not reached.")
    desk.plays("Ana", "Ben", "Cem", "Dan")
    desk.turns(20)
    before = len(list(desk.house.record.read_lines("event:1")))
    desk.turns(40)
    assert len(list(desk.house.record.read_lines("event:1"))) == before


@pytest.mark.parametrize("code", ["chair-taken", "no-room-asks", "not-signed", "internal-fault", ""])
def test_what_does_not_pass_waits_for_a_person(desk: Desk, code: str) -> None:
    desk.tables.refuses["table-01"] = TableReply(False, None, code, "Not so.")
    desk.plays("Ana", "Ben", "Cem", "Dan")
    desk.turns(4)
    assert [one["how"] for one in desk.duties("table-01")] == ["refused", "open", "open"], "who sits waits for the halt"
    del desk.tables.refuses["table-01"]
    desk.turns(8)
    assert desk.tables.chairs["table-01"] == {}


def test_after_the_last_player_nothing_stays_open_at_the_tables(desk: Desk) -> None:
    """A level that a table has refused, or was never told, is nobody's business any more."""
    desk.plays("Ana", "Ben", "Cem")
    desk.turns()
    desk.tables.refuses["table-01"] = TableReply(False, None, "last-level", "There is no further level.")
    desk.tables.refuses["table-02"] = TableReply(False, None, "not-reached", "It is not reached.")
    assert desk.say(do="level") == 204
    desk.turns()
    assert len(desk.duties("table-01") + desk.duties("table-02")) == 2
    assert desk.say(do="eliminate", player="Ana", hand=1, stack=2000) == 204
    assert not desk.read_page_value("event")["over"]
    assert desk.say(do="eliminate", player="Ben", hand=2, stack=2000) == 204
    assert desk.read_page_value("event")["over"]
    assert desk.house.room.hub.read_values("desk:1")["duties"] == {"open": 0, "list": []}


def test_an_event_is_closed_with_who_and_when_and_prizes_are_paid_afterwards(desk: Desk) -> None:
    desk.plays("Ana", "Ben", "Cem")
    desk.turns()
    assert desk.say(do="close") == 409, "three still play"
    desk.say(do="eliminate", player="Ana", hand=1, stack=2000)
    desk.say(do="eliminate", player="Ben", hand=2, stack=2000)
    assert desk.read_page_value("event")["closed"] is None
    assert desk.say(do="close") == 204
    assert desk.read_page_value("event")["closed"] == ["Bo", desk.house.time]
    assert desk.say(do="close") == 409
    assert desk.say(do="reinstate", player="Ben", seat=["table-01", 1]) == 409
    assert desk.say(do="pay", player="Cem") == 204
    assert desk.browser.get("/events/list").json()["events"] == [{"event": "1", "title": "Sunday", "closed": True}]


def test_an_event_that_is_broken_off_lets_its_tables_go(desk: Desk) -> None:
    desk.plays("Ana", "Ben", "Cem", "Dan")
    desk.turns()
    assert desk.say(do="hand-for-hand", on=True) == 204
    desk.turns(2)
    assert desk.say(do="level") == 204
    assert desk.say(do="close", abandon=True) == 204
    desk.turns()
    assert [line for _, line, _ in desk.tables.lines[-4:]] == [{"ev": "halt"}] * 2 + [{"ev": "tournament-over"}] * 2
    assert not any(desk.tables.chairs.values())
    assert desk.house.room.hub.read_values("desk:1")["duties"]["open"] == 0


def test_so_many_may_be_open_and_none_is_pushed_out_of_sight(desk: Desk) -> None:
    """The first runs while others are opened and closed; it is still there after a start of the server."""
    for number in range(MAX_OPEN_TOURNAMENTS - 1):
        assert desk.browser.post("/events/open", open_on(f"other-{number}")).status_code == 200
    full = desk.browser.post("/events/open", open_on("one-more"))
    assert full.status_code == 409
    assert "close one that is over" in full.json()["message"]
    for number in range(2, 2 + MAX_OPEN_TOURNAMENTS - 1):
        assert desk.browser.post(f"/events/{number}/say", {"do": "close"}).status_code == 204
    for number in range(MAX_OPEN_TOURNAMENTS + 1, MAX_OPEN_TOURNAMENTS + 4):
        assert desk.browser.post("/events/open", open_on("other-1")).json() == {"event": str(number)}
        assert desk.browser.post(f"/events/{number}/say", {"do": "close"}).status_code == 204
    shown = [
        str(number)
        for number in (1, *range(MAX_OPEN_TOURNAMENTS + 4 - MAX_CLOSED_TOURNAMENTS, MAX_OPEN_TOURNAMENTS + 4))
    ]
    assert list(desk.page._running_by_name) == shown
    again = TournamentPage(desk.house.room)
    asyncio.run(again._read_tournaments())
    assert list(again._running_by_name) == shown
    assert desk.say(do="register", player="Ana") == 204


def test_two_who_open_at_the_same_moment_open_two(desk: Desk) -> None:
    async def open_twice() -> list[str]:
        sent = {"Origin": ORIGIN, CSRF_HEADER: desk.browser.token, "Cookie": f"room={desk.browser.cookie}"}
        transport = httpx.ASGITransport(app=desk.house.app)
        async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
            answers = await asyncio.gather(
                *(client.post("/events/open", json=open_on(name), headers=sent) for name in names)
            )
        return sorted(answer.text for answer in answers)

    names = ["other-1", "other-2"]
    assert asyncio.run(open_twice()) == ['{"event":"2"}', '{"event":"3"}']
    names = ["other-3", "other-3"]
    refused, opened = asyncio.run(open_twice())
    assert opened == '{"event":"4"}'
    assert "other-3 is taken: tournament 4 is being opened." in refused


def test_two_who_begin_the_next_level_begin_one(desk: Desk) -> None:
    desk.plays("Ana", "Ben", "Cem")
    desk.turns()
    assert desk.say(do="level", to=2) == 204
    assert desk.say(do="level", to=2) == 409
    assert desk.read_page_value("clock")["level"] == 2
