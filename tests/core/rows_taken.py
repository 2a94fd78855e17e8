"""Which rows the machines take while stories are played, in the words of `docs/phases.md`."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from controller.cli.table.replay_command import replay_script
from controller.core.engine.handlers.transition_table import ALL_PHASES, ENTRY_ROWS, HAND_PHASES, EntryRow
from controller.core.play.dealing.hand_machine import HAND_MACHINE, HAND_ROWS
from controller.core.play.game_flow.table_machine import TABLE_MACHINE, TABLE_ROWS
from controller.core.protocol.table_display import Phase
from controller.core.values.state_machine import StateMachine, TransitionRow
from tests.conformance.answers import list_scripts, read_script
from tests.core.arbitrary import story
from tests.core.test_any_order import iter_random_numbers

SETS = {ALL_PHASES: "any phase", HAND_PHASES: "in a hand"}
"""What sets of phases are called."""
SEEDS = range(40)
"""The stories that are played."""


def name_function(function: Callable[..., Any]) -> str:
    """What a condition or a work is called on the page."""
    return function.__name__.replace("_", " ")


def name_hand_row(row: TransitionRow[Any, Any], trigger: str = "") -> str:  # noqa: ARG001 (the hand has one trigger)
    """A row of the hand, as the page and the lists say it."""
    when = ", ".join(map(name_function, row.conditions)) or "else"
    return f"{row.source.value} > {row.destination.value}: {when}"


def name_table_row(row: TransitionRow[Any, Any], trigger: str) -> str:
    """A row of the table, as the lists say it."""
    return f"{trigger.replace('_', ' ')}, {name_hand_row(row)}"


def name_entry_row(row: EntryRow, arrived: Phase) -> str:
    """A row of an entry and where it led, as the lists say it."""
    phases = SETS.get(row.phases) or ", ".join(phase.value for phase in row.phases)
    return f"{row.event_name}: {phases} > {arrived.value if row.next_phases else 'the same'}"


@contextmanager
def watch_rows() -> Iterator[Counter[str]]:
    """Count what is taken: rows of the hand and of the table, moves of the entries."""
    taken: Counter[str] = Counter()
    require_arrival = EntryRow.require_arrival

    def note_arrival(row: EntryRow, left: Phase, arrived: Phase) -> None:
        require_arrival(row, left, arrived)
        taken[name_entry_row(row, arrived)] += 1

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(EntryRow, "require_arrival", note_arrival)
        _watch_machine(patch, taken, HAND_MACHINE, {"go_on": HAND_ROWS}, name_hand_row)
        _watch_machine(patch, taken, TABLE_MACHINE, TABLE_ROWS, name_table_row)
        yield taken


def _watch_machine(
    patch: pytest.MonkeyPatch,
    taken: Counter[str],
    machine: StateMachine[Any, Any],
    rows_by_trigger: Mapping[str, Sequence[TransitionRow[Any, Any]]],
    name: Callable[[TransitionRow[Any, Any], str], str],
) -> None:
    for trigger, rows in rows_by_trigger.items():
        moves = {stage: iter(found) for stage, found in machine.events[trigger].transitions.items()}
        for row in rows:
            move: Any = next(moves[row.source.name])
            patch.setattr(move, "lead", _count(taken, name(row, trigger), move.lead))


def _count(taken: Counter[str], name: str, lead: Callable[..., bool]) -> Callable[..., bool]:
    def take(model: object) -> bool:
        done = lead(model)
        if done:
            taken[name] += 1
        return done

    return take


def watch_stories(length: int = 120) -> Counter[str]:
    """Play every scenario, and seeded stories; what they take."""
    with watch_rows() as taken:
        for path in list_scripts():
            for _ in replay_script(read_script(path)[0]):
                pass
        for seed in SEEDS:
            story(iter_random_numbers(seed), length)
    return +taken


def list_declared() -> list[str]:
    """All that the rows declare."""
    moves = [name_entry_row(row, arrived) for row in ENTRY_ROWS for arrived in row.next_phases or row.phases[:1]]
    table = [name_table_row(row, trigger) for trigger, rows in TABLE_ROWS.items() for row in rows]
    return [*map(name_hand_row, HAND_ROWS), *table, *moves]
