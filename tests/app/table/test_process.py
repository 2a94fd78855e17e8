"""The command itself, in a process of its own: started, looked at over HTTP, killed, started again."""

import http.client
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from controller.runtime.journal.journal_reader import JournalReader
from controller.runtime.journal.proof.output_digest import compute_output_digest
from tests.app.rig import Rig
from tests.runtime.service.test_notify import Manager

TABLECTL = (sys.executable, "-c", "from controller.cli import main; raise SystemExit(main())")
PATIENCE = 60.0


class Running:
    """A running table and its page."""

    def __init__(self, process: "subprocess.Popen[str]", port: int) -> None:
        self.process = process
        self.port = port

    def state(self) -> dict[str, Any]:
        status, text = self.ask("GET", "/state")
        assert status == 200, text
        state: dict[str, Any] = json.loads(text)
        return state

    def wish(self, **wish: object) -> int:
        origin = {"Origin": f"http://127.0.0.1:{self.port}", "Content-Type": "application/json"}
        return self.ask("POST", "/simulation", json.dumps(wish), origin)[0]

    def ask(self, method: str, path: str, body: str = "", headers: dict[str, str] | None = None) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body or None, headers or {})
            response = connection.getresponse()
            return response.status, response.read().decode()
        finally:
            connection.close()

    def play_until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Let the room play, hurry, and stop it as soon as the table is as wanted and stands still."""
        assert self.wish(do="speed", speed=20) == 204
        for _ in range(200):
            before = self.state()["entry"]
            assert self.wish(do="step") == 204
            for state in self.follow_states(before):
                if wanted(state):
                    return state
        raise AssertionError("the table never came to stand as wanted")

    def follow_states(self, before: int) -> Iterator[dict[str, Any]]:
        """Follow the stream until something has been entered after entry `before`."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("GET", "/events")
        response = connection.getresponse()
        try:
            while True:
                line = response.readline().decode()
                if line.startswith("data: "):
                    state = json.loads(line[6:])
                    yield state
                    if state["entry"] > before:
                        return
        finally:
            connection.close()


@contextmanager
def table(directory: Path, *options: str) -> Iterator[Running]:
    command = (*TABLECTL, "run", "--simulate", "--paused", "--state", str(directory), "--port", "0", *options)
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, bufsize=1)
    try:
        yield Running(process, port_of(process))
    finally:
        process.kill()
        process.wait()
        if process.stderr is not None:
            process.stderr.close()


def port_of(process: "subprocess.Popen[str]") -> int:
    """Read the log until it says where the page is."""
    assert process.stderr is not None
    seen = ""
    for line in process.stderr:
        seen += line
        if "page at " in line:
            return int(line.rstrip().rstrip("/").rpartition(":")[2])
    raise AssertionError(f"the table did not start: {seen}")


def pick_lasting_state(state: dict[str, Any]) -> dict[str, Any]:
    kept = ("next", "lamps", "gate", "phase", "street", "hand", "piles", "board", "stacks", "pots", "bets")
    return {key: state["table"][key] for key in kept} | {"rulings": state["rulings"], "players": state["players"]}


@pytest.mark.parametrize(
    ("phase", "depth"),
    [
        ("deal", lambda state: state["table"]["piles"]["stub"] == 47),
        ("bet", lambda state: bool(state["table"]["board"])),
    ],
)
def test_after_kill_9_the_table_stands_as_it_stood(
    tmp_path: Path, phase: str, depth: Callable[[dict[str, Any]], bool]
) -> None:
    with table(tmp_path) as running:
        stood = running.play_until(lambda state: state["table"]["phase"] == phase and depth(state))
        os.kill(running.process.pid, signal.SIGKILL)
        assert running.process.wait(PATIENCE) == -signal.SIGKILL
    with table(tmp_path) as running:
        state = running.state()
        assert state["power_lost"]
        assert [fault["code"] for fault in state["faults"]] == ["power-lost"]
        assert pick_lasting_state(state) | {"phase": phase, "gate": stood["table"]["gate"]} == pick_lasting_state(stood)
        assert (state["table"]["phase"], state["table"]["gate"]) == ("halted", "locked")
        state = running.play_until(lambda later: not later["faults"])
        assert pick_lasting_state(state) == pick_lasting_state(stood), (
            "as soon as the dealer has said that all is as shown"
        )
        running.play_until(lambda later: later["entry"] >= stood["entry"] + 5)
    proof = subprocess.run(
        (*TABLECTL, "journal", "check", "--state", str(tmp_path)), capture_output=True, text=True, check=False
    )
    assert proof.returncode == 0, proof.stdout
    assert "outcomes as recorded" in proof.stdout


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_table_cleanly(tmp_path: Path, number: signal.Signals) -> None:
    with table(tmp_path) as running:
        running.play_until(lambda state: state["table"]["hand"] == 1)
        running.process.send_signal(number)
        assert running.process.wait(PATIENCE) == 0
        assert running.process.stderr is not None
        assert "Traceback" not in running.process.stderr.read()
    with table(tmp_path) as running:
        assert not running.state()["power_lost"]


def test_a_service_manager_is_told_and_its_watchdog_fed_until_the_process_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = str(tmp_path / "notify")
    manager = Manager(address)
    manager.end.settimeout(PATIENCE)
    monkeypatch.setenv("NOTIFY_SOCKET", address)
    monkeypatch.setenv("WATCHDOG_USEC", "400000")

    def receive_until(wanted: str) -> str:
        while True:
            message = manager.end.recv(4096).decode()
            if wanted in message:
                return message

    with table(tmp_path / "state") as running:
        receive_until("READY=1\nWATCHDOG=1")
        assert running.state()["table"]["phase"] == "idle", "the page was up by then"
        running.play_until(lambda state: state["table"]["phase"] == "deal")
        assert "STATUS=simulation, deal; hand 1; Card to seat" in receive_until("STATUS=simulation, deal")
        receive_until("WATCHDOG=1")
        running.process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, running.process.pid, os.WSTOPPED)  # no thread of it runs any more
        manager.end.setblocking(False)
        manager.read_lines()
        manager.end.settimeout(1.0)
        with pytest.raises(TimeoutError):
            receive_until("WATCHDOG=1")
        manager.end.settimeout(PATIENCE)
        running.process.send_signal(signal.SIGCONT)
        receive_until("WATCHDOG=1")
        running.process.send_signal(signal.SIGTERM)
        receive_until("STOPPING=1")
        assert running.process.wait(PATIENCE) == 0
    manager.end.close()


def test_nothing_of_the_memory_is_ever_written_to_a_core_file(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        limits = Path(f"/proc/{running.process.pid}/limits").read_text(encoding="ascii")
        assert "Max core file size        0                    0" in limits
        running.process.send_signal(signal.SIGABRT)
        assert running.process.wait(PATIENCE) == -signal.SIGABRT


def test_nobody_else_on_the_machine_reads_what_the_table_keeps(tmp_path: Path) -> None:
    state = tmp_path / "var" / "state"
    with table(state) as running:
        running.play_until(lambda state: bool(state["table"]["hand"] > 0))
        kept = [path for path in state.iterdir() if path.name != "device.pub"]
        assert len(kept) >= 5
        assert [path.name for path in [state, *kept] if path.stat().st_mode & 0o077] == []
        assert state.parent.stat().st_mode & 0o777 == 0o755, "a room beside it may belong to another account"


def test_further_signals_do_not_kill_what_makes_the_table_safe(tmp_path: Path) -> None:
    with table(tmp_path) as running:
        running.play_until(lambda state: state["table"]["gate"] == "open")
        for _ in range(300):
            running.process.send_signal(signal.SIGTERM)
            if running.process.poll() is not None:
                break
        assert running.process.wait(PATIENCE) == 0


def test_a_start_that_fails_is_no_cut_of_the_power_and_hides_none(tmp_path: Path) -> None:
    with table(tmp_path / "other") as other:
        command = (*TABLECTL, "run", "--simulate", "--state", str(tmp_path / "table"), "--port", str(other.port))
        for cut in (False, True):
            assert subprocess.run(command, capture_output=True, check=False, timeout=PATIENCE).returncode == 1
            with table(tmp_path / "table") as running:
                assert running.state()["power_lost"] is cut
                os.kill(running.process.pid, signal.SIGKILL)
                assert running.process.wait(PATIENCE) == -signal.SIGKILL


def test_two_controllers_of_one_table_are_refused(tmp_path: Path) -> None:
    with table(tmp_path):
        command = (*TABLECTL, "run", "--simulate", "--state", str(tmp_path), "--port", "0")
        second = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
        assert second.returncode == 1
        assert "another controller is running" in second.stderr


def test_a_port_in_use_is_said(tmp_path: Path) -> None:
    with table(tmp_path / "one") as running:
        command = (*TABLECTL, "run", "--simulate", "--state", str(tmp_path / "two"), "--port", str(running.port))
        second = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
        assert second.returncode == 1
        assert "Address already in use" in second.stderr


@pytest.mark.parametrize("name", ["journal.head", "journal.sqlite", "staff.sqlite", "hand.key"])
def test_a_start_that_cannot_use_a_file_names_it(name: str, tmp_path: Path) -> None:
    (tmp_path / name).mkdir()
    command = (*TABLECTL, "run", "--simulate", "--state", str(tmp_path), "--port", "0")
    tried = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    last = tried.stderr.splitlines()[-1]
    assert (tried.returncode, name in last, "irectory" in last) == (1, True, True), tried.stderr
    assert "Traceback" not in tried.stderr


def test_an_exported_journal_replays_to_the_recorded_outcomes_under_any_hash_seed(tmp_path: Path) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        room = rig.room(2)
        rig.live(room, 60)
        while rig.output["hand"] < 3 or rig.output["phase"] != "deal":
            rig.live(room, 1)
        rig.journal.end_run("SIGTERM")
    state = ("--state", str(tmp_path))
    script = subprocess.run(
        (*TABLECTL, "journal", "export", "--script", *state), capture_output=True, text=True, check=True
    )
    assert "held back the hand in progress" in script.stderr
    whole = subprocess.run(
        (*TABLECTL, "journal", "export", "--script", "--live-hand", *state), capture_output=True, text=True, check=True
    )
    assert whole.stdout.startswith(script.stdout)
    outputs: list[list[str]] = []
    for seed in ("0", "1"):
        replay = subprocess.run(
            (*TABLECTL, "replay", "-"),
            input=whole.stdout,
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        outputs.append(replay.stdout.splitlines())
    assert outputs[0] == outputs[1]
    journal = JournalReader.open(tmp_path / "journal.sqlite")
    recorded = [entry.digest for entry in journal.read_entries(journal.list_sessions()[0])]
    journal.close()
    assert [compute_output_digest(json.loads(line)) for line in outputs[0]] == recorded
