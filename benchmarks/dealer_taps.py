"""How often a dealer touches the page for a real hand, act by act as told, by the keys that the page shows.

Needs a folder of PHH hands with its `check.py`, which turns them into table scripts:

    python -m benchmarks.dealer_taps FOLDER

Counted as `controller/web/static/act-buttons.js` offers it: a key each for fold, check, call, the least wager, all-in,
and the named totals of `controller/web/publishing/wager_offers.py`; two touches for a round total, which stands behind
one key; any other total by the pad, a key a figure; two for all that fold or check before a seat further on, the seat
and the key that says whom; one for all who do alike to the end of the round, or for one who calls while the rest fold;
one for all hands shown one after the other, for steps carried out one after the other, and for the pots pushed, with
which the next hand starts. With an antenna at the muck nobody touches for a fold.
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

from config.table_line import parse_table_line
from controller.core.engine.output import outcome_rendering
from controller.core.engine.table import Table
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.table_error import Refused
from controller.web.publishing.wager_offers import WAGER_ACTIONS, make_wager_offers

HAND_FOLDERS = ("pluribus", "wsop-2023-43-5", "fpdb-converted", "historic")
MANUAL_STEPS = ("return", "shuffle", "cut", "move", "discard")

Line = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RoundAct:
    """An act of a round: what its key or the pad costs, and whether `act-buttons.js` says that it leaves, or stays."""

    tap_count: int
    is_fold_or_check: bool
    is_call_or_check: bool
    is_fold: bool


def main(folder: Path) -> dict[str, float]:
    """Print touches a hand by structure: act by act, with an antenna at the muck, and told rounds without one.

    Returns the mean by acts and with the antenna, as figures on record.
    """
    found: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for script in _load_scripts(folder):
        found[str(script[0]["betting"]["structure"])].append(count_taps(script))
    found["all"] = [counts for several in tuple(found.values()) for counts in several]
    print("touches a hand         hands   by acts: median p90   muck antenna: median p90   by rounds: median p90")
    for structure, counts in found.items():
        acts, muck, rounds = ([each[kind] for each in counts] for kind in range(3))
        print(
            f"  {structure:20} {len(counts):5}            {median(acts):6.0f} {_compute_p90(acts):3.0f}              "
            f"   {median(muck):6.0f} {_compute_p90(muck):3.0f}              {median(rounds):6.0f} "
            f"{_compute_p90(rounds):3.0f}"
        )
    every = found["all"]
    return {"touches-acts": mean(each[0] for each in every), "touches-muck": mean(each[1] for each in every)}


def _compute_p90(counts: Sequence[int]) -> float:
    return quantiles(counts, n=10)[-1] if len(counts) > 1 else float(counts[0])


def _load_scripts(folder: Path) -> list[list[Line]]:
    scripts: list[list[Line]] = []
    for each in HAND_FOLDERS:
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


def count_taps(script: Sequence[Line]) -> tuple[int, int, int]:
    """Touches by acts, by acts where an antenna reads the muck, and by rounds with a touch a fold."""
    table = Table()
    outcome = table.handle(parse_table_line(script[0]))
    rounds: list[list[RoundAct]] = []
    others = by_rounds = 0
    street = last = None
    for line in script[1:]:
        before = outcome_rendering.render_outcome(outcome, 0)
        try:
            outcome = table.handle(parse_line(line))
        except Refused:
            continue  # a confirmation that a table may leave out
        word, step = str(line["ev"]), (before["next"] or [{}])[0]
        this = (word, step.get("step"))
        if word == "act":
            if street != before["street"]:
                rounds.append([])
                by_rounds += 1
                street = before["street"]
            rounds[-1].append(_make_round_act(line, step, before, script[0]["betting"]))
            by_rounds += line["do"] == "fold"
        elif word in ("won", "draw", "muck") or (word in ("show", "done") and this != last and _is_own_tap(*this)):
            others += 1
            by_rounds -= word == "muck"
        last = this if word != "card" else last
    by_muck = sum(_count_fewest_taps([act for act in each if not act.is_fold]) for each in rounds)
    return sum(map(_count_fewest_taps, rounds)) + others, by_muck + others, by_rounds + others


def _is_own_tap(word: str, step: str | None) -> bool:
    """Whether a confirmation is a touch of its own: what people do by hand comes with the first of it."""
    return word == "show" or step not in MANUAL_STEPS or step == "return"


def _count_fewest_taps(acts: Sequence[RoundAct]) -> int:
    """The fewest touches that enter a round, from its end: `best[i]` for the acts from `i` on."""
    best = [0] * (len(acts) + 1)
    for i in range(len(acts) - 1, -1, -1):
        best[i] = min(acts[i].tap_count + best[i + 1], _count_taps_to_round_end(acts[i:]))
        for j in range(i + 1, len(acts)):
            if not acts[j - 1].is_fold_or_check:
                break
            best[i] = min(best[i], 2 + acts[j].tap_count + best[j + 1], 2 + _count_taps_to_round_end(acts[j:]))
    return best[0]


def _count_taps_to_round_end(acts: Sequence[RoundAct]) -> int:
    """One, if a key ends the round so; else more than anybody touches."""
    alike = all(act.is_call_or_check for act in acts) or all(act.is_fold_or_check for act in acts)
    alone = acts[0].is_call_or_check and all(act.is_fold_or_check for act in acts[1:])
    return 1 if len(acts) > 1 and (alike or alone) else 1000


def _make_round_act(line: Line, step: Line, before: Line, betting: Line) -> RoundAct:
    word, to, seat = line["do"], line.get("to"), int(line["seat"])
    owes = int(step.get("to_call") or 0)
    stack = int((before.get("stacks") or {}).get(str(seat)) or 0)
    stays = word in ("check", "call") or (word == "all-in" and owes > 0 and stack <= owes)
    cost = 1
    if word in WAGER_ACTIONS and to is not None and to != step.get("min_to"):
        offer = make_wager_offers(before, betting, [seat]).get(seat)
        named = {each.total for each in offer.named_totals} if offer else set()
        round_totals = set(offer.round_totals) if offer else set()
        everything = stack + int(before["bets"].get(str(seat), 0)) if "all-in" in step["options"] else None
        cost = 1 if to in named or to == everything else 2 if to in round_totals else 2 + len(str(to))
    return RoundAct(
        cost, is_fold_or_check=word == ("fold" if owes else "check"), is_call_or_check=stays, is_fold=word == "fold"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
