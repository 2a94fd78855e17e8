"""How often a dealer touches the page for a real hand, act by act as told, by the keys that the page shows.

Needs a folder of PHH hands with its `check.py`, which turns them into table scripts:

    python -m benchmarks.touches FOLDER

Counted as `controller/web/static/acts.js` offers it: a key each for fold, check, call, the least wager, all-in, and the
totals of `controller/web/wagers.py`; any other total by the pad, a key a figure; a touch on a seat further on for all
that fold or check before it; one for all who do alike to the end of the round, or for one who calls while the rest
fold; one for all hands shown one after the other, for steps carried out one after the other, and for the pots pushed,
with which the next hand starts. With an antenna at the muck nobody touches for a fold.
"""

import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median, quantiles
from typing import Any

from config.setup import open_table
from controller.core.engine.display import view
from controller.core.engine.table import Table
from controller.core.protocol.errors import Refused
from controller.core.protocol.script import read
from controller.web.wagers import WAGERS, offers

FOLDERS = ("pluribus", "wsop-2023-43-5", "fpdb-converted", "historic")
BY_HAND = ("return", "shuffle", "cut", "move", "discard")

Line = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Act:
    """An act of a round: what its own key or the pad costs, and whether it is what `acts.js` calls leaves, or stays."""

    cost: int
    leaves: bool
    stays: bool
    folds: bool


def main(folder: Path) -> dict[str, float]:
    """Print touches a hand by structure: act by act, with an antenna at the muck, and told rounds without one.

    Returns the mean by acts and with the antenna, as figures on record.
    """
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
    every = found["all"]
    return {"touches-acts": mean(each[0] for each in every), "touches-muck": mean(each[1] for each in every)}


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
    rounds: list[list[Act]] = []
    others = by_rounds = 0
    street = last = None
    for line in script[1:]:
        before = view.line(outcome, 0)
        try:
            outcome = table.handle(read(line))
        except Refused:
            continue  # a confirmation that a table may leave out
        word, step = str(line["ev"]), (before["next"] or [{}])[0]
        this = (word, step.get("step"))
        if word == "act":
            if street != before["street"]:
                rounds.append([])
                by_rounds += 1
                street = before["street"]
            rounds[-1].append(_act(line, step, before, script[0]["betting"]))
            by_rounds += line["do"] == "fold"
        elif word in ("won", "draw", "muck") or (word in ("show", "done") and this != last and _counts(*this)):
            others += 1
            by_rounds -= word == "muck"
        last = this if word != "card" else last
    by_muck = sum(_least([act for act in each if not act.folds]) for each in rounds)
    return sum(map(_least, rounds)) + others, by_muck + others, by_rounds + others


def _counts(word: str, step: str | None) -> bool:
    """Whether a confirmation is a touch of its own: what people do by hand comes with the first of it."""
    return word == "show" or step not in BY_HAND or step == "return"


def _least(acts: Sequence[Act]) -> int:
    """The fewest touches that enter a round, from its end: `best[i]` for the acts from `i` on."""
    best = [0] * (len(acts) + 1)
    for i in range(len(acts) - 1, -1, -1):
        best[i] = min(acts[i].cost + best[i + 1], _to_the_end(acts[i:]))
        for j in range(i + 1, len(acts)):
            if not acts[j - 1].leaves:
                break
            best[i] = min(best[i], 1 + acts[j].cost + best[j + 1], 1 + _to_the_end(acts[j:]))
    return best[0]


def _to_the_end(acts: Sequence[Act]) -> int:
    """One, if a key ends the round so; else more than anybody touches."""
    alike = all(act.stays for act in acts) or all(act.leaves for act in acts)
    alone = acts[0].stays and all(act.leaves for act in acts[1:])
    return 1 if len(acts) > 1 and (alike or alone) else 1000


def _act(line: Line, step: Line, before: Line, betting: Line) -> Act:
    word, to, seat = line["do"], line.get("to"), int(line["seat"])
    owes = int(step.get("to_call") or 0)
    stack = int((before.get("stacks") or {}).get(str(seat)) or 0)
    stays = word in ("check", "call") or (word == "all-in" and owes > 0 and stack <= owes)
    cost = 1
    if word in WAGERS and to is not None and to != step.get("min_to"):
        offer = offers(before, betting, [seat]).get(seat)
        known = {each.to for each in offer.named} | set(offer.totals) if offer else set()
        everything = stack + int(before["bets"].get(str(seat), 0)) if "all-in" in step["options"] else None
        cost = 1 if to in known or to == everything else 2 + len(str(to))
    return Act(cost, leaves=word == ("fold" if owes else "check"), stays=stays, folds=word == "fold")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
