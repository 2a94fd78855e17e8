"""What people in the simulated room do, one thing at a time."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Move:
    """One thing people do: `seconds` is how long they take to get to it at their own pace."""

    what: str
    seconds: float
    key: str | None = None
    """The key that is pressed for it, or `None` when a card leaves the shoe or the page is touched."""
    line: Mapping[str, object] | None = None
    """What is touched on the page, or `None`."""
    fault: str | None = None
    """What goes wrong with it, or `None`."""
