"""The steps of the last ruling, each ticked when it is done, as the publications of the loop show it.

A step that a ruling asks for is told from the regular deal by what it is; it is done when `next` no longer has it. A
ruling whose entry was taken back leaves the table as it stood before it.
"""

from collections.abc import Mapping
from typing import Any

REMEDIAL = ("return", "shuffle", "cut", "move", "discard", "post", "floor", "say")
STANDS = ("next", "phase", "piles", "board", "stacks", "pots", "bets", "up")

Output = Mapping[str, Any]


class Remedy:
    """Follows the output lines of one table."""

    def __init__(self) -> None:
        self._steps: list[tuple[Mapping[str, Any], bool]] = []
        self._before: Output | None = None
        self._last: Output | None = None
        self._entry = -1
        self.taken_back = False

    @property
    def steps(self) -> list[dict[str, Any]]:
        """The ruling's steps in order, with `done`."""
        return [{**step, "done": done} for step, done in self._steps]

    def follow(self, output: Output, entry: int) -> None:
        """Take the output line of entry number `entry`; the same entry again changes nothing."""
        if entry == self._entry:
            return
        self._entry = entry
        if "error" in output:
            return
        due = [step for step in output.get("next", ()) if remedial(step)]
        if output.get("rulings"):
            self._steps = [(step, False) for step in due]
            self._before, self.taken_back = self._last, False
        else:
            begun = any(done for _, done in self._steps)
            stood = () if self._before is None else _stands(self._before)
            self.taken_back = self.taken_back or (not begun and _stands(output) == stood != _stands(self._last))
            if not self.taken_back:
                self._tick(due)
        self._last = output

    def _tick(self, due: list[Mapping[str, Any]]) -> None:
        waiting = list(due)
        ticked: list[tuple[Mapping[str, Any], bool]] = []
        for step, _ in reversed(self._steps):
            if waiting and waiting[-1] == step:
                waiting.pop()
                ticked.append((step, False))
            else:
                ticked.append((step, True))
        self._steps = ticked[::-1]


def remedial(step: Mapping[str, Any]) -> bool:
    """Whether a step of `next` is there for a ruling, as far as one can see from outside."""
    if step["step"] == "deal":
        return step.get("why") in ("replacement", "missing")
    return step["step"] in REMEDIAL


def _stands(output: Output | None) -> tuple[object, ...]:
    return () if output is None else tuple(output.get(key) for key in STANDS)
