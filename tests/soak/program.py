"""The table: `tablectl run` in a process of its own, watched from outside as systemd and a browser do."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TABLECTL = """
from controller.runtime.loop import inbox
inbox.MAX_SOURCE_BYTES_PER_S *= 50
inbox.MAX_BURST_BYTES *= 50
from controller.cli import main
raise SystemExit(main())
"""
"""The program, whose devices may say as much more as they are faster here: a hand takes no minutes but milliseconds."""

UNCOMPILED = "PYTHONDONTWRITEBYTECODE"
"""An installed program is compiled, and starts sooner for it."""

START_PATIENCE = 120.0
END_PATIENCE = 30.0
LOOKS = 8
"""How often descriptors are counted: a file that is written between two hands is open for a moment."""


class TableEndedError(Exception):
    """The table ended by itself; the message has the last lines of its log."""


@dataclass(frozen=True, slots=True)
class Use:
    """What the program holds and has written so far. `rss` in bytes, `own` those of them that no file backs; `given`
    bytes handed to write(2), `device` bytes that dirtied pages of a disk."""

    rss: int
    own: int
    descriptors: int
    threads: int
    given: int
    device: int


class Program:
    """A running table.

    `live` lets the far ends live while the table is waited for: until something is to be heard, or a millisecond long.
    It is told what else to listen to.
    """

    def __init__(
        self,
        build: Path,
        config: Path,
        work: Path,
        clock: Mapping[str, str],
        live: Callable[[int | None], None],
        options: Sequence[str] = (),
        first: str = "",
    ) -> None:
        """Start it; `options` of the command beside those of every start, `first`: what the process does before it."""
        self._live = live
        self.log = work / "log"
        self._notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
        address = work / "notify"
        address.unlink(missing_ok=True)
        self._notify.bind(str(address))
        environment = {
            **{name: value for name, value in os.environ.items() if name != UNCOMPILED},
            **clock,
            "PYTHONPATH": str(build),
            "NOTIFY_SOCKET": str(address),
        }
        command = [
            sys.executable,
            "-P",
            "-c",
            first + TABLECTL,
            "run",
            "--config",
            str(config),
            "--port",
            "0",
            *options,
        ]
        self._logged = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as log:
            begun = time.monotonic()
            self._process = subprocess.Popen(command, cwd=work, env=environment, stdin=subprocess.DEVNULL, stderr=log)
        self.pid = self._process.pid
        self.page: Page | None = None
        try:
            self._until_ready(begun + START_PATIENCE)
            self.started_after = time.monotonic() - begun
            self.start_work = self._read_cpu_seconds()
            self.page = Page(self._port(), self.breathe)
        except BaseException:
            self.kill()
            raise

    def breathe(self, listening: int | None = None) -> None:
        """Let the far ends live; raises `TableEndedError`."""
        self._live(listening)
        if self._process.poll() is not None:
            raise TableEndedError(f"the table ended with {self._process.returncode}: {self.last_words()}")

    def last_words(self) -> str:
        return "\n".join(self.log.read_text(encoding="utf-8", errors="replace").splitlines()[-12:])

    def count_log_bytes(self) -> int:
        """Bytes of log since this start."""
        return self.log.stat().st_size - self._logged

    def use(self) -> Use:
        folder = Path("/proc", str(self.pid))
        status = _numbers(folder / "status")
        moved = _numbers(folder / "io")
        return Use(
            rss=status["VmRSS"] * 1024,
            own=(status["RssAnon"] + status["RssShmem"]) * 1024,
            descriptors=min(self._descriptors(folder) for _ in range(LOOKS)),
            threads=status["Threads"],
            given=moved["wchar"],
            device=moved["write_bytes"],
        )

    def _read_cpu_seconds(self) -> float:
        """Seconds of a processor that it has had."""
        words = Path("/proc", str(self.pid), "stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def _descriptors(self, folder: Path) -> int:
        self._live(None)
        return len(os.listdir(folder / "fd"))

    def stop(self) -> int:
        """End it as systemd does; return its status."""
        self._process.send_signal(signal.SIGTERM)
        ends = time.monotonic() + END_PATIENCE
        while self._process.poll() is None and time.monotonic() < ends:
            self._live(None)
        return self._end_process()

    def kill(self) -> int:
        """End it as a pulled plug would, but for the kernel."""
        self._process.kill()
        return self._end_process()

    def _end_process(self) -> int:
        if self._process.poll() is None:
            self._process.kill()
        status = self._process.wait()
        self._notify.close()
        if self.page is not None:
            self.page.close()
        return status

    def _until_ready(self, ends: float) -> None:
        while time.monotonic() < ends:
            self.breathe(self._notify.fileno())
            try:
                if b"READY=1" in self._notify.recv(4096):
                    return
            except BlockingIOError:
                continue
        raise TableEndedError(f"the table was not ready after {START_PATIENCE:g} s: {self.last_words()}")

    def _port(self) -> int:
        with self.log.open("rb") as log:
            log.seek(self._logged)
            said = log.read().decode(errors="replace")
        return int(said.rpartition("page at ")[2].split()[0].rstrip("/").rpartition(":")[2])

    def drain(self) -> None:
        """Take what the table tells its manager, which nobody needs here."""
        try:
            while self._notify.recv(4096):
                pass
        except BlockingIOError:
            return


class Page:
    """A browser that follows the table. `table` is the newest publication."""

    def __init__(self, port: int, breathe: Callable[[int], None]) -> None:
        self._breathe = breathe
        self._socket = socket.create_connection(("127.0.0.1", port), 10)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.sendall(f"GET /events HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        self._socket.setblocking(False)
        self._rest = b""
        self.port = port
        self.shown: dict[str, Any] = {}
        if not self.wait(lambda: bool(self.shown), START_PATIENCE):
            self.close()
            raise TableEndedError(f"the page has shown nothing for {START_PATIENCE:g} s")

    @property
    def entry(self) -> int:
        return int(self.shown["entry"])

    @property
    def table(self) -> dict[str, Any]:
        shown: dict[str, Any] = self.shown["table"]
        return shown

    def wait(self, until: Callable[[], bool], seconds: float = 10.0) -> bool:
        """Look until it is so; return whether it came."""
        ends = time.monotonic() + seconds
        while not until():
            if time.monotonic() > ends:
                return False
            self._breathe(self._socket.fileno())
            self.look()
        return True

    def look(self) -> None:
        """Take what the table has published by now; the newest counts."""
        try:
            data = self._socket.recv(1 << 20)
        except BlockingIOError:
            return
        if not data:
            raise TableEndedError("the page has closed its stream")
        *whole, self._rest = (self._rest + data).split(b"\n\n")
        for block in reversed(whole):
            at = block.find(b"data: ")
            if at >= 0:
                self.shown = json.loads(block[at + 6 :])
                return

    def close(self) -> None:
        self._socket.close()


def _numbers(path: Path) -> dict[str, int]:
    pairs = (line.split() for line in path.read_text(encoding="ascii", errors="replace").splitlines())
    return {words[0].rstrip(":"): int(words[1]) for words in pairs if len(words) > 1 and words[1].isdecimal()}
