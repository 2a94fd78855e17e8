"""Plays whole tournaments over tables by the room's desk, with lost links and restarts, against the check beside it."""

import argparse
import asyncio
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from config import rulebook_file, schedule_file
from controller.core.tournament.tournament import TournamentError
from room.record.room_record import InMemoryRecord, RecordLine
from room.server.tournament.tournament_desk import TournamentDesk
from room.tournament import schedule_codec
from room.tournament.line_handlers import apply_tournament_line, fold_lines
from room.tournament.proposals import Proposal, count_players_to_money
from room.tournament.table_release import complete_line
from room.tournament.tournament_state import InstructionStatus, RoomTournament
from tests.room.event.check import Check
from tests.room.event.floor import Floor

STREAM = "event:1"
BOOKS = ("roberts-7", "tda-2024", "wsop-2024", "fish-n-chips", "maryport")


def books(name: str) -> Any:  # noqa: ANN401 - the rules of a book
    return rulebook_file.load_rulebook(name).tournament


@dataclass
class Story:
    """What a tournament is like. `links`: of how many table turns in a thousand a link is lost; `starts`: restarts."""

    seed: int
    tables: int
    players: int
    book: str = "roberts-7"
    places: int = 9
    alternates: int = 0
    links: int = 0
    starts: int = 0
    speed: float = 0.35
    stack: int = 3_000
    near: int = 4
    """So many places before the money the director announces hand for hand, where the book gives no number."""


@dataclass
class TournamentRun:
    """One tournament from the registration to the prizes."""

    story: Story
    record: InMemoryRecord = field(default_factory=InMemoryRecord)
    now: float = 1_000.0
    ticks: int = 0

    def __post_init__(self) -> None:
        self.lot = random.Random(self.story.seed)
        names = {f"table-{number:03}": self.story.places for number in range(1, self.story.tables + 1)}
        self.floor = Floor(names, self.lot)
        self.check = Check(self.story.book, self.floor)
        self.event: RoomTournament | None = None
        self.busts: dict[str, tuple[int, int]] = {}
        self.rounds: dict[str, int] = {}
        self.waiting: list[str] = []
        self.vacated: list[tuple[str, int]] = []
        self.changed: set[str] = set()
        self.most_open = 0

    def open_tournament(self) -> None:
        story = self.story
        what = {
            "do": "open",
            "title": "Big one",
            "rulebook": story.book,
            "schedule": schedule_codec.to_json(schedule_file.load_schedule("T20000")),
            "buy_in": 100,
            "stack": story.stack,
            "capacity": story.players,
            "unlimited_rebuys": True,
            "by_tables": True,
            "tables": [{"name": name, "places": story.places} for name in self.floor.tables],
        }
        self.record.append(STREAM, 0, self.now, "Dee", what)
        self.event = fold_lines(self.record.read_lines(STREAM), books)

    async def write(self, what: Mapping[str, Any], by: str) -> RoomTournament:
        before = self.event
        assert before is not None

        def fold(what: Mapping[str, Any]) -> RoomTournament:
            return apply_tournament_line(before, RecordLine(STREAM, before.line_number + 1, self.now, by, what))

        whole = complete_line(what, before, fold, ())
        self.event = fold(whole)
        self.record.append(STREAM, before.line_number, self.now, by, whole)
        return self.event

    def desk_again(self) -> None:
        """The server starts: it knows what its lines say, and nothing else."""
        self.event = fold_lines(self.record.read_lines(STREAM), books)
        self.desk = TournamentDesk(lambda: self.event, self.write, self.floor, self.permutation)  # type: ignore[arg-type,return-value]
        self.changed = set(self.floor.tables)

    def permutation(self, count: int) -> list[int]:
        return self.lot.sample(range(count), count)

    async def play(self) -> None:
        self.open_tournament()
        assert self.event is not None
        everybody = [f"P{number:04}" for number in range(self.story.players + self.story.alternates)]
        for player in everybody:
            await self.write({"do": "register", "player": player}, "Dee")
        self.waiting = everybody[self.story.players :]
        assert list(self.event.alternates) == self.waiting
        await self.write({"do": "draw", "draw": self.permutation(self.story.tables * self.story.places)}, "Dee")
        await self.write({"do": "start", "seats_first": True}, "Dee")
        self.desk_again()
        restarts = {self.lot.randrange(5, 120) for _ in range(self.story.starts)}
        while len(self.event.progress.remaining_players) > 1 if self.event and self.event.progress else True:
            self.ticks += 1
            self.now += 30.0
            assert self.ticks < 400, "the tournament does not end"
            if self.ticks in restarts:
                self.desk_again()
            self.hands()
            await self.desk_works()
        self.at_the_end()
        await self.let_tables_go()

    async def let_tables_go(self) -> None:
        """All is paid out: every table comes back sooner or later, and is free."""
        assert self.event is not None
        tables = self.floor.tables
        assert not any(any(table.let_go) for table in tables.values()), "somebody sat at a table that had broken"
        await self.write({"do": "close"}, "Dee")
        for _ in range(40):
            self.now += 30.0
            self.hands()
            for name in set(tables) - set(self.floor.down):
                self.desk.receive_state(name, tables[name].state(), self.now)
            await self.desk.step(self.now)
        assert not self.event.instruction_by_number, self.event.instruction_by_number
        assert not self.event.held_tables
        for table in tables.values():
            assert not table.chairs, table
            assert not any((table.timer, table.halted, table.waits, table.hand_for_hand)), table

    def hands(self) -> None:
        """Every table plays on a little; some begin a hand, some end one; a link is lost, another comes back."""
        for name, table in self.floor.tables.items():
            if name in self.floor.down:
                self.floor.down[name] -= 1
                if self.floor.down[name] <= 0:
                    del self.floor.down[name]
                    self.changed.add(name)
            elif self.lot.randrange(1000) < self.story.links:
                if self.lot.random() < 0.5:
                    self.floor.torn.add(name)
                else:
                    self.floor.down[name] = self.lot.randrange(1, 12)
            if table.on and not table.all_in and self.lot.random() < 0.7:
                if table.hand_for_hand and self.lot.random() < 0.2:
                    table.all_in, table.entry = True, table.entry + 1
                else:
                    self.ends(name)
                self.changed.add(name)
            elif table.may_deal() and self.lot.random() < 0.7:
                assert len(self.check.entered) >= self.story.players, "a hand before all are seated"
                self.check.a_hand_begins(name)
                table.deal()
                self.changed.add(name)
            if self.floor.tables[name].chairs and self.lot.random() < 0.01:
                self.lot.choice(list(table.chairs.values()))[2] = 2  # a penalty of two hands
                table.entry += 1
                self.changed.add(name)

    def ends(self, name: str) -> None:
        table = self.floor.tables[name]
        seats = {chair[0]: seat for seat, chair in table.chairs.items()}
        for player, stack in table.finish(self.lot, self.story.speed / (6 if self.check.together else 1)):
            self.busts[player] = (table.hand, stack)
            self.check.out.append(player)
            if not self.check.together:
                self.check.alone.append(player)
            self.vacated.append((name, seats[player]))
        self.check.a_hand_ends(name)

    async def desk_works(self) -> None:
        assert self.event is not None
        for _ in range(60):
            for name in sorted(self.changed):
                if name not in self.floor.down:
                    self.desk.receive_state(name, self.floor.tables[name].state(), self.now)
                    self.changed.discard(name)
            before, asks = self.event.line_number, self.floor.asks
            entries = {name: table.entry for name, table in self.floor.tables.items()}
            await self.desk.step(self.now)
            self.changed |= {name for name, table in self.floor.tables.items() if table.entry != entries[name]}
            self.record_buy_ins()
            self.check.check_invariants({player: stack for player, (stack, _) in self.floor.way.items()})
            await self.director()
            self.most_open = max(self.most_open, len(self.event.instruction_by_number))
            if self.event.line_number == before and self.floor.asks == asks and not self.changed - set(self.floor.down):
                break
        self.all_done()

    def record_buy_ins(self) -> None:
        for player, stack in self.floor.new:
            self.check.enters(player, stack)
        self.floor.new.clear()

    async def director(self) -> None:
        event = self.event
        assert event is not None
        for duty in list(event.instruction_by_number.values()):
            if duty.status is InstructionStatus.REFUSED:
                await self.look(duty.number)
        for proposal in sorted(self.desk.find_proposals(self.now), key=self.order_by_bust)[:1]:
            line = dict(proposal.line)
            match line["do"]:
                case "eliminate" if not line.get("sure", True):
                    if line["player"] in self.busts:
                        hand, stack = self.busts[line["player"]]
                        await self.try_(line | {"hand": hand, "stack": stack, "sure": True})
                case "late-entry":
                    assert line["player"] == self.waiting.pop(0), "alternates enter in order"
                    await self.try_(line)
                case _:
                    try:
                        await self.desk.confirm(proposal, "Dee")
                    except TournamentError:
                        if line["do"] not in ("go", "turn-up", "eliminate"):
                            raise
        await self.announce_hand_for_hand()

    def order_by_bust(self, proposal: Proposal) -> tuple[int, int]:
        """The director goes to the tables, and enters first what happened first."""
        player = proposal.line.get("player", "")
        return self.busts.get(player, (0, 0)) if proposal.line["do"] == "eliminate" else (0, 0)

    async def announce_hand_for_hand(self) -> None:
        event = self.event
        assert event is not None
        if self.check.together is (event.current_round is None):
            self.check.together = event.current_round is not None
            self.check.began.clear()
            self.check.done.clear()
        if (
            event.rules.hand_for_hand.value
            or event.current_round is not None
            or event.instruction_by_number
            or len(event.seat_count_by_table) < 2
        ):
            return
        if 0 < count_players_to_money(event) <= self.story.near:
            await self.write({"do": "hand-for-hand", "on": True}, "Dee")

    async def try_(self, line: Mapping[str, Any]) -> None:
        try:
            await self.write(line, "Dee")
        except TournamentError:
            if line["do"] != "eliminate":
                raise

    async def look(self, number: int) -> None:
        """The director goes to the table and sees what has become of a line."""
        assert self.event is not None
        duty = self.event.instruction_by_number[number]
        table = self.floor.tables[duty.table]
        seat = int(duty.script_line.get("seat", 0))
        there = seat in table.chairs and table.chairs[seat][0] == duty.player
        if duty.table in self.floor.down:
            return
        if duty.event_name == "leave" and not there and duty.player in table.left and duty.player in self.floor.way:
            stack, misses = table.left[duty.player]
            await self.write({"do": "by-hand", "duty": number, "stack": stack, "misses": misses}, "Dee")
        elif duty.event_name == "sit" and duty.player not in self.floor.way and duty.player in self.check.entered:
            await self.write({"do": "by-hand", "duty": number}, "Dee")
        elif duty.event_name == "penalty" and not there:
            await self.write({"do": "drop", "duty": number}, "Dee")
        else:
            await self.write({"do": "again", "duty": number}, "Dee")

    def all_done(self) -> None:
        """Where nothing is open any more, the chairs are as the lines have them, and the tables are balanced."""
        event = self.event
        assert event is not None
        if event.instruction_by_number or self.floor.down or self.changed or self.desk.find_busts():
            return
        if any(one.line["do"] not in ("go", "turn-up", "hand-for-hand") for one in self.desk.find_proposals(self.now)):
            return
        chairs = {
            chair[0]: (name, seat) for name, table in self.floor.tables.items() for seat, chair in table.chairs.items()
        }
        assert chairs == dict(event.seat_by_player), (
            f"{chairs.items() - event.seat_by_player.items()} {event.seat_by_player.items() - chairs.items()}"
        )
        if len(chairs) > 1:
            self.check.check_balance(event.seat_count_by_table)

    def at_the_end(self) -> None:
        event = self.event
        assert event is not None
        assert event.progress is not None
        finishes = event.progress.finishes()
        self.check.prizes(
            [(one.player, one.place, one.prize_cents) for one in finishes],
            event.progress.split_purse()[0],
            in_order=not self.story.links and not self.story.starts,
        )
        assert fold_lines(self.record.read_lines(STREAM), books) == event
        assert not self.waiting, "every alternate has played"


def play(story: Story) -> TournamentRun:
    played = TournamentRun(story)
    asyncio.run(played.play())
    return played


def main() -> None:
    words = argparse.ArgumentParser(description="Play whole tournaments over tables against a check of its own.")
    words.add_argument("--long", action="store_true", help="100 tables, all books, links lost, servers started again")
    words.add_argument("--seeds", type=int, default=1)
    options = words.parse_args()
    for seed in range(options.seeds):
        for book in BOOKS:
            story = Story(seed, 12, 100, book, alternates=6, links=10, starts=2)
            if options.long:
                story = Story(seed, 100, 900, book, alternates=40, links=8, starts=4)
            began = time.monotonic()
            played = play(story)
            lines = len(played.record.lines_by_stream[STREAM])
            print(  # noqa: T201
                f"{book}, seed {seed}: {story.tables} tables, {len(played.check.entered)} players, {lines} lines, "
                f"{played.floor.asks} requests, {played.check.moments} moments, {time.monotonic() - began:.1f} s"
            )


if __name__ == "__main__":
    main()
