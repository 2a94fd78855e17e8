"""Examines the machine: board, kernel, pins, groups, clock, disk, power. It changes nothing."""

import grp
import os
import platform
import pwd
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from config.table_file import TableFile
from controller.app.diagnostics.check_result import CheckResult, report_bad, report_doubtful, report_good
from controller.app.table.table_devices import TableDevices
from controller.runtime.storage.storage_trouble import describe_trouble, find_trouble
from drivers.contract.device_errors import PinError
from drivers.pins.rpi_pins import (
    EXTRA_BY_PACKAGE,
    can_drive_board,
    choose_gpio_package,
    find_installed_package,
    read_board_model,
)

MIN_CLOCK_YEAR = 2026
"""A clock before this program was written has never been set."""

MIN_FREE_BYTES, LOW_FREE_BYTES = 100_000_000, 1_000_000_000
SLOW_COMMIT_S = 0.05
COMMIT_TRIALS = 15

THROTTLE_TEXT_BY_BIT = {
    0: "the supply is too weak at this moment",
    2: "the processor is throttled at this moment",
    16: "the supply was too weak since the start",
    18: "the processor was throttled since the start",
}
"""Bits that the Pi's firmware tells."""


@dataclass(frozen=True, slots=True)
class MachineCheck:
    """Where things are told; `root` stands for `/`, so that a test can lay out its own."""

    root: Path = Path("/")

    @property
    def board_model(self) -> str | None:
        """The board's own name, or `None` where it is no board that has one."""
        return read_board_model(self.root / "proc/device-tree/model")

    def check_machine(self, file: TableFile, devices: TableDevices) -> Iterator[CheckResult]:
        """Find out everything that a table needs of its machine."""
        yield self._check_board(devices)
        yield from self._check_pins(devices)
        yield from self._check_groups(file)
        yield self._check_clock()
        yield from self._check_disk(file.state_directory)
        yield from self._check_power()
        yield from self._check_swap()

    def _check_board(self, devices: TableDevices) -> CheckResult:
        kernel = f"kernel {platform.release()}"
        model = self.board_model
        if model is not None:
            return report_good("board", f"{model}, {kernel}, Python {platform.python_version()}")
        if devices.pin_drivers:
            return report_bad(
                "board",
                f"this machine is no Raspberry Pi ({platform.machine()}, {kernel}), and devices of the table are on "
                f"pins: {', '.join(devices.pin_drivers)}",
                "run it on a Raspberry Pi, put these devices on a microcontroller board (driver bridge), or simulate",
            )
        return report_good("board", f"no Raspberry Pi ({platform.machine()}, {kernel}); the table needs no pins")

    def _check_pins(self, devices: TableDevices) -> Iterator[CheckResult]:
        if not devices.pin_drivers:
            return
        try:
            package = find_installed_package()
        except PinError:  # said when they are opened
            return
        yield self._check_gpio_package(package)
        chips = sorted((self.root / "dev").glob("gpiochip*"))
        if not chips and self.board_model is None:
            return
        if not chips:
            yield report_bad("pins", "the kernel shows no /dev/gpiochip", "use the kernel of Raspberry Pi OS")
        elif not any(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
            yield report_bad("pins", "this user may not use the pins", explain_group_access("gpio"))

    def _check_gpio_package(self, package: str) -> CheckResult:
        """Say which GPIO library is there, and which this board needs."""
        model, kernel = self.board_model, platform.release()
        board = f"{model or 'this machine'} with kernel {kernel}"
        wanted = choose_gpio_package(model, kernel)
        if package == wanted:
            return report_good("pins", f"{package} is installed, which {board} needs")
        remedy = f"uninstall {package}, then install {wanted} (the extra {EXTRA_BY_PACKAGE[wanted]}); never have both"
        if not can_drive_board(package, model, kernel):
            return report_bad("pins", f"{package} is installed and cannot drive the pins of {board}", remedy)
        return report_doubtful(
            "pins", f"{package} is installed, and {board} can have {wanted}, which tells edges", remedy
        )

    def _check_groups(self, file: TableFile) -> Iterator[CheckResult]:
        """Every device node that the table names and this user may not open."""
        missing: dict[str, list[str]] = {}
        for section in file.devices.values():
            node = self.root / _find_device_node(section.port or "").lstrip("/")
            if _find_device_node(section.port or "") and node.exists() and not os.access(node, os.R_OK | os.W_OK):
                missing.setdefault(_find_group(node), []).append(str(section.port))
        for group, ports in missing.items():
            yield report_bad("groups", f"this user may not open {', '.join(ports)}", explain_group_access(group))
        if not missing:
            own = sorted({_find_group_name(number) for number in (os.getegid(), *os.getgroups())})
            yield report_good("groups", f"nothing of the table's is closed to this user, who is in {', '.join(own)}")

    def _check_clock(self) -> CheckResult:
        now = time.localtime()
        shown = time.strftime("%Y-%m-%d %H:%M:%S %Z", now)
        if now.tm_year < MIN_CLOCK_YEAR:
            return report_bad("clock", f"it says {shown}", "set it: connect the network, or fit a clock module (RTC)")
        if (self.root / "run/systemd/timesync/synchronized").exists() or (self.root / "run/chrony").exists():
            return report_good("clock", f"{shown}, set by the network")
        return report_doubtful(
            "clock",
            f"it says {shown}, and nothing shows that the network has set it",
            "compare it with a watch; the journal's times depend on it, the play does not",
        )

    def _check_disk(self, directory: Path) -> Iterator[CheckResult]:
        there = next(folder for folder in (directory.absolute(), *directory.absolute().parents) if folder.exists())
        free = shutil.disk_usage(there).free
        shown = f"{free / 1e9:.1f} GB free for {directory}"
        if free < MIN_FREE_BYTES:
            yield report_bad("disk", shown, "make room: when the journal cannot be written the table stops")
        elif free < LOW_FREE_BYTES:
            yield report_doubtful("disk", shown, "make room before long")
        else:
            yield report_good("disk", shown)
        try:
            seconds = _measure_commit_s(there)
        except OSError as why:
            trouble = find_trouble(why, there)
            if trouble is None:
                text = f"{there} cannot be written ({why.strerror})"
                yield report_bad("disk", text, "name another place in [state], or let this user write there")
                return
            text, _, remedy = describe_trouble(trouble, there).partition(": ")
            yield report_bad("disk", f"{there} cannot be written: {text}", remedy)
            return
        shown = f"a commit takes {seconds * 1000:.1f} ms"
        if seconds > SLOW_COMMIT_S:
            yield report_doubtful(
                "disk", shown, "lamps and gate wait for it at every card: use a better card, or an SSD"
            )
        else:
            yield report_good("disk", shown)

    def _check_power(self) -> Iterator[CheckResult]:
        told = self.root / "sys/devices/platform/soc/soc:firmware/get_throttled"
        if not told.exists():
            return
        with suppress(ValueError):
            bits = int(told.read_text(encoding="ascii").strip(), 16)
            troubles = [text for bit, text in THROTTLE_TEXT_BY_BIT.items() if bits >> bit & 1]
            if troubles:
                remedy = "use the maker's supply and a short cable, feed lamps and coils from a supply of their own"
                yield report_doubtful("power", "; ".join(troubles), remedy)
            else:
                yield report_good("power", "the supply has been strong enough since the start")

    def _check_swap(self) -> Iterator[CheckResult]:
        """Whether memory, in which cards lie face down, may come to lie on a disk; swap in memory (zram) does not."""
        with suppress(OSError):
            lines = (self.root / "proc/swaps").read_text(encoding="utf-8").splitlines()[1:]
            on_disk = [place for line in lines if "zram" not in (place := line.split()[0])]
            if on_disk:
                yield report_doubtful(
                    "swap",
                    f"memory may be written to {', '.join(on_disk)}, cards that lie face down with it",
                    "the unit keeps the table out of it (MemorySwapMax=0); for one that is started by hand: swapoff -a",
                )
            else:
                yield report_good("swap", "no memory is written to a disk")


def explain_group_access(group: str) -> str:
    """Say how to come into a group, and what to do about a port that is nobody's but root's."""
    if group == "root":
        return "no rule of udev has given it to a group yet: tablectl udev prints one; then plug it in again"
    try:
        user = pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        user = str(os.geteuid())
    again = "then systemctl restart table-controller" if user == "table-controller" else "then log in again"
    return f"sudo usermod -a -G {group} {user}, {again}"


def _find_device_node(port: str) -> str:
    """The device node of a port, or nothing for one that is elsewhere."""
    scheme, mark, rest = port.partition("://")
    if not mark:
        return port
    return rest if scheme in ("evdev", "spi") else ""


def _find_group(node: Path) -> str:
    return _find_group_name(node.stat().st_gid)


def _find_group_name(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)


def _measure_commit_s(directory: Path) -> float:
    """How long the disk takes to have a few bytes for good: the median of some tries."""
    taken = []
    with tempfile.TemporaryFile(dir=directory, prefix=".examined-") as file:
        for _ in range(COMMIT_TRIALS):
            file.write(b"x" * 512)
            file.flush()
            began = time.perf_counter()
            os.fdatasync(file.fileno())
            taken.append(time.perf_counter() - began)
    return median(taken)
