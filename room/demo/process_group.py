"""The programs of a showroom: started in order, each with a log of its own, and ended in the order back."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

START_TIMEOUT_S = 60.0
END_TIMEOUT_S = 20.0
POLL_INTERVAL_S = 0.1


MAX_LOG_BYTES = 1 << 20
"""So much at most of what a program has said stays, give or take what it says in a second."""


class DemoError(Exception):
    """A program of the showroom did not come up, or ended; the message says which, and where its log is."""


@dataclass
class ProcessGroup:
    """What runs now. `log_folder`: the folder where each writes what it says."""

    log_folder: Path
    _running_processes: list[tuple[str, subprocess.Popen[bytes]]] = field(default_factory=list)

    def __enter__(self) -> Self:
        """Begin."""
        self.log_folder.mkdir(parents=True, exist_ok=True)
        self.trim_logs()
        return self

    def __exit__(self, kind: type[BaseException] | None, why: BaseException | None, at: TracebackType | None) -> None:
        """End all, the last first."""
        while self._running_processes:
            self.stop(self._running_processes[-1][0])

    def start(
        self,
        name: str,
        command: Sequence[str],
        *,
        is_up: Callable[[], bool] = lambda: True,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Start a program and wait until it is up; raises `DemoError`."""
        with self.log_path(name).open("ab") as log:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment, start_new_session=True
            )
        self._running_processes.append((name, process))
        ends = time.monotonic() + START_TIMEOUT_S
        while not is_up():
            if process.poll() is not None:
                raise DemoError(f"{name} ended with status {process.returncode}{self.describe_log(name)}")
            if time.monotonic() > ends:
                raise DemoError(f"{name} is not up after {START_TIMEOUT_S:.0f} s{self.describe_log(name)}")
            time.sleep(POLL_INTERVAL_S)

    def stop(self, name: str, how: signal.Signals = signal.SIGTERM) -> None:
        """End a program, and wait for it; one that does not end in time is killed."""
        process = self.find_process(name)
        self._running_processes.remove((name, process))
        process.send_signal(how)
        try:
            process.wait(END_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def find_process(self, name: str) -> subprocess.Popen[bytes]:
        """Return the program that runs under a name."""
        return next(process for running, process in self._running_processes if running == name)

    def log_path(self, name: str) -> Path:
        """Return the file with what a program said."""
        return self.log_folder / f"{name}.log"

    def describe_log(self, name: str) -> str:
        """Say where a program's log is, and first its last line, if it said anything."""
        said = self.log_path(name).read_text(errors="replace").strip().splitlines()
        return f"{f': {said[-1]}' if said else ''}; its log is {self.log_path(name)}"

    def trim_logs(self) -> None:
        """Leave the last half of each log that has grown too long; the programs go on writing at its end."""
        for path in self.log_folder.glob("*.log"):
            if path.stat().st_size > MAX_LOG_BYTES:
                with path.open("r+b") as log:
                    log.seek(-MAX_LOG_BYTES // 2, os.SEEK_END)
                    log.readline()
                    kept = log.read()
                    log.seek(0)
                    log.truncate()
                    log.write(kept)

    def find_ended(self) -> str | None:
        """Say which program has ended by itself, if one has."""
        return next((name for name, process in self._running_processes if process.poll() is not None), None)
