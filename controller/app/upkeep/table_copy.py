"""A copy of all that a table knows, in a folder: what a backup packs, and what a second store holds.

    config/   the table's file and the files it names
    state/    journal, decks, staff; with the keys, if that is chosen

The journal is copied up to the end of the last finished hand and no further: the key of a hand that is being played
never leaves the card, and without it the hand could not go on. It is append-only, so that a later copy to the same
place adds what is new.
"""

import os
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from config.file_library import find_house_files
from config.table_file import TableFile
from controller.runtime.devices.deck_store import APPLICATION_ID as DECKS
from controller.runtime.devices.deck_store import DECK_TABLES
from controller.runtime.journal.journal_reader import APPLICATION_ID as JOURNAL
from controller.runtime.journal.journal_reader import JournalReader, find_closed_files, is_in_use
from controller.runtime.journal.proof.device_key import DEVICE_KEY_FILE, DEVICE_PUBLIC_KEY_FILE
from controller.runtime.journal.recovery.known_auditor import is_auditor_missing
from controller.runtime.journal.recovery.known_deck import read_decks_in_play
from controller.runtime.journal.recovery.known_staff import read_known_staff
from controller.runtime.journal.sealing.hand_seal import AUDITOR_KEY_FILE
from controller.runtime.staff.staff_continuity import STAFF_TABLES, TOKEN_TABLES
from controller.runtime.staff.staff_store import APPLICATION_ID as STAFF
from controller.runtime.staff.token_store import APPLICATION_ID as TOKENS
from controller.runtime.storage.atomic_file import sync_folder
from controller.runtime.storage.row_digest import has_damaged_rows, read_at_once
from controller.runtime.storage.sqlite_database import (
    SQLITE_ERRORS,
    DatabaseError,
    describe_error,
    open_read_only,
    translate_read_errors,
)
from controller.runtime.storage.state_directory import (
    DECK_IN_PLAY_FILE,
    JOURNAL_FILE,
    STAFF_FILE,
    TABLE_DATABASE_FILE,
    TOKENS_FILE,
)

CONFIG_FOLDER, STATE_FOLDER = "config", "state"
CONFIG_FILE = "table.toml"

APPLICATION_ID_BY_DATABASE = {TABLE_DATABASE_FILE: DECKS, STAFF_FILE: STAFF, TOKENS_FILE: TOKENS}
"""The databases that are copied whole, with the marks by which they are known."""

TABLES_BY_DATABASE = {TABLE_DATABASE_FILE: DECK_TABLES, STAFF_FILE: STAFF_TABLES, TOKENS_FILE: TOKEN_TABLES}
"""Which of their rows a digest tells (`row_digest`)."""

PLAIN_FILES = (DEVICE_PUBLIC_KEY_FILE, AUDITOR_KEY_FILE)
RECORDS_PER_COMMIT = 500
"""So many records are copied in one commit."""


class CopyError(Exception):
    """The copy cannot be made; the message says why and what to do."""


def copy_table(file: TableFile, state: Path, folder: Path, *, keys: bool) -> int:
    """Copy the table of `file`, whose state lies in `state`, into `folder`; return how many records were new.

    `keys`: also the keys of table and page, with which somebody could pass for this table. May be called while the
    table is in play. Raises `CopyError`.
    """
    try:
        for each in (folder, folder / CONFIG_FOLDER, folder / STATE_FOLDER):
            each.mkdir(mode=0o700, parents=True, exist_ok=True)
        _refuse_missing_config_files(file, keys=keys)
        for name, source in list_config_files(file, keys=keys).items():
            _copy_file(source, folder / CONFIG_FOLDER / name)
        # The journal first: of what lies beside it, it never knows more than the copy has.
        is_played = is_in_use(state / JOURNAL_FILE)
        copied = copy_journal(state / JOURNAL_FILE, folder / STATE_FOLDER) if is_played else 0
        _refuse_missing_stores(state)
        for name, mark in APPLICATION_ID_BY_DATABASE.items():
            if (state / name).exists():
                _copy_database(state / name, folder / STATE_FOLDER / name, mark)
        _refuse_missing_key(state)
        for name in (*PLAIN_FILES, *((DEVICE_KEY_FILE,) if keys else ())):
            if (state / name).exists():
                _copy_file(state / name, folder / STATE_FOLDER / name)
        _copy_deck_in_play(state, folder / STATE_FOLDER / DECK_IN_PLAY_FILE)
        return copied
    except PermissionError:
        raise
    except OSError as why:
        place = Path(why.filename or folder)
        raise CopyError(f"{place}: {describe_error(why, place)}") from why
    except DatabaseError as why:
        raise CopyError(str(why)) from why
    except SQLITE_ERRORS as why:  # its words may quote a row
        kind = getattr(why, "sqlite_errorname", type(why).__name__)
        raise CopyError(f"{folder}: cannot be written ({kind}); is the disk full, or damaged?") from None


def list_config_files(file: TableFile, *, keys: bool) -> dict[str, Path]:
    """Return the files of the configuration by their names in a copy: the table's, and those that lie beside it."""
    found = {CONFIG_FILE: file.path}
    named = [file.simulation.deck_list, file.page.certificate, file.page.rulebook_text]
    if file.page.certificate is not None:
        named.append(file.page.certificate.with_name("ca.crt"))
    if keys and file.page.private_key is not None:
        named += [file.page.private_key, file.page.private_key.with_name("ca.key")]
    house = file.library.house
    named += sorted(house.rglob("*.toml")) if house is not None else []
    for path in named:
        with suppress(ValueError):  # one that lies elsewhere belongs to the machine, not to the table
            # The authority's key is its owner's alone.
            if path is not None and path.exists() and (path.name != "ca.key" or os.access(path, os.R_OK)):
                found[path.resolve().relative_to(file.path.parent.resolve()).as_posix()] = path
    return found


def _refuse_missing_config_files(file: TableFile, *, keys: bool) -> None:
    """Raise `CopyError` where a file is gone that the table's file names, or that belongs to one it names."""
    page = file.page
    named = {each: "put it back" for each in (file.simulation.deck_list, page.rulebook_text) if each is not None}
    for each in (page.certificate, page.private_key if keys else None):
        if each is not None:
            named[each] = "put it back, or make certificate and key anew with `tablectl certificate make`,"
    if page.certificate is not None and page.certificate.with_name("ca.key").exists():
        named[page.certificate.with_name("ca.crt")] = "put it back"
    named |= dict.fromkeys(find_house_files(file.library, file.table_line), "put it back")
    for path, remedy in named.items():
        if not path.exists():
            raise CopyError(f"{path}: is missing, and the table had it: {remedy} first")


def _refuse_missing_stores(state: Path) -> None:
    """Raise `CopyError` where staff, decks, tokens or the auditor's key are gone that the table had."""
    had: list[str] = []
    if (state / JOURNAL_FILE).exists():
        with closing(JournalReader.open(state / JOURNAL_FILE)) as journal:
            kinds = {"sign-in": STAFF_FILE, "deck": TABLE_DATABASE_FILE}
            had += [name for kind, name in kinds.items() if next(journal.read_newest_records(kind), None) is not None]
            known = read_known_staff(journal)
            if is_auditor_missing(journal):
                had.append(AUDITOR_KEY_FILE)
        if known is not None and known.tokens is not None:
            had.append(TOKENS_FILE)
    for name in had:
        if not (state / name).exists():
            raise CopyError(f"{state / name}: is missing, and the table had it: put it back first")


def _refuse_missing_key(state: Path) -> None:
    """Raise `CopyError` where one half of the table's key is gone."""
    for name, other in ((DEVICE_KEY_FILE, DEVICE_PUBLIC_KEY_FILE), (DEVICE_PUBLIC_KEY_FILE, DEVICE_KEY_FILE)):
        if not (state / name).exists() and (state / other).exists():
            how = "put it back" if name == DEVICE_KEY_FILE else "start the table, which makes it anew"
            raise CopyError(f"{state / name}: is missing: {how} first")


def find_absent_journal_file(state: Path) -> str | None:
    """Name the closed file of the journal that a copy has not, as it is not here; raises `DatabaseError`.

    Who keeps the records may have put it elsewhere.
    """
    if not (state / JOURNAL_FILE).exists():
        return None
    with closing(JournalReader.open(state / JOURNAL_FILE)) as journal:
        return journal.find_absent_file()


def copy_journal(source: Path, folder: Path) -> int:
    """Copy the journal at `source` up to its last signed head into `folder`; return how many records were new."""
    new = 0
    for closed in find_closed_files(source).values():  # none of them is ever written again
        if not (folder / closed.name).exists():
            _copy_file(closed, folder / closed.name)
    target = folder / source.name
    with closing(JournalReader.open(source)) as journal:
        journal.check_closed_files()
        if (loss := journal.find_loss()) is not None:
            raise CopyError(f"{loss}, and copy it then")
        read = journal.merge_tail()
        with translate_read_errors(source):
            last = read.execute("SELECT max(number) FROM record WHERE kind = 'signed'").fetchone()[0]
            first = read.execute("SELECT min(number) FROM record").fetchone()[0]
        if last is None:
            return 0
        with closing(_open_copy(target, read)) as write:
            there = write.execute("SELECT min(number), max(number) FROM record").fetchone()
            if there[0] is not None and there[0] < first:  # the file has been closed since, and copied above
                write.executescript("DROP TRIGGER record_no_update; DROP TRIGGER record_no_delete; DROP TABLE record")
                write.execute("PRAGMA user_version=0")
                _make_tables(write, read)
                there = (None, None)
            at = there[1]
            with translate_read_errors(source):
                chain = None if at is None else _read_chain(read, at)
                rows = read.execute(
                    "SELECT number, kind, body, chain FROM record WHERE number > ? AND number <= ? ORDER BY number",
                    (at or 0, last),
                )
            if at is not None and chain != _read_chain(write, at):
                raise CopyError(f"{target} is of another journal: give this table a place of its own")
            while some := _fetch_rows(rows, source):
                write.execute("BEGIN IMMEDIATE")
                try:
                    write.executemany("INSERT INTO record VALUES (?, ?, ?, ?)", some)
                except sqlite3.IntegrityError:  # no table has written such a record
                    with translate_read_errors(source):
                        raise ValueError from None
                write.execute("COMMIT")
                new += len(some)
    return new


def _fetch_rows(rows: sqlite3.Cursor, source: Path) -> list[Any]:
    """Read some rows of a file; raises `DatabaseError` where it is damaged, and not the copy."""
    with translate_read_errors(source):
        return rows.fetchmany(RECORDS_PER_COMMIT)


def _open_copy(target: Path, like: sqlite3.Connection) -> sqlite3.Connection:
    """Open the copy of a journal, made like the original where it is new. Whole after a cut of the power."""
    os.close(os.open(target, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    write = sqlite3.connect(target, isolation_level=None, timeout=5.0, check_same_thread=False)
    try:
        write.execute(f"PRAGMA page_size={like.execute('PRAGMA page_size').fetchone()[0]}")
        write.execute("PRAGMA journal_mode=DELETE")
        write.execute("PRAGMA synchronous=FULL")
        if not write.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
            _make_tables(write, like)
    except sqlite3.Error:
        write.close()
        raise
    return write


def _make_tables(write: sqlite3.Connection, like: sqlite3.Connection) -> None:
    order = "CASE type WHEN 'table' THEN 0 WHEN 'index' THEN 1 ELSE 2 END"
    made = [row[0] for row in like.execute(f"SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY {order}")]
    version = like.execute("PRAGMA user_version").fetchone()[0]
    write.executescript(
        f"BEGIN IMMEDIATE; {';'.join(made)}; PRAGMA application_id={JOURNAL}; PRAGMA user_version={version}; COMMIT;"
    )


def _read_chain(connection: sqlite3.Connection, number: int) -> object:
    row = connection.execute("SELECT chain FROM record WHERE number = ?", (number,)).fetchone()
    return None if row is None else row[0]


def _copy_database(source: Path, target: Path, mark: int) -> None:
    """Copy a small database whole, as it stands between two commits."""
    fresh = target.with_name(f"{target.name}.new")
    fresh.unlink(missing_ok=True)
    with closing(open_read_only(source, mark)) as read, closing(sqlite3.connect(fresh)) as write:
        os.chmod(fresh, 0o600)
        with translate_read_errors(source):
            read.backup(write)
            write.isolation_level = None
            with read_at_once(write):
                if has_damaged_rows(write, TABLES_BY_DATABASE[source.name]):  # a copy that is no good is none
                    raise sqlite3.DatabaseError
        write.execute("PRAGMA journal_mode=DELETE")
    _replace_if_changed(fresh, target)


def _copy_file(source: Path, target: Path) -> None:
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = target.with_name(f"{target.name}.new")
    shutil.copyfile(source, fresh)
    fresh.chmod(0o600)
    _replace_if_changed(fresh, target)


def _copy_deck_in_play(state: Path, target: Path) -> None:
    """Write down which deck is in play, as the journal knows it: where a table begins a new one, nothing else does."""
    name = None
    if (state / JOURNAL_FILE).exists():
        with closing(JournalReader.open(state / JOURNAL_FILE)) as journal:
            name = next(read_decks_in_play(journal), None)
    if name is not None:
        fresh = target.with_name(f"{target.name}.new")
        fresh.write_text(f"{name}\n", encoding="utf-8")
        fresh.chmod(0o600)
        _replace_if_changed(fresh, target)
    elif (state / target.name).exists():
        _copy_file(state / target.name, target)


def _replace_if_changed(fresh: Path, target: Path) -> None:
    """Put a file in its place once it is on the disk; one that is there already as it is stays."""
    if target.exists() and target.stat().st_size == fresh.stat().st_size and target.read_bytes() == fresh.read_bytes():
        fresh.unlink()
        return
    with fresh.open("rb") as file:
        os.fsync(file.fileno())
    fresh.replace(target)
    sync_folder(target.parent)
