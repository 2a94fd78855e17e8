"""How a table of the event stands, as every spectator sees it, and what one standing after another tells of a hand."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

HOLD = "hold"


class BadStanding(ValueError):
    """A table's state that lacks what an event needs of it; the message says what."""


@dataclass(frozen=True, slots=True)
class Chair:
    """Who sits there; `stack`: `None` where amounts are untracked; `misses`: so many hands of a penalty are left."""

    player: str
    stack: int | None = None
    misses: int = 0


@dataclass(frozen=True, slots=True)
class TableTimer:
    """What a table's own timer shows: `level` from 1, `left` in seconds until the `stage` ends."""

    stage: str
    level: int
    left: float
    running: bool


@dataclass(frozen=True, slots=True)
class TableStanding:
    """A table at a moment: `entry` numbers the last entry of its journal, `hand` is on or, where `idle`, was the last.

    `holds`: the next step waits for the floor. `button`, `big`: 0 while no lamp shows them. `places`: its chairs, 0
    where it does not say. `at`: Unix seconds.
    """

    entry: int
    hand: int
    idle: bool
    holds: bool
    chairs: Mapping[int, Chair]
    button: int = 0
    big: int = 0
    timer: TableTimer | None = None
    at: float = 0.0
    places: int = 0

    @classmethod
    def read(cls, state: Mapping[str, Any], at: float = 0.0) -> Self:
        """Read what a table publishes (`controller.client.shapes.Table`); raises `BadStanding`."""
        try:
            steps, lamps = state["next"], state["lamps"]
            chairs = {
                int(one["seat"]): Chair(str(one["player"]), one.get("stack"), int(one.get("misses", 0)))
                for one in state["seats"]
                if one.get("player")
            }
            return cls(
                int(state["entry"]),
                int(state["hand"]),
                state["phase"] == "idle",
                bool(steps) and steps[0]["step"] == HOLD,
                chairs,
                _first(lamps.get("button")),
                _first(lamps.get("big_blind")),
                _timer(state.get("timer")),
                at,
                int(state.get("places", 0)),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as why:
            raise BadStanding(f"the table's state has no {why}, or not as the table script has it.") from why

    def sits(self, player: str) -> int:
        """Where somebody sits; 0: nowhere here."""
        return next((seat for seat, chair in self.chairs.items() if chair.player == player), 0)


def _first(seats: Any) -> int:  # noqa: ANN401 (JSON)
    return int(seats[0]) if seats else 0


def _timer(shown: Mapping[str, Any] | None) -> TableTimer | None:
    if not shown:
        return None
    return TableTimer(str(shown["stage"]), int(shown["level"]), float(shown["left"]), bool(shown["running"]))


@dataclass(frozen=True, slots=True)
class Bust:
    """Somebody lost the last chip on `hand`, having begun it with `stack`.

    `sure`: hand and stack were seen; else the floor says them.
    """

    table: str
    seat: int
    player: str
    hand: int
    stack: int
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Watched:
    """What was seen of a table: its last standing, who had button and big blind last, the stacks between two hands."""

    standing: TableStanding
    button: int = 0
    big: int = 0
    between: int = -1
    """After which hand `stacks` were seen; -1: never."""
    stacks: Mapping[str, int] = field(default_factory=dict)


def seen(table: str, before: Watched | None, now: TableStanding) -> tuple[Watched, tuple[Bust, ...]]:
    """Take in how a table stands now; what is older than the last is passed over.

    A player who is gone with no chip missing at the table has lost them there; one who left took chips along.
    """
    if before is not None and now.entry < before.standing.entry:
        return before, ()
    stacks = {chair.player: chair.stack for chair in now.chairs.values() if chair.stack is not None}
    between, kept = (now.hand, stacks) if now.idle else (-1, {})
    if before is None:
        return Watched(now, now.button, now.big, between, kept), ()
    if not now.idle:
        between, kept = before.between, dict(before.stacks)
    watched = Watched(now, now.button or before.button, now.big or before.big, between, kept)
    return watched, _busts(table, before, now) if now.idle else ()


def _busts(table: str, before: Watched, now: TableStanding) -> tuple[Bust, ...]:
    was = before.standing
    gone = {seat: chair for seat, chair in was.chairs.items() if now.chairs.get(seat, Chair("")).player != chair.player}
    if not gone or (was.idle and was.hand == now.hand):
        return ()
    all_in = {seat for seat, chair in gone.items() if chair.stack == 0 and not was.idle}
    return tuple(
        Bust(table, seat, chair.player, now.hand, before.stacks.get(chair.player, 0),
             was.hand == now.hand and before.between == now.hand - 1 and chair.player in before.stacks)
        for seat, chair in sorted(gone.items())
        if seat in all_in or _nothing_missing(before, now)
    )  # fmt: skip


def _nothing_missing(before: Watched, now: TableStanding) -> bool:
    """Whether those who were there between the hands have all chips still: then nobody took any along."""
    left = [chair.stack or 0 for chair in now.chairs.values() if chair.player in before.stacks]
    return bool(before.stacks) and sum(left) == sum(before.stacks.values())


def missing(expected: Mapping[int, str], now: TableStanding) -> dict[int, str]:
    """Who has a seat at a table and does not sit there: seat -> player."""
    return {seat: who for seat, who in expected.items() if now.sits(who) != seat}
