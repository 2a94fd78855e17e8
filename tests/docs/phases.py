"""Draws docs/phases.md from the rows that run a hand: `python -m tests.docs.phases`."""

from collections import defaultdict
from pathlib import Path

from controller.core.engine.handlers.transition_table import ALL_PHASES, HAND_ROWS
from controller.core.protocol.table_display import Phase

PAGE = Path(__file__).parents[2] / "docs" / "phases.md"
HEAD = """# The phases of a hand

Drawn from the rows of `controller/core/engine/handlers/transition_table.py` by `make phases`; a test holds it to them.
An arrow bears the events of the [table script](table-script.md) that may lead from one phase to another. Whether its
devices let the table deal is a machine of its own beside this one, *ready* or *halted*: a fault changes no phase.

"""


def page() -> str:
    """The page: a diagram of the arrows, and a table of what each event is taken in."""
    arrows: dict[tuple[Phase, Phase], list[str]] = defaultdict(list)
    everywhere = [row.event_name for row in HAND_ROWS if set(row.phases) == set(row.next_phases) == set(ALL_PHASES)]
    for row in HAND_ROWS:
        if row.event_name not in everywhere:
            for source in row.phases:
                for target in row.next_phases:
                    if target is not source:
                        arrows[source, target].append(row.event_name)
    lines = ["```mermaid", "stateDiagram-v2", "    [*] --> idle"]
    lines += [
        f"    {source.value} --> {target.value}: {', '.join(words)}" for (source, target), words in arrows.items()
    ]
    lines += ["```", "", f"Taken in every phase, and leading to any: `{'`, `'.join(everywhere)}`.", ""]
    lines += ["| event | taken in | may lead to |", "|---|---|---|"]
    for row in HAND_ROWS:
        if row.event_name not in everywhere:
            taken, leads = (", ".join(phase.value for phase in phases) for phases in (row.phases, row.next_phases))
            lines.append(f"| `{row.event_name}` | {taken} | {leads} |")
    return HEAD + "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
