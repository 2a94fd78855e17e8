"""The notation of stories refuses what it does not know, and a story that is not so is a failure with its line."""

from pathlib import Path

import pytest

from tests.notation.collector import StoryError, play_script
from tests.notation.stories import StoryFile
from tests.notation.words import NotationError

STORY = """
under roberts-7

given dealt
  table
  start; card Ad 9c Tc 5d 6c 4d Qh 6d

An exposed card [R7-3.irreg.7]
  given dealt
  act 4 raise 6, 1 call
    stacks 4:194; bets 1:6 2:1 3:2 4:6; next act 2, ...; legal fold call raise all-in
"""


DRIVEN = """
under roberts-7

What the table asks for
  table; start; deal
    street preflop; next act 4
  all call until flop with 8h 2s 4s Qd
    board 2s 4s Qd; next act 2
  act 2 bet 4; all fold
    stacks 2:198; bets none; next award 2
  all call until over
    next nothing; stacks 2:206
"""


def read(folder: Path, text: str) -> StoryFile:
    path = folder / "one.scn"
    path.write_text(text, encoding="utf-8")
    return StoryFile(path)


def play(file: StoryFile) -> None:
    for _, scripts in file.cases:
        for script in scripts:
            play_script(script)


def test_a_story_is_played_and_is_the_lines_of_a_scenario(tmp_path: Path) -> None:
    file = read(tmp_path, STORY)
    [(name, [script])] = file.cases
    assert name == "An exposed card[roberts-7]"
    assert [line.event["ev"] for line in script.lines] == ["table", "start", *["card"] * 8, "act", "act"]
    assert script.lines[-1].scenario_line["expect"]["stacks"] == {"4": 194}
    play(file)
    play(file)  # from where the beginning ended


@pytest.mark.parametrize(
    ("before", "after", "complaint"),
    [
        ("stacks 4:194", "stacks 4:195", r"expected 195\n +got +194"),
        ("1:6 2:1 3:2", "1:6 2:1", r"bets.3\n +expected absent"),
        ("next act 2, ...", "next act 3, ...", "seat"),
        ("legal fold", "may not fold", "lacks"),
        ("1 call", "2 call", "out-of-turn|not"),
        ("stacks 4:194", "refused bad-act", "error"),
        ("stacks 4:194", 'gate says "a"; gate never "l"', r"gate\n.*says"),
    ],
)
def test_what_is_not_so_is_a_failure_at_its_line(before: str, after: str, complaint: str, tmp_path: Path) -> None:
    with pytest.raises(StoryError, match=complaint) as failure:
        play(read(tmp_path, STORY.replace(before, after)))
    assert "one.scn:10: act 4 raise 6" in str(failure.value)


@pytest.mark.parametrize(
    ("before", "after", "complaint"),
    [
        ("2s 4s Qd\n", "2s 4s Qc\n", "board"),
        ("all call until over", "all call until flop", "one.scn:11: (.|\n)*the hand is over"),
        ("4s Qd\n", "4s Qd 5d 6d\n", r"one.scn:7: (.|\n)*\['5d', '6d'\] left"),
        ("start; deal", "start; deal; deal", "nothing to play"),
        ("all fold", "all bet", "stacks"),
        ("start; deal", "start; deal until flop", "stops at"),
        ("2 bet 4", "2 bet 1", "error"),
    ],
)
def test_the_autopilot_plays_what_is_next(before: str, after: str, complaint: str, tmp_path: Path) -> None:
    play(read(tmp_path, DRIVEN))
    with pytest.raises(StoryError, match=complaint):
        play(read(tmp_path, DRIVEN.replace(before, after, 1)))


@pytest.mark.parametrize(
    ("before", "after", "complaint"),
    [
        ("act 4 raise 6, 1 call", "all fall", "one.scn:10: .*here stands all"),
        ("act 4 raise 6, 1 call", "all call to flop", "one.scn:10: .*here stands all"),
        ("stacks 4:194", "stocks 4:194", "9: no|stocks"),
        ("R7-3.irreg.7", "R7-3.irreg.777", "one.scn:8: R7-3.irreg.777: no clause"),
        ("under roberts-7", "under robert", "one.scn:2: robert: no rulebook"),
        ("  given dealt\n", "  given undealt\n", "one.scn:9: given undealt: a story begins with"),
        ("  given dealt\n", "  table\n", "no story begins with dealt"),
        ("act 4 raise 6", "act 4 raise 6 7 8", "one.scn:10: .*no line of play"),
        ("act 4 raise", "act <four> raise", "one.scn:10: <four>: the story has no such column"),
        ("  given dealt\n", "  | book | four |\n  given dealt\n", "four: no line uses this column"),
        ("next act 2, ...", "ruling exposed keep", "a finding and a verdict"),
        ("next act 2, ...", "ruling exposed correct R8-1", "R8-1 is neither a clause"),
        ("next act 2, ...", "stacks.4 = 194", "stacks.4: expected twice"),
        ("next act 2, ...", "phase says [", "not closed"),
        ("under roberts-7", "", "the books that it is played under"),
        ("    stacks", "   stacks", "one.scn:11: a title stands at the margin"),
        ("under roberts-7", "under roberts-7, roberts-7", "two cases are called"),
    ],
)
def test_what_has_no_meaning_is_refused_with_its_line(before: str, after: str, complaint: str, tmp_path: Path) -> None:
    with pytest.raises(NotationError, match=complaint):
        read(tmp_path, STORY.replace(before, after, 1))


def test_a_ruling_of_no_seat_has_none(tmp_path: Path) -> None:
    played = "table; start; card Ad 9c Tc; report exposed"
    story = f"\nExposed\n  under roberts-7\n  {played}\n    ruling exposed replace no seat\n"
    with pytest.raises(StoryError, match=r"rulings\[0\].seat\n +expected absent\n +got +4"):
        play(read(tmp_path, story))
