"""What the journal knows of the auditor to whom hands are sealed."""

from controller.runtime.journal.journal_reader import JournalReader
from controller.runtime.journal.sealing.hand_seal import read_auditor_public_key
from controller.runtime.storage.sqlite_database import translate_read_errors


def is_auditor_missing(journal: JournalReader) -> bool:
    """Whether hands were sealed to an auditor whose key is gone, in the newest session; raises `DatabaseError`."""
    if read_auditor_public_key(journal.path.parent) is not None:
        return False
    record = next(journal.read_newest_records("hand-key", "session"), None)
    with translate_read_errors(journal.path):
        return record is not None and record.kind == "hand-key" and record.parse_body()["auditor"] is not None
