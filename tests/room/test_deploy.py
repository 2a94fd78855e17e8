"""What a room's machine is given: units that systemd understands and that are locked up, and words that are right."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.test_commands_and_links import wrong
from tests.systemd.test_units import SYSTEM, needs_systemd, run_systemd_analyze

FLOOD = """
import socket
there = socket.create_server(("127.0.0.1", 4222), backlog=100)

def made(of, most):
    found = []
    for _ in range(most):
        found.append(socket.socket())
        found[-1].bind((of, 0))
        try:
            found[-1].connect(("127.0.0.1", 4222))
        except ConnectionRefusedError:
            return found[:-1]
    return found

rogue = made("127.0.0.2", 50)
print(len(rogue), len(made("127.0.0.3", 5)))
for each in rogue:
    each.close()
    there.accept()[0].close()
print(len(made("127.0.0.2", 5)))
"""
"""A server, a rogue, another table, and the rogue when it has left."""

DEPLOY = Path(__file__).parents[2] / "deploy"
UNITS = sorted(DEPLOY.glob("*.service"))
MAX_EXPOSURE = 1.5


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
    said = run_systemd_analyze("verify", "--man=no", f"--root={tmp_path}", name).stderr
    assert [line for line in said.splitlines() if "room-" in line] == []
    found = re.search(
        r"exposure level for \S+: ([0-9.]+)", run_systemd_analyze("security", "--offline=true", str(unit)).stdout
    )
    assert found is not None
    assert float(found[1]) <= MAX_EXPOSURE


@pytest.mark.parametrize("path", [*UNITS, DEPLOY / "compose.yaml"], ids=lambda path: path.stem)
def test_every_command_of_the_room_that_is_started_exists(path: Path) -> None:
    calls = re.findall(r"tablectl (room .*)", path.read_text(encoding="utf-8"))
    assert path.name == "room-nats@.service" or calls
    for call in calls:
        assert wrong(shlex.split(call)) is None, call


def test_the_file_of_the_example_is_a_rooms() -> None:
    from room.room_file import load_room_file

    assert load_room_file(DEPLOY / "room.toml").brokers.servers == ("tls://room-1.lan:4222",)


def without_a_network_of_its_own() -> str:
    if os.geteuid() or shutil.which("nft") is None or shutil.which("unshare") is None:
        return "needs root, and nftables (apt install nftables)"
    done = subprocess.run(
        ("unshare", "-n", "nft", "add", "table", "inet", "x"), capture_output=True, text=True, check=False
    )
    return f"no network with filters can be made here: {done.stderr.strip()}" if done.returncode else ""


@pytest.mark.skipif(bool(without_a_network_of_its_own()), reason=without_a_network_of_its_own())
def test_an_address_has_so_many_connections_and_leaves_the_rest_to_others() -> None:
    twice = 'ip link set lo up && nft -f "$0" && nft -f "$0" && exec "$1" -c "$2"'
    command = ("unshare", "-n", "sh", "-ec", twice, str(DEPLOY / "room-nats.nft"), sys.executable, FLOOD)
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert (done.stdout.split(), done.stderr) == (["16", "5", "5"], "")
