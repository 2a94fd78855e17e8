"""`make explore`: `python -m tests.explore [STATES] [--seed N] [--jobs N] [--share N] [--book B] [--game G]`."""

import argparse
import json
import sys
import time
from pathlib import Path

from tests.explore.campaign import make_works, render_report, run_campaign, write_failures
from tests.explore.openings import list_places
from tests.explore.shrink import find_broken_law


def main() -> int:
    """Explore, print what was reached and what failed; 1 where a law does not hold."""
    parser = argparse.ArgumentParser(prog="tests.explore")
    parser.add_argument("states", type=int, nargs="?", default=30_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--share", type=int, default=4, help="hold what costs most at one of so many states")
    parser.add_argument("--book", help="this book alone")
    parser.add_argument("--game", help="this game alone")
    parser.add_argument("--script", type=Path, help="explore nothing: hold every law at every line of this script")
    wanted = parser.parse_args()
    if wanted.script:
        broken = find_broken_law([json.loads(line) for line in wanted.script.read_text().splitlines()])
        sys.stdout.write(f"{broken or 'every law holds'}\n")
        return 1 if broken else 0
    places = [
        (book, game) for book, game in list_places() if wanted.book in (None, book) and wanted.game in (None, game)
    ]
    if not places:
        parser.error("no book has this game")
    begun = time.monotonic()
    found = run_campaign(make_works(places, wanted.states, wanted.seed, wanted.share), wanted.jobs)
    told = write_failures(found)
    sys.stdout.write("\n".join([*told, "", render_report(found, time.monotonic() - begun)]) + "\n")
    return 1 if any(one.failures for one in found) else 0


if __name__ == "__main__":
    sys.exit(main())
