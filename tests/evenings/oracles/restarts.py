"""A table that was without power, or was started anew, stands where it stood: nothing that was shown is lost."""

from collections.abc import Iterator
from dataclasses import replace

from tests.evenings.oracles.standing import Page, Watcher, compare, get_line, is_set_up_anew
from tests.evenings.seen import Seen

KEPT = ("hand", "street", "piles", "board", "boards", "up", "stacks", "pots", "bets")
"""What a start may not change; a fault may halt the table until somebody has looked at it."""


class RestartOracle(Watcher):
    """Keeps the last page before the power went, and compares the first one after."""

    name = "restarts"

    def __init__(self) -> None:
        self.last: Page | None = None
        self.is_down = False

    def look(self, seen: Seen) -> Iterator[str]:
        """Compare the first page of a program that was started anew."""
        is_begun = seen.after and seen.truth.power and (self.is_down or seen.way == "power")
        if is_begun and self.last is not None and not is_set_up_anew(replace(seen, before=self.last)):
            yield from self._compare(seen.after)
        if seen.after:
            self.last = seen.after
        self.is_down = not seen.after or not seen.truth.power

    def _compare(self, found: Page) -> Iterator[str]:
        assert self.last is not None
        old, new = get_line(self.last), get_line(found)
        for key in compare({key: old.get(key) for key in KEPT}, {key: new.get(key) for key in KEPT}):
            yield f"after a start {key} is {new.get(key)} in place of {old.get(key)}"
        who, now = self.last.get("players") or {}, found.get("players") or {}
        if {seat: who[seat].get("player") for seat in who} != {seat: now[seat].get("player") for seat in now}:
            yield f"after a start other players sit there: {sorted(who)} -> {sorted(now)}"
