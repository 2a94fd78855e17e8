"""A copy of the tree with a warm process in it (`worker.py`), which runs tests there, with a mutant or without one."""

import contextlib
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

WORKER = Path(__file__).with_name("worker.py")
LEFT_OUT = {".git", ".venv", "build", "dist", "var", ".mypy_cache", ".ruff_cache", ".hypothesis"}
"""What is made at the root of a checkout, and of no use to a test."""


class WorkerEnded(Exception):
    """The process in the copy is gone: it was closed, or killed."""


@dataclass(frozen=True)
class Run:
    """Tests to run: files to collect, and of them the tests with these ids, in this order; without ids all quick ones.

    `file` holds `source` meanwhile. Without `covered` the first failure ends the run; with it, all are run, and the
    lines of these folders that each runs are noted. `cpu_s` is what the process may use, `wall_s` how long it may take.
    """

    collected: tuple[str, ...]
    tests: tuple[str, ...] = ()
    file: str = ""
    source: str = ""
    cpu_s: int = 3600
    wall_s: float = 36000.0
    covered: tuple[str, ...] = ()
    log: str = ""


@dataclass(frozen=True)
class Outcome:
    """What came of a run.

    `outcome` is `passed`, `failed` or `timeout`, `failed` the first test that did, empty where none of them was begun;
    `ran` counts the tests that were begun, `cpu` is in seconds of processor. `tests` and `sources` are there where
    lines were noted: a row a test (`id`, `ok`, `cpu`, `wall`, `spawns`, `slow`), and per source and line a mask in
    hexadecimal: bit 0 is what ran outside of any test, bit n + 1 the n-th test.
    """

    outcome: str
    failed: str = ""
    ran: int = 0
    cpu: float = 0.0
    tests: tuple[dict[str, Any], ...] = field(default=(), repr=False)
    sources: dict[str, dict[str, str]] = field(default_factory=dict, repr=False)


def limit(cpu_s: float, wall_s: float) -> tuple[int, float]:
    """Return how long a mutant may take, in seconds of processor and of the wall, where its tests take so long.

    The processor is what ends a loop without end: on a busy machine a minute is soon over. The wall ends what waits.
    """
    return math.ceil(10 + 4 * cpu_s), 120 + 20 * wall_s


class Copy:
    """A copy of the tree and the process in it. Closing it, or the end of this program, removes both."""

    def __init__(self, root: Path) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="mutants-"))
        try:
            for path in root.iterdir():
                if path.name in LEFT_OUT:
                    continue
                if path.is_dir():
                    shutil.copytree(path, self.root / path.name, symlinks=True)
                else:
                    shutil.copy2(path, self.root, follow_symlinks=False)
            if (root / ".venv").exists():
                (self.root / ".venv").symlink_to(root / ".venv")
            environment = {**os.environ, "PYTHONPATH": str(self.root), "PYTHONHASHSEED": "0"}
            environment.pop("PYTHONDONTWRITEBYTECODE", None)  # hundreds of children import the same
            for name in ("CI", "PYTEST_ADDOPTS"):  # what is meant for the run around it
                environment.pop(name, None)
            self._process = subprocess.Popen(
                [sys.executable, "-P", WORKER],
                cwd=self.root,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                start_new_session=True,  # a Ctrl-C is for this program, which ends the copy
            )
        except BaseException:
            shutil.rmtree(self.root, ignore_errors=True)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """The process in the copy."""
        return self._process.pid

    def run(self, run: Run) -> Outcome:
        """Run tests. Raises `WorkerEnded` where the process ended before it answered."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(asdict(run)) + "\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        except (BrokenPipeError, ValueError):
            answer = ""
        if not answer:
            raise WorkerEnded(f"the process that runs tests in {self.root} is gone")
        return Outcome(**json.loads(answer))

    def end(self) -> None:
        """End the process, with what it runs; `run` in another thread raises `WorkerEnded`."""
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()

    def close(self) -> None:
        """End the process and remove the copy."""
        self.end()
        try:
            self._process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        shutil.rmtree(self.root, ignore_errors=True)
