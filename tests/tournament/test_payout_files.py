"""Payout structures as files: those that come with the program, a house's own, and wrong ones explained."""

import json
from pathlib import Path

import pytest

from config import payout_file, rulebook_file
from config.config_error import ConfigError
from controller.core.tournament.money_terms import UNSAID_STRUCTURE, parse_structure, structure_to_json
from controller.core.tournament.payouts import compute_prizes
from tests.tournament.desk import direct

HOUSE = """title = "Winner's house"
round-to = 10
rounding = "first-place"

[[column]]
players = 6
shares = [70, 30]

[[column]]
players = 12
shares = [50.25, 29.75, 20]
"""


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "house.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_clubs_table_is_that_clubs_default_and_no_other_books() -> None:
    """Who prints no table has that of no book, by default.

    Covers: FC-10.payouts#a, FC-10.payouts#round
    """
    for name in rulebook_file.list_rulebooks():
        rules = rulebook_file.load_rulebook(name).tournament
        club = name == "fish-n-chips"
        assert payout_file.load_default_payouts(rules).name == ("fish-n-chips" if club else "standard"), name
        assert rules.carried_percent.value == (10 if club else 0), name
        assert rules.payouts.by_default is not club, name
        assert rules.carried_percent.by_default is not club, name
    assert payout_file.load_payouts("fish-n-chips").cite == "FC-10.payouts#a"
    assert payout_file.load_payouts("standard").cite == ""


def test_records_that_name_no_structure_mean_the_clubs_table() -> None:
    """It stands in the code for them; the file is the same today."""
    assert payout_file.load_payouts("fish-n-chips") == UNSAID_STRUCTURE


def test_the_standard_pays_about_one_in_eight_and_nobody_less_than_the_buy_in() -> None:
    standard = payout_file.load_payouts("standard")
    for players in range(9, 2_000):
        prizes = compute_prizes(standard, players * 100_00, players)
        assert 0.1 <= len(prizes) / players <= 0.34
        assert prizes[-1] >= 100_00, players


def test_a_houses_own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its path, and by its name from the house's directory; 333 are 170, 90, 60 rounded down, the first has more."""
    path = write(tmp_path, HOUSE)
    house = payout_file.read_payouts(path)
    assert compute_prizes(house, 333_00, 12) == (183_00, 90_00, 60_00)
    assert compute_prizes(house, 333_00, 500) == (183_00, 90_00, 60_00)
    shown = json.loads(direct("payout", "--purse", "333", "--players", "12", "--payouts", str(path), "--json"))
    assert shown["prizes"] == [183.0, 90.0, 60.0]
    (tmp_path / "payouts").mkdir()
    path.rename(tmp_path / "payouts/friday.toml")
    monkeypatch.setenv("TABLE_HOUSE", str(tmp_path))
    assert "friday" in payout_file.list_payouts()
    assert payout_file.find_payouts("friday").title == "Winner's house"


@pytest.mark.parametrize("name", payout_file.list_payouts())
def test_a_structure_in_a_line_is_the_structure(name: str) -> None:
    structure = payout_file.load_payouts(name)
    assert parse_structure(json.loads(json.dumps(structure_to_json(structure)))) == structure


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("[70, 30]", "[70, 20]", "house.toml:5: column: the shares come to 90 %; they come to 100 %"),
        ("[70, 30]", "[30, 70]", "house.toml:5: column: place 2 has 70 %, more than place 1: shares descend"),
        ("[70, 30]", "[40, 30, 30]", "house.toml:5: column: 3 places are paid where 2 may be all that play"),
        ("[70, 30]", "[100, 0]", "a share is a percentage above 0, with two decimals at most; 0 is none"),
        ("[70, 30]", "[66.666, 33.334]", "with two decimals at most; 66.666 is none"),
        ("[70, 30]", '"all"', "`shares` is a list of percentages, first place first; it is 'all'"),
        (
            "players = 12",
            "players = 6",
            "house.toml:9: column: `players` is a whole number from 7, as the column before",
        ),
        ("players = 12", "player = 12", "house.toml:9: column.player: no such key; there are players, shares, cite"),
        ("round-to = 10", "round-to = 0", "house.toml:2: round-to: an amount above 0 is wanted"),
        ("round-to = 10", "round-to = 0.005", "house.toml:2: round-to: `round-to` is an amount from 0"),
        ('"first-place"', '"nobody"', "house.toml:3: rounding: one of lowest-first, first-place is wanted"),
        ("round-to = 10", "players-per-place = -1", "house.toml:2: players-per-place: `players-per-place` is a whole"),
        ("title =", "name =", "house.toml:1: name: no such key; there are title, cite"),
        ("round-to = 10", 'cite = "X-1"', "house.toml:2: cite: 'X-1' is no id of a catalogue"),
        (HOUSE[HOUSE.index("[[column") :], "", "house.toml:1: column: missing: one [[column]] with players and shares"),
    ],
)
def test_a_wrong_file_is_explained(tmp_path: Path, before: str, after: str, message: str) -> None:
    """With its line, and what would be right; the command says the same, and changes nothing."""
    assert before in HOUSE
    path = write(tmp_path, HOUSE.replace(before, after))
    with pytest.raises(ConfigError) as raised:
        payout_file.read_payouts(path)
    assert message in str(raised.value)
    record = tmp_path / "event.jsonl"
    words = ("load", "T2000", "Ana", "Ben", "--payouts", str(path), "--record", str(record))
    assert message in direct(*words, status=2)
    assert not record.exists()


def test_a_name_that_is_none() -> None:
    assert "there are no payouts 'flat'; there are fish-n-chips, standard" in direct(
        "payout", "--purse", "10", "--players", "3", "--payouts", "flat", status=1
    )


def test_the_structures_are_listed_and_shown() -> None:
    assert direct("payouts") == "fish-n-chips\tFish 'N' Chips\tFC-10.payouts#a\nstandard\tOne in eight\tby default\n"
    shown = direct("payouts", "fish-n-chips").splitlines()
    assert shown[1] == "   8  66.7 / 33.3"
    assert shown[-1] == "beyond: a place more for every 10 players"
