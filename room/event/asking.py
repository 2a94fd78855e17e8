"""Whether a table is to be asked now, by how it stands: nothing is entered twice, whatever was lost on the way.

A request names the entry that the table had when it was made (`seen`): a table that has moved on since refuses it. So
what was asked and not answered was either taken right then, or never; which of both, the next standing tells.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from room.event.model import Duty, How
from room.event.standing import Chair, TableStanding

ALREADY = "nothing-waits"
"""A table's code for a word of hand for hand that has been said."""

NOT_KNOWN = "whether the table has entered it is not known: look there, then say that it was done by hand, or ask again"


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask the table; `what` goes into the line `asked` before."""

    what: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Found:
    """The table stands as if it had entered the line: it has."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Not now: the table is in a hand, or has not been heard."""


@dataclass(frozen=True, slots=True)
class Unclear:
    """A person must look; `text` says why."""

    text: str


Next = Ask | Found | Wait | Unclear


def next_of(duty: Duty, now: TableStanding | None) -> Next:
    """What to do about a duty whose table was last seen so."""
    if now is None:
        return Wait()
    since = duty.how is How.ASKED and now.entry > duty.seen
    match duty.word:
        case "leave":
            return _leave(duty, now, since)
        case "sit":
            return _sit(duty, now, since)
        case "penalty":
            there = now.chairs.get(int(duty.line["seat"]), Chair("")).player == duty.player
            if not there:
                return Unclear(f"{duty.player} does not sit there")
            return Found() if now.chairs[int(duty.line["seat"])].misses else _ask(duty, now)
        case "timer":
            return _timer(duty, now)
        case "level" | "break":
            return _level(duty, now, since)
        case "hand-for-hand":
            return _hand_for_hand(duty, now, since)
        case "halt":
            return _ask(duty, now)
        case _:
            return Unclear(NOT_KNOWN) if since else _ask(duty, now)


def _ask(duty: Duty, now: TableStanding, **more: Any) -> Ask:  # noqa: ANN401 (JSON)
    seen = {"duty": duty.number, "seen": now.entry, "hand": now.hand, "idle": now.idle}
    return Ask({"do": "asked", **seen, **more})


def _leave(duty: Duty, now: TableStanding, since: bool) -> Next:
    chair = now.chairs.get(int(duty.line["seat"]))
    if chair is not None and chair.player == duty.player:
        return _ask(duty, now, stack=chair.stack, misses=chair.misses) if now.idle else Wait()
    if since and now.hand == duty.hand:
        return Found()
    return Unclear(f"{duty.player} does not sit there any more: say with which stack, or drop it")


def _sit(duty: Duty, now: TableStanding, since: bool) -> Next:
    chair = now.chairs.get(int(duty.line["seat"]))
    if chair is not None:
        return Found() if chair.player == duty.player else Unclear(f"{chair.player} sits there")
    if since and now.hand != duty.hand:
        return Unclear(NOT_KNOWN)
    return _ask(duty, now)


def _timer(duty: Duty, now: TableStanding) -> Next:
    if now.timer is None:
        return _ask(duty, now) if duty.line["set"] == "start" else Unclear("its timer has not been started")
    return Found() if now.timer.running is (duty.line["set"] != "pause") else _ask(duty, now)


def _level(duty: Duty, now: TableStanding, since: bool) -> Next:
    level = now.timer.level if now.timer else 0
    if duty.word == "break" and now.timer is not None and now.timer.stage == "break":
        return Found()
    if since and level > duty.level:
        return Found()
    if since and now.timer is None:
        return Unclear(NOT_KNOWN)
    return _ask(duty, now, level=level)


def _hand_for_hand(duty: Duty, now: TableStanding, since: bool) -> Next:
    if not since:
        return _ask(duty, now)
    if duty.line.get("go"):
        same = now.hand == duty.hand and now.idle is duty.idle  # an all-in hand that is over has been let go on
        return _ask(duty, now) if now.holds and same else Found()
    return Found() if duty.line.get("on") and now.idle and now.holds else _ask(duty, now)
