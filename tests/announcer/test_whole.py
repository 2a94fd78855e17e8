"""The announcer as it is run, at a real table, a real broker and a real address: from a card to a pager, and back."""

import json
import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.announcer.home_assistant import OFFLINE_PAYLOAD, ONLINE_PAYLOAD
from tests.announcer.room import (
    MOSQUITTO,
    PATIENCE,
    Listener,
    Mosquitto,
    Receiver,
    hook,
    secret,
    standing,
    write_announcer_file,
)
from tests.announcer.test_mqtt import AVAILABILITY, CALL, LAMPS, STATE, section
from tests.app.table.test_process import TABLECTL, Running, table

MAX_MEMORY_KIB = 64 * 1024
"""What it may have in memory; its unit ends it at 96 MiB."""

needs_mosquitto = pytest.mark.skipif(MOSQUITTO is None, reason="mosquitto is not installed: apt install mosquitto")


class Process:
    """A running announcer and its log."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self.log: list[str] = []

    def wait_for_line(self, words: str) -> None:
        """Read the log until a line has these words."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.log.append(line)
            if words in line:
                return
        raise AssertionError(f"never said: {words}; but {self.log}")

    def end(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)


@contextmanager
def announcer(folder: Path, running: Running, *sections: str) -> Iterator[Process]:
    file = write_announcer_file(folder, *sections)
    file.path.write_text(file.path.read_text("utf-8").replace(":8080", f":{running.port}"), encoding="utf-8")
    made = subprocess.run(
        (*TABLECTL, "token", "add", "announcer", "--role", "room", "--state", str(folder / "table")),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    secret(folder / "token", made.stdout.strip())
    command = (*TABLECTL, "announce", "run", "--config", str(file.path))
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, bufsize=1)
    try:
        yield Process(process)
    finally:
        process.kill()
        process.wait()
        if process.stderr is not None:
            process.stderr.close()


@needs_mosquitto
def test_a_hand_is_at_the_broker_and_a_press_calls_the_floor(tmp_path: Path, receiver: Receiver) -> None:
    told = hook(receiver, "hand.started", "floor.called", "table.lost")
    with (
        Mosquitto(tmp_path) as broker,
        Listener(broker.port) as room,
        table(tmp_path / "table") as running,
        announcer(tmp_path, running, section(broker), told) as process,
    ):
        room.wait_for_message(AVAILABILITY, ONLINE_PAYLOAD.__eq__)
        standing(room, STATE, hand=0, phase="idle")
        running.play_until(lambda state: state["table"]["street"] is not None)
        standing(room, STATE, hand=1, game="holdem", fault=False)
        assert receiver.next().kind == "hand.started"
        room.say(CALL, "PRESS")
        standing(room, STATE, floor_called=True)
        assert receiver.next().kind == "floor.called"
        assert running.state()["floor_called"]
        room.say(LAMPS, "PRESS")
        process.wait_for_line("lamps: pressed at the broker, and not done")  # a simulated table has no bench
        status = Path(f"/proc/{process.process.pid}/status").read_text(encoding="utf-8")
        assert int(re.findall(r"VmHWM:\s+(\d+)", status)[0]) < MAX_MEMORY_KIB
        os.kill(running.process.pid, signal.SIGKILL)
        room.wait_for_message(AVAILABILITY, OFFLINE_PAYLOAD.__eq__)
        assert receiver.next().kind == "table.lost"
        assert process.end() == 0


def test_the_announcer_ends_when_it_is_told_to_and_says_no_secret(tmp_path: Path, receiver: Receiver) -> None:
    with (
        table(tmp_path / "table") as running,
        announcer(tmp_path, running, hook(receiver, "floor.called")) as process,
    ):
        process.wait_for_line("answers")
        withdrawn = subprocess.run(
            (*TABLECTL, "token", "withdraw", "announcer", "--state", str(tmp_path / "table")),
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert withdrawn.returncode == 0
        running.wish(do="step")
        process.wait_for_line("does not answer: ")
        assert process.end() == 0
        assert process.process.stderr is not None
        said = "".join(process.log) + process.process.stderr.read()
    assert (tmp_path / "token").read_text("utf-8").strip() not in said
    assert "whsec_" not in said


def test_status_tells_what_was_given_up(tmp_path: Path, receiver: Receiver) -> None:
    for _ in range(2):
        receiver.answers.put(410)
    with (
        table(tmp_path / "table") as running,
        announcer(tmp_path, running, hook(receiver, "hand.started")) as process,
    ):
        process.wait_for_line("answers")
        running.play_until(lambda state: state["table"]["street"] is not None)
        assert json.loads(receiver.next().body)["data"]["hand"] == 1
        process.wait_for_line("is given up after 1 attempts: it answered 410")
        shown = subprocess.run(
            (*TABLECTL, "announce", "status", "--config", str(tmp_path / "announcer.toml")),
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert shown.returncode == 1
        assert "pager: 0 waiting, 0 delivered (last never), 1 given up, 0 dropped" in shown.stdout
        assert "it answered 410" in shown.stdout
        assert process.end() == 0
