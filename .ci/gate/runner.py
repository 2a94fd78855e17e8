"""Runs parts, side by side where they may, and says of each what it did, how long it took and what it left."""

import json
import math
import os
import re
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from gate.parts import ROOT, Part

LOGS = ROOT / "build" / "gate"
MAX_PRINTED_LINES = 80
"""Lines of a failed part's log that are printed; the whole of it stays in `build/gate`."""

KILL_DELAY_S = 15
"""Seconds between asking a part that takes too long to end, and killing it."""

FIGURES = re.compile(r"^figures: (\{.*\})$", re.MULTILINE)
CLOSING = re.compile(r"^(?=.*\b\d+ passed)(?:=+ )?((?:\d+ \w+(?:, )?)+)(?: in [\d.]+s.*)?$", re.MULTILINE)
"""The last line of pytest, and of whatever else counts: `237 passed, 0 failed`."""

FAILED_TEST = re.compile(r"^(?:FAILED|ERROR) (\S+\.py\S*)(?: - (.+))?", re.MULTILINE)
"""A line of pytest's summary that names a test, and why it failed."""

PROGRESS = re.compile(r"^[.sxXFE]+ +\[ *\d+%\]$|^\[gw\d+\] |^WARNING: Location ")
"""Lines of a log that tell nobody why it failed."""

MAX_REASON_SIGNS = 160
"""Signs of the reason of a failed test that stand behind its name; the log has the rest."""

MAX_NAMED_TESTS = 5
"""Failed tests that a part's failure names; the rest is counted."""

Figures = dict[str, float | int | str]


@dataclass(frozen=True)
class Report:
    """What came of a part: `failure` is empty where it passed. Seconds are of the wall and of all its processes."""

    part: Part
    failure: str
    seconds: float
    processor_seconds: float
    figures: Figures
    log: str


def read_figures(log: str, evidence: Iterable[str] = ()) -> Figures:
    """Return what a part measured: sums of closing lines, objects behind `figures:`, and what patterns find.

    It is empty where a pattern of `evidence` finds nothing.
    """
    found: Figures = {}
    for line in CLOSING.findall(log):
        for count, word in re.findall(r"(\d+) (\w+)", line):
            if word != "warnings":
                found[word] = int(found.get(word, 0)) + int(count)
    for text in FIGURES.findall(log):
        found |= json.loads(text)
    for pattern in evidence:
        matches = list(re.finditer(pattern, log, re.MULTILINE))
        if not matches:
            return {}
        found |= {name: float(text) if "." in text else int(text) for name, text in matches[-1].groupdict().items()}
    return found


def run_part(part: Part, *, long: bool = False, deadline: float = math.inf) -> Report:
    """Run one part to its end, its limit or the deadline (of `time.monotonic`). It fails by name, and never raises."""
    missing = [f"{tool} (apt install {package})" for tool, package in part.tools.items() if not shutil.which(tool)]
    if missing:
        return Report(part, f"missing: {', '.join(missing)}", 0.0, 0.0, {}, "")
    command, limit = (part.long, part.long_limit_s) if long else (part.short, part.short_limit_s)
    limit = round(min(limit, deadline - time.monotonic()))
    if limit <= 0:
        return Report(part, "not begun: the gate had taken all its time", 0.0, 0.0, {}, "")
    file = LOGS / f"{part.name}.log"
    file.parent.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    with file.open("w", encoding="utf-8") as output:
        process = subprocess.Popen(
            ["bash", "-euo", "pipefail", "-c", command],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        late = threading.Event()
        watch = threading.Thread(target=_end_after, args=(process, limit, late), daemon=True)
        watch.start()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        _end_group(process.pid)  # a part that passes must leave nothing behind that disturbs others
    seconds = time.monotonic() - begun
    log = file.read_text(encoding="utf-8", errors="replace")
    figures = read_figures(log, part.evidence)
    failure = ""
    if late.is_set():
        failure = f"not done within {limit} s"
    elif process.returncode:
        failure = f"ended with status {process.returncode}{name_failed_tests(log)}"
    elif not figures:
        failure = "it left no figure: no line `3 passed`, no line `figures: {…}`, or not what `evidence` wants"
    return Report(part, failure, seconds, usage.ru_utime + usage.ru_stime, figures, log)


def name_failed_tests(log: str) -> str:
    """Return the tests that a log says failed, each with its reason, to stand behind a failure; empty where none did.

    Whoever sees only the gate's last lines then knows which test it was, and why.
    """
    reasons = dict(FAILED_TEST.findall(log))
    named = [f"{name} ({reason[:MAX_REASON_SIGNS]})" if reason else name for name, reason in reasons.items()]
    more = [f"and {len(named) - MAX_NAMED_TESTS} more"] if len(named) > MAX_NAMED_TESTS else []
    return ": " + ", ".join(named[:MAX_NAMED_TESTS] + more) if named else ""


def _end_after(process: "subprocess.Popen[bytes]", limit_s: float, late: threading.Event) -> None:
    """End a process and all it started once it has had its time."""
    for delay, kill in ((limit_s, signal.SIGTERM), (KILL_DELAY_S, signal.SIGKILL)):
        deadline = time.monotonic() + delay
        while process.returncode is None and time.monotonic() < deadline:
            time.sleep(min(0.1, delay))
        if process.returncode is not None:
            return
        late.set()
        _kill_group(process.pid, kill)


def _end_group(group: int) -> None:
    """Kill what is left of a group, and wait until all of it is gone."""
    deadline = time.monotonic() + KILL_DELAY_S
    while _kill_group(group, signal.SIGKILL) and time.monotonic() < deadline:
        time.sleep(0.01)


def _kill_group(group: int, kill: signal.Signals) -> bool:
    """Send a signal to a group; say whether there was anybody."""
    try:
        os.killpg(group, kill)
    except ProcessLookupError:
        return False
    return True


def run_all(
    parts: Iterable[Part],
    tell: Callable[[Report], None],
    *,
    long: bool = False,
    jobs: int = 2,
    deadline: float = math.inf,
) -> list[Report]:
    """Run these parts, those that want the machine for themselves one by one and first, the others `jobs` at a time.

    `tell` is called with each report as it comes, by one thread at a time.
    """
    waiting = list(parts)
    reports: list[Report] = []
    for part in [part for part in waiting if part.alone]:
        reports.append(run_part(part, long=long, deadline=deadline))
        tell(reports[-1])
    queue = [part for part in waiting if not part.alone]
    lock = threading.Lock()

    def work() -> None:
        while True:
            with lock:
                if not queue:
                    return
                part = queue.pop(0)
            report = run_part(part, long=long, deadline=deadline)
            with lock:
                reports.append(report)
                tell(report)

    workers = [threading.Thread(target=work) for _ in range(jobs)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return reports


def describe(report: Report) -> str:
    """Return the lines that say what came of a part, with the end of its log where it failed."""
    figures = ", ".join(f"{name} {value}" for name, value in report.figures.items())
    took = f"{report.seconds:.0f} s, {report.processor_seconds:.0f} s of processor"
    if not report.failure:
        return f"passed   {report.part.name}: {took}: {figures}"
    lines = [line for line in report.log.splitlines() if not PROGRESS.match(line)][-MAX_PRINTED_LINES:]
    return "\n".join([f"FAILED   {report.part.name}: {report.failure} ({took})", *(f"    {line}" for line in lines)])


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write lines to a file, whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
