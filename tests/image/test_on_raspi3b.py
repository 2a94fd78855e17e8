"""A hand on QEMU's Raspberry Pi 3: cards come by its serial port, gate and lamps are read in the chip's registers."""

import json
import re
import select
import shutil
import socket
import subprocess
import threading
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from config.table_file import DEMO_FILE
from drivers.simulators.lamps.lamps_595_simulator import Lamps595Simulator
from drivers.simulators.readers.pn532_simulator import Pn532Simulator
from drivers.simulators.simulated_pins import SimulatedPins
from tests.image.qemu import IMAGE, LINE, LONG, WORK, Machine, a_card
from tests.image.registers import GPLEV0, TRACE, TracedPins

pytestmark = [
    pytest.mark.elsewhere,
    pytest.mark.skipif(not LONG, reason="the long form"),
    pytest.mark.skipif(shutil.which("fdtput") is None, reason="not installed: device-tree-compiler"),
    pytest.mark.timeout(3000),
]

READER = """
[shoe]
deck = "demo"
reader = "shoe"

[device.shoe]
driver = "pn532"
port = "/dev/ttyS1"
tags = 1

"""
"""A reader that is asked: QEMU's model of this port hears nothing until something was sent on it."""
DECK = DEMO_FILE.with_name("rfid-shoe-deck.csv")

GATE = 17
ON_PINS = re.search(r"^\[device\.gate\].*?(?=^\[device\.panel\])", DEMO_FILE.read_text(encoding="utf-8"), re.S | re.M)
"""Gate and lamps of the demo table. It has no panel here: QEMU's pins have no pull-up, so every key would be down."""

HERE = Path(__file__).parent
PROGRAM = "/opt/table-controller/current"
AS_TABLE = "setpriv --reuid=table-controller --regid=table-controller --init-groups tablectl"


@pytest.fixture(scope="module")
def machine() -> Iterator[Machine]:
    """The card in a Pi 3 whose header's serial port, the second one, is the reader's wire; the first has our shell."""
    card, work = a_card(IMAGE, WORK / "card-raspi.img", "ttyAMA0"), WORK / "raspi3b"
    tree = WORK / "raspi3b.dtb"
    shutil.copy(WORK / "bcm2837-rpi-3-b.dtb", tree)
    # Bluetooth would have the first port; and the board's firmware, which QEMU has not, tells its revision.
    subprocess.run(["fdtput", "-r", tree, "/soc/serial@7e201000/bluetooth"], check=True)
    subprocess.run(["fdtput", "-c", tree, "/system"], check=True)
    subprocess.run(["fdtput", "-t", "x", tree, "/system", "linux,revision", "a02082"], check=True)
    machine = Machine(
        work,
        [
            *("-M", "raspi3b", "-m", "1G", "-no-reboot", "-dtb", str(tree), "-D", f"{work}/trace"),
            *("-kernel", str(WORK / "vmlinuz"), "-initrd", str(WORK / "initrd.img")),
            # systemd never starts the chip's watchdog: QEMU's model resets the machine at once.
            *("-append", f"console=tty1 root=/dev/mmcblk0p2 {LINE} systemd.watchdog_sec=0"),
            *("-drive", f"file={card},if=sd,format=raw"),
            *("-chardev", f"socket,id=shell,path={work}/shell.sock,server=on,wait=off", "-serial", "chardev:shell"),
            *("-chardev", f"socket,id=reader,path={work}/reader.sock,server=on,wait=off", "-serial", "chardev:reader"),
        ],
    )
    with machine:
        machine.comes_up()
        yield machine
    card.unlink()


@contextmanager
def far_end(machine: Machine) -> Iterator[Pn532Simulator]:
    """The reader at the other end of the machine's wire."""
    simulator, over = Pn532Simulator(time.monotonic), threading.Event()

    def serve(wire: socket.socket) -> None:
        while not over.is_set():
            if select.select([wire], [], [], 0.005)[0]:
                simulator.receive_data(wire.recv(4096))
            for _, frame in simulator.take_frames():
                wire.sendall(frame)

    with socket.socket(socket.AF_UNIX) as wire:
        wire.connect(str(machine.work / "reader.sock"))
        served = threading.Thread(target=serve, args=(wire,), daemon=True)
        served.start()
        try:
            yield simulator
        finally:
            over.set()
            served.join()


def test_a_hand_by_the_serial_port_seen_in_the_registers(machine: Machine) -> None:
    file = (HERE.parent.parent / "image/table.toml").read_text(encoding="utf-8")
    assert ON_PINS is not None
    machine.run("systemctl stop table-controller table-welcome")
    file = file.replace("\n[state]", 'sensors = ["identity"]\n\n[state]') + READER + ON_PINS.group()
    machine.put("/etc/table-controller/table.toml", file)
    machine.run("mkdir -p /run/tests/image")
    for script in ("first_hour", "hand"):
        machine.put(f"/run/tests/image/{script}.py", (HERE / f"{script}.py").read_text(encoding="utf-8"))
    listed = f"deck import demo {PROGRAM}/config/{DECK.name}"
    assert machine.run(f"{AS_TABLE} {listed}", 600)[0] == 0

    machine.monitor(f"trace-event {TRACE} on")
    keys = {key: value for key, value in tomllib.loads(ON_PINS.group())["device"]["lamps"].items() if key != "driver"}
    followed = TracedPins(machine.work / "trace", SimulatedPins(time.monotonic), (GATE, 22, 23, 24, 25))
    chain = Lamps595Simulator(followed.pins, **keys)

    def read_lit_seats() -> dict[str, tuple[int, ...]]:
        followed.follow()
        return chain.lit_seats()

    def is_open() -> bool:
        return bool(machine.register(GPLEV0) >> GATE & 1)

    with far_end(machine) as reader:
        started = machine.run("systemctl start table-controller", 900)[0]
        assert started == 0, machine.read_output("journalctl -u table-controller -n 30")
        machine.tell("READY with a reader, a gate and lamps")
        assert not is_open(), "the gate is locked while nothing is due"
        code = re.search(r"One-time code:\s+(\d{4})-(\d{4})", machine.read_output("tablectl staff welcome", 600))
        assert code is not None
        tags = iter(row.partition(",")[0] for row in DECK.read_text(encoding="ascii").splitlines()[1:])
        gates: list[bool] = []

        def step(line: str) -> str | None:
            if not line.startswith("{"):
                return None
            due = json.loads(line)
            reader.remove()
            gates.append(due["gate"] == "open")
            assert gates[-1] == due["card"], "the gate is open while a card is due, and only then"
            machine.wait_until(lambda: is_open() == gates[-1], "the gate is as the table says")
            wanted = {role: tuple(due["lamps"][role]) for role in keys["outputs"]}
            machine.wait_until(lambda: read_lit_seats() == wanted, f"the lamps are as the table says: {wanted}")
            if due["card"]:
                reader.present(next(tags))
            return "done"

        status, said = machine.run(f"cd /run && python3 -m tests.image.hand {code.group(1)}{code.group(2)}", 1800, step)
        log = machine.read_output("journalctl --no-pager -u table-controller -n 40")
    assert (status, said.endswith("the hand is over\n")) == (0, True), said + log
    assert gates.count(True) == 4 + 3 + 5, "two hands of two, three burns, a board"
    machine.tell("a hand dealt by the serial port, gate and lamps seen in the registers")

    assert machine.run("systemctl stop table-controller", 300)[0] == 0
    assert not is_open(), "the gate is left locked"
    followed.follow()
    assert not any(chain.output_levels()), "and the lamps are left dark"
    followed.close()
