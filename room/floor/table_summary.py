"""A table as the floor sees it, made of what it tells: small, whole, and without what nobody may see.

What comes over the wire was written by a table's program, perhaps a newer one: a part that is not as expected is left
out, and the rest shown.
"""

import json
from collections.abc import Mapping
from typing import Any

MAX_SEATS = 12
MAX_TEXT_LENGTH = 160
MAX_RULING_LENGTH = 600
"""Of what a ruling says: several sentences and their clause, which nobody knows again when they are cut."""

MAX_RULINGS = 4
MAX_STEPS = 12
MAX_WORDS_LENGTH = 300
"""Of a step as the table script has it, as JSON; a longer one is said as the table said it, in English."""

SAID = ("text", "short", "done")
"""What a table's page adds to a step."""


def summarize_table(told: Mapping[str, Any]) -> dict[str, Any]:
    """What the floor's screen shows of a table, from what it tells as a spectator sees it."""
    steps = _summarize_steps(told.get("next"))
    rulings = [_summarize_ruling(each) for each in _parse_list(told.get("rulings"))]
    return {
        "game": _parse_text(told.get("game")),
        "stakes": format_stakes(told.get("betting")),
        "ante": _parse_number(_parse_dict(told.get("betting")).get("ante")) or 0,
        "tournament": told.get("tournament") is True,
        "book": _parse_text(told.get("rulebook")),
        "hand": _parse_number(told.get("hand")) or 0,
        "phase": _parse_text(told.get("phase")),
        "street": _parse_text(told.get("street")),
        "entry": _parse_number(told.get("entry")) or 0,
        "next": steps[0]["text"] if steps else "",
        "seats": [seat for each in _parse_list(told.get("seats"))[:MAX_SEATS] if (seat := _summarize_seat(each))],
        "places": _parse_number(told.get("places")) or 0,
        "pot": sum(_parse_number(_parse_dict(pot).get("amount")) or 0 for pot in _parse_list(told.get("pots"))),
        "ruling": rulings[0] if rulings and (told.get("phase") == "remedy" or _is_ruling_current(told)) else None,
        "faults": [_parse_text(_parse_dict(fault).get("code")) for fault in _parse_list(told.get("faults"))][
            :MAX_STEPS
        ],
        "called": told.get("floor_called") is True,
    }


def summarize_case(told: Mapping[str, Any]) -> dict[str, Any]:
    """The case at a table: its rulings with their clauses, the steps of the remedy, and what is due."""
    return {
        "entry": _parse_number(told.get("entry")) or 0,
        "rulings": [_summarize_ruling(each) for each in _parse_list(told.get("rulings"))[:MAX_RULINGS]],
        "ruled_in": _parse_number(told.get("ruled_in")) or 0,
        "remedy": _summarize_steps(told.get("remedy")),
        "next": _summarize_steps(told.get("next")),
        "board": [card for card in _parse_list(told.get("board")) if card is None or isinstance(card, str)][:16],
        "faults": [
            {"code": _parse_text(_parse_dict(fault).get("code")), "stops": _parse_text(_parse_dict(fault).get("stops"))}
            for fault in _parse_list(told.get("faults"))[:MAX_STEPS]
        ],
    }


def format_stakes(betting: object) -> str:
    """The blinds or bets that are played for, as people write them: `1/2`, `4/8`; empty where they are not told."""
    told = _parse_dict(betting)
    blinds = [_parse_number(told.get(key)) for key in ("small_blind", "big_blind")]
    if said := _parse_list(told.get("blinds")):
        blinds = [_parse_number(each.get("amount") if isinstance(each, dict) else each) for each in said]
    text = "/".join(str(each) for each in blinds if each)
    if not text:
        text = "/".join(str(each) for key in ("small_bet", "big_bet") if (each := _parse_number(told.get(key))))
    return text


def _is_ruling_current(told: Mapping[str, Any]) -> bool:
    return told.get("ruled_in") == told.get("hand") and any(
        not step["done"] for step in _summarize_steps(told.get("remedy"))
    )


def _summarize_ruling(told: object) -> dict[str, Any]:
    ruling = _parse_dict(told)
    found = {key: _parse_text(ruling.get(key)) for key in ("finding", "verdict")}
    cites = [_parse_text(cite).split("#")[0] for cite in _parse_list(ruling.get("cite"))][:MAX_RULINGS]
    text = _parse_text(ruling.get("text"), MAX_RULING_LENGTH)
    return {**found, "text": text, "cite": [cite for cite in cites if cite], "seat": _parse_number(ruling.get("seat"))}


def _summarize_steps(told: object) -> list[dict[str, Any]]:
    return [
        {
            "step": _parse_text(step.get("step")), "text": _parse_text(step.get("text")),
            "done": step.get("done") is True, "words": _parse_words(step),
        }
        for each in _parse_list(told)[:MAX_STEPS]
        if (step := _parse_dict(each))
    ]  # fmt: skip


def _parse_words(step: Mapping[str, Any]) -> dict[str, Any]:
    """A step as the table script has it, by which it can be said in another language."""
    words = {key: value for key, value in step.items() if key not in SAID}
    return words if len(json.dumps(words)) <= MAX_WORDS_LENGTH else {}


def _summarize_seat(told: object) -> dict[str, Any] | None:
    seat = _parse_dict(told)
    number = _parse_number(seat.get("seat"))
    if number is None:
        return None
    return {
        "seat": number, "player": _parse_text(seat.get("player")), "away": seat.get("away") is True,
        "stack": _parse_number(seat.get("stack")),
    }  # fmt: skip


def _parse_text(value: object, max_length: int = MAX_TEXT_LENGTH) -> str:
    return value[:max_length] if isinstance(value, str) else ""


def _parse_number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53 else None


def _parse_list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _parse_dict(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
