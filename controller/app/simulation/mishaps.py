"""What can go wrong in the simulated room: when it can, where the cards go instead, what the dealer says of it."""

from collections.abc import Mapping
from typing import Any

from controller.app.simulation.moves import Move

BY_KEY = {"exposed": "exposed", "boxed": "boxed", "off-table": "off_table"}
"""Mishaps of a single card that the panel has a key for."""

BOARD_CARDS = {0: 3, 3: 1, 4: 1}
"""How many cards the next street of the board has, by how many lie there."""

Output = Mapping[str, Any]


def due(fault: str, output: Output) -> Move | None:
    """Return the move with which `fault` happens, if it can happen now."""
    step = output["next"][0]
    can = {
        "boxed": step["step"] == "deal",
        "double-burn": step["step"] == "burn" and _next_is_board(output),
        "no-burn": step["step"] == "burn" and _next_is_board(output),
        "premature": step["step"] == "act" and len(output["board"]) in BOARD_CARDS and "up" not in output,
    }.get(fault, step["step"] == "deal" and step["face"] == "down" and not step.get("why"))
    if fault == "wrong-seat":
        can = can and _other_seat(step, output) is not None
    if fault == "duplicate":
        can = can and bool(output["piles"]["seats"])
    return Move("mishap", 0.9, fault=fault) if can else None


def instead(fault: str, step: Mapping[str, Any], output: Output) -> tuple[list[str], Mapping[str, object] | None]:
    """Return where the cards go, one place a card, and the line with which the dealer reports it, if by touch."""
    match fault:
        case "wrong-seat":
            other = _other_seat(step, output)
            return [f"seat {other}"], {"ev": "report", "what": "wrong-seat", "seat": other}
        case "double-burn":
            return ["burn", "burn"], {"ev": "report", "what": "double-burn"}
        case "no-burn":
            cards = output["next"][1]["n"]
            return ["board"] * cards, {"ev": "report", "what": "no-burn"}
        case "premature":
            cards = BOARD_CARDS[len(output["board"])]
            return ["burn", *["board"] * cards], {"ev": "report", "what": "premature", "count": cards + 1}
        case _:
            return [f"seat {step['seat']}"], None


def _next_is_board(output: Output) -> bool:
    return len(output["next"]) > 1 and output["next"][1]["step"] == "board"


def _other_seat(step: Mapping[str, Any], output: Output) -> int | None:
    """Another seat that is still to get a card."""
    others = (later["seat"] for later in output["next"] if later["step"] == "deal" and later["seat"] != step["seat"])
    return next(others, None)
