"""A tournament of six hours at one table, through the loop and its journal: levels, breaks, colour-ups, cuts of power.

The hours are handed in. The program is killed again and again, in hands, in breaks, between; each time a new loop takes
the table up from the journal alone, after some time without power.
"""

import json
from collections import Counter
from pathlib import Path
from random import Random

from config.schedule_file import load_schedule
from config.table_file import load_table_file
from config.table_line import parse_table_line
from controller.app.table.session_start import resume_or_begin
from controller.core.protocol import events, vocabulary
from controller.core.tournament.tournament_clock import ClockReading, ClockStage
from controller.core.values.cards import build_deck
from controller.runtime.devices.device_bus import DeviceMap
from controller.runtime.devices.device_monitor import DeviceMonitor
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.recovery.journal_replay import compare_with_replay
from controller.runtime.loop.loop_parts import LoopParts
from controller.runtime.loop.table_loop import TableLoop
from controller.runtime.loop.table_view import LIVE, TableView
from controller.runtime.loop.tournament_timer import TournamentTimer

SCHEDULE = load_schedule("T2000")
TABLE = """
[table]
rulebook = "fish-n-chips"
game = "holdem"
betting = { structure = "no-limit" }
seats = [SEATS]
button = 1
[tournament]
schedule = "T2000"
[state]
directory = "state"
"""
SEATS = ", ".join(f'{{ seat = {seat}, player = "p{seat}", stack = 2000 }}' for seat in range(1, 10))
CARDS = sorted(build_deck())
MARKS = 40.0
"""From one mark of the timer to the next, in seconds."""
HAND = 600.0
"""From one riffle to the next, in seconds."""


class Room:
    """The table, its people, and a hand on the mains switch."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.now = 1000.0
        self.cuts = 0
        self.standings: list[TableView] = []
        (path.parent / "table.toml").write_text(TABLE.replace("SEATS", SEATS))
        self.file = load_table_file(path.parent / "table.toml")
        self.journal = Journal(path)
        self.journal.begin_run("boot", "test")
        self.loop = self._loop(power_lost=False)
        self.session = self.journal.list_sessions()[-1]

    def _loop(self, *, power_lost: bool) -> TableLoop:
        loop = TableLoop(
            resume_or_begin(self.journal, self.file, LIVE),
            self.journal,
            DeviceMap(),
            DeviceMonitor({}, {}),
            mode=LIVE,
            power_lost=power_lost,
            clock=lambda: self.now,
            parts=LoopParts(timer=TournamentTimer(starts_with_hand=True, marks=MARKS)),
        )
        loop.subscribe(self.standings.append)
        loop.start()
        return loop

    def cut(self, dark: float = 600.0) -> None:
        """The power goes and comes back; nothing is said good-bye to."""
        before = self.reading
        self.journal.close()
        self.now += dark
        self.journal = Journal(self.path)
        lost = self.journal.begin_run(f"boot {self.cuts}", "test")
        assert lost
        self.loop = self._loop(power_lost=lost)
        self.cuts += 1
        after = self.reading
        assert 0 <= before.elapsed_s - after.elapsed_s <= MARKS + 1
        self.pass_time(2)
        down = self.loop.outcome.state.faults
        assert self.standings[-1].power_lost or down
        for fault in down:  # the dealer has compared the table with the page
            self.enter(events.DeviceChanged(fault.rpartition(" ")[0], vocabulary.DeviceChange.BACK))

    @property
    def t(self) -> float:
        """The table's time."""
        return self.loop._time.to_table_time(self.now)

    @property
    def reading(self) -> ClockReading:
        timer = self.loop.outcome.state.tournament.timer
        assert timer is not None
        return timer.read(self.t)

    def pass_time(self, seconds: float) -> None:
        for _ in range(int(seconds)):
            self.now += 1
            self.loop.on_tick(self.now)

    def enter(self, event: events.Event) -> None:
        self.loop.submit_entry(event, "test")
        self.loop.handle_message(self.loop._inbox.get_nowait(), self.now)
        refusal = self.standings[-1].refusal
        assert refusal is None, refusal

    def play_hand(self) -> None:
        """Everybody folds, but for every eighth hand: the first to act goes all-in, the next calls and wins."""
        self.enter(events.HandStarted())
        stub = iter(Random(self.loop.outcome.state.hand_count).sample(CARDS, 52))
        number = self.loop.outcome.state.hand_count
        wagered: list[int] = []
        while self.loop.outcome.phase.value != "idle":
            shown = self.standings[-1].output_line
            if number % 9 == 0 and shown["piles"]["stub"] == 47 and shown["next"][0]["step"] == "deal":  # type: ignore[index]
                self.cut()
            self.pass_time(1)
            step = shown["next"][0]  # type: ignore[index]
            match step["step"]:
                case "deal" | "burn" | "board":
                    self.enter(events.CardDealt(next(stub)))
                case "act":
                    word = choice(step["options"], number, len(wagered))
                    wagered += [step["seat"]] if word in ("all-in", "call") else []
                    self.enter(events.PlayerActed(step["seat"], vocabulary.ActionType(word)))
                case "show":
                    self.enter(events.HandTabled(step["seat"]))
                case "award" if "amounts" not in step:
                    winner = next((seat for seat in reversed(wagered) if seat in step["seats"]), step["seats"][0])
                    self.enter(events.WinnerNamed(winner, step["pot"]))
                case _:
                    self.enter(events.StepConfirmed())


def choice(options: list[str], number: int, wagered: int) -> str:
    """What the seat whose turn it is does."""
    if number % 8 == 0 and wagered == 0:
        return "all-in"
    if number % 8 == 0 and wagered == 1:
        return "call" if "call" in options else "all-in"
    return "check" if "check" in options else "fold"


def test_six_hours(tmp_path: Path) -> None:
    """The lowest chip goes at the next break after it is no longer needed; new limits count from the next riffle.

    Covers: FC-10.play.1, FC-10.play.2
    """
    room = Room(tmp_path / "journal.sqlite")
    room.pass_time(120)
    assert room.loop.outcome.state.tournament.timer is None
    room.play_hand()
    levels: list[int] = []
    while room.reading.elapsed_s < 6 * 3600 and len(room.loop.outcome.state.seating.state_by_seat) > 1:
        began, reading = room.t, room.reading
        if reading.stage is ClockStage.BREAK:
            room.pass_time(min(60, reading.left_s))
            room.cut()
            if room.reading.stage is ClockStage.BREAK:
                room.pass_time(room.reading.left_s + 1)
            continue
        number = len(levels)
        if number % 11 == 5:
            room.enter(events.TimerChanged(vocabulary.TimerCommand.PAUSE))
            room.pass_time(400)
            room.cut()
            assert not room.reading.is_running
            assert room.reading.elapsed_s == reading.elapsed_s
        room.play_hand()
        assert room.reading.is_running
        hand = room.loop.outcome.state.hand_in_play
        stakes = hand.setup.stakes
        level = SCHEDULE.levels[reading.level_index]
        assert (stakes.small_blind, stakes.big_blind) == (level.small_blind, level.big_blind)
        levels.append(reading.level_index)
        room.pass_time(max(0.0, min(HAND - (room.t - began), room.reading.left_s + 1)))
    state = room.loop.outcome.state
    assert levels == sorted(levels)
    assert set(levels) == set(range(levels[-1] + 1))
    assert room.cuts >= 10
    assert state.tournament.coloured_out_chips == {5, 25}
    stacks = [chair.stack or 0 for chair in state.seating.state_by_seat.values()]
    assert all(stack % 100 == 0 for stack in stacks)
    assert 18_000 <= sum(stacks) < 18_000 + 9 * 25 + 9 * 100
    brought(room)
    checked = compare_with_replay(room.journal, room.session, parse_table_line)
    assert checked.first_difference is None
    assert checked.entry_count == checked.same_count + checked.unrecorded_count
    assert checked.unrecorded_count <= room.cuts + 2  # the table line, the last one before each cut, the newest
    room.journal.close()


def brought(room: Room) -> None:
    """Every level, break and colour-up came from the clock, once, in the order and at the times of the schedule."""
    found = [(entry.source, json.loads(entry.script_line)) for entry in room.journal.read_entries(room.session)]
    kinds = Counter(line["ev"] for _, line in found)
    last = room.loop.outcome.state.tournament.level_index
    assert {source for source, line in found if line["ev"] in ("level", "break", "colour-up")} == {"clock"}
    assert kinds["level"] == last
    over = last + room.loop.outcome.state.tournament.is_on_break
    assert kinds["break"] == sum(level.following_break is not None for level in SCHEDULE.levels[:over])
    assert kinds["colour-up"] == 2
    assert next(line for source, line in found if line["ev"] == "timer" and source == "clock")["set"] == "start"
