"""A tournament of six hours at one table: levels, breaks, colour-ups, players out; stopped and begun again on the way.

The hours are handed in. Whatever is kept is kept as lines: those of the table's script and those of the tournament's
record; after each stop both are built anew from their lines alone.
"""

import json
from dataclasses import dataclass, field, replace
from typing import Any

from config.rulebook_file import load as load_book
from config.schedule_file import load as load_schedule
from config.setup import open_table
from controller.core import view
from controller.core.outcome import Outcome
from controller.core.rules.tournament import OddChips
from controller.core.script import read, write
from controller.core.table import Table
from controller.core.tournament.clock import Stage
from controller.core.tournament.colour_up import colour_up
from controller.core.tournament.event import Tournament, after, opened

SCHEDULE = load_schedule("T2000")
PLAYERS = tuple(f"p{seat}" for seat in range(1, 10))
NEXT_CHIP = {5: 25, 25: 100}
HAND = 360.0


@dataclass
class Room:
    """The table, the tournament, and the lines that both can be built from."""

    script: list[str] = field(default_factory=list)
    record: list[str] = field(default_factory=list)
    table: Table = field(default_factory=Table)
    tournament: Tournament = field(default_factory=lambda: opened(SCHEDULE, PLAYERS, 40))
    answer: Outcome | None = None
    now: float = 0.0
    restarts: int = 0
    levels: list[int] = field(default_factory=list)

    def say(self, line: dict[str, Any]) -> Outcome:
        """A line for the table, kept first."""
        self.script.append(json.dumps(line | {"t": self.now}))
        self.answer = answered(self.table, self.script[-1])
        return self.answer

    def note(self, line: dict[str, Any]) -> None:
        """A line for the record."""
        self.record.append(json.dumps(line | {"at": self.now}))
        self.tournament = after(self.tournament, json.loads(self.record[-1]))

    def stopped(self) -> None:
        """The power fails: build everything anew from the lines, and find it as it was."""
        before = view.line(self.table.outcome, 0)
        table = Table()
        for line in self.script:
            outcome = answered(table, line)
        tournament = opened(SCHEDULE, PLAYERS, 40)
        for line in self.record:
            tournament = after(tournament, json.loads(line))
        assert view.line(outcome, 0) == before
        told = sum(json.loads(line)["ev"] == "level" for line in self.script)
        tournament = replace(tournament, clock=replace(tournament.clock, handed=told))
        assert tournament == self.tournament
        self.table, self.tournament = table, tournament
        self.restarts += 1


def answered(table: Table, line: str) -> Outcome:
    script = json.loads(line)
    if script["ev"] == "table":
        return table.handle(open_table(script))
    event = read(script)
    assert read(write(event)) == event
    return table.handle(event)


def play_hand(room: Room) -> None:
    """Everybody folds, but for every eighth hand: the first to act goes all-in, the next one calls and wins."""
    room.say({"ev": "start"})
    number = room.table.outcome.state.number
    wagered: list[int] = []
    while True:
        shown = view.line(room.table.outcome, 0)
        if shown["phase"] == "idle":
            return
        if number % 7 == 0 and shown["piles"]["stub"] == 47:
            room.stopped()
        step = shown["next"][0]
        match step["step"]:
            case "deal" | "burn" | "board":
                room.say({"ev": "card", "card": None})
            case "act":
                word = choice(step["options"], number, len(wagered))
                wagered += [step["seat"]] if word in ("all-in", "call") else []
                room.say({"ev": "act", "seat": step["seat"], "do": word})
            case "show":
                room.say({"ev": "show", "seat": step["seat"]})
            case "award" if "amounts" not in step:
                winner = wagered[-1] if wagered[-1] in step["seats"] else step["seats"][0]
                room.say({"ev": "won", "seat": winner, "pot": step["pot"]})
            case _:
                room.say({"ev": "done"})


def choice(options: list[str], number: int, wagered: int) -> str:
    """What the seat whose turn it is does."""
    if number % 8 == 0 and wagered == 0:
        return "all-in"
    if number % 8 == 0 and wagered == 1:
        return "call" if "call" in options else "all-in"
    return "check" if "check" in options else "fold"


def eliminate(room: Room, before: dict[int, int | None]) -> None:
    chairs = room.table.outcome.state.chairs
    for seat, stack in sorted(before.items(), key=lambda entry: entry[1] or 0):
        if seat not in chairs and stack:
            number = room.table.outcome.state.number
            room.note({"do": "eliminate", "player": f"p{seat}", "hand": number, "stack": stack})


def coloured_up(room: Room, chip: int) -> None:
    """The chips of a size leave the table at a break, by the book's way."""
    rule = load_book("fish-n-chips").tournament.odd_chips.value
    assert rule is OddChips.ROUND_UP
    stacks = {seat: chair.stack or 0 for seat, chair in room.table.outcome.state.chairs.items()}
    for seat, stack in colour_up(rule, stacks, chip, NEXT_CHIP[chip]).stacks.items():
        if stack != stacks[seat]:
            room.say({"ev": "stack", "seat": seat, "stack": stack})


def test_six_hours() -> None:
    """The lowest chip goes at the next break after it is no longer needed.

    Covers: FC-10.play.2
    """
    room = Room()
    stakes = {"structure": "no-limit", "small_blind": 5, "big_blind": 10, "chip": 5}
    seats = [{"seat": seat, "player": f"p{seat}", "stack": 2000} for seat in range(1, 10)]
    line = {"ev": "table", "rulebook": "fish-n-chips", "game": "holdem", "betting": stakes, "button": 1}
    room.say(line | {"seats": seats, "house": {"schedule": "T2000"}})
    room.note({"do": "start"})
    out: set[int] = set()
    breaks: list[int] = []
    while room.now < 6 * 3600 and len(room.table.outcome.state.chairs) > 1:
        reading = room.tournament.clock.read(room.now)
        if reading.stage is Stage.BREAK:
            breaks.append(reading.level)
            assert reading.pause is not None
            for chips in reading.pause.colour_out:
                if chips.chip in NEXT_CHIP and chips.chip not in out:
                    out.add(chips.chip)
                    coloured_up(room, chips.chip)
            room.stopped()
            room.now += reading.left
            continue
        clock, due = room.tournament.clock.due(room.now)
        room.tournament = replace(room.tournament, clock=clock)
        for _ in range(due):
            room.say({"ev": "level"})
        before = {seat: chair.stack for seat, chair in room.table.outcome.state.chairs.items()}
        play_hand(room)
        stakes_now = room.table.outcome.state.setup.betting
        level = SCHEDULE.levels[room.tournament.clock.read(room.now).level]
        assert (stakes_now.small_blind, stakes_now.big_blind) == (level.small_blind, level.big_blind)
        room.levels.append(level.big_blind)
        eliminate(room, before)
        room.now += HAND
    assert room.now >= 6 * 3600
    assert breaks == [2, 6, 10]
    assert len(room.tournament.out) > 3
    assert room.restarts > len(breaks) + 3
    assert room.levels == sorted(room.levels)
    state = room.table.outcome.state
    total = sum(chair.stack or 0 for chair in state.chairs.values())
    assert 18_000 <= total < 18_000 + 9 * 25 + 9 * 100
    assert all((chair.stack or 0) % 25 == 0 for chair in state.chairs.values())
    assert {finish.player for finish in room.tournament.finishes()} >= set(PLAYERS) - {
        chair.player for chair in state.chairs.values()
    }
