"""Runs the checker of real hands with its judge mended, and with the games that it skips.

PokerKit 0.7.7 plays fixed-limit Omaha high-low as a pot-limit game (`FixedLimitOmahaHoldemHighLowSplitEightOrBetter`
has the mixin of pot-limit), so that it would demand pot-limit amounts of a limit game. A limit bet or raise has one
size [R7-3.betting.3a, R7-3.betting.6]; with the judge's mixin put right, those hands are checked like all others.

The checker knows one draw a hand; here badugi (FB) and deuce-to-seven triple draw (F2L3D) are checked, too. Short deck
(NS) stays skipped: PokerKit's antes are dead, and its least raise is another than that of WSOP IX 2.

    python tests/conformance/real_hands.py FOLDER [options of check.py]
"""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pokerkit

TRIPLE = ("before-draw", "first-draw", "second-draw", "third-draw")
GAMES = {
    "FB": ("badugi", "fixed-limit", TRIPLE),
    "F2L3D": ("triple-draw-27", "fixed-limit", TRIPLE),
}


def checker(folder: Path) -> ModuleType:
    """The checker of a folder of hands, as a module that knows three draws a hand."""
    spec = importlib.util.spec_from_file_location("check", folder / "check.py")
    assert spec is not None
    assert spec.loader is not None
    check = importlib.util.module_from_spec(spec)
    sys.modules["check"] = check
    spec.loader.exec_module(check)
    check.GAMES.update(GAMES)
    plain: Any = check.Script

    class Script(plain):  # type: ignore[misc]  # the checker is not ours, and has no types
        """A hand whose draws are written each for itself, also where nobody could bet between two of them."""

        def burn(self) -> None:
            if self.streets is TRIPLE and self.s.can_burn_card("??"):
                self.s.burn_card("??")  # `exchange` writes that burn
            else:
                super().burn()

        def action(self, text: str) -> None:
            player, verb, *_ = text.split()
            if verb == "sd" and int(player[1:]) - 1 in self.draws:
                self.exchange()
            super().action(text)

    check.Script = Script  # type: ignore[attr-defined]
    return check


def main() -> None:
    """Mend the judge, then be `check.py`."""
    folder = Path(sys.argv[1])
    judge = pokerkit.FixedLimitOmahaHoldemHighLowSplitEightOrBetter
    judge.betting_structure = pokerkit.BettingStructure.FIXED_LIMIT
    judge.max_completion_betting_or_raising_count = 4
    tablectl = Path(sys.executable).with_name("tablectl")
    sys.argv = [str(folder / "check.py"), "--jobs", "2", "--command", str(tablectl), str(folder), *sys.argv[2:]]
    sys.exit(checker(folder).main())


if __name__ == "__main__":
    main()
