"""`make damage`: `python -m tests.damage [COUNT] [--seed N] [--jobs N] [--seconds N] [--only NUMBER …]`."""

import argparse
import math
import sys
import tempfile
import time
from pathlib import Path

from tests.damage.campaign import KeptResults, find_tree, render_report, run_campaign

KEPT = Path("build") / "damage"
"""Where a campaign that is stopped leaves what it came to: with the same seed on the same tree it goes on."""

QUICK_DISK = "/dev/shm"
"""No real disk must be waited for to find out what a start makes of a file."""


def main() -> int:
    """Run the campaign and print its figures; 1 where a table started with less, or did not say why it did not."""
    parser = argparse.ArgumentParser(prog="tests.damage")
    parser.add_argument("count", type=int, nargs="?", default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--below", default=QUICK_DISK if Path(QUICK_DISK).is_dir() else tempfile.gettempdir())
    parser.add_argument("--seconds", type=float, default=math.inf, help="end after so long, whatever was tried")
    parser.add_argument("--only", type=int, nargs="+", default=(), help="try these cases of the seed alone")
    wanted = parser.parse_args()
    kept = None if wanted.only else KeptResults(KEPT / f"{wanted.seed}.jsonl", find_tree())
    begun = time.monotonic()
    tally = run_campaign(wanted.count, wanted.seed, wanted.below, wanted.jobs, wanted.seconds, wanted.only, kept)
    sys.stdout.write(render_report(tally, time.monotonic() - begun) + "\n")
    return 1 if tally.bad else 0


if __name__ == "__main__":
    sys.exit(main())
