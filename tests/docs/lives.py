"""Draws docs/lives.md from the rows that run devices, the shoe's mouth and sessions: `python -m tests.docs.lives`."""

from collections import defaultdict
from enum import Enum
from pathlib import Path
from typing import Any

from controller.runtime.devices.device_monitor import DEVICE_LIFE
from controller.runtime.devices.shoe_mouth import MOUTH_LIFE
from controller.runtime.life_cycle import LifeCycle
from controller.web.access.session_store import BROWSER_LIFE

PAGE = Path(__file__).parents[2] / "docs" / "lives.md"
HEAD = """# Lives outside the core

Drawn by `make phases` from the rows that `transitions` runs (`controller/runtime/life_cycle.py`); a test holds it to
them. Among rows with the same trigger and state the first is taken whose condition holds. What has no row is refused:
at a live table that leaves everything as it was, and is told as the fault `program-fault`; at a page the request fails.

A device on a port starts `new`, one on pins `ready`, one that the journal holds for lost `gone`. One that is `mute` has
its port and does not answer; one that is `gone` has no port. A new state is a member of the enumeration and a row
for every trigger; `is_lost`, `is_ready` and `describe_state` must name it.
"""

LIVES: dict[str, LifeCycle[Any, Any]] = {
    "A device (`controller/runtime/devices/device_monitor.py`)": DEVICE_LIFE,
    "The mouth of a shoe (`controller/runtime/devices/shoe_mouth.py`)": MOUTH_LIFE,
    "Who is signed in on a browser (`controller/web/access/session_store.py`)": BROWSER_LIFE,
}


def page() -> str:
    """The page: of each life a diagram of its arrows, and a table of its rows."""
    return HEAD + "".join(_draw(title, life) for title, life in LIVES.items())


def _draw(title: str, life: LifeCycle[Any, Any]) -> str:
    arrows: dict[tuple[str, str], list[str]] = defaultdict(list)
    rows = []
    for move in life.moves:
        source, dest, tells = move.source.value, move.dest.value, move.tells
        word = move.trigger.replace("_", " ")
        condition = move.condition.replace("_", " ")
        if source != dest:
            arrows[source, dest].append(f"{word} [{condition}]" if condition else word)
        told = tells.value if isinstance(tells, Enum) else ""
        rows.append(f"| {source} | {word} | {condition} | {dest} | {told} |")
    initial = next(iter(life.states)).value
    lines = ["", f"## {title}", "", "```mermaid", "stateDiagram-v2", f"    [*] --> {initial}"]
    lines += [f"    {source} --> {dest}: {', '.join(words)}" for (source, dest), words in arrows.items()]
    lines += ["```", "", "| in | trigger | if it | leads to | and tells |", "|---|---|---|---|---|", *rows]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
