"""The host's side of the guest: starts it, is the far end of its serial ports, and pulls and puts the USB cable.

The guest asks for what people do, a line each on its second serial port: `present TAG`, `remove`, `scan CODE`,
`unplug`, `plug`. The reader is the simulator that the other tests use, behind QEMU's USB adapter.

    host.py WORK CHECKOUT
"""

import json
import select
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

WORK, CHECKOUT = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
sys.path.insert(0, str(CHECKOUT))

from drivers.simulators.readers.rdm6300_simulator import Rdm6300Simulator  # noqa: E402 - the checkout is on the path only now

HERE = Path(__file__).resolve().parent
MAX_RUN_S = 3600.0
MAX_BOOT_S = 300.0
"""A guest whose job has not begun by then hangs in its kernel: it is ended and started again."""
BOOTS = 3
POLL_SECONDS = 0.01


class Guest:
    """QEMU, with sockets for the two ports, the cable and the monitor."""

    def __init__(self) -> None:
        for old in ("host.sock", "scanner.sock", "usb.sock", "qmp.sock", "console", "log", "status"):
            (WORK / old).unlink(missing_ok=True)
        out = f"local,id=out,path={WORK},security_model=none"
        root = "local,id=host,path=/,security_model=none,readonly=on,multidevs=remap"
        words = f"console=ttyS0 quiet panic=-1 job={HERE / 'guest.sh'} checkout={CHECKOUT} out={WORK}"
        self.process = subprocess.Popen(
            [
                "qemu-system-x86_64", "-M", "q35", "-accel", "tcg,thread=multi", "-cpu", "max", "-m", "1024",
                "-display", "none", "-nodefaults", "-no-reboot",
                "-kernel", str(WORK / "kernel/vmlinuz"), "-initrd", str(WORK / "initrd.gz"), "-append", words,
                "-chardev", f"file,id=console,path={WORK / 'console'}", "-serial", "chardev:console",
                "-chardev", f"socket,id=host,path={WORK / 'host.sock'},server=on,wait=off", "-serial", "chardev:host",
                "-chardev", f"socket,id=scan,path={WORK / 'scanner.sock'},server=on,wait=off",
                "-serial", "chardev:scan",
                "-device", "qemu-xhci",
                "-chardev", f"socket,id=usb,path={WORK / 'usb.sock'},server=on,wait=off",
                "-device", "usb-serial,chardev=usb,id=cable,always-plugged=on",
                "-qmp", f"unix:{WORK / 'qmp.sock'},server=on,wait=off",
                "-fsdev", root, "-device", "virtio-9p-pci,fsdev=host,mount_tag=host",
                "-fsdev", out, "-device", "virtio-9p-pci,fsdev=out,mount_tag=out",
            ],
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
        self.monitor = self._connect_monitor()
        self.lines = self.monitor.makefile("r")
        self.events: list[dict[str, Any]] = []
        self.lines.readline()
        self.ask("qmp_capabilities")

    def _connect_monitor(self) -> socket.socket:
        # QEMU's socket has its name in the directory a moment before it listens.
        while self.process.poll() is None:
            with suppress(FileNotFoundError, ConnectionRefusedError):
                return connect("qmp.sock")
            time.sleep(POLL_SECONDS)
        raise SystemExit(f"qemu ended at once, with status {self.process.returncode}")

    def ask(self, command: str, **arguments: str) -> None:
        """Give a command to QEMU's monitor."""
        self.monitor.sendall(json.dumps({"execute": command, "arguments": arguments}).encode() + b"\n")
        self._read_until("return")

    def unplug(self, name: str) -> None:
        """Take a device away; QEMU says that it will, and later that it did."""
        self.ask("device_del", id=name)
        while not any(e["event"] == "DEVICE_DELETED" and e["data"].get("device") == name for e in self.events):
            self._read_until("event")
        self.events.clear()

    def _read_until(self, kind: str) -> None:
        while True:
            said: dict[str, Any] = json.loads(self.lines.readline())
            if "error" in said:
                raise RuntimeError(f"QEMU refuses: {said['error']}")
            if "event" in said:
                self.events.append(said)
            if kind in said:
                return

    def end(self) -> None:
        """End it, if it has not ended."""
        self.monitor.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    @property
    def job_began(self) -> bool:
        """Whether the guest has come as far as its job."""
        return (WORK / "log").exists()


def connect(name: str) -> socket.socket:
    """Open one of QEMU's sockets."""
    end = socket.socket(socket.AF_UNIX)
    try:
        end.connect(str(WORK / name))
    except OSError:
        end.close()
        raise
    return end


class People:
    """What the guest asks for is done here."""

    def __init__(self, guest: Guest) -> None:
        self._guest = guest
        self._simulator = Rdm6300Simulator(time.monotonic)
        self._asked = connect("host.sock")
        self._scanner = connect("scanner.sock")
        self._usb = connect("usb.sock")
        self._plugged = True
        self._line = b""

    def serve(self) -> None:
        """Send what the reader says, and do what is asked."""
        for _, frame in self._simulator.take_frames():
            if self._plugged:
                self._usb.sendall(frame)
        ready, _, _ = select.select([self._asked, self._usb, self._scanner], [], [], POLL_SECONDS)
        for end in ready:
            data = end.recv(4096)
            if end is self._asked:
                self._line += data
        while b"\n" in self._line:
            line, _, self._line = self._line.partition(b"\n")
            self._execute(line.decode("ascii", "replace").split())
            self._asked.sendall(b"done\n")

    def _execute(self, words: list[str]) -> None:
        match words:
            case ["present", tag]:
                self._simulator.present(tag)
            case ["remove"]:
                self._simulator.remove()
            case ["scan", code]:
                self._scanner.sendall(code.encode("ascii") + b"\r\n")
            case ["unplug"]:
                self._plugged = False
                self._guest.unplug("cable")
            case ["plug"] if self._plugged:
                pass
            case ["plug"]:
                self._guest.ask(
                    "device_add", driver="usb-serial", chardev="usb", id="cable", **{"always-plugged": "on"}
                )
                self._plugged = True
            case _:
                sys.stderr.write(f"the guest asks for what nobody knows: {words}\n")


def serve_guest(guest: Guest) -> bool:
    """Do what a guest asks until its end; return whether it had come as far as its job."""
    people = People(guest)
    began = time.monotonic()
    try:
        while guest.process.poll() is None:
            waited = time.monotonic() - began
            if waited > (MAX_RUN_S if guest.job_began else MAX_BOOT_S):
                sys.stderr.write(f"the guest is ended after {waited:.0f} s\n")
                break
            try:
                people.serve()
            except OSError:  # QEMU has closed its ends
                break
        with suppress(subprocess.TimeoutExpired):
            guest.process.wait(20.0)
        return guest.job_began
    finally:
        guest.end()


def main() -> int:
    """Run the guest to its end; return the status of its job. Only a guest that did not boot is started again."""
    for boot in range(1, BOOTS + 1):
        if serve_guest(Guest()):
            break
        sys.stderr.write(f"the guest has not booted, try {boot} of {BOOTS}\n")
    log = WORK / "log"
    said = log if log.exists() else WORK / "console"
    sys.stdout.write(said.read_text(errors="replace")[-20_000:])
    status = WORK / "status"
    return int(status.read_text() or 99) if status.exists() else 99


if __name__ == "__main__":
    sys.exit(main())
