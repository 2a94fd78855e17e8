"""The steps of the last ruling, each ticked when it is done, as the publications of the loop show it.

A step that a ruling asks for is told from the regular deal by what it is; it is done when `next` no longer has it. A
ruling whose entry was taken back leaves the table as it stood before it.
"""

from collections.abc import Mapping
from typing import Any

REMEDY_STEP_KINDS = ("return", "shuffle", "cut", "move", "discard", "post", "floor", "say")
COMPARED_KEYS = ("next", "phase", "piles", "board", "stacks", "pots", "bets", "up")

OutputLine = Mapping[str, Any]


class RemedyProgress:
    """Follows the output lines of one table."""

    def __init__(self) -> None:
        self._steps: list[tuple[Mapping[str, Any], bool]] = []
        self._line_before_ruling: OutputLine | None = None
        self._last_line: OutputLine | None = None
        self._last_entry = -1
        self.is_taken_back = False

    @property
    def steps(self) -> list[dict[str, Any]]:
        """The ruling's steps in order, with `done`."""
        return [{**step, "done": done} for step, done in self._steps]

    def follow(self, output: OutputLine, entry: int, *, is_taken_back: bool = False) -> None:
        """Take the output line of entry number `entry`; the same entry again changes nothing.

        `is_taken_back`: the loop knows that the entry of the last ruling was. A script alone shows it by how it stands.
        """
        if entry == self._last_entry:
            return
        self._last_entry = entry
        if "error" in output:
            return
        due = [step for step in output.get("next", ()) if is_remedy_step(step)]
        if output.get("rulings"):
            self._steps = [(step, False) for step in due]
            self._line_before_ruling, self.is_taken_back = self._last_line, False
        else:
            begun = any(done for _, done in self._steps)
            stood = () if self._line_before_ruling is None else _select_compared_values(self._line_before_ruling)
            stands_as_before = _select_compared_values(output) == stood != _select_compared_values(self._last_line)
            self.is_taken_back = self.is_taken_back or is_taken_back or (stands_as_before and not begun)
            if not self.is_taken_back:
                self._mark_done_steps(due)
        self._last_line = output

    def _mark_done_steps(self, due: list[Mapping[str, Any]]) -> None:
        waiting = list(due)
        ticked: list[tuple[Mapping[str, Any], bool]] = []
        for step, _ in reversed(self._steps):
            if waiting and waiting[-1] == step:
                waiting.pop()
                ticked.append((step, False))
            else:
                ticked.append((step, True))
        self._steps = ticked[::-1]


def is_remedy_step(step: Mapping[str, Any]) -> bool:
    """Whether a step of `next` is there for a ruling, as far as one can see from outside."""
    if step["step"] == "deal":
        return step.get("why") in ("replacement", "missing")
    return step["step"] in REMEDY_STEP_KINDS


def _select_compared_values(output: OutputLine | None) -> tuple[object, ...]:
    return () if output is None else tuple(output.get(key) for key in COMPARED_KEYS)
