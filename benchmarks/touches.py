"""How often a dealer touches the page for a real hand, act by act as told, by the keys that the page shows.

Needs a folder of PHH hands with its `check.py`, which turns them into table scripts:

    python -m benchmarks.touches FOLDER

Counted as `controller/web/static/acts.js` offers it: a key each for fold, check, call, the least wager, half the pot,
the pot, three times the last bet and all-in; any other total by the pad, a key a figure; a touch on a seat further on
for all that fold before it; one for all who check or call to the end of the round, for all hands shown one after the
other, for each pot pushed, and for steps carried out one after the other. With an antenna at the muck nobody touches
for a fold.
"""

import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from config.setup import open_table
from controller.core.engine.display import view
from controller.core.engine.table import Table
from controller.core.protocol.errors import Refused
from controller.core.protocol.script import read

FOLDERS = ("pluribus", "wsop-2023-43-5", "fpdb-converted", "historic")
WAGERS = ("bet", "raise", "complete")
BY_HAND = ("return", "shuffle", "cut", "move", "discard")

Line = Mapping[str, Any]


def main(folder: Path) -> None:
    """Print touches a hand by structure: act by act, with an antenna at the muck, and told rounds without one."""
    found: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for script in _scripts(folder):
        found[str(script[0]["betting"]["structure"])].append(counted(script))
    found["all"] = [counts for several in tuple(found.values()) for counts in several]
    print("touches a hand         hands   by acts: median p90   muck antenna: median p90   by rounds: median p90")
    for structure, counts in found.items():
        acts, muck, rounds = ([each[kind] for each in counts] for kind in range(3))
        print(
            f"  {structure:20} {len(counts):5}            {median(acts):6.0f} {_p90(acts):3.0f}                 "
            f"{median(muck):6.0f} {_p90(muck):3.0f}              {median(rounds):6.0f} {_p90(rounds):3.0f}"
        )


def _p90(counts: Sequence[int]) -> float:
    return quantiles(counts, n=10)[-1] if len(counts) > 1 else float(counts[0])


def _scripts(folder: Path) -> list[list[Line]]:
    scripts: list[list[Line]] = []
    for each in FOLDERS:
        if not (folder / each).exists():
            continue
        command = [sys.executable, str(folder / "check.py"), "--scripts", str(folder / each)]
        for text in subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines():
            if text.startswith("{"):
                line = json.loads(text)
                if line["ev"] == "table":
                    scripts.append([])
                scripts[-1].append(line)
    return scripts


def counted(script: Sequence[Line]) -> tuple[int, int, int]:
    """Touches by acts, by acts where an antenna reads the muck, and by rounds with a touch a fold."""
    table = Table()
    outcome = table.handle(open_table(script[0]))
    touches = by_muck = by_rounds = folds = 0
    street: str | None = None
    together = _ends_round(script)
    for number, line in enumerate(script[1:], start=1):
        before = view.line(outcome, 0)
        try:
            outcome = table.handle(read(line))
        except Refused:
            continue  # a confirmation that a table may leave out
        word, step = str(line["ev"]), (before["next"] or [{}])[0]
        if word == "act" and line["do"] == "fold":
            folds += 1
            by_rounds += 1
            continue
        touches += min(folds, 2 if word != "act" else 1)
        folds = 0
        if word == "act":
            cost = 0 if number in together else _cost(line, step, before)
            touches, by_muck = touches + cost, by_muck + cost
            by_rounds += street != before["street"]
            street = before["street"]
        elif word == "show":
            first = script[number - 1]["ev"] != "show"
            touches, by_muck = touches + first, by_muck + first
        elif word in ("start", "muck", "won", "draw") or (word == "done" and step.get("step") not in BY_HAND):
            touches, by_muck = touches + 1, by_muck + 1
            by_rounds += word != "muck"
        elif word == "done":
            first = "return" in (step.get("step"), None)
            touches, by_muck, by_rounds = touches + first, by_muck + first, by_rounds + first
    return touches + min(folds, 2), by_muck, by_rounds


def _ends_round(script: Sequence[Line]) -> set[int]:
    """The lines after the first of those that check or call together and end a round: one touch enters them all."""
    found: set[int] = set()
    run: list[int] = []
    for number, line in enumerate(script):
        if line["ev"] == "act":
            run = [*run, number] if line["do"] in ("check", "call") else []
        else:
            found |= set(run[1:])
            run = []
    return found


def _cost(line: Line, step: Line, before: Line) -> int:
    """Touches for an act that is no fold: one for a key that is there, else the pad."""
    to = line.get("to")
    if line["do"] not in WAGERS or to is None or to == step.get("min_to"):
        return 1
    bets = [int(bet) for bet in before["bets"].values()]
    high = max(bets, default=0)
    pot = sum(pot["amount"] for pot in before["pots"]) + sum(bets) + int(step.get("to_call") or 0)
    if to in (round(high + pot / 2), high + pot, 3 * high):
        return 1
    return 2 + len(str(to))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
