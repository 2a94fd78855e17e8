"""The steps of a ruling tick off one by one, and vanish with an undo."""

from controller.web.publishing.remedy_progress import RemedyProgress
from controller.web.wording.rule_clauses import find_clause_cases
from tests.playing import ScriptedTable, play


def make_remedy_progress(played: ScriptedTable) -> RemedyProgress:
    remedy = RemedyProgress()
    for number, line in enumerate(played.lines, start=1):
        remedy.follow(line, number)
    return remedy


def read_step_states(remedy: RemedyProgress) -> list[tuple[str, bool]]:
    return [(step["step"], step["done"]) for step in remedy.steps]


def test_each_step_is_ticked_when_it_is_done() -> None:
    played = play("roberts-7", "start", "card As Kd 9h 4c 2d", "report exposed")
    assert read_step_states(make_remedy_progress(played)) == [("deal", False), ("return", False)]
    played("card 5s 6s 7s")
    assert read_step_states(make_remedy_progress(played)) == [("deal", False), ("return", False)]
    played("card 8s")
    assert read_step_states(make_remedy_progress(played)) == [("deal", True), ("return", False)]
    played("done")
    assert read_step_states(make_remedy_progress(played)) == [("deal", True), ("return", True)]
    assert not make_remedy_progress(played).is_taken_back


def test_a_misdeal_is_three_steps() -> None:
    played = play("roberts-7", "start", "card As Kd", "report exposed")
    assert read_step_states(make_remedy_progress(played)) == [("return", False), ("shuffle", False), ("cut", False)]
    played("done", "done")
    assert read_step_states(make_remedy_progress(played)) == [("return", True), ("shuffle", True), ("cut", False)]


def test_what_is_undone_is_shown_as_taken_back() -> None:
    played = play("roberts-7", "start", "card As Kd 9h", "report exposed", "undo")
    assert make_remedy_progress(played).is_taken_back
    played("card 2s")
    assert make_remedy_progress(played).is_taken_back
    played("card 3s", "report exposed")
    assert not make_remedy_progress(played).is_taken_back


def test_a_ruling_that_changed_nothing_is_taken_back_where_the_loop_says_so() -> None:
    played = play("roberts-7", "start", "card As Kd 9h 4c", "report exposed", "undo")
    told = make_remedy_progress(played)
    number = len(played.lines)
    told.follow(played("card 2s"), number + 1, is_taken_back=True)
    assert told.is_taken_back
    told.follow(played("card 3s"), number + 2, is_taken_back=True)
    told.follow(played("report exposed"), number + 3)
    assert not told.is_taken_back


def test_a_new_deal_that_stands_as_the_old_one_did_takes_nothing_back() -> None:
    played = play("roberts-7", "start", "card As Kd", "report exposed", "done 3", "card 4s 5s")
    assert played.lines[-1]["piles"] == played.lines[3]["piles"]
    assert not make_remedy_progress(played).is_taken_back


def test_a_refused_line_changes_nothing() -> None:
    played = play("roberts-7", "start", "card As Kd", "report exposed")
    before = read_step_states(make_remedy_progress(played))
    assert "error" in played({"ev": "show", "seat": 1})
    assert read_step_states(make_remedy_progress(played)) == before


def test_every_clause_of_a_ruling_is_explained() -> None:
    played = play("roberts-7", "start", "card As Kd", "report exposed")
    cites = played.lines[-1]["rulings"][0]["cite"]
    for cases in find_clause_cases(cites).values():
        assert cases[0]["section"]
        assert all(case["then"] for case in cases)
    assert find_clause_cases(["no-such-clause"]) == {"no-such-clause": []}
