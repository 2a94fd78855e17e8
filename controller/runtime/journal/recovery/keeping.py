"""Keeps the journal short to take up: a snapshot between hands now and then, a new file with a new day.

Part of the loop, and used by its thread alone.
"""

import logging
from collections.abc import Mapping
from dataclasses import replace

from controller.core.protocol.events import Device, Event
from controller.core.protocol.vocabulary import Status
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.recovery.recovery import Recovered, snapshot_of
from controller.runtime.journal.recovery.snapshot import SnapshotError, written
from controller.runtime.loop.ruling import Answer

log = logging.getLogger(__name__)


class Keeping:
    """Follows the table of `recovered`, entry by entry, and writes it down when the journal asks for it."""

    def __init__(self, journal: Journal, recovered: Recovered) -> None:
        self._journal = journal
        self._table = replace(recovered, lost=set(recovered.lost))

    def after(self, event: Event, given: Answer, t: float) -> None:
        """Take an entry and what the table answered."""
        self._table.entries += 1
        self._table.t, self._table.last = t, given
        if isinstance(event, Device) and event.status is Status.LOST:
            self._table.lost.add(event.id)
        if isinstance(event, Device) and event.status is Status.BACK:
            self._table.lost.discard(event.id)

    def keep(self, rulings: tuple[Mapping[str, object], ...], ruled_in: int, *, at_leisure: bool = False) -> bool:
        """Write down what is due, and say whether that could be done; raises `DatabaseError`.

        `at_leisure`: the table rests, or the program ends (`Journal.wants_snapshot`).
        """
        last = self._table.last
        if last is None or last.error is not None:
            return True
        due = self._journal.wants_snapshot(at_leisure=at_leisure)
        if at_leisure and not due:  # a table that rests is asked at every tick, and a file that is read is not closed
            return True
        rotated = self._journal.wants_rotation and self._journal.rotate()
        if rotated or due:
            self._table.rulings, self._table.ruled_in = rulings, ruled_in
            try:
                data = written(snapshot_of(self._table))
            except SnapshotError as why:
                log.error("%s: starts will take longer", why)
                self._journal.pass_over_snapshot(last.entry)
                return False
            self._journal.keep_snapshot(data, last.entry)
        return True
