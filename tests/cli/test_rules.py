"""`tablectl rules`, and that no rule is without a test or a reason."""

from pathlib import Path

import pytest

from config.rulebook_file import load, names
from controller.cli import main
from controller.cli.rules import coverage
from controller.cli.rules.rules import EXPLAINED, answers
from controller.core.protocol.vocabulary import What

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "docs" / "coverage.csv"


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["rules", *arguments]) == 0
    return capsys.readouterr().out


def test_list_names_every_book_with_its_games(capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys, "list").splitlines()
    assert [line.split()[0] for line in lines] == list(names())
    assert "R7" in lines[names().index("roberts-7")]
    assert "omaha-8" in lines[names().index("house-rules")]


@pytest.mark.parametrize("book", names())
def test_show_says_every_answer_with_its_question_and_clause(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, "show", book)
    for key, rule, metadata in answers(load(book)):
        assert f"{key} = " in out
        assert metadata["question"] in out
        assert all(answer in out for answer in metadata.get("answers", ()))
        assert rule.cite[0] in out


def test_show_of_a_topic_has_its_keys_and_the_printed_rules(capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, "show", "roberts-7", "clock")
    assert "clock.seconds = 60" in out
    assert "R7-3.dead.1f (enforce)" in out
    assert "boxed" not in out
    assert "exposed.flop.one = replaced" in said(capsys, "show", "roberts-7", "exposed")


def test_show_refuses_an_unknown_topic(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "show", "maryport", "weather"]) == 2
    assert "boxed" in capsys.readouterr().err


def test_diff_lists_what_two_books_answer_differently_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, "diff", "roberts-7", "fish-n-chips")
    assert "turns.early-act: " in out
    assert "roberts-7 floor: R7-3.betting.10#b" in out
    assert "fish-n-chips binds: FC-3.betting.7#b" in out
    assert "turns.early-check" not in out
    assert said(capsys, "diff", "maryport", "maryport") == ""


def test_explain_says_what_every_book_answers(capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, "explain", "boxed")
    assert "roberts-7 aside: R7-3.irreg.7" in out
    assert "house-rules stub-bottom: HR-irreg.6" in out
    assert "by default" in said(capsys, "explain", "clock-expired")


@pytest.mark.parametrize("what", What)
def test_every_report_is_explained(what: What) -> None:
    assert what.value in EXPLAINED


@pytest.mark.parametrize("finding", EXPLAINED)
def test_what_explains_a_finding_are_keys(finding: str) -> None:
    keys = {key for name in names() for key, _, _ in answers(load(name))}
    for start in EXPLAINED[finding]:
        assert any(key.startswith(start) for key in keys), start


def test_a_test_covers_by_its_name_and_by_its_docstrings(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(
        '"""A family.\n\nCovers: R7-3.irreg.7\n"""\n\n'
        "def test_R7_5_holdem_1_a(): ...\n\n"
        "class TestMore:\n"
        '    def test_two(self):\n        """Says it.\n\n'
        "        Covers: AU-16.6(c), FC-5.holdem.1#a,\n        HR-nl.3#a.\n\n"
        '        Nothing more: MP-3.irreg.7.\n        """\n'
        'def helper():\n    """Covers: MP-3.irreg.7"""\n'
        'def test_wrong():\n    """Covers: R7-99"""\n'
    )
    ids = [row.id for row in coverage.every_row()]
    found, unknown = coverage.tested(tmp_path, ids)
    assert found == {
        "R7-3.irreg.7": ("test_some.py::(module)",),
        "R7-5.holdem.1#a": ("test_some.py::test_R7_5_holdem_1_a",),
        "AU-16.6(c)": ("test_some.py::test_two",),
        "FC-5.holdem.1#a": ("test_some.py::test_two",),
        "HR-nl.3#a": ("test_some.py::test_two",),
    }
    assert unknown == ("test_some.py::test_wrong: R7-99",)


def test_names_of_tests_stand_for_one_row_each() -> None:
    spelled = [coverage.identifier(row.id) for row in coverage.every_row()]
    assert len(set(spelled)) == len(spelled)


def test_coverage_fails_while_a_row_has_neither_or_both(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, tests = tmp_path / "coverage.csv", tmp_path / "tests"
    tests.mkdir()
    (tests / "test_one.py").write_text("def test_R7_3_irreg_7(): ...\n")
    table.write_text("id,reason\nR7-3.irreg.7,none\nR7-2.proc.7,nobody knows\n")
    assert main(["rules", "coverage", "--tests", str(tests), "--table", str(table)]) == 1
    out = capsys.readouterr().out
    assert "tested, and a reason why not: R7-3.irreg.7 (test_one.py::test_R7_3_irreg_7)" in out
    assert "missing: R7-3.betting.5 (betting, enforce)" in out
    assert "missing: R7-2.proc.7" not in out
    assert "missing: AU-13.1(b) (" in out, "a row of a game without a flop"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("row,why\n", "its first line must be"),
        ("id,reason\nR7-3.irreg.7,\n", "has no reason"),
        ("id,reason\nR7-3.irreg.7,a\nR7-3.irreg.7,b\n", "twice"),
    ],
)
def test_a_bad_table_is_refused(text: str, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "coverage.csv"
    table.write_text(text)
    assert main(["rules", "coverage", "--tests", str(tmp_path), "--table", str(table)]) == 2
    assert complaint in capsys.readouterr().err


def test_coverage_needs_a_checkout(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "coverage", "--tests", str(tmp_path / "none")]) == 2
    assert "checkout" in capsys.readouterr().err


UNFINISHED = ("TDA", "WSOP")
"""Books whose rows are not all played yet: what is left never grows."""
ROWS_TO_DO = 0


def test_every_rule_has_a_test_or_a_reason() -> None:
    """No row without either, none with both, and no test or reason for a row that the catalogue does not have."""
    found = coverage.measure(ROOT / "tests", TABLE)
    missing = [row.id for row in found.missing if row.book not in UNFINISHED]
    assert missing == []
    assert sum(row.book in UNFINISHED for row in found.missing) <= ROWS_TO_DO
    assert [row.id for row in found.stale] == []
    assert list(found.unknown) == []
