"""Evenings at a live table: `python -m tests.evenings --evenings 3 --seed 7`, or `--replay FILE`.

Ends with status 1 where an oracle complained. What was sent stands in build/evenings, as it happened and shortened.
"""

import argparse
import json
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import cache
from pathlib import Path

from tests.evenings.evening import KINDS, Complaint, Figures, PlayedEvening, draw_kind, read_script, write_sent
from tests.evenings.oracles import ORACLES
from tests.evenings.shrink import shrink_script
from tests.evenings.story import SentEntry
from tests.soak.campaign import ROOT, _other_build

BUILD = ROOT / "build" / "evenings"
QUICK_DISK = "/dev/shm"
"""No real disk must be waited for: what a disk does to a table is tried elsewhere."""
SHRINK_SECONDS = 240.0
ENTRIES = 300


def say(text: str) -> None:
    """Print a line at once."""
    print(text, flush=True)  # noqa: T201


class Campaign:
    """Several evenings, one after the other, with what they came to."""

    def __init__(self, scratch: Path, *, first: str = "", oracles: Sequence[Callable[[], object]] = ORACLES) -> None:
        self.figures = Figures()
        self.complaints: list[tuple[int, Complaint]] = []
        self._scratch = scratch
        self._first = first
        self._oracles = oracles
        self._count = 0
        self._make_other = cache(lambda: _other_build(scratch))

    def open_evening(self, seed: int, record: Path | None = None) -> PlayedEvening:
        """A house for an evening."""
        self._count += 1
        folder = self._scratch / f"house-{self._count}"
        return PlayedEvening(
            folder,
            seed,
            self._oracles,  # type: ignore[arg-type]
            record=record,
            first=self._first,
            other_build=self._make_other,
        )

    def play(
        self, seed: int, entries: int, shrink_seconds: float = SHRINK_SECONDS, kind: str = "live"
    ) -> list[Complaint]:
        """Play an evening; shorten its script where somebody complained."""
        evening = self.open_evening(seed, BUILD / f"{seed}.jsonl")
        try:
            evening.play(entries, kind)
        except Exception as why:  # what was sent so far is kept, and the next evening is played
            evening.complain("TheEvening", f"broke off: {type(why).__name__}: {why}")
            traceback.print_exc()
        finally:
            evening.close()
        self.figures.add(evening.figures)
        if not evening.complaints:
            return []
        first = evening.complaints[0]
        self.complaints += [(seed, each) for each in evening.complaints]
        for each in evening.complaints:
            say(f"evening {seed}, entry {each.number}: {each.oracle}: {each.text}")
        short = self.shrink(seed, evening.sent, first, shrink_seconds)
        path = BUILD / f"{seed}.short.jsonl"
        path.write_text(f"# {first.oracle}: {first.text}\n" + "".join(write_sent(each) + "\n" for each in short))
        say(f"  {len(evening.sent)} entries, shortened to {len(short)}: python -m tests.evenings --replay {path}")
        return evening.complaints

    def shrink(self, seed: int, script: Sequence[SentEntry], complaint: Complaint, seconds: float) -> list[SentEntry]:
        """Shorten a script while the same oracle complains."""
        return shrink_script(
            script, lambda tried: complaint.oracle in [each.oracle for each in self.replay(seed, tried)],
            seconds=seconds,
        )  # fmt: skip

    def replay(self, seed: int, script: Sequence[SentEntry]) -> list[Complaint]:
        """Play a script in a new house."""
        evening = self.open_evening(seed)
        try:
            evening.replay(script)
        finally:
            evening.close()
        return evening.complaints


def report(figures: Figures) -> str:
    """Say how it went."""
    lines: list[str] = []
    numbers: dict[str, float] = {}
    for each in fields(figures):
        value = getattr(figures, each.name)
        if isinstance(value, Counter):
            lines.append(f"{each.name}: " + ", ".join(f"{name} {count}" for name, count in value.most_common()))
        else:
            numbers[each.name] = round(value, 1)
    numbers |= {"games": len(figures.by_game), "books": len(figures.by_book)}
    return "\n".join([*lines, f"figures: {json.dumps(numbers)}"])


def main() -> int:
    """Play, and say what was found."""
    parser = argparse.ArgumentParser(prog="tests.evenings")
    parser.add_argument("--evenings", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--entries", type=int, default=ENTRIES, help="of one evening")
    parser.add_argument(
        "--shrink", type=float, default=SHRINK_SECONDS, help="seconds to shorten the script of a failure"
    )
    parser.add_argument("--kind", choices=("", *KINDS), default="", help="play every evening so")
    parser.add_argument("--replay", type=Path, help="a script, as it was written down")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # what an evening has started is ended, too
    with tempfile.TemporaryDirectory(
        prefix="evenings-", dir=QUICK_DISK if Path(QUICK_DISK).is_dir() else None
    ) as scratch:
        Path(scratch).chmod(0o755)  # PostgreSQL runs as somebody else, and looks for its own folder in there
        campaign = Campaign(Path(scratch))
        if options.replay is not None:
            found = campaign.replay(options.seed, read_script(options.replay))
            for each in found:
                say(f"entry {each.number}: {each.oracle}: {each.text}")
            return 1 if found else 0
        for number in range(options.evenings):
            began = time.monotonic()
            seed = options.seed * 1000 + number
            kind = options.kind or draw_kind(options.seed, number)
            found = campaign.play(seed, options.entries, options.shrink, kind)
            say(f"evening {seed} ({kind}): {time.monotonic() - began:.1f} s, {len(found)} complaints")
    say(report(campaign.figures))
    return 1 if campaign.complaints else 0


if __name__ == "__main__":
    sys.exit(main())
