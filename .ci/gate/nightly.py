"""What is known of the long parts: the newest run of each, in `docs/nightly.json`, and how old it is."""

import json
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gate.parts import ROOT, Part
from gate.runner import Report

RECORD = ROOT / "docs" / "nightly.json"


class NightlyError(Exception):
    """A long part cannot be run or recorded; the message says why, and what would be right."""


def run_git(*words: str) -> str:
    """Return what git says. Raises `NightlyError` where it does not answer."""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NightlyError(f"git {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def list_tracked_files() -> list[str]:
    """Return every tracked file that is there, by its path from the root."""
    return [file for file in run_git("ls-files", "-z").split("\0") if file and (ROOT / file).exists()]


def find_changed_files(commit: str) -> list[str] | None:
    """Return what differs between a commit and the files as they lie here, or None where nobody knows the commit."""
    try:
        changed = run_git("diff", "--name-only", "-z", commit, "--")
    except NightlyError:
        return None
    return [file for file in changed.split("\0") if file]


def read_record(file: Path = RECORD) -> dict[str, dict[str, Any]]:
    """Return the newest run of each part: commit, day, seconds, processor_seconds, passed, figures."""
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def is_proved(part: Part, record: dict[str, dict[str, Any]]) -> bool:
    """Whether the long form of a part passed, and nothing that reaches it has changed since."""
    run = record.get(part.name)
    if run is None or not run["passed"]:
        return False
    changed = find_changed_files(run["commit"])
    return changed is not None and not part.is_reached_by(changed)


def record_run(report: Report, file: Path = RECORD) -> None:
    """Put a run of a long part on record, in place of the one before."""
    record = read_record(file)
    record[report.part.name] = {
        "commit": run_git("rev-parse", "--short=8", "HEAD").strip(),
        "day": datetime.now(UTC).date().isoformat(),
        "seconds": round(report.seconds),
        "processor_seconds": round(report.processor_seconds),
        "passed": not report.failure,
        **({"failure": report.failure} if report.failure else {}),
        "figures": report.figures,
    }
    file.write_text(json.dumps(record, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def describe_age(part: Part, record: dict[str, dict[str, Any]]) -> str:
    """Say how many commits ago the long form of a part ran, and what came of it."""
    run = record.get(part.name)
    if run is None:
        return f"{part.name}: never"
    try:
        age = run_git("rev-list", "--count", f"{run['commit']}..HEAD").strip() + " commits ago"
    except NightlyError:
        age = "at a commit that is not here"
    figures = ", ".join(f"{name} {value}" for name, value in run["figures"].items())
    outcome = "passed" if run["passed"] else "FAILED"
    return f"{part.name}: {age} ({run['commit']}, {run['day']}), {outcome} in {run['seconds']} s: {figures}"
