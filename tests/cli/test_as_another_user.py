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

from controller.cli import load_all_commands, main
from controller.cli.rules import rules_command as rules_module

NOBODY = 65534

WORDS = (
    "run --config {table}", "train --list", "check {table}", "doctor --config {table}", "ports",
    "udev --config {table}",
    "wiring --config {table}", "monitor --config {table} --seconds 0", "record out --config {table} --seconds 0",
    "capture record out2 --config {table} --seconds 0", "capture play {state}/x", "completion bash",
    "check-driver none",
    "lamps test --config {table} --each 0", "sound test --config {table}",
    "gate test --config {table} --times 0", "gate safe --config {table}",
    "deck list --config {table}", "deck export red --config {table}", "deck import red list.csv --config {table}",
    "deck register red --config {table} --seconds 0", "deck deal red --config {table} --seconds 0",
    "staff list --config {table}", "staff code --config {table}", "staff add Ann dealer --config {table}",
    "token list --config {table}", "token add hall --role watch --config {table}", "replay --schema",
    "journal list --config {table}", "journal replay-check --config {table}", "journal export --config {table}",
    "journal receipt --config {table}", "journal verify {state}/journal.sqlite",
    "hands list --config {table}", "hands export --config {table} --output out.phhs", "watch --once --url http://127.0.0.1:9/",
    "status --url http://127.0.0.1:9/", "announce mdns --config {table}",
    "room server run --config {table}", "room index run --config {table}", "room uplink check --config {table}",
    "room uplink run --config {table}", "room uplink request table-07 --code 1234 --folder {state}",
    "room uplink request table-07 --code 1234 --folder made",
    "room uplink accept table-07 {state}/x --code 1234 --folder {state}", "room archive run --config {table}",
    "room export table-07 --config {table}", "room init 10.0.0.7 --folder made --store made",
    "room enrol table-07 --folder {state} --store {state} --request {state}/x",
    "room release add {state}/x --config {table}", "room release list --config {table}",
    "room release remove x.tar --config {table}",
    "room withdraw table-07 --folder {state} --store {state}",
    "room showroom made --tables 1 --nodes 1 --seconds 1", "release wanted {state}/x",
    "play {state}/x", "replay {state}/x",
    "rules list", "rules show roberts-7", "rules diff roberts-7 casino-au --html out.html", "rules explain boxed",
    "rules coverage",
    "staff remove Ann --config {table}", "staff reset Ann --config {table}", "staff pin Ann --config {table}",
    "staff accept --config {table}", "staff welcome --config {table}", "token withdraw hall --config {table}",
    "journal auditor new auditor.key", "journal auditor enrol {state}/x --config {table}",
    "journal decrypt {state}/journal.sqlite --key {state}/x", "journal shuffles --key {state}/x --config {table}",
    "drop --config {table}", "drop --sheet out.html --config {table}",
    "hands show 1 --config {table}", "hands check {state}/x --config {table}",
    "announce run --config {state}/x", "announce status --config {state}/x", "announce key",
    "certificate make --folder {state}", "certificate make --folder made", "certificate show --config {table}",
    "backup make out.tar --config {table}", "backup restore {state}/x",
    "release check", "release log", "release install {state}/x", "release rollback", "release key release.key",
    "release sign {state} --version 1.0.0 --machine x86_64 --python 3.11 --key {state}/x --output out.tar",
    "release verify {state}/x", "release place {state} --prefix made", "release extras --prefix made",
    "tournament schedules", "tournament schedule {state}/x", "tournament status --record {state}/x",
    "tournament load evening Ann Bob", "tournament start", "tournament pause", "tournament resume",
    "tournament eliminate Ann --hand 1 --stack 100 --record {state}/x", "tournament late-entry Ann",
    "tournament re-entry Ann", "tournament hand-for-hand", "tournament rebuy Ann --amount 5",
    "tournament add-on Ann --amount 5", "tournament payout --record {state}/x", "tournament chop Ann=100 Bob=200",
    "tournament knockout Ann --by Bob", "tournament marker Ann",
    "tournament payouts", "tournament deal Ann=100 Bob=200", "tournament refund Ann", "tournament close",
    "tournament jackpot Ann=1", "tournament river Ks", "tournament season {state}/x",
    "tournament results", "tournament league {state}/x", "tournament props {state}/x", "tournament balance {state}/x",
    "tournament seats Ann Bob", "tournament button --seats 1 2", "tournament colour-up 1=150 2=75 --chip 25 --to 100",
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
def result_by_command() -> Iterator[dict[str, tuple[object, str, str]]]:
    """What each command said: status (a text: the traceback), errors, output."""
    # Not in pytest's own folder, which other runs of it close again.
    with tempfile.TemporaryDirectory(prefix="another-") as made:
        yield run_all_commands(Path(made))


def run_all_commands(folder: Path) -> dict[str, tuple[object, str, str]]:
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
        python, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, timeout=500,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )  # fmt: skip
    state.chmod(0o700)
    assert done.returncode == 0, done.stderr[-2000:]
    assert not list(there.iterdir()), "something was written where nobody may"
    said = json.loads(done.stdout.splitlines()[-1])
    return {words: said[line] for words, line in zip(WORDS, lines, strict=True)}


@pytest.mark.parametrize("words", WORDS)
def test_no_command_ends_in_a_traceback(words: str, result_by_command: dict[str, tuple[object, str, str]]) -> None:
    status, errors, out = result_by_command[words]
    assert status in (0, 1, 2), status
    assert "Traceback" not in errors
    assert "[Errno" not in errors, "in words, and not as Python writes it"
    assert "usage:" not in errors, "the line of this test is right: it gets as far as the command"
    assert status == 0 or errors or out, "it says why"
    assert "the program failed" not in errors, errors


def test_every_command_is_tried() -> None:
    """Those below a command too, as the table names them: who adds one adds its line above."""
    every = {words for command in load_all_commands() for words, each in command.walk() if not each.commands}
    tried = {leaf for leaf in every for words in WORDS if f"{words} ".startswith(f"{leaf} ")}
    assert tried == every
    assert len(every) > 80, "they were found"


def test_a_closed_state_says_as_whom_to_go_on(result_by_command: dict[str, tuple[object, str, str]]) -> None:
    owner = pwd.getpwuid(os.geteuid()).pw_name
    kept = [words for words in WORDS if words.split()[0] in ("deck", "hands", "journal", "staff", "token")]
    for words in kept:
        if "{table}" not in words:
            continue
        assert f"sudo -u {owner} tablectl" in result_by_command[words][1], result_by_command[words]


def test_a_fault_of_the_program_is_a_sentence_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def raise_runtime_error() -> tuple[str, ...]:
        raise RuntimeError("Ah Kd")

    monkeypatch.setattr(rules_module, "list_rulebooks", raise_runtime_error)
    assert main(["rules", "list"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("tablectl rules: the program failed (RuntimeError in ")
    assert "Ah" not in said, "an error's own words may hold a card"
