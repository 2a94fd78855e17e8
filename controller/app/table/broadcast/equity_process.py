"""Works out equities in a process of its own, so that no table waits: situations in, shares out, a line of JSON each.

What it is asked about has been released: viewers are about to see those cards.
"""

import json
import os
import signal
import sys
from collections.abc import Iterable, Iterator

from controller.records.broadcast.equities import EquitySituation, compute_equities
from controller.runtime.service.core_dumps import disable_core_dumps
from controller.runtime.service.crash_log import install_crash_log

NICENESS = 15


def answer_lines(lines: Iterable[str]) -> Iterator[str]:
    """Answer each line; one that cannot be worked out is answered with `null`."""
    for line in lines:
        try:
            found = {
                str(seat): round(share, 4)
                for seat, share in compute_equities(EquitySituation.from_json(json.loads(line))).items()
            }
        except (ValueError, TypeError, KeyError, ZeroDivisionError):
            yield "null"
        else:
            yield json.dumps(found)


def main() -> None:
    """Answer until nobody asks any more."""
    disable_core_dumps()
    install_crash_log()
    os.nice(NICENESS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the table ends it
    for answer in answer_lines(sys.stdin):
        sys.stdout.write(answer + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
