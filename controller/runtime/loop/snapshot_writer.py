"""Keeps the journal short to take up: a snapshot between hands now and then, a new file with a new day.

Part of the loop, and used by its thread alone.
"""

import logging
from collections.abc import Mapping
from dataclasses import replace

from controller.core.protocol.events import Event
from controller.runtime.journal.entry_result import EntryResult
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.recovery.journal_replay import RecoveredTable, make_snapshot
from controller.runtime.journal.recovery.snapshot import SnapshotError, render_snapshot

log = logging.getLogger(__name__)


class SnapshotWriter:
    """Follows the table of `recovered`, entry by entry, and writes it down when the journal asks for it."""

    def __init__(self, journal: Journal, recovered: RecoveredTable) -> None:
        self._journal = journal
        self._recovered = replace(recovered, lost_devices=set(recovered.lost_devices))

    def on_entry(self, event: Event, given: EntryResult, t: float) -> None:
        """Take an entry and what the table answered."""
        self._recovered.add_entry(event, given, t)

    def write_snapshot_if_due(
        self, rulings: tuple[Mapping[str, object], ...], ruled_in: int, *, at_leisure: bool = False
    ) -> bool:
        """Write down what is due, and say whether that could be done; raises `DatabaseError`.

        `at_leisure`: the table rests, or the program ends (`Journal.needs_snapshot`).
        """
        last = self._recovered.last_result
        if last is None or last.error is not None:
            return True
        due = self._journal.needs_snapshot(at_leisure=at_leisure)
        if at_leisure and not due:  # a table that rests is asked at every tick, and a file that is read is not closed
            return True
        rotated = self._journal.needs_rotation and self._journal.rotate()
        if rotated or due:
            self._recovered.rulings, self._recovered.rulings_hand = rulings, ruled_in
            try:
                data = render_snapshot(make_snapshot(self._recovered))
            except SnapshotError as why:
                log.error("%s: starts will take longer", why)
                self._journal.skip_snapshot(last.entry_number)
                return False
            self._journal.store_snapshot(data, last.entry_number)
        return True
