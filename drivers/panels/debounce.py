"""One contact or beam, debounced by counting samples."""


class Debounced:
    """A level that changes only when enough samples say so.

    Every sample moves a counter one up or down between 0 and `settled`; the level changes when the counter reaches the
    other end, so single spikes never do it and a contact that bounces is followed by a change soon after it rests.
    """

    def __init__(self, settled: int) -> None:
        """Start at the low end, knowing nothing."""
        self._settled = settled
        self._count = 0
        self._samples = 0
        self.high = False

    @property
    def known(self) -> bool:
        """Whether enough samples were taken to know the level."""
        return self._samples >= self._settled

    @property
    def sure_high(self) -> bool:
        """Whether every sample of late was high."""
        return self._count == self._settled

    @property
    def rests_low(self) -> bool:
        """Whether another low sample would change nothing."""
        return self._count == 0 and self.known

    def sampled(self, high: bool) -> bool:
        """Take a sample; return whether the level has changed by it."""
        self._samples += 1
        self._count = min(self._count + 1, self._settled) if high else max(self._count - 1, 0)
        before = self.high
        if self._count in (0, self._settled):
            self.high = self._count == self._settled
        return self.high != before
