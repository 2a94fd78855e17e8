"""Runs the scenarios that lie beside the checkout, but those that contradict a text (`findings.toml`).

    python tests/conformance/beside.py FOLDER

FOLDER has folders of scenarios; those of the last delivery need not all be there.
"""

import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
CHECKER = HERE / "scenarios" / "check.py"
FINDINGS = HERE / "findings.toml"
FOLDERS = ("scenarios", "scenarios-2", "scenarios-tda-wsop", "scenarios-3/collection", "scenarios-3/exact")
LEFT_OUT = {"scenarios-3/chips": "no table reads chips yet: bets that are read from chips are words of a later version"}
"""Folders beside the checkout that are not run, and why; any other that is there is named as not run."""


def findings(file: Path = FINDINGS) -> dict[str, dict[str, object]]:
    """Each finding by its file; a list without one is empty."""
    listed = tomllib.loads(file.read_text(encoding="utf-8")).get("finding", [])
    return {finding["file"]: finding for finding in listed}


def say(text: str) -> None:
    """Say a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def check(files: list[Path], *, quietly: bool = False) -> int:
    """Run the checker over some files; return its status."""
    tablectl = Path(sys.executable).with_name("tablectl")
    command = [sys.executable, str(CHECKER), "--jobs", "2", "--command", str(tablectl), *map(str, files)]
    return subprocess.run(command, check=False, capture_output=quietly).returncode


def find_unknown_folders(beside: Path) -> list[str]:
    """Folders with scenarios that are neither run nor left out with a reason."""
    known = [*FOLDERS, *LEFT_OUT]
    found = {file.relative_to(beside).as_posix() for file in beside.glob("scenarios*/**/*.jsonl")}
    return sorted({name for name in found if not any(name.startswith(f"{folder}/") for folder in known)})


def main() -> int:
    """Check every folder; the status says whether all was as expected."""
    beside = Path(sys.argv[1])
    known = findings()
    status = 0
    for folder, reason in LEFT_OUT.items():
        say(f"left out: {folder}: {reason}")
    for name in find_unknown_folders(beside):
        say(f"not run: {name} came after this list of folders (tests/conformance/beside.py)")
    for folder in FOLDERS:
        files = sorted((beside / folder).rglob("*.jsonl"))
        if not files:
            say(f"skipped: no scenarios at {beside / folder}")
            continue
        say(f"{folder}:")
        status |= check([file for file in files if str(file.relative_to(beside)) not in known])
    for name, finding in known.items():
        file = beside / name
        if file.exists():
            clauses = ", ".join(map(str, finding["clauses"]))  # type: ignore[call-overload]  # a list of texts
            say(f"passed over: {name}:{finding['line']} {finding['why']} [{clauses}]")
            if check([file], quietly=True) == 0:
                say(f"FAILED: {name} is right by now; take it out of {FINDINGS.name}")
                status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
