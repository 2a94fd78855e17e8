"""The journal: every event is on the disk before the table handles it.

One append-only sequence of records with a chain through it (`chain`, `docs/journal.md`). An entry is one event, as the
line of the table script that says it. What the table answered is written with the next record, in the same commit: it
is a proof for later, not needed to go on, and must not cost a second wait for the disk. At the end of each hand the
table signs the head of the chain.

Entries number on without a gap over all sessions. The first entry of a session is its `table` line.
"""

import hashlib
import json
import os
import secrets
import sqlite3
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Any

from controller.runtime.journal import system_clocks
from controller.runtime.journal.journal_reader import (
    APPLICATION_ID,
    JournalCounts,
    JournalEntry,
    JournalReader,
    JournalSession,
    find_closed_files,
    find_tail_path,
    refuse_first_format,
    to_row,
)
from controller.runtime.journal.proof.chain import JOURNAL_FORMAT, JournalRecord, make_record, render_body
from controller.runtime.journal.proof.device_key import load_or_make_device_key
from controller.runtime.journal.proof.head_file import HeadFile
from controller.runtime.journal.recovery.snapshot import SNAPSHOT_FILE, SNAPSHOT_VERSION
from controller.runtime.journal.sealing.hand_reader import UnsealedHand
from controller.runtime.journal.sealing.hand_seal import (
    CardKnowledge,
    HandKeyFile,
    HandSeal,
    list_cards,
    make_hand_key,
    read_auditor_public_key,
    seal_hand_key,
)
from controller.runtime.journal.write_ahead_log import WriteAheadLog
from controller.runtime.storage.atomic_file import sync_folder, write_atomically
from controller.runtime.storage.file_holders import describe_holders
from controller.runtime.storage.sqlite_database import (
    OWNER_ONLY_MODE,
    DatabaseError,
    describe_error,
    open_database,
    open_read_only,
    translate_read_errors,
)
from controller.runtime.storage.storage_trouble import HELD_SQLITE_CODES

__all__ = ["NOT_STARTED", "Journal", "JournalEntry", "JournalSession"]

NOT_STARTED = "not started"
"""Why a run ended whose table was never shown: its page or its pins could not be had, for instance."""

SNAPSHOT_INTERVAL_ENTRIES = 250
"""So many entries, ten hands, are played again in less than a tenth of a second; a snapshot takes as long as 20."""

FOLD_THRESHOLD_BYTES = 200_000
"""So much of `journal.tail` is put into the file when a hand is over: the records of some 20 hands, in 5 ms."""

MAX_LOG_BYTES = 4 * FOLD_THRESHOLD_BYTES
"""And so much at the latest, whether or not a hand is on."""

MAX_HELD_LOG_BYTES = 8 << 20
"""So much of it at most while another program holds the file: what a table writes in five hours of play."""

BUSY_TIMEOUT_MS, FOLD_RETRY_DELAY_S = 200, 60.0
"""So long the table waits for whoever holds the file, and so long it then lets it be."""

MAX_FILE_RECORDS = 100_000
"""So many records make a file of some 40 MB, which is a month of play without a break in a day of it."""

_SCHEMA = (
    """
    CREATE TABLE record (
        number INTEGER PRIMARY KEY,
        kind TEXT NOT NULL,
        body TEXT NOT NULL,
        chain BLOB NOT NULL
    ) STRICT;
    CREATE INDEX record_of_kind ON record (kind, number) WHERE kind <> 'entry';
    """
    + "".join(
        f"CREATE TRIGGER record_no_{verb.lower()} BEFORE {verb} ON record "
        "BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;\n"
        for verb in ("UPDATE", "DELETE")
    ),
)


class _FileHeldError(DatabaseError):
    """Another program holds the file, which is as it was."""

    def __init__(self, path: Path, cause: sqlite3.Error) -> None:
        super().__init__(f"{path}: the journal cannot be written: {describe_error(cause, path)}")
        self.cause = cause


def find_file_mode(folder: Path) -> int:
    """Who may read a journal in `folder`: its owner, and the folder's group where the house lets that in.

    It does so by the folder's mode, 2750: by the set-group-ID bit what is written there is the group's
    (`docs/room.md`). Of all that lies there, the group reads the journal alone.
    """
    try:
        found = folder.stat().st_mode
    except OSError:
        return OWNER_ONLY_MODE
    lets_in = stat.S_ISGID | stat.S_IRGRP | stat.S_IXGRP
    return OWNER_ONLY_MODE | stat.S_IRGRP if found & lets_in == lets_in else OWNER_ONLY_MODE


class Journal(JournalReader):
    """The append-only record of one table. Used by one thread; other processes may read the file meanwhile.

    After a failed write (`DatabaseError`) nothing more is taken: the table must stop rather than act unrecorded.
    """

    def __init__(self, path: Path) -> None:
        """Open or create the file at `path`; raises `DatabaseError`."""
        refuse_first_format(path)
        super().__init__(path, open_database(path, APPLICATION_ID, _SCHEMA, mode=find_file_mode(path.parent)))
        for closed in find_closed_files(path).values():
            with suppress(OSError):  # it is of another user, or of a medium that is only read
                closed.chmod(find_file_mode(path.parent))
        self._head_file = HeadFile(path.with_suffix(".head"))
        self.missing_head = self._head_file.read()
        """The last record that was acknowledged, where the file does not have it."""
        self.on_commit: Callable[[float], None] | None = None
        """Is told after each commit how many seconds it took."""
        self._slowest_commit_s = 0.0
        self._run_number: int | None = None
        self._session: JournalSession | None = None
        self._pending_result: dict[str, object] | None = None
        self._pending_disclosures: dict[int, str] = {}
        self._write_ahead_log = WriteAheadLog(find_tail_path(path), find_file_mode(path.parent))
        self._unfolded_records: list[JournalRecord] = []
        """What the tail has and the file has not."""
        self._is_held = self._held_is_reported = False
        """Another program holds the file, so that nothing can be put into it; somebody was told so."""
        self._next_fold_at = 0.0
        try:
            self._open_log()
            self._shorten_busy_timeout()
            self._number, self._chain = self.read_head()
            self._device_key = load_or_make_device_key(path.parent, named=self._find_named_device_key())
            if not self._number:
                self._begin_file()
            self.check_closed_file()
            self._file_day = self._find_file_day()
            counts = self.read_counts()
            if self.missing_head is not None and self.find_chain(self.missing_head[0]) == self.missing_head[1]:
                self.missing_head = None
        except DatabaseError:
            self.close()
            raise
        self._journal_name, self._run_count, self._session_count = (
            counts.journal_name,
            counts.run_count,
            counts.session_count,
        )
        self._last_entry_number = counts.entry_count
        self._hand_key_count = counts.hand_key_count
        self._snapshot_entry = 0
        self._hand_ended = False
        """Whether a hand has ended since the last snapshot."""
        self._key_file = HandKeyFile(path.parent)
        self._seal: HandSeal | None = None
        self._cards = CardKnowledge()

    @property
    def last_entry_number(self) -> int:
        """Number of the newest entry, 0 in an empty journal."""
        return self._last_entry_number

    def begin_run(self, boot: str, program: str) -> bool:
        """Record that the program started; return whether the run before it was cut short.

        A run that never got as far as showing the table does not hide the one before it.
        """
        after = self._find_last_run_end()
        self._run_count += 1
        self._write_records(
            (
                "run",
                {
                    "run": self._run_count,
                    "begun": system_clocks.format_wall_time(),
                    "boot": boot,
                    "program": program,
                    "after": after,
                },
            )
        )
        self._run_number = self._run_count
        return after == "power lost"

    def begin_session(self, header: Mapping[str, str], kept: str | None = None) -> JournalSession:
        """Open a new set-up of the table, whose `table` line must be the next entry.

        A hand that is on is given up.
        `kept`: the table from which it goes on, a snapshot as text (`snapshot.to_text`).
        """
        begun, number = system_clocks.format_wall_time(), self._session_count + 1
        body = {
            "session": number,
            "begun": begun,
            "header": dict(sorted(header.items())),
            "entries": self._last_entry_number,
        }
        body |= {} if kept is None else {"kept": kept}
        gap = (
            []
            if self.missing_head is None
            else [("gap", {"known": self.missing_head[0], "chain": self.missing_head[1]})]
        )
        self.missing_head = None
        self._write_records(*gap, ("session", body))
        first = self._number
        self._seal, self._cards = None, CardKnowledge()
        self._key_file.erase()
        self._session_count = number
        self._session = JournalSession(number, begun, dict(header), first, self._last_entry_number, kept)
        return self._session

    def continue_session(self, session: JournalSession) -> None:
        """Append to a session that an earlier run began."""
        self._session = session

    def append_entry(self, line: Mapping[str, object], source: str, by: Mapping[str, object] | None = None) -> int:
        """Write one event, and the result not yet written, durably; return its sequence number.

        `by` says who of the house signed it: `name`, `role`, `signature`.
        """
        if self._run_number is None or self._session is None:
            raise DatabaseError("the journal takes entries only within a run and a session")
        sequence = self._last_entry_number + 1
        key = self._make_hand_key_record(line)
        body: dict[str, object] = {"entry": sequence, "session": self._session.number, "run": self._run_number}
        body |= {
            "source": source,
            "line": dict(line) if self._seal is None else self._seal.hide_cards(line, self._cards),
        }
        self._write_records(*key, ("entry", body | ({} if by is None else {"by": dict(by)})))
        self._last_entry_number = sequence
        return sequence

    @property
    def journal_name(self) -> str:
        """The name of this journal, in all its files and of no other table."""
        return self._journal_name

    def append_note(self, kind: str, content: Mapping[str, object]) -> None:
        """Record something that is no entry and changes nothing at the table: a sign-in, a call for the floor.

        Raises `DatabaseError`.
        """
        self._write_records((kind, dict(content)))

    def seal_text(self, text: str) -> str:
        """Encipher a text for a record, so that this table alone can read it (`DeviceKey.open_text`)."""
        return self._device_key.seal_text(text)

    def is_last_hand_aired(self) -> bool:
        """Whether every run before this one, from that in which the last hand began, had a broadcast.

        To be asked at the start of a run, before its own record `broadcast` is written. Raises `DatabaseError`.
        """
        aired = this_run = True
        begun = False
        for record in self.read_newest_records("run", "broadcast", "hand-key"):
            if record.kind == "run" and not this_run and (begun or not aired):
                break
            if record.kind == "run":
                this_run = aired = False
            aired = aired or record.kind == "broadcast"
            begun = begun or record.kind == "hand-key"
        return aired and begun

    def record_result(
        self, sequence: int, outcome_digest: str, refused: str | None, cards: CardKnowledge | None = None
    ) -> None:
        """Keep the result of entry `sequence`; it reaches the disk with the next record.

        `cards`: how the cards stand now (`sealing.cards_at`). When the hand is over, everything is written and signed,
        and the key of the hand forgotten; raises `DatabaseError`.
        """
        self._pending_result = {"entry": sequence, "digest": outcome_digest} | (
            {} if refused is None else {"refused": refused}
        )
        if cards is not None:
            self._update_cards(cards)

    def resume_hand(self, cards: CardKnowledge, hand: UnsealedHand) -> None:
        """Go on with the hand that an earlier run recorded, whose cards stand as `cards`."""
        found = self.read_hand_key()
        if found is not None and found[0] == hand.number:
            self._seal = HandSeal(*found)
            for alias, card in sorted(hand.card_by_alias.items()):
                self._seal.restore_alias(alias, card)
            for alias in hand.disclosed_aliases:
                self._seal.mark_disclosed(alias)
        self._update_cards(cards)
        if self._seal is None:
            self._key_file.erase()

    def read_hand_key(self) -> tuple[int, bytes] | None:
        """Number and key of the hand in play, where this table has it."""
        return self._key_file.read()

    def finish_hand(self) -> None:
        """Write what is still to be written of a hand that is over, sign the journal up to there, drop the key."""
        waiting = self._pending_result is not None and not self._pending_disclosures
        self._write_records(*([("result", {})] if waiting else []), ("signed", {"why": "hand"}))
        self._seal = None
        self._hand_ended = True
        with self._stop_on_error():
            self._key_file.erase()
        if self._write_ahead_log.used_bytes >= FOLD_THRESHOLD_BYTES:
            self._fold_log()

    def needs_snapshot(self, *, at_leisure: bool) -> bool:
        """Whether no hand is on, and so much was entered since the last one that a start would take its time.

        `at_leisure`, while the table rests or the program ends, every hand is worth one: a start then plays at most the
        hand that is on, whose cards it can open, and decides nothing anew that is over.
        """
        due = (
            at_leisure and self._hand_ended
        ) or self._last_entry_number - self._snapshot_entry >= SNAPSHOT_INTERVAL_ENTRIES
        return due and not self._cards.is_hand_in_progress

    def store_snapshot(self, data: bytes, entry: int) -> None:
        """Keep a table as it stood after entry `entry`, between two hands; then begin a new file if it is time to.

        Raises `DatabaseError`.
        """
        assert self._session is not None
        self._snapshot_entry, self._hand_ended = entry, False
        try:
            write_atomically(self.path.parent / SNAPSHOT_FILE, data)
        except OSError as why:
            self._run_number = None
            told = describe_error(why, self.path)
            raise DatabaseError(f"{self.path.parent / SNAPSHOT_FILE}: cannot be written: {told}") from why
        body = {"session": self._session.number, "entry": entry, "version": SNAPSHOT_VERSION}
        self._write_records(("snapshot", body | {"sha256": hashlib.sha256(data).hexdigest()}))

    def skip_snapshot(self, entry: int) -> None:
        """The table as it stood after entry `entry` could not be written down: ask again after the next hand."""
        self._snapshot_entry, self._hand_ended = entry, False

    @property
    def needs_rotation(self) -> bool:
        """Whether the file is of another day, or large."""
        if self._cards.is_hand_in_progress or self._session is None or self._pending_result is not None:
            return False
        return (
            self._number - self._find_first_number() >= MAX_FILE_RECORDS
            or system_clocks.format_wall_time()[:10] != self._file_day
        )

    def rotate(self) -> bool:
        """Close the file and go on in a new one, between two hands; not while somebody reads it. Says whether it did.

        The closed file is one file, without a `-wal`, and is never written again. Raises `DatabaseError`.
        """
        session, first = self._session, self._find_first_number()
        assert session is not None
        try:
            self._write_records(("signed", {"why": "file"}))
            if not self._fold_log():
                return False
            if self._db.execute("PRAGMA journal_mode=DELETE").fetchone()[0] != "delete":
                return False
        except sqlite3.OperationalError:
            return False  # somebody reads it; later, then
        self._db.close()
        closed = self.path.with_name(f"{self.path.stem}-{first}{self.path.suffix}")
        with self._stop_on_error():
            try:
                os.rename(self.path, closed)
                sync_folder(self.path.parent)
            except OSError as why:
                raise DatabaseError(f"{closed}: cannot be made of {self.path.name}: {why.strerror}") from why
            self._db = open_database(self.path, APPLICATION_ID, _SCHEMA, mode=find_file_mode(self.path.parent))
            self._shorten_busy_timeout()
            self._begin_file()
        continued = {"session": session.number, "begun": session.begun_at, "header": dict(session.header)}
        continued |= {} if session.snapshot_text is None else {"kept": session.snapshot_text}
        self._write_records(
            (
                "session",
                continued | {"entries": session.last_entry_before, "first": session.first_record, "continued": True},
            )
        )
        return True

    def _update_cards(self, cards: CardKnowledge) -> None:
        was_in_hand = self._cards.is_hand_in_progress
        # What was shown goes back into the deck. Somebody may still name it, until the next hand begins.
        shown = cards.public_cards if cards.is_live else frozenset()
        self._cards = (
            cards
            if cards.is_hand_in_progress
            else CardKnowledge(deck_cards=cards.deck_cards, public_cards=shown, is_live=cards.is_live)
        )
        if self._seal is not None:
            self._pending_disclosures |= self._seal.disclose_public_cards(cards)
        if not cards.is_hand_in_progress and (was_in_hand or self._seal is not None):
            self.finish_hand()

    def _make_hand_key_record(self, line: Mapping[str, object]) -> list[tuple[str, dict[str, Any]]]:
        """Make the key of a hand that begins, or of a card that is to be hidden before any has; return its record."""
        if (
            self._seal is not None
            or line.get("ev") == "amend"
            or not (line.get("ev") == "start" or any(isinstance(card, str) for card in list_cards(line)))
        ):
            return []
        key = make_hand_key()
        with self._stop_on_error():
            auditor = read_auditor_public_key(self.path.parent)
            self._key_file.write(self._hand_key_count + 1, key)
        self._hand_key_count += 1
        self._seal = HandSeal(self._hand_key_count, key)
        sealed = None if auditor is None else seal_hand_key(auditor, key)
        return [("hand-key", {"hand": self._hand_key_count, "auditor": auditor and auditor.hex(), "sealed": sealed})]

    @contextmanager
    def _stop_on_error(self) -> Iterator[None]:
        """Take nothing more after a failed write."""
        try:
            yield
        except DatabaseError:
            self._run_number = None
            raise

    def end_run(self, why: str) -> None:
        """Record a clean end with the last result, and sign the journal up to there."""
        if self._run_number is None:
            return
        self._write_records(
            ("run-end", {"run": self._run_number, "ended": system_clocks.format_wall_time(), "why": why}),
            ("signed", {"why": "run"}),
        )
        self._fold_log()
        self._run_number = None

    def _find_named_device_key(self) -> str | None:
        """The key that the journal names as the table's; `None` in a new one."""
        for record in self.read_newest_records("file"):
            with translate_read_errors(self.path):
                return str(json.loads(record.body)["device"])
        return None

    def _find_file_day(self) -> str:
        for record in self.read_newest_records("file"):
            with translate_read_errors(self.path):
                return str(json.loads(record.body)["wall"])[:10]
        return ""

    def _find_last_run_end(self) -> str:
        """Say how the last run ended that showed the table."""
        ends: dict[object, str] = {}
        failed = False
        for record in self.read_newest_records("run", "run-end"):
            with translate_read_errors(self.path):
                body = json.loads(record.body)
                if record.kind == "run-end":
                    ends[body["run"]] = str(body["why"])
                elif ends.get(body["run"]) == NOT_STARTED:
                    failed = True
                else:
                    return "clean" if body["run"] in ends else "power lost"
        return NOT_STARTED if failed else "first"

    def _begin_file(self) -> None:
        """Write the first record of a file, which goes on from the closed file before it."""
        counts, previous = JournalCounts(secrets.token_hex(16)), None
        closed = find_closed_files(self.path)
        if closed:
            path = closed[max(closed)]
            earlier = JournalReader(path, open_read_only(path, APPLICATION_ID))
            try:
                self._number, self._chain = earlier.read_head()
                counts = earlier.read_counts()
            finally:
                earlier.close()
            previous = {"file": path.name, "number": self._number, "chain": self._chain}
        body = {
            "format": JOURNAL_FORMAT,
            "table": counts.journal_name,
            "device": self._device_key.public_hex,
            "previous": previous,
        }
        sums = {
            "run": counts.run_count,
            "session": counts.session_count,
            "hand": counts.hand_key_count,
            "entries": counts.entry_count,
        }
        self._write_records(("file", body | sums))
        self._file_day = system_clocks.format_wall_time()[:10]

    def _write_records(self, *bodies: tuple[str, dict[str, Any]]) -> None:
        """Write records in one commit; the first carries the result that waits."""
        records: list[JournalRecord] = []
        number, chain = self._number, self._chain
        stamp = {
            "wall": system_clocks.format_wall_time(),
            "mono": system_clocks.read_uptime_ms(),
            "clock": system_clocks.is_clock_set(),
        }
        result: dict[str, object] = {} if self._pending_result is None else {"result": self._pending_result}
        if self._pending_disclosures:
            cards = {str(alias): card for alias, card in sorted(self._pending_disclosures.items())}
            bodies = (("disclosed", {"hand": self._hand_key_count, "cards": cards}), *bodies)
        for kind, body in bodies:
            signed = self._sign_head(number, chain) if kind == "signed" else {}
            number += 1
            record = make_record(number, kind, render_body({**signed, **body, **stamp, **result}), chain)
            result, chain = {}, record.chain
            records.append(record)
        self._commit(records)
        self._pending_result = None
        self._pending_disclosures = {}

    def _sign_head(self, number: int, chain: str) -> dict[str, object]:
        return {
            "upto": number,
            "chain": chain,
            "signature": self._device_key.sign_head(self._journal_name, number, chain),
        }

    def _commit(self, records: Sequence[JournalRecord]) -> None:
        began = monotonic()
        if records[0].kind == "file":
            self._insert_records(records)  # so that whatever is in the tail goes on from a record in the file
        else:
            try:
                self._write_ahead_log.append(records)
            except OSError as why:
                self._run_number = None
                raise DatabaseError(
                    f"{self.path}: the journal cannot be written: {describe_error(why, self.path)}"
                ) from why
            self._unfolded_records += records
        seconds = monotonic() - began
        self._slowest_commit_s = max(self._slowest_commit_s, seconds)
        if self.on_commit is not None:
            self.on_commit(seconds)
        self._number, self._chain = records[-1].number, records[-1].chain
        if self.missing_head is None:
            self._write_head(durably=records[-1].kind == "signed")
        if self._write_ahead_log.used_bytes >= MAX_LOG_BYTES:
            self._fold_log()

    def merge_tail(self) -> sqlite3.Connection:
        """The file in use, once everything is in it. Raises `DatabaseError`."""
        if not self._fold_log():
            raise DatabaseError(
                f"{self.path}: another program holds it ({describe_holders(self.path)}); nothing can be put into it now"
            )
        return self._db

    def _open_log(self) -> None:
        """Put into the file what an earlier run has left in the tail."""
        try:
            with translate_read_errors(self.path):
                reached = self._db.execute("SELECT max(number) FROM record").fetchone()[0]
                left = [
                    record
                    for record in self._write_ahead_log.read_records(self._find_chain_in_file)
                    if record.number > reached
                ]
            if left:
                self._insert_records(left)
            self._write_ahead_log.open()
        except OSError as why:
            told = describe_error(why, self._write_ahead_log.path)
            raise DatabaseError(f"{self._write_ahead_log.path}: cannot be opened: {told}") from why

    def _fold_log(self) -> bool:
        """Put what is in the tail into the file, and write the tail from its beginning again; return whether it is so.

        Whoever may read the file can hold it, by a lock on its `-shm`. Then all stays in the tail, where it is as
        durable, and the table goes on; raises `DatabaseError` when that has become too long.
        """
        if not self._unfolded_records:
            return True
        if monotonic() < self._next_fold_at and self._write_ahead_log.used_bytes < MAX_HELD_LOG_BYTES:
            return False
        try:
            self._insert_records(self._unfolded_records)
        except _FileHeldError as why:
            if self._write_ahead_log.used_bytes >= MAX_HELD_LOG_BYTES:
                raise self._make_write_error(why.cause) from why
            self._is_held, self._next_fold_at = True, monotonic() + FOLD_RETRY_DELAY_S
            return False
        self._is_held, self._next_fold_at = False, 0.0
        self._unfolded_records = []
        self._write_ahead_log.reset()
        return True

    def take_slowest_commit_s(self) -> float:
        """The longest that a commit has taken since this was asked last, in seconds."""
        slowest, self._slowest_commit_s = self._slowest_commit_s, 0.0
        return slowest

    def is_newly_held(self) -> bool:
        """Whether another program has come to hold the file since this was asked last; nothing is lost by it."""
        told, self._held_is_reported = self._held_is_reported, self._is_held
        return self._is_held and not told

    def _shorten_busy_timeout(self) -> None:
        """Wait no longer for another program than people at the table would not notice."""
        self._db.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")

    def _insert_records(self, records: Sequence[JournalRecord]) -> None:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            rows = map(to_row, records)
            self._db.executemany("INSERT INTO record (number, kind, body, chain) VALUES (?, ?, ?, ?)", rows)
            self._db.execute("COMMIT")
        except sqlite3.Error as why:
            if getattr(why, "sqlite_errorcode", 0) & 0xFF not in HELD_SQLITE_CODES:
                raise self._make_write_error(why) from why
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise _FileHeldError(self.path, why) from why

    def _write_head(self, *, durably: bool) -> None:
        try:
            self._head_file.write(self._number, self._chain, durably=durably)
        except OSError as why:
            self._run_number = None
            path = Path(why.filename or self._head_file.path)
            raise DatabaseError(f"{path}: cannot be written: {describe_error(why, path)}") from why

    def close(self) -> None:
        """Close every file; a result not yet written is lost, the events are not."""
        self._head_file.close()
        self._write_ahead_log.close()
        super().close()

    def _make_write_error(self, why: sqlite3.Error) -> DatabaseError:
        self._run_number = None
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")
        return DatabaseError(f"{self.path}: the journal cannot be written: {describe_error(why, self.path)}")
