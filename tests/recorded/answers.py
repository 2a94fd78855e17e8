"""What the table says to every line of the recorded stories: a newer program must say the same.

    python -m tests.recorded.answers [NAME ...]    print what is said to these stories, or to all
    python -m tests.recorded.answers --record      put the digests of it all on record, in answers.txt

A story is the journal of a table: its lines as they were entered, refused ones among them. The lines are kept, not what
made them, so that a new word of the script changes no story. On record is a digest a line, so that a test names the
first line that is answered in another way. A change that is meant to alter answers records them anew, and the commit
shows in which stories, from which line on.
"""

import hashlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from config.table_line import parse_table_line
from controller.cli.table.replay_command import format_result
from controller.core.engine.output import available_entries, outcome_rendering, table_notice
from controller.core.engine.table import Table
from controller.core.protocol.script_lines import format_line, parse_line
from controller.core.protocol.table_error import Refused

STORIES = Path(__file__).parent / "stories"
RECORD = Path(__file__).with_suffix(".txt")

DIGEST_DIGITS = 6
"""Digits of a SHA-256: one line in sixteen million that differs is not noticed by its own digest."""

Line = dict[str, Any]


@cache
def read_stories() -> Mapping[str, Sequence[Line]]:
    """The lines of every story by its name: book, game and number. Each begins with the line of its table."""
    stories: dict[str, list[Line]] = {}
    for file in sorted(STORIES.rglob("*.jsonl")):
        prefix = file.relative_to(STORIES).with_suffix("").as_posix()
        number = 0
        for line in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
            number += line["ev"] == "table"
            stories.setdefault(f"{prefix}-{number}", []).append(line)
    return stories


def iter_answers(story: Sequence[Line]) -> Iterator[str]:
    """What is said to each line, as text: the answer, and what a page shows beside it."""
    table = Table()
    for number, line in enumerate(story, start=1):
        error: Refused | None = None
        try:
            table.handle(parse_table_line(line) if line["ev"] == "table" else parse_line(line), number)
        except Refused as refusal:
            error = refusal
        yield format_result(_look_at(table, number, error))


def _look_at(table: Table, number: int, error: Refused | None) -> dict[str, Any]:
    """All that a table says as it stands; what a live table says is told where it is something else."""
    state = table.outcome.state
    answer = outcome_rendering.render_outcome(table.outcome, number, error)
    live = outcome_rendering.render_outcome(table.outcome, number, error, live=True)
    upcoming = available_entries.find_upcoming_cards(state)
    return {
        "answer": answer,
        "live": {key: value for key, value in live.items() if value != answer.get(key)},
        "open": [format_line(event) for event in available_entries.find_available_entries(state)],
        "floor": [format_line(event) for event in available_entries.find_floor_entries(state)],
        "upcoming": None if upcoming is None else [upcoming.burn, upcoming.cards],
        "notice": table_notice.render_notice(state),
    }


def digest(text: str) -> str:
    """The first digits of the SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:DIGEST_DIGITS]


def read_record(file: Path = RECORD) -> dict[str, list[str]]:
    """The digests on record, by the names of the stories."""
    rows = (row.split() for row in file.read_text(encoding="utf-8").splitlines())
    return {name: digests for name, *digests in rows}


def write_record(file: Path, digests_by_name: Mapping[str, Sequence[str]]) -> None:
    """Put digests on record."""
    rows = (f"{' '.join((name, *digests))}\n" for name, digests in digests_by_name.items())
    file.write_text("".join(rows), encoding="utf-8")
    print(f"{len(digests_by_name)} stories are on record in {file.name}")


def main(arguments: list[str]) -> None:
    """Print what is said, or put its digests on record."""
    stories = read_stories()
    if arguments == ["--record"]:
        write_record(RECORD, {name: [digest(each) for each in iter_answers(story)] for name, story in stories.items()})
        return
    for name in arguments or stories:
        print(f"# {name}")
        for line, answer in zip(stories[name], iter_answers(stories[name]), strict=True):
            print(json.dumps(line, separators=(",", ":")))
            print(f"  {answer}")


if __name__ == "__main__":
    main(sys.argv[1:])
