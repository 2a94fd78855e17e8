"""Draws docs/phases.md from the machines that run (`python -m tests.docs.phases`), and names rows no story takes."""

import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from controller.core.engine.handlers.transition_table import ENTRY_ROWS
from controller.core.play.dealing.hand_machine import HAND_ROWS
from controller.core.play.game_flow.table_machine import TABLE_ROWS
from controller.core.protocol.table_display import Phase
from controller.core.values.state_machine import TransitionRow
from tests.core.rows_taken import SETS, name_function
from tests.docs.rows_not_taken import REASONS, find_rows_not_taken

PAGE = Path(__file__).parents[2] / "docs" / "phases.md"
HEAD = """# The life of a table and of a hand, and what may be entered when

Drawn by `make phases` from the rows that run; a test holds the page to them.
"""
TABLE = """
## The table

`controller/core/play/game_flow/table_machine.py`: what an entry does to the table as a whole moves it by these rows,
each under its trigger. The stage is stored in `TableState`, so `undo`, an amendment and a snapshot bring it back. A
closed table, before its `table` line, has no state and so no stage. A hand ends by *end hand* and nowhere else: with
the last award, a chop, or when no step is left. Whatever holds a `start` back refuses it in words first. A fault
holds none back: it stands beside the stage and holds the gate. A break may begin in a hand or while the table waits,
which stays where it is and comes to the break afterwards.

"""
HAND = """
## The hand

`controller/core/play/dealing/hand_machine.py`: whenever an entry leaves the plan without a decision of a person at its
end, the hand goes on by these rows. Of a stage the first row that holds is taken. A row that stays at its stage ends
there: a person is asked, or the steps of the plan come first. The next seat of a round is no transition. The stage is
read off the fields of the hand, and after each move they must say the stage to which the row leads. A new stage is a
member of `HandStage`, a line in `Hand.stage` (`controller/core/model/hand.py`) and a row here.

"""
ENTRIES = """
## The entries

`controller/core/engine/handlers/transition_table.py`: the phase is what the table does by the first step of its plan.
An arrow bears the events of the [table script](table-script.md) that may lead from one phase to another. A fault of a
device changes no phase: it stands beside the plan, as one of `faults`, and the table shows *halted* while there is one.

"""
BROAD = ("report", "seen", "floor")
"""Events that may put anything right in a hand: as arrows they would say nothing."""


def page() -> str:
    """The page: each machine as a diagram and as a table."""
    table = [(trigger, row) for trigger, rows in TABLE_ROWS.items() for row in rows]
    hand = [("", row) for row in HAND_ROWS]
    drawn = "\n".join([*_draw_rows(table, "resting"), ""]), "\n".join([*_draw_rows(hand, "street"), ""])
    return HEAD + TABLE + drawn[0] + HAND + drawn[1] + ENTRIES + "\n".join(_draw_entries()) + "\n"


def _draw_rows(rows: Sequence[tuple[str, TransitionRow[Any, Any]]], first: str) -> list[str]:
    """Rows with their triggers, where there are several: a diagram and a table."""
    triggers = any(trigger for trigger, _ in rows)
    arrows: dict[tuple[Any, Any], list[str]] = defaultdict(list)
    for trigger, row in rows:
        when = " and ".join(map(name_function, row.conditions)) or "else"
        arrows[row.source, row.destination].append(trigger.replace("_", " ") or when)
    lines = ["```mermaid", "stateDiagram-v2", f"    [*] --> {first}"]
    lines += [f"    {a.name.lower()} --> {b.name.lower()}: {'; '.join(when)}" for (a, b), when in arrows.items()]
    by = "| by " if triggers else ""
    lines += ["```", "", f"{by}| from | to | when | what is done |", f"{'|---' if triggers else ''}|---|---|---|---|"]
    for place, (trigger, row) in enumerate(rows):
        by = f"| {trigger.replace('_', ' ')} " if triggers else ""
        to = "stays" if row.source is row.destination else row.destination.value
        is_first = (trigger, row.source) not in [(before, other.source) for before, other in rows[:place]]
        when = " and ".join(map(name_function, row.conditions)) or ("always" if is_first else "else")
        idle = "nothing" if triggers else "nothing: the steps of the plan come first"
        work = ", ".join(map(name_function, row.work)) or idle
        lines.append(f"{by}| {row.source.value} | {to} | {when} | {work} |")
    return lines


def _draw_entries() -> list[str]:
    arrows: dict[tuple[Phase, Phase], list[str]] = defaultdict(list)
    for row in ENTRY_ROWS:
        if row.event_name not in BROAD:
            for left in row.phases:
                for arrived in row.next_phases:
                    if arrived is not left:
                        arrows[left, arrived].append(row.event_name)
    lines = ["```mermaid", "stateDiagram-v2", "    [*] --> idle"]
    lines += [f"    {left.value} --> {to.value}: {', '.join(words)}" for (left, to), words in arrows.items()]
    lines += ["```", "", f"Not drawn, because they may put anything right: `{'`, `'.join(BROAD)}`. `undo` and `amend`"]
    lines += [
        "are taken in every phase by the table itself: `undo` restores the table before, `amend` leads to any phase.",
        "",
    ]
    lines += ["| event | taken in | may lead to |", "|---|---|---|"]
    for row in ENTRY_ROWS:
        taken = SETS.get(row.phases) or ", ".join(phase.value for phase in row.phases)
        leads = ", ".join(phase.value for phase in row.next_phases) or "where it was"
        lines.append(f"| `{row.event_name}` | {taken} | {leads} |")
    return lines


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    for name in find_rows_not_taken():
        sys.stdout.write(f"no scenario and no story takes {name} ({REASONS.get(name, 'WITHOUT A REASON')})\n")
