"""Rulebooks, games and schedules of a house's own, in a directory that the table's file names."""

from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from config import file_library, game_file, rulebook_file, schedule_file
from config.config_error import ConfigError
from config.table_file import DEMO_FILE, load_table_file
from config.table_line import parse_table_line
from controller.app.commissioning.table_file_check import find_problems
from controller.app.table.past_hands import PastHands
from controller.app.table.session_start import make_header, make_self_check, resume_or_begin
from controller.core.model.setup import TableOpened
from controller.core.protocol.table_error import Refused
from controller.runtime.faults.self_check import check_rules
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.recovery.journal_replay import RecoveryError
from controller.runtime.loop.question_alarm import DEFAULT_QUESTION_LIMIT
from controller.runtime.loop.table_view import LIVE
from controller.web.wording.rule_clauses import find_clause_cases

SCRIPT: dict[str, object] = {
    "ev": "table",
    "rulebook": "roberts-7",
    "game": "holdem",
    "betting": {"structure": "no-limit", "small_blind": 1, "big_blind": 2},
    "seats": [{"seat": 1, "stack": 200}, {"seat": 2, "stack": 200}],
    "button": 1,
}
BOOK = """based_on = "roberts-7"
title = "The Corner Cardroom"
games = ["holdem", "corner-holdem"]

[boxed]
one = { is = "muck", cite = "CC-1" }
"""
CATALOGUE = (
    "id,book,cite,game,topic,kind,trigger,remedy,differs_from\nCC-1,CC,House rule 1,all,,ruling,A boxed card,,\n"
)


def test_what_a_book_is_offered_as_is_read_from_its_head_alone(table: Path, mocker: MockerFixture) -> None:
    library = load_table_file(table).library
    whole = {name: rulebook_file.load_rulebook(name, library) for name in rulebook_file.list_rulebooks(library)}
    read = mocker.patch.object(rulebook_file, "read_toml", side_effect=AssertionError("it was read whole"))
    rulebook_file.read_title_and_games.cache_clear()
    assert "corner" in whole
    for name, book in whole.items():
        assert rulebook_file.read_title_and_games(name, library) == (book.title, book.games)
    assert not read.called


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A table that plays a house's game by the house's book."""
    for kind in ("rulebooks", "games", "schedules"):
        (tmp_path / "house" / kind).mkdir(parents=True)
    (tmp_path / "house/rulebooks/corner.toml").write_text(BOOK)
    (tmp_path / "house/games/corner-holdem.toml").write_text((game_file.FOLDER / "holdem.toml").read_text())
    (tmp_path / "house/schedules/friday.toml").write_text((schedule_file.FOLDER / "evening.toml").read_text())
    (tmp_path / "house/catalogue.csv").write_text(CATALOGUE)
    text = DEMO_FILE.read_text().replace('rulebook = "roberts-7"', 'rulebook = "corner"')
    text = text.replace('game = "holdem"', 'game = "corner-holdem"').replace('deck_list = "demo-deck.csv"', "")
    path = tmp_path / "table.toml"
    path.write_text(f'{text}\n[house]\ndirectory = "house"\n')
    return path


def load_table_opened(path: Path) -> TableOpened:
    file = load_table_file(path)
    return parse_table_line(file.table_line, file.library)


def test_a_house_plays_by_its_own_files(table: Path) -> None:
    assert find_problems(table) == []
    file, setup = load_table_file(table), load_table_opened(table).setup
    assert setup.rulebook.title == "The Corner Cardroom"
    assert setup.rulebook.boxed.one.source == "CC, House rule 1"
    assert setup.game.name == "corner-holdem"
    assert schedule_file.load_schedule("friday", file.library).levels == schedule_file.load_schedule("evening").levels
    header = make_header(file, "live table")
    assert len(header["rulebook_sha256"]) == len(header["game_sha256"]) == 64
    assert {"corner", "roberts-7"} <= set(rulebook_file.list_rulebooks(file.library))


def test_books_that_answer_for_another_are_rules_of_the_session_too(table: Path, tmp_path: Path) -> None:
    """The house's book falls back on a second of the house, and that one on R7: a change of either is one of rules."""
    books = table.parent / "house/rulebooks"
    head = 'code = "CC"\ngames = ["corner-holdem"]\n'
    forms = "\n".join(f"[{name}.flop]" for name in ("exposed", "burns", "board", "premature", "counts"))
    forms += "\n[sequence.flop]\n[procedure.flop]\n"
    answer = '[boxed]\none = { is = "muck", cite = "CC-1" }\n'
    (books / "corner.toml").write_text(f'title = "Corner"\n{head}fallback = [{{ book = "second" }}]\n{forms}')
    (books / "second.toml").write_text(f'title = "Second"\n{head}fallback = [{{ book = "roberts-7" }}]\n{answer}')
    file = load_table_file(table)
    journal = Journal(tmp_path / "journal.sqlite")
    journal.begin_run("boot", "test")
    boxed = resume_or_begin(journal, file, LIVE).table.outcome.state.setup.rulebook.boxed
    assert (boxed.one.source, boxed.late.source) == (
        "CC, House rule 1, by default",
        "R7, Section 3, Irregularities, rule 7, by default",
    )
    checked = make_self_check(journal, tmp_path, file).sha256_by_file
    assert [path.stem for path in checked] == ["corner", "second", "roberts-7", "corner-holdem"]
    assert len(set(checked.values())) == 4
    resume_or_begin(journal, file, LIVE)
    assert len(journal.list_sessions()) == 1
    (books / "second.toml").write_text((books / "second.toml").read_text() + "# another word\n")
    assert "second.toml is not what it was" in check_rules(checked).text
    resume_or_begin(journal, file, LIVE)
    assert len(journal.list_sessions()) == 2
    journal.close()


def test_another_table_sees_nothing_of_them(table: Path) -> None:
    house, other = load_table_file(table).library, load_table_file(DEMO_FILE).library
    for library, there in ((other, False), (house, True), (other, False)):
        assert ("corner" in rulebook_file.list_rulebooks(library)) is there
        assert ("corner-holdem" in game_file.list_games(library)) is there
        assert ("CC-1" in rulebook_file.load_clauses(library)) is there


def test_the_environment_names_the_house_where_no_table_does(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(file_library.HOUSE_VARIABLE, str(table.parent / "house"))
    assert rulebook_file.load_rulebook("corner").title == "The Corner Cardroom"


def test_a_house_book_cannot_take_the_name_of_another(table: Path) -> None:
    (table.parent / "house/rulebooks/maryport.toml").write_text(BOOK)
    with pytest.raises(ConfigError, match=r"^maryport\.toml:1: maryport comes with the program; give the house's own"):
        load_table_opened(table)


def test_a_clause_that_is_known_already_is_refused(table: Path) -> None:
    (table.parent / "house/catalogue.csv").write_text(CATALOGUE + "AU-19.2,CC,House rule 2,all,,,,,\n")
    with pytest.raises(ConfigError, match=r"^catalogue\.csv:3: wants id, book, clause, and each id once"):
        load_table_opened(table)


def test_a_directory_that_is_not_there_is_refused(table: Path) -> None:
    table.write_text(table.read_text().replace('directory = "house"', 'directory = "hause"'))
    with pytest.raises(ConfigError, match=r"house\.directory: there is no directory .*hause$"):
        load_table_file(table)
    assert any(error.key == "house.directory" for error in find_problems(table))


def test_the_page_explains_the_clauses_of_the_house(table: Path) -> None:
    (case,) = find_clause_cases(["CC-1"], load_table_file(table).library)["CC-1"]
    assert case["section"] == "House rule 1"


def test_the_process_that_reads_past_hands_knows_the_files_of_the_house(table: Path, tmp_path: Path) -> None:
    file, path = load_table_file(table), tmp_path / "journal.sqlite"
    journal = Journal(path)
    journal.begin_run("boot", "test")
    resume_or_begin(journal, file, LIVE)
    journal.close()
    assert PastHands(path, lambda: None, library=file.library).read_steps(1, 1) == []
    with pytest.raises(RecoveryError):
        PastHands(path, lambda: None).read_steps(1, 1)


@pytest.mark.parametrize(
    ("house", "said"),
    [
        ({"kil": "full"}, "`house` has no key 'kil'; there are table.mode"),
        ({"exposed.flop": 3}, "`house` has no key 'exposed.flop'; there are table.mode"),
        ({"": 1}, "`house` has no key ''; there are table.mode"),
        ({"boxed.one": "nowhere"}, "`house` cannot have 'nowhere' for 'boxed.one'. Answers: aside, muck, stub-bottom."),
        ({"boxed.misdeal": -1}, "`house` cannot have -1 for 'boxed.misdeal'. A whole number from 0 is wanted."),
    ],
)
def test_what_a_house_cannot_answer_is_refused_and_what_it_can_is_named(house: dict[str, object], said: str) -> None:
    with pytest.raises(Refused) as refused:
        parse_table_line(SCRIPT | {"house": house})
    assert refused.value.code == "house"
    assert refused.value.message.startswith(said)
    assert ("or one of deck, kill" in refused.value.message) is ("has no key" in said)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"betting": {"structure": "no-limit", "small_blind": 1}}, "`betting` needs `big_blind` beside `small_blind`."),
        (
            {"blind_seats": {"small": 2, "big": 2}},
            "`blind_seats` has seat 2 for both; `small` and `big` are two seats.",
        ),
    ],
)
def test_stakes_and_seats_that_cannot_be_are_refused(line: dict[str, object], said: str) -> None:
    with pytest.raises(Refused) as refused:
        parse_table_line(SCRIPT | line)
    assert refused.value.message == said


@pytest.mark.parametrize(
    ("written", "limit"), [("", DEFAULT_QUESTION_LIMIT), ("questions = 2", 2), ("questions = 12", 12)]
)
def test_the_house_says_how_many_questions_raise_the_alarm(table: Path, written: str, limit: int) -> None:
    table.write_text(f"{table.read_text()}{written}\n")
    assert load_table_file(table).question_limit == limit


@pytest.mark.parametrize("written", ["1", "0", "-3", "13", "1000", "true", '"3"', "2.5"])
def test_the_alarm_on_questions_is_neither_put_off_nor_put_up_for_one(table: Path, written: str) -> None:
    """Whoever edits the file cannot switch it off."""
    table.write_text(f"{table.read_text()}questions = {written}\n")
    with pytest.raises(ConfigError, match=r"house\.questions"):
        load_table_file(table)
