"""The record: what the journal says afterwards is what the page said, and the journal proves itself."""

import json
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.evenings.oracles.commands import find_place, run_tablectl
from tests.evenings.oracles.standing import (
    Line,
    Page,
    Watcher,
    count_chips,
    find_word,
    get_line,
    is_set_up_anew,
    is_tracked,
)
from tests.evenings.seen import Evening, Seen

COMPARED = ("hand", "stacks", "pots", "bets", "piles", "board")
"""What the exported script of a table that rests must come to; a device or a fault of the house is no line of it."""


class RecordOracle(Watcher):
    """Keeps the last page on which no hand was on, and compares what the journal gives with it."""

    name = "record"
    runs_commands = True

    def __init__(self) -> None:
        self.rested: Page | None = None
        """The last page on which no hand was on, of the table as it is set up now."""

    def look(self, seen: Seen) -> Iterator[str]:
        """Remember how the table rested last."""
        line = get_line(seen.after)
        if not line:
            return
        if get_line(seen.before) and is_set_up_anew(seen):
            self.rested = None
        if line.get("phase") == "idle":
            self.rested = seen.after
        elif find_word(seen) in ("undo", "amend") and seen.taken and line.get("street") is not None:
            # A hand that was over is on again.
            self.rested = None
        yield from ()

    def end(self, evening: Evening) -> Iterator[str]:
        """Export the journal, prove it, and play it again."""
        if not evening.journal.exists():
            return
        place = find_place(evening.journal)
        with tempfile.TemporaryDirectory() as folder:
            copied = Path(folder) / "journal.jsonl"
            done = run_tablectl("journal", "export", *place)
            copied.write_text(done.output, encoding="utf-8")
            if done.status:
                yield f"journal export ends with {done.status}: {done.reason}"
            done = run_tablectl("journal", "verify", "--quiet", copied)
            if done.status:
                yield f"journal verify ends with {done.status}: {done.reason}"
            done = run_tablectl("journal", "replay-check", *place)
            if done.status:
                yield f"journal replay-check ends with {done.status}: {done.reason}"
            yield from self._replay(place, Path(folder))
        yield from self._count_hands(place)
        yield from look_at_money(evening)

    def _replay(self, place: list[str | Path], folder: Path) -> Iterator[str]:
        """The exported script comes to the table as it rested last."""
        script = folder / "script.jsonl"
        done = run_tablectl("journal", "export", "--script", *place)
        if done.status:
            yield f"journal export --script ends with {done.status}: {done.reason}"
            return
        script.write_text(done.output, encoding="utf-8")
        played = run_tablectl("replay", script)
        answers = [json.loads(line) for line in played.output.splitlines() if line]
        if len(answers) != len(done.output.splitlines()):
            yield f"the script has {len(done.output.splitlines())} lines, and {len(answers)} were answered"
        if not answers or self.rested is None:
            return
        last: Mapping[str, Any] = next((answer for answer in reversed(answers) if "error" not in answer), {})
        yield from compare_ends(get_line(self.rested), last)

    def _count_hands(self, place: list[str | Path]) -> Iterator[str]:
        """The list of hands ends with the last that is over."""
        done = run_tablectl("hands", "list", *place)
        if done.status not in (0, 1):
            yield f"hands list ends with {done.status}: {done.reason}"
            return
        numbers = [
            int(words[0]) for words in map(str.split, done.output.splitlines()) if words and words[0].isdecimal()
        ]
        if numbers != sorted(set(numbers)) or (numbers and numbers != list(range(numbers[0], numbers[-1] + 1))):
            yield f"the list of hands has {numbers}"
        if self.rested is not None and numbers and numbers[-1] != get_line(self.rested)["hand"]:
            yield f"the list of hands ends with {numbers[-1]}, the table with {get_line(self.rested)['hand']}"


def compare_ends(page: Line, answer: Mapping[str, Any]) -> Iterator[str]:
    """Say where a replayed script has come to another table than the page showed."""
    for key in COMPARED:
        if key in page and page[key] != answer.get(key):
            yield f"the script comes to {key} {answer.get(key)}, the page had {page[key]}"


def look_at_money(evening: Evening) -> Iterator[str]:
    """What everybody has brought, less what was taken away and what the house took, lies on the table."""
    last = next((seen for seen in reversed(evening.seen) if seen.after), None)
    if last is None or not last.truth.bought_in or not is_tracked(get_line(last.after)):
        return
    if any(find_word(seen) in ("colour-up", "amend", "collection", "tournament-over") for seen in evening.seen):
        return
    terms = (last.after.get("notice") or {}).get("terms", {})
    brought = sum(last.truth.bought_in.values()) - sum(last.truth.taken_away.values())
    there = count_chips(get_line(last.after))
    if terms.get("kind", "none") == "none" and brought != there:
        yield f"{brought} chips were brought, and {there} are on the table"
