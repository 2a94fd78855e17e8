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

from controller.core.engine.machine import actions, reports
from controller.core.engine.machine.state_machine import Row, Rows
from controller.core.irregularities.conduct import absent_player, late_level
from controller.core.model.state import State
from controller.core.play.deal import buy_before_deal, hand_for_hand, mixed_games, tournament_levels
from controller.core.play.seating import players
from controller.core.protocol.display import Phase
from controller.core.rules.rulings import Ruling

Work = Callable[[State, Any], tuple[Ruling, ...]]

IDLE, DEAL, BET, DRAW = Phase.IDLE, Phase.DEAL, Phase.BET, Phase.DRAW
SHOWDOWN, REMEDY, FLOOR = Phase.SHOWDOWN, Phase.REMEDY, Phase.FLOOR

IN_HAND = (DEAL, BET, DRAW, SHOWDOWN, REMEDY, FLOOR)
ANY = (IDLE, *IN_HAND)

HAND_ROWS: tuple[Row[Phase, Work], ...] = (
    Row("start", (IDLE,), actions.start, (DEAL, SHOWDOWN)),
    Row("card", (DEAL, DRAW, REMEDY, BET, SHOWDOWN, FLOOR), actions.card, (DEAL, BET, DRAW, SHOWDOWN, REMEDY, FLOOR)),
    Row("act", (BET, DEAL, REMEDY), actions.act, (BET, DEAL, SHOWDOWN, DRAW, REMEDY, FLOOR, IDLE)),
    Row("act", (FLOOR,), actions.act, (FLOOR,)),
    Row("closed", (BET, REMEDY), actions.closed, (*IN_HAND, IDLE)),
    Row("draw", (DRAW, DEAL, BET), actions.draw, (DRAW, DEAL, BET, REMEDY, SHOWDOWN)),
    Row("show", (SHOWDOWN,), actions.show, (SHOWDOWN, DEAL, DRAW, REMEDY, IDLE)),
    Row("muck", (SHOWDOWN,), actions.muck, (SHOWDOWN, DEAL, DRAW, REMEDY)),
    Row("won", (SHOWDOWN,), actions.won, (SHOWDOWN,)),
    Row("twice", (DEAL, SHOWDOWN), actions.twice, (DEAL, SHOWDOWN)),
    Row("done", (REMEDY, SHOWDOWN), actions.done, (*IN_HAND, IDLE)),
    Row("clock", (BET,), actions.clock, (BET,)),
    Row("seen", ANY, reports.seen, ANY),
    Row("report", ANY, reports.report, ANY),
    Row("floor", ANY, reports.floor, (*IN_HAND, IDLE)),
    Row("chop", (BET,), actions.chop, (IDLE,)),
    Row("game", (IDLE,), mixed_games.named, (IDLE,)),
    Row("waive-antes", (IDLE,), players.waive_antes, (IDLE,)),
    Row("hand-for-hand", ANY, hand_for_hand.said, ANY),
    Row("last-hands", ANY, hand_for_hand.last_hands, ANY),
    Row("halt", ANY, hand_for_hand.halted, ANY),
    Row("penalty", ANY, absent_player.penalised, ANY),
    Row("sit", ANY, players.sit, ANY),
    Row("leave", ANY, players.leave, ANY),
    Row("away", ANY, players.away, ANY),
    Row("back", ANY, players.back, ANY),
    Row("stack", (IDLE,), players.stack, (IDLE,)),
    Row("buy", (IDLE, DEAL), buy_before_deal.buy, (IDLE, DEAL)),
    Row("level", ANY, late_level.level, ANY),
    Row("timer", ANY, tournament_levels.timer, ANY),
    Row("break", ANY, tournament_levels.rest, ANY),
    Row("colour-up", (IDLE,), tournament_levels.colour_up, (IDLE,)),
    Row("undo", ANY, actions.undo, ANY),
    Row("amend", ANY, actions.amend, ANY),
    Row("time", ANY, actions.time, ANY),
    Row("device", ANY, actions.device, ANY),
)


@unique
class Health(Enum):
    """Whether the table's devices let it deal."""

    READY = "ready"
    HALTED = "halted"


HEALTH_ROWS: tuple[Row[Health, None], ...] = (
    Row("fault", (Health.READY, Health.HALTED), None, (Health.READY, Health.HALTED)),
    Row("mended", (Health.READY, Health.HALTED), None, (Health.READY, Health.HALTED)),
)


@cache
def hand_rows() -> Rows[Phase, Work]:
    """The hand's rows as a machine, built once."""
    return Rows(HAND_ROWS, Phase)


@cache
def health_rows() -> Rows[Health, None]:
    """The rows of the table's health as a machine, built once."""
    return Rows(HEALTH_ROWS, Health)
