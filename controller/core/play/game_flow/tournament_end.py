"""The end of a tournament at its table, which is let go: nothing of it counts in what is played there next."""

from controller.core.model.setup import Setup
from controller.core.model.table_state import RotationState, TableCollection, TableSeating, TableState, TableUndo
from controller.core.play.game_flow.table_machine import TABLE_MACHINE
from controller.core.protocol.events import TournamentEnded
from controller.core.protocol.table_error import Refused
from controller.core.rules.questions.house.table_rules import GameMode
from controller.core.rules.rulings import Ruling
from controller.core.values.value import replace


def end_tournament(state: TableState, event: TournamentEnded) -> tuple[Ruling, ...]:  # noqa: ARG001 (one signature for all entries)
    """Stand as when the table was set up, but without anybody: stacks, timer, level, holds, button, debts are gone.

    Devices and time stay, and hands go on counting, so that each has a number of its own. At a table that is free it
    changes nothing.

    Raises `Refused` (`not-ruled`).
    """
    if state.setup.mode is not GameMode.TOURNAMENT:
        raise Refused("not-ruled", "a table is let go from a tournament; this is none.")
    TABLE_MACHINE.move(state, "clear")
    cleared = make_cleared_state(replace(state.opening_setup, players=()), state)
    state.assign_from(cleared)
    return ()


def make_cleared_state(setup: Setup, state: TableState) -> TableState:
    """A table without anybody, at the hand and the second where another stands."""
    return TableState(
        setup,
        state.opening_setup,
        TableSeating({}),
        hand_count=state.hand_count,
        time=replace(state.time, clock=None, extension_count_by_player={}),
        undo=TableUndo(),
        rotation_state=RotationState(choice_button=setup.choice_button),
        collection=None if setup.collection is None else TableCollection(),
    )
