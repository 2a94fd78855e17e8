"""What people in the simulated room do, one thing at a time."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SimulatedMove:
    """One thing people do: `delay_s` is how long they take to get to it at their own pace."""

    kind: str
    delay_s: float
    key: str | None = None
    """The key that is pressed for it, or `None` when a card leaves the shoe or the page is touched."""
    script_line: Mapping[str, object] | None = None
    """What is touched on the page, or `None`."""
    mishap: str | None = None
    """What goes wrong with it, or `None`."""
