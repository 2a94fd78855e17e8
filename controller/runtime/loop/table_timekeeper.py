"""The seconds of a table: they go on where its last entry was, never decrease, and stand while it has no power."""


class TableTimekeeper:
    """Counts from `table_time_s`, where the table stood at the second `started_at` of the loop's clock."""

    def __init__(self, started_at: float, table_time_s: float) -> None:
        self._started_at = started_at
        self._start_table_time_s = self._last_entry_time_s = table_time_s

    def to_table_time(self, at: float) -> float:
        """The table's second at `at`."""
        return self._start_table_time_s + (at - self._started_at)

    def to_entry_time(self, at: float) -> float:
        """The second with which something that came at `at` is entered, in milliseconds at the finest."""
        return max(self._last_entry_time_s, round(self.to_table_time(at), 3))

    def take_entry_time(self, at: float) -> float:
        """The same, for an entry that is made now: no later one has an earlier second."""
        self._last_entry_time_s = self.to_entry_time(at)
        return self._last_entry_time_s
