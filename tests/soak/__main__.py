"""`make soak`: `python -m tests.soak [HANDS] [--seed N] [--players N] [--below FOLDER] [--json FILE] [--keep]
[--patient]`."""

import argparse
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

from tests.soak.campaign import Soak, as_json, report


def main() -> int:
    """Run the soak; the status says whether a limit was passed."""
    parser = argparse.ArgumentParser(prog="tests.soak", description=__doc__)
    parser.add_argument("hands", type=int, nargs="?", default=3_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--players", type=int, choices=range(2, 6), default=5, help="how many sit at the table")
    parser.add_argument("--below", type=Path, default=Path("build"), help="on a disk: commits are waited for")
    parser.add_argument("--json", type=Path, default=Path("build/soak.json"), help="where the figures go")
    parser.add_argument("--keep", action="store_true", help="keep the table's journal and log")
    parser.add_argument("--patient", action="store_true", help="say which limits of time were passed, and do not fail")
    wanted = parser.parse_args()

    def say(text: str) -> None:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()

    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit("ended from outside"))
    wanted.below.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix="soak-", dir=wanted.below)).resolve()
    begun = time.monotonic()
    try:
        tally = Soak(work, wanted.hands, wanted.seed, say, players=wanted.players).run()
    finally:
        if wanted.keep:
            say(f"kept: {work}")
        else:
            shutil.rmtree(work, ignore_errors=True)
    wanted.json.parent.mkdir(parents=True, exist_ok=True)
    wanted.json.write_text(as_json(tally), encoding="utf-8")
    took = time.monotonic() - begun
    say(report(tally))
    say(f"{tally.hands} hands in {took:.0f} s, {tally.hands / took:.1f} a second; figures in {wanted.json}")
    return 1 if tally.failures or (tally.slow and not wanted.patient) else 0


if __name__ == "__main__":
    sys.exit(main())
