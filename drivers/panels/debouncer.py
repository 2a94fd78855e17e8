"""One contact or beam, debounced by counting samples."""


class Debouncer:
    """A level that changes only when enough samples say so.

    Every sample moves a counter one up or down between 0 and `settled`; the level changes when the counter reaches the
    other end, so single spikes never do it and a contact that bounces is followed by a change soon after it rests.
    """

    def __init__(self, settled: int) -> None:
        """Start at the low end, knowing nothing."""
        self._settle_samples = settled
        self._count = 0
        self._samples_taken = 0
        self.is_high = False

    @property
    def is_known(self) -> bool:
        """Whether enough samples were taken to know the level."""
        return self._samples_taken >= self._settle_samples

    @property
    def is_settled_high(self) -> bool:
        """Whether every sample of late was high."""
        return self._count == self._settle_samples

    @property
    def is_settled_low(self) -> bool:
        """Whether another low sample would change nothing."""
        return self._count == 0 and self.is_known

    def sample(self, high: bool) -> bool:
        """Take a sample; return whether the level has changed by it."""
        self._samples_taken += 1
        self._count = min(self._count + 1, self._settle_samples) if high else max(self._count - 1, 0)
        before = self.is_high
        if self._count in (0, self._settle_samples):
            self.is_high = self._count == self._settle_samples
        return self.is_high != before
