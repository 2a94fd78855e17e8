"""The picture of the moment at which something is amiss: the table as it was, and cards where a dealer sees them.

The engine would say what it is; a dealer has nothing but this to look at.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from config.lesson_file import Lesson, LessonMark

NAMED_CARDS = ("up", "turned")
"""Marks whose card shows its face: of so many the last that left the shoe."""


def draw_scene(table: Mapping[str, Any], lesson: Lesson, dealt: Sequence[str]) -> Mapping[str, Any]:
    """Lay the cards of a lesson on a table, as it is rendered, before anything went wrong."""
    piles = dict(table["piles"])
    held, opened = dict(piles["seats"]), {seat: list(cards) for seat, cards in (table.get("up") or {}).items()}
    board = list(table["board"])
    for mark, name in _name_cards(lesson.marks, dealt):
        seat = str(mark.seat)
        match mark.place, mark.card:
            case "seat", "down":
                held[seat] = held.get(seat, 0) + 1
            case "seat", "missing":
                held[seat] = held.get(seat, 0) - 1
            case "seat", _:
                held[seat] = held.get(seat, 0) - (mark.card == "turned")
                opened.setdefault(seat, []).append(name)
            case "board", _:
                board.append(name)
            case "burn", _:
                piles["burn"] += 1
            case _:
                continue  # beside the table
    piles["stub"] -= sum(line["ev"] == "card" for line in lesson.script_lines)
    piles["seats"] = {seat: count for seat, count in held.items() if count > 0}
    return {**table, "piles": piles, "board": board, **({"up": opened} if opened else {})}


def list_cards_beside(lesson: Lesson, dealt: Sequence[str]) -> tuple[Mapping[str, str], ...]:
    """Cards that lie in no place of the table: `at` the mouth of the shoe, the stub or the floor, and their face."""
    return tuple(
        {"at": mark.place, "card": name if mark.card in NAMED_CARDS else mark.card}
        for mark, name in _name_cards(lesson.marks, dealt)
        if mark.place in ("shoe", "stub", "floor")
    )


def _name_cards(marks: Sequence[LessonMark], dealt: Sequence[str]) -> list[tuple[LessonMark, str]]:
    shown = sum(mark.card in NAMED_CARDS for mark in marks)
    names = iter(dealt[len(dealt) - shown :])
    return [(mark, next(names) if mark.card in NAMED_CARDS else mark.card) for mark in marks]
