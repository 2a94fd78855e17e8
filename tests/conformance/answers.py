"""What the table says to every scenario: any form of the program prints the same bytes, those on record.

    python -m tests.conformance.answers [PATH ...]    print the answers to these scripts or folders of them, or to all
    python -m tests.conformance.answers --record      put the digests of all on record, in answers.txt

The record was first made by the code of c73742df. A change that should alter no answer leaves it alone; one that should
alter some records them anew, and the commit shows which.
"""

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from controller.cli.table.replay_command import format_result, replay_script

SCENARIOS = Path(__file__).parent / "scenarios"
RECORD = Path(__file__).with_suffix(".txt")


def list_scripts(place: Path = SCENARIOS) -> list[Path]:
    """Every scenario of a folder, in the order of their paths, or the one that is named."""
    return sorted(place.rglob("*.jsonl")) if place.is_dir() else [place]


def name_script(script: Path) -> str:
    """The name of a scenario on record: its path in the folder of scenarios."""
    return script.relative_to(SCENARIOS).as_posix()


def read_script(script: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any] | None]]:
    """Read the lines of a scenario as the table is given them, and what each expects."""
    lines = [json.loads(line) for line in script.read_text(encoding="utf-8").splitlines()]
    expected = [line.pop("expect", None) for line in lines]
    return lines, expected


def digest(answers: list[dict[str, Any]]) -> str:
    """The first 16 digits of the SHA-256 of answers as `tablectl replay` prints them."""
    printed = "".join(f"{format_result(answer)}\n" for answer in answers)
    return hashlib.sha256(printed.encode()).hexdigest()[:16]


def read_record() -> dict[str, str]:
    """The digests on record, by the names of the scenarios."""
    rows = (row.split() for row in RECORD.read_text(encoding="utf-8").splitlines())
    return {name: digested for digested, name in rows}


def main(arguments: list[str]) -> None:
    """Print answers, or put their digests on record."""
    if arguments == ["--record"]:
        scripts = list_scripts()
        rows = [f"{digest(list(replay_script(read_script(each)[0])))}  {name_script(each)}\n" for each in scripts]
        RECORD.write_text("".join(rows), encoding="utf-8")
        print(f"{len(rows)} scripts are on record in {RECORD.name}")
        return
    for place in map(Path, arguments) if arguments else [SCENARIOS]:
        for script in list_scripts(place):
            print(f"# {script.name}")
            for answer in replay_script(read_script(script)[0]):
                print(format_result(answer))


if __name__ == "__main__":
    main(sys.argv[1:])
