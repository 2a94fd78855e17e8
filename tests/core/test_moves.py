"""What the table lets move is what `transitions` would: the library is asked once, and not for every event."""

from enum import Enum
from typing import Any

import pytest
from transitions import Machine

from controller.core.engine.handlers.state_machine import (
    Region,
    TransitionRow,
    TransitionTable,
    UndeclaredTransitionError,
)
from controller.core.engine.handlers.transition_table import (
    HAND_ROWS,
    READINESS_ROWS,
    TableReadiness,
    build_hand_transitions,
    build_readiness_transitions,
)
from controller.core.protocol.table_display import Phase

TABLES = [(HAND_ROWS, build_hand_transitions(), Phase), (READINESS_ROWS, build_readiness_transitions(), TableReadiness)]


@pytest.mark.parametrize(("declared", "rows", "phases"), TABLES)
def test_a_region_moves_where_the_machine_moves(
    declared: tuple[TransitionRow[Any, Any], ...], rows: TransitionTable[Any, Any], phases: type[Enum]
) -> None:
    machine: Machine = rows.machine
    for row in declared:
        for start in phases:
            for dest in phases:
                if start is dest:
                    continue
                region = Region(rows, start)
                moves = (
                    machine.events[row.event_name].transitions.get(start.name, [])
                    if row.event_name in machine.events
                    else []
                )
                if any(move.dest == dest.name for move in moves):
                    region.move_to(row.event_name, dest)
                    assert region.phase is dest
                else:
                    with pytest.raises(UndeclaredTransitionError):
                        region.move_to(row.event_name, dest)
                    assert region.phase is start


def test_work_that_arrives_where_no_row_leads_is_a_mistake() -> None:
    rows = TransitionTable([TransitionRow("card", (Phase.DEAL,), None, (Phase.DEAL, Phase.BET))], Phase)
    region = Region(rows, Phase.DEAL)
    region.move_to("card", Phase.DEAL)
    region.move_to("card", Phase.BET)
    with pytest.raises(UndeclaredTransitionError):
        region.move_to("card", Phase.BET)
    with pytest.raises(UndeclaredTransitionError):
        region.move_to("card", Phase.DEAL)
