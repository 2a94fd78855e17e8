"""Whether a table is to be asked now, by how it stands: nothing is entered twice, whatever was lost on the way.

A request names the entry that the table had when it was made (`seen`): a table that has moved on since refuses it. So
what was asked and not answered was either taken right then, or never; which of both, the next standing tells.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from room.tournament import instructions
from room.tournament.tournament_state import Instruction, InstructionStatus
from room.tournament.tournament_table_view import SeatView, TournamentTableView

NOTHING_WAITS_CODE = "nothing-waits"
"""A table's code for a word of hand for hand that has been said."""

UNKNOWN_MESSAGE = (
    "whether the table has entered it is not known: look there, then say that it was done by hand, or ask again"
)


@dataclass(frozen=True, slots=True)
class AskTable:
    """Ask the table; `asked_line` goes into the line `asked` before."""

    asked_line: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AlreadyEntered:
    """The table stands as if it had entered the line: it has."""


@dataclass(frozen=True, slots=True)
class WaitForTable:
    """Not now: the table is in a hand, or has not been heard."""


@dataclass(frozen=True, slots=True)
class PersonNeeded:
    """A person must look; `reason` says why."""

    reason: str


DispatchDecision = AskTable | AlreadyEntered | WaitForTable | PersonNeeded


def decide_dispatch(duty: Instruction, now: TournamentTableView | None) -> DispatchDecision:
    """What to do about a duty whose table was last seen so."""
    if now is None:
        return WaitForTable()
    since = duty.status is InstructionStatus.ASKED and now.entry > duty.seen_entry
    match duty.event_name:
        case "leave":
            return _decide_leave(duty, now, since)
        case "sit":
            return _decide_sit(duty, now, since)
        case "penalty":
            there = now.view_by_seat.get(int(duty.script_line["seat"]), SeatView("")).player == duty.player
            if not there:
                return PersonNeeded(f"{duty.player} does not sit there")
            return (
                AlreadyEntered()
                if now.view_by_seat[int(duty.script_line["seat"])].penalty_hands
                else _ask_table(duty, now)
            )
        case "timer":
            return _decide_timer(duty, now)
        case "level" | "break":
            return _decide_level(duty, now, since)
        case "hand-for-hand":
            return _decide_hand_for_hand(duty, now, since)
        case "halt":
            return _ask_table(duty, now)
        case instructions.TABLE_RELEASE_EVENT:
            return _decide_release(duty, now, since)
        case _:
            return PersonNeeded(UNKNOWN_MESSAGE) if since else _ask_table(duty, now)


def _ask_table(duty: Instruction, now: TournamentTableView, **more: Any) -> AskTable:  # noqa: ANN401 (JSON)
    seen = {"duty": duty.number, "seen": now.entry, "hand": now.hand, "idle": now.is_idle}
    return AskTable({"do": "asked", **seen, **more})


def _decide_leave(duty: Instruction, now: TournamentTableView, since: bool) -> DispatchDecision:
    chair = now.view_by_seat.get(int(duty.script_line["seat"]))
    if chair is not None and chair.player == duty.player:
        return _ask_table(duty, now, stack=chair.stack, misses=chair.penalty_hands) if now.is_idle else WaitForTable()
    if since and now.hand == duty.seen_hand:
        return AlreadyEntered()
    return PersonNeeded(f"{duty.player} does not sit there any more: say with which stack, or drop it")


def _decide_sit(duty: Instruction, now: TournamentTableView, since: bool) -> DispatchDecision:
    chair = now.view_by_seat.get(int(duty.script_line["seat"]))
    if chair is not None:
        return AlreadyEntered() if chair.player == duty.player else PersonNeeded(f"{chair.player} sits there")
    if since and now.hand != duty.seen_hand:
        return PersonNeeded(UNKNOWN_MESSAGE)
    return _ask_table(duty, now)


def _decide_release(duty: Instruction, now: TournamentTableView, since: bool) -> DispatchDecision:
    if not now.is_idle:
        return WaitForTable()
    if not since or now.is_held or now.timer is not None:  # it was halted before: who is free is not
        return _ask_table(duty, now)
    return PersonNeeded(UNKNOWN_MESSAGE) if now.view_by_seat else AlreadyEntered()


def _decide_timer(duty: Instruction, now: TournamentTableView) -> DispatchDecision:
    if now.timer is None:
        return (
            _ask_table(duty, now)
            if duty.script_line["set"] == "start"
            else PersonNeeded("its timer has not been started")
        )
    return AlreadyEntered() if now.timer.is_running is (duty.script_line["set"] != "pause") else _ask_table(duty, now)


def _decide_level(duty: Instruction, now: TournamentTableView, since: bool) -> DispatchDecision:
    level = now.timer.level if now.timer else 0
    if duty.event_name == "break" and now.timer is not None and now.timer.stage == "break":
        return AlreadyEntered()
    if since and level > duty.seen_level:
        return AlreadyEntered()
    if since and now.timer is None:
        return PersonNeeded(UNKNOWN_MESSAGE)
    return _ask_table(duty, now, level=level)


def _decide_hand_for_hand(duty: Instruction, now: TournamentTableView, since: bool) -> DispatchDecision:
    if not since:
        return _ask_table(duty, now)
    if duty.script_line.get("go"):
        same = (
            now.hand == duty.seen_hand and now.is_idle is duty.was_idle
        )  # an all-in hand that is over has been let go on
        return _ask_table(duty, now) if now.is_held and same else AlreadyEntered()
    return AlreadyEntered() if duty.script_line.get("on") and now.is_idle and now.is_held else _ask_table(duty, now)
