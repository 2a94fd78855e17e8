"""Any journal replays to the same plan, money and verdicts, and to the same hands, in newer versions too."""

import pytest

from config import rulebook_file
from tests.recorded import answers, hands
from tests.recorded.new_story import write_story

STORIES = answers.read_stories()
ANSWERS, HANDS = answers.read_record(), answers.read_record(hands.RECORD)


@pytest.mark.parametrize("name", STORIES)
def test_every_line_is_answered_as_it_is_on_record(name: str) -> None:
    given = answers.iter_answers(STORIES[name])
    for number, (line, answer, then) in enumerate(zip(STORIES[name], given, ANSWERS[name], strict=True), start=1):
        assert answers.digest(answer) == then, (
            f"line {number}, {line}, is answered otherwise than on record (tests/recorded/answers.py): {answer}"
        )


@pytest.mark.parametrize("name", STORIES)
def test_every_hand_is_written_as_it_is_on_record(name: str) -> None:
    for number, (hand, then) in enumerate(zip(hands.iter_hands(STORIES[name]), HANDS[name], strict=True), start=1):
        assert answers.digest(hand) == then, (
            f"hand {number} is written otherwise than on record (tests/recorded/hands.py): {hand}"
        )


def test_every_story_is_on_record_and_nothing_else() -> None:
    assert list(ANSWERS) == list(HANDS) == list(STORIES)


def test_every_book_is_told_with_each_of_its_games() -> None:
    told = {name.rpartition("-")[0] for name in STORIES}
    books = {book: rulebook_file.load_rulebook(book).games for book in rulebook_file.list_rulebooks()}
    missing = {f"{book}/{game}" for book, games in books.items() for game in games} - told
    assert not missing, f"write stories of {sorted(missing)}: tests/recorded/new_story.py"


def test_a_story_can_be_written_of_any_book_and_game() -> None:
    story = write_story("roberts-7", "stud-7", 1)
    assert story == write_story("roberts-7", "stud-7", 1) != write_story("roberts-7", "stud-7", 2)
    assert len(list(answers.iter_answers(story))) == len(story) > 50
