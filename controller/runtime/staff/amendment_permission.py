"""Who may put right what was entered at a live table, and what must stay provable by its journal.

The key of a hand is forgotten when the hand is over. What is put right after that may not ask for a card that nobody
has shown: a replay of the journal, which does not know it, would come to another end.
"""

from collections.abc import Mapping

from controller.core.engine.amendments.amendment_replay import needs_floor
from controller.core.engine.table import Table
from controller.core.model.table_state import TableState
from controller.core.protocol.events import AmendmentMade
from controller.core.protocol.table_error import Refused
from controller.runtime.staff.floor_permission import find_refusal_of_witness
from controller.runtime.staff.permissions import Role


def find_refusal(table: Table, event: AmendmentMade, by: Mapping[str, object] | None, line: int) -> Refused | None:
    """Say why an amendment is not taken as entry `line` from `by`; `None` where it may be.

    One that the table itself would refuse is not taken either: after a start the table reaches no further back than
    the hand that it plays again, and must not have on record that it refused what a whole replay would take.
    """
    for corrected in (event.corrected, *(change.corrected for change in event.further_changes)):
        if corrected is not None and (refused := find_refusal_of_witness(corrected)) is not None:
            return refused
    now = table.outcome.state
    floor = by is not None and by.get("role") == Role.FLOOR.value
    if not floor and needs_floor(table.history, now, event):
        return Refused(
            "floor-only", "A card has left the shoe since, or lies face down: only the floor puts that right."
        )
    try:
        after = table.try_amendment(event, line).state
    except Refused as why:
        return why
    if (
        not now.is_hand_on
        and now.hand_count
        and (after.is_hand_on or not _find_open_cards(after) <= _find_open_cards(now) | _find_named_cards(event))
    ):
        return Refused(
            "amend-too-late",
            "The hand is over and its hidden cards are forgotten: name the cards that were shown, with `cards`.",
        )
    return None


def _find_open_cards(state: TableState) -> frozenset[str]:
    """Cards that lie open or were tabled."""
    if state.hand is None:
        return frozenset()
    lying = {
        one.card
        for pile in state.hand.cards.piles.cards_by_place.values()
        for one in pile
        if one.is_face_up and one.card
    }
    return frozenset(
        lying | {card for cards in state.hand.showdown.tabled_cards_by_seat.values() for card in cards or ()}
    )


def _find_named_cards(event: AmendmentMade) -> frozenset[str]:
    """Cards that the amendment itself names."""
    lines = (event.corrected, *(change.corrected for change in event.further_changes))
    single = {card for line in lines if (card := getattr(line, "card", None))}
    return frozenset(single | {card for line in lines for card in getattr(line, "cards", ())})
