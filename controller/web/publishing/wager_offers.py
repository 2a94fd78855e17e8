"""The totals of a bet or a raise that the page offers by one touch each, for the seat that acts and those after it.

Three have a name (half the pot, three times the last bet ...); twelve are round totals such as players put out. What is
least and what is all a seat has have keys of their own, and any other total is typed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from config.language_file import mark_for_translation

WAGER_ACTIONS = ("bet", "raise", "complete")
UNIT_KEYS = ("big_blind", "small_bet", "min_bet", "ante")
"""What round totals are multiples of: the first that the game has."""

MAX_ROUND_TOTALS = 12
"""Round totals that the page has room for."""

OPENING_MULTIPLES: tuple[float, ...] = (
    2.1,
    2.2,
    2.3,
    2.4,
    2.75,
    3.5,
    4,
    4.5,
    5,
    6,
    7,
    8,
    9,
    10,
    12,
    15,
    20,
    25,
    30,
    40,
)
ROUND_MULTIPLES: tuple[float, ...] = (
    1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 12, 14, 15, 16, 18, 20, 22, 25, 28, 30, 35, 40, 45, 50, 60, 70,
    80, 90, 100, 120, 150, 200, 250, 300, 400, 500,
)  # fmt: skip
"""Multiples of the unit."""

BET_RANGE_OF_POT = (0.2, 1.6)
RAISE_RANGE_OF_BET = (2.2, 6.0)
"""Where round totals lie: of the pot for a bet, of the last bet for a raise."""

Line = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class NamedTotal:
    """A total with a name; `button_place` says which of three keys it has, so that a key keeps its place."""

    button_place: str
    label: str
    total: int


@dataclass(frozen=True, slots=True)
class WagerOffer:
    """What one seat is offered, in chips in all on the round; none of it twice."""

    named_totals: tuple[NamedTotal, ...]
    round_totals: tuple[int, ...]
    is_any_taken: bool = True
    """Whether any total from the least to the most is taken, and not those two alone."""


def make_wager_offers(line: Line, betting: Line, queue: Iterable[int]) -> dict[int, WagerOffer]:
    """Return the offer of each seat of `queue`, those between having folded or checked.

    `line` is an output line of the table script, `betting` that of the line that opened the table. Empty where nobody
    acts, no wager is taken, its amount is fixed, or amounts are not told. In a limit game a pair in sight gives the
    choice of one bet or two [R7-8.stud.7].
    """
    step = (line.get("next") or [{}])[0]
    least, most = step.get("min_to"), step.get("max_to")
    if step.get("step") != "act" or least is None or most is None or least == most or not line.get("stacks"):
        return {}
    if not any(word in step["options"] for word in WAGER_ACTIONS):
        return {}
    bets = {int(seat): int(bet) for seat, bet in (line.get("bets") or {}).items()}
    stacks = {int(seat): int(stack) for seat, stack in line["stacks"].items()}
    high = max(bets.values(), default=0)
    pot = sum(int(each["amount"]) for each in line.get("pots") or ()) + sum(bets.values())
    stakes = (line.get("timer") or {}).get("stakes") or [0, 0]
    unit = stakes[-2] or next((int(betting[key]) for key in UNIT_KEYS if betting.get(key)), 1)
    found = {}
    if betting.get("structure") == "fixed-limit":
        double = NamedTotal("half", mark_for_translation("Double bet"), int(most))
        return {seat: WagerOffer((double,), (), is_any_taken=False) for seat in queue}
    for seat in queue:
        own, stack = bets.get(seat, 0), stacks.get(seat, 0)
        end = own + stack if betting.get("structure") == "no-limit" else min(own + stack, int(most) + 1)
        taken = range(int(least) + 1, end)
        after_call = pot + min(max(high - own, 0), stack)
        capped = betting.get("structure") == "pot-limit"
        found[seat] = _make_wager_offer(high, after_call, unit, int(betting.get("chip") or 1), taken, capped=capped)
    return found


def _make_wager_offer(high: int, pot: int, unit: int, chip: int, taken: range, *, capped: bool) -> WagerOffer:
    """`pot`: what lies in the middle once the seat has called; `capped`: nobody may put in more than that."""
    if not high:
        low, top, steps = BET_RANGE_OF_POT[0] * pot, BET_RANGE_OF_POT[1] * pot, ROUND_MULTIPLES
        wanted = [
            ("half", mark_for_translation("½ pot"), pot / 2),
            ("pot", mark_for_translation("Pot"), pot),
            ("times", mark_for_translation("¾ pot"), 0.75 * pot),
        ]
    elif high <= unit:
        low, top, steps = 0.0, float(taken.stop), OPENING_MULTIPLES
        second = (mark_for_translation("Pot"), high + pot) if capped else ("\N{MULTIPLICATION SIGN} 2½", 2.5 * high)
        wanted = [
            ("pot", *second),
            ("times", "\N{MULTIPLICATION SIGN} 3", 3 * high),
            ("half", mark_for_translation("½ pot"), high + pot / 2),
        ]
    else:
        low, top, steps = RAISE_RANGE_OF_BET[0] * high, RAISE_RANGE_OF_BET[1] * high, ROUND_MULTIPLES
        wanted = [
            ("half", mark_for_translation("½ pot"), high + pot / 2),
            ("pot", mark_for_translation("Pot"), high + pot),
            ("times", "\N{MULTIPLICATION SIGN} 3", 3 * high),
        ]
    named: list[NamedTotal] = []
    for place, text, to in wanted:
        total = round(to / chip) * chip
        if total in taken and all(total != each.total for each in named):
            named.append(NamedTotal(place, text, total))
    known = {each.total for each in named}
    whole = [int(each * unit) for each in steps if each * unit % chip == 0 and low <= each * unit <= top]
    return WagerOffer(
        tuple(named), _select_totals([total for total in whole if total in taken and total not in known], high, unit)
    )


def _select_totals(totals: Sequence[int], high: int, unit: int) -> tuple[int, ...]:
    """As many as there is room for: of openings the least, else from the least to the most of them."""
    if len(totals) <= MAX_ROUND_TOTALS or 0 < high <= unit:
        return tuple(totals[:MAX_ROUND_TOTALS])
    last = len(totals) - 1
    return tuple(totals[round(place * last / (MAX_ROUND_TOTALS - 1))] for place in range(MAX_ROUND_TOTALS))
