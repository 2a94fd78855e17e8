"""The campaign: tables of all books and games that are killed, cut off and failed by their disk, again and again.

Each life of a table is a process (`player`) that is forked, told what will happen to it, and heard. The next life must
find everything that was acknowledged, and stand as a table that was never interrupted (`standing`).
"""

import errno
import gc
import itertools
import json
import logging
import math
import multiprocessing
import os
import random
import re
import select
import shutil
import signal
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

from config import rulebook_file
from config.table_file import DEMO_FILE, TableFile, load_table_file
from config.table_line import parse_table_line
from controller.runtime.journal.proof.head_file import HeadFile
from tests.core.arbitrary import games_of, story, table_line
from tests.crash.cut import cut
from tests.crash.damage import HARMFUL, HARMLESS
from tests.crash.disk import DiskMishap, Step
from tests.crash.player import Life, live
from tests.crash.standing import UninterruptedTable, format_lasting_state

PATIENCE = 60.0
"""Seconds after which a life that says nothing hangs."""

ENTRIES = 150
"""So many entries, about, make a table old."""

CRASHES_OF_A_TABLE = 40

ERRORS = (errno.ENOSPC, errno.EIO, errno.EROFS, errno.EDQUOT)
PLACES = {
    "": (60, 80),
    "journal.tail": (12, 80),
    "journal.sqlite-wal": (10, 20),
    "journal.sqlite": (8, 20),
    "journal.head": (8, 20),
    "hand.key": (10, 8),
    "snapshot": (10, 4),
    "journal-": (10, 1),
    "-shm": (4, 6),
}
"""Where something happens: on files whose name holds the word, how often, and at which change of them at the latest."""


@dataclass(slots=True)
class Tally:
    """What came out; merged over all tables."""

    kills: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    said: Counter[str] = field(default_factory=Counter)
    games: Counter[str] = field(default_factory=Counter)
    """Kills and faults of each game."""
    entries: int = 0
    hands: int = 0
    taken_back: int = 0
    clocks_back: int = 0
    starts: list[float] = field(default_factory=list)
    """Milliseconds."""
    lost: list[str] = field(default_factory=list)
    differ: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    """Whatever else must not be: an end without a sentence, a chain that does not fit, a start that is refused."""

    @property
    def crashes(self) -> int:
        return self.kills.total() + self.faults.total()

    def add(self, other: "Tally") -> None:
        """Take the figures of another table."""
        for name in ("kills", "faults", "said", "games"):
            getattr(self, name).update(getattr(other, name))
        for name in ("entries", "hands", "taken_back", "clocks_back"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("starts", "lost", "differ", "wrong"):
            getattr(self, name).extend(getattr(other, name))

    def start_ms(self, part: float) -> float:
        """The time that this part of the starts took at most, in milliseconds."""
        ordered = sorted(self.starts)
        return ordered[min(len(ordered) - 1, math.ceil(part * len(ordered)) - 1)] if ordered else math.nan


@dataclass(slots=True)
class LifeReport:
    """What a life told before its end."""

    lines: list[list[str]] = field(default_factory=list)
    killed: bool = False
    hangs: bool = False

    def first(self, kind: str) -> str | None:
        return next((" ".join(line[1:]) for line in self.lines if line[0] == kind), None)

    @property
    def end(self) -> tuple[str, str]:
        """How it ended, where it could say so."""
        return next(((line[0], " ".join(line[1:])) for line in self.lines if line[0] in "QDEVX"), ("", ""))


def kinds() -> list[tuple[str, str]]:
    """Every book with each of its games."""
    return [(book, game) for book in rulebook_file.list_rulebooks() for game in games_of(book)]


def table_of(book: str, game: str, chance: random.Random) -> TableFile:
    """Any table of a book and a game."""
    forced = iter((rulebook_file.list_rulebooks().index(book), games_of(book).index(game)))

    def pick(bound: int) -> int:
        first = next(forced, None)
        return chance.randrange(bound) if first is None else first

    line = table_line(pick)
    return replace(load_table_file(DEMO_FILE), table_line=line)


class CrashedTable:
    """One table in a directory of its own, through all its lives."""

    def __init__(self, book: str, game: str, seed: int, folder: Path, *, careless: bool = False) -> None:
        self.chance = random.Random(f"{book} {game} {seed}")
        self.file = table_of(book, game, self.chance)
        self.careless = careless
        self.name, self.seed = f"{book} {game}", seed
        self.directory = folder / "table"
        self.directory.mkdir()
        self.undo = folder / "undo"
        self.undo.mkdir()
        self.copy = folder / "copy"
        self.truth = UninterruptedTable()
        self.tally = Tally()
        self.was_cut = False
        """Whether the power was cut and nothing written since: `journal.head` may then be older than the journal."""
        self.clocks_back = 0
        self.last_end: str | None = None
        """How the life before ended, where it had started: `Q`, or something else."""
        parse_table_line({**self.file.table_line, "t": 0.0})  # its rules are read once, and not by every life
        self.slow = self.chance.random() < 0.4

    def age(self) -> Tally:
        """Live and die until the table is old."""
        limit = self.chance.randint(30, ENTRIES)
        while (
            self.truth.found.entry_count < limit and self.tally.crashes < CRASHES_OF_A_TABLE and not self._has_failed()
        ):
            self._one_life()
            if self.chance.random() < 0.15:
                self._damage_a_copy()
        self._one_life(last=True)
        self.tally.entries += self.truth.found.entry_count
        self.tally.hands += self.truth.hands
        self.tally.clocks_back += self.clocks_back
        self.tally.games[self.name] += self.tally.crashes
        return self.tally

    def _has_failed(self) -> bool:
        return bool(self.tally.lost or self.tally.differ or self.tally.wrong)

    def _one_life(self, *, last: bool = False) -> None:
        how = "end" if last else "power cut" if self.careless else self.chance.choices(list(HOW), list(HOW.values()))[0]
        step, undo = Step(), None
        word = self.chance.choices(list(PLACES), [often for often, _ in PLACES.values()])[0]
        nth = self.chance.randint(1, PLACES[word][1])
        if how in ("killed at a step", "power cut"):
            step = Step(
                self.chance.choice((DiskMishap.KILL_BEFORE, DiskMishap.KILL_WITHIN, DiskMishap.KILL_AFTER)), nth, word
            )
            undo = self.undo if how == "power cut" else None
        elif how == "write fault":
            what = self.chance.choice((DiskMishap.FAIL_ONCE, DiskMishap.FAIL_FROM_THEN_ON, DiskMishap.WRITE_SHORT))
            step = Step(what, nth, word, self.chance.choice(ERRORS))
        life = Life(
            self.chance.randrange(1 << 30),
            events=0 if last else 80 if step.nth and PLACES[word][1] < 20 else 24,
            careless=self.careless,
            verifies=last or self.chance.random() < 0.25,
            step=step,
            undo=undo,
            clock=self.chance.choice((0, 0, 0, 86_400, 90_000, -40_000, -86_400 * 400, 86_400 * 3000)),
            snapshot_entries=500 if self.slow else 20,
            file_records=100_000 if self.slow else 120,
        )
        told = self._run_life(life, self.directory, how)
        self.was_cut = (undo is not None and told.killed) or (self.was_cut and told.first("R") is None)
        if told.killed:
            where = f", {step.word or 'any file'}" if step.nth else ""
            self.tally.kills[how + where] += 1
        if undo is not None:
            if told.killed:
                self.tally.taken_back += cut(self.directory, undo, self.chance)
            for path in undo.iterdir():
                path.unlink()
        self._judge(told, how, step)

    def _run_life(self, life: Life, directory: Path, how: str) -> LifeReport:
        """Fork a life, hear it, kill it if that is how it is to end."""
        reader, writer = os.pipe()
        child = os.fork()
        if not child:
            os.close(reader)
            try:
                live(life, directory, self.file, writer)
            finally:
                os._exit(0)
        os.close(writer)
        told, heard = LifeReport(), b""
        wanted = self.chance.randint(1, 16) if how == "killed" else -1
        dies_at = time.monotonic() + PATIENCE
        if how == "killed at its start":
            dies_at = time.monotonic() + self.chance.random() ** 2 * 0.06
        while True:
            ready, _, _ = select.select([reader], [], [], max(0.0, dies_at - time.monotonic()))
            data = os.read(reader, 1 << 16) if ready else b""
            if ready and not data:
                break
            heard += data
            if 0 < wanted <= heard.count(b"\nA "):
                wanted, dies_at = -1, time.monotonic() + self.chance.random() ** 2 * 0.004
            if time.monotonic() >= dies_at:
                told.hangs = how not in ("killed", "killed at its start")
                os.kill(child, signal.SIGKILL)
                dies_at = time.monotonic() + PATIENCE
        os.close(reader)
        _, status = os.waitpid(child, 0)
        told.killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        if os.WIFSIGNALED(status) and not told.killed:
            self._wrong(f"ended by signal {os.WTERMSIG(status)}")
        told.lines = [line.split(" ") for line in heard.decode().split("\n")[:-1]]
        return told

    def _judge(self, told: LifeReport, how: str, step: Step) -> None:
        kind, sentence = told.end
        faults = int(told.first("F") or 0)
        if faults:
            self.tally.faults[f"{step.what.name}, {step.word or 'any file'}"] += 1
        if told.hangs:
            self._wrong(f"{how}: it hangs")
        if kind in "EVX" and kind:
            self._wrong(f"{how} {step}: {kind} {sentence}")
        if kind == "D":
            self.tally.said[_without_path(sentence)] += 1
            if not faults:
                self._wrong(f"{how} {step}: it stopped without a fault: {sentence}")
        self._compare(told, self.last_end)
        if told.first("R") is not None:
            self.last_end = kind if kind == "Q" else None if told.first("N") is not None else "cut"
        elif self.last_end == "Q":
            self.last_end = None  # whether its run was recorded cannot be known
        for line in told.lines:
            if line[0] == "I":
                self.truth.lines[int(line[1])] = json.loads(" ".join(line[2:]))
                self.truth.digests.pop(int(line[1]), None)
            elif line[0] == "A":
                self.truth.digests[int(line[1])] = line[2]
                self.truth.acknowledged = max(self.truth.acknowledged, int(line[1]))

    def _compare(self, told: LifeReport, before: str | None) -> None:
        """Compare a start with what the lives before it have told; the first start tells its own first entry."""
        report, started = told.first("R"), told.first("S")
        if started is not None:
            self.tally.starts.append(float(started))
        if report is None:
            return
        found = json.loads(report)
        for line in told.lines[: [line[0] for line in told.lines].index("R")]:
            if line[0] == "I":
                self.truth.lines[int(line[1])] = json.loads(" ".join(line[2:]))
        self.clocks_back = found["back"] or self.clocks_back
        if found["last"] < self.truth.acknowledged or found["gaps"]:
            self.tally.lost.append(f"{self.label}: {self.truth.acknowledged} acknowledged, {found['last']} found")
            return
        if found["last"] not in self.truth.lines:
            self._differ(f"entry {found['last']} is there and was never told")
            return
        for difference in self.truth.go_to(found["last"]):
            self._differ(difference)
        if found["stands"] != format_lasting_state(self.truth.found):
            self._differ(
                f"after entry {found['last']}: "
                f"{_first_difference(found['stands'], format_lasting_state(self.truth.found))}"
            )
        if found["proved"] not in (None, found["last"]):
            self._differ(f"the chain proves {found['proved']} entries of {found['last']}")
        if before is not None and found["power_lost"] != (before != "Q"):
            self._differ(f"power lost: {found['power_lost']}, and the life before ended with {before}")

    def _damage_a_copy(self) -> None:
        if not self.truth.lines:
            return
        # One damage at a time: what tail or -wal have lost is missed by journal.head, where no cut has spoilt that.
        head_is_known = HeadFile(self.directory / "journal.head").read() is not None and not self.was_cut
        harmless = self.chance.random() < 0.4 or not head_is_known
        name, damage = self.chance.choice(sorted((HARMLESS if harmless else HARMFUL).items()))
        shutil.copytree(self.directory, self.copy)
        if damage(self.copy, self.chance):
            self.tally.faults[name] += 1
            told = self._run_life(Life(0, only_looks=True), self.copy, "end")
            kind, sentence = told.end
            report = told.first("R")
            if kind in "DEV" and kind and not harmless:
                self.tally.said[_without_path(sentence)] += 1
            elif kind != "Q" or report is None:
                self._wrong(f"{name}: {kind} {sentence}")
            else:
                self._compare_copy(name, json.loads(report))
        shutil.rmtree(self.copy)

    def _compare_copy(self, name: str, found: dict[str, object]) -> None:
        last = int(str(found["last"]))
        if last < self.truth.acknowledged:
            self.tally.lost.append(f"{self.label}, {name}: {last} of {self.truth.acknowledged}, and nothing was said")
            return
        truth = self.truth.copy_until(last)
        if found["stands"] != format_lasting_state(truth.found):
            self._differ(f"{name}: {_first_difference(str(found['stands']), format_lasting_state(truth.found))}")

    @property
    def label(self) -> str:
        return f"{self.name}, table {self.seed}"

    def _differ(self, what: str) -> None:
        self.tally.differ.append(f"{self.label}: {what}")

    def _wrong(self, what: str) -> None:
        self.tally.wrong.append(f"{self.label}: {what}")


HOW = {"killed": 26, "killed at its start": 10, "killed at a step": 30, "power cut": 16, "write fault": 16, "end": 2}
"""How often lives end in which way."""


def _first_difference(found: str, wanted: str) -> str:
    here, there = json.loads(found), json.loads(wanted)
    names = [name for name in there if here[name] != there[name]]
    first, was, should = names[0], here[names[0]], there[names[0]]
    if isinstance(was, list) and isinstance(should, list) and len(was) == len(should):
        at = next(index for index, pair in enumerate(zip(was, should, strict=True)) if pair[0] != pair[1])
        first, was, should = f"{first}[{at}]", was[at], should[at]
    return f"{', '.join(names)}; {first}: {str(was)[:900]} instead of {str(should)[:900]}"


def _without_path(sentence: str) -> str:
    words = [Path(word.rstrip(":")).name if word.startswith("/") else word for word in sentence.split(" ")]
    return re.sub(r"\d+", "N", " ".join(words))


def crash_one(job: tuple[str, str, int, bool, str]) -> Tally:
    """Let one table live through its crashes, in a directory below a folder."""
    book, game, seed, careless, below = job
    with tempfile.TemporaryDirectory(prefix="crash-", dir=below) as folder:
        return CrashedTable(book, game, seed, Path(folder), careless=careless).age()


def campaign(crashes: int, seed: int, below: str, jobs: int, *, careless: bool = False) -> Tally:
    """Crash tables of all games until there were so many kills and faults.

    `careless`: the journal does not wait for the disk, and the power is cut; something must be lost.
    """
    logging.getLogger("controller").addHandler(logging.NullHandler())
    story(
        iter(random.Random(seed).choices(range(1 << 16), k=20_000)), 60
    )  # what is made once, before the processes part
    gc.freeze()
    tally = Tally()
    with multiprocessing.get_context("fork").Pool(jobs) as pool:
        for number in itertools.count(seed):
            work = [(*kind, number, careless, below) for kind in kinds()]
            for part in pool.imap_unordered(crash_one, work):
                tally.add(part)
                if tally.crashes >= crashes:
                    return tally
    raise AssertionError


def report(tally: Tally, seconds: float) -> str:
    """The figures, as `make crash` prints them."""
    lines = [
        f"kills {tally.kills.total()}, write faults and damages {tally.faults.total()}, in {seconds:.0f} s",
        f"acknowledged events lost {len(tally.lost)}, divergences {len(tally.differ)}, "
        f"other failures {len(tally.wrong)}",
        f"{tally.entries} entries, {tally.hands} hands, {len(tally.starts)} starts; start p50"
        f" {tally.start_ms(0.5):.1f} ms, p99 {tally.start_ms(0.99):.1f} ms, max {tally.start_ms(1):.1f} ms",
        f"changes that cuts of the power took back: {tally.taken_back}; clock set back {tally.clocks_back} times",
    ]
    for title in ("kills", "faults", "games", "said"):
        lines += ["", f"{title}:"]
        lines += [f"  {count:6d}  {name}" for name, count in sorted(getattr(tally, title).items())]
    for title in ("lost", "differ", "wrong"):
        lines += (
            ["", f"{title}:", *(f"  {text}" for text in getattr(tally, title)[:20])] if getattr(tally, title) else []
        )
    return "\n".join(lines)
