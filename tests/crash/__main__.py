"""`make crash`: `python -m tests.crash [CRASHES] [--seed N] [--jobs N] [--below FOLDER] [--careless]`."""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

from tests.crash.disk import PRELOAD, build, is_in_place

QUICK_DISK = "/dev/shm"
"""The harness knows what was waited for; no real disk must be waited for to find out."""


def main() -> int:
    """Run the campaign; with the disk before the C library, so in a program that is begun anew."""
    if not is_in_place():
        with tempfile.TemporaryDirectory(prefix="crash-") as folder:
            environment = {**os.environ, PRELOAD: str(build(Path(folder)))}
            command = [sys.executable, "-m", "tests.crash", *sys.argv[1:]]
            return os.spawnve(os.P_WAIT, sys.executable, command, environment)
    from tests.crash.campaign import campaign, report

    parser = argparse.ArgumentParser(prog="tests.crash")
    parser.add_argument("crashes", type=int, nargs="?", default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--below", default=QUICK_DISK if Path(QUICK_DISK).is_dir() else tempfile.gettempdir())
    parser.add_argument("--careless", action="store_true", help="do not wait for the disk: something must be lost")
    wanted = parser.parse_args()
    begun = time.monotonic()
    tally = campaign(wanted.crashes, wanted.seed, wanted.below, wanted.jobs, careless=wanted.careless)
    sys.stdout.write(report(tally, time.monotonic() - begun) + "\n")
    return 1 if tally.lost or tally.differ or tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
