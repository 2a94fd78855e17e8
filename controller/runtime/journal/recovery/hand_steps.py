"""One hand of a journal step by step, as it may be told to anybody: without the cards that nobody has seen."""

from collections.abc import Mapping, Sequence
from typing import Any

from controller.core.engine.amendments.hand_history import Amendment
from controller.core.engine.output.showdown_view import render_showdown
from controller.core.model.outcome import Outcome
from controller.core.protocol.events import HandStarted
from controller.records.public_view import describe_players, render_public_line
from controller.runtime.journal.journal_reader import JournalReader, JournalSession
from controller.runtime.journal.recovery.journal_replay import TableOpener, replay_session

HandStep = Mapping[str, Any]
"""One step, or one hand of a list, as it is told to a page."""


def replay_hand_steps(
    journal: JournalReader, session: JournalSession, hand: int, open_table: TableOpener
) -> list[HandStep]:
    """Return every step of a hand of a session, from its start; empty where there is none.

    Each has the `entry`, the `wall` time, its `source`, what was `told`, the `table` as the output line says it,
    the `players`, the `showdown` (`None` while there is none), the `error` when it was refused, and `by` whom it was
    signed. Where it was put right later, in the hand or after it, `struck` has `now`, the line that took its place or
    `None`, and whose `entry`.
    Raises `DatabaseError` and `RecoveryError`.
    """
    found: list[HandStep] = []
    amendments: tuple[Amendment, ...] = ()
    after: Outcome | None = None
    over = False
    for entry, event, given, table in replay_session(journal, session, open_table):
        number = given.outcome.state.hand_count
        if number > hand:
            break
        if number == hand:
            amendments, after = table.history.amendments, given.outcome
        if isinstance(event, HandStarted) and given.error is None:
            over = False
        idle = not given.outcome.state.is_hand_on
        amended = given.error is None and given.outcome.amendment_effect is not None
        if number == hand and (not over or not idle or amended):
            over = idle
            found.append(
                {
                    "entry": entry.number,
                    "wall": entry.wall_time,
                    "source": entry.source,
                    "told": render_public_line(event, given.outcome),
                    "table": given.to_output_line(),
                    "players": describe_players(given.outcome),
                    "showdown": render_showdown(given.outcome.state),
                    "error": None if given.error is None else given.error.message,
                    "by": None if entry.signer is None else f"{entry.signer['name']}, {entry.signer['role']}",
                }
            )
    return (
        found if after is None else [{**step, **_describe_struck(step["entry"], amendments, after)} for step in found]
    )


def _describe_struck(entry: int, amendments: Sequence[Amendment], after: Outcome) -> HandStep:
    """Say what took the place of an entry, as it may be told when the table stood as `after`."""
    found: dict[str, Any] = {}
    for amendment in amendments:
        for struck in amendment.amended_entries:
            if struck.line == entry and struck.original is not None:
                now = (
                    None
                    if struck.replacement is None
                    else render_public_line(struck.replacement, after, struck.was_face_up)
                )
                found = {"struck": {"now": now, "entry": amendment.line}}
    return found
