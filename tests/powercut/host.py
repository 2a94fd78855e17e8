"""Cuts the power of a guest that writes a journal, again and again, and counts what was lost.

    host.py WORK CHECKOUT CUTS [--control] --kernel DIRECTORY

Each round has the writer prove the journal of the round before against what it had acknowledged, lets it write for a
while and cuts the power of the disk at any of its writes. After ten rounds, and in the control after each, the machine
is ended with the cut and booted again; otherwise it only mounts the disk anew. A round is only as good as what the
cut found in the cache, so that is counted. `--control` mounts the disk without write barriers: there the journal must
lose something, or the whole test would be blind.
"""

import random
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

WORK, CHECKOUT, CUTS = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), int(sys.argv[3])
CONTROL = "--control" in sys.argv
sys.path.insert(0, str(CHECKOUT))

from tests.powercut.disk import Disk, serve  # noqa: E402 - the checkout is on the path only now

HERE = Path(__file__).resolve().parent
KERNEL = Path(sys.argv[sys.argv.index("--kernel") + 1]).resolve()
SIZE = 64 << 20
MAX_BOOT_S = 240.0
WRITING_SECONDS = (0.3, 2.5)
CUTS_A_BOOT = 1 if CONTROL else 10

MAX_WRITES = 40
"""The cut comes at one of so many writes of the disk: a commit of the journal is two to six of them."""

CUT_SECONDS = 5.0
"""And after so long in any case."""


@dataclass
class Round:
    """What one boot said: what the writer found, and what it acknowledged."""

    found: int | None = None
    broken: str = ""
    acknowledged: int = 0
    down: bool = False
    """Whether it has seen that the disk is gone, and let go of it."""


class Guest:
    """A machine whose only disk is ours."""

    def __init__(self) -> None:
        for old in ("wire.sock", "console", "log", "status"):
            (WORK / old).unlink(missing_ok=True)
        out = f"local,id=out,path={WORK},security_model=none"
        root = "local,id=host,path=/,security_model=none,readonly=on,multidevs=remap"
        words = f"console=ttyS0 quiet panic=-1 job={HERE / 'guest.sh'} checkout={CHECKOUT} out={WORK}"
        self.process = subprocess.Popen(
            [
                "qemu-system-x86_64", "-M", "q35", "-accel", "tcg,thread=multi", "-cpu", "max", "-m", "768",
                "-display", "none", "-nodefaults", "-no-reboot",
                "-kernel", str(KERNEL / "vmlinuz"), "-initrd", str(WORK / "initrd.gz"), "-append", words,
                "-chardev", f"file,id=console,path={WORK / 'console'}", "-serial", "chardev:console",
                "-chardev", f"socket,id=wire,path={WORK / 'wire.sock'},server=on,wait=off", "-serial", "chardev:wire",
                "-blockdev", f"driver=nbd,server.type=unix,server.path={WORK / 'disk.sock'},node-name=disk",
                "-device", "virtio-blk-pci,drive=disk,write-cache=on",
                "-fsdev", root, "-device", "virtio-9p-pci,fsdev=host,mount_tag=host",
                "-fsdev", out, "-device", "virtio-9p-pci,fsdev=out,mount_tag=out",
            ],
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
        self.wire = self._connect_wire()
        self._rest = b""

    def _connect_wire(self) -> socket.socket:
        # QEMU's socket has its name in the directory a moment before it listens.
        ends = time.monotonic() + MAX_BOOT_S
        while self.process.poll() is None and time.monotonic() < ends:
            wire = socket.socket(socket.AF_UNIX)
            try:
                wire.connect(str(WORK / "wire.sock"))
            except (FileNotFoundError, ConnectionRefusedError):
                wire.close()
                time.sleep(0.01)
            else:
                return wire
        raise SystemExit(f"qemu ended at once, with status {self.process.poll()}")

    def listen(self, heard: Round, seconds: float) -> None:
        """Hear what it says until it has written for `seconds`, or nothing more comes."""
        ends = time.monotonic() + MAX_BOOT_S
        while time.monotonic() < ends:
            self.wire.settimeout(max(0.01, ends - time.monotonic()))
            try:
                data = self.wire.recv(1 << 16)
            except TimeoutError:
                break
            if not data:
                break
            if self._take(heard, data):
                ends = time.monotonic() + seconds
            if heard.broken or heard.down:
                break

    def power_on(self) -> None:
        """Let it mount the disk again."""
        self.wire.sendall(b"\n")

    def end(self) -> None:
        """End it."""
        self.process.kill()
        self.process.wait()
        self.wire.close()

    def _take(self, heard: Round, data: bytes) -> bool:
        """Take what came; return whether the writer begins."""
        begins = False
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            words = line.decode("utf-8", "replace").strip()
            if words.startswith("FOUND "):
                heard.found = heard.acknowledged = int(words[6:])
                begins = True
            elif words.isdecimal():
                heard.acknowledged = int(words)
            elif words == "DOWN":
                heard.down = True
            elif words:
                heard.broken = words
        return begins


def say(text: str) -> None:
    """Report at once, for whoever watches."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _describe_loss(heard: Round, acknowledged: int) -> str | None:
    """Say what a round finds lost of what was acknowledged before."""
    if heard.found is None or heard.broken:
        return f"ALL LOST ({heard.broken or 'the guest said nothing'})"
    return f"{acknowledged - heard.found} LOST" if heard.found < acknowledged else None


def main() -> int:
    """Make the cuts; return 0 when nothing was lost, or, in the control, when something was."""
    chance = random.Random(20 if CONTROL else 19)
    (WORK / "mount").write_text("nobarrier" if CONTROL else "defaults", encoding="ascii")
    disk = Disk(SIZE, chance)
    serve(disk, WORK / "disk.sock")
    acknowledged = losses = telling = 0
    guest: Guest | None = None
    for number in range(CUTS + 1):
        disk.power_on()
        if guest is None:
            guest = Guest()
        else:
            guest.power_on()
        heard = Round()
        guest.listen(heard, chance.uniform(*WRITING_SECONDS))
        disk.cut_at_write(chance.randint(1, MAX_WRITES), CUT_SECONDS)
        if CONTROL or number % CUTS_A_BOOT == CUTS_A_BOOT - 1 or heard.broken:
            # What the control says after the cut counts for nothing: without barriers it does not ask the disk.
            guest.end()
            guest = None
        else:
            guest.listen(heard, MAX_BOOT_S)  # what it said before the cut, and that it has seen it
        dirty, kept = disk.met or (0, 0)
        lost = _describe_loss(heard, acknowledged)
        losses += lost is not None
        telling += kept < dirty
        say(
            f"{number}: {acknowledged} acknowledged, {lost or 'all there'}; "
            f"then up to {heard.acknowledged}, and a cut with {dirty} sectors in the cache, {kept} lasted"
        )
        acknowledged = heard.acknowledged
        if lost is not None:  # each loss counts once
            if number == 0:
                say((WORK / "console").read_text(errors="replace")[-2000:])
                return 1
            disk.erase()
            acknowledged = 0
            if guest is not None:
                guest.end()
                guest = None
            if CONTROL:
                break
    if guest is not None:
        guest.end()
    what = "without write barriers" if CONTROL else "as a table is"
    say(f"{number} cuts {what}: {losses} lost something; {telling} met writes that did not all last")
    return int(losses == 0) if CONTROL else int(losses > 0)


if __name__ == "__main__":
    sys.exit(main())
