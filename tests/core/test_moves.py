"""What the table lets move is what `transitions` would: the library is asked once, and not for every event."""

from enum import Enum
from typing import Any

import pytest
from transitions import Machine

from controller.core.engine.machine.state_machine import Region, Row, Rows, Undeclared
from controller.core.engine.machine.transition_table import HAND_ROWS, HEALTH_ROWS, Health, hand_rows, health_rows
from controller.core.protocol.display import Phase

TABLES = [(HAND_ROWS, hand_rows(), Phase), (HEALTH_ROWS, health_rows(), Health)]


@pytest.mark.parametrize(("declared", "rows", "phases"), TABLES)
def test_a_region_moves_where_the_machine_moves(
    declared: tuple[Row[Any, Any], ...], rows: Rows[Any, Any], phases: type[Enum]
) -> None:
    machine: Machine = rows.machine
    for row in declared:
        for start in phases:
            for dest in phases:
                if start is dest:
                    continue
                region = Region(rows, start)
                moves = machine.events[row.event].transitions.get(start.name, []) if row.event in machine.events else []
                if any(move.dest == dest.name for move in moves):
                    region.take(row.event, dest)
                    assert region.phase is dest
                else:
                    with pytest.raises(Undeclared):
                        region.take(row.event, dest)
                    assert region.phase is start


def test_work_that_arrives_where_no_row_leads_is_a_mistake() -> None:
    rows = Rows([Row("card", (Phase.DEAL,), None, (Phase.DEAL, Phase.BET))], Phase)
    region = Region(rows, Phase.DEAL)
    region.take("card", Phase.DEAL)
    region.take("card", Phase.BET)
    with pytest.raises(Undeclared):
        region.take("card", Phase.BET)
    with pytest.raises(Undeclared):
        region.take("card", Phase.DEAL)
