"""The gate is open for a card that is due and for none else; the lamps are lit where the first step is."""

from collections.abc import Iterator, Mapping
from typing import Any

from tests.evenings.oracles.standing import CARD_STEPS, Line, Page, Watcher, get_first_step, get_line
from tests.evenings.seen import Seen

ROLES = ("button", "small_blind", "big_blind", "winner_button", "kill", "choice", "act", "deal", "attention")
"""Roles of lamps that a line always has (docs/table-script.md)."""

ASKED_SEATS = ("act", "draw", "bet")
"""Steps whose seat is lit as the one that acts."""


class SignalOracle(Watcher):
    """Compares gate and lamps of each state with its own steps."""

    name = "signals"

    def __init__(self) -> None:
        self.last: Page | None = None

    def look(self, seen: Seen) -> Iterator[str]:
        """Compare the signals before and after an entry."""
        if self.last is not seen.before and self.last != seen.before:
            yield from look_at_signals(seen.before)
        yield from look_at_signals(seen.after)
        self.last = seen.after


def look_at_signals(page: Page) -> Iterator[str]:
    """Say where gate or lamps of a state are not those of its first step."""
    line = get_line(page)
    if not line:
        return
    yield from _look_at_gate(line, page)
    lamps = line.get("lamps")
    if lamps is None:
        yield "the line has no lamps"
        return
    yield from (f"the lamp {role} is missing" for role in ROLES if role not in lamps)
    yield from _look_at_due_lamps(line, lamps)
    yield from _look_at_chairs(page, lamps)


def _look_at_gate(line: Line, page: Page) -> Iterator[str]:
    step, gate = get_first_step(line), line.get("gate")
    kind, phase = step.get("step"), line.get("phase")
    if gate not in ("open", "locked"):
        yield f"the gate is {gate}"
    if gate == "open" and kind not in (*CARD_STEPS, "discard"):
        yield f"the gate is open, and the first step is {kind}"
    if gate == "open" and phase in ("halted", "idle", "floor", "bet", "showdown"):
        yield f"the gate is open in phase {phase}"
    if gate == "locked" and kind in CARD_STEPS and phase != "halted":
        yield f"the gate is locked, and the first step is {kind}"
    stopping = [fault["code"] for fault in page.get("faults") or () if fault.get("stops") == "now"]
    if stopping and gate == "open":
        yield f"the gate is open while {', '.join(stopping)} halts the table"


def _look_at_due_lamps(line: Line, lamps: Mapping[str, list[int]]) -> Iterator[str]:
    """The lamps of a line are those of its steps; that a halted table's are dark is the lamps' own (docs/lamps.md)."""
    step = get_first_step(line)
    kind = step.get("step")
    deals = [each["seat"] for each in line.get("next") or () if each.get("step") == "deal"]
    # After a misdeal nobody is due a card until all are back (docs/lamps.md), nor while a charge is asked for.
    is_held = kind in ("shuffle", "cut") or (kind == "return" and step.get("from") == "all")
    is_held = is_held or (kind == "collect" and "seat" in step)
    wanted = [] if is_held else deals[:1]
    if lamps.get("deal") != wanted:
        yield f"the deal lamp is lit at {lamps.get('deal')}, and the first card goes to {wanted}"
    if kind == "draw":
        asked = {each["seat"] for each in line["next"] if each.get("step") == "draw"}
        if not set(lamps.get("act", ())) <= asked or not lamps.get("act"):
            yield f"the act lamp is lit at {lamps.get('act')}, and {sorted(asked)} are to draw"
        return
    acts: list[int] = step["seats"][:1] if kind == "bet" else []
    if kind == "act" or (kind == "collect" and "seat" in step):
        acts = [step["seat"]]
    if lamps.get("act") != acts:
        yield f"the act lamp is lit at {lamps.get('act')}, and the first step is {dict(step)}"


def _look_at_chairs(page: Page, lamps: Mapping[str, list[int]]) -> Iterator[str]:
    players: Mapping[str, Any] = page.get("players") or {}
    places = page.get("setup", {}).get("places")
    for role, seats in lamps.items():
        if list(seats) != sorted(set(seats)):
            yield f"the lamps of {role} are {seats}, which do not ascend"
        if places and any(not 1 <= seat <= places for seat in seats):
            yield f"the lamp {role} is lit at {seats}, and there are {places} chairs"
    for role in ("deal", "act", "attention"):
        empty = [seat for seat in lamps.get(role, ()) if str(seat) not in players]
        if empty and players:
            yield f"the lamp {role} is lit at {empty}, where nobody sits"
