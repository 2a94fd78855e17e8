"""`tablectl rules`, and that no rule is without a test or a reason."""

from html.parser import HTMLParser
from pathlib import Path

import pytest

from config.rulebook_file import list_rulebooks, load_rulebook
from controller.cli import main
from controller.cli.rules import rule_coverage
from controller.cli.rules.rulebook_comparison import SUBJECT_BY_TABLE, compare_rulebooks, iter_answers
from controller.cli.rules.rules_command import KEYS_BY_FINDING
from controller.core.rules.rulebook import RULES_CLASS_BY_FORM_SECTION, RULES_CLASS_BY_SECTION

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "docs" / "coverage.csv"


def run_rules(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["rules", *arguments]) == 0
    return capsys.readouterr().out


def test_list_names_every_book_with_its_games(capsys: pytest.CaptureFixture[str]) -> None:
    lines = run_rules(capsys, "list").splitlines()
    assert [line.split()[0] for line in lines] == list(list_rulebooks())
    assert "R7" in lines[list_rulebooks().index("roberts-7")]
    assert "omaha-8" in lines[list_rulebooks().index("house-rules")]


@pytest.mark.parametrize("book", list_rulebooks())
def test_show_says_every_answer_with_its_question_and_clause(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = run_rules(capsys, "show", book)
    for key, rule, metadata in iter_answers(load_rulebook(book)):
        assert f"{key} = " in out
        assert metadata["question"] in out
        assert all(answer in out for answer in metadata.get("answers", ()))
        assert rule.cite[0] in out


def test_show_of_a_topic_has_its_keys_and_the_printed_rules(capsys: pytest.CaptureFixture[str]) -> None:
    out = run_rules(capsys, "show", "roberts-7", "clock")
    assert "clock.seconds = 60" in out
    assert "R7-3.dead.1f (enforce)" in out
    assert "boxed" not in out
    assert "exposed.flop.one = replaced" in run_rules(capsys, "show", "roberts-7", "exposed")


def test_show_refuses_an_unknown_topic(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "show", "maryport", "weather"]) == 2
    assert "boxed" in capsys.readouterr().err


def test_diff_lists_what_two_books_answer_differently_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    out = run_rules(capsys, "diff", "roberts-7", "fish-n-chips")
    assert "turns.early-act: " in out
    assert "roberts-7 floor: R7-3.betting.10#b" in out
    assert "fish-n-chips binds: FC-3.betting.7#b" in out
    assert "turns.early-check" not in out
    assert run_rules(capsys, "diff", "maryport", "maryport") == ""


def test_show_and_diff_say_which_books_answer_where_one_is_silent(capsys: pytest.CaptureFixture[str]) -> None:
    """TDA-intro, WSOP-T-129."""
    assert "fallback = roberts-7\n" in run_rules(capsys, "show", "tda-2024")
    bound = "wsop-live-2024 whose clauses bind: WSOP-T-129 (WSOP, Tournament Rule 129), then roberts-7 by default"
    assert bound in run_rules(capsys, "show", "wsop-2024")
    assert "none; the nearest clause of another" in run_rules(capsys, "show", "roberts-7")
    out = run_rules(capsys, "diff", "tda-2024", "wsop-2024")
    assert f"    tda-2024 roberts-7 by default: TDA-intro (TDA, Rules, preamble)\n    wsop-2024 {bound}" in out
    assert "fallback" not in run_rules(capsys, "diff", "maryport", "fish-n-chips")


def test_diff_lists_by_subject_all_that_two_books_answer_if_told(capsys: pytest.CaptureFixture[str]) -> None:
    out = run_rules(capsys, "diff", "tda-2024", "wsop-2024", "--all").splitlines()
    keys = [line.partition(":")[0] for line in out if not line.startswith(" ")]
    questions = compare_rulebooks(load_rulebook("tda-2024"), load_rulebook("wsop-2024"))
    both = [each.key for each in questions if each.first is not None and each.second is not None]
    assert keys[: len(both) + 1] == ["fallback", *both]
    assert len(both) > 300
    assert tuple(dict.fromkeys(each.subject for each in questions)) == tuple(SUBJECT_BY_TABLE)
    assert list(SUBJECT_BY_TABLE) == [*RULES_CLASS_BY_SECTION, *RULES_CLASS_BY_FORM_SECTION]


def test_every_question_stands_alone() -> None:
    """Where only what differs is listed the question before it may be missing."""
    leaning = (
        "The same",
        "And ",
        "Also ",
        "Or ",
        "Who,",
        "What,",
        "May it",
        "Is it p",
        "Is it s",
        "Does it",
        "Do they",
    )
    texts = [metadata["question"] for _, _, metadata in iter_answers(load_rulebook("roberts-7"))]
    assert [text for text in texts if text.startswith(leaning)] == []


class Cells(HTMLParser):
    """The rows of a page's tables, each cell as its text; and every tag that was opened and not closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002
        if tag not in ("meta", "col"):
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if {"td", "th"} & set(self.open):
            self.rows[-1][-1] += f"{data}\n"


def test_diff_writes_a_page_to_print_with_both_editions_and_every_difference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "differences.html"
    assert run_rules(capsys, "diff", "tda-2024", "wsop-2024", "--html", str(file)) == ""
    text = file.read_text(encoding="utf-8")
    tda, wsop = "Poker TDA Rules 2024", "World Series of Poker 2024, official tournament rules"
    assert f"<h1>{tda} and {wsop}</h1>" in text
    assert "size: A4" in text
    assert "wsop-live-2024 whose clauses bind: WSOP-T-129" in text
    page = Cells(text)
    assert page.open == []
    rows = [row for row in page.rows if row[0] != "Question\n"]
    assert all(row == ["Question\n", f"{tda}\n", f"{wsop}\n"] for row in page.rows if row not in rows)
    for each in compare_rulebooks(load_rulebook("tda-2024"), load_rulebook("wsop-2024")):
        if each.first is None or each.second is None:
            continue
        found = [
            row
            for row in rows
            if each.text in row[0]
            and each.game_form in row[0]
            and row[1] == f"{each.first.value.replace('-', ' ')}\n{each.first.source}\n"
            and row[2] == f"{each.second.value.replace('-', ' ')}\n{each.second.source}\n"
        ]
        assert bool(found) is each.is_different, each.key
    assert all(row[1].splitlines()[0] != row[2].splitlines()[0] for row in rows)


def test_the_page_to_print_has_all_answers_if_told_and_says_whose_games_are_whose(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few, whole = tmp_path / "few.html", tmp_path / "all.html"
    assert run_rules(capsys, "diff", "maryport", "casino-au", "--html", str(few)) == ""
    assert run_rules(capsys, "diff", "maryport", "casino-au", "--all", "--html", str(whole)) == ""
    assert "only casino-au has board.manila, " in few.read_text()
    assert "<td>–</td>" in whole.read_text()
    forms = {
        form
        for each in compare_rulebooks(load_rulebook("maryport"), load_rulebook("casino-au"))
        if (form := each.game_form)
    }
    rows = Cells(whole.read_text()).rows
    assert {form for row in rows for form in row[0].partition(":")[0].split(", ")} >= forms
    assert len(rows) > 2 * len(Cells(few.read_text()).rows)


def test_a_page_that_cannot_be_written_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "diff", "tda-2024", "wsop-2024", "--html", str(tmp_path)]) == 2
    assert f"{tmp_path}: cannot be written: Is a directory" in capsys.readouterr().err


def test_explain_says_what_every_book_answers(capsys: pytest.CaptureFixture[str]) -> None:
    out = run_rules(capsys, "explain", "boxed")
    assert "roberts-7 aside: R7-3.irreg.7" in out
    assert "house-rules stub-bottom: HR-irreg.6" in out
    assert "by default" in run_rules(capsys, "explain", "clock-expired")


@pytest.mark.parametrize("finding", KEYS_BY_FINDING)
def test_what_explains_a_finding_are_keys(finding: str) -> None:
    keys = {key for name in list_rulebooks() for key, _, _ in iter_answers(load_rulebook(name))}
    for start in KEYS_BY_FINDING[finding]:
        assert any(key.startswith(start) for key in keys), start


def test_a_test_covers_by_its_name_its_docstrings_or_its_title(tmp_path: Path) -> None:
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
    (tmp_path / "some.scn").write_text(
        "# A [R7-99]\nunder roberts-7\n\nA title\nof two lines [R7-3.irreg.7\nR7-98]\n  given dealt\n\n"
        "Another\n  table [R7-97]\n"
    )
    ids = [row.id for row in rule_coverage.iter_catalogue_rows()]
    found, unknown = rule_coverage.find_tests(tmp_path, ids)
    assert found == {
        "R7-3.irreg.7": ("some.scn::A title of two lines", "test_some.py::(module)"),
        "R7-5.holdem.1#a": ("test_some.py::test_R7_5_holdem_1_a",),
        "AU-16.6(c)": ("test_some.py::test_two",),
        "FC-5.holdem.1#a": ("test_some.py::test_two",),
        "HR-nl.3#a": ("test_some.py::test_two",),
    }
    assert unknown == ("some.scn::A title of two lines: R7-98", "test_some.py::test_wrong: R7-99")


def test_names_of_tests_stand_for_one_row_each() -> None:
    spelled = [rule_coverage.make_test_identifier(row.id) for row in rule_coverage.iter_catalogue_rows()]
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


def test_coverage_says_what_comes_by_default(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What a book is silent about stands in no file of its own."""
    (tmp_path / "coverage.csv").write_text("id,reason\n")
    arguments = ["rules", "coverage", "--tests", str(tmp_path), "--table", str(tmp_path / "coverage.csv")]
    main(arguments)
    short = capsys.readouterr().out
    main([*arguments, "--rows"])
    long = capsys.readouterr().out
    for name in list_rulebooks():
        answers = list(iter_answers(load_rulebook(name)))
        silent = [(key, rule.cite[0]) for key, rule, _ in answers if rule.by_default]
        said = f"{name}: {len(silent)} of {len(answers)} answers by default\n"
        assert said in short
        after = long.partition(said)[2].splitlines()
        assert [(line.split()[0][:-1], line.split()[1].strip(",")) for line in after[: len(silent)]] == silent


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
    found = rule_coverage.measure_coverage(ROOT / "tests", TABLE)
    missing = [row.id for row in found.missing_rows if row.book not in UNFINISHED]
    assert missing == []
    assert sum(row.book in UNFINISHED for row in found.missing_rows) <= ROWS_TO_DO
    assert [row.id for row in found.stale_rows] == []
    assert list(found.unknown_ids) == []
