"""A process with pytest and the heavy libraries in memory: each run of tests is a child that it forks.

It is started as a file, in a copy of the tree, and imports nothing of the project: a child imports that itself, so that
a mutant of what runs at import time is as real as any other. A line of its input is a run, a line of its output what
came of it (`Run`, `Outcome` in `copies.py`). When its input ends, it kills the child that runs, with all that the child
has started, removes the copy, and ends.
"""

import contextlib
import ctypes
import gc
import importlib
import json
import os
import resource
import select
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

import pytest

PRELOADED = (
    "coverage",
    "hypothesis.stateful",
    "msgspec.json",
    "pokerkit",
    "transitions",
    "starlette.applications",
    "starlette.routing",
    "starlette.staticfiles",
    "httpx",
    "nacl.signing",
    "jsonschema",
    "uvicorn",
    "unittest.mock",
    "sqlite3",
    "anyio.pytest_plugin",
    "platformdirs.pytest_plugin",
    "pytest_mock.plugin",
    "pytest_timeout",
    "pdb",
)
"""What takes long to import and is nobody's mutant."""

QUICK = "not slow and not elsewhere"
MAX_MEMORY_BYTES = 6 << 30
"""What a mutant may take before it is out of memory: a list without end must not end the machine."""

SET_PDEATHSIG, SET_CHILD_SUBREAPER = 1, 36
FIRST_MUTANT_MTIME_S = 1_000_000_000
SPAWNING = ("subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.system", "os.exec")
MAX_TEST_S = 20.0
"""Seconds of processor after which a test is given up while lines are noted: it would be nobody's nearest test."""

LIBC = ctypes.CDLL(None)
Answer = dict[str, Any]


class Observer:
    """A plugin that runs these tests in this order, and notes what each one takes, runs and starts.

    Without `tests` it runs all the quick ones. With `covered` folders it notes the lines of them that each test runs.
    """

    def __init__(self, root: Path, tests: Iterable[str], covered: Iterable[str]) -> None:
        self.root = root
        self.order = {test: index for index, test in enumerate(tests)}
        self.covered = [str(root / folder) for folder in covered]
        self.failed = ""
        self.has_left_out = False
        self.found: dict[str, dict[str, Any]] = {}
        self.current: dict[str, Any] = {}
        self.coverage: Any = None

    def begin(self) -> None:
        """Begin to note lines, before anything of the project is imported."""
        if self.covered:
            coverage = importlib.import_module("coverage")
            self.coverage = coverage.Coverage(data_file=None, config_file=False, source=self.covered)
            self.coverage.start()
            sys.addaudithook(self._note_process)
            signal.signal(signal.SIGVTALRM, self._give_up)

    def _note_process(self, event: str, _: object) -> None:
        if event in SPAWNING:
            self.current["spawns"] = True

    def _give_up(self, *_: object) -> None:
        self.current["slow"] = True
        pytest.fail(f"given up after {MAX_TEST_S:.0f} s of processor")

    def pytest_configure(self) -> None:
        """Keep Hypothesis from making a failure small, and from remembering it: red is enough."""
        with contextlib.suppress(ImportError):
            from hypothesis import Phase, settings

            phases = (Phase.explicit, Phase.generate)
            settings.register_profile("mutants", parent=settings(), phases=phases, database=None)
            settings.load_profile("mutants")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave the tests asked for, in the order asked for."""
        if self.order:
            items[:] = sorted(
                (item for item in items if item.nodeid in self.order), key=lambda item: self.order[item.nodeid]
            )

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        """Note that a file has tests that are not quick: one with no others is no failure."""
        self.has_left_out = bool(items)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Note what a test takes, with its fixtures."""
        self.current = self.found[item.nodeid] = {"ok": False, "spawns": False, "slow": False}
        cpu, wall = time.process_time(), time.monotonic()
        if self.coverage:
            self.coverage.switch_context(item.nodeid)
            signal.setitimer(signal.ITIMER_VIRTUAL, MAX_TEST_S)
        try:
            return (yield)
        finally:
            if self.coverage:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
                self.coverage.switch_context("")
            self.current |= {"cpu": round(time.process_time() - cpu, 4), "wall": round(time.monotonic() - wall, 4)}
            self.current = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note how a test ended."""
        if report.failed:
            self.failed = self.failed or report.nodeid
            self.found[report.nodeid]["ok"] = False
        elif report.when == "call" and report.passed and not hasattr(report, "wasxfail"):
            self.found[report.nodeid]["ok"] = True

    def describe(self, status: int) -> Answer:
        """Return what came of it all, as `Outcome` has it."""
        good = status == 0 or (status == 5 and (bool(self.order) or self.has_left_out))
        answer: Answer = {"outcome": "passed" if good else "failed", "failed": self.failed, "ran": len(self.found)}
        if not self.coverage:
            return answer
        self.coverage.stop()
        data = self.coverage.get_data()
        bits = {"": 1} | {test: 2 << index for index, test in enumerate(self.found)}
        sources: dict[str, dict[str, str]] = {}
        for file in data.measured_files():
            masks = {
                str(line): f"{sum(bits[context] for context in contexts):x}"
                for line, contexts in data.contexts_by_lineno(file).items()
            }
            if masks:
                sources[os.path.relpath(file, self.root)] = masks
        tests = [{"id": test, **notes} for test, notes in self.found.items()]
        return answer | {"tests": tests, "sources": sources}


def run_tests(run: Answer, root: Path, output: int) -> None:
    """Be the child: run the tests, and write what came of them."""
    os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    LIBC.prctl(SET_PDEATHSIG, signal.SIGKILL)
    log = os.open(run["log"] or os.devnull, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for target, source in ((0, nothing), (1, log), (2, log)):
        os.dup2(source, target)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (run["cpu_s"], run["cpu_s"] + 2))
    resource.setrlimit(resource.RLIMIT_DATA, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    observer = Observer(root, run["tests"], run["covered"])
    arguments = ["-q", "-m", QUICK, "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:schemathesis"]
    arguments += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # of what is imported already, on purpose
    if "hypothesis" in sys.modules:
        arguments.append("--hypothesis-seed=0")
    if not run["covered"]:
        arguments.append("-x")
    observer.begin()
    status = int(pytest.main([*arguments, *run["collected"]], plugins=[observer]))
    data = memoryview(json.dumps(observer.describe(status)).encode() + b"\n")
    while data:
        data = data[os.write(output, data) :]


def kill_children() -> None:
    """Kill every process below this one: as its subreaper it has those, too, that others have left behind."""
    while True:
        children = Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii").split()
        if not children:
            return
        for child in map(int, children):
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(child, 0)


def await_answer(child: int, output: int, limit_s: float) -> Answer:
    """Wait for what a child writes, its end, its time or the end of our input; and leave no process."""
    received = bytearray()
    deadline = time.monotonic() + limit_s
    while not received.endswith(b"\n"):
        ready, _, _ = select.select([output, 0], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            kill_children()
            return {"outcome": "timeout"}
        if output in ready:
            piece = os.read(output, 1 << 20)
            if not piece:
                break
            received += piece
        elif not os.read(0, 1):  # nothing is asked while a run is under way: it is the end
            kill_children()
            raise EOFError
    if received.endswith(b"\n"):
        kill_children()
        return dict(json.loads(received))
    _, status = os.waitpid(child, 0)
    kill_children()
    timed_out = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL)
    return {"outcome": "timeout" if timed_out else "failed", "failed": f"status {status}"}


def run_once(run: Answer, root: Path, number: int) -> Answer:
    """Put the mutant in its place, run the tests in a child, and put back what was there.

    No two mutants have one time of change: nothing that was compiled for one is taken for another.
    """
    file = root / run["file"]
    original, times = (file.read_bytes(), file.stat()) if run["file"] else (b"", None)
    if times:
        file.write_text(run["source"], encoding="utf-8")
        os.utime(file, (FIRST_MUTANT_MTIME_S + number,) * 2)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    reading, writing = os.pipe()
    try:
        child = os.fork()
        if child == 0:
            try:
                run_tests(run, root, writing)
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(1)
        os.close(writing)
        answer = await_answer(child, reading, run["wall_s"])
    finally:
        os.close(reading)
        if times:
            file.write_bytes(original)
            os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    return answer | {"cpu": now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime}


def main() -> None:
    """Serve runs until the input ends."""
    root = Path.cwd()
    for ignored in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ignored, signal.SIG_IGN)
    LIBC.prctl(SET_CHILD_SUBREAPER, 1)
    sys.path.insert(0, str(root))
    for name in PRELOADED:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    gc.freeze()  # what is here stays here: no child need look through it
    with contextlib.suppress(EOFError, BrokenPipeError), open(0, "rb", buffering=0) as runs:
        for number, line in enumerate(iter(runs.readline, b"")):
            print(json.dumps(run_once(json.loads(line), root, number)), flush=True)
    shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    main()
