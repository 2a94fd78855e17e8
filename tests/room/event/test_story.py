"""An evening with real tables: each line that the room asks for is one that a table of the core takes."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from config import rulebook_file, schedule_file
from room.record.room_record import InMemoryRecord, RecordLine
from room.server.tournament.tournament_desk import TournamentDesk
from room.tournament import schedule_codec
from room.tournament.line_handlers import apply_tournament_line, fold_lines
from room.tournament.tournament_state import RoomTournament
from tests.room.event.real_tables import RealTable, RealTables

NAMES = ("a", "b", "c")
BETTING = {"structure": "no-limit", "small_blind": 25, "big_blind": 50}


def books(name: str) -> Any:  # noqa: ANN401 - the rules of a book
    return rulebook_file.load_rulebook(name).tournament


class Evening:
    """Twelve players at three tables of five chairs."""

    def __init__(self, book: str = "tda-2024", **more: Any) -> None:  # noqa: ANN401 (JSON)
        self.record = InMemoryRecord()
        self.now = 100.0
        what = {
            "do": "open",
            "title": "Evening",
            "rulebook": book,
            "schedule": schedule_codec.to_json(schedule_file.load_schedule("T2000")),
            "buy_in": 50,
            "stack": 2000,
            "by_tables": True,
            "tables": [{"name": name, "places": 5} for name in NAMES],
            **more,
        }
        self.record.append("event:1", 0, self.now, "Dee", what)
        self.event: RoomTournament = fold_lines(self.record.read_lines("event:1"), books)  # type: ignore[assignment]
        for number in range(12):
            self.say(do="register", player=f"P{number}")
        self.say(do="draw", draw=list(range(15)))
        tables: dict[str, RealTable] = {}
        for name in NAMES:
            seats = [{"seat": seat, "player": who, "stack": 2000} for seat, who in self.event.seating_at(name).items()]
            line = {"rulebook": book, "game": "holdem", "mode": "tournament", "betting": BETTING, "places": 5}
            house = {"schedule": "T2000"}
            tables[name] = RealTable(
                {**line, "seats": seats[:2], "button": seats[0]["seat"], "house": house}, len(tables)
            )
        self.tables = tables
        self.links = RealTables(tables)
        self.desk = TournamentDesk(lambda: self.event, self.write, self.links, lambda count: list(range(count))[::-1])
        self.say(do="start")
        self.settle()

    def say(self, **what: Any) -> None:  # noqa: ANN401 (JSON)
        asyncio.run(self.write(what, "Dee"))

    async def write(self, what: Mapping[str, Any], by: str) -> RoomTournament:
        self.event = apply_tournament_line(
            self.event, RecordLine("event:1", self.event.line_number + 1, self.now, by, what)
        )
        self.record.append("event:1", self.event.line_number - 1, self.now, by, what)
        return self.event

    def settle(self, rounds: int = 40) -> None:
        """The room hears the tables and asks them, until nothing is left to ask."""
        self.settle_unasked(rounds)
        refused = {
            duty.reason: dict(duty.script_line) for duty in self.event.instruction_by_number.values() if duty.reason
        }
        assert not refused, refused

    def settle_unasked(self, rounds: int) -> None:
        """The same, where a table may refuse."""
        for _ in range(rounds):
            self.now += 3.0
            for name, table in self.tables.items():
                table.t += 3.0
                if name not in self.links.down:
                    self.desk.receive_state(name, table.state(), self.now)
            asyncio.run(self.desk.step(self.now))

    def hand(self, name: str, *all_in: int) -> str:
        assert self.tables[name].begin()
        self.report_state(name)
        phase = self.tables[name].play_on(*all_in)
        self.report_state(name)
        return phase

    def report_state(self, name: str) -> None:
        self.desk.receive_state(name, self.tables[name].state(), self.now)

    def confirm(self, word: str) -> None:
        proposal = self.desk.find_proposals(self.now)[0]
        assert proposal.line["do"] == word, proposal
        asyncio.run(self.desk.confirm(proposal, "Dee"))
        self.settle()

    def chairs(self) -> dict[str, tuple[str, int]]:
        return {
            seat["player"]: (name, seat["seat"])
            for name, table in self.tables.items()
            for seat in table.state()["seats"]
        }

    def bust(self, name: str) -> None:
        """Two of a table go all-in with what they have; the smaller stack is out, or both play on if it was a tie."""
        seats = [seat["seat"] for seat in self.tables[name].state()["seats"]]
        self.hand(name, *seats[:2])
        if self.tables[name].state()["phase"] != "idle":
            self.settle()
        self.settle(3)


@pytest.fixture
def evening() -> Evening:
    return Evening()


def test_players_are_seated_and_the_timers_run(evening: Evening) -> None:
    assert evening.chairs() == dict(evening.event.seat_by_player)
    assert not evening.event.instruction_by_number
    assert all(table.state()["timer"]["running"] for table in evening.tables.values())
    assert evening.desk.find_clock_deviations(evening.now) == ()
    sits = [line for table in evening.tables.values() for line in table.taken if line["ev"] == "sit"]
    assert len(sits) == 12 - 6  # two of each table sat there already, and were not seated twice


def test_a_player_moves_with_stack_and_penalty(evening: Evening) -> None:
    source, to = "a", "b"
    evening.tables[source].say({"ev": "penalty", "seat": 2, "hands": 3})
    player = evening.event.seating_at(source)[2]
    free = next(seat for seat in range(1, 6) if seat not in evening.event.seating_at(to))
    evening.links.torn |= {source, to}
    evening.say(do="move", moves=[[player, to, free]])
    evening.settle()
    assert evening.chairs()[player] == (to, free)
    assert evening.tables[source].taken[-1] == {"ev": "leave", "seat": 2}
    sit, penalty = evening.tables[to].taken[-2:]
    assert sit == {"ev": "sit", "seat": free, "player": player, "moved": True, "stack": 2000}
    assert penalty == {"ev": "penalty", "seat": free, "hands": 3}
    assert [seat["misses"] for seat in evening.tables[to].state()["seats"] if seat["player"] == player] == [3]
    assert not evening.event.instruction_by_number


def test_who_is_in_a_hand_leaves_when_it_is_over(evening: Evening) -> None:
    evening.tables["a"].begin()
    player = evening.event.seating_at("a")[2]
    free = next(seat for seat in range(1, 6) if seat not in evening.event.seating_at("b"))
    evening.say(do="move", moves=[[player, "b", free]])
    evening.settle(5)
    assert evening.chairs()[player] == ("a", 2)
    evening.tables["a"].play_on()
    evening.settle(5)
    assert evening.chairs()[player] == ("b", free)


def test_who_goes_out_is_seen_at_the_table(evening: Evening) -> None:
    evening.bust("a")
    out = evening.event.progress.eliminations if evening.event.progress else ()
    assert [(gone.table, gone.hand, gone.stack) for gone in out] == [("a", 1, 2000)]
    assert evening.chairs() == dict(evening.event.seat_by_player)


def test_hand_for_hand_no_table_is_ahead(evening: Evening) -> None:
    """The tables' own gates hold the next hand, an all-in hand included, until the director says go."""
    evening.hand("a")
    evening.say(do="hand-for-hand", on=True)
    evening.settle(3)
    for name in NAMES:
        evening.hand(name)
    assert not any(table.begin() for table in evening.tables.values())
    assert evening.tables["a"].played.lines[-1]["error"]["code"] == "waits"
    evening.confirm("go")
    evening.hand("a")
    seats = sorted(evening.event.seating_at("b"))
    assert evening.hand("b", *seats[:2]) == "floor"
    assert evening.desk.find_proposals(evening.now) == ()  # table c has not played its hand
    evening.hand("c")
    evening.confirm("turn-up")
    evening.tables["b"].play_on(*seats[:2])
    evening.settle(3)
    assert [table.state()["hand"] for table in evening.tables.values()] == [3, 2, 2]
    evening.confirm("go")
    assert evening.event.current_round is not None
    assert evening.event.current_round.number == 3
    evening.say(do="hand-for-hand", on=False)
    evening.settle(3)
    assert all(table.begin() for table in evening.tables.values())


def test_down_to_one_table_with_breaks_redraws_and_the_final_table() -> None:
    """Whole: every table that breaks is empty, nobody sits twice, chips are all there, and the last one wins."""
    evening = Evening()
    for _ in range(400):
        tournament = evening.event.progress
        assert tournament is not None
        if len(tournament.remaining_players) == 1:
            break
        proposals = evening.desk.find_proposals(evening.now)
        if proposals:
            evening.confirm(proposals[0].line["do"])
            continue
        for name in evening.event.seat_count_by_table:
            if len(evening.tables[name].state()["seats"]) > 1 and not evening.desk.find_proposals(evening.now):
                if evening.tables[name].state()["next"]:
                    continue  # it waits, hand for hand
                evening.bust(name)
        stacks = sum(seat["stack"] for table in evening.tables.values() for seat in table.state()["seats"])
        assert stacks == 12 * 2000
    assert len(evening.event.seat_count_by_table) == 1
    words = {line.content["do"] for line in evening.record.read_lines("event:1")}
    assert {"redraw", "eliminate"} <= words
    finishes = evening.event.progress.finishes() if evening.event.progress else ()
    assert sum(one.prize_cents for one in finishes) == 12 * 50 * 90
    assert len(finishes) == 12
    assert fold_lines(evening.record.read_lines("event:1"), books) == evening.event


@pytest.mark.parametrize("book", rulebook_file.list_rulebooks())
@pytest.mark.parametrize("chairs", [(3, 5, 2), (7, 8)])
def test_a_tournaments_table_may_begin_empty_and_is_given_its_players(book: str, chairs: tuple[int, ...]) -> None:
    line = {"rulebook": book, "game": "holdem", "betting": BETTING, "places": 8, "seats": [], "button": 1}
    table = RealTable({**line, "mode": "tournament", "house": {"schedule": "T2000"}})
    assert table.state()["seats"] == []
    assert not table.begin(), "nobody is there"
    for seat in chairs:
        assert "error" not in table.say({"ev": "sit", "seat": seat, "player": f"P{seat}", "stack": 2000})
    assert "error" not in table.say({"ev": "timer", "set": "start"})
    for _ in range(3):
        assert table.begin()
        assert table.play_on() == "idle"
    with pytest.raises(AssertionError, match="two or more players"):
        RealTable({**line, "mode": "cash"})


@pytest.mark.parametrize("book", rulebook_file.list_rulebooks())
def test_the_first_button_is_before_a_player_at_a_table_that_began_empty(book: str) -> None:
    line = {"rulebook": book, "game": "holdem", "betting": BETTING, "places": 8, "seats": [], "button": 1}
    table = RealTable({**line, "mode": "tournament", "house": {"schedule": "T2000"}})
    for seat in (3, 5, 7):
        table.say({"ev": "sit", "seat": seat, "player": f"P{seat}", "stack": 2000})
    assert table.begin()
    lamps = table.state()["lamps"]
    assert (lamps["button"], lamps["small_blind"], lamps["big_blind"]) == ([3], [5], [7])
