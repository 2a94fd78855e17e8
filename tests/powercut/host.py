"""Cuts the power of a guest that writes a journal, again and again, and counts what was lost.

    host.py WORK CHECKOUT CUTS [--control] --kernel DIRECTORY

Each round boots the guest, has the writer prove the journal of the round before against what it had acknowledged, lets
it write for a while, cuts the power of the disk at any moment and ends the machine. A round is only as good as what the
cut found in the cache, so that is counted. `--control` mounts the disk without write barriers: there the journal must
lose something, or the whole test would be blind.
"""

import random
import socket
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

WORK, CHECKOUT, CUTS = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), int(sys.argv[3])
CONTROL = "--control" in sys.argv
sys.path.insert(0, str(CHECKOUT))

from tests.powercut.disk import Disk, serve  # noqa: E402 - the checkout is on the path only now

HERE = Path(__file__).resolve().parent
KERNEL = Path(sys.argv[sys.argv.index("--kernel") + 1]).resolve()
SIZE = 64 << 20
BOOT_SECONDS = 240.0
WRITING_SECONDS = (0.3, 2.5)
MOST_WRITES = 40
"""The cut comes at one of so many writes of the disk: a commit of the journal is two to six of them."""

CUT_SECONDS = 5.0
"""And after so long in any case."""


@dataclass
class Round:
    """What one boot said: what the writer found, and what it acknowledged."""

    found: int | None = None
    broken: str = ""
    acknowledged: int = 0


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
        ends = time.monotonic() + BOOT_SECONDS
        while not (WORK / "wire.sock").exists():
            if self.process.poll() is not None or time.monotonic() > ends:
                raise SystemExit(f"qemu ended at once, with status {self.process.poll()}")
            time.sleep(0.01)
        self.wire = socket.socket(socket.AF_UNIX)
        self.wire.connect(str(WORK / "wire.sock"))
        self._rest = b""

    def listen(self, heard: Round, seconds: float) -> None:
        """Hear what it says until it has written for `seconds`, or nothing more comes."""
        ends = time.monotonic() + BOOT_SECONDS
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
            if heard.broken:
                break

    def end(self, heard: Round) -> None:
        """End it, and hear what it had said before."""
        self.process.kill()
        self.process.wait()
        self.wire.settimeout(1.0)
        with suppress(OSError):
            while data := self.wire.recv(1 << 16):
                self._take(heard, data)
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
            elif words and heard.found is None:  # after a cut the writer complains of its disk, and rightly
                heard.broken = words
        return begins


def say(text: str) -> None:
    """Report at once, for whoever watches."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main() -> int:
    """Make the cuts; return 0 when nothing was lost, or, in the control, when something was."""
    chance = random.Random(20 if CONTROL else 19)
    (WORK / "mount").write_text("nobarrier" if CONTROL else "defaults", encoding="ascii")
    disk = Disk(SIZE, chance)
    serve(disk, WORK / "disk.sock")
    acknowledged = losses = telling = 0
    for number in range(CUTS + 1):
        disk.power_on()
        guest, heard = Guest(), Round()
        guest.listen(heard, chance.uniform(*WRITING_SECONDS))
        disk.cut_at_write(chance.randint(1, MOST_WRITES), CUT_SECONDS)
        guest.end(heard)
        dirty, kept = disk.met or (0, 0)
        if heard.found is None or heard.broken:
            result = f"LOST EVERYTHING: {heard.broken or 'the guest said nothing'}"
        elif heard.found < acknowledged:
            result = f"LOST {acknowledged - heard.found} acknowledged"
        else:
            result = f"whole: {acknowledged} acknowledged, {heard.found} found"
        lost = "LOST" in result
        losses += lost
        written = heard.acknowledged - (heard.found or 0)
        telling += kept < dirty
        say(f"boot {number}: {result}; then {written} more, and a cut with {dirty} sectors in the cache, {kept} lasted")
        acknowledged = heard.acknowledged
        if lost:  # each loss counts once
            if number == 0:
                say((WORK / "console").read_text(errors="replace")[-2000:])
                return 1
            disk.erase()
            acknowledged = 0
            if CONTROL:
                break
    what = "without write barriers" if CONTROL else "as a table is"
    say(f"{number} cuts {what}: {losses} lost something; {telling} met writes that did not all last")
    return int(losses == 0) if CONTROL else int(losses > 0)


if __name__ == "__main__":
    sys.exit(main())
