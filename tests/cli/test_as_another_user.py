"""Every command, tried as a technician does who forgot `sudo -u`: in a folder and about a table of somebody else.

Each ends in a sentence and a status; none ends in a traceback, and none writes anything where it stands.
"""

import json
import os
import pwd
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.cli import COMMANDS, main

pytestmark = pytest.mark.timeout(300)

NOBODY = 65534

WORDS = (
    "run --config {table}", "train --list", "check {table}", "doctor --config {table}", "ports",
    "udev --config {table}",
    "wiring --config {table}", "monitor --config {table} --seconds 0", "record out --config {table} --seconds 0",
    "check-driver none",
    "lamps test --config {table} --each 0", "sound test --config {table}",
    "gate test --config {table} --times 0", "gate safe --config {table}",
    "deck list --config {table}", "deck export red --config {table}", "deck import red list.csv --config {table}",
    "deck register red --config {table} --seconds 0", "deck deal red --config {table} --seconds 0",
    "staff list --config {table}", "staff code --config {table}", "staff add Ann dealer --config {table}",
    "token list --config {table}", "token add hall --role watch --config {table}", "replay --schema",
    "journal list --config {table}", "journal check --config {table}", "journal export --config {table}",
    "journal receipt --config {table}", "journal verify {state}/journal.sqlite", "journal auditor --config {table}",
    "hands list --config {table}", "hands export --config {table} --output out.phhs", "watch --once --url http://127.0.0.1:9/",
    "status --url http://127.0.0.1:9/", "announce mdns --config {table}", "room server run --config {table}",
    "play {state}/x",
    "replay {state}/x", "rules list", "tournament status --record {state}/x", "release check", "release log",
    "release install {state}/x", "release back", "certificate make --folder {state}",
    "certificate show --config {table}",
    "backup make out.tar --config {table}", "backup restore {state}/x", "room uplink check --config {table}",
)  # fmt: skip

TABLE = """
[table]
rulebook = "roberts-7"
game = "holdem"
betting = { structure = "no-limit", small_blind = 1, big_blind = 2 }
button = 1
seats = [ { seat = 1, stack = 200 }, { seat = 2, stack = 200 } ]

[state]
directory = "STATE"

[device.gate]
driver = "gate"
pin = 17
open_level = "high"
fail_safe = "locked"

[device.panel]
driver = "key_panel"
[device.panel.keys]
done = 5
[keys.panel]
done = { ev = "done" }

[device.shoe]
driver = "rdm6300"
port = "/dev/serial0"
[shoe]
deck = "red"
reader = "shoe"
"""

EACH = """
import contextlib, io, json, os, sys, traceback
there, user, lines = sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3])
import pkgutil, importlib, encodings.ascii, encodings.idna
import controller, drivers, config, room
for package in (controller, drivers, config, room):  # the checkout may be closed to that user
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        importlib.import_module(module.name)
from controller.cli import main
os.chdir(there)
if os.geteuid() == 0:
    os.setgroups([]), os.setgid(user), os.setuid(user)
told = {}
for line in lines:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = main(line.split())
        except SystemExit as why:
            status = why.code
        except BaseException:
            status = traceback.format_exc()
    told[line] = [status, err.getvalue(), out.getvalue()]
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def told() -> Iterator[dict[str, tuple[object, str, str]]]:
    """What each command said: status (a text: the traceback), errors, output."""
    # Not in pytest's own folder, which other runs of it close again.
    with tempfile.TemporaryDirectory(prefix="another-") as made:
        yield tried_in(Path(made))


def tried_in(folder: Path) -> dict[str, tuple[object, str, str]]:
    folder.chmod(0o755)
    state = folder / "state"
    state.mkdir(mode=0o700)
    for name in ("journal.sqlite", "table.sqlite", "staff.sqlite", "tokens.sqlite", "x"):
        (state / name).touch()
    table = folder / "table.toml"
    table.write_text(TABLE.replace("STATE", str(state)))
    table.chmod(0o644)
    there = folder / "closed"
    there.mkdir()
    for each in (state, there):
        each.chmod(0o700 if each == there and os.geteuid() == 0 else 0o500 if each == there else 0o000)
    lines = [words.format(table=table, state=state) for words in WORDS]
    python = [sys.executable, "-c", EACH, str(there), str(NOBODY), json.dumps(lines)]
    done = subprocess.run(
        python, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, timeout=280,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )  # fmt: skip
    state.chmod(0o700)
    assert done.returncode == 0, done.stderr[-2000:]
    assert not list(there.iterdir()), "something was written where nobody may"
    said = json.loads(done.stdout.splitlines()[-1])
    return {words: said[line] for words, line in zip(WORDS, lines, strict=True)}


@pytest.mark.parametrize("words", WORDS)
def test_no_command_ends_in_a_traceback(words: str, told: dict[str, tuple[object, str, str]]) -> None:
    status, errors, out = told[words]
    assert status in (0, 1, 2), status
    assert "Traceback" not in errors
    assert status == 0 or errors or out, "it says why"
    assert "the program failed" not in errors, errors


def test_every_command_is_tried() -> None:
    assert {words.split()[0] for words in WORDS} == set(COMMANDS)


def test_a_closed_state_says_as_whom_to_go_on(told: dict[str, tuple[object, str, str]]) -> None:
    owner = pwd.getpwuid(os.geteuid()).pw_name
    for words in ("deck list --config {table}", "hands list --config {table}"):
        assert f"sudo -u {owner} tablectl" in told[words][1], told[words]


def test_a_fault_of_the_program_is_a_sentence_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_: object) -> tuple[str, ...]:
        raise RuntimeError("Ah Kd")

    monkeypatch.setattr("controller.cli.rules.rules.list_books", broken)
    assert main(["rules", "list"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("tablectl rules: the program failed (RuntimeError in ")
    assert "Ah" not in said, "an error's own words may hold a card"
