"""A blind schedule within a line: an event keeps the levels that it began with, whatever becomes of the file."""

from collections.abc import Mapping
from typing import Any

from controller.core.tournament.schedule import BlindLevel, ColourOut, ColourOutPart, Schedule, ScheduledBreak


def to_json(schedule: Schedule) -> dict[str, Any]:
    """Write a schedule as JSON has it."""
    return {
        "name": schedule.name,
        "title": schedule.title,
        "cite": schedule.cite,
        "levels": [_level_to_json(level) for level in schedule.levels],
    }


def _level_to_json(level: BlindLevel) -> dict[str, Any]:
    amounts = {
        "small_blind": level.small_blind,
        "big_blind": level.big_blind,
        "minutes": level.minutes,
        "ante": level.ante,
        "small_bet": level.small_bet,
        "big_bet": level.big_bet,
        "bring_in": level.bring_in,
        "chip": level.smallest_chip,
    }
    found: dict[str, Any] = {key: amount for key, amount in amounts.items() if amount or key == "minutes"}
    if level.middle_blinds:
        found["middle_blinds"] = list(level.middle_blinds)
    if level.following_break is not None:
        out = [{"chip": one.chip_value, "part": one.part.value} for one in level.following_break.colour_out]
        found["break"] = {"minutes": level.following_break.minutes, "colour_out": out}
    return found


def from_json(body: Mapping[str, Any]) -> Schedule:
    """Read what `to_json` wrote; raises `ValueError` for what makes no schedule."""
    try:
        levels = tuple(_level_from_json(one) for one in body["levels"])
        name, title, cite = (str(body.get(key, "")) for key in ("name", "title", "cite"))
    except (KeyError, TypeError, AttributeError) as why:
        raise ValueError(f"a schedule has levels of small_blind, big_blind and minutes ({why}).") from why
    if not levels or any(level.minutes < 1 for level in levels):
        raise ValueError("a schedule has one level or more, each of a minute or more.")
    return Schedule(name, title, levels, cite)


def _level_from_json(body: Mapping[str, Any]) -> BlindLevel:
    pause = body.get("break")
    then = None
    if pause is not None:
        out = tuple(ColourOut(one["chip"], ColourOutPart(one["part"])) for one in pause.get("colour_out", ()))
        then = ScheduledBreak(int(pause["minutes"]), out)
    return BlindLevel(
        small_blind=int(body.get("small_blind", 0)),
        big_blind=int(body.get("big_blind", 0)),
        minutes=int(body.get("minutes", 0)),
        ante=int(body.get("ante", 0)),
        small_bet=int(body.get("small_bet", 0)),
        big_bet=int(body.get("big_bet", 0)),
        bring_in=int(body.get("bring_in", 0)),
        smallest_chip=int(body.get("chip", 0)),
        following_break=then,
        middle_blinds=tuple(int(amount) for amount in body.get("middle_blinds", ())),
    )
