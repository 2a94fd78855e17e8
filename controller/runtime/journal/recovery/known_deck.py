"""What the journal knows of the deck that is dealt from."""

from collections.abc import Iterator

from controller.runtime.journal.journal_reader import JournalReader
from controller.runtime.storage.sqlite_database import translate_read_errors


def read_decks_in_play(journal: JournalReader) -> Iterator[str]:
    """Name the decks that were put in play, the newest first; raises `DatabaseError`."""
    for record in journal.read_newest_records("deck"):
        with translate_read_errors(journal.path):
            body = record.parse_body()
            name = str(body["deck"]) if body.get("in_play") else ""
        if name:
            yield name
