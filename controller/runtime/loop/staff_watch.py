"""Watches that the staff's file stays the one that it was, and writes into the journal which that is."""

import logging
from collections.abc import Callable
from pathlib import Path

from controller.runtime.journal.journal import Journal
from controller.runtime.journal.recovery.known_staff import read_known_staff
from controller.runtime.staff.staff_continuity import (
    STAFF_RECORD_KIND,
    KnownStaff,
    StaffFileState,
    find_staff_trouble,
    read_staff_file,
)
from controller.runtime.storage.sqlite_database import DatabaseError

log = logging.getLogger(__name__)


class StaffWatch:
    """Watches the file at `path` for the journal of this run; `on_change` is told what is wrong, or `None` again."""

    def __init__(self, journal: Journal, path: Path, on_change: Callable[[str | None], None]) -> None:
        """Compare the file with what the journal knows; raises `DatabaseError` for a journal that cannot be read."""
        self._journal = journal
        self._path = path
        self._on_change = on_change
        self._known = read_known_staff(journal)
        self._noted: tuple[str, int] | None = None
        """What this run has written down."""
        self.trouble: str | None = None
        self._compare()

    def check(self) -> bool:
        """Look again; write down what the file is now, where all is well. Return whether there is new trouble.

        In the loop's thread; raises `DatabaseError` for a journal that cannot be written.
        """
        before = self.trouble
        found = self._compare()
        if (
            found is not None
            and self.trouble is None
            and self._noted != (found.revision.file_id, found.revision.number)
        ):
            self._note(found)
        return self.trouble is not None and before is None

    def _compare(self) -> StaffFileState | None:
        try:
            found = read_staff_file(self._path)
        except DatabaseError as why:  # somebody holds it, or it is damaged: whoever signs in is told
            log.warning("%s", why)
            return None
        trouble = find_staff_trouble(self._known, found)
        if trouble != self.trouble:
            self.trouble = trouble
            self._on_change(trouble)
        return found

    def _note(self, found: StaffFileState) -> None:
        revision = found.revision
        if self._noted == (revision.file_id, revision.number):
            return
        if not revision.file_id or not (revision.number or found.people_count or revision.accepted):
            return  # nobody was ever enrolled
        body: dict[str, object] = {"file": revision.file_id, "changes": revision.number, "people": found.people_count}
        if found.room:
            body |= {"room": found.room, "list": found.list_number}
        if self._known is not None and revision.accepted == self._known.mark:
            body["in_place_of"] = self._known.mark
        self._journal.append_note(STAFF_RECORD_KIND, body)
        self._noted = revision.file_id, revision.number
        last = ("", "") if self._known is None else (self._known.last_name, self._known.last_key)
        self._known = KnownStaff(
            revision.file_id, revision.number, found.people_count, found.room, found.list_number, *last
        )
