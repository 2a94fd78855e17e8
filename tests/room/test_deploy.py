"""What a room's machine is given: units that systemd understands and that are locked up, and words that are right."""

import re
import shlex
import shutil
from pathlib import Path

import pytest

from tests.docs.test_commands_and_links import wrong
from tests.systemd.test_units import SYSTEM, analysed, needs_systemd

DEPLOY = Path(__file__).parents[2] / "deploy"
UNITS = sorted(DEPLOY.glob("*.service"))
MOST_EXPOSED = 1.5


@needs_systemd
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_a_unit_of_the_room_is_understood_and_locked_up(unit: Path, tmp_path: Path) -> None:
    there = tmp_path / "etc/systemd/system"
    there.mkdir(parents=True)
    name = unit.name.replace("@", "@1")
    text = unit.read_text(encoding="utf-8")
    (there / name).write_text(text.replace("%i", "1"), encoding="utf-8")
    for other in SYSTEM.iterdir():
        if other.suffix in (".target", ".slice", ".socket", ".mount"):
            shutil.copy(other, there / other.name)
    for path in re.findall(r"(?m)^Exec\w+=(\S+)", text):
        (tmp_path / path.lstrip("/")).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path.lstrip("/")).touch(mode=0o755)
    said = analysed("verify", "--man=no", f"--root={tmp_path}", name).stderr
    assert [line for line in said.splitlines() if "room-" in line] == []
    found = re.search(r"exposure level for \S+: ([0-9.]+)", analysed("security", "--offline=true", str(unit)).stdout)
    assert found is not None
    assert float(found[1]) <= MOST_EXPOSED


@pytest.mark.parametrize("path", [*UNITS, DEPLOY / "compose.yaml"], ids=lambda path: path.stem)
def test_every_command_of_the_room_that_is_started_exists(path: Path) -> None:
    calls = re.findall(r"tablectl (room .*)", path.read_text(encoding="utf-8"))
    assert path.name == "room-nats@.service" or calls
    for call in calls:
        assert wrong(shlex.split(call)) is None, call


def test_the_file_of_the_example_is_a_rooms() -> None:
    from room.room_file import load_room

    assert load_room(DEPLOY / "room.toml").brokers.servers == ("tls://room-1.lan:4222",)
