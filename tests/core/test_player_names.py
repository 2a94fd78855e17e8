"""A name is short enough to be shown and can be seen, wherever somebody enters one; what was taken once stands."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.config_error import ConfigError
from config.table_file import DEMO_FILE, load_table_file
from controller.cli import main
from controller.cli.table.replay_command import parse_script, replay_script
from controller.cli.tournament.league_command import parse_results
from controller.core.protocol.player_names import MAX_PLAYER_NAME_LENGTH, is_fit_player_name, refuse_unfit_player_names
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.table_error import Refused
from controller.runtime.staff.admission import AdmissionError
from controller.runtime.staff.person_names import normalize_name
from tests.web.house import House, houses

UNFIT = {
    "empty": "",
    "blank": " ",
    "a blank that does not break": "\u00a0",
    "zero width": "\u200b\u200d",
    "a filler of Hangul": "\u3164",
    "Braille without a dot": "\u2800",
    "letters around a filler": "A\u3164B",
    "a mark on nothing": "\u0301",
    "a space before": " Ana",
    "a space after": "Ana ",
    "a line": "Ana\nBo",
    "a bell": "Ana\x07",
    "an escape": "\x1b[2JAna",
    "turned around": "\u202eanA",
    "isolated": "\u2066Ana\u2069",
    "a mark of direction": "Ana\u200f",
    "half a sign": "Ana\ud800",
    "too long": "x" * (MAX_PLAYER_NAME_LENGTH + 1),
    "30,000 letters": "x" * 30_000,
}
FIT = ["Ana", "Zoë", "Zoe\u0308", "陳大文", "محمد", "O'Neil-Smith 2", "7", "♠", "seat 3", "x" * MAX_PLAYER_NAME_LENGTH]
TABLE = {
    "ev": "table", "rulebook": "roberts-7", "game": "holdem", "button": 1,
    "seats": [{"seat": 1, "stack": 100}, {"seat": 4, "stack": 100}],
    "betting": {"structure": "no-limit", "small_blind": 1, "big_blind": 2},
}  # fmt: skip

unfit = pytest.mark.parametrize("name", UNFIT.values(), ids=list(UNFIT))


@unfit
def test_nobody_is_called_what_nobody_can_read(name: str) -> None:
    assert not is_fit_player_name(name)


@pytest.mark.parametrize("name", FIT)
def test_people_are_called_as_they_are_in_every_writing(name: str) -> None:
    assert is_fit_player_name(name)


@given(st.text(max_size=100))
def test_a_fit_name_can_be_seen_on_one_line(name: str) -> None:
    if is_fit_player_name(name):
        assert name.isprintable()
        assert name.split()
        assert len(name) <= MAX_PLAYER_NAME_LENGTH


def replay(*lines: object) -> list[dict[str, object]]:
    return list(replay_script(parse_script("\n".join(json.dumps(line) for line in lines).encode())))


@unfit
def test_replay_takes_no_such_name(name: str) -> None:
    sit = {"ev": "sit", "seat": 5, "player": name, "stack": 100}
    change = {"ev": "amend", "entry": 2, "to": sit}
    good, refused, amended = replay(TABLE, sit, change)
    assert "error" not in good
    assert refused["error"]["code"] in ("value", "no-json")  # type: ignore[index]
    assert "error" in amended
    assert len(json.dumps(refused)) < 5000
    seats = [{"seat": 1, "stack": 100, "player": name}, {"seat": 4, "stack": 100}]
    assert "error" in replay({**TABLE, "seats": seats})[0]


def test_replay_takes_every_other() -> None:
    for name in FIT:
        assert "error" not in replay(TABLE, {"ev": "sit", "seat": 5, "player": name, "stack": 100})[1], name


def test_what_a_journal_has_is_read_again() -> None:
    for name in ("", " Ana", "x" * 30_000, "\u3164"):
        line = {"ev": "sit", "seat": 5, "player": name, "stack": 100}
        assert parse_line(line)
        with pytest.raises(Refused):
            refuse_unfit_player_names(line)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    yield from houses(tmp_path / "house", simulated=True)


def test_the_page_takes_no_such_name(house: House) -> None:
    browser = house.browser("Bo")
    for name in UNFIT.values():
        if len(name) < 500 and "\ud800" not in name:
            answer = browser.enter({"ev": "sit", "seat": 5, "player": name, "stack": 100})
            assert (answer.status_code, answer.json()["code"]) == (400, "value"), repr(name)
    assert house.entered == []
    assert browser.enter({"ev": "sit", "seat": 5, "player": "Zoë", "stack": 100}).status_code == 202


@unfit
def test_no_member_of_the_staff_is_called_so_either(name: str) -> None:
    if name.strip() != name and name.strip():
        assert normalize_name(name) == name.strip(), "the spaces around it are taken off"
        return
    if name == "Ana\nBo":
        assert normalize_name(name) == "Ana Bo"
        return
    with pytest.raises(AdmissionError):
        normalize_name(name)


def direct(*words: str) -> int:
    return main(["tournament", *words])


@unfit
def test_a_tournament_takes_no_such_name(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = str(tmp_path / "record.jsonl")
    assert direct("load", "T2000", "Ana", name, "--record", record) == 1
    assert "nobody is entered as" in capsys.readouterr().err
    assert not Path(record).exists()
    assert direct("load", "T2000", "Ana", "Ben", "--record", record) == 0
    before = Path(record).read_bytes()
    assert direct("late-entry", name, "--record", record) == 1
    said = capsys.readouterr().err
    assert "nobody is entered as" in said
    assert len(said) < 1000
    assert Path(record).read_bytes() == before


def test_a_record_that_has_such_a_name_is_read_again(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    assert direct("load", "T2000", "Ana", "Ben", "--record", str(record)) == 0
    record.write_bytes(record.read_bytes().replace(b'"Ben"', b'" Ben\\u3164"'))
    assert direct("status", "--record", str(record)) == 0


def test_results_from_a_spreadsheet_name_nobody_so() -> None:
    head = "event,player,buy_ins,buy_in,spent,finish\n"
    for name in (" ", "\u3164", "\u202eanA", "x" * 30_000):
        with pytest.raises(ValueError, match="line 2: the player's name has 1 to 80 printable signs"):
            parse_results(f"{head}1,{name},1,10,10,1\n")
    assert parse_results(f"{head}1,Zoë,1,10,10,1\n")[0].player == "Zoë"


def test_a_tables_file_names_nobody_so(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    text = DEMO_FILE.read_text().replace('"demo-deck.csv"', f'"{DEMO_FILE.parent / "demo-deck.csv"}"')
    first = text.index("seats = [")
    end = text.index("]", first) + 1
    for name in ("", " ", "\u3164", "x" * 81):
        seats = f'seats = [{{ seat = 1, player = "{name}", stack = 100 }}, {{ seat = 2, stack = 100 }}]'
        file.write_text(text[:first] + seats + text[end:])
        with pytest.raises(ConfigError, match=r"table\.toml:\d+: table\.seats: `player` is a name of 1 to 80"):
            load_table_file(file)
