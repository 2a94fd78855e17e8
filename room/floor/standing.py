"""A table as the floor sees it, made of what it tells: small, whole, and without what nobody may see.

What comes over the wire was written by a table's program, perhaps a newer one: a part that is not as expected is left
out, and the rest shown.
"""

from collections.abc import Mapping
from typing import Any

MOST_SEATS = 12
LONGEST_TEXT = 160
MOST_RULINGS = 4
MOST_STEPS = 12


def standing_of(told: Mapping[str, Any]) -> dict[str, Any]:
    """What the floor's screen shows of a table, from what it tells as a spectator sees it."""
    steps = _steps(told.get("next"))
    rulings = [_ruling(each) for each in _list(told.get("rulings"))]
    return {
        "game": _text(told.get("game")),
        "stakes": stakes_of(told.get("betting")),
        "tournament": told.get("tournament") is True,
        "book": _text(told.get("rulebook")),
        "hand": _number(told.get("hand")) or 0,
        "phase": _text(told.get("phase")),
        "street": _text(told.get("street")),
        "entry": _number(told.get("entry")) or 0,
        "next": steps[0]["text"] if steps else "",
        "seats": [seat for each in _list(told.get("seats"))[:MOST_SEATS] if (seat := _seat(each))],
        "places": _number(told.get("places")) or 0,
        "pot": sum(_number(_dict(pot).get("amount")) or 0 for pot in _list(told.get("pots"))),
        "ruling": rulings[0] if rulings and (told.get("phase") == "remedy" or _is_now(told)) else None,
        "faults": [_text(_dict(fault).get("code")) for fault in _list(told.get("faults"))][:MOST_STEPS],
        "called": told.get("floor_called") is True,
    }


def case_of(told: Mapping[str, Any]) -> dict[str, Any]:
    """The case at a table: its rulings with their clauses, the steps of the remedy, and what is due."""
    return {
        "entry": _number(told.get("entry")) or 0,
        "rulings": [_ruling(each) for each in _list(told.get("rulings"))[:MOST_RULINGS]],
        "ruled_in": _number(told.get("ruled_in")) or 0,
        "remedy": _steps(told.get("remedy")),
        "next": _steps(told.get("next")),
        "board": [card for card in _list(told.get("board")) if card is None or isinstance(card, str)][:16],
        "faults": [
            {"code": _text(_dict(fault).get("code")), "stops": _text(_dict(fault).get("stops"))}
            for fault in _list(told.get("faults"))[:MOST_STEPS]
        ],
    }


def stakes_of(betting: object) -> str:
    """What is played for, as people write it: `1/2`, `2/4 ante 1`; empty where it is not told."""
    told = _dict(betting)
    blinds = [_number(told.get(key)) for key in ("small_blind", "big_blind")]
    text = "/".join(str(each) for each in blinds if each)
    if not text:
        text = "/".join(str(each) for key in ("small_bet", "big_bet") if (each := _number(told.get(key))))
    ante = _number(told.get("ante"))
    return f"{text} ante {ante}".strip() if ante else text


def _is_now(told: Mapping[str, Any]) -> bool:
    return told.get("ruled_in") == told.get("hand") and any(not step["done"] for step in _steps(told.get("remedy")))


def _ruling(told: object) -> dict[str, Any]:
    ruling = _dict(told)
    found = {key: _text(ruling.get(key)) for key in ("finding", "verdict", "text")}
    cites = [_text(cite).split("#")[0] for cite in _list(ruling.get("cite"))][:MOST_RULINGS]
    return {**found, "cite": [cite for cite in cites if cite], "seat": _number(ruling.get("seat"))}


def _steps(told: object) -> list[dict[str, Any]]:
    return [
        {"step": _text(step.get("step")), "text": _text(step.get("text")), "done": step.get("done") is True}
        for each in _list(told)[:MOST_STEPS]
        if (step := _dict(each))
    ]


def _seat(told: object) -> dict[str, Any] | None:
    seat = _dict(told)
    number = _number(seat.get("seat"))
    if number is None:
        return None
    return {
        "seat": number, "player": _text(seat.get("player")), "away": seat.get("away") is True,
        "stack": _number(seat.get("stack")),
    }  # fmt: skip


def _text(value: object) -> str:
    return value[:LONGEST_TEXT] if isinstance(value, str) else ""


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53 else None


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _dict(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
