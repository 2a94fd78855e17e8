"""An act that was refused because a card seemed to be due: where a burn was wrong the street's betting had begun.

The table's state has no trace of a refused line, and a journal need not hold one. So the report of that burn is turned
into one that says so (`refused`), which is what history and journal keep: it leads to the same question everywhere.
"""

from controller.core.model.setup import AnyEvent
from controller.core.model.table_state import TableState
from controller.core.protocol.events import ChipMotion, PlayerActed, Report
from controller.core.protocol.steps import ActStep
from controller.core.protocol.vocabulary import ReportKind
from controller.core.values.value import replace

BURN_REPORTS = (ReportKind.NO_BURN, ReportKind.DOUBLE_BURN)

RefusedAct = tuple[int, int] | None
"""In what hand, and after how many of its cards, an act was refused last because no act was due."""


def note_refused_act(before: RefusedAct, now: TableState, event: AnyEvent) -> RefusedAct:
    """Where the last act was refused, after an event that was: an act is one more if no act was due."""
    is_act = isinstance(event, (PlayerActed, ChipMotion))
    return _find_place(now) if is_act and now.is_hand_on and now.plan.next_step_if(ActStep) is None else before


def resolve_burn_report(refused_act: RefusedAct, now: TableState, event: Report) -> Report:
    """The report of a wrong burn that says that an act was refused since the last card; any other is itself."""
    said = event.acted_count is not None or event.has_chips_in is not None
    if event.kind not in BURN_REPORTS or said or refused_act is None or not now.is_hand_on:
        return event
    return replace(event, is_act_refused=True) if refused_act == _find_place(now) else event


def _find_place(now: TableState) -> tuple[int, int]:
    return now.hand_count, now.hand_in_play.cards.piles.dealt_count
