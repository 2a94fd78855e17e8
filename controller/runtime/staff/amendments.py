"""Who may put right what was entered at a live table, and what must stay provable by its journal.

The key of a hand is forgotten when the hand is over. What is put right after that may not ask for a card that nobody
has shown: a replay of the journal, which does not know it, would come to another end.
"""

from collections.abc import Mapping

from controller.core.engine.past.amend import needs_floor
from controller.core.engine.table import Table
from controller.core.model.state import State
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Amend
from controller.runtime.staff.authority import Role


def refusal(table: Table, event: Amend, by: Mapping[str, object] | None, line: int) -> Refused | None:
    """Say why an amendment is not taken as entry `line` from `by`; `None` where it may be.

    One that the table itself would refuse is not taken either: after a start the table reaches no further back than
    the hand that it plays again, and must not have on record that it refused what a whole replay would take.
    """
    now = table.outcome.state
    floor = by is not None and by.get("role") == Role.FLOOR.value
    if not floor and needs_floor(table.history, now, event):
        return Refused(
            "floor-only", "A card has left the shoe since, or lies face down: only the floor puts that right."
        )
    try:
        after = table.tried(event, line).state
    except Refused as why:
        return why
    if not now.plan and now.number and (after.plan or not _shown(after) <= _shown(now) | _named(event)):
        return Refused(
            "amend-too-late",
            "The hand is over and its hidden cards are forgotten: name the cards that were shown, with `cards`.",
        )
    return None


def _shown(state: State) -> frozenset[str]:
    """Cards that lie open or were tabled."""
    if state.hand is None:
        return frozenset()
    lying = {one.card for pile in state.hand.cards.piles.out.values() for one in pile if one.up and one.card}
    return frozenset(lying | {card for cards in state.hand.showdown.tabled.values() for card in cards or ()})


def _named(event: Amend) -> frozenset[str]:
    """Cards that the amendment itself names."""
    lines = (event.to, *(change.to for change in event.also))
    single = {card for line in lines if (card := getattr(line, "card", None))}
    return frozenset(single | {card for line in lines for card in getattr(line, "cards", ())})
