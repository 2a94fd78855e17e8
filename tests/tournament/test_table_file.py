"""The section [tournament] of a table's file: what it completes, what it refuses."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from config.config_error import ConfigError
from config.table_file import DEMO_FILE, TableFile, TournamentSection, load_table_file
from config.table_line import parse_table_line
from controller.app.commissioning.table_file_schema import make_table_schema
from controller.cli import main
from controller.core.rules.questions.house.table_rules import GameMode

STAKES = 'betting = { structure = "no-limit", small_blind = 1, big_blind = 2 }'
OPEN = 'betting = { structure = "no-limit" }'
SECTION = '[tournament]\nschedule = "T2000"\n'

Write = Callable[[str, str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write the demo table with other stakes and a section of its own."""

    def written(betting: str, section: str) -> Path:
        path = tmp_path / "table.toml"
        path.write_text(DEMO_FILE.read_text().replace(STAKES, betting) + "\n" + section)
        return path

    return written


def betting_of(file: TableFile) -> Mapping[str, object]:
    betting = file.table_line["betting"]
    assert isinstance(betting, dict)
    return betting


def test_the_table_begins_on_level_1(write: Write) -> None:
    """Mode, schedule and stakes need not be said twice."""
    file = load_table_file(write(OPEN, SECTION))
    assert file.tournament == TournamentSection("T2000", starts_with_hand=True)
    assert betting_of(file) == {"structure": "no-limit", "small_blind": 5, "big_blind": 10, "chip": 5}
    setup = parse_table_line(file.table_line).setup
    assert (setup.mode, setup.stakes.big_blind, len(setup.levels)) == (GameMode.TOURNAMENT, 10, 20)


def test_limit_stakes_follow_from_the_blinds(write: Write) -> None:
    file = load_table_file(write('betting = { structure = "fixed-limit" }', SECTION))
    assert (betting_of(file)["small_bet"], betting_of(file)["big_bet"]) == (10, 20)


def test_a_timer_started_by_hand(write: Write) -> None:
    file = load_table_file(write(OPEN, SECTION + 'starts = "by-hand"\n'))
    assert file.tournament == TournamentSection("T2000", starts_with_hand=False)


def test_no_section_no_tournament() -> None:
    assert load_table_file(DEMO_FILE).tournament is None


@pytest.mark.parametrize(
    ("betting", "section", "message"),
    [
        (OPEN, "[tournament]\n", "tournament.schedule: is missing"),
        (OPEN, '[tournament]\nschedule = "T1"\n', "names no schedule: 'T1'; there are T100000, T2000, T20000, evening"),
        (OPEN, "[tournament]\nschedule = 2000\n", "tournament.schedule: must be the name of a schedule"),
        (OPEN, SECTION + 'starts = "now"\n', "tournament.starts: must be with-first-hand or by-hand, not 'now'"),
        (OPEN, SECTION + "level = 2\n", "tournament.level: is unknown here; known: schedule, starts"),
        (STAKES, SECTION, "table.betting.small_blind: level 1 of T2000 has 5"),
        (OPEN + '\nmode = "cash"', SECTION, "table.mode: must be tournament"),
        (OPEN + '\nhouse = { schedule = "evening" }', SECTION, "table.house.schedule: is T2000 by [tournament]"),
    ],
)
def test_a_wrong_section_is_refused_with_its_place(write: Write, betting: str, section: str, message: str) -> None:
    path = write(betting, section)
    with pytest.raises(ConfigError) as error:
        load_table_file(path)
    assert message in str(error.value)
    assert f"{path.name}:" in str(error.value)


def test_check(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(write(OPEN, SECTION))]) == 0
    assert main(["check", str(write(OPEN, '[tournament]\nschedule = "T1"\n'))]) == 2
    assert "names no schedule: 'T1'" in capsys.readouterr().out


def test_schema_knows_the_section() -> None:
    section = json.loads(json.dumps(make_table_schema()))["properties"]["tournament"]
    assert section["required"] == ["schedule"]
    assert "T20000" in section["properties"]["schedule"]["enum"]
    assert section["properties"]["starts"]["enum"] == ["with-first-hand", "by-hand"]


def test_blinds_in_a_list_are_those_of_level_1(write: Write, tmp_path: Path) -> None:
    """A file says the blinds of level 1 as it likes, or not at all; other ones are refused with their place."""
    folder = tmp_path / "schedules"
    folder.mkdir()
    three = 'title = "Three"\n[[level]]\nblinds = [5, 10, 25]\nminutes = 20\n'
    (folder / "three.toml").write_text(three, encoding="utf-8")
    house = f'[house]\ndirectory = "{tmp_path}"\n'
    own = SECTION.replace("T2000", "three") + house
    for section, betting, wanted in (
        (SECTION, "blinds = [5, 10]", (5, 10)),
        (own, "", (5, 10, 25)),
        (own, "blinds = [5, 10, 25]", (5, 10, 25)),
    ):
        said = f'betting = {{ structure = "no-limit"{", " * bool(betting)}{betting} }}'
        file = load_table_file(write(said, section))
        assert parse_table_line(file.table_line, file.library).setup.stakes.blinds == wanted
        assert main(["check", str(write(said, section))]) == 0
    for section, betting, key in (
        (SECTION, "blinds = [5, 10, 25]", "blinds"),
        (own, "small_blind = 5, big_blind = 25", "small_blind"),
        (own, "blinds = [5, 10]", "blinds"),
    ):
        with pytest.raises(ConfigError, match=rf"table.betting.{key}: level 1 of "):
            load_table_file(write(f'betting = {{ structure = "no-limit", {betting} }}', section))


@pytest.mark.parametrize(
    "blinds", ["[5, 2, 1]", "[1, 2], big_blind = 2", '[1, "x"]', "[]", "3", "[{ position = 2, amount = 1 }]"]
)
def test_wrong_blinds_are_one_mistake(write: Write, capsys: pytest.CaptureFixture[str], blinds: str) -> None:
    """`check` names the key and its line, and nothing else for it."""
    path = write(f'betting = {{ structure = "no-limit", blinds = {blinds} }}', "")
    assert main(["check", str(path)]) == 2
    told = capsys.readouterr().out
    assert "table.betting.blinds: " in told
    assert "1 mistake in" in told, told
