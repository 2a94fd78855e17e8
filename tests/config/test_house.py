"""Rulebooks, games and schedules of a house's own, in a directory that the table's file names."""

from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from config import folders, game_file, rulebook_file, schedule_file
from config.errors import ConfigError
from config.setup import open_table
from config.table_file import DEMO, load_table
from controller.app.table.past_hands import PastHands
from controller.app.table.session import header_of, take_up
from controller.app.table_setup.check_file import problems
from controller.core.model.setup import Opened
from controller.core.protocol.errors import Refused
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.recovery.recovery import RecoveryError
from controller.runtime.loop.standing import LIVE
from controller.web.pages.clauses import explained

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
    library = load_table(table).library
    whole = {name: rulebook_file.load(name, library) for name in rulebook_file.names(library)}
    read = mocker.patch.object(rulebook_file, "read_toml", side_effect=AssertionError("it was read whole"))
    rulebook_file.offer_of.cache_clear()
    assert "corner" in whole
    for name, book in whole.items():
        assert rulebook_file.offer_of(name, library) == (book.title, book.games)
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
    text = DEMO.read_text().replace('rulebook = "roberts-7"', 'rulebook = "corner"')
    text = text.replace('game = "holdem"', 'game = "corner-holdem"').replace('deck_list = "demo-deck.csv"', "")
    path = tmp_path / "table.toml"
    path.write_text(f'{text}\n[house]\ndirectory = "house"\n')
    return path


def opened(path: Path) -> Opened:
    file = load_table(path)
    return open_table(file.table, file.library)


def test_a_house_plays_by_its_own_files(table: Path) -> None:
    assert problems(table) == []
    file, setup = load_table(table), opened(table).setup
    assert setup.rulebook.title == "The Corner Cardroom"
    assert setup.rulebook.boxed.one.source == "CC, House rule 1"
    assert setup.game.name == "corner-holdem"
    assert schedule_file.load("friday", file.library).levels == schedule_file.load("evening").levels
    header = header_of(file, "live table")
    assert len(header["rulebook_sha256"]) == len(header["game_sha256"]) == 64
    assert {"corner", "roberts-7"} <= set(rulebook_file.names(file.library))


def test_another_table_sees_nothing_of_them(table: Path) -> None:
    house, other = load_table(table).library, load_table(DEMO).library
    for library, there in ((other, False), (house, True), (other, False)):
        assert ("corner" in rulebook_file.names(library)) is there
        assert ("corner-holdem" in game_file.names(library)) is there
        assert ("CC-1" in rulebook_file.clauses(library)) is there


def test_the_environment_names_the_house_where_no_table_does(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(folders.VARIABLE, str(table.parent / "house"))
    assert rulebook_file.load("corner").title == "The Corner Cardroom"


def test_a_house_book_cannot_take_the_name_of_another(table: Path) -> None:
    (table.parent / "house/rulebooks/maryport.toml").write_text(BOOK)
    with pytest.raises(ConfigError, match=r"^maryport\.toml:1: maryport comes with the program; give the house's own"):
        opened(table)


def test_a_clause_that_is_known_already_is_refused(table: Path) -> None:
    (table.parent / "house/catalogue.csv").write_text(CATALOGUE + "AU-19.2,CC,House rule 2,all,,,,,\n")
    with pytest.raises(ConfigError, match=r"^catalogue\.csv:3: wants id, book, clause, and each id once"):
        opened(table)


def test_a_directory_that_is_not_there_is_refused(table: Path) -> None:
    table.write_text(table.read_text().replace('directory = "house"', 'directory = "hause"'))
    with pytest.raises(ConfigError, match=r"house\.directory: there is no directory .*hause$"):
        load_table(table)
    assert any(error.key == "house.directory" for error in problems(table))


def test_the_page_explains_the_clauses_of_the_house(table: Path) -> None:
    (case,) = explained(["CC-1"], load_table(table).library)["CC-1"]
    assert case["section"] == "House rule 1"


def test_the_process_that_reads_past_hands_knows_the_files_of_the_house(table: Path, tmp_path: Path) -> None:
    file, path = load_table(table), tmp_path / "journal.sqlite"
    journal = Journal(path)
    journal.begin_run("boot", "test")
    take_up(journal, file, LIVE)
    journal.close()
    assert PastHands(path, lambda: None, library=file.library).steps(1, 1) == []
    with pytest.raises(RecoveryError):
        PastHands(path, lambda: None).steps(1, 1)


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
        open_table(SCRIPT | {"house": house})
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
        open_table(SCRIPT | line)
    assert refused.value.message == said
