"""A campaign that was stopped goes on: what is kept counts and is not tried again, of the same tree alone."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.damage import campaign
from tests.damage.campaign import KEPT_OF, Case, KeptResults, Result, Tally, find_tree, run_campaign
from tests.damage.judge import AS_BEFORE, Judgement, Verdict
from tests.damage.mutations import Mutation

ROOT = Path(__file__).parents[2]


class CountedTables:
    """Tables at which every third case is bad; `tried`: the numbers of those that were tried."""

    tried: list[int]

    def draw_cases(self, seed: int) -> Iterator[Case]:
        number = 0
        while True:
            number += 1
            yield Case("in mid-hand", (Mutation("journal.sqlite", "a bit flipped", seed + number),), "doctor", number)

    def try_case(self, case: Case) -> Result:
        self.tried.append(case.number)
        bad = Judgement(Verdict.SILENT, f"ended with “{case.number}”")
        return Result(case, frozenset({"journal.sqlite"}), AS_BEFORE if case.number % 3 else bad, AS_BEFORE)


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> CountedTables:
    made = CountedTables()
    made.tried = []
    monkeypatch.setattr(campaign, "make_tables", lambda _folder, _seed: made)
    return made


def run(folder: Path, count: int, tree: str = "a tree") -> Tally:
    return run_campaign(count, 7, str(folder), 1, 1e9, (), KeptResults(folder / "kept" / "7.jsonl", tree))


def test_what_was_tried_counts_and_is_not_tried_again(tables: CountedTables, tmp_path: Path) -> None:
    whole = run_campaign(9, 7, str(tmp_path), 1, 1e9)
    tables.tried.clear()
    run(tmp_path, 4)
    assert tables.tried == [1, 2, 3, 4]
    assert run(tmp_path, 9) == whole
    assert tables.tried == [*range(1, 10)]
    assert run(tmp_path, 9) == whole
    assert tables.tried == [*range(1, 10)], "a third time nothing is left"


def test_half_a_line_is_tried_again(tables: CountedTables, tmp_path: Path) -> None:
    whole = run(tmp_path, 3)
    kept = tmp_path / "kept" / "7.jsonl"
    kept.write_text(kept.read_text()[:-9])
    tables.tried.clear()
    assert run(tmp_path, 3) == whole
    assert tables.tried == [3]
    assert run(tmp_path, 3) == whole
    assert tables.tried == [3], "and is whole then"


def test_the_results_of_another_tree_are_none(tables: CountedTables, tmp_path: Path) -> None:
    run(tmp_path, 3)
    (tmp_path / "kept" / "6.jsonl").write_text("a tree\n")
    run(tmp_path, 3, "another tree")
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["7.jsonl"], "of another tree nothing is left"
    run(tmp_path, 3, "")
    assert tables.tried == [1, 2, 3] * 3, "and without a tree nothing is kept or read"


def test_a_tree_is_told_by_what_the_results_depend_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert all((ROOT / path).exists() for path in KEPT_OF)
    assert len(find_tree().split()) in (0, len(KEPT_OF)), "none where something is not committed"
    monkeypatch.setenv("PATH", "")
    assert find_tree() == ""
