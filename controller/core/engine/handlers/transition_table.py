"""Which event may come when: the rows of the hand and of the table's health.

Two flat machines stand side by side. The hand's phase says what the table does by its plan; the table's health says
whether its devices let it. Neither knows the other, so that a fault needs no way back to where the hand was.

Each row: an event of the table script, the phases in which it is taken, what is then done, the phases that it may lead
to. An event in a phase without a row is refused. `then` is a function `(state, event) -> rulings` that works on a copy
of the table's state.
"""

from collections.abc import Callable
from enum import Enum, unique
from functools import cache
from typing import Any

from controller.core.engine.handlers import entry_handlers, report_handlers
from controller.core.engine.handlers.state_machine import TransitionRow, TransitionTable
from controller.core.irregularities.conduct import absent_player, late_level
from controller.core.model.table_state import TableState
from controller.core.play.game_flow import mixed_games, playing_behind, tournament_holds, tournament_levels
from controller.core.play.seating import attendance
from controller.core.protocol.table_display import Phase
from controller.core.rules.rulings import Ruling

Handler = Callable[[TableState, Any], tuple[Ruling, ...]]

IDLE, DEAL, BET, DRAW = Phase.IDLE, Phase.DEAL, Phase.BET, Phase.DRAW
SHOWDOWN, REMEDY, FLOOR = Phase.SHOWDOWN, Phase.REMEDY, Phase.FLOOR

HAND_PHASES = (DEAL, BET, DRAW, SHOWDOWN, REMEDY, FLOOR)
ALL_PHASES = (IDLE, *HAND_PHASES)

HAND_ROWS: tuple[TransitionRow[Phase, Handler], ...] = (
    TransitionRow("start", (IDLE,), entry_handlers.apply_start, (DEAL, SHOWDOWN)),
    TransitionRow(
        "card",
        (DEAL, DRAW, REMEDY, BET, SHOWDOWN, FLOOR),
        entry_handlers.apply_card,
        (DEAL, BET, DRAW, SHOWDOWN, REMEDY, FLOOR),
    ),
    TransitionRow(
        "act", (BET, DEAL, REMEDY), entry_handlers.apply_act, (BET, DEAL, SHOWDOWN, DRAW, REMEDY, FLOOR, IDLE)
    ),
    TransitionRow("act", (FLOOR,), entry_handlers.apply_act, (FLOOR,)),
    TransitionRow("closed", (BET, REMEDY), entry_handlers.apply_round_closed, (*HAND_PHASES, IDLE)),
    TransitionRow("draw", (DRAW, DEAL, BET), entry_handlers.apply_draw_request, (DRAW, DEAL, BET, REMEDY, SHOWDOWN)),
    TransitionRow("show", (SHOWDOWN,), entry_handlers.apply_show, (SHOWDOWN, DEAL, DRAW, REMEDY, IDLE)),
    TransitionRow("muck", (SHOWDOWN,), entry_handlers.apply_muck, (SHOWDOWN, DEAL, DRAW, REMEDY)),
    TransitionRow("won", (SHOWDOWN,), entry_handlers.apply_winner, (SHOWDOWN,)),
    TransitionRow("twice", (DEAL, SHOWDOWN), entry_handlers.apply_run_it_twice, (DEAL, SHOWDOWN)),
    TransitionRow("done", (REMEDY, SHOWDOWN), entry_handlers.apply_confirmation, (*HAND_PHASES, IDLE)),
    TransitionRow("clock", (BET,), entry_handlers.apply_clock_call, (BET,)),
    TransitionRow("seen", ALL_PHASES, report_handlers.apply_detected_card, ALL_PHASES),
    TransitionRow("report", ALL_PHASES, report_handlers.apply_report, ALL_PHASES),
    TransitionRow("floor", ALL_PHASES, report_handlers.apply_floor_decision, (*HAND_PHASES, IDLE)),
    TransitionRow("chop", (BET,), entry_handlers.apply_chop, (IDLE,)),
    TransitionRow("game", (IDLE,), mixed_games.choose_game, (IDLE,)),
    TransitionRow("waive-antes", (IDLE,), attendance.waive_antes, (IDLE,)),
    TransitionRow("hand-for-hand", ALL_PHASES, tournament_holds.set_hand_for_hand, ALL_PHASES),
    TransitionRow("last-hands", ALL_PHASES, tournament_holds.announce_last_hands, ALL_PHASES),
    TransitionRow("halt", ALL_PHASES, tournament_holds.set_halt, ALL_PHASES),
    TransitionRow("penalty", ALL_PHASES, absent_player.penalise_player, ALL_PHASES),
    TransitionRow("sit", ALL_PHASES, attendance.sit, ALL_PHASES),
    TransitionRow("leave", ALL_PHASES, attendance.leave, ALL_PHASES),
    TransitionRow("away", ALL_PHASES, attendance.mark_away, ALL_PHASES),
    TransitionRow("back", ALL_PHASES, attendance.mark_back, ALL_PHASES),
    TransitionRow("stack", (IDLE,), attendance.set_stack, (IDLE,)),
    TransitionRow("buy", (IDLE, DEAL), playing_behind.buy, (IDLE, DEAL)),
    TransitionRow("level", ALL_PHASES, late_level.enter_level, ALL_PHASES),
    TransitionRow("timer", ALL_PHASES, tournament_levels.set_timer, ALL_PHASES),
    TransitionRow("break", ALL_PHASES, tournament_levels.begin_break, ALL_PHASES),
    TransitionRow("colour-up", (IDLE,), tournament_levels.colour_up, (IDLE,)),
    TransitionRow("undo", ALL_PHASES, entry_handlers.accept_undo, ALL_PHASES),
    TransitionRow("amend", ALL_PHASES, entry_handlers.accept_amendment, ALL_PHASES),
    TransitionRow("time", ALL_PHASES, entry_handlers.apply_time, ALL_PHASES),
    TransitionRow("device", ALL_PHASES, entry_handlers.apply_device_change, ALL_PHASES),
)


@unique
class TableReadiness(Enum):
    """Whether the table's devices let it deal."""

    READY = "ready"
    HALTED = "halted"


READINESS_ROWS: tuple[TransitionRow[TableReadiness, None], ...] = (
    TransitionRow(
        "fault", (TableReadiness.READY, TableReadiness.HALTED), None, (TableReadiness.READY, TableReadiness.HALTED)
    ),
    TransitionRow(
        "mended", (TableReadiness.READY, TableReadiness.HALTED), None, (TableReadiness.READY, TableReadiness.HALTED)
    ),
)


@cache
def build_hand_transitions() -> TransitionTable[Phase, Handler]:
    """The hand's rows as a machine, built once."""
    return TransitionTable(HAND_ROWS, Phase)


@cache
def build_readiness_transitions() -> TransitionTable[TableReadiness, None]:
    """The rows of the table's health as a machine, built once."""
    return TransitionTable(READINESS_ROWS, TableReadiness)
