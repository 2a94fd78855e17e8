"""The table as systemd runs it, in the container of tests/systemd/run: installed, booted, hung, killed, updated.

The first process in there is the real systemd, the unit is the one that ships (with the drop-in for a table without
hardware), and the program is what `make install` installed. What the tests look at is what a technician sees:
systemctl, the log, the page.
"""

import time
from typing import Any

import pytest

from tests.systemd.machine import TABLECTL, UNIT, Machine, needs_container, wait_until

pytestmark = [pytest.mark.elsewhere, needs_container, pytest.mark.timeout(600)]

HOLDERS = ("/var/lib/systemd/coredump", "/var/lib/table-controller", "/run/table-controller")
"""Where a core file would be."""

THREADS = ("page", "pins", "port shoe", "room", "MainThread")
"""Every thread of the demo table."""

KILLER_FOLDER = "/run/killer"
KILLER = f"""
import ctypes, signal, threading

def kill(_number, _frame):
    with open("{KILLER_FOLDER}/thread") as file:
        name = file.read()
    error = SystemError if name == "MainThread" else SystemExit
    (thread,) = (thread for thread in threading.enumerate() if thread.name == name)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(error))

signal.signal(signal.SIGUSR1, kill)
"""
"""Ends the thread whose name stands in a file, wherever it is: what Python reads first when it starts."""

KILLER_UNIT = f"[Service]\nEnvironment=PYTHONPATH={KILLER_FOLDER}\n"


def select_comparable_state(state: dict[str, Any]) -> dict[str, Any]:
    kept = ("next", "lamps", "gate", "phase", "street", "hand", "piles", "board", "stacks", "pots", "bets")
    return {key: state["table"][key] for key in kept} | {"players": state["players"]}


def mid_hand(machine: Machine) -> dict[str, Any]:
    """Let a hand be dealt until some cards are out; return how the table stands."""
    machine.wish(do="speed", speed=20)
    for _ in range(200):
        state = machine.state()
        if state["table"]["phase"] == "deal" and state["table"]["piles"]["stub"] <= 47:
            return select_comparable_state(state)
        machine.wish(do="step")
        before = state["entry"]
        wait_until(lambda: machine.state()["entry"] > before, "the room moves")  # noqa: B023 - called before the next round
    raise AssertionError("no hand was dealt")


def assert_same_hand(machine: Machine, stood: dict[str, Any]) -> None:
    """See that a table that was cut short stands as before, halted until the dealer has said that all is as shown."""
    state = machine.state()
    assert state["power_lost"]
    assert (state["table"]["phase"], state["table"]["gate"]) == ("halted", "locked")
    assert select_comparable_state(state) | {"phase": stood["phase"], "gate": stood["gate"]} == stood
    machine.wish(do="step")
    wait_until(lambda: machine.state()["table"]["phase"] != "halted", "the dealer confirms")
    assert select_comparable_state(machine.state()) == stood


def has_restarted(machine: Machine, number: int) -> bool:
    return machine.read_property("NRestarts") == str(number) and machine.is_active()


def test_what_systemd_says_of_it(machine: Machine) -> None:
    assert machine.read_property("StatusText").startswith("simulation, idle; hand 0; ")
    assert machine.read_property("User") == "table-controller"
    assert machine.read_property("LimitCORE") == "0"
    assert machine.read_property("WatchdogUSec") == "10s"
    done = machine.run("systemd-analyze", "verify", f"{UNIT}.service", check=False)
    # The example for a table without hardware is in force too; what is said must be nothing at all.
    assert (done.returncode, done.stderr) == (0, "")
    assert machine.run("stat", "-c", "%U %a", "/var/lib/table-controller/journal.sqlite").stdout.split() == [
        "table-controller",
        "600",
    ]


ANNOUNCER = """
[table]
url = "http://127.0.0.1:8080"
token_file = "announcer.token"
id = "table-3"
[state]
directory = "/var/lib/table-announcer"
[[webhook]]
name = "pager"
url = "http://127.0.0.1:9/"
secret_file = "pager.key"
events = ["hand.started"]
"""
SECRET = "umask 027; {} > /etc/table-controller/{} && chgrp table-announcer /etc/table-controller/{}"


def test_the_announcer_runs_beside_the_table_as_locked_up_as_its_unit_says(machine: Machine) -> None:
    machine.run("systemctl", "start", "table-announcer")
    shown = ("systemctl", "show", "table-announcer", "--value", "--property=ActiveState")
    assert machine.run(*shown).stdout.strip() == "inactive", "there is no file that says whom to tell"
    token = f"{TABLECTL} token add announcer --role watch"
    for command, name in ((token, "announcer.token"), (f"{TABLECTL} announce key", "pager.key")):
        machine.run("bash", "-c", SECRET.format(command, name, name))
    machine.write("/etc/table-controller/announcer.toml", ANNOUNCER)
    machine.run("systemctl", "start", "table-announcer")

    def read_log() -> str:
        return machine.run("journalctl", "--unit", "table-announcer", "--no-pager").stdout

    wait_until(lambda: "http://127.0.0.1:8080 answers" in read_log(), "the announcer reads the table")
    assert machine.run("stat", "-c", "%U %a", "/var/lib/table-announcer/announcer.sqlite").stdout.split() == [
        "table-announcer",
        "600",
    ]
    machine.run("systemctl", "stop", "table-announcer")
    assert machine.run(*shown).stdout.strip() == "inactive"
    assert machine.is_active()


def test_an_extra_that_is_missing_is_named_and_added_without_a_network(machine: Machine) -> None:
    def try_broker() -> str:
        done = machine.run(TABLECTL, "check", "--announcer", "/etc/table-controller/broker.toml", check=False)
        return done.stdout + done.stderr

    packages = "ls /opt/table-controller/current/venv/lib/python3*/site-packages"
    have = machine.run("bash", "-c", packages).stdout.split()
    assert "serial" in have
    assert not {"paho", "pokerkit", "prometheus_client", "nats", "room", "pip"} & set(have)
    machine.write("/etc/table-controller/broker.toml", ANNOUNCER + '[mqtt]\nhost = "127.0.0.1"\n')
    assert "needs paho-mqtt: sudo tablectl release extras announcer" in try_broker()
    assert "has announcer" in machine.run(TABLECTL, "release", "extras", "announcer").stdout
    assert "is right: told are the broker at 127.0.0.1" in try_broker()
    assert "pip" not in machine.run("bash", "-c", packages).stdout.split()
    assert machine.is_active(), "the table was not disturbed"


def test_an_update_between_hands_and_the_way_back(machine: Machine) -> None:
    done = machine.run(TABLECTL, "release", "install", "/releases/900.0.0.tar", check=False)
    assert done.returncode == 0, done.stderr
    assert machine.run("readlink", "/opt/table-controller/current").stdout.strip() == "releases/900.0.0"
    assert machine.is_active(), "the table was not disturbed"
    machine.run("systemctl", "restart", UNIT)
    main = machine.read_property("MainPID")
    assert "releases/900.0.0" in machine.run("cat", f"/proc/{main}/cmdline").stdout
    assert "as it was signed" in machine.run(TABLECTL, "release", "check").stdout
    assert "is right" in machine.run(TABLECTL, "check", "--announcer", "/etc/table-controller/broker.toml").stdout
    again = machine.run(TABLECTL, "release", "install", "/releases/900.0.0.tar", check=False)
    assert (again.returncode, "only a newer one is installed" in again.stderr) == (1, True)
    machine.run(TABLECTL, "release", "back")
    machine.run("systemctl", "restart", UNIT)
    assert "900.0.0" not in machine.run("readlink", "/opt/table-controller/current").stdout
    log = machine.run(TABLECTL, "release", "log").stdout.splitlines()
    assert [line.rpartition("  ")[2].partition(":")[0] for line in log[-3:]] == ["installed", "refused", "went back"]


def test_no_update_in_mid_hand(machine: Machine) -> None:
    mid_hand(machine)
    done = machine.run(TABLECTL, "release", "install", "/releases/900.0.1.tar", check=False)
    assert done.returncode == 1
    assert "a hand is in progress" in done.stderr
    assert machine.run("test", "-e", "/opt/table-controller/releases/900.0.1", check=False).returncode == 1


def test_a_table_that_hangs_is_started_again_with_its_hand(machine: Machine) -> None:
    stood = mid_hand(machine)
    status = machine.read_property("StatusText")
    assert "Card to seat" in status
    restarts = int(machine.read_property("NRestarts"))
    machine.run("kill", "-STOP", machine.read_property("MainPID"))
    began = time.monotonic()
    wait_until(lambda: has_restarted(machine, restarts + 1), "its watchdog starts it again")
    print(f"\nstopped: up again after {time.monotonic() - began:.1f} s")  # noqa: T201 - for the record
    assert_same_hand(machine, stood)
    assert any("Watchdog timeout" in line["MESSAGE"] for line in machine.log())
    cores = machine.run("find", *HOLDERS, "-type", "f", "-name", "core*", check=False).stdout
    assert cores == "", "nothing of its memory was written"


def test_a_table_that_is_killed_is_started_again_with_its_hand(machine: Machine) -> None:
    stood = mid_hand(machine)
    restarts = int(machine.read_property("NRestarts"))
    machine.run("kill", "-KILL", machine.read_property("MainPID"))
    began = time.monotonic()
    wait_until(lambda: has_restarted(machine, restarts + 1), "systemd starts it again")
    print(f"\nkilled: up again after {time.monotonic() - began:.1f} s")  # noqa: T201 - for the record
    assert_same_hand(machine, stood)
    warned = [line for line in machine.log() if "cut short" in line["MESSAGE"]]
    assert warned, "the log says so"
    assert {line["PRIORITY"] for line in warned} == {"3", "4"}, "the fault, and the word to the dealer"
    assert not any(line["MESSAGE"].startswith("<") for line in machine.log())


def test_whichever_thread_dies_the_table_is_started_again_with_its_hand(machine: Machine) -> None:
    machine.write(f"{KILLER_FOLDER}/sitecustomize.py", KILLER)
    machine.write(f"/run/systemd/system/{UNIT}.service.d/killer.conf", KILLER_UNIT)
    machine.run("systemctl", "daemon-reload")
    machine.run("systemctl", "restart", UNIT)
    stood = mid_hand(machine)
    for thread in THREADS:
        restarts = int(machine.read_property("NRestarts"))
        machine.write(f"{KILLER_FOLDER}/thread", thread)
        machine.run("systemctl", "kill", "--kill-whom=main", "--signal=USR1", UNIT)
        if thread == "room":
            machine.wish(do="speed", speed=20)  # it waits without end, and dies when it is woken
        began = time.monotonic()
        wait_until(lambda: has_restarted(machine, restarts + 1), f"without {thread} it is started again")  # noqa: B023 - at once
        print(f"\n{thread} died: up again after {time.monotonic() - began:.1f} s")  # noqa: T201 - for the record
        assert_same_hand(machine, stood)


def test_a_clean_stop_and_start(machine: Machine) -> None:
    stood = mid_hand(machine)
    machine.run("systemctl", "stop", UNIT)
    assert (machine.read_property("ActiveState"), machine.read_property("Result")) == ("inactive", "success")
    proof = machine.run(TABLECTL, "journal", "check", "--config", "/etc/table-controller/table.toml", check=False)
    assert proof.returncode == 0, proof.stdout + proof.stderr
    machine.run("systemctl", "start", UNIT)
    state = machine.state()
    assert select_comparable_state(state) == stood
    assert not state["power_lost"]
