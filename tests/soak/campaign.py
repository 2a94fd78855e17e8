"""The soak: lives of one table, one after the other, on one journal; what is measured, and what is a failure.

A third of the hands is one evening of hold'em in which the program never ends. Then every book and game in turn, each a
session of its own with its share of trouble: restarts, `kill -9` in mid-hand, an update to a program that words its
answers otherwise and the way back, a reader or a board without its cable, midnight. The last hands are hold'em again.
"""

import json
import select
import shutil
import struct
import subprocess
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from statistics import median

from benchmarks.event_cost import measure_yardstick_us
from config import rulebook_file
from config.table_file import DEMO_FILE, load_table_file
from config.table_line import parse_table_line
from controller.app.simulation.simulation_controls import make_table_line
from controller.core.values.cards import build_deck
from controller.runtime.devices.deck_list_formats import parse_deck_list
from controller.runtime.devices.deck_store import DeckStore
from controller.runtime.storage.state_directory import TABLE_DATABASE_FILE
from tests.soak.comparison import Round, Slower, at_99, compare
from tests.soak.far_ends import Board, Reader
from tests.soak.people import LAMPS_WATCHED, PRESS, STACK, NoReactionError, People
from tests.soak.program import Page, Program, TableEndedError, Use
from tests.tree_copy import copy_tree

ROOT = Path(__file__).parents[2]
PACKAGES = ("controller", "config", "drivers", "firmware_bridge")
PAIRS = [
    (book, game) for book in sorted(rulebook_file.list_rulebooks()) for game in rulebook_file.load_rulebook(book).games
]
MIN_HANDS = 2
"""Hands of a book and game: one before its trouble, one after."""

SEATS = (1, 2, 4, 5, 7)
"""Where people sit; with fewer of them a hand has fewer entries, and a year of hands takes less time."""
KEYS = {key: number for number, key in enumerate(PRESS)}
ROLES = ("deal", "act", "attention", "button", "small_blind", "big_blind")
LAMPS = {role: {seat: 8 * place + seat - 1 for seat in range(1, 9)} for place, role in enumerate(ROLES)}
DAY = 86_400.0
CONFIRM_SECONDS = 30.0

MANY_HANDS = 10_000
"""From so many hands on every book and game has two troubles, and not one."""

LOOK_HANDS = 25
"""How often it is looked at what the program holds."""

SETTLED_HANDS = 200
"""From which hand of a life on the program holds what it needs: its caches are full, its pages have been touched."""

SAMPLES_KEPT = 4_000

WARM_HANDS = 20
COMPARED_ROUNDS, COMPARED_HANDS = 40, 4
COMPARED_LAMPS = 0.4
"""An old table and a young one play so many hands in turns, so many times; so many of the lamps are waited for."""

ROWS = (1_000, 3_000, 10_000, 30_000, 100_000)

MEMORY_SPREAD = 2 * 1024 * 1024
MAX_STEP = 2 * MEMORY_SPREAD
"""Once in a life the heap may take so much more and stay there: what leaks goes on growing after it."""
LOOKS_TO_JUDGE = 4
"""So many looks in a row see what has grown; a single one sees what a busy machine holds open for a moment, too."""
MAX_START_S = 1.0
LAST_STARTS = 5
"""Of so many the quickest counts."""
MAX_START_OF_ALL_S = 2.0
"""No start takes so long, on a machine that others use either: one that does reads what grows with the session."""
YARDS, QUIET_YARDSTICK = 200, 12.0
"""A processor that others use too does less in a second: microseconds that the loop of the benchmarks takes on none."""
SLOWEST_AT_THE_END = 1.1


def find_growth(settled: Use, uses: Sequence[Use]) -> list[str]:
    """Say what is more than when the program had settled, at each of the last `LOOKS_TO_JUDGE` looks."""
    if len(uses) < LOOKS_TO_JUDGE:
        return []
    grown = min(use.own for use in uses) - settled.own
    found = [f"memory is not flat: {grown / 1024:+.0f} KiB"] if grown > MEMORY_SPREAD else []
    for what in ("descriptors", "threads"):
        before, now = getattr(settled, what), min(getattr(use, what) for use in uses)
        if now > before:
            found.append(f"{what} are not flat: {now}, and {before} when settled,")
    return found


class MemorySteps:
    """The one step of memory that a life may take, from where it settled."""

    def __init__(self) -> None:
        self._is_taken = False

    def allow(self, settled: Use, uses: Sequence[Use]) -> Use:
        """Return from where the next growth counts: from the level of `uses` if this is the step of the life."""
        level = min(use.own for use in uses)
        if self._is_taken or not MEMORY_SPREAD < level - settled.own <= MAX_STEP:
            return settled
        self._is_taken = True
        return replace(settled, own=level)


@dataclass(slots=True)
class Tally:
    """What was seen so far; bytes are sums, times are seconds."""

    hands: int = 0
    events: int = 0
    refused: int = 0
    given: int = 0
    device: int = 0
    journal: int = 0
    starts: list[float] = field(default_factory=list)
    start_work: list[float] = field(default_factory=list)
    """Seconds of a processor that each start took, less what that was slower by: what it takes on a quiet machine."""
    troubles: dict[str, int] = field(default_factory=dict)
    rows: list[dict[str, float]] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    slow: list[str] = field(default_factory=list)
    """Limits of time that were passed: a failure too, but one that the machine may have to answer for."""
    memory: list[float] = field(default_factory=list)
    """The widest distance of each life's memory from what it was when settled, in bytes."""
    compared: dict[str, dict[str, Slower]] = field(default_factory=dict)
    """p99s of a table that has played long over those of one that has just begun."""

    def count(self, trouble: str) -> None:
        self.troubles[trouble] = self.troubles.get(trouble, 0) + 1

    def fail(self, why: str) -> bool:
        """Keep what failed; return whether it is news."""
        news = why not in self.failures and len(self.failures) < 40
        self.failures += [why] if news else []
        return news


def choose_pairs(hands: int, seed: int) -> list[tuple[str, str]]:
    """Return the books and games that so many hands suffice for: all, or each nth of them, the first by the seed."""
    step = -(-len(PAIRS) // max(hands // MIN_HANDS, 1))
    return PAIRS[seed % step :: step]


class Soak:
    """One table with its far ends, in the folder `work`."""

    def __init__(
        self,
        work: Path,
        hands: int,
        seed: int,
        say: Callable[[str], None],
        *,
        players: int = len(SEATS),
        beside: "Soak | None" = None,
    ) -> None:
        """Lay the table out; `say` is told of the rows as they come. The table `beside` it must go on living."""
        self.work = work
        self._seats = SEATS[:players]
        self.hands = hands
        self.tally = Tally()
        self._say = say
        self._seed = seed
        self._begun = time.monotonic()
        (work / "dev").mkdir(parents=True)
        (work / "state").mkdir()
        file = load_table_file(DEMO_FILE)
        assert file.simulation.deck_list is not None
        self._line = file.table_line
        listed = parse_deck_list("soak", file.simulation.deck_list.read_text(encoding="utf-8"))
        self._reader = Reader(work / "dev" / "shoe", {card: tag for tag, card in listed.card_by_tag.items()})
        self._board = Board(work / "dev" / "board", KEYS, LAMPS)
        self._ends: list[Reader | Board] = [] if beside is None else beside._ends
        self._ends += (self._reader, self._board)
        self._config = work / "table.toml"
        self._set("roberts-7", "holdem")
        decks = DeckStore(work / "state" / TABLE_DATABASE_FILE)
        decks.register(listed)
        decks.close()
        self._clock = _clock(work)
        self._program: Program | None = None
        self._people: People | None = None
        self._build = ROOT
        self._other = ROOT
        self._lives = 0
        self._stub: Sequence[str] = ()
        self._settled: Use | None = None
        self._uses: deque[Use] = deque(maxlen=LOOKS_TO_JUDGE)
        self._steps = MemorySteps()
        self._files = 0
        """How many files of the journal were closed when the program had settled."""
        self._file_settled = False
        self._hands_of_life = 0
        self._seen: Use | None = None
        self._wires_before = self._log_before = 0
        self._to_lamp: list[float] = []
        self._to_page: list[float] = []

    def _fail(self, why: str) -> None:
        if self.tally.fail(why):
            self._say(f"FAILED {why}")

    def _too_slow(self, why: str) -> None:
        self.tally.slow.append(why)
        self._say(f"TOO SLOW {why}")

    # A life of the program

    @property
    def _page(self) -> Page:
        assert self._program is not None
        assert self._program.page is not None
        return self._program.page

    def _live(self, listening: int | None) -> None:
        near = [end.wire.near for end in self._ends if end.wire.near >= 0]
        select.select(near if listening is None else [*near, listening], [], [], 0.001)
        for end in self._ends:
            end.live()

    def start(self, guest: bool = False) -> None:
        for end in (self._reader, self._board):
            end.wire.unplug()
            end.wire.plug()
        self._program = Program(self._build, self._config, self.work, self._clock, self._live)
        self.tally.starts.append(self._program.started_after)
        slower = max(1.0, median(measure_yardstick_us() for _ in range(YARDS)) / QUIET_YARDSTICK)
        self.tally.start_work.append(self._program.start_work / slower)
        self._lives += 1
        self._people = People(self._page, self._reader, self._board, self._cards, self._seed + self._lives, guest=guest)
        self._people.go_on_with(self._stub)
        self._settled, self._seen, self._hands_of_life = None, self._program.use(), 0
        self._wires_before, self._log_before = self._count_wire_bytes(), 0
        self._until_well()
        self._people.confirm()
        self._until_well()

    def end(self, *, kill: bool = False) -> None:
        """End the program; what is on the table stays there."""
        if self._program is None:
            return
        assert self._people is not None
        self._look()
        self._stub = self._people.stub
        self._gather()
        self.tally.refused += self._people.refused
        self.tally.events += self._people.events
        status = self._program.kill() if kill else self._program.stop()
        if not kill and status:
            self._fail(f"the table ended with {status}: {self._program.last_words()}")
        self._program = self._people = None

    def leave(self) -> None:
        """Leave nothing behind that runs, or that the far ends of another table would look after."""
        if self._program is not None:
            self._program.kill()
        self._program = self._people = None
        for end in (self._reader, self._board):
            end.wire.unplug()
            self._ends.remove(end)

    def play(self, hands: int) -> None:
        """Play on, and look now and then."""
        assert self._people is not None
        for _ in range(hands):
            self._people.hand()
            self.tally.hands += 1
            self._hands_of_life += 1
            if self._hands_of_life % LOOK_HANDS == 0:
                self._look()
            if self.tally.hands in ROWS:
                self._row()

    def _gather(self) -> None:
        """Take the samples of the people."""
        assert self._people is not None
        self._to_lamp = (self._to_lamp + self._people.to_lamp)[-SAMPLES_KEPT:]
        self._to_page = (self._to_page + self._people.to_page)[-SAMPLES_KEPT:]
        self._people.to_lamp.clear()
        self._people.to_page.clear()

    def _look(self) -> None:
        program = self._program
        assert program is not None
        program.drain()
        use, before = program.use(), self._seen
        assert before is not None
        wires, logged = self._count_wire_bytes(), program.count_log_bytes()
        self.tally.given += use.given - before.given - (wires - self._wires_before) - (logged - self._log_before)
        self.tally.device += use.device - before.device
        self._seen, self._wires_before, self._log_before = use, wires, logged
        self._gather()
        if self._hands_of_life < SETTLED_HANDS:
            return
        files = len(list((self.work / "state").glob("journal-*.sqlite")))
        if self._settled is None:
            self._settled, self._files, self._file_settled = use, files, False
            self._steps = MemorySteps()
            self._uses.clear()
            self.tally.memory.append(0.0)
        if files > self._files and not self._file_settled:
            # The first file of a life that is closed costs some MiB once, in the heap of C, and no later one does.
            self._settled, self._file_settled = use, True
            self._uses.clear()
        self._uses.append(use)
        self.tally.memory[-1] = max(self.tally.memory[-1], abs(use.own - self._settled.own))
        if len(self._uses) == LOOKS_TO_JUDGE:
            self._settled = self._steps.allow(self._settled, self._uses)
        for what in find_growth(self._settled, self._uses):
            self._fail(f"life {self._lives}: {what} after {self._hands_of_life} hands")
            self._settled = use

    def _count_wire_bytes(self) -> int:
        return self._reader.wire.heard + self._board.wire.heard

    def _until_well(self) -> None:
        """Wait until every device is there, and nothing but a person's word is missing."""

        def well() -> bool:
            shown = self._page.shown
            down = [fault for fault in shown["faults"] if fault["code"] != "power-lost"]
            return not down and all(device["state"] == "ready" for device in shown["devices"])

        if not self._page.wait(well, CONFIRM_SECONDS):
            shown = self._page.shown
            raise NoReactionError(f"devices do not come back: {shown['devices']}, {shown['faults']}")

    # The set-up

    def _set(self, book: str, game: str) -> None:
        """Write the table's file for a book and a game."""
        line = make_table_line(self._line, game, book)
        line["seats"] = [{"seat": seat, "player": f"P{seat}", "stack": STACK} for seat in self._seats]
        line["places"] = 8
        line["discards"] = "first"  # so that no winner is to be named: the panel has no key for it
        if "button" in line:
            line["button"] = SEATS[0]
        setup = parse_table_line(line).setup
        self._cards = build_deck(setup.deck_size, setup.has_joker)
        parts: dict[str, Mapping[str, object]] = {
            "table": {key: value for key, value in line.items() if key != "ev"},
            "state": {"directory": str(self.work / "state")},
            "shoe": {"deck": "soak", "reader": "shoe"},
            "device.shoe": {"driver": "rdm6300", "model": "id-12la", "port": str(self._reader.wire.link)},
            "device.board": {"driver": "bridge", "port": str(self._board.wire.link), "gate": True},
            "device.board.keys": KEYS,
            "device.board.outputs": LAMPS,
            "keys.board": PRESS,
            "page": {"host": "127.0.0.1", "port": 8080},
        }
        text = ""
        for name, keys in parts.items():
            text += f"[{name}]\n" + "".join(f"{key} = {_toml(value)}\n" for key, value in keys.items()) + "\n"
        self._config.write_text(text, encoding="utf-8")

    # The troubles

    def restart(self) -> None:
        self.end()
        self.start()

    def kill(self) -> None:
        """`kill -9` in mid-hand; the hand is played to its end afterwards."""
        assert self._people is not None
        self._people.into_hand(7)
        before = _select_comparable_state(self._page)
        self.end(kill=True)
        self.start()
        if (after := _select_comparable_state(self._page)) != before:
            self._fail(f"after a kill the table stands otherwise: {before} and {after}")
        self.play(1)

    def update(self) -> None:
        """Another program takes the table up, between hands, and gives it back; neither may lose a stack."""
        assert self._people is not None
        for build in (self._other, ROOT):
            self._people.mistake()
            before = _select_comparable_state(self._page)
            self.end()
            self._build = build
            self.start()
            if (after := _select_comparable_state(self._page)) != before:
                self._fail(f"after an update the table stands otherwise: {before} and {after}")
            self.play(2)

    def unplug_reader(self) -> None:
        self._unplug(self._reader)

    def unplug_board(self) -> None:
        self._unplug(self._board)

    def _unplug(self, end: Reader | Board) -> None:
        assert self._people is not None
        self._people.into_hand(4)
        end.wire.unplug()
        if not self._page.wait(lambda: self._page.table["phase"] == "halted", CONFIRM_SECONDS):
            raise NoReactionError("the table goes on without a device that it needs")
        end.wire.plug()
        if isinstance(end, Board):
            end.restart()
        self._until_well()
        self.play(1)

    def midnight(self) -> None:
        """The day changes between two hands."""
        if name := self._clock.get("SOAK_CLOCK"):
            with Path(name).open("r+b") as file:
                ahead = struct.unpack("d", file.read(8))[0]
                file.seek(0)
                file.write(struct.pack("d", ahead + DAY))

    # The whole

    def run(self) -> Tally:
        """Run it to its end, or to the first thing that stops the table."""
        self._other = _other_build(self.work)
        if not self._clock:
            self._say("no C compiler: midnight never comes in this soak")
        first, last = self.hands // 3, self.hands // 10
        troubles = (self.restart, self.kill, self.update, self.unplug_reader, self.midnight, self.unplug_board)
        try:
            self._evening(first, "after an evening")
            between = self.hands - first - last
            pairs = choose_pairs(between, self._seed)
            each = between // len(pairs)
            for number, (book, game) in enumerate(pairs):
                self._set(book, game)
                self.start(guest=number % 2 == 1)
                share = 2 if self.hands >= MANY_HANDS else 1
                for part in range(share):
                    self.play(each // (share + 1))
                    trouble = troubles[(number + 3 * part) % len(troubles)]
                    trouble()
                    self.tally.count(trouble.__name__)
                self.play(each // (share + 1))
                self.end()
            self._evening(max(1, self.hands - self.tally.hands), "after everything")
        except (TableEndedError, NoReactionError, OSError) as why:
            self._fail(f"hand {self.tally.hands}: {type(why).__name__}: {why}")
        finally:
            self.leave()
        self._judge()
        self._row()
        return self.tally

    def _evening(self, hands: int, what: str) -> None:
        """Hold'em without an end; then the table is compared with one that has just begun."""
        self._set("roberts-7", "holdem")
        self.start()
        self.play(hands)
        rounds: dict[str, list[Round]] = {"lamp": [], "page": []}
        for _ in range(2):  # twice as much of it where it seems slower
            self._against_a_young_one(rounds)
            slower = {to: compare(times) for to, times in rounds.items()}
            if all(each.at_least <= SLOWEST_AT_THE_END for each in slower.values()):
                break
        for to, each in slower.items():
            told = f"p99 from a card to the {to}, {what}: {each.measured} x that of a table that has just begun"
            self._say(f"{told} (at least {each.at_least})")
            if each.at_least > SLOWEST_AT_THE_END:
                self._too_slow(f"{told}, at most {SLOWEST_AT_THE_END}")
        self.tally.compared[what] = slower
        self.end()

    def _against_a_young_one(self, rounds: Mapping[str, list[Round]]) -> None:
        """Play in turns with a table that has just begun."""
        work = self.work / "young"
        young = Soak(work, 0, self._seed, lambda _: None, players=len(self._seats), beside=self)
        both: list[Soak] = [self, young]
        try:
            young.start()
            young.play(WARM_HANDS)
            for each in both:
                each.watch_lamps(COMPARED_LAMPS)
                each.times()
            for _ in range(COMPARED_ROUNDS):
                for each in both:
                    each.play(COMPARED_HANDS)
                old, new = self.times(), young.times()
                for to, times in rounds.items():
                    times.append((old[to], new[to]))
            young.end()
        finally:
            young.leave()
        shutil.rmtree(work)
        self.watch_lamps(LAMPS_WATCHED)

    def times(self) -> dict[str, list[float]]:
        """Take the times that were measured since last asked, in seconds: from a card to a lamp, and to the page."""
        self._gather()
        found = {"lamp": self._to_lamp, "page": self._to_page}
        self._to_lamp, self._to_page = [], []
        return found

    def watch_lamps(self, share: float) -> None:
        """Wait for the lamp after this share of the cards."""
        assert self._people is not None
        self._people.lamps_watched = share

    def _judge(self) -> None:
        last = min(self.tally.start_work[-LAST_STARTS:], default=0.0)
        if last > MAX_START_S:
            self._too_slow(f"a start takes {last:.2f} s of a processor, more than {MAX_START_S:g} s")
        longest = max(self.tally.start_work, default=0.0)
        if longest > MAX_START_OF_ALL_S:
            self._too_slow(f"a start took {longest:.2f} s of a processor, more than {MAX_START_OF_ALL_S:g} s")

    def _row(self) -> None:
        tally = self.tally
        journal = sum(path.stat().st_size for path in (self.work / "state").glob("journal*"))
        hands = max(1, tally.hands)
        row = {
            "hands": tally.hands,
            "seconds": round(time.monotonic() - self._begun),
            "rss_mib": round(self._seen.rss / 1024 / 1024, 1) if self._seen else 0.0,
            "descriptors": self._seen.descriptors if self._seen else 0,
            "start_s": round(tally.start_work[-1], 2) if tally.start_work else 0.0,
            "lamp_p99_ms": round(at_99(self._to_lamp) * 1000, 1),
            "page_p99_ms": round(at_99(self._to_page) * 1000, 1),
            "given_kb": round(tally.given / hands / 1000, 1),
            "device_kb": round(tally.device / hands / 1000, 1),
            "journal_kb": round(journal / hands / 1000, 1),
        }
        if not tally.rows:
            self._say("".join(f"{name:>13}" for name in row))
        tally.rows.append(row)
        self._say("".join(f"{value:>13}" for value in row.values()))


def report(tally: Tally) -> str:
    """Say how it went."""
    lines = [
        f"{len(tally.starts)} starts, at most {max(tally.start_work, default=0):.2f} s of a processor; "
        f"{median(tally.starts or [0]):.2f} s on this busy machine (median)",
        f"troubles: {', '.join(f'{count} {name}' for name, count in tally.troubles.items()) or 'none'}",
        f"memory of {len(tally.memory)} lives: at most {max(tally.memory, default=0) / 1024:.0f} KiB away",
        f"{tally.events} events, {tally.refused} refused",
    ]
    slow = [f"TOO SLOW {why}" for why in tally.slow]
    return "\n".join(lines + ([f"FAILED {why}" for why in tally.failures] or ["nothing failed"]) + slow)


def as_json(tally: Tally) -> str:
    """Write down everything that was measured."""
    return json.dumps(asdict(tally), indent=1) + "\n"


def _select_comparable_state(page: Page) -> Mapping[str, object]:
    kept = ("hand", "next", "piles", "board", "stacks", "pots", "bets", "lamps")
    return {key: page.table.get(key) for key in kept}


def _toml(value: object) -> str:
    match value:
        case Mapping():
            return "{ " + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + " }"
        case list() | tuple():
            return "[" + ", ".join(_toml(item) for item in value) + "]"
        case _:
            return json.dumps(value)


def _clock(work: Path) -> dict[str, str]:
    """Build the clock whose day can change; nothing where nothing can be built."""
    if shutil.which("cc") is None:
        return {}
    library, ahead = work / "clock.so", work / "ahead"
    source = Path(__file__).with_name("clock.c")
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", str(library), str(source), "-ldl"], check=True)
    ahead.write_bytes(struct.pack("d", 0.0))
    return {"LD_PRELOAD": str(library), "SOAK_CLOCK": str(ahead)}


def _other_build(work: Path) -> Path:
    """Make a program that says the same in other words."""
    other = work / "other"
    copy_tree(PACKAGES, other)
    errors = other / "controller" / "core" / "protocol" / "table_error.py"
    said, reworded = "self.message = message\n", 'self.message = f"{message} (in other words)"\n'
    text = errors.read_text(encoding="utf-8")
    assert said in text
    errors.write_text(text.replace(said, reworded), encoding="utf-8")
    return other
