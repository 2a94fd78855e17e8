"""Which entry may come when: the rows of the table script's events.

Each row: an event of the table script, the phases of the plan in which it is taken, what is then done, and the phases
to which that may lead. An event in a phase without a row is refused. The handler works on a copy of the table's state;
what arrives where no row leads is a mistake of ours and leaves the table as it stood. To find a row is one look into a
dictionary; what has a life, the hand, moves by its own machine (`play/dealing/hand_machine.py`). `undo` and `amend`
have no row: the table itself takes them in every phase, and they lead back to where it stood.
"""

from collections.abc import Callable
from typing import Any

from controller.core.engine.handlers import entry_handlers, report_handlers
from controller.core.irregularities.conduct import absent_player, late_level
from controller.core.model.table_state import TableState
from controller.core.play.game_flow import (
    charge_answers,
    house_collection,
    mixed_games,
    playing_behind,
    tournament_end,
    tournament_holds,
    tournament_levels,
)
from controller.core.play.seating import attendance
from controller.core.protocol.table_display import Phase
from controller.core.rules.rulings import Ruling
from controller.core.values.state_machine import UndeclaredTransitionError
from controller.core.values.value import Value

Handler = Callable[[TableState, Any], tuple[Ruling, ...]]

IDLE, DEAL, BET, DRAW = Phase.IDLE, Phase.DEAL, Phase.BET, Phase.DRAW
SHOWDOWN, REMEDY, FLOOR = Phase.SHOWDOWN, Phase.REMEDY, Phase.FLOOR

HAND_PHASES = (DEAL, BET, DRAW, SHOWDOWN, REMEDY, FLOOR)
ALL_PHASES = (IDLE, *HAND_PHASES)
AFTER_A_TURN = (BET, DEAL, DRAW, SHOWDOWN, REMEDY, FLOOR, IDLE)
"""Where a seat's turn may lead: the next turn, what follows the round, a question, the end of a hand nobody opened."""


class EntryRow(Value):
    """`event_name` in one of `phases` does what its handler does, and leads to one of `next_phases`.

    No `next_phases`: the table stays in the phase in which it was.
    """

    event_name: str
    phases: tuple[Phase, ...]
    handler: Handler
    next_phases: tuple[Phase, ...] = ()

    def require_arrival(self, left: Phase, arrived: Phase) -> None:
        """Let an entry arrive where its row leads; raises `UndeclaredTransitionError` elsewhere."""
        if arrived not in (self.next_phases or (left,)):
            raise UndeclaredTransitionError(f"{self.event_name} in {left} arrived at {arrived}")


ENTRY_ROWS: tuple[EntryRow, ...] = (
    EntryRow("start", (IDLE,), entry_handlers.apply_start, (DEAL, SHOWDOWN)),
    EntryRow("card", (DEAL, DRAW, REMEDY), entry_handlers.apply_card, HAND_PHASES),
    EntryRow("card", (BET,), entry_handlers.apply_card, (BET, REMEDY)),
    EntryRow("card", (SHOWDOWN,), entry_handlers.apply_card, (SHOWDOWN, REMEDY)),
    EntryRow("card", (FLOOR,), entry_handlers.apply_card, (FLOOR, REMEDY)),
    EntryRow("act", (BET, REMEDY), entry_handlers.apply_act, AFTER_A_TURN),
    EntryRow("act", (DEAL, FLOOR), entry_handlers.apply_act),
    EntryRow("closed", (BET, REMEDY), entry_handlers.apply_round_closed, AFTER_A_TURN),
    EntryRow("draw", (DRAW, DEAL, BET), entry_handlers.apply_draw_request, HAND_PHASES),
    EntryRow("show", (SHOWDOWN,), entry_handlers.apply_show, (SHOWDOWN, DEAL, DRAW, REMEDY, IDLE)),
    EntryRow("muck", (SHOWDOWN,), entry_handlers.apply_muck, (SHOWDOWN, IDLE)),
    EntryRow("won", (SHOWDOWN,), entry_handlers.apply_winner, (SHOWDOWN, IDLE)),
    EntryRow("twice", (DEAL, SHOWDOWN), entry_handlers.apply_run_it_twice, (DEAL, SHOWDOWN)),
    EntryRow("done", (REMEDY,), entry_handlers.apply_confirmation, HAND_PHASES),
    EntryRow("done", (SHOWDOWN,), entry_handlers.apply_confirmation, (SHOWDOWN, DEAL, DRAW, REMEDY, IDLE)),
    EntryRow("done", (DEAL,), entry_handlers.apply_confirmation),
    EntryRow("collect", ALL_PHASES, charge_answers.answer_charge),
    EntryRow("collection", (IDLE,), house_collection.change_collection),
    EntryRow("clock", (BET, DRAW), entry_handlers.apply_clock_call),
    EntryRow("seen", (IDLE,), report_handlers.apply_detected_card),
    EntryRow("seen", HAND_PHASES, report_handlers.apply_detected_card, ALL_PHASES),
    EntryRow("report", (IDLE,), report_handlers.apply_report, (IDLE, REMEDY)),
    EntryRow("report", HAND_PHASES, report_handlers.apply_report, ALL_PHASES),
    EntryRow("floor", (IDLE,), report_handlers.apply_floor_decision),
    EntryRow("floor", HAND_PHASES, report_handlers.apply_floor_decision, ALL_PHASES),
    EntryRow("chop", (BET,), entry_handlers.apply_chop, (IDLE,)),
    EntryRow("game", (IDLE,), mixed_games.choose_game),
    EntryRow("waive-antes", (IDLE,), attendance.waive_antes),
    EntryRow("hand-for-hand", (IDLE, BET, REMEDY), tournament_holds.set_hand_for_hand),
    EntryRow("hand-for-hand", (DEAL,), tournament_holds.set_hand_for_hand, (DEAL, FLOOR)),
    EntryRow("hand-for-hand", (DRAW,), tournament_holds.set_hand_for_hand, (DRAW, FLOOR)),
    EntryRow("hand-for-hand", (SHOWDOWN,), tournament_holds.set_hand_for_hand, (SHOWDOWN, FLOOR)),
    EntryRow(
        "hand-for-hand",
        (FLOOR,),
        tournament_holds.set_hand_for_hand,
        (FLOOR, DEAL, DRAW, BET, SHOWDOWN, REMEDY),
    ),
    EntryRow("last-hands", ALL_PHASES, tournament_holds.announce_last_hands),
    EntryRow("halt", ALL_PHASES, tournament_holds.set_halt),
    EntryRow("tournament-over", (IDLE,), tournament_end.end_tournament),
    EntryRow("penalty", ALL_PHASES, absent_player.penalise_player),
    EntryRow("sit", ALL_PHASES, attendance.sit),
    EntryRow("leave", ALL_PHASES, attendance.leave),
    EntryRow("away", (BET,), absent_player.leave_seat, AFTER_A_TURN),
    EntryRow("away", (IDLE, SHOWDOWN), absent_player.leave_seat),
    EntryRow("away", (DEAL, DRAW, REMEDY, FLOOR), absent_player.leave_seat, HAND_PHASES),
    EntryRow("back", ALL_PHASES, attendance.mark_back),
    EntryRow("stack", (IDLE,), attendance.set_stack),
    EntryRow("buy", (IDLE, DEAL), playing_behind.buy),
    EntryRow("level", (BET,), late_level.enter_level, (BET, DEAL, DRAW, SHOWDOWN, REMEDY, FLOOR)),
    EntryRow("level", (IDLE, DEAL, DRAW, SHOWDOWN, REMEDY, FLOOR), late_level.enter_level),
    EntryRow("timer", ALL_PHASES, tournament_levels.set_timer),
    EntryRow("break", ALL_PHASES, tournament_levels.begin_break),
    EntryRow("colour-up", (IDLE,), tournament_levels.colour_up),
    EntryRow("time", (BET,), entry_handlers.apply_time, AFTER_A_TURN),
    EntryRow("time", (DRAW,), entry_handlers.apply_time, HAND_PHASES),
    EntryRow("time", (IDLE, DEAL, SHOWDOWN, REMEDY, FLOOR), entry_handlers.apply_time),
    EntryRow("device", ALL_PHASES, entry_handlers.apply_device_change),
)

ROW_BY_ENTRY: dict[tuple[str, Phase], EntryRow] = {
    (row.event_name, phase): row for row in ENTRY_ROWS for phase in row.phases
}


def find_row(event_name: str, phase: Phase) -> EntryRow | None:
    """The row that takes an event in a phase; none where the event is not taken then."""
    return ROW_BY_ENTRY.get((event_name, phase))
