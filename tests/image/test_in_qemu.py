"""The image as a technician flashes it: it comes up, shows its code, is set up by its page and survives its power.

Each run begins with a card of its own. The shell by which the test looks is put on that card; the image has no login.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.image.qemu import Machine, a_card

IMAGE = Path(os.environ.get("TABLE_IMAGE", "/nowhere"))
LONG = bool(os.environ.get("TABLE_LONG"))
WORK = IMAGE.parent
HERE = Path(__file__).parent

pytestmark = [
    pytest.mark.skipif("TABLE_IMAGE" not in os.environ, reason="needs the image of tests/image/run"),
    pytest.mark.timeout(3000),
]

PATIENCE = float(os.environ.get("TABLE_PATIENCE", "900"))
LINE = (
    "rootfstype=squashfs ro rootwait panic=10 quiet loglevel=3 net.ifnames=0 fsck.mode=skip systemd.show_status=0 "
    "systemd.default_timeout_start_sec=900"
)

ASK = (
    "import ssl,sys,urllib.request as u;c=ssl._create_unverified_context();"
    "print(u.urlopen('https://127.0.0.1:8443'+sys.argv[1],context=c,timeout=60).read().decode())"
)

GPLEV0 = 0x3F200034
"""The levels of the pins 0 to 31 (BCM2837 ARM Peripherals, 6.1)."""

LAMP_PINS = (17, 22, 23, 24)
"""Gate, and data, clock and latch of the lamps, of the example with an RFID shoe."""


def told(machine: Machine, what: str) -> None:
    print(f"\n{what}: {machine.seconds:.0f} s", flush=True)  # noqa: T201 - for the record


@pytest.fixture(scope="module")
def machine() -> Iterator[Machine]:
    """The card in a machine with virtio, a watchdog and a screen."""
    card, work = a_card(IMAGE, WORK / "card-virt.img", "hvc0"), WORK / "virt"
    machine = Machine(
        work,
        [
            *("-M", "virt", "-cpu", "cortex-a53", "-smp", "1", "-m", "1G", "-nic", "none", "-no-reboot"),
            *("-kernel", str(WORK / "vmlinuz"), "-initrd", str(WORK / "initrd.img")),
            *("-append", f"console=ttyAMA0 console=tty1 root=/dev/vda2 {LINE}"),
            *("-drive", f"file={card},if=virtio,format=raw", "-device", "i6300esb", "-action", "watchdog=reset"),
            *("-device", "virtio-gpu-pci", "-device", "virtio-serial-pci"),
            *("-chardev", f"socket,id=shell,path={work}/shell.sock,server=on,wait=off"),
            *("-device", "virtconsole,chardev=shell", "-serial", f"file:{work}/console"),
        ],
        patience=PATIENCE,
    )
    with machine:
        machine.until(lambda: answers(machine), "the shell answers")
        told(machine, "a shell")
        yield machine
    card.unlink()


def answers(machine: Machine) -> bool:
    try:
        return machine.run("true", 5)[0] == 0
    except (OSError, AssertionError):
        return False


def is_up(machine: Machine) -> bool:
    return machine.says("systemctl is-active table-controller") == "active"


def ask(machine: Machine, path: str) -> Any:  # noqa: ANN401 - whatever the page answers
    status, said = machine.run(f'python3 -c "{ASK}" {path}')
    assert status == 0, said
    return json.loads(said)


def test_it_comes_up_and_the_page_answers(machine: Machine) -> None:
    machine.until(lambda: is_up(machine), "the table is up")
    told(machine, "READY")
    assert ask(machine, "/state")["table"]["phase"] == "idle"
    told(machine, "page 200")
    assert machine.says("systemctl --failed --no-legend --plain") == ""


def test_nothing_listens_but_the_page_and_its_name(machine: Machine) -> None:
    for kind, allowed in (("t", {"8443"}), ("u", {"5353", "68", "546", "123"})):
        lines = machine.says(f"ss -Hln{kind}").splitlines()
        assert {line.split()[3].rpartition(":")[2] for line in lines} <= allowed, lines


def test_two_cards_are_two_tables(machine: Machine) -> None:
    assert machine.says("ls /etc/ssh/ssh_host_* 2>/dev/null") == ""
    assert len(machine.says("cat /etc/machine-id")) == 32
    assert machine.says("cat /run/table/image/etc/machine-id") == "", "the image itself has none"
    assert machine.says("hostname").startswith("table-")
    assert machine.says("getent shadow root").split(":")[1][:1] in ("*", "!"), "nobody logs in"
    assert "table-" in machine.says("openssl x509 -noout -subject -in /etc/table-controller/tls/page.crt")


def test_the_root_is_nobodys_and_the_state_has_grown(machine: Machine) -> None:
    assert machine.says("findmnt -no FSTYPE /run/table/image") == "squashfs"
    assert machine.run("touch /run/table/image/x")[0] != 0
    assert int(machine.says("df -B1 --output=size /run/table/state | tail -1")) > 2 << 30, "to the end of a 4 GiB card"
    assert "noexec" in machine.says("findmnt -no OPTIONS /var/lib/table-controller")
    assert machine.says("tablectl --version").startswith("tablectl ")
    assert machine.says("ls /var/log/journal 2>/dev/null") == "", "the log is in memory"


def test_the_screen_shows_the_code(machine: Machine) -> None:
    shown = "tr '\\000' ' ' </dev/vcs1"
    machine.until(lambda: "One-time code" in machine.says(shown), "the screen shows it")
    told(machine, "one-time code on the screen")
    picture = machine.work / "first-boot.ppm"
    machine.monitor(f"screendump {picture}")
    assert picture.stat().st_size > 10_000


def test_the_watchdog_is_fed_by_systemd(machine: Machine) -> None:
    assert machine.says("systemctl show -p RuntimeWatchdogUSec --value") == "15s"
    assert machine.says("cat /sys/class/watchdog/watchdog0/state") == "active"


def test_a_first_hour_without_a_terminal(machine: Machine) -> None:
    """The code of the screen enrols the technician, whose choice becomes the table's file; a dealer begins a hand."""
    machine.run(f"cat >/run/first_hour.py <<'END'\n{(HERE / 'first_hour.py').read_text()}\nEND")
    status, said = machine.run("python3 /run/first_hour.py", 900)
    assert status == 0, said
    told(machine, "set up and the first hand begun, by the page alone")
    assert 'game = "omaha"' in machine.says("cat /etc/table-controller/table.toml")


@pytest.mark.skipif(not LONG, reason="the long form")
def test_the_power_is_cut_and_the_table_is_as_it_was(machine: Machine) -> None:
    for _ in range(3):
        before = ask(machine, "/state")["entry"]
        machine.off()
        machine.on()
        machine.until(lambda: answers(machine), "the shell answers")
        machine.until(lambda: is_up(machine), "the table is up")
        told(machine, "up again after a cut of the power")
        assert ask(machine, "/state")["entry"] >= before
        assert machine.run("tablectl journal check --config /etc/table-controller/table.toml")[0] == 0


def test_a_hung_kernel_is_reset_by_the_watchdog(machine: Machine) -> None:
    with pytest.raises((AssertionError, OSError)):
        machine.run("sync; cd /proc/sys/kernel; echo 1 >sysrq; echo 0 >panic; echo c >/proc/sysrq-trigger", 5)
    machine.until(machine.has_ended, "the watchdog has reset the machine", 180)
    told(machine, "reset by the watchdog")


@pytest.mark.skipif(not LONG, reason="the long form")
def test_the_pins_of_a_raspberry() -> None:
    """On QEMU's model of the chip: what our driver of the pins writes is in its registers."""
    card, work = a_card(IMAGE, WORK / "card-raspi.img", "ttyS1"), WORK / "raspi3b"
    machine = Machine(
        work,
        [
            *("-M", "raspi3b", "-m", "1G", "-no-reboot", "-dtb", str(WORK / "bcm2837-rpi-3-b.dtb")),
            *("-kernel", str(WORK / "vmlinuz"), "-initrd", str(WORK / "initrd.img")),
            # systemd never starts the chip's watchdog: QEMU's model resets the machine at once.
            *("-append", f"console=tty1 root=/dev/mmcblk0p2 {LINE} systemd.watchdog_sec=0"),
            *("-drive", f"file={card},if=sd,format=raw", "-serial", f"file:{work}/console"),
            *("-chardev", f"socket,id=shell,path={work}/shell.sock,server=on,wait=off", "-serial", "chardev:shell"),
        ],
        patience=PATIENCE,
    )
    with machine:
        machine.until(lambda: answers(machine), "the shell answers")
        told(machine, "a shell on raspi3b")
        machine.run(f"cat >/run/pins.py <<'END'\n{(HERE / 'pins.py').read_text()}\nEND")
        python = "/opt/table-controller/current/venv/bin/python"
        for pin in LAMP_PINS:
            for level in (1, 0):
                # QEMU, unlike the board's firmware, does not tell the board's revision.
                status, said = machine.run(f"RPI_LGPIO_REVISION=a02082 {python} /run/pins.py {pin} {level}")
                assert status == 0, said
                assert machine.register(GPLEV0) >> pin & 1 == level, f"pin {pin}"
        told(machine, "gate and lamp pins seen in the registers")
    card.unlink()
