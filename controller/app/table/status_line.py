"""How the table is, in the one line that `systemctl status` shows: what the page says, and never a card."""

from collections.abc import Mapping
from typing import Any

from controller.runtime.loop.table_view import TableView
from controller.web.wording.step_instructions import format_instruction


def format_status_line(standing: TableView) -> str:
    """Say the mode, the phase, what is due first, and what is wrong."""
    table: Mapping[str, Any] = standing.output_line
    steps = table["next"]
    parts = [
        f"{standing.mode}, {table['phase']}",
        f"hand {table['hand']}",
        format_instruction(steps[0]) if steps else "nothing is due",
        f"gate {table['gate']}",
    ]
    lost = [device.name for device in standing.devices if device.state == "lost"]
    if lost:
        parts.append(f"lost: {', '.join(lost)}")
    if standing.faults:
        parts.append(f"faults: {', '.join(dict.fromkeys(fault.code for fault in standing.faults))}")
    if standing.power_lost:
        parts.append("was cut short")
    if standing.refusal is not None:
        parts.append(f"refused: {standing.refusal.code}")
    return "; ".join(parts)
