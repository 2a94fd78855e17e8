"""Runs the checker of real hands with its judge mended.

PokerKit 0.7.7 plays fixed-limit Omaha high-low as a pot-limit game (`FixedLimitOmahaHoldemHighLowSplitEightOrBetter`
has the mixin of pot-limit), so that it would demand pot-limit amounts of a limit game. A limit bet or raise has one
size [R7-3.betting.3a, R7-3.betting.6]; with the judge's mixin put right, those hands are checked like all others.

    python tests/conformance/real_hands.py FOLDER [options of check.py]
"""

import runpy
import sys
from pathlib import Path

import pokerkit


def main() -> None:
    """Mend the judge, then be `check.py`."""
    folder = Path(sys.argv[1])
    judge = pokerkit.FixedLimitOmahaHoldemHighLowSplitEightOrBetter
    judge.betting_structure = pokerkit.BettingStructure.FIXED_LIMIT
    judge.max_completion_betting_or_raising_count = 4
    tablectl = Path(sys.executable).with_name("tablectl")
    script = folder / "check.py"
    sys.argv = [str(script), "--jobs", "2", "--command", str(tablectl), str(folder), *sys.argv[2:]]
    runpy.run_path(str(script), run_name="__main__")


if __name__ == "__main__":
    main()
