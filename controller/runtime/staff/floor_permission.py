"""What only the floor may do at a live table, whoever sends it: a page, a key of the panel, another program."""

from collections.abc import Mapping

from controller.core.engine.amendments.amendment_replay import is_asked
from controller.core.model.table_state import TableState
from controller.core.protocol.events import (
    CollectionChanged,
    EntryUndone,
    Event,
    FloorDecided,
    HaltChanged,
    HandForHandChanged,
    LastHandsAnnounced,
    PenaltyImposed,
    Report,
    TournamentEnded,
)
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import ReportKind
from controller.runtime.staff.permissions import Role


def find_refusal(event: Event, by: Mapping[str, object] | None, state: TableState) -> Refused | None:
    """Say why an entry is not taken from `by` (who signed it; `None`: nobody did); `None` where it may be."""
    if (refused := find_refusal_of_witness(event)) is not None:
        return refused
    if by is not None and by.get("role") == Role.FLOOR.value:
        return None
    if (refused := find_standing_refusal(event)) is not None:
        return refused
    if isinstance(event, EntryUndone) and state.undo.is_floor_decision:
        return Refused("floor-only", "The floor decided this: only the floor takes it back, signed in on the page.")
    if isinstance(event, Report) and event.kind is ReportKind.MISREAD and not is_asked(event, state.plan):
        return Refused("floor-only", "Only the floor says that a card is another than the shoe read.")
    return None


def find_standing_refusal(event: Event) -> Refused | None:
    """Say why an entry is taken from nobody but the floor, or from nobody, however the table stands."""
    if (refused := find_refusal_of_witness(event)) is not None:
        return refused
    if isinstance(event, FloorDecided):
        return Refused("floor-only", "Only the floor decides: the floor signs in on the page and decides there.")
    if isinstance(event, PenaltyImposed):
        return Refused("floor-only", "Only the floor gives a penalty: the floor signs in on the page.")
    if isinstance(event, CollectionChanged):
        return Refused("floor-only", "Only the floor changes what the house takes: the floor signs in on the page.")
    if isinstance(event, HandForHandChanged | LastHandsAnnounced | HaltChanged):
        return Refused("floor-only", "Only the floor holds play up and lets it go on: the floor signs in on the page.")
    if isinstance(event, TournamentEnded):
        return Refused("floor-only", "Only the floor lets a table go from its tournament: the floor signs in.")
    return None


def find_refusal_of_witness(event: Event) -> Refused | None:
    """A report makes no card known, whoever signs it (docs/known-cards.md); a script may say who has seen what."""
    if isinstance(event, Report) and event.is_witnessed:
        return Refused(
            "unused-key",
            "No report makes a card known: leave `witnessed` out; the floor has the card turned up with everybody "
            "looking (`floor` decide `turned-up`).",
        )
    return None
