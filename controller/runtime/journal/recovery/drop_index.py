"""What was dropped, kept beside the journal, so that a look plays what came since the last one and no whole session.

`drop.sqlite` has a row for each hand that nothing can change any more, and how the table stood after the last of them.
It is no record and proves nothing (`tablectl drop` plays the journal again): where it is not of this journal, or of a
record that a cut of the power took, or of a program whose tables have another form, all is played again; and so where
one bit of it is another: a digest goes with it.
"""

import hashlib
import json
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from controller.core.protocol.table_error import Refused
from controller.records.drop import DropMark, DropRow
from controller.runtime.journal.journal_reader import JournalReader
from controller.runtime.journal.recovery.drop_ledger import (
    DropBase,
    DropFollower,
    DropLedger,
    DropReader,
    SessionDrop,
)
from controller.runtime.journal.recovery.journal_replay import RecoveryError, TableOpener, find_session, load_setup
from controller.runtime.journal.recovery.snapshot import SnapshotError, from_text, to_text
from controller.runtime.storage.sqlite_database import SQLITE_ERRORS

DROP_INDEX_FILE = "drop.sqlite"

SAVE_INTERVAL_RECORDS = 2_000
"""So often it is written down while a long journal is played: what a kill leaves need not be played once more."""

_SCHEMA_VERSION = 2

_SCHEMA = f"""
DROP TABLE IF EXISTS row; DROP TABLE IF EXISTS base;
CREATE TABLE row (session INTEGER, hand INTEGER, content TEXT, PRIMARY KEY (session, hand)) STRICT, WITHOUT ROWID;
CREATE TABLE base (one INTEGER PRIMARY KEY CHECK (one = 1), content TEXT, digest TEXT) STRICT;
PRAGMA user_version = {_SCHEMA_VERSION};
"""

_UNUSABLE = (OSError, sqlite3.Error, SnapshotError, RecoveryError, Refused, ValueError, LookupError, TypeError)
"""What comes of a file, or of a table in it, that another program or a cut of the power has left."""

log = logging.getLogger(__name__)


class DropIndex:
    """The file at `path`; one that cannot be read or written costs time and nothing else."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._saved_record, self._saved_row = 0, (0, 0)
        """The base that the file has, and its last row: session and hand."""
        self.played_records = 0
        """How many records the last look played."""

    def read_drop(self, journal: JournalReader, open_table: TableOpener) -> DropLedger:
        """What was dropped by the whole journal, as `drop_ledger.read_drop` says; raises `DatabaseError`."""
        self._saved_record, self._saved_row = 0, (0, 0)
        reader = self._load(journal, open_table) or DropReader(str(journal.path), open_table)
        self.played_records = 0
        for record in journal.read_records(self._saved_record + 1):
            reader.receive_record(record)
            self.played_records += 1
            if not self.played_records % SAVE_INTERVAL_RECORDS:
                self._save(journal, reader)
        self._save(journal, reader)  # before the hand that is not whole is played as far as it has come
        return reader.finish()

    def _load(self, journal: JournalReader, open_table: TableOpener) -> DropReader | None:
        """Read the file; nothing where it does not go with the journal or this program."""
        try:
            with self._open() as db:
                kept = db.execute("SELECT content, digest FROM base").fetchone()
                if kept is None or kept[1] != _compute_digest(db, kept[0]):
                    return None
                content = json.loads(kept[0])
                if content["chain"] != journal.find_chain(content["record"]):
                    return None
                texts = db.execute("SELECT content FROM row ORDER BY session, hand").fetchall()
            rows = [DropRow.from_json(json.loads(text)) for (text,) in texts]
            session = find_session(journal, content["session"])
            table = from_text(content["table"], load_setup(session, open_table))
            base = DropBase(content["record"], table, DropMark.from_json(content["mark"]))
        except _UNUSABLE as why:
            log.info("%s: is made anew: %s", self._path.name, type(why).__name__)
            return None
        sessions = [SessionDrop(*each) for each in content["sessions"]]
        closed = {each.session for each in sessions}
        ledger = DropLedger([row for row in rows if row.session in closed], 0, sessions, content["unreadable"])
        follower = DropFollower(str(journal.path), open_table)
        follower.resume(session, base, [row for row in rows if row.session == session.number])
        self._saved_record = base.record
        self._saved_row = (rows[-1].session, rows[-1].hand) if rows else (0, 0)
        return DropReader(str(journal.path), open_table, follower, ledger, content["loose"])

    def _save(self, journal: JournalReader, reader: DropReader) -> None:
        """Write down what cannot change any more, where that is more than was written."""
        follower, ledger = reader.follower, reader.ledger
        try:
            base = None if follower is None else follower.find_base()
            if follower is None or base is None or base.record <= self._saved_record:
                return
            here = (base.mark.session, base.mark.resting_hand)
            known = (*ledger.rows, *follower.drop.rows_at_rest)
            rows = [row for row in known if self._saved_row <= (row.session, row.hand) <= here]
            content = {
                "record": base.record,
                "chain": journal.find_chain(base.record),
                "session": base.mark.session,
                "table": to_text(base.table),
                "mark": base.mark.to_json(),
                "sessions": [(each.session, each.begun_chips, each.account_chips) for each in ledger.sessions],
                "unreadable": ledger.unreadable,
                "loose": reader.loose_chips,
            }
            with self._open() as db:
                db.execute("BEGIN IMMEDIATE")
                if not self._saved_record:
                    db.execute("DELETE FROM row")
                db.executemany(
                    "INSERT OR REPLACE INTO row VALUES (?, ?, ?)",
                    [(row.session, row.hand, json.dumps(row.to_json(), ensure_ascii=False)) for row in rows],
                )
                text = json.dumps(content)
                db.execute("INSERT OR REPLACE INTO base VALUES (1, ?, ?)", (text, _compute_digest(db, text)))
                db.execute("COMMIT")
        except (OSError, *SQLITE_ERRORS, SnapshotError) as why:
            log.warning("%s: cannot be written: %s", self._path.name, why)
            return
        self._saved_record = base.record
        self._saved_row = (rows[-1].session, rows[-1].hand) if rows else self._saved_row

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Open the file; one of another form, or damaged, is made anew. Raises `sqlite3.Error` and `OSError`."""
        for attempt in range(2):
            db = sqlite3.connect(self._path, isolation_level=None, timeout=5.0)
            try:
                self._path.chmod(0o600)
                db.execute("PRAGMA journal_mode=WAL")
                db.execute("PRAGMA synchronous=NORMAL")
                if db.execute("PRAGMA user_version").fetchone()[0] != _SCHEMA_VERSION:
                    db.executescript(_SCHEMA)
                break
            except (sqlite3.DatabaseError, UnicodeDecodeError):
                db.close()
                if attempt:
                    raise
                with suppress(OSError):
                    self._path.unlink()
        try:
            yield db
        finally:
            db.close()


def _compute_digest(db: sqlite3.Connection, base: object) -> str:
    """The digest of what the file has: a bit that is another makes another sum of it, or no number at all."""
    digest = hashlib.sha256(json.dumps(base).encode())
    for row in db.execute("SELECT session, hand, content FROM row ORDER BY session, hand"):
        digest.update(json.dumps(row).encode())
    return digest.hexdigest()
