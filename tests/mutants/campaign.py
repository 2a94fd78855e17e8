"""Runs mutants against the tests that may kill them, nearest first, and keeps what came of each."""

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path

from tests.mutants.copies import Copy, Outcome, Run, limit
from tests.mutants.points import Mutant
from tests.mutants.reach import KnownTest, Map, run_side_by_side

NEAREST_TESTS, NEAREST_FILES = 30, 4
"""How many tests are tried first, and in how many files: each costs its imports."""

Plan = list[list[KnownTest]]


@dataclass(frozen=True)
class Result:
    """What came of a mutant: `killed`, `survived` or `timeout`, the test that killed it, and how many were begun.

    `left_out` counts the tests that did not fit into the budget. `proof` says of which tests and program it holds.
    """

    key: str
    outcome: str
    killer: str
    ran: int
    left_out: int
    cpu: float
    proof: str


class Results:
    """What is known of mutants, a line each in a file; a line that was cut off by an end is passed over."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._known: dict[str, Result] = {}
        self._alone: dict[str, bool] = {}
        for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else []:
            try:
                row = json.loads(line)
            except json.JSONDecodeError:
                continue
            if "alone" in row:
                self._alone[row["alone"]] = row["passes"]
            else:
                self._known[row["key"]] = Result(**row)

    def find(self, mutant: Mutant, reach: Map, proof: str) -> Result | None:
        """Return what is known of a mutant, if it holds: a kill as long as the test that did it is as it was."""
        known = self._known.get(mutant.key)
        if not known:
            return None
        own = reach.file_keys.get(known.killer.partition("::")[0]) if known.killer else proof
        return known if known.proof == own else None

    def add(self, result: Result) -> None:
        """Keep what came of a mutant."""
        self._write(asdict(result))
        self._known[result.key] = result

    def passes_alone(self, test: str, key: str, ask: Callable[[], bool]) -> bool:
        """Whether a test passes alone on the tree as it is; asked once."""
        name = f"{key} {test}"
        if name not in self._alone:
            self._alone[name] = ask()
            self._write({"alone": name, "passes": self._alone[name]})
        return self._alone[name]

    def _write(self, row: dict[str, object]) -> None:
        with self._lock:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with self._file.open("a", encoding="utf-8") as output:
                output.write(json.dumps(row) + "\n")


def plan_tests(mutant: Mutant, reach: Map, budget_s: float) -> tuple[Plan, int]:
    """Return the tests that may kill a mutant, in the stages in which they are run, and how many are left out.

    First some of those that run its statement, the ones that run the fewest lines first: they are about little else.
    Then all others that run it; then those that can meet it without: what they use is made when their file is imported,
    once for several tests, or in a process of its own. Each stage holds the quickest that fit into what is left of the
    budget, in seconds of processor.
    """
    direct, beside = reach.find(mutant.file, mutant.lines)
    if not direct and mutant.scope:
        direct, _ = reach.find(mutant.file, mutant.scope)
        taken = {test.id for test in direct}
        beside = [test for test in beside if test.id not in taken]
    nearest: list[KnownTest] = []
    files: set[str] = set()
    for test in sorted(direct, key=lambda test: (test.size, test.cpu, test.id)):
        if len(nearest) < NEAREST_TESTS and (test.file in files or len(files) < NEAREST_FILES) and test.cpu < 2:
            nearest.append(test)
            files.add(test.file)
    rest = [test for test in direct if test not in nearest]
    plan: Plan = []
    left = budget_s
    for stage in (nearest, rest, beside):
        chosen: list[KnownTest] = []
        for test in sorted(stage, key=lambda test: (test.cpu, test.id)):
            if test.cpu <= left:
                left -= test.cpu
                chosen.append(test)
        if chosen:
            order = {file: index for index, file in enumerate(dict.fromkeys(test.file for test in chosen))}
            plan.append(sorted(chosen, key=lambda test: order[test.file]))  # a file's fixtures are made once
    return plan, len(direct) + len(beside) - sum(map(len, plan))


def try_mutant(mutant: Mutant, reach: Map, copy: Copy, results: Results, budget_s: float, proof: str) -> Result:
    """Run a mutant's tests until one fails. A test that fails alone on the tree as it is counts for nothing."""
    plan, left_out = plan_tests(mutant, reach, budget_s)
    ran, cpu = 0, 0.0
    for stage in plan:
        tests = stage
        while tests:
            outcome = _run(copy, tests, mutant)
            ran, cpu = ran + outcome.ran, cpu + outcome.cpu
            if outcome.outcome == "passed":
                break
            killer = outcome.failed if "::" in outcome.failed else tests[0].id
            key = reach.file_keys[killer.partition("::")[0]]
            own = [test for test in tests if test.id == killer]
            if results.passes_alone(killer, key, partial(_passes, copy, own)):
                word = "timeout" if outcome.outcome == "timeout" else "killed"
                return Result(mutant.key, word, killer, ran, left_out, round(cpu, 2), key)
            tests = [test for test in tests if test.id != killer]
    return Result(mutant.key, "survived", "", ran, left_out, round(cpu, 2), proof)


def _run(copy: Copy, tests: Sequence[KnownTest], mutant: Mutant | None = None) -> Outcome:
    files = tuple(dict.fromkeys(test.file for test in tests))
    cpu_s, wall_s = limit(sum(test.cpu for test in tests), sum(test.wall for test in tests))
    cpu_s += len(files)
    changed = (mutant.file, mutant.source) if mutant else ("", "")
    return copy.run(Run(files, tuple(test.id for test in tests), *changed, cpu_s=cpu_s, wall_s=wall_s))


def _passes(copy: Copy, tests: Sequence[KnownTest]) -> bool:
    return _run(copy, tests).outcome == "passed"


def run_mutants(
    mutants: Sequence[Mutant],
    reach: Callable[[Mutant], Map],
    copies: Sequence[Copy],
    results: Results,
    budget_s: float,
    tell: Callable[[Mutant, Result], None],
) -> Iterator[Result]:
    """Run mutants side by side, those that are not known yet, and yield what came of each, in order."""
    found: dict[str, Result] = {}
    waiting: list[tuple[Mutant, str]] = []
    for mutant in mutants:
        proof = sha256(f"{reach(mutant).key} {budget_s}".encode()).hexdigest()[:20]
        known = results.find(mutant, reach(mutant), proof)
        if known:
            found[mutant.key] = known
            tell(mutant, known)
        else:
            waiting.append((mutant, proof))
    failures: list[BaseException] = []

    def work(copy: Copy) -> None:
        try:
            while waiting:
                mutant, proof = waiting.pop(0)
                result = try_mutant(mutant, reach(mutant), copy, results, budget_s, proof)
                results.add(result)
                found[mutant.key] = result
                tell(mutant, result)
        except BaseException as error:  # the others must not wait for this one's mutants
            failures.append(error)
            waiting.clear()

    run_side_by_side(work, copies)
    if failures:
        raise failures[0]
    yield from (found[mutant.key] for mutant in mutants)


def count(results: Iterable[Result]) -> dict[str, int]:
    """Count what came of mutants; one that takes too long is killed, too."""
    words = [result.outcome for result in results]
    timeouts = words.count("timeout")
    return {"killed": words.count("killed") + timeouts, "survived": words.count("survived"), "timeouts": timeouts}
