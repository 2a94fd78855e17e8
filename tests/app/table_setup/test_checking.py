"""`table_setup.check_file`: files spoilt in several places are judged as the start judges them, and never crash."""

import random
from pathlib import Path

import pytest

from config.config_error import ConfigError
from config.table_file import DEMO_FILE, load_table_file
from config.table_line import parse_table_line
from controller.app.commissioning.table_file_check import find_doubts, find_problems
from controller.app.table.table_devices import build_devices, make_device_map
from controller.core.protocol.table_error import Refused
from controller.runtime.devices.deck_store import Deck

VALUES = (
    "3", "-1", "true", '"x"', "[]", "{}", '"shoe"', '{ ev = "done" }', "[1, 1]", "99999", "0.5", '""', "{ 1 = 0 }",
    '"sim://rdm6300/shoe"', '"tournament"',
)  # fmt: skip


def spoilt(text: str, chance: random.Random) -> str:
    """The file after somebody's worst evening."""
    lines = text.splitlines()
    for _ in range(chance.randrange(1, 6)):
        at = chance.randrange(len(lines))
        match chance.randrange(5):
            case 0:
                del lines[at]
            case 1 if "=" in lines[at]:
                lines[at] = f"{lines[at].partition('=')[0]}= {chance.choice(VALUES)}"
            case 2 if "=" in lines[at]:
                lines[at] = f"q{lines[at]}"
            case 3:
                lines.insert(at, chance.choice(lines))
            case _:
                lines[at] = lines[at].replace("[", "[x", 1)
    return "\n".join(lines)


def starts(path: Path) -> bool:
    """Whether a table would start with this file, as far as no device is asked."""
    try:
        file = load_table_file(path)
        parse_table_line(file.table_line)
        make_device_map(file, build_devices(file), None, None if file.shoe is None else Deck("", {}))
    except (ConfigError, Refused):
        return False
    return True


@pytest.mark.parametrize("name", ["demo", "barcode-shoe", "rfid-shoe", "seat-leds", "starter", "seat-antennas"])
def test_a_spoilt_file_is_judged_as_the_start_judges_it(name: str, tmp_path: Path) -> None:
    chance = random.Random(name)
    text = (DEMO_FILE.parent / f"{name}.toml").read_text(encoding="utf-8")
    path = tmp_path / "table.toml"
    right = 0
    for _ in range(60):
        path.write_text(spoilt(text, chance), encoding="utf-8")
        found = find_problems(path)
        assert (found == []) == starts(path)
        assert all(error.path == path and error.line >= 1 for error in found)
        assert len({str(error) for error in found}) == len(found), "nothing is said twice"
        right += not found
    assert 0 < right < 30


TABLE = """[table]
rulebook = "roberts-7"
game = "holdem"
places = 6
button = 1
seats = [
  { seat = 1, stack = 200 },  # a bracket in a comment: [ {
  { seat = 2, stack = 200, player = "[{" },
]
betting = { structure = "no-limit", small_blind = 1, big_blind = 2 }

[state]
directory = "var"
"""


@pytest.mark.parametrize(
    ("right", "wrong", "lines"),
    [
        ("seat = 2", "seat = 8", [(6, "`seat` cannot be 8")]),
        ('"no-limit"', '"nl"', [(10, "`structure` cannot be 'nl'")]),
        ("small_blind = 1", "small_blind = -1", [(10, "`small_blind` cannot be -1")]),
        ('"[{" },\n]', '"[{" },\n', [(6, "the [ of line 6 is not closed; is no TOML")]),
        ("big_blind = 2 }", "big_blind = 2", [(10, "is no TOML")]),
        ('"roberts-7"', "roberts-7", [(2, "is no TOML")]),
    ],
    ids=str,
)
def test_a_mistake_is_told_once_and_on_its_line(
    tmp_path: Path, right: str, wrong: str, lines: list[tuple[int, str]]
) -> None:
    path = tmp_path / "table.toml"
    path.write_text(TABLE.replace(right, wrong), encoding="utf-8")
    found = find_problems(path)
    assert [error.line for error in found] == [line for line, _ in lines]
    for error, (_, words) in zip(found, lines, strict=True):
        assert error.message.startswith(words)


@pytest.mark.parametrize(
    ("page", "told"),
    [
        ('host = "0.0.0.0"', True),
        ('host = "192.0.2.7"', True),
        ('host = "127.0.0.1"', False),
        ('host = "0.0.0.0"\nplain = true', False),
        ('host = "0.0.0.0"\ncertificate = "page.crt"\nkey = "page.key"', False),
    ],
)
def test_a_page_for_the_network_on_which_nobody_can_sign_in_is_doubted(tmp_path: Path, page: str, told: bool) -> None:
    path = tmp_path / "table.toml"
    path.write_text(f"{TABLE}[page]\n{page}\n", encoding="utf-8")
    assert not find_problems(path)
    doubts = [error.key for error in find_doubts(load_table_file(path))]
    assert ("page.host" in doubts) is told
