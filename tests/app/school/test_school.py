"""The dealers' school: every lesson by every book, judged by the engine, at a terminal and on its page."""

import ast
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.applications import Starlette

from config import lesson_file, rulebook_file
from config.config_error import ConfigError
from config.file_library import Library
from controller.app import training
from controller.app.training.lesson_library import LessonLibrary
from controller.app.training.played_lesson import (
    MAX_ANSWERS,
    MAX_CACHED_LESSONS,
    LessonNotFoundError,
    PlayedLesson,
    list_lessons,
    play_lesson,
)
from controller.cli import main
from controller.cli.table import train_command as train_module
from controller.cli.table.train_command import teach_lessons
from controller.core.protocol.vocabulary import ReportKind
from controller.web.pages.training_page import TrainingPage
from tests.web.test_pages import Client

MARKED = 'title = "x"\ngame = "holdem"\nbefore = ["start"]\nseen = "y"\nhappens = [{{ ev = "card" }}]\nshows = [{}]\n'
BOOKS = rulebook_file.list_rulebooks()


@pytest.mark.parametrize("book", BOOKS)
def test_every_lesson_is_ruled_on_by_every_book_that_plays_its_game(book: str) -> None:
    codes = {rulebook_file.load_rulebook(name).code for name in BOOKS}
    for lesson in list_lessons(book):
        found = play_lesson(lesson.name, book)
        assert [moment.wrong for moment in found.moments] == [False] * (len(found.moments) - 1) + [True]
        assert found.clause.split("-")[0] in codes
        assert found.remedy_steps
        for question in (found.kind_question, found.ruling_question):
            assert 2 <= len(question.answers) <= MAX_ANSWERS
            assert len(set(question.answers)) == len(question.answers)
        assert found.kind_question.answers[found.kind_question.right_index] == lesson.title


def test_what_is_right_is_what_the_engine_rules_and_differs_by_book() -> None:
    by = {book: play_lesson("exposed-first-card", book) for book in ("roberts-7", "casino-au")}
    assert (
        by["roberts-7"]
        .ruling_question.answers[by["roberts-7"].ruling_question.right_index]
        .startswith("Misdeal. Next: All cards back")
    )
    assert by["roberts-7"].clause == "R7-5.holdem.1"
    assert by["casino-au"].ruling_question.answers[by["casino-au"].ruling_question.right_index].startswith("Replace.")
    turn = play_lesson("boxed-card-on-the-turn", "roberts-7")
    assert turn.clause == "R7-3.irreg.7"
    assert len(turn.moments[-2].table["board"]) == 3


def test_the_school_knows_no_rule_of_its_own() -> None:
    """Its code names no finding, so that what is right can come from `Table.handle` alone."""
    findings = {what.value for what in ReportKind}
    for path in Path(str(training.__file__)).parent.glob("*.py"):
        nodes = ast.walk(ast.parse(path.read_text()))
        assert not findings & {str(node.value) for node in nodes if isinstance(node, ast.Constant)}


def test_a_lesson_goes_wrong_in_nothing_but_what_it_is_about() -> None:
    for lesson in list_lessons("roberts-7"):
        regular = play_lesson(lesson.name, "roberts-7").moments[:-1]
        expected = sum(count for word, count in lesson.setup_actions if word == "up")
        assert sum(bool(moment.table["rulings"]) for moment in regular) == expected, lesson.name


@pytest.mark.parametrize("book", BOOKS)
def test_what_is_amiss_is_seen_and_not_told(book: str) -> None:
    """The words of the moment are those of any other; the table, or what lies beside it, looks otherwise."""
    for lesson in list_lessons(book):
        found = play_lesson(lesson.name, book)
        wrong, before = found.moments[-1], found.moments[-2]
        assert wrong.observation == lesson.observation
        assert lesson.observation not in wrong.description
        assert not {title for title in found.kind_question.answers if title in wrong.description}
        assert wrong.scene is not None
        assert not wrong.scene["rulings"] or any(word == "up" for word, _ in lesson.setup_actions)
        looks = [{key: table.get(key) for key in ("piles", "board", "up")} for table in (wrong.scene, before.table)]
        assert looks[0] != looks[1] or wrong.beside or lesson.script_lines[-1]["ev"] == "act", lesson.name
        assert all(moment.to_json().keys() == {"happens", "table", "wrong"} for moment in found.moments[:-1])


@pytest.mark.parametrize("book", BOOKS)
def test_what_a_book_does_not_tell_from_the_right_answer_is_no_other_answer(book: str) -> None:
    """A boxed card is a scrap by all of them: in which pile it ends is no other choice."""
    for lesson in list_lessons(book):
        found = play_lesson(lesson.name, book)
        right = found.ruling_question.answers[found.ruling_question.right_index]
        same = [
            answer
            for answer in found.ruling_question.answers
            if answer.partition("\N{RIGHTWARDS ARROW}")[0] == right.partition("\N{RIGHTWARDS ARROW}")[0]
        ]
        assert same == [right], lesson.name


def test_two_things_that_a_book_rules_alike_are_not_asked_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another name for the same thing: by the book it is right as well, so it is not offered as wrong."""
    own, other = lesson_file.load_lesson("exposed-downcard"), lesson_file.load_lesson("boxed-card")
    twin = replace(own, name="twin", title="A card was turned over")
    named = {"exposed-downcard": own, "twin": twin, "boxed-card": other}
    monkeypatch.setattr(lesson_file, "list_lessons", lambda: tuple(named))
    monkeypatch.setattr(lesson_file, "load_lesson", named.__getitem__)
    play_lesson.cache_clear()
    try:
        assert play_lesson("exposed-downcard", "roberts-7").kind_question.answers == (other.title, own.title)
    finally:
        play_lesson.cache_clear()


@pytest.mark.parametrize("book", BOOKS)
def test_the_card_for_the_draw_goes_to_who_draws_by_every_book(book: str) -> None:
    """Also where one is burned before, and where all say what they draw before a card comes."""
    if "exposed-on-the-draw" in {lesson.name for lesson in list_lessons(book)}:
        assert play_lesson("exposed-on-the-draw", book).moments[-1].description.startswith("Card to seat 2")


class Person:
    """Answers at the terminal: stops where `stops` says, and chooses `choice` of each question."""

    def __init__(self, stops: Callable[[str], bool], choices: list[str]) -> None:
        self._stops, self._choices = stops, choices
        self.asked: list[str] = []

    def __call__(self, prompt: str) -> str:
        self.asked.append(prompt)
        if "1 to" in prompt:
            return self._choices.pop(0)
        return "!" if self._stops(prompt) else ""


def test_a_dealer_is_scored_by_clause_at_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    found = play_lesson("boxed-card", "roberts-7")
    seen = found.moments[-1].observation
    right = [str(found.kind_question.right_index + 1), str(found.ruling_question.right_index + 1)]
    knows = Person(lambda prompt: seen in prompt, ["x", "9", *right])
    assert teach_lessons([found], knows) == 0
    out = capsys.readouterr().out
    assert "R7-3.irreg.7             3 of 3" in out
    assert "Type a number from 1 to" in out
    assert found.rulings[0]["text"] in out
    sleeps = Person(
        lambda _: False, [str(2 - found.kind_question.right_index % 2), str(found.ruling_question.right_index % 2 + 1)]
    )
    teach_lessons(
        [found, found], Person(lambda prompt: prompt == f"  {found.moments[0].description} " and not knows, right * 2)
    )
    assert "4 of 6" in capsys.readouterr().out
    teach_lessons([found], sleeps)
    assert "You went on, and something was amiss" in capsys.readouterr().out


def test_to_stop_where_nothing_is_amiss_costs_nothing_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    found = play_lesson("boxed-card", "roberts-7")
    said: list[str] = []

    def ask(prompt: str) -> str:
        said.append(prompt)
        if "1 to" in prompt:
            return str((found.kind_question if said.count(prompt) == 1 else found.ruling_question).right_index + 1)
        return "!" if said.count(prompt) == 1 else ""

    teach_lessons([found], ask)
    out = capsys.readouterr().out
    assert out.count("Nothing is amiss; go on.") == len(found.moments) - 1
    assert "3 of 3" in out


def test_the_command_names_its_lessons_and_refuses_what_there_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "--list", "--about", "boxed"]) == 0
    assert [line.split("\t")[0] for line in capsys.readouterr().out.splitlines()] == [
        "boxed-card", "boxed-card-on-the-turn", "second-boxed-card",
    ]  # fmt: skip
    for words, named in (
        (["--rulebook", "hoyle"], "there are casino-au"),
        (["nothing"], "there are boxed-card"),
        (["--about", "the weather"], "--list"),
    ):
        assert main(["train", *words]) == 1
        assert named in capsys.readouterr().out


def test_the_page_has_lessons_by_any_book() -> None:
    client = Client(Starlette(routes=TrainingPage(LessonLibrary(Library(), lambda: "roberts-7")).make_routes()))
    contents = client.get("/train/lessons").json()
    assert contents["book"] == "roberts-7"
    assert set(contents["books"]) == set(BOOKS)
    lesson = client.get(f"/train/lessons/casino-au/{contents['lessons'][0]['name']}").json()
    assert lesson["moments"][0]["table"]["next"][0]["text"]
    for path in ("/train/lessons?book=hoyle", "/train/lessons/hoyle/boxed-card", "/train/lessons/roberts-7/none"):
        answer = client.get(path)
        assert (answer.status_code, answer.json()["code"]) == (404, "no-such-lesson")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "title"),
        ('title = "x"\nhint = 3\n', "hint"),
        ('title = "x"\ngame = "whist"\nbefore = ["start"]\nseen = "y"\nhappens = [{ ev = "card" }]\n', "game"),
        ('title = "x"\ngame = "holdem"\nbefore = ["deal 99"]\nseen = "y"\nhappens = [{ ev = "card" }]\n', "before"),
        ('title = "x"\ngame = "holdem"\nbefore = ["start"]\nseen = "y"\nhappens = ["card"]\n', "happens"),
        (MARKED.format('{ at = "seat", card = "up" }'), "shows"),
        (MARKED.format('{ at = "floor", card = "torn" }'), "shows"),
    ],
)
def test_a_lesson_that_makes_no_sense_is_refused_with_its_line(tmp_path: Path, text: str, named: str) -> None:
    path = tmp_path / "x.toml"
    path.write_text(text)
    with pytest.raises(ConfigError) as refused:
        lesson_file.read_lesson(path)
    assert named in str(refused.value)


def test_a_lesson_of_another_game_is_none() -> None:
    played = {game for book in BOOKS for game in rulebook_file.load_rulebook(book).games}
    assert {lesson_file.load_lesson(name).game for name in lesson_file.list_lessons()} <= played
    with pytest.raises(LessonNotFoundError, match="there is no lesson"):
        play_lesson(
            "stud-downcard-up", next(book for book in BOOKS if "stud-7" not in rulebook_file.load_rulebook(book).games)
        )


def test_a_seed_makes_an_order_that_it_makes_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def clauses(*words: str) -> list[str]:
        found: list[str] = []

        def teach(courses: Sequence[PlayedLesson], _: object) -> int:
            found.extend(each.lesson for each in courses)
            return 0

        monkeypatch.setattr(train_module, "teach_lessons", teach)
        assert main(["train", *words]) == 0
        capsys.readouterr()
        return found

    assert clauses("--shuffle", "7") == clauses("--shuffle", "7") != clauses()
    assert sorted(clauses("--shuffle", "7")) == clauses()


def test_a_table_keeps_few_of_the_hundreds_of_courses() -> None:
    """Lessons by books by languages: what somebody looked at once does not stay for ever."""
    play_lesson.cache_clear()
    asked = [(lesson.name, book) for book in rulebook_file.list_rulebooks() for lesson in list_lessons(book)][
        : MAX_CACHED_LESSONS + 4
    ]
    for name, book in asked:
        with suppress(LessonNotFoundError):
            play_lesson(name, book)
    assert play_lesson.cache_info().currsize <= MAX_CACHED_LESSONS
