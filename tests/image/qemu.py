"""A machine in QEMU with the card of `make image`: its console, its monitor, its power, and a shell for the test."""

import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

IMAGE = Path(os.environ.get("TABLE_IMAGE", "/nowhere"))
"""The image of tests/image/run; beside it the kernel, and the folder for what the machines leave."""
WORK = IMAGE.parent
LONG = bool(os.environ.get("TABLE_LONG"))
PATIENCE = float(os.environ.get("TABLE_PATIENCE", "900"))

LINE = (
    "rootfstype=squashfs ro rootwait panic=10 quiet loglevel=3 net.ifnames=0 fsck.mode=skip systemd.show_status=0 "
    "systemd.default_timeout_start_sec=900"
)
"""The kernel's command line as in the image; the time-outs are for a slow machine."""

LOOK_SECONDS = 0.5
SEND_SECONDS = 300.0
MARK = "@@"
STATE_LABEL = b"table-state"

SHELL_UNIT = """\
[Unit]
Description=A shell for the test of the image
DefaultDependencies=no
StartLimitIntervalSec=0
[Service]
ExecStart=/bin/sh -c 'stty -echo -onlcr; exec /bin/sh'
StandardInput=tty-force
StandardOutput=tty
StandardError=tty
TTYPath=/dev/{tty}
Restart=always
RestartSec=1
"""


SLOW = """\
[Service]
TimeoutStartSec=900
TimeoutStopSec=300
WatchdogSec=300
"""
"""For the table's own unit: an emulated processor is some ten times slower than a Pi's."""


class Machine:
    """A card with the power on, between `on` and `off`."""

    def __init__(self, work: Path, arguments: Sequence[str]) -> None:
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        self.work = work
        self._arguments = arguments
        self._began = 0.0
        self._process: subprocess.Popen[bytes] | None = None
        self._shell: socket.socket | None = None
        self._number = 0

    def __enter__(self) -> Self:
        self.power_on()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.power_off()

    @property
    def seconds(self) -> float:
        """How long it has been on."""
        return time.monotonic() - self._began

    def power_on(self) -> None:
        """Put the power on."""
        for name in ("shell.sock", "monitor.sock"):
            (self.work / name).unlink(missing_ok=True)
        self._began = time.monotonic()
        monitor = ["-display", "none", "-monitor", f"unix:{self.work}/monitor.sock,server,nowait"]
        with (self.work / "qemu.log").open("ab") as log:
            self._process = subprocess.Popen(
                ["qemu-system-aarch64", *monitor, *self._arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def power_off(self) -> None:
        """Cut the power."""
        self._hang_up()
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def has_ended(self) -> bool:
        """Whether the machine has reset or switched itself off (`-no-reboot`)."""
        return self._process is not None and self._process.poll() is not None

    def wait_until(self, what: Callable[[], Any], words: str, seconds: float | None = None) -> Any:  # noqa: ANN401
        """Wait until something is so."""
        is_over = self._start_waiting(seconds or PATIENCE)
        while not is_over():
            if found := what():
                return found
            time.sleep(LOOK_SECONDS)
        raise AssertionError(f"{words}: not within {seconds or PATIENCE:g} s; see {self.work}")

    def comes_up(self) -> None:
        """Wait for its shell, then for its table."""
        self.wait_until(self._answers, "the shell answers")
        self.tell("a shell")
        # While systemd reads its files anew, it answers nobody.
        self.wait_until(lambda: self._answers("systemctl -q is-active table-controller", 30), "the table is up")
        self.tell("READY")

    def tell(self, what: str) -> None:
        """Say when something was so, for the record."""
        print(f"\n{self.work.name}: {what}: {self.seconds:.0f} s", flush=True)  # noqa: T201 - as it says

    def _answers(self, command: str = "true", seconds: float = 5.0) -> bool:
        assert not self.has_ended(), f"QEMU has ended; see {self.work}/qemu.log"
        try:
            return self.run(command, seconds)[0] == 0
        except (OSError, AssertionError):
            return False

    def console(self) -> str:
        """What its serial port has said."""
        path = self.work / "console"
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    def monitor(self, command: str) -> str:
        """Ask QEMU's own monitor."""
        with socket.socket(socket.AF_UNIX) as asked:
            asked.settimeout(30)
            asked.connect(str(self.work / "monitor.sock"))
            _up_to_prompt(asked)
            asked.sendall(f"{command}\n".encode())
            return _up_to_prompt(asked)

    def register(self, address: int) -> int:
        """Read a register of the machine by its physical address."""
        found = re.search(r": 0x([0-9a-f]{8})", self.monitor(f"xp /1wx {address:#x}"))
        assert found is not None
        return int(found.group(1), 16)

    def run(
        self, command: str, seconds: float = 300.0, answer: Callable[[str], str | None] | None = None
    ) -> tuple[int, str]:
        """Run a command in the machine's shell; return its status and what it printed.

        `answer` is given each line at once; what it returns is typed as the command's input.
        """
        self._number += 1
        number = self._number
        # The marks are written so that an echo of the line does not hold them.
        line = f"echo {MARK}''b{number}; ( {command}\n) 2>&1; echo {MARK}''e{number} $?\n"
        self._send(line.encode())
        said, is_over = b"", self._start_waiting(seconds)
        begin, end = f"{MARK}b{number}".encode(), re.compile(rf"{MARK}e{number} (\d+)".encode())
        answered = 0
        while (found := end.search(said)) is None or b"\n" not in said[found.end() :]:
            more = self._read_shell(is_over)
            if not more:
                raise AssertionError(f"{command}: not within {seconds:g} s: {said[-400:]!r}")
            said += more
            while answer is not None and (line_end := said.find(b"\n", answered)) >= 0:
                typed = answer(said[answered:line_end].decode(errors="replace").strip())
                answered = line_end + 1
                if typed is not None:
                    self._send(f"{typed}\n".encode())
        # The begin may be lost: a port that is opened just then forgets what it was about to send.
        text = said[: found.start()].rpartition(begin)[2].decode(errors="replace")
        return int(found.group(1)), text.replace("\r", "").removeprefix("\n")

    def _send(self, data: bytes) -> None:
        if self._shell is None:
            self._shell = socket.socket(socket.AF_UNIX)
            self._shell.connect(str(self.work / "shell.sock"))
        self._shell.settimeout(SEND_SECONDS)
        try:
            self._shell.sendall(data)
        except OSError:
            self._hang_up()
            raise

    def _start_waiting(self, seconds: float) -> Callable[[], bool]:
        """Begin to wait for the machine; what it returns says whether that has lasted too long.

        It has when the machine has had so many seconds of a processor as well, or four times as long has passed: others
        that work on this computer make nothing fail.
        """
        began, worked = time.monotonic(), self._processor_seconds()

        def is_over() -> bool:
            passed = time.monotonic() - began
            return passed >= 4 * seconds or (passed >= seconds <= self._processor_seconds() - worked)

        return is_over

    def _processor_seconds(self) -> float:
        """How long QEMU has had a processor."""
        if self._process is None or self._process.poll() is not None:
            return float("inf")
        fields = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _read_shell(self, is_over: Callable[[], bool]) -> bytes:
        """What the shell says next; nothing where it is silent, and then the line is made anew for the next command."""
        assert self._shell is not None
        self._shell.settimeout(LOOK_SECONDS)
        more = b""
        while not more and not is_over():
            try:
                more = self._shell.recv(65536)
            except TimeoutError:
                continue
            except OSError:
                break
            if not more:
                break
        if not more:
            self._hang_up()
        return more

    def _hang_up(self) -> None:
        """Drop the line: QEMU takes one at a time, and may have closed it before the machine had a shell."""
        if self._shell is not None:
            self._shell.close()
            self._shell = None

    def read_output(self, command: str, seconds: float = 300.0) -> str:
        """Run a command; return what it printed, without white space at its ends."""
        return self.run(command, seconds)[1].strip()

    def put(self, path: str, text: str) -> None:
        """Write a file in the machine."""
        assert self.run(f"cat >{path} <<'END'\n{text}\nEND")[0] == 0


def _up_to_prompt(asked: socket.socket) -> str:
    said = b""
    while not said.endswith(b"(qemu) "):
        said += asked.recv(65536)
    return said.decode(errors="replace")


def a_card(image: Path, card: Path, tty: str, size: int = 4 << 30, told: str = "") -> Path:
    """Flash a card of `size` bytes, with `told` as its `table.txt`.

    The test's shell is started on it by way of the state partition.
    """
    card.unlink(missing_ok=True)
    subprocess.run(["cp", "--sparse=always", str(image), str(card)], check=True)
    with card.open("r+b") as file:
        file.truncate(size)
        starts = []
        for row in range(3):
            file.seek(446 + row * 16 + 8)  # a row of the partition table: its first sector
            starts.append(int.from_bytes(file.read(4), "little") * 512)
    if told:
        write = ["mcopy", "-o", "-i", f"{card}@@{starts[0]}", "-", "::table.txt"]
        subprocess.run(write, input=told, text=True, check=True)
    unit = card.with_suffix(".service")
    unit.write_text(SHELL_UNIT.format(tty=tty))
    folders = ["root", "root/layer", "root/layer/etc", "root/layer/etc/systemd", "root/layer/etc/systemd/system"]
    units = folders[-1]
    folders += [f"{units}/sysinit.target.wants", f"{units}/table-controller.service.d"]
    slow = card.with_suffix(".conf")
    slow.write_text(SLOW)
    lines = [*(f"mkdir {folder}" for folder in folders), f"write {unit} {units}/test-shell.service"]
    lines.append(f"symlink {units}/sysinit.target.wants/test-shell.service ../test-shell.service")
    lines.append(f"write {slow} {units}/table-controller.service.d/slow.conf")
    script = "\n".join(lines)
    subprocess.run(
        ["debugfs", "-w", "-f", "-", f"{card}?offset={starts[2]}"],
        input=script,
        text=True,
        check=True,
        capture_output=True,
    )
    unit.unlink()
    slow.unlink()
    return card
