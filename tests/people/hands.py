"""Playing hands to their end quickly, and what the lamps said at their start."""

from typing import Any

from tests.playing import NO_LIMIT, ScriptedTable


def over(played: ScriptedTable) -> None:
    """Everybody folds to the last player; the hand is over."""
    while played.lines[-1]["phase"] != "idle":
        step = played.lines[-1]["next"][0]
        match step["step"]:
            case "deal" | "burn" | "board":
                played("card -")
            case "act":
                played(f"act {step['seat']} fold")
            case _:
                played("done")
        assert "error" not in played.lines[-1], played.lines[-1]


def dealt(played: ScriptedTable) -> dict[str, Any]:
    """Deal the starting hands that are due; returns the last answer."""
    while played.lines[-1]["next"][0]["step"] == "deal":
        played("card -")
    return played.lines[-1]


def hand(played: ScriptedTable, *lines: dict[str, Any] | str) -> dict[str, Any]:
    """People do `lines` between hands, then a hand starts; returns what the table says to its start."""
    if len(played.lines) > 1 and played.lines[-1]["phase"] != "idle":
        over(played)
    for line in lines:
        answer = played(line)
        assert "error" not in answer, answer
    answer = played("start")
    assert "error" not in answer, answer
    return answer


def places(answer: dict[str, Any]) -> tuple[list[int], list[int], list[int]]:
    """(button, small blind, big blind) lamps."""
    lamps = answer["lamps"]
    return lamps["button"], lamps["small_blind"], lamps["big_blind"]


def receiving(answer: dict[str, Any]) -> list[int]:
    """The seats that get a first card, in order."""
    seats: list[int] = []
    for step in answer["next"]:
        if step["step"] == "deal" and step["seat"] not in seats:
            seats.append(step["seat"])
    return seats


def chairs(*numbers: int, stack: int = 200) -> list[dict[str, Any]]:
    """Players at these seats, named A1, A2 …"""
    return [{"seat": seat, "player": f"A{seat}", "stack": stack} for seat in numbers]


def at(book: str, *numbers: int, stack: int = 200, **table: Any) -> ScriptedTable:  # noqa: ANN401 (keys of the table line)
    """A hold'em table under a book with players at these seats, the button at the first of them."""
    line = {
        "ev": "table",
        "rulebook": book,
        "game": "holdem",
        "betting": NO_LIMIT,
        "seats": chairs(*numbers, stack=stack),
        "button": numbers[0],
    }
    played = ScriptedTable()
    assert "error" not in played(line | table), played.lines[0]
    return played


def sit(seat: int, player: str = "New", stack: int = 200, **keys: Any) -> dict[str, Any]:  # noqa: ANN401 (script keys)
    """A `sit` line."""
    return {"ev": "sit", "seat": seat, "player": player, "stack": stack, **keys}


def back(seat: int, post: bool = False) -> dict[str, Any]:
    """A `back` line."""
    return {"ev": "back", "seat": seat, "post": post}


def rulings(answer: dict[str, Any], finding: str) -> list[dict[str, Any]]:
    """The rulings of a line on one finding."""
    return [ruling for ruling in answer["rulings"] if ruling["finding"] == finding]
