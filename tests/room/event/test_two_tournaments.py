"""Two tournaments one after the other on the same three tables of the core: nothing of the first is in the second."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from config import rulebook_file, schedule_file
from controller.core.model.table_state import TableUndo
from controller.core.values.value import replace
from room.record.room_record import InMemoryRecord, RecordLine
from room.server.tournament.tournament_desk import TournamentDesk
from room.tournament import schedule_codec
from room.tournament.line_handlers import apply_tournament_line, fold_lines
from room.tournament.table_release import complete_line, find_tables_in_use
from room.tournament.tournament_state import RoomTournament
from tests.room.event.real_tables import RealTable, RealTables
from tests.room.event.test_story import BETTING, NAMES, Evening, books

STACK = 2000


class Night(Evening):
    """An event of twelve at three tables, which are empty at first or were let go by the one before."""

    def __init__(
        self, links: RealTables, number: int, book: str = "tda-2024", players: int | Sequence[str] = 12, **more: object
    ) -> None:
        self.record, self.now, self.stream = InMemoryRecord(), 100.0 * number, f"event:{number}"
        self.elsewhere: frozenset[str] = frozenset()
        what = {
            "do": "open",
            "title": f"Night {number}",
            "rulebook": book,
            "schedule": schedule_codec.to_json(schedule_file.load_schedule("T2000")),
            "buy_in": 50,
            "stack": STACK,
            "by_tables": True,
            "tables": [{"name": name, "places": 5} for name in NAMES],
            **more,
        }
        self.record.append(self.stream, 0, self.now, "Dee", what)
        self.event: RoomTournament = fold_lines(self.record.read_lines(self.stream), books)  # type: ignore[assignment]
        self.links, self.tables = links, dict(links.tables)
        self.start_server()
        for player in [f"N{number}-{one}" for one in range(players)] if isinstance(players, int) else players:
            self.say(do="register", player=player)
        self.say(do="draw", draw=list(range(15)))

    def start_server(self) -> None:
        """The server knows what its lines say, and nothing else."""
        self.event = fold_lines(self.record.read_lines(self.stream), books)  # type: ignore[assignment]
        self.desk = TournamentDesk(lambda: self.event, self.write, self.links, lambda count: list(range(count))[::-1])

    async def write(self, what: Mapping[str, Any], by: str) -> RoomTournament:
        def fold(line: Mapping[str, Any]) -> RoomTournament:
            told = RecordLine(self.stream, self.event.line_number + 1, self.now, by, line)
            return apply_tournament_line(self.event, told)

        whole = complete_line(what, self.event, fold, self.elsewhere)
        before, self.event = self.event.line_number, fold(whole)
        self.record.append(self.stream, before, self.now, by, whole)
        return self.event

    def play_down(self) -> None:
        """To the winner, whatever is proposed."""
        for _ in range(400):
            assert self.event.progress is not None
            if self.event.is_over:
                return
            proposals = self.desk.find_proposals(self.now)
            if proposals:
                self.confirm(proposals[0].line["do"])
                continue
            for name in self.event.seat_count_by_table:
                steps = self.tables[name].state()["next"]
                if steps and steps[0]["step"] != "hold":
                    self.tables[name].play_on()  # the hands were turned up
                    self.settle(3)
                elif not steps and len(self.chairs_at(name)) > 1 and not self.desk.find_proposals(self.now):
                    self.bust(name)
        raise AssertionError("the tournament does not end")

    def chairs_at(self, name: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.tables[name].state()["seats"]
        return found


def make_tables(book: str = "tda-2024") -> RealTables:
    line = {"rulebook": book, "game": "holdem", "mode": "tournament", "betting": BETTING, "places": 5}
    house = {"seats": [], "button": 1, "house": {"schedule": "T2000"}}
    return RealTables({name: RealTable({**line, **house}, number) for number, name in enumerate(NAMES)})


def is_free(table: RealTable) -> bool:
    """Whether a table stands as when it was set up: its whole state but time, hands dealt and what can be undone."""
    now, fresh = table.played.table.outcome.state, make_tables(table.book).tables["a"].played.table.outcome.state
    bare = replace(now, time=replace(now.time, time_s=0.0), hand_count=0, undo=TableUndo())
    return bare == replace(fresh, time=replace(fresh.time, time_s=0.0), undo=TableUndo())


def pay_all(night: Night) -> None:
    assert night.event.progress is not None
    for one in night.event.progress.finishes():
        if one.prize_cents:
            night.say(do="pay", player=one.player)


@pytest.mark.parametrize(
    ("book", "ends"), [("tda-2024", "paid"), ("wsop-2024", "closed"), ("fish-n-chips", "broken off")]
)
def test_nothing_of_the_first_is_in_the_second(book: str, ends: str) -> None:
    links = make_tables(book)
    first = Night(links, 1, book)
    first.say(do="start", seats_first=True)
    first.settle()
    assert first.event.progress is not None
    assert first.event.progress.clock.is_started
    if ends == "broken off":
        for name in NAMES:
            first.bust(name)
        first.say(do="hand-for-hand", on=True)
        first.tables["b"].say({"ev": "penalty", "seat": first.chairs_at("b")[0]["seat"], "hands": 3})
        first.settle()
        first.say(do="level")
        first.settle(3)
        first.say(do="close", abandon=True)
    else:
        first.play_down()
        first.settle()
        assert sum(len(first.chairs_at(name)) for name in NAMES) == 1, "the winner sits there until prizes are paid"
        if ends == "paid":
            pay_all(first)
            with pytest.raises(ValueError, match="nothing more is played"):
                first.say(do="reinstate", player="N1-0", seat=["a", 1])
        else:
            first.say(do="close")
    assert find_tables_in_use(first.event)
    first.settle()
    assert not find_tables_in_use(first.event)
    assert all(map(is_free, links.tables.values())), "a table of the first event"
    second = Night(links, 2, book)
    second.say(do="start", seats_first=True)
    second.settle()
    for name, table in links.tables.items():
        shown = table.state()
        assert {seat["player"] for seat in shown["seats"]} == set(second.event.seating_at(name).values())
        assert {seat["stack"] for seat in shown["seats"]} == {STACK}
        assert (shown["timer"]["level"], shown["timer"]["running"], shown["next"]) == (1, True, [])
        assert table.begin()
        assert table.state()["lamps"]["button"]
        assert table.play_on() == "idle"
    if ends == "paid":
        second.play_down()
        pay_all(second)
    else:
        second.say(do="close", abandon=True)
    second.settle()
    assert all(map(is_free, links.tables.values()))
    assert fold_lines(second.record.read_lines(second.stream), books) == second.event


def test_a_table_that_broke_is_free_while_the_event_goes_on() -> None:
    links = make_tables()
    night = Night(links, 1)
    night.say(do="start", seats_first=True)
    night.settle()
    gone = "c"
    free = [["a", 5], ["b", 5]]
    for player in list(night.event.seating_at(gone).values())[2:]:
        night.say(do="eliminate", player=player, hand=1, stack=STACK)
    left = list(night.event.seating_at(gone).values())
    for chair in [one for one in night.chairs_at(gone) if one["player"] not in left]:
        night.tables[gone].say({"ev": "leave", "seat": chair["seat"]})
    night.say(do="break", table=gone, moves=[[who, *seat] for who, seat in zip(left, free, strict=True)])
    assert gone in find_tables_in_use(night.event)
    with pytest.raises(ValueError, match="not been let go yet"):
        night.say(do="open-table", table=gone, places=5)
    night.settle()
    assert gone not in find_tables_in_use(night.event)
    assert is_free(night.tables[gone])
    assert set(find_tables_in_use(night.event)) == {"a", "b"}
    night.say(do="open-table", table=gone, places=5)
    for number, player in enumerate(left):
        night.say(do="move", moves=[[player, gone, number + 1]])
    night.settle()
    assert night.tables[gone].begin(), "a table that was opened again deals"


def test_a_table_that_was_away_when_its_event_ended_is_let_go_when_it_comes_back() -> None:
    """Nothing can be entered there meanwhile, whatever becomes of the server; the answer may be lost on the way."""
    links = make_tables()
    night = Night(links, 1)
    night.say(do="start", seats_first=True)
    night.settle()
    links.down.add("b")
    night.say(do="close", abandon=True)
    night.settle(10)
    assert find_tables_in_use(night.event) == {"b"}
    assert night.tables["b"].begin(), "it does not know"
    night.start_server()
    links.down.clear()
    links.torn.add("b")
    night.settle(10)
    assert find_tables_in_use(night.event) == {"b"}, "its hand is on"
    night.tables["b"].play_on()
    assert not night.tables["b"].begin(), "it was halted"
    links.torn.add("b")
    night.settle(10)
    assert not find_tables_in_use(night.event)
    assert is_free(night.tables["b"])
    taken = [line["ev"] for line in night.tables["b"].taken]
    assert taken.count("tournament-over") == 1, "its answer was lost, and it was not asked twice"


def test_who_was_seated_by_hand_after_the_table_was_let_go_is_not_sent_away() -> None:
    """The answer was lost, and somebody begins there before the room hears the table: a person looks."""
    links = make_tables()
    night = Night(links, 1)
    night.say(do="start", seats_first=True)
    night.settle()
    night.say(do="close", abandon=True)
    for _ in range(4):
        (*_, due) = [duty for duty in night.event.instruction_by_number.values() if duty.table == "b"][:1]
        if due.event_name != "halt":
            links.torn.add("b")
            night.settle(1)
            break
        night.settle(1)
    assert night.tables["b"].taken[-1] == {"ev": "tournament-over"}
    night.tables["b"].say({"ev": "sit", "seat": 1, "player": "Eve", "stack": 500})
    night.settle_unasked(4)
    assert [one["player"] for one in night.chairs_at("b")] == ["Eve"]
    (duty,) = night.event.instruction_by_number.values()
    assert (duty.table, duty.status.value) == ("b", "refused")
    night.say(do="drop", duty=duty.number)
    assert not find_tables_in_use(night.event)


def test_a_table_that_another_event_uses_is_not_let_go_by_the_first() -> None:
    links = make_tables()
    night = Night(links, 1)
    night.say(do="start", seats_first=True)
    night.settle()
    night.elsewhere = frozenset({"a"})
    night.say(do="close", abandon=True)
    night.settle()
    assert len(night.chairs_at("a")) == 4
    assert is_free(night.tables["b"])
    night.elsewhere = frozenset()
    night.say(do="let-go")
    night.settle()
    assert is_free(night.tables["a"])
    with pytest.raises(ValueError, match="no table any more"):
        night.say(do="let-go")


@pytest.mark.parametrize("book", rulebook_file.list_rulebooks())
def test_lines_of_an_older_version_tell_tables_what_they_told_them_then(book: str) -> None:
    """Neither does `start` seat first, nor does anything let a table go."""
    record = InMemoryRecord()
    night = Night(make_tables(book), 1, book)
    lines = [*night.record.read_lines(night.stream)]
    for line in lines:
        record.append("event:9", line.number - 1, line.entered_at, line.entered_by, line.content)
    for what in ({"do": "start"}, {"do": "close", "abandon": True}):
        record.append("event:9", len(lines), 200.0, "Dee", what)
        lines.append(record.lines_by_stream["event:9"][-1])
        event = fold_lines(record.read_lines("event:9"), books)
        assert event is not None
        told = [duty.script_line["ev"] for duty in event.instruction_by_number.values()]
        assert told == (["timer"] * 3 + ["sit"] * 12 if what["do"] == "start" else [])
        assert event.progress is not None
        assert event.progress.clock.is_started
