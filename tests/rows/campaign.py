"""Breaks row after row, keeps what came of each, and judges it by what is written down."""

import hashlib
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from config.rulebook_file import list_rulebooks, load_rulebook
from controller.cli.rules.rule_coverage import CatalogueRow, read_reasons
from tests.mutants.reach import is_test_file
from tests.rows.mutations import FIRST_ROWS, ROOT, AnswerChange, Claim, list_claims, list_rows, list_tests
from tests.rows.runner import Outcome, Runner

PROGRAM_FOLDERS = ("config", "controller", "room")


@dataclass(frozen=True)
class Result:
    """What came of a claim: the test that noticed, empty where none did, and how many tests there were to notice."""

    claim: str
    killer: str
    tests: int


@dataclass(frozen=True)
class Verdict:
    """What a row is, the claims that no test noticed, and how many tests there were to notice.

    `proven`: all that it says is; `partly`: something of it; `survived`: nothing; `underived`: nothing is to be broken.
    `untested`: `docs/coverage.csv` says why it has no test.
    """

    row: str
    outcome: str
    survived: tuple[str, ...] = ()
    tests: int = 0


class Results:
    """What came of claims, a line each in a file; a line that an end cut off is passed over.

    It holds as long as the program, what tests share, the files with the row's own tests and the changes are the same.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._common = digest_files(file for folder in PROGRAM_FOLDERS for file in list_files(ROOT / folder))
        self._common += digest_files(file for file in list_files(ROOT / "tests") if not is_test_file(file))
        self._known: dict[str, Result] = {}
        for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else []:
            try:
                row = json.loads(line)
            except json.JSONDecodeError:
                continue
            proof = row.pop("proof")
            self._known[proof] = Result(**row)

    def find(self, claim: Claim) -> Result | None:
        """What is known of a claim."""
        return self._known.get(self._prove(claim))

    def add(self, claim: Claim, result: Result) -> None:
        """Keep what came of a claim."""
        proof = self._prove(claim)
        self._known[proof] = result
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("a", encoding="utf-8") as output:
            output.write(json.dumps({"proof": proof, **asdict(result)}) + "\n")

    def _prove(self, claim: Claim) -> str:
        files = sorted({ROOT / "tests" / test.partition("::")[0] for test in list_tests().get(claim.row, ())})
        return hashlib.sha256(f"{self._common} {digest_files(files)} {claim}".encode()).hexdigest()[:20]


def digest_files(files: Iterable[Path]) -> str:
    """What files are, by name and content."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(f"{file.relative_to(ROOT)}\0".encode() + _digest_file(file))
    return digest.hexdigest()


@cache
def _digest_file(file: Path) -> bytes:
    return hashlib.sha256(file.read_bytes()).digest()


def list_files(folder: Path) -> list[Path]:
    """The files of a folder that a result may depend on, without this campaign's own."""
    found = (file for file in folder.rglob("*") if file.suffix in (".py", ".scn", ".toml", ".csv", ".txt"))
    return sorted(file for file in found if Path(__file__).parent not in file.parents)


def list_books_by_code() -> dict[str, set[str]]:
    """The rulebooks that have a book's code, which its rows have: two for the clauses of one publisher."""
    found: dict[str, set[str]] = {}
    for name in list_rulebooks():
        found.setdefault(load_rulebook(name).code, set()).add(name)
    return found


def choose_rows(count: int, seed: str) -> list[CatalogueRow]:
    """So many rows by a seed, beside those that every sample has."""
    rows = list_rows()
    first = [row for row in rows if row.id in FIRST_ROWS]
    rest = [row for row in rows if row not in first and list_tests().get(row.id)]
    return [*first, *random.Random(seed).sample(rest, min(count, len(rest)))]


def read_untested() -> dict[str, str]:
    """Rows that no test plays, with the reason."""
    return read_reasons(ROOT / "docs" / "coverage.csv")


def run_baseline(runner: Runner, ids: Iterable[str], note: Callable[[str], None]) -> Outcome:
    """Run tests as the tree is, a file in a process: what fails so proves nothing."""
    by_file: dict[str, list[str]] = {}
    for id_ in ids:
        by_file.setdefault(id_.partition("::")[0], []).append(id_)
    found = Outcome()
    for number, (file, own) in enumerate(by_file.items(), start=1):
        note(f"as the tree is, {number} of {len(by_file)}: {file}, {len(own)} tests")
        outcome = runner.run(own, None, to_the_end=True)
        found.passed |= outcome.passed
        found.books |= outcome.books
        found.failed += outcome.failed
        found.error = found.error or outcome.error
    return found


def try_claim(runner: Runner, claim: Claim, ids: Sequence[str]) -> Result:
    """Make one change of a claim after the other until a test notices."""
    name = f"{claim.row} {claim.name}"
    for change in claim.changes if ids else ():
        outcome = runner.run(ids, change)
        if outcome.error:
            raise RuntimeError(f"{name}: {outcome.error}")
        if outcome.failed:
            return Result(name, outcome.failed[0], len(ids))
    return Result(name, "", len(ids))


def judge(row: str, results: Sequence[tuple[Claim, Result]]) -> Verdict:
    """What a row is: each claim that it decides must be noticed; where it only adds to others', one of them."""
    if not results:
        return Verdict(row, "underived")
    deciding = [each for each in results if each[0].decides]
    survived = tuple(claim.name for claim, result in deciding or results if not result.killer)
    if not deciding and len(survived) < len(results):
        survived = ()
    outcome = "partly" if any(result.killer for _, result in deciding) else "survived"
    return Verdict(row, outcome if survived else "proven", survived, max(result.tests for _, result in results))


def run_campaign(
    rows: Sequence[CatalogueRow],
    runner: Runner,
    results: Results,
    tell: Callable[[Verdict], None],
    note: Callable[[str], None],
) -> list[Verdict]:
    """Break what each of these rows says, place by place."""
    books, untested = list_books_by_code(), read_untested()
    ids_by_row = {row.id: leave_own_cases(row.id, runner.find_items(list_tests().get(row.id, ()))) for row in rows}
    claims_by_row = {row.id: list(list_claims(row.id)) for row in rows}
    wanted = [row for row in rows if any(results.find(claim) is None for claim in claims_by_row[row.id])]
    wanted_ids = dict.fromkeys(id_ for row in wanted for id_ in ids_by_row[row.id])
    baseline = run_baseline(runner, wanted_ids, note)
    if baseline.error or baseline.failed:
        raise RuntimeError(f"these fail as the tree is: {baseline.failed} {baseline.error}")
    verdicts = []
    for row in rows:
        if row.id in untested:
            verdicts.append(Verdict(row.id, "untested"))
            continue
        found = []
        for claim in claims_by_row[row.id]:
            result = results.find(claim)
            if result is None:
                ids = [id_ for id_ in ids_by_row[row.id] if can_prove(id_, claim, baseline, books[row.book])]
                result = try_claim(runner, claim, sorted(ids, key=lambda id_: baseline.passed[id_]))
                results.add(claim, result)
            found.append((claim, result))
        verdicts.append(judge(row.id, found))
        tell(verdicts[-1])
    return verdicts


def leave_own_cases(row: str, ids: Sequence[str]) -> list[str]:
    """The tests that count a row: where cases of a test are named by rows, only those that are named by this one."""
    own = re.compile(rf"(?<![A-Za-z0-9]){re.escape(row)}(?![\w#(.])")
    by_test: dict[str, list[str]] = {}
    for id_ in ids:
        by_test.setdefault(id_.partition("[")[0], []).append(id_)
    return [id_ for cases in by_test.values() for id_ in [one for one in cases if own.search(one)] or cases]


def can_prove(id_: str, claim: Claim, baseline: Outcome, own: set[str]) -> bool:
    """Whether a test can prove a row: it passes as the tree is, and is played under the row's book or under none."""
    if id_ not in baseline.passed:
        return False
    played = set(baseline.books.get(id_, ()))
    if isinstance(claim.changes[0], AnswerChange):
        return not played or bool(played & set(claim.changes[0].books))
    return not played or bool(played & own)


OUTCOMES = ("proven", "partly", "survived", "underived", "untested")


def format_table(verdicts: Iterable[Verdict], book_by_row: Mapping[str, str]) -> list[str]:
    """How many rows of each book came to what, as a table of Markdown."""
    counted: dict[str, Counter[str]] = {}
    for verdict in verdicts:
        counted.setdefault(book_by_row[verdict.row], Counter())[verdict.outcome] += 1
    counted["all"] = sum(counted.values(), Counter[str]())
    lines = ["| book | counted as played | " + " | ".join(OUTCOMES) + " |", "|---" * (len(OUTCOMES) + 2) + "|"]
    for book, counts in counted.items():
        cells = [book, counts.total() - counts["untested"], *(counts[outcome] for outcome in OUTCOMES)]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return lines


def find_faults(
    verdicts: Iterable[Verdict],
    survivors: Mapping[str, Sequence[str]],
    underivable: Mapping[str, str],
) -> list[str]:
    """What the lists that are kept do not say: who survives and may not, who is on a list and no longer needs it."""
    faults = []
    for each in verdicts:
        kept = set(survivors.get(each.row, ()))
        faults += [f"{each.row} survives: {claim}" for claim in each.survived if claim not in kept]
        faults += [f"{each.row} is proven, take it off the list: {claim}" for claim in sorted(kept - {*each.survived})]
        if each.outcome == "underived" and each.row not in underivable:
            faults.append(f"{each.row}: nothing to break is derived; write it into breaks.toml or underivable.csv")
        if each.outcome != "underived" and each.row in underivable:
            faults.append(f"{each.row}: can be broken, take it out of underivable.csv")
    return faults
