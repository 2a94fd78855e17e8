"""The ratios of one run against those that are on record in `ratios.json`: a quarter worse is a failure.

Only what was measured in turns in one run, or counted, is a ratio, so that another machine finds the same. What seems
worse is measured once more, and the better figure counts: a busy machine makes worse, never better.
"""

import json
from collections.abc import Mapping
from pathlib import Path

RECORD_FILE = Path(__file__).with_name("ratios.json")

MAX_WORSENING = 1.25
"""By which factor a ratio may be worse than on record."""

MAX_WORSENING_BY_NAME = {"lamp-processor": 1.6}
"""Where it may be by more. Who uses the other cores empties the caches of a table that waits for its next card, and
those of the yardstick less: of one tree 8.75 to 9.65 were measured on a quiet machine, 11.6 and 12.9 beside a soak."""

MORE_IS_BETTER = ("pokerkit-no-limit", "pokerkit-mixed")

Ratios = Mapping[str, float]

FLOORS: Ratios = {"event": 1.8, "pokerkit-no-limit": 0.83, "pokerkit-mixed": 2.07, "shoe-dwell-ms": 60.0}
"""What a ratio must not be worse than, whatever is on record.

Of the first three that is 0.93, 1.14 and 1.12 times what c73742df comes to, by turns with this form on one machine:
1.94, 0.73 and 1.85. In it the values of the core were data classes. They were 1.55, 0.95 and 2.5 until the core said
what happened and machines drove it, which made an event 1.16 times as dear (by turns: 0.527 and 0.640 ms a hand; 1.24
and 1.09, 2.94 and 2.43 times PokerKit). 60 ms is what a card that is drawn past quickly takes
(docs/hardware/rfid-shoe.md).
"""


CHANCE = 1.15
"""By which factor two runs of one tree on one machine may differ, busy or not."""


def load_record(path: Path = RECORD_FILE) -> dict[str, float]:
    """Return the ratios on record."""
    found: dict[str, float] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found


def save_record(ratios: Ratios, path: Path = RECORD_FILE) -> None:
    """Put these on record; what was not measured stays as it was."""
    kept = load_record(path) | {name: round(value, 2) for name, value in ratios.items()}
    path.write_text(json.dumps(kept, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def find_worse(ratios: Ratios, known: Ratios) -> dict[str, float]:
    """Return by which factor each ratio is worse than on record, of those that are by more than they may."""
    found = {}
    for name, value in ratios.items():
        if name not in known:
            continue
        factor = _factor(name, value, known[name])
        if factor >= MAX_WORSENING_BY_NAME.get(name, MAX_WORSENING):
            found[name] = factor
    return found


def find_below_floor(ratios: Ratios) -> list[str]:
    """Return the names of the ratios that are worse than their floors by more than chance."""
    return [name for name, floor in FLOORS.items() if name in ratios and _factor(name, ratios[name], floor) > CHANCE]


def _factor(name: str, value: float, known: float) -> float:
    """By how much a ratio is worse than another."""
    return known / value if name in MORE_IS_BETTER else value / known


def choose_better(first: Ratios, second: Ratios) -> dict[str, float]:
    """Return the better of two measurements of each ratio."""
    best = dict(first)
    for name, value in second.items():
        if name in best:
            best[name] = max(best[name], value) if name in MORE_IS_BETTER else min(best[name], value)
        else:
            best[name] = value
    return best
