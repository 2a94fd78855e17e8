"""Hands of a flop game up to a street, and plans in few words."""

from typing import Any

from tests.playing import ScriptedTable, play

BOOKS = ("roberts-7", "casino-au", "house-rules", "fish-n-chips", "maryport")
DEALT = "card Ad 9c Tc 5d 6c 4d Qh 6d"
CHECKS = ("act 2 check", "act 3 check", "act 4 check", "act 1 check")


def preflop(book: str, **table: Any) -> ScriptedTable:  # noqa: ANN401
    """Four players; all but the big blind, seat 3, have called."""
    return play(book, "start", DEALT, "act 4 call", "act 1 call", "act 2 call", **table)


def before_flop(book: str, **table: Any) -> ScriptedTable:  # noqa: ANN401
    """The betting before the flop is over."""
    played = preflop(book, **table)
    played("act 3 check")
    assert plan(played)[:2] == ["burn", "board flop 3"], plan(played)
    return played


def on_flop(book: str, **table: Any) -> ScriptedTable:  # noqa: ANN401
    """The flop lies there, seat 2 is to act."""
    played = before_flop(book, **table)
    played("card 8h 2s 4s Qd")
    return played


def before_turn(book: str, **table: Any) -> ScriptedTable:  # noqa: ANN401
    """All have checked the flop."""
    played = on_flop(book, **table)
    played(*CHECKS)
    return played


def on_turn(book: str, **table: Any) -> ScriptedTable:  # noqa: ANN401
    """The turn lies there, seat 2 is to act."""
    played = before_turn(book, **table)
    played("card Js Ks")
    return played


def all_in(book: str, **table: Any) -> ScriptedTable:  # noqa: ANN401
    """Heads-up, both all-in before the flop; the board is to come without betting."""
    first, second = (2, 1) if book == "casino-au" else (1, 2)
    return play(book, "start", "card Ad 9c Tc 5d", f"act {first} all-in", f"act {second} call", seats=2, **table)


def plan(played: ScriptedTable) -> list[str]:
    """The steps of the last line in few words."""
    return [_said(step) for step in played.lines[-1]["next"]]


def _said(step: dict[str, Any]) -> str:
    match step["step"]:
        case "return":
            return f"return {step['from']} > {step['to']} {step['count']}"
        case "board":
            return f"board {step['street']} {step['n']}"
        case "act" | "show" | "deal":
            return f"{step['step']} {step['seat']}"
        case plain:
            return str(plain)


def piles(played: ScriptedTable, *names: str) -> dict[str, int]:
    """Some piles of the last line."""
    return {name: played.lines[-1]["piles"][name] for name in names}


def ruling(played: ScriptedTable, finding: str) -> dict[str, Any]:
    """The first ruling of the last line; it must be the finding's."""
    answer = played.lines[-1]
    assert "error" not in answer, answer["error"]
    first: dict[str, Any] = answer["rulings"][0]
    assert first["finding"] == finding
    return first


def error(played: ScriptedTable) -> str:
    """The code of the last line's refusal."""
    return str(played.lines[-1].get("error", {}).get("code"))
