"""Watches that the staff's file stays the one that it was, and writes into the journal which that is."""

import logging
from collections.abc import Callable
from pathlib import Path

from controller.runtime.journal.journal import Journal
from controller.runtime.journal.recovery.known_staff import read_known_staff
from controller.runtime.staff.staff_continuity import (
    DAMAGE,
    STAFF_RECORD_KIND,
    KnownStaff,
    StaffFileState,
    find_staff_trouble,
    find_tokens_trouble,
    read_staff_file,
    read_tokens_file,
)
from controller.runtime.storage.revision_counter import ACCEPT_REMEDY, FileRevision
from controller.runtime.storage.sqlite_database import DamagedDatabaseError, DatabaseError
from controller.runtime.storage.state_directory import STAFF_FILE, TOKENS_FILE

log = logging.getLogger(__name__)


class StaffWatch:
    """Watches the files in `directory` for the journal of this run.

    `on_change` is told what is wrong with the staff's file and with the tokens', or `None` again.
    """

    def __init__(self, journal: Journal, directory: Path, on_change: Callable[[str | None, str | None], None]) -> None:
        """Compare the file with what the journal knows; raises `DatabaseError` for a journal that cannot be read."""
        self._journal = journal
        self._staff_path, self._tokens_path = directory / STAFF_FILE, directory / TOKENS_FILE
        self._on_change = on_change
        self._known = read_known_staff(journal)
        self._noted: tuple[FileRevision, FileRevision | None] | None = None
        """What this run has written down."""
        self.trouble: str | None = None
        self.tokens_trouble: str | None = None
        self._compare()

    def check(self) -> bool:
        """Look again; write down what the file is now, where all is well. Return whether there is new trouble.

        In the loop's thread; raises `DatabaseError` for a journal that cannot be written.
        """
        before = self.trouble or self.tokens_trouble
        found = self._compare()
        if found is not None and found[0] is not None and self.trouble is None and self.tokens_trouble is None:
            self._note(found[0], found[1])
        return before is None and (self.trouble or self.tokens_trouble) is not None

    def _compare(self) -> tuple[StaffFileState | None, FileRevision | None] | None:
        trouble = tokens_trouble = None
        staff: StaffFileState | None = None
        tokens: FileRevision | None = None
        try:
            try:
                staff = read_staff_file(self._staff_path)
                trouble = find_staff_trouble(self._known, staff)
            except DamagedDatabaseError:
                trouble = DAMAGE
            try:
                tokens = read_tokens_file(self._tokens_path)
                tokens_trouble = find_tokens_trouble(self._known, tokens)
            except DamagedDatabaseError:
                tokens_trouble = DAMAGE
        except DatabaseError as why:  # somebody holds it: whoever signs in is told
            log.warning("%s", why)
            return None
        if tokens_trouble is not None and tokens_trouble != self.tokens_trouble:
            log.error("%s %s; no token of it opens anything; %s", self._tokens_path, tokens_trouble, ACCEPT_REMEDY)
        if (trouble, tokens_trouble) != (self.trouble, self.tokens_trouble):
            self.trouble, self.tokens_trouble = trouble, tokens_trouble
            self._on_change(trouble, tokens_trouble)
        return staff, tokens

    def _note(self, staff: StaffFileState, tokens: FileRevision | None) -> None:
        revision, known = staff.revision, self._known
        tokens = tokens if tokens is not None and tokens.file_id else None if known is None else known.tokens
        if self._noted == (revision, tokens):
            return
        if not revision.file_id or not (revision.number or staff.people_count or revision.accepted or tokens):
            return  # nobody was ever enrolled
        body: dict[str, object] = {"file": revision.file_id, "changes": revision.number, "people": staff.people_count}
        if staff.room:
            body |= {"room": staff.room, "list": staff.list_number}
        if tokens is not None:
            body["tokens"] = {"file": tokens.file_id, "changes": tokens.number}
        if known is not None and revision.accepted == known.mark:
            body["in_place_of"] = known.mark
        self._journal.append_note(STAFF_RECORD_KIND, body)
        self._noted = revision, tokens
        last = ("", "") if known is None else (known.last_name, known.last_key)
        self._known = KnownStaff(
            revision.file_id, revision.number, staff.people_count, staff.room, staff.list_number, *last, tokens
        )
