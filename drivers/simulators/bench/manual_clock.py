"""A clock for simulated devices that stands still until it is told."""


class ManualClock:
    """Seconds that only `advance` moves; a `drivers.simulators.bench.simulator_interfaces.Clock`."""

    def __init__(self, now: float = 100.0) -> None:
        """Start at `now`."""
        self._now = now

    def __call__(self) -> float:
        """Return the seconds."""
        return self._now

    def advance(self, seconds: float) -> None:
        """Let `seconds` pass."""
        self._now += seconds
