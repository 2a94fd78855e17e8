"""What can go wrong in the simulated room: when it can, where the cards go instead, what the dealer says of it."""

from collections.abc import Mapping
from typing import Any

from controller.app.simulation.simulated_move import SimulatedMove

PANEL_KEY_BY_MISHAP = {"exposed": "exposed", "boxed": "boxed", "off-table": "off_table"}
"""Mishaps of a single card that the panel has a key for."""

STREET_CARDS_BY_BOARD_SIZE = {0: 3, 3: 1, 4: 1}
"""How many cards the next street of the board has, by how many lie there."""

Output = Mapping[str, Any]


def make_mishap_move(fault: str, output: Output) -> SimulatedMove | None:
    """Return the move with which `fault` happens, if it can happen now."""
    step = output["next"][0]
    can = {
        "boxed": step["step"] == "deal",
        "double-burn": step["step"] == "burn" and _is_board_next(output),
        "no-burn": step["step"] == "burn" and _is_board_next(output),
        "premature": step["step"] == "act"
        and len(output["board"]) in STREET_CARDS_BY_BOARD_SIZE
        and "up" not in output,
    }.get(fault, step["step"] == "deal" and step["face"] == "down" and not step.get("why"))
    if fault == "wrong-seat":
        can = can and _find_other_seat(step, output) is not None
    if fault == "duplicate":
        can = can and bool(output["piles"]["seats"])
    return SimulatedMove("mishap", 0.9, mishap=fault) if can else None


def plan_mishap(fault: str, step: Mapping[str, Any], output: Output) -> tuple[list[str], Mapping[str, object] | None]:
    """Return where the cards go, one place a card, and the line with which the dealer reports it, if by touch."""
    match fault:
        case "wrong-seat":
            other = _find_other_seat(step, output)
            return [f"seat {other}"], {"ev": "report", "what": "wrong-seat", "seat": other}
        case "double-burn":
            return ["burn", "burn"], {"ev": "report", "what": "double-burn"}
        case "no-burn":
            cards = output["next"][1]["n"]
            return ["board"] * cards, {"ev": "report", "what": "no-burn"}
        case "premature":
            cards = STREET_CARDS_BY_BOARD_SIZE[len(output["board"])]
            return ["burn", *["board"] * cards], {"ev": "report", "what": "premature", "count": cards + 1}
        case _:
            return [f"seat {step['seat']}"], None


def _is_board_next(output: Output) -> bool:
    return len(output["next"]) > 1 and output["next"][1]["step"] == "board"


def _find_other_seat(step: Mapping[str, Any], output: Output) -> int | None:
    """Another seat that is still to get a card."""
    others = (later["seat"] for later in output["next"] if later["step"] == "deal" and later["seat"] != step["seat"])
    return next(others, None)
