"""Works out equities in a process of its own, so that no table waits: situations in, shares out, a line of JSON each.

What it is asked about has been released: viewers are about to see those cards.
"""

import json
import os
import signal
import sys
from collections.abc import Iterable, Iterator

from controller.records.broadcast.equities import Situation, equities
from controller.runtime.service.last_words import say_places_only
from controller.runtime.service.no_dump import forbid_dumps

NICE = 15


def answers(lines: Iterable[str]) -> Iterator[str]:
    """Answer each line; one that cannot be worked out is answered with `null`."""
    for line in lines:
        try:
            found = {str(seat): round(share, 4) for seat, share in equities(Situation.of(json.loads(line))).items()}
        except (ValueError, TypeError, KeyError, ZeroDivisionError):
            yield "null"
        else:
            yield json.dumps(found)


def main() -> None:
    """Answer until nobody asks any more."""
    forbid_dumps()
    say_places_only()
    os.nice(NICE)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the table ends it
    for answer in answers(sys.stdin):
        sys.stdout.write(answer + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
