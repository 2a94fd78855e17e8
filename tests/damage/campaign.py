"""The campaign: damage to what a table keeps, again and again, and what becomes of it."""

import contextlib
import itertools
import json
import logging
import multiprocessing
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.damage.evening import TOKEN_FILE, Evening, live_evening
from tests.damage.judge import Judgement, Verdict, judge_command, judge_start
from tests.damage.mutations import KINDS, Mutation, Sources, list_kept_files, mutate
from tests.damage.trial import COMMANDS, Answer, Start, run_command, start_table, warm_up


@dataclass(frozen=True, slots=True)
class Case:
    """At a moment one or two mutations, then a command, then a start."""

    moment: str
    mutations: tuple[Mutation, ...]
    command: str
    number: int = 0
    """Which of its seed's it is: `--only` tries it again."""

    @property
    def looks_at_drop(self) -> bool:
        """Whether the page of the drop is looked at, which takes longest: where it may be hit, and now and then."""
        return any("drop" in each.name or not each.seed % 4 for each in self.mutations)

    def __str__(self) -> str:
        return f"{self.number}: {self.moment}; {'; '.join(map(str, self.mutations))}; {self.command}"


@dataclass(frozen=True, slots=True)
class Result:
    """What a case came to: the worst of its judgements, and the files that were other than before."""

    case: Case
    files: frozenset[str]
    start: Judgement
    command: Judgement


class KeptResults:
    """What a campaign that was stopped came to, a line a case: the next one on the same tree goes on from there.

    The first line of the file says which tree it was; those of another are no results of this one.
    """

    def __init__(self, path: Path, tree: str) -> None:
        """Read the file at `path`; without a `tree` nothing is read and nothing kept."""
        self._path = path if tree else None
        self._line_by_number: dict[int, dict[str, Any]] = {}
        text = path.read_text(encoding="utf-8") if tree and path.exists() else ""
        if text.startswith(f"{tree}\n"):
            *lines, torn = text.split("\n")
            for line in lines[1:]:
                told = json.loads(line)
                self._line_by_number[told["number"]] = told
            if torn:  # whoever wrote it was stopped
                path.write_text("\n".join([*lines, ""]), encoding="utf-8")
        elif self._path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            for other in path.parent.glob("*.jsonl"):  # else a file is left of each night
                if not other.read_text(encoding="utf-8").startswith(f"{tree}\n"):
                    other.unlink()
            path.write_text(f"{tree}\n", encoding="utf-8")

    def find(self, case: Case) -> Result | None:
        """Return what a case came to, where it has been tried."""
        told = self._line_by_number.get(case.number)
        if told is None:
            return None
        start, command = (Judgement(Verdict(told[key][0]), told[key][1]) for key in ("start", "command"))
        return Result(case, frozenset(told["files"]), start, command)

    def keep(self, result: Result) -> None:
        """Write down what a case came to."""
        if self._path is None:
            return
        judged = {"start": result.start, "command": result.command}
        told = {key: [judgement.verdict.value, judgement.why] for key, judgement in judged.items()}
        line = {"number": result.case.number, "files": sorted(result.files), **told}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"{json.dumps(line)}\n")


KEPT_OF = ("controller", "drivers", "firmware_bridge", "config", "requirements", "tests/damage", "tests/app/rig.py")
"""What a result depends on: where all of it is the same, a case comes to the same."""


def find_tree() -> str:
    """Return what git calls the contents of `KEPT_OF`; empty where they are not committed, or there is no git."""

    def ask(*words: str) -> str:
        return subprocess.run(["git", *words], check=True, capture_output=True, text=True).stdout

    try:
        if ask("status", "--porcelain", "--", *KEPT_OF):
            return ""
        return " ".join(ask("rev-parse", *(f"HEAD:{path}" for path in KEPT_OF)).split())
    except (OSError, subprocess.CalledProcessError):
        return ""


@dataclass(slots=True)
class Tally:
    """Results, counted; `bad` are those that must not be."""

    by_row: Counter[tuple[str, str, Verdict]] = field(default_factory=Counter)
    """By file (or "two files"), kind and verdict of the start."""
    by_command: Counter[tuple[str, Verdict]] = field(default_factory=Counter)
    bad: list[Result] = field(default_factory=list)
    starts: int = 0

    def add(self, result: Result) -> None:
        mutations = result.case.mutations
        name = _strip(mutations[0].name) if len(mutations) == 1 else "two files"
        kind = mutations[0].kind if len(mutations) == 1 else "two kinds"
        self.starts += 1
        self.by_row[name, kind, result.start.verdict] += 1
        self.by_command[result.case.command, result.command.verdict] += 1
        if result.start.is_bad or result.command.is_bad:
            self.bad.append(result)
            sys.stderr.write(f"{result.case}: {result.start.why}{result.command.why}\n")

    def count(self, verdict: Verdict) -> int:
        """How many starts and commands came to this."""
        found = sum(count for (_, _, each), count in self.by_row.items() if each is verdict)
        return found + sum(count for (_, each), count in self.by_command.items() if each is verdict)


class DamagedTables:
    """One evening of two tables below a folder, and what is shown of each moment where nothing was damaged."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        (folder / "one").mkdir()
        (folder / "two").mkdir()
        self.evening: Evening = live_evening(folder / "one", seed)
        other = live_evening(folder / "two", seed + 1000)
        self.sources = {
            moment: Sources(self.evening.earlier, other.folder_by_moment[moment])
            for moment in self.evening.folder_by_moment
        }
        self.moments = tuple(self.evening.folder_by_moment)
        shutil.copy(folder / "one" / "table" / TOKEN_FILE, folder / TOKEN_FILE)
        self.files = {moment: list_kept_files(path) for moment, path in self.evening.folder_by_moment.items()}
        scratch = folder / "warm"
        shutil.copytree(self.evening.folder_by_moment[self.moments[0]], scratch)
        warm_up(scratch)
        self.starts: dict[str, Start] = {}
        self.answers: dict[tuple[str, str], Answer] = {}
        for moment in self.moments:
            self.starts[moment] = start_table(self._copy(moment, folder / "work"))
            assert self.starts[moment].shown, self.starts[moment].told

    def _find_answer(self, moment: str, command: str) -> Answer:
        """What a command says where nothing was damaged."""
        if (moment, command) not in self.answers:
            place = self._copy(moment, self.folder / f"work-{os.getpid()}" / "table")
            self.answers[moment, command] = run_command(place, command)
        return self.answers[moment, command]

    def _copy(self, moment: str, place: Path) -> Path:
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(self.evening.folder_by_moment[moment], place)
        return place

    def draw_cases(self, seed: int) -> Iterator[Case]:
        """Cases without end: every file with every kind at some moment first, then by chance, half of them pairs."""
        chance = random.Random(seed)
        commands = itertools.cycle(COMMANDS)
        every = [(name, kind) for name in self._list_all_files() for kind in KINDS]
        chance.shuffle(every)
        numbers = itertools.count(1)
        for name, kind in every:
            moments = [moment for moment in self.moments if name in self.files[moment]]
            yield Case(chance.choice(moments), (self._draw(chance, name, kind),), next(commands), next(numbers))
        while True:
            moment = chance.choice(self.moments)
            count = chance.choice((1, 2))
            names = chance.sample(self.files[moment], count)
            drawn = tuple(self._draw(chance, name, chance.choice(KINDS)) for name in names)
            yield Case(moment, drawn, next(commands), next(numbers))

    def take_cases(self, count: int, seed: int) -> list[Case]:
        """So many of those that come by chance, after every file with every kind."""
        skipped = len(self._list_all_files()) * len(KINDS)
        return list(itertools.islice(self.draw_cases(seed), skipped, skipped + count))

    def _list_all_files(self) -> Sequence[str]:
        return sorted({name for names in self.files.values() for name in names})

    @staticmethod
    def _draw(chance: random.Random, name: str, kind: str) -> Mutation:
        return Mutation(name, kind, chance.randrange(1 << 30))

    def try_case(self, case: Case) -> Result:
        """Damage a copy, ask a command about it and start it, twice where the first start is refused."""
        place = self._copy(case.moment, self.folder / f"case-{os.getpid()}" / "table")
        shutil.copy(self.folder / TOKEN_FILE, place.parent / TOKEN_FILE)
        files: set[str] = set()
        for mutation in case.mutations:
            files |= mutate(place, mutation, self.sources[case.moment])
        answer = run_command(place, case.command)
        by_command = judge_command(case.command, answer, self._find_answer(case.moment, case.command), files)
        before = self.starts[case.moment]
        by_start = Judgement(Verdict.AS_BEFORE)
        for _ in range(2):
            by_start = judge_start(start_table(place, looks_at_drop=case.looks_at_drop), before, files)
            if by_start.verdict is not Verdict.REFUSED:
                break
        _open_up(place)
        return Result(case, frozenset(files), by_start, by_command)


def make_tables(folder: Path, seed: int) -> DamagedTables:
    """Play the evenings below a folder."""
    logging.getLogger("controller").addHandler(logging.NullHandler())
    return DamagedTables(folder, seed)


def _open_up(folder: Path) -> None:
    """Let a folder be removed whose files are closed."""
    for path in folder.rglob("*"):
        if not path.is_symlink():
            path.chmod(0o700)


def _strip(name: str) -> str:
    return name.rpartition("/")[2]


def run_campaign(
    count: int,
    seed: int,
    below: str,
    jobs: int,
    seconds: float,
    only: Collection[int] = (),
    kept: KeptResults | None = None,
) -> Tally:
    """Try so many cases in folders below one, or as many as there is time for; or `only` those of some numbers.

    Those that are `kept` of a campaign that was stopped are counted and not tried again.
    """
    tally, until = Tally(), time.monotonic() + seconds
    with tempfile.TemporaryDirectory(prefix="damage-", dir=below) as folder:
        tables = make_tables(Path(folder), seed)
        drawn = itertools.islice(tables.draw_cases(seed), max(only, default=count))
        cases = []
        for case in drawn:
            known = kept.find(case) if kept is not None else None
            if known is not None:
                tally.add(known)
            elif not only or case.number in only:
                cases.append(case)
        with contextlib.ExitStack() as stack:
            results: Iterator[Result] = map(tables.try_case, cases)
            if jobs > 1:
                pool = stack.enter_context(multiprocessing.get_context("fork").Pool(jobs))
                results = pool.imap_unordered(tables.try_case, cases, chunksize=4)
            for result in results:
                tally.add(result)
                if kept is not None:
                    kept.keep(result)
                if time.monotonic() > until:
                    break
    return tally


def render_report(tally: Tally, seconds: float) -> str:
    """The figures, as `make damage` prints them, and what must not be."""
    figures: Mapping[Verdict, int] = {verdict: tally.count(verdict) for verdict in Verdict}
    lines = [
        f"damages {tally.starts}, in {seconds:.0f} s",
        f"less than before {figures[Verdict.LESS]}, without a plain message {figures[Verdict.SILENT]}",
        "",
        f"{'file':24} {'kind':18} " + " ".join(f"{verdict.value:>17}" for verdict in Verdict),
    ]
    for name, kind in sorted({(name, kind) for name, kind, _ in tally.by_row}):
        counts = " ".join(f"{tally.by_row[name, kind, verdict]:17d}" for verdict in Verdict)
        lines.append(f"{name:24} {kind:18} {counts}")
    lines.append("")
    for command in COMMANDS:
        counts = " ".join(f"{tally.by_command[command, verdict]:17d}" for verdict in Verdict)
        lines.append(f"{'tablectl ' + command:43} {counts}")
    for result in tally.bad[:400]:
        lines += ["", str(result.case)]
        lines += [f"  {each.verdict.value}: {each.why}" for each in (result.start, result.command) if each.is_bad]
    return "\n".join(lines)
