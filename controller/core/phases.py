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

from controller.core import behind, entries, levels, people, reports
from controller.core.display import Phase
from controller.core.region import Row, Rows
from controller.core.rulings import Ruling
from controller.core.state import State

Work = Callable[[State, Any], tuple[Ruling, ...]]

IDLE, DEAL, BET, DRAW = Phase.IDLE, Phase.DEAL, Phase.BET, Phase.DRAW
SHOWDOWN, REMEDY, FLOOR = Phase.SHOWDOWN, Phase.REMEDY, Phase.FLOOR

IN_HAND = (DEAL, BET, DRAW, SHOWDOWN, REMEDY, FLOOR)
ANY = (IDLE, *IN_HAND)

HAND_ROWS: tuple[Row[Phase, Work], ...] = (
    Row("start", (IDLE,), entries.start, (DEAL,)),
    Row("card", (DEAL, DRAW, REMEDY, BET, SHOWDOWN, FLOOR), entries.card, (DEAL, BET, DRAW, SHOWDOWN, REMEDY, FLOOR)),
    Row("act", (BET, DEAL), entries.act, (BET, DEAL, SHOWDOWN, DRAW, REMEDY, FLOOR, IDLE)),
    Row("draw", (DRAW, DEAL, BET), entries.draw, (DRAW, DEAL, BET, REMEDY, SHOWDOWN)),
    Row("show", (SHOWDOWN,), entries.show, (SHOWDOWN, DEAL, DRAW, REMEDY)),
    Row("muck", (SHOWDOWN,), entries.muck, (SHOWDOWN, DEAL, DRAW, REMEDY)),
    Row("won", (SHOWDOWN,), entries.won, (SHOWDOWN,)),
    Row("twice", (DEAL, SHOWDOWN), entries.twice, (DEAL, SHOWDOWN)),
    Row("done", (REMEDY, SHOWDOWN), entries.done, (*IN_HAND, IDLE)),
    Row("clock", (BET,), entries.clock, (BET,)),
    Row("seen", ANY, reports.seen, ANY),
    Row("report", ANY, reports.report, ANY),
    Row("floor", IN_HAND, reports.floor, (*IN_HAND, IDLE)),
    Row("chop", (BET,), entries.chop, (IDLE,)),
    Row("waive-antes", (IDLE,), people.waive_antes, (IDLE,)),
    Row("sit", ANY, people.sit, ANY),
    Row("leave", ANY, people.leave, ANY),
    Row("away", ANY, people.away, ANY),
    Row("back", ANY, people.back, ANY),
    Row("stack", (IDLE,), people.stack, (IDLE,)),
    Row("buy", (IDLE, DEAL), behind.buy, (IDLE, DEAL)),
    Row("level", ANY, levels.level, ANY),
    Row("timer", ANY, levels.timer, ANY),
    Row("break", ANY, levels.rest, ANY),
    Row("colour-up", (IDLE,), levels.colour_up, (IDLE,)),
    Row("undo", ANY, entries.undo, ANY),
    Row("time", ANY, entries.time, ANY),
    Row("device", ANY, entries.device, ANY),
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
