"""Draws docs/phases.md from the rows that run a hand: `python -m tests.docs.phases`."""

from collections import defaultdict
from pathlib import Path

from controller.core.engine.machine.transition_table import ANY, HAND_ROWS
from controller.core.protocol.display import Phase

PAGE = Path(__file__).parents[2] / "docs" / "phases.md"
HEAD = """# The phases of a hand

Drawn from the rows of `controller/core/engine/machine/transition_table.py` by `make phases`; a test holds it to them.
An arrow bears the events of the [table script](table-script.md) that may lead from one phase to another. Whether its
devices let the table deal is a machine of its own beside this one, *ready* or *halted*: a fault changes no phase.

"""


def page() -> str:
    """The page: a diagram of the arrows, and a table of what each event is taken in."""
    arrows: dict[tuple[Phase, Phase], list[str]] = defaultdict(list)
    everywhere = [row.event for row in HAND_ROWS if set(row.phases) == set(row.to) == set(ANY)]
    for row in HAND_ROWS:
        if row.event not in everywhere:
            for source in row.phases:
                for target in row.to:
                    if target is not source:
                        arrows[source, target].append(row.event)
    lines = ["```mermaid", "stateDiagram-v2", "    [*] --> idle"]
    lines += [
        f"    {source.value} --> {target.value}: {', '.join(words)}" for (source, target), words in arrows.items()
    ]
    lines += ["```", "", f"Taken in every phase, and leading to any: `{'`, `'.join(everywhere)}`.", ""]
    lines += ["| event | taken in | may lead to |", "|---|---|---|"]
    for row in HAND_ROWS:
        if row.event not in everywhere:
            taken, leads = (", ".join(phase.value for phase in phases) for phases in (row.phases, row.to))
            lines.append(f"| `{row.event}` | {taken} | {leads} |")
    return HEAD + "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
