"""Hands of a flop game up to the end of the deal, and plans in words that tell one step from another."""

from typing import Any

from tests.playing import ScriptedTable, play

DEALT = "card Ad 9c Tc 5d 6c 4d Qh 6d"
TWO_ACTED = ("act 4 call", "act 1 call")


def dealt(book: str, *lines: str | dict[str, Any], **table: Any) -> ScriptedTable:  # noqa: ANN401
    """Four players, all hands complete, seat 4 to act; then the lines."""
    return play(book, "start", DEALT, *lines, **table)


def on_flop(book: str, *lines: str | dict[str, Any], **table: Any) -> ScriptedTable:  # noqa: ANN401
    """All have called, the flop lies there, seat 2 is to act."""
    return dealt(book, *TWO_ACTED, "act 2 call", "act 3 check", "card 8h 2s 4s Qd", *lines, **table)


def again(cards: int) -> list[str]:
    """The steps of a misdeal when so many cards go back."""
    return [f"return hands all > stub {cards}", "shuffle", "cut"]


def plan(played: ScriptedTable) -> list[str]:
    """The steps of the last line in few words."""
    return [_said(step) for step in played.lines[-1]["next"]]


def _said(step: dict[str, Any]) -> str:
    match step["step"]:
        case "return":
            return f"return {step['what']} {step['from']} > {step['to']} {step['count']}"
        case "move":
            return f"move {step['from']} > {step['to']}"
        case "deal":
            return " ".join(filter(None, ("deal", str(step["seat"]), step.get("why", ""))))
        case "board":
            return f"board {step['street']} {step['n']}"
        case "act" | "show":
            return f"{step['step']} {step['seat']}"
        case "award":
            return f"award {step['seats']}"
        case word:
            return str(word)
