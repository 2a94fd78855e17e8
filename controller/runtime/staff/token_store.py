"""The tokens of the API: which machine of the house may read what, by a role that no person has.

A table has none until somebody with the table's own account makes one (`tablectl token add`). A token is 256 random
bits and is shown once; the file keeps its hash. Nobody guesses one, so that SHA-256 will do, and whoever sends a right
one never waits for what others have tried: wrong tries share one count (`tries`), which slows whoever makes them.

The file is made with the first token. Several processes have it open: what one of them withdraws lets the next request
to the running table in no more. Times are wall-clock seconds and are handed in by `now`.
"""

import hashlib
import hmac
import logging
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from controller.runtime.staff import rate_limit
from controller.runtime.staff.admission import AdmissionError, RefusalCode
from controller.runtime.staff.permissions import TokenRole
from controller.runtime.staff.person_names import normalize_name
from controller.runtime.staff.staff_continuity import TOKEN_TABLES, TOKENS_APPLICATION_ID, make_tokens_mark
from controller.runtime.storage.revision_counter import FileRevision, accept_file, ensure_revision
from controller.runtime.storage.row_digest import change_rows, ensure_row_digest
from controller.runtime.storage.sqlite_database import DatabaseError, describe_error_kind, open_database

APPLICATION_ID = TOKENS_APPLICATION_ID

MAX_TOKENS = 32
"""Tokens of one table: each costs every request a comparison."""

TOKEN_PREFIX = "tct_"
"""How a token begins, so that whoever finds one knows what it opens."""

MAX_TOKEN_LENGTH = 128
"""Signs of what may be a token; what is longer is not looked at."""

log = logging.getLogger(__name__)

_SCHEMA = (
    f"""
    CREATE TABLE token (
        key TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        role TEXT NOT NULL,
        hash BLOB NOT NULL,
        made REAL NOT NULL
    ) STRICT;
    {rate_limit.SCHEMA};
    """,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A token that stands, without what proves it; `made_at` in wall-clock seconds."""

    name: str
    role: TokenRole
    made_at: float
    token_hash: bytes


class TokenStore:
    """The tokens' file of one table, opened when there is one."""

    def __init__(self, path: Path, *, now: Callable[[], float] = time.time) -> None:
        self.path = path
        self._wall_clock = now
        self._db: sqlite3.Connection | None = None
        self._opened_file_id: tuple[int, int] | None = None
        self._lock = threading.RLock()
        self.find_trouble: Callable[[], str | None] = lambda: None
        """Says why this file is not the one that the journal knows; then no token of it opens anything."""

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._db is not None:
                self._db.close()
                self._db = None

    def add(self, name: str, role: TokenRole) -> str:
        """Make a token and return it, for the only time; raises `AdmissionError`."""
        shown = normalize_name(name)
        text = TOKEN_PREFIX + secrets.token_urlsafe(32)
        with self._use_database(create=True) as db:
            assert db is not None
            with change_rows(db, TOKEN_TABLES):
                count = db.execute("SELECT COUNT(*) FROM token").fetchone()[0]
                if count >= MAX_TOKENS:
                    raise AdmissionError(
                        RefusalCode.TOKENS_FULL, f"There are {MAX_TOKENS} tokens already; withdraw one first."
                    )
                if db.execute("SELECT 1 FROM token WHERE key = ?", (shown.casefold(),)).fetchone() is not None:
                    raise AdmissionError(
                        RefusalCode.NAME_TAKEN, f"There is a token {shown!r} already; withdraw it first."
                    )
                row = (shown.casefold(), shown, role.value, _hash_token(text), self._wall_clock())
                db.execute("INSERT INTO token VALUES (?, ?, ?, ?, ?)", row)
                rate_limit.clear_tries(db, rate_limit.UNKNOWN_NAME_KEY)
        return text

    def list_tokens(self) -> list[Token]:
        """Every token that stands, by name; raises `AdmissionError`."""
        with self._use_database() as db:
            rows = () if db is None else db.execute("SELECT name, role, made, hash FROM token ORDER BY key").fetchall()
            return [Token(name, TokenRole(role), made, kept) for name, role, made, kept in rows]

    def revoke(self, name: str) -> None:
        """End a token; raises `AdmissionError` where there is none of that name."""
        with self._use_database() as db:
            key = " ".join(name.split()).casefold()
            found = 0
            if db is not None:
                with change_rows(db, TOKEN_TABLES):
                    found = db.execute("DELETE FROM token WHERE key = ?", (key,)).rowcount
            if not found:
                there = ", ".join(token.name for token in self.list_tokens()) or "none"
                raise AdmissionError(RefusalCode.NO_TOKEN, f"There is no token of that name; there is: {there}.")

    def find(self, text: str) -> Token:
        """Return which token that is; raises `AdmissionError` for a wrong one, which is counted."""
        self._require_known_file()
        given = _hash_token(text[:MAX_TOKEN_LENGTH])
        found: Token | None = None
        for token in self.list_tokens():
            if hmac.compare_digest(token.token_hash, given):
                found = token
        if found is not None:
            return found
        with self._use_database() as db:
            if db is not None:
                try:
                    rate_limit.count_try(db, rate_limit.UNKNOWN_NAME_KEY, self._wall_clock())
                except AdmissionError as why:  # a right token never waits
                    said = f"This token is wrong, and so were others before it. {why.message}"
                    raise AdmissionError(why.code, said, why.retry_after_s) from None
                log.warning("a wrong token was sent")  # as seldom as one is counted
        raise AdmissionError(
            RefusalCode.TOKEN_WRONG, "No such token stands here; `tablectl token list` names those that do."
        )

    def is_valid(self, token: Token) -> bool:
        """Whether a token has not been withdrawn since; raises `AdmissionError`."""
        self._require_known_file()
        return token in self.list_tokens()

    def accept_in_place_of(self, known: FileRevision | None) -> None:
        """Take this file, or a new one, in the place of the one that the journal knows; raises `AdmissionError`."""
        with self._use_database(create=True) as db:
            assert db is not None
            with change_rows(db, TOKEN_TABLES, accepts_damage=True):
                if known is not None:
                    accept_file(db, make_tokens_mark(known))

    def _require_known_file(self) -> None:
        trouble = self.find_trouble()
        if trouble is not None:
            raise AdmissionError(
                RefusalCode.STAFF_FILE_REPLACED,
                f"The tokens' file {self.path.name} {trouble.partition(':')[0]}; call the technician.",
            )

    def _find_file_id(self) -> tuple[int, int] | None:
        """Which file stands at the path, `None` where there is none."""
        try:
            found = self.path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return None
        return found.st_dev, found.st_ino

    @contextmanager
    def _use_database(self, *, create: bool = False) -> Iterator[sqlite3.Connection | None]:
        """Give the file, `None` where none has been made yet."""
        try:
            with self._lock:
                there = self._find_file_id()
                if there is None or there != self._opened_file_id:
                    self.close()  # what was deleted or put in another's place lets nobody in any more
                if self._db is None and (create or there is not None):
                    self._db, self._opened_file_id = (
                        open_database(self.path, APPLICATION_ID, _SCHEMA),
                        there or self._find_file_id(),
                    )
                    ensure_revision(self._db, TOKEN_TABLES)
                    ensure_row_digest(self._db, TOKEN_TABLES)
                yield self._db
        except DatabaseError as why:
            raise AdmissionError(RefusalCode.STAFF_FILE_UNUSABLE, f"{why}.") from None
        except (sqlite3.Error, ValueError, OSError) as why:
            kind = describe_error_kind(why, self.path)
            raise AdmissionError(
                RefusalCode.STAFF_FILE_UNUSABLE,
                f"The tokens' file {self.path.name} cannot be used ({kind}); call the technician.",
            ) from None


def _hash_token(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
