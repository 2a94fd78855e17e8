"""`table_setup.check_file`: files spoilt in several places are judged as the start judges them, and never crash."""

import random
from pathlib import Path

import pytest

from config.config_error import ConfigError
from config.table_file import DEMO_FILE, load_table_file
from config.table_line import parse_table_line
from controller.app.commissioning.table_file_check import find_problems
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
