"""A game that makes no sense is refused with the line, and with what would be right."""

from pathlib import Path

import pytest

from config import game_file
from config.config_error import ConfigError

HOLDEM = (game_file.FOLDER / "holdem.toml").read_text(encoding="utf-8")
FIRST, FLOP = 'name = "preflop"', 'name = "flop"'


def line_of(text: str, part: str) -> int:
    """The last line with that part."""
    return max(number for number, line in enumerate(text.splitlines(), 1) if part in line)


@pytest.mark.parametrize("name", game_file.list_games())
def test_every_game_that_ships_is_read(name: str) -> None:
    assert game_file.load_game(name).hand_size


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("board = 3", "board = -3", "streets.board: 0 to 5 cards, not -3"),
        ("board = 3", "board = 6", "streets.board: 0 to 5 cards, not 6"),
        ("board = 3", "board = true", "streets.board: a whole number is wanted, not True"),
        ("board = 3", "borad = 3", "streets.borad: no such key; there are name, opener, bet, deal, board, burn, draw"),
        ("board = 3", "", "streets: a street deals, turns or exchanges cards: `deal`, `board` or `draw` is wanted"),
        ('"down"', '"sideways"', "streets.deal: 'sideways' is none of down, up"),
        ('bet = "small"', 'bet = "huge"', "streets.bet: 'huge' is none of small, big"),
        ('opener = "left-of-button"', 'opener = "me"', "streets.opener: 'me' is none of left-of-blinds, left-of-"),
        (FLOP, FIRST, "streets.name: 'preflop' is the name of another street"),
        (FIRST, 'name = ""', "streets.name: a text is wanted, not ''"),
        ('rankings = ["high"]', "rankings = []", "rankings: one order of hands is wanted, or two different ones"),
        ('rankings = ["high"]', 'rankings = ["high", "high"]', "rankings: one order of hands is wanted, or two"),
        ('rankings = ["high"]', 'rankings = ["best"]', "rankings: 'best' is none of high, low-8, low-a5, low-27"),
        ('rankings = ["high"]', "rankings = [[]]", "rankings: [] is none of high, low-8"),
        ("button = true", "button = true\ndeck = 41", "deck: there are decks of 52, 40, 36, 32 cards, not 41"),
        ("button = true", 'button = true\njoker = "wild"', "joker: 'wild' is none of never, default, optional"),
        ("button = true", "button = true\nhole = 3", "hole: 1 to 2 own cards can play, not 3"),
        ("button = true", "button = true\nhole = 0", "hole: 1 to 2 own cards can play, not 0"),
        ("button = true", 'button = true\nopeners = "JQ"', "openers: 'JQ' is no pair; one is two equal ranks"),
        ("button = true", 'button = true\nopening_pair = "5th"', "opening_pair: '5th' is no street; there are preflop"),
        ("button = true", "", "button: missing: true or false is wanted"),
    ],
)
def test_nonsense_is_refused_with_its_line(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert old in HOLDEM
    missing = line_of(HOLDEM, FLOP) - 1 if old.startswith("board") else 1
    text = HOLDEM.replace(old, new, 1)
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        game_file.read_game(path)
    assert f": {message}" in str(caught.value)
    assert caught.value.line == (line_of(text, new.splitlines()[-1]) if new else missing)


def test_no_game_deals_more_than_the_deck_to_two(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(HOLDEM.replace('"down", "down"', ", ".join(['"down"'] * 30)), encoding="utf-8")
    with pytest.raises(ConfigError, match="two players would need more than the 52 cards"):
        game_file.read_game(path)


def test_a_street_that_is_no_table_and_a_game_without_any(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    head = HOLDEM.partition("[[streets]]")[0]
    path.write_text(head + "streets = [7]\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="a table is wanted"):
        game_file.read_game(path)
    path.write_text(head + "streets = []\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="at least one"):
        game_file.read_game(path)
