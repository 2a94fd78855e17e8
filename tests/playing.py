"""Plays table scripts in-process: the tests' hands on the table."""

from typing import Any

from config.table_line import parse_table_line
from controller.core.engine.output import outcome_rendering
from controller.core.engine.table import Table
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.table_error import Refused

NO_LIMIT = {"structure": "no-limit", "small_blind": 1, "big_blind": 2}


class ScriptedTable:
    """A table and the lines that it answered."""

    def __init__(self) -> None:
        self.table = Table()
        self.lines: list[dict[str, Any]] = []

    def __call__(self, *lines: dict[str, Any] | str) -> dict[str, Any]:
        """Play lines (a dict, or words: `card As Kd`, `act 4 raise 6`, `start`, `done`); returns the last answer."""
        for line in lines:
            for event in [line] if isinstance(line, dict) else parse_phrase(line):
                self.lines.append(self._answer(event))
        return self.lines[-1]

    def _answer(self, line: dict[str, Any]) -> dict[str, Any]:
        number = len(self.lines) + 1
        try:
            outcome = self.table.handle(parse_table_line(line) if line["ev"] == "table" else parse_line(line))
        except Refused as error:
            if not self.lines:
                return outcome_rendering.render_missing_table(number, error)
            return outcome_rendering.render_outcome(self.table.outcome, number, error)
        return outcome_rendering.render_outcome(outcome, number)


def parse_phrase(words: str) -> list[dict[str, Any]]:
    """The script lines for a phrase."""
    verb, *rest = words.split()
    if verb == "card":
        return [{"ev": "card", "card": None if card == "-" else card} for card in rest]
    if verb == "act":
        amount = {"to": int(rest[2])} if len(rest) > 2 else {}
        return [{"ev": "act", "seat": int(rest[0]), "do": rest[1], **amount}]
    if verb == "report":
        return [{"ev": "report", "what": rest[0], **{k: _value(v) for k, v in (w.split("=") for w in rest[1:])}}]
    if verb in ("show", "muck", "clock", "leave", "away"):
        return [{"ev": verb, "seat": int(rest[0])}]
    return [{"ev": verb}] * (int(rest[0]) if rest else 1)


def _value(text: str) -> int | str:
    return int(text) if text.isdecimal() else text


def play(
    book: str,
    *lines: dict[str, Any] | str,
    seats: int = 4,
    stacks: dict[int, int | None] | None = None,
    **table: object,
) -> ScriptedTable:
    """A hold'em table under a book, the button on seat 1, then the lines.

    `seats` players have 200 each; `stacks` says otherwise, seat by seat (`None` where amounts are untracked).
    """
    chips: dict[int, int | None] = stacks or dict.fromkeys(range(1, seats + 1), 200)
    places = [{"seat": seat} | ({} if stack is None else {"stack": stack}) for seat, stack in chips.items()]
    setup = {
        "ev": "table",
        "rulebook": book,
        "game": "holdem",
        "betting": NO_LIMIT,
        "seats": places,
        "button": 1,
    } | table
    played = ScriptedTable()
    played({key: value for key, value in setup.items() if value is not None})
    assert "error" not in played.lines[0], played.lines[0]
    played(*lines)
    return played
