"""Writes a journal as a table does, one commit at a time, and notes how long each took: `STATE RATE TIMES`.

The hands are over every 40 records; a file is closed now and then, as at midnight. Ends at SIGTERM.
"""

import json
import signal
import sys
import time
from pathlib import Path

from controller.runtime.journal.journal import Journal
from controller.runtime.storage.state_directory import JOURNAL_FILE

HAND, FILE = 40, 1500


def main(state: Path, rate: float, times: Path) -> None:
    ended: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: ended.append(number))
    journal = Journal(state / JOURNAL_FILE)
    journal.begin_run("boot", "1")
    journal.begin_session({"mode": "live"})
    took: list[tuple[float, float]] = []
    journal.on_commit = lambda seconds: took.append((time.time(), seconds))
    number, due = 0, time.monotonic()
    while not ended:
        number += 1
        journal.append_note("call", {"wanted": bool(number % 2), "by": f"dealer {number} " + "x" * (number % 300)})
        if number % HAND == 0:
            journal.finish_hand()
        if number % FILE == 0:
            journal.rotate()
        due += 1 / rate
        time.sleep(max(0.0, due - time.monotonic()))
    journal.finish_hand()
    journal.end_run("asked")
    times.write_text(json.dumps(took))


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]), Path(sys.argv[3]))
