"""`tablectl` in a process that is forked from one that has imported everything already.

Nearly all of a start is imports: most of a second of a processor, for each of a hundred tables. Whoever tests the start
itself starts the command whole (`tests.app.table.test_process`).
"""

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import forkserver
from multiprocessing.connection import Connection

_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(["__main__", "tests.preloaded"])


class WarmProcess:
    """A running command; what it says to its error output is read at `stderr`."""

    def __init__(self, arguments: Sequence[str]) -> None:
        """Start it with these words."""
        reader, writer = _PROCESSES.Pipe(duplex=False)
        self._process = _PROCESSES.Process(target=_run, args=(writer, tuple(arguments)), daemon=False)
        self._process.start()
        writer.close()
        self.stderr = os.fdopen(os.dup(reader.fileno()), encoding="utf-8")
        reader.close()

    def poll(self) -> int | None:
        """Return its status; `None` as long as it runs."""
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it still runs."""
        if self._process.pid is not None and self.poll() is None:
            os.kill(self._process.pid, number)

    def wait(self, timeout: float) -> int:
        """Wait for its end, for so many seconds at most; return its status. Raises `TimeoutError`."""
        self._process.join(timeout)
        status = self.poll()
        if status is None:
            raise TimeoutError(f"it still runs after {timeout:.0f} s")
        return status


def _run(errors: Connection, arguments: Sequence[str]) -> None:
    os.dup2(errors.fileno(), 2)
    errors.close()
    from controller.cli import main

    raise SystemExit(main(arguments))


@contextmanager
def wait_for_fork_server() -> Iterator[None]:
    """Wait at the end for the process that others were forked from, so that what they took counts as this one's."""
    try:
        yield
    finally:
        forkserver._forkserver._stop()  # type: ignore[attr-defined]  # typeshed leaves it out
