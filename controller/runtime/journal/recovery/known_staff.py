"""What the journal knows of the staff's file."""

from typing import Any

from controller.runtime.journal.journal_reader import JournalReader
from controller.runtime.staff.staff_continuity import SIGN_IN_RECORD_KIND, STAFF_RECORD_KIND, KnownStaff
from controller.runtime.storage.revision_counter import FileRevision
from controller.runtime.storage.sqlite_database import DatabaseError, translate_read_errors


def read_known_staff(journal: JournalReader) -> KnownStaff | None:
    """Which staff's file the journal knows; `None` where nobody has signed in yet. Raises `DatabaseError`.

    Who signs at the room, or watches a count there, is not of this table's file.
    """
    last_name = last_key = ""
    for record in journal.read_newest_records(STAFF_RECORD_KIND, SIGN_IN_RECORD_KIND):
        with translate_read_errors(journal.path):
            body = record.parse_body()
            if record.kind == SIGN_IN_RECORD_KIND:
                if not last_key and "at" not in body:
                    last_name, last_key = str(body["name"]), str(body["key"])
                continue
            return KnownStaff(
                str(body["file"]), int(body["changes"]), int(body["people"]), str(body.get("room", "")),
                int(body.get("list", 0)), last_name, last_key, _parse_tokens(body.get("tokens")),
            )  # fmt: skip
    return KnownStaff("", 0, 0, "", 0, last_name, last_key) if last_key else None


def refuse_by_lost_journal(journal: JournalReader) -> None:
    """Raise `DatabaseError` where the journal is not the one that the table has written, or not all of it.

    What it knows is then no measure for the files of staff and tokens: the journal is to be put right first.
    """
    if (loss := journal.find_loss()) is not None:
        raise DatabaseError(loss)


def _parse_tokens(body: Any) -> FileRevision | None:  # noqa: ANN401 - as it was written down
    return None if body is None else FileRevision(str(body["file"]), int(body["changes"]))
