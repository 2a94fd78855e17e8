"""One hand of a journal step by step, as it may be told to anybody: without the cards that nobody has seen."""

from collections.abc import Mapping, Sequence
from typing import Any

from controller.core.engine.past.history import Amendment
from controller.core.model.outcome import Outcome
from controller.core.protocol.display import Phase
from controller.core.protocol.events import Start
from controller.records.told import hands_tabled, players_of, told
from controller.runtime.journal.archive import Archive, Session
from controller.runtime.journal.recovery.recovery import OpenTable, replay

Step = Mapping[str, Any]
"""One step, or one hand of a list, as it is told to a page."""


def steps_in(journal: Archive, session: Session, hand: int, open_table: OpenTable) -> list[Step]:
    """Return every step of a hand of a session, from its start; empty where there is none.

    Each has the `entry`, the `wall` time, its `source`, what was `told`, the `table` as the output line says it,
    the `players`, the hands `tabled`, the `error` when it was refused, and `by` whom it was signed. Where it was put
    right later, in the hand or after it, `struck` has `now`, the line that took its place or `None`, and whose `entry`.
    Raises `DatabaseError` and `RecoveryError`.
    """
    found: list[Step] = []
    amendments: tuple[Amendment, ...] = ()
    after: Outcome | None = None
    over = False
    for entry, event, given, table in replay(journal, session, open_table):
        number = given.outcome.state.number
        if number > hand:
            break
        if number == hand:
            amendments, after = table.history.amendments, given.outcome
        if isinstance(event, Start) and given.error is None:
            over = False
        idle = given.outcome.state.planned_phase is Phase.IDLE
        amended = given.error is None and given.outcome.amended is not None
        if number == hand and (not over or not idle or amended):
            over = idle
            found.append(
                {
                    "entry": entry.sequence,
                    "wall": entry.wall,
                    "source": entry.source,
                    "told": told(event, given.outcome),
                    "table": given.output(),
                    "players": players_of(given.outcome),
                    "tabled": hands_tabled(given.outcome.state),
                    "error": None if given.error is None else given.error.message,
                    "by": None if entry.by is None else f"{entry.by['name']}, {entry.by['role']}",
                }
            )
    return found if after is None else [{**step, **_struck(step["entry"], amendments, after)} for step in found]


def _struck(entry: int, amendments: Sequence[Amendment], after: Outcome) -> Step:
    """Say what took the place of an entry, as it may be told when the table stood as `after`."""
    found: dict[str, Any] = {}
    for amendment in amendments:
        for struck in amendment.struck:
            if struck.line == entry and struck.was is not None:
                now = None if struck.now is None else told(struck.now, after)
                found = {"struck": {"now": now, "entry": amendment.line}}
    return found
