"""`python -m tests.two_worlds`: try entries in two worlds until the time is over; any difference is a leak."""

import argparse
import logging
import sys
from collections.abc import Sequence

from tests.two_worlds.campaign import Campaign

MAX_TOLD = 20


def main(arguments: Sequence[str]) -> int:
    """Run the campaign that the command line asks for; print its table and what differed; return the status."""
    parser = argparse.ArgumentParser(prog="python -m tests.two_worlds", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0, help="how long (5)")
    parser.add_argument("--whole", type=int, default=0, metavar="N", help="every entry by every role at N points (0)")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other tables (1)")
    chosen = parser.parse_args(arguments)
    logging.lastResort = None
    campaign = Campaign()
    campaign.try_everything(chosen.whole, chosen.seed)
    campaign.run(chosen.minutes, chosen.seed)
    for difference in campaign.differences[:MAX_TOLD]:
        print(difference, "\n")
    print(campaign.format_table())
    return 1 if campaign.differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
