"""The decks of a table whose file is damaged, gone or older than the journal: restored from what the journal knows.

The record of a deck has its list, sealed for the table alone (docs/journal.md). For the process that runs the table and
holds its directory; others name a damaged file and leave it.
"""

import logging
import os
import threading
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from controller.runtime.devices.deck_list_formats import TagFormat, parse_deck_list, render_json
from controller.runtime.devices.deck_store import Deck, DeckError, DeckStore
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.journal_reader import JournalReader, is_in_use
from controller.runtime.journal.proof.device_key import DEVICE_KEY_FILE, DeviceKey, load_device_key
from controller.runtime.storage.atomic_file import sync_folder
from controller.runtime.storage.sqlite_database import DamagedDatabaseError, DatabaseError, translate_read_errors
from controller.runtime.storage.state_directory import JOURNAL_FILE, TABLE_DATABASE_FILE

MAX_FILES_READ_AT_START = 31
"""So many files of the journal, a month of play, are looked through for a deck's record."""

log = logging.getLogger(__name__)
_lock = threading.Lock()


@dataclass(slots=True)
class RecordedDeck:
    """A deck as the journal has it: the newest number of cards and checksum, and each list of it, the oldest first.

    `changed_at`: when the newest list was written down; `None` where none can be read.
    """

    name: str
    card_count: int
    checksum: str
    lists: list[Deck] = field(default_factory=list, repr=False)
    changed_at: datetime | None = None

    @property
    def is_whole(self) -> bool:
        """Whether its newest cards can be read."""
        return bool(self.lists) and self.lists[-1].compute_checksum() == self.checksum


def read_recorded_decks(directory: Path, max_files: int | None = None) -> dict[str, RecordedDeck]:
    """The decks that the journal in `directory` names, by name; of its newest `max_files` files, where that is said.

    Raises `DatabaseError`.
    """
    if not is_in_use(directory / JOURNAL_FILE):
        return {}
    key = load_device_key(directory) if (directory / DEVICE_KEY_FILE).exists() else None
    with closing(JournalReader.open(directory / JOURNAL_FILE)) as journal:
        return _collect_recorded_decks(journal, key, max_files)


def _collect_recorded_decks(
    journal: JournalReader, key: DeviceKey | None, max_files: int | None
) -> dict[str, RecordedDeck]:
    found: dict[str, RecordedDeck] = {}
    file_count = 0
    for record in journal.read_newest_records("file", "deck"):
        if record.kind == "file":
            file_count += 1
            if file_count == max_files:
                break
            continue
        with translate_read_errors(journal.path):
            body = record.parse_body()
            name = str(body["deck"])
            known = found.setdefault(name, RecordedDeck(name, int(body["cards"]), str(body["checksum"])))
            deck = None if key is None or "list" not in body else _open_list(name, key.open_text(str(body["list"])))
            if deck is not None:
                known.changed_at = known.changed_at or datetime.fromisoformat(str(body["wall"]))
                known.lists.insert(0, deck)
    return found


def describe_absent_file(directory: Path) -> str | None:
    """Say which older file of the journal is not there to restore decks from; `None` where all are.

    Raises `DatabaseError`.
    """
    if not is_in_use(directory / JOURNAL_FILE):
        return None
    with closing(JournalReader.open(directory / JOURNAL_FILE)) as journal:
        absent = journal.find_absent_file()
    if absent is None:
        return None
    return (
        f"{directory / absent} is not here, nor what older files of the journal alone know of decks: put it back and "
        "start the table, or register again what is missed"
    )


def open_decks(directory: Path) -> DeckStore:
    """Open the decks of the table that this process runs; a damaged file is put aside and they are restored.

    Raises `DatabaseError`.
    """
    with _lock:
        path = directory / TABLE_DATABASE_FILE
        try:
            return _open_checked(path)
        except DamagedDatabaseError as why:
            aside = _put_aside(path)
            log.error("%s; it is kept as %s", why, aside.name)
        decks = DeckStore(path)
        _restore(decks, directory, None)
        return decks


def restore_recorded_decks(decks: DeckStore, directory: Path) -> None:
    """At a start, register what the journal has and the file has not, or has as it once was.

    Raises `DatabaseError`.
    """
    with _lock:
        _restore(decks, directory, MAX_FILES_READ_AT_START if decks.list_names() else None)


def record_registered_decks(decks: DeckStore, journal: Journal) -> None:
    """Write into the journal each deck that it does not know as it is: registered by a command, or by an older program.

    Raises `DatabaseError`.
    """
    known = read_recorded_decks(journal.path.parent, 1)  # so that the loss of a closed file loses no deck
    for name in decks.list_names():
        deck = decks.get(name)
        if name in known and known[name].is_whole and known[name].checksum == deck.compute_checksum():
            continue
        body = {"deck": name, "cards": len(deck.card_by_tag), "checksum": deck.compute_checksum(), "by": ""}
        journal.append_note("deck", body | {"list": journal.seal_text(render_json(deck))})


def _open_checked(path: Path) -> DeckStore:
    decks = DeckStore(path)
    try:
        for name in decks.list_names():
            decks.get(name)
    except (DatabaseError, DeckError):
        decks.close()
        raise
    return decks


def _put_aside(path: Path) -> Path:
    """Keep what lies at `path`, and what SQLite has made beside it, under another name."""
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    try:
        os.rename(path, aside)
        for end in ("-wal", "-shm"):
            beside = path.with_name(f"{path.name}{end}")
            if beside.exists():
                os.rename(beside, aside.with_name(f"{aside.name}{end}"))
        sync_folder(path.parent)
    except OSError as why:
        raise DatabaseError(f"{path}: is damaged, and cannot be put aside: {why.strerror}") from why
    return aside


def _restore(decks: DeckStore, directory: Path, max_files: int | None) -> None:
    restored, missing = list[str](), list[str]()
    try:
        recorded = read_recorded_decks(directory, max_files)
        absent = describe_absent_file(directory)
    except DatabaseError as why:  # what is wrong with the journal the start says itself
        log.error("%s: the journal cannot be asked for decks: %s", decks.path, why)
        return
    for known in recorded.values():
        there = decks.get(known.name) if known.name in decks.list_names() else None
        if there is not None and (
            there.compute_checksum() == known.checksum
            or known.changed_at is None
            or decks.find_change_time(known.name) >= known.changed_at.replace(microsecond=0)
        ):
            continue
        if _register(decks, known.lists):
            restored.append(known.name)
        if not known.is_whole:
            missing.append(f"{known.name} ({known.card_count} cards, checksum {known.checksum})")
    if restored:
        log.warning("%s: restored from the journal: %s", decks.path, ", ".join(restored))
    if absent is not None and (restored or missing or max_files is None):
        log.error("%s: may have less than it had: %s", decks.path, absent)
    if missing:
        log.error(
            "%s: the journal knows these decks and not all of their cards: %s; register them again (tablectl deck "
            "import NAME FILE, or card by card) and compare the checksum",
            decks.path,
            ", ".join(missing),
        )


def _register(decks: DeckStore, lists: Sequence[Deck]) -> bool:
    """Register a deck as it was from list to list, so that withdrawn tags are known again."""
    try:
        for deck in lists:
            decks.register(deck, replace=True)
    except DeckError as why:  # a tag is of another deck now
        log.error("%s: deck %s cannot be restored: %s", decks.path, lists[0].name, why)
        return False
    return bool(lists)


def _open_list(name: str, text: str | None) -> Deck | None:
    try:
        return None if text is None else parse_deck_list(name, text, TagFormat.TEXT)
    except DeckError:
        return None
