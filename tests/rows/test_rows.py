"""The campaign of rows: what it breaks, whom it believes, and that a row whose test plays something else is found."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from config.rulebook_file import list_questions
from controller.cli.rules.rule_coverage import iter_catalogue_rows, read_reasons
from tests.rows import runner as runner_module
from tests.rows.__main__ import SURVIVORS_FILE, find_growth, shrink
from tests.rows.campaign import (
    Result,
    Results,
    Verdict,
    can_prove,
    choose_rows,
    find_faults,
    format_table,
    judge,
    leave_own_cases,
)
from tests.rows.mutations import (
    CLAUSE_KEYS,
    FIRST_ROWS,
    ROOT,
    AnswerChange,
    Break,
    Claim,
    TextChange,
    find_wrong_breaks,
    list_claims,
    list_rows,
    list_tests,
    read_breaks,
    read_survivors,
    read_underivable,
)
from tests.rows.runner import Outcome, Runner, is_named, list_code, list_functions, run_with_items

STORIES = """\
under roberts-7

A check out of turn restricts
  table holdem; start; card - - - - - - - -; act 4 call, 1 call, 2 call, 3 check; card - Qs Jd 4c; act 4 check
    ruling out-of-turn restrict-bet

Something else is played
  table holdem; start
    next deal 2, ...

Two cards each
  table holdem; start
    next deal 2, deal 3, deal 4, deal 1, deal 2, ...

A fold passes the turn
  table holdem; start; card - - - - - - - -; act 4 fold
    next act 1; piles muck 2
"""
"""The second would count for a row of the first, or of the last, as if it played it."""

FOLD = "    if event.action_type is ActionType.FOLD:\n        hand.tell"
CHANGES: dict[str, AnswerChange | TextChange | None] = {
    "none": None,
    "answer": AnswerChange(("roberts-7",), "turns.early-check", "binds"),
    "code": TextChange("controller/core/play/betting/betting_round.py", FOLD, "    if False:\n        hand.tell"),
    "constant": TextChange("controller/core/values/cards.py", 'SUITS = "cdhs"', 'SUITS = "shdc"'),
    "file": TextChange("config/games/holdem.toml", 'deal = ["down", "down"]', 'deal = ["down"]'),
    "endless": TextChange(
        "controller/core/play/betting/betting_round.py", FOLD, f"    while True:\n        pass\n{FOLD}"
    ),
}

CONFTEST = """\
from tests.notation.collector import StoryCollector

def pytest_collect_file(file_path, parent):
    return StoryCollector.from_parent(parent, path=file_path) if file_path.suffix == ".scn" else None
"""

Trials = dict[str, dict[str, dict[str, Any]]]
"""Change, story, and what came of it."""


def try_stories(folder: str) -> None:
    """Be the process of its own that tries the changes on the stories, and print what comes of each."""
    runner_module.MAX_CPU_S = 2

    def work(runner: Runner) -> None:
        with runner.let_out():
            found = {
                name: {id_.partition("::")[2]: vars(runner.run([id_], change)) for id_ in runner.items}
                for name, change in CHANGES.items()
            }
            sys.stdout.write(json.dumps(found) + "\n")

    run_with_items([folder], work)


@pytest.fixture(scope="module")
def trials(tmp_path_factory: pytest.TempPathFactory) -> Trials:
    folder = tmp_path_factory.mktemp("stories")
    (folder / "some.scn").write_text(STORIES, encoding="utf-8")
    (folder / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    code = f"from tests.rows.test_rows import try_stories; try_stories({str(folder)!r})"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    line = next((line for line in run.stdout.splitlines() if line.startswith("{")), "")
    assert line, run.stdout[-2000:] + run.stderr[-2000:]
    found: Trials = json.loads(line)
    return found


def list_red(outcomes: dict[str, dict[str, Any]]) -> list[str]:
    """The stories that failed, without their book."""
    return [story.partition("[")[0] for story, outcome in outcomes.items() if outcome["failed"]]


def test_as_the_tree_is_nothing_is_red_and_each_test_says_its_book(trials: Trials) -> None:
    assert list_red(trials["none"]) == []
    assert [list(outcome["books"].values()) for outcome in trials["none"].values()] == [[["roberts-7"]]] * 4


def test_a_row_whose_test_plays_something_else_is_found(trials: Trials) -> None:
    """Another answer turns the story red that plays it, and no other, whatever it is called."""
    assert list_red(trials["answer"]) == ["A check out of turn restricts"]


def test_a_place_of_the_code_is_broken_for_whoever_has_imported_it(trials: Trials) -> None:
    assert list_red(trials["code"]) == ["A fold passes the turn"]


def test_what_no_function_has_cannot_be_broken_and_says_so(trials: Trials) -> None:
    assert all("no function has" in outcome["error"] for outcome in trials["constant"].values())


def test_a_file_of_the_configuration_is_read_with_its_change(trials: Trials) -> None:
    assert "Two cards each" in list_red(trials["file"])
    assert "Something else is played" not in list_red(trials["file"])


def test_what_does_not_end_is_red(trials: Trials) -> None:
    assert list_red(trials["endless"]) == ["A check out of turn restricts", "A fold passes the turn"]
    assert all("does not end" in text for o in trials["endless"].values() for text in o["failed"])


def test_code_is_found_by_its_qualified_name_in_functions_and_methods() -> None:
    from controller.core.model import table_state

    file = "controller/core/model/table_state.py"
    code, functions = list_code((ROOT / file).read_text(encoding="utf-8"), file), list_functions(table_state)
    assert "TableState.is_game_over" in functions
    assert functions["TableState.is_game_over"].__code__.co_code == code["TableState.is_game_over"].co_code


def test_each_answer_that_a_row_decides_becomes_each_other_one() -> None:
    (claim,) = list_claims("R7-3.betting.10#a")
    assert claim.name == "turns.early-check"
    assert claim.decides
    assert ANSWER in claim.changes
    seconds = next(claim for claim in list_claims("R7-14.nl.16") if claim.name == "clock.seconds")
    assert [change.answer for change in seconds.changes if isinstance(change, AnswerChange)] == [61, 59, 0, 123]


def test_a_level_of_a_printed_schedule_is_another() -> None:
    (claim,) = list_claims("FC-10.sched.T2000.L10")
    (change,) = claim.changes
    assert isinstance(change, TextChange)
    assert "big-blind = 250" in change.before
    assert "big-blind = 1250" in change.after


def test_the_line_of_code_asks_for_the_games_of_the_row() -> None:
    changes = [change for claim in list_claims("AU-16.3(b)") for change in claim.changes]
    assert all(isinstance(change, TextChange) and "('holdem',)" in change.after for change in changes)


def test_what_is_broken_is_there_once_and_its_rows_are_in_the_catalogue() -> None:
    assert find_wrong_breaks(read_breaks(), [row.id for row in iter_catalogue_rows()]) == []
    gone = Break(("R7-99",), "nothing", TextChange("controller/core/values/cards.py", "no such text", ""))
    assert len(find_wrong_breaks([gone], ["R7-1"])) == 2


def test_every_enforced_row_is_broken_somewhere_or_says_why_not() -> None:
    """A new row of kind `enforce` is cited by an answer, or has a line in `breaks.toml` or `underivable.csv`."""
    untested, underivable = read_reasons(ROOT / "docs/coverage.csv"), read_underivable()
    rows = {row.id for row in list_rows()}
    derived = {row for row in rows if any(list_claims(row))}
    assert rows - derived - set(untested) - set(underivable) == set()
    assert set(underivable) <= rows - derived - set(untested)


def test_the_rows_that_may_survive_are_enforced_rows_and_say_places_of_theirs() -> None:
    names = {row.id: {claim.name for claim in list_claims(row.id)} for row in list_rows()}
    for row, claims in read_survivors(SURVIVORS_FILE).items():
        assert set(claims) <= names[row], row


def test_keys_that_are_treated_apart_are_keys() -> None:
    assert {*CLAUSE_KEYS} <= set(list_questions())


def test_the_list_of_those_that_may_survive_only_shrinks() -> None:
    """`docs/nightly.json` has how many there were."""
    assert find_growth(SURVIVORS_FILE) == ""


@pytest.mark.parametrize(("listed", "told"), [(2, ""), (1, "only shrinks"), (None, "")])
def test_more_survivors_than_the_last_night_had_are_refused(tmp_path: Path, listed: int | None, told: str) -> None:
    survivors, record = tmp_path / "survivors.csv", tmp_path / "nightly.json"
    survivors.write_text("id,claim\nR7-1,x\nR7-1,y\n", encoding="utf-8")
    figures = {} if listed is None else {"rows": {"figures": {"listed": listed}}}
    record.write_text(json.dumps(figures), encoding="utf-8")
    assert told in find_growth(survivors, record)
    assert bool(find_growth(survivors, record)) is bool(told)


def test_the_table_counts_by_book_what_came_of_the_rows() -> None:
    verdicts = [Verdict("R7-1", "proven"), Verdict("R7-2", "untested"), Verdict("AU-1", "partly", ("a",))]
    lines = format_table(verdicts, {"R7-1": "R7", "R7-2": "R7", "AU-1": "AU"})
    assert lines[0] == "| book | counted as played | proven | partly | survived | underived | untested |"
    assert lines[2:] == [
        "| R7 | 1 | 1 | 0 | 0 | 0 | 1 |",
        "| AU | 1 | 0 | 1 | 0 | 0 | 0 |",
        "| all | 2 | 1 | 1 | 0 | 0 | 1 |",
    ]


def test_what_is_proven_or_gone_is_taken_off_the_list_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "survivors.csv"
    file.write_text('id,claim,reason\nR7-1,a,\nR7-1,b,"one, two"\nR7-2,c,\nR7-3,d,\nR7-4,e,\n', encoding="utf-8")
    verdicts = [Verdict("R7-1", "partly", ("b",)), Verdict("R7-2", "proven")]
    shrink(file, verdicts, {"R7-1", "R7-2", "R7-3"})
    assert file.read_text(encoding="utf-8") == 'id,claim,reason\nR7-1,b,"one, two"\nR7-3,d,\n'


ANSWER = AnswerChange(("roberts-7",), "turns.early-check", "binds")
CLAIMS = [Claim("R7-1", "a", (ANSWER,), decides=True), Claim("R7-1", "b", (ANSWER,), decides=True)]
ADDED = [Claim("R7-1", "c", (ANSWER,), decides=False), Claim("R7-1", "d", (ANSWER,), decides=False)]


@pytest.mark.parametrize(
    ("claims", "killers", "outcome", "survived"),
    [
        (CLAIMS, ("x", "y"), "proven", ()),
        (CLAIMS, ("x", ""), "partly", ("b",)),
        (CLAIMS, ("", ""), "survived", ("a", "b")),
        (ADDED, ("x", ""), "proven", ()),
        (ADDED, ("", ""), "survived", ("c", "d")),
        ([*CLAIMS[:1], *ADDED], ("x", "", ""), "proven", ()),
        ([*CLAIMS[:1], *ADDED], ("", "x", "y"), "survived", ("a",)),
        ([], (), "underived", ()),
    ],
)
def test_a_row_is_proven_when_all_that_it_decides_is(
    claims: list[Claim], killers: tuple[str, ...], outcome: str, survived: tuple[str, ...]
) -> None:
    results = [(claim, Result(claim.name, killer, 1)) for claim, killer in zip(claims, killers, strict=True)]
    verdict = judge("R7-1", results)
    assert (verdict.outcome, verdict.survived) == (outcome, survived)


def test_who_survives_and_may_not_and_who_is_listed_and_proven_are_faults() -> None:
    verdicts = [
        Verdict("R7-1", "survived", ("a",)),
        Verdict("R7-2", "partly", ("b",)),
        Verdict("R7-3", "proven"),
        Verdict("R7-4", "underived"),
        Verdict("R7-5", "underived"),
        Verdict("R7-6", "proven"),
    ]
    kept = {"R7-2": ("b",), "R7-3": ("c",)}
    faults = find_faults(verdicts, kept, {"R7-5": "because", "R7-6": "because"})
    assert [fault.partition(":")[0].split()[0] for fault in faults] == ["R7-1", "R7-3", "R7-4", "R7-6"]
    assert find_faults(verdicts[1:2], kept, {}) == []


@pytest.mark.parametrize(
    ("inside", "name", "is_own"),
    [
        ("A story[roberts-7]", "A story", True),
        ("A story: more[roberts-7]", "A story", False),
        ("TestClass::test_it[case]", "TestClass", True),
        ("TestClass::test_it[case]", "test_it", True),
        ("test_it", "test_it", True),
        ("test_it_too", "test_it", False),
        ("anything", "(module)", True),
    ],
)
def test_a_test_is_found_by_what_a_row_calls_it(inside: str, name: str, *, is_own: bool) -> None:
    assert is_named(inside, name) is is_own


def test_cases_that_are_named_by_rows_prove_only_their_own() -> None:
    cases = [
        "f.py::test_rows[R7-1.a-x]",
        "f.py::test_rows[R7-1.a#b-x]",
        "f.py::test_rows[R7-1.a.c-x]",
        "f.py::test_all",
    ]
    assert leave_own_cases("R7-1.a", cases) == [cases[0], cases[3]]
    assert leave_own_cases("R7-9", cases) == cases


@pytest.mark.parametrize(
    ("test", "is_proof"), [("own", True), ("both", True), ("none", True), ("other", False), ("red", False)]
)
def test_only_what_passes_and_is_played_under_the_row_s_book_proves_it(test: str, *, is_proof: bool) -> None:
    books = {"own": ["roberts-7"], "both": ["maryport", "roberts-7"], "none": [], "other": ["maryport"], "red": []}
    baseline = Outcome(passed=dict.fromkeys(("own", "both", "none", "other"), 0.1), books=books, failed=["red"])
    in_code = Claim("R7-1", "x", (TextChange("a", "b", "c"),), decides=True)
    for claim in (CLAIMS[0], in_code):
        assert can_prove(test, claim, baseline, {"roberts-7"}) is is_proof
    assert can_prove("other", Claim("MP-1", "y", in_code.changes, decides=True), baseline, {"maryport"})


def test_a_sample_has_the_first_rows_and_is_the_same_for_a_seed() -> None:
    first, again, other = (choose_rows(20, seed) for seed in ("a", "a", "b"))
    assert first == again != other
    assert {row.id for row in first[: len(FIRST_ROWS)]} == set(FIRST_ROWS)
    assert len(first) == 20 + len(FIRST_ROWS)
    assert all(list_tests().get(row.id) for row in first[len(FIRST_ROWS) :])


def test_what_is_known_is_not_run_again_and_a_line_that_was_cut_off_is(tmp_path: Path) -> None:
    file, claim = tmp_path / "results.jsonl", next(list_claims("R7-3.betting.10#a"))
    result = Result("R7-3.betting.10#a turns.early-check", "some test", 3)
    Results(file).add(claim, result)
    assert Results(file).find(claim) == result
    file.write_text(file.read_text(encoding="utf-8")[:-20], encoding="utf-8")
    assert Results(file).find(claim) is None
