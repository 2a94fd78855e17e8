"""The image as a technician flashes it: it comes up, shows its code, is set up by its page and survives its power.

Each run begins with a card of its own. The shell by which the test looks is put on that card; the image has no login.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.image.qemu import IMAGE, LINE, WORK, Machine, a_card

HERE = Path(__file__).parent

pytestmark = [
    pytest.mark.elsewhere,
    pytest.mark.skipif(not IMAGE.exists(), reason="needs the image of tests/image/run"),
    pytest.mark.timeout(3000),
]

ASK = (
    "import ssl,sys,urllib.request as u;c=ssl._create_unverified_context();"
    "print(u.urlopen('https://127.0.0.1:8443'+sys.argv[1],context=c,timeout=60).read().decode())"
)

TOLD = """\
# What a technician wrote on some machine.
name = Table-07\r
wifi = Back Room\r
password = correct horse\r
country = de
"""
"""The card's table.txt."""

CURRENT = "readlink /opt/table-controller/current"


@pytest.fixture(scope="module")
def machine() -> Iterator[Machine]:
    """The card in a machine with virtio, a watchdog, a screen, and a second disk with two signed releases."""
    card, work = a_card(IMAGE, WORK / "card-virt.img", "hvc0", told=TOLD), WORK / "virt"
    machine = Machine(
        work,
        [
            *("-M", "virt", "-cpu", "cortex-a53", "-smp", "2", "-m", "1G", "-nic", "none", "-no-reboot"),
            *("-kernel", str(WORK / "vmlinuz"), "-initrd", str(WORK / "initrd.img")),
            *("-append", f"console=ttyAMA0 console=tty1 root=/dev/vda2 {LINE}"),
            *("-drive", f"file={card},if=none,format=raw,id=card", "-device", "virtio-blk-device,drive=card"),
            # It bites only in the test that is about it: on a busy machine systemd may feed it seconds too late.
            *("-device", "i6300esb", "-action", "watchdog=none"),
            *("-device", "virtio-gpu-pci", "-device", "virtio-serial-pci"),
            *("-chardev", f"socket,id=shell,path={work}/shell.sock,server=on,wait=off"),
            *("-device", "virtconsole,chardev=shell", "-serial", f"file:{work}/console"),
            *("-fsdev", f"local,id=releases,path={WORK}/releases,security_model=none,readonly=on"),
            *("-device", "virtio-9p-pci,fsdev=releases,mount_tag=releases"),
        ],
    )
    with machine:
        machine.comes_up()
        yield machine
    card.unlink()


def ask(machine: Machine, path: str) -> Any:  # noqa: ANN401 - whatever the page answers
    status, said = machine.run(f'python3 -c "{ASK}" {path}')
    assert status == 0, said
    return json.loads(said)


def test_it_comes_up_and_the_page_answers(machine: Machine) -> None:
    assert ask(machine, "/state")["table"]["phase"] == "idle"
    machine.tell("page 200")
    assert machine.read_output("systemctl --failed --no-legend --plain") == ""


def test_nothing_listens_but_the_page_and_its_name(machine: Machine) -> None:
    for kind, allowed in (("t", {"8443"}), ("u", {"5353", "68", "546", "123"})):
        lines = machine.read_output(f"ss -Hln{kind}").splitlines()
        assert {line.split()[3].rpartition(":")[2] for line in lines} <= allowed, lines


def test_two_cards_are_two_tables(machine: Machine) -> None:
    assert machine.read_output("ls /etc/ssh/ssh_host_* 2>/dev/null") == ""
    assert len(machine.read_output("cat /etc/machine-id")) == 32
    assert machine.read_output("cat /run/table/image/etc/machine-id") == "", "the image itself has none"
    assert machine.read_output("getent shadow root").split(":")[1][:1] in ("*", "!"), "nobody logs in"


def test_the_file_on_the_card_gives_name_and_wifi(machine: Machine) -> None:
    assert machine.read_output("hostname") == "table-07"
    assert "table-07.local" in machine.read_output(
        "openssl x509 -noout -subject -in /etc/table-controller/tls/page.crt"
    )
    network = "/etc/wpa_supplicant/wpa_supplicant-wlan0.conf"
    assert machine.read_output(f"stat -c '%U %a' {network}") == "root 600"
    key = hashlib.pbkdf2_hmac("sha1", b"correct horse", b"Back Room", 4096, 32).hex()  # IEEE 802.11i, H.4
    assert machine.read_output(f"tr -d '\\t' <{network}").splitlines() == [
        "country=DE",
        "network={",
        'ssid="Back Room"',
        f"psk={key}",
        "}",
    ]
    assert machine.read_output("systemctl is-enabled wpa_supplicant@wlan0") == "enabled"
    tried = "(systemctl list-jobs; journalctl -b --no-pager) | grep -c 'WPA supplicant.*wlan0\\|wpa_supplicant@wlan0'"
    assert machine.read_output(tried) != "0", "it is wanted at the first start already, as soon as there is a radio"
    read = "mount -o ro /boot/firmware && cat /boot/firmware/table.txt; umount /boot/firmware"
    assert "correct horse" not in machine.read_output(read), "who takes the card out does not read the password there"
    short = "mount /boot/firmware && printf 'wifi = Back Room\\npassword = short\\n' >>/boot/firmware/table.txt"
    assert machine.run(f"{short} && /usr/local/lib/table/first-boot", 300)[0] == 0
    assert f"psk={key}" in machine.read_output(f"cat {network}"), "a password that is none changes nothing"
    assert "8 to 63 characters" in machine.read_output(read), "and the technician reads there why"


def test_the_root_is_nobodys_and_the_state_has_grown(machine: Machine) -> None:
    assert machine.read_output("findmnt -no FSTYPE /run/table/image") == "squashfs"
    assert machine.run("touch /run/table/image/x")[0] != 0
    assert int(machine.read_output("df -B1 --output=size /run/table/state | tail -1")) > 2 << 30, (
        "to the end of a 4 GiB card"
    )
    assert "noexec" in machine.read_output("findmnt -no OPTIONS /var/lib/table-controller")
    assert machine.read_output("tablectl --version").startswith("tablectl ")
    assert machine.read_output("ls /var/log/journal 2>/dev/null") == "", "the log is in memory"


def test_the_screen_shows_the_code(machine: Machine) -> None:
    shown = "tr '\\000' ' ' </dev/vcs1"
    machine.wait_until(lambda: "One-time code" in machine.read_output(shown), "the screen shows it")
    machine.tell("one-time code on the screen")
    picture = machine.work / "first-boot.ppm"
    machine.monitor(f"screendump {picture}")
    assert picture.stat().st_size > 10_000


def test_the_watchdog_is_fed_by_systemd(machine: Machine) -> None:
    assert machine.read_output("systemctl show -p RuntimeWatchdogUSec --value") == "15s"
    assert machine.read_output("cat /sys/class/watchdog/watchdog0/state") == "active"


@pytest.mark.slow
def test_power_cut_in_an_update_then_the_update_and_the_way_back(machine: Machine) -> None:
    before = machine.read_output(CURRENT)
    key = (WORK / "releases/release.pub").read_text(encoding="ascii").strip()
    machine.put("/etc/table-controller/release.pub", key)
    mount = "mkdir -p /run/releases; mount -t 9p -o ro,trans=virtio,version=9p2000.L releases /run/releases"
    assert machine.run(mount)[0] == 0
    machine.run("sync; tablectl release install /run/releases/900.0.0.tar >/run/said 2>&1 &")
    half = "find /opt/table-controller -path '*900*' -name pyvenv.cfg | grep -q ."
    machine.wait_until(lambda: machine.run(half)[0] == 0, "the update is under way")
    machine.tell("the power is cut in an update")
    machine.power_off()
    machine.power_on()
    machine.comes_up()
    assert machine.read_output(CURRENT) == before, "the release of before runs"

    assert machine.run(mount)[0] == 0
    status, said = machine.run("tablectl release install /run/releases/900.0.0.tar", 900)
    assert status == 0, said
    machine.tell("updated")
    assert machine.run("systemctl restart table-controller", 300)[0] == 0
    assert machine.read_output(CURRENT) == "releases/900.0.0"
    assert ask(machine, "/state")["setup"]["program"] == before.removeprefix("releases/"), "the same wheel in a new box"
    main = machine.read_output("systemctl show -p MainPID --value table-controller")
    assert "releases/900.0.0" in machine.read_output(f"tr '\\000' ' ' </proc/{main}/cmdline")
    assert machine.run("tablectl release install /run/releases/900.0.0-damaged.tar", 300)[0] != 0
    assert machine.run("tablectl release back", 300)[0] == 0
    assert machine.run("systemctl restart table-controller", 300)[0] == 0
    assert machine.read_output(CURRENT) == before
    machine.tell("gone back to the release of before")


def test_a_first_hour_without_a_terminal(machine: Machine) -> None:
    """The code of the screen enrols the technician, whose choice becomes the table's file; a dealer begins a hand."""
    machine.put("/run/first_hour.py", (HERE / "first_hour.py").read_text(encoding="utf-8"))
    status, said = machine.run("python3 /run/first_hour.py", 600)
    assert status == 0, said + machine.read_output("journalctl --no-pager -n 60 -u table-set-up -u table-set-up.path")
    machine.tell("set up and the first hand begun, by the page alone")
    assert 'game = "omaha"' in machine.read_output("cat /etc/table-controller/table.toml")


@pytest.mark.slow
def test_the_power_is_cut_and_the_table_is_as_it_was(machine: Machine) -> None:
    for _ in range(3):
        before = ask(machine, "/state")["entry"]
        machine.power_off()
        machine.power_on()
        machine.comes_up()
        assert ask(machine, "/state")["entry"] >= before
        assert machine.run("tablectl journal check --config /etc/table-controller/table.toml")[0] == 0


def test_a_hung_kernel_is_reset_by_the_watchdog(machine: Machine) -> None:
    machine.monitor("watchdog_action reset")
    with pytest.raises((AssertionError, OSError)):
        machine.run("sync; cd /proc/sys/kernel; echo 1 >sysrq; echo 0 >panic; echo c >/proc/sysrq-trigger", 5)
    machine.wait_until(machine.has_ended, "the watchdog has reset the machine", 180)
    machine.tell("reset by the watchdog")
