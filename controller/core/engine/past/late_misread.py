"""A card's true name is told after the last award: its own line is put right, and the hand played again from it."""

from controller.core.engine.machine.misread import named
from controller.core.engine.past.history import History
from controller.core.model.state import State
from controller.core.protocol.events import (
    Amend,
    Card,
    Event,
    Report,
)
from controller.core.protocol.vocabulary import What
from controller.core.values.value import replace


def meant(history: History, now: State, event: Report) -> Event:
    """The amendment that a `misread` comes to between the last award and the next start; any other report is itself.

    Raises `Refused` where no such card lies there.
    """
    if event.what is not What.MISREAD or event.card is None:
        return event
    if now.hand is None or now.hand.plan or not history.entries:
        return event
    found = named(now.hand, event)
    serial = now.hand.cards.piles.left if found is None else found.lying.serial
    for entry in reversed(history.entries):
        if isinstance(entry.event, Card) and entry.serial == serial:
            return Amend(replace(entry.event, card=event.card, foreign=False, t=None), line=entry.line, t=event.t)
    return event
