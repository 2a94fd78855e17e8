"""A card's true name is told after the last award: its own line is put right, and the hand played again from it."""

from controller.core.engine.amendments.hand_history import HandHistory
from controller.core.engine.handlers.misread_report import find_named_card
from controller.core.model.table_state import TableState
from controller.core.protocol.events import (
    AmendmentMade,
    CardDealt,
    Event,
    Report,
)
from controller.core.protocol.vocabulary import ReportKind
from controller.core.values.value import replace


def resolve_late_misread(history: HandHistory, now: TableState, event: Report) -> Event:
    """The amendment that a `misread` comes to between the last award and the next start; any other report is itself.

    Raises `Refused` where no such card lies there.
    """
    if event.kind is not ReportKind.MISREAD or event.card is None:
        return event
    if now.hand is None or now.hand.plan or not history.entries:
        return event
    found = find_named_card(now.hand, event)
    serial = now.hand.cards.piles.dealt_count if found is None else found.placed_card.serial
    for entry in reversed(history.entries):
        if isinstance(entry.event, CardDealt) and entry.last_serial == serial:
            return AmendmentMade(
                replace(entry.event, card=event.card, is_foreign=False, is_duplicate=False, time_s=None),
                line=entry.line,
                time_s=event.time_s,
            )
    return event
