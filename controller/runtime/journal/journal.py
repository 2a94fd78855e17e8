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

from controller.runtime.journal import clocks
from controller.runtime.journal.archive import (
    APPLICATION_ID,
    Archive,
    Counts,
    Entry,
    Session,
    closed_files,
    refuse_first_format,
    row_of,
    tail_of,
)
from controller.runtime.journal.database import OWN, DatabaseError, open_database, open_to_read, reading
from controller.runtime.journal.proof.chain import FORMAT, Record, linked, written
from controller.runtime.journal.proof.head_file import HeadFile
from controller.runtime.journal.recovery.snapshot import SNAPSHOT_FILE
from controller.runtime.journal.recovery.snapshot import VERSION as SNAPSHOT_VERSION
from controller.runtime.journal.sealing.device_key import load_or_make_key
from controller.runtime.journal.sealing.sealing import (
    Cards,
    HandSeal,
    KeyFile,
    cards_of,
    new_key,
    read_auditor,
    sealed_to,
)
from controller.runtime.journal.sealing.unsealing import OpenHand
from controller.runtime.journal.tail_file import TailFile
from controller.runtime.journal.whole_file import sync_folder, write_whole

__all__ = ["NOT_STARTED", "Entry", "Journal", "Session"]

NOT_STARTED = "not started"
"""Why a run ended whose table was never shown: its page or its pins could not be had, for instance."""

SNAPSHOT_ENTRIES = 250
"""So many entries, ten hands, are played again in less than a tenth of a second; a snapshot takes as long as 20."""

FOLD_BYTES = 200_000
"""So much of `journal.tail` is put into the file when a hand is over: the records of some 20 hands, in 5 ms."""

MOST_BYTES = 4 * FOLD_BYTES
"""And so much at the latest, whether or not a hand is on."""

MOST_HELD = 8 << 20
"""So much of it at most while another program holds the file: what a table writes in five hours of play."""

HELD_MILLISECONDS, HELD_AGAIN_SECONDS = 200, 60.0
"""So long the table waits for whoever holds the file, and so long it then lets it be."""

_HELD = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL)

FILE_RECORDS = 100_000
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


class _Held(DatabaseError):
    """Another program holds the file, which is as it was."""

    def __init__(self, path: Path, cause: sqlite3.Error) -> None:
        super().__init__(f"{path}: the journal cannot be written: {cause}")
        self.cause = cause


def mode_in(folder: Path) -> int:
    """Who may read a journal in `folder`: its owner, and the folder's group where the house lets that in.

    It does so by the folder's mode, 2750: by the set-group-ID bit what is written there is the group's
    (`docs/room.md`). Of all that lies there, the group reads the journal alone.
    """
    try:
        found = folder.stat().st_mode
    except OSError:
        return OWN
    lets_in = stat.S_ISGID | stat.S_IRGRP | stat.S_IXGRP
    return OWN | stat.S_IRGRP if found & lets_in == lets_in else OWN


class Journal(Archive):
    """The append-only record of one table. Used by one thread; other processes may read the file meanwhile.

    After a failed write (`DatabaseError`) nothing more is taken: the table must stop rather than act unrecorded.
    """

    def __init__(self, path: Path) -> None:
        """Open or create the file at `path`; raises `DatabaseError`."""
        refuse_first_format(path)
        super().__init__(path, open_database(path, APPLICATION_ID, _SCHEMA, mode=mode_in(path.parent)))
        for closed in closed_files(path).values():
            with suppress(OSError):  # it is of another user, or of a medium that is only read
                closed.chmod(mode_in(path.parent))
        self._head_file = HeadFile(path.with_suffix(".head"))
        self.missing = self._head_file.read()
        """The last record that was acknowledged, where the file does not have it."""
        self.committed: Callable[[float], None] | None = None
        """Is told after each commit how many seconds it took."""
        self._run: int | None = None
        self._session: Session | None = None
        self._result: dict[str, object] | None = None
        self._disclosed: dict[int, str] = {}
        self._tail = TailFile(tail_of(path), mode_in(path.parent))
        self._in_tail: list[Record] = []
        """What the tail has and the file has not."""
        self._held = self._held_told = False
        """Another program holds the file, so that nothing can be put into it; somebody was told so."""
        self._fold_again = 0.0
        try:
            self._open_tail()
            self._be_short()
            self._number, self._chain = self.head()
            self._key = load_or_make_key(path.parent, named=self._device())
            if not self._number:
                self._begin_file()
            self._file_day = self._day_of_file()
            counts = self.counts()
            if self.missing is not None and self.chain_at(self.missing[0]) == self.missing[1]:
                self.missing = None
        except DatabaseError:
            self.close()
            raise
        self._table, self._runs, self._sessions = counts.table, counts.run, counts.session
        self._last = counts.entries
        self._hands = counts.hand
        self._snapshot_at = 0
        self._hand_ended = False
        """Whether a hand has ended since the last snapshot."""
        self._key_file = KeyFile(path.parent)
        self._seal: HandSeal | None = None
        self._cards = Cards()

    @property
    def last(self) -> int:
        """Number of the newest entry, 0 in an empty journal."""
        return self._last

    def begin_run(self, boot: str, program: str) -> bool:
        """Record that the program started; return whether the run before it was cut short.

        A run that never got as far as showing the table does not hide the one before it.
        """
        after = self._before_this_run()
        self._runs += 1
        self._write(
            ("run", {"run": self._runs, "begun": clocks.wall(), "boot": boot, "program": program, "after": after})
        )
        self._run = self._runs
        return after == "power lost"

    def begin_session(self, header: Mapping[str, str], kept: str | None = None) -> Session:
        """Open a new set-up of the table, whose `table` line must be the next entry; a hand that is on is given up.

        `kept`: the table from which it goes on, a snapshot as text (`snapshot.as_text`).
        """
        begun, number = clocks.wall(), self._sessions + 1
        body = {"session": number, "begun": begun, "header": dict(sorted(header.items())), "entries": self._last}
        body |= {} if kept is None else {"kept": kept}
        gap = [] if self.missing is None else [("gap", {"known": self.missing[0], "chain": self.missing[1]})]
        self.missing = None
        self._write(*gap, ("session", body))
        first = self._number
        self._seal, self._cards = None, Cards()
        self._key_file.empty()
        self._sessions = number
        self._session = Session(number, begun, dict(header), first, self._last, kept)
        return self._session

    def continue_session(self, session: Session) -> None:
        """Append to a session that an earlier run began."""
        self._session = session

    def append(self, line: Mapping[str, object], source: str, by: Mapping[str, object] | None = None) -> int:
        """Write one event, and the result not yet written, durably; return its sequence number.

        `by` says who of the house signed it: `name`, `role`, `signature`.
        """
        if self._run is None or self._session is None:
            raise DatabaseError("the journal takes entries only within a run and a session")
        sequence = self._last + 1
        key = self._key_for(line)
        body: dict[str, object] = {"entry": sequence, "session": self._session.number, "run": self._run}
        body |= {"source": source, "line": dict(line) if self._seal is None else self._seal.hide(line, self._cards)}
        self._write(*key, ("entry", body | ({} if by is None else {"by": dict(by)})))
        self._last = sequence
        return sequence

    @property
    def table(self) -> str:
        """The name of this journal, in all its files and of no other table."""
        return self._table

    def note(self, kind: str, content: Mapping[str, object]) -> None:
        """Record something that is no entry and changes nothing at the table: a sign-in, a call for the floor.

        Raises `DatabaseError`.
        """
        self._write((kind, dict(content)))

    def last_hand_was_aired(self) -> bool:
        """Whether every run before this one, from that in which the last hand began, had a broadcast.

        To be asked at the start of a run, before its own record `broadcast` is written. Raises `DatabaseError`.
        """
        aired = this_run = True
        begun = False
        for record in self.newest("run", "broadcast", "hand-key"):
            if record.kind == "run" and not this_run and (begun or not aired):
                break
            if record.kind == "run":
                this_run = aired = False
            aired = aired or record.kind == "broadcast"
            begun = begun or record.kind == "hand-key"
        return aired and begun

    def settle(self, sequence: int, outcome_digest: str, refused: str | None, cards: Cards | None = None) -> None:
        """Keep the result of entry `sequence`; it reaches the disk with the next record.

        `cards`: how the cards stand now (`sealing.cards_at`). When the hand is over, everything is written and signed,
        and the key of the hand forgotten; raises `DatabaseError`.
        """
        self._result = {"entry": sequence, "digest": outcome_digest} | ({} if refused is None else {"refused": refused})
        if cards is not None:
            self._stand(cards)

    def take_up(self, cards: Cards, hand: OpenHand) -> None:
        """Go on with the hand that an earlier run recorded, whose cards stand as `cards`."""
        found = self.hand_key()
        if found is not None and found[0] == hand.number:
            self._seal = HandSeal(*found)
            for alias, card in sorted(hand.cards.items()):
                self._seal.took_up(alias, card)
            for alias in hand.disclosed:
                self._seal.was_disclosed(alias)
        self._stand(cards)
        if self._seal is None:
            self._key_file.empty()

    def hand_key(self) -> tuple[int, bytes] | None:
        """Number and key of the hand in play, where this table has it."""
        return self._key_file.read()

    def rest(self) -> None:
        """Write what is still to be written of a hand that is over, sign the journal up to there, drop the key."""
        waiting = self._result is not None and not self._disclosed
        self._write(*([("result", {})] if waiting else []), ("signed", {"why": "hand"}))
        self._seal = None
        self._hand_ended = True
        with self._or_no_more():
            self._key_file.empty()
        if self._tail.used >= FOLD_BYTES:
            self._fold()

    def wants_snapshot(self, *, at_leisure: bool) -> bool:
        """Whether no hand is on, and so much was entered since the last one that a start would take its time.

        `at_leisure`, while the table rests or the program ends, every hand is worth one: a start then plays at most the
        hand that is on, whose cards it can open, and decides nothing anew that is over.
        """
        due = (at_leisure and self._hand_ended) or self._last - self._snapshot_at >= SNAPSHOT_ENTRIES
        return due and not self._cards.in_hand

    def keep_snapshot(self, data: bytes, entry: int) -> None:
        """Keep a table as it stood after entry `entry`, between two hands; then begin a new file if it is time to.

        Raises `DatabaseError`.
        """
        assert self._session is not None
        self._snapshot_at, self._hand_ended = entry, False
        try:
            write_whole(self.path.parent / SNAPSHOT_FILE, data)
        except OSError as why:
            self._run = None
            raise DatabaseError(f"{self.path.parent / SNAPSHOT_FILE}: cannot be written: {why.strerror}") from why
        body = {"session": self._session.number, "entry": entry, "version": SNAPSHOT_VERSION}
        self._write(("snapshot", body | {"sha256": hashlib.sha256(data).hexdigest()}))

    def pass_over_snapshot(self, entry: int) -> None:
        """The table as it stood after entry `entry` could not be written down: ask again after the next hand."""
        self._snapshot_at, self._hand_ended = entry, False

    @property
    def wants_rotation(self) -> bool:
        """Whether the file is of another day, or large."""
        if self._cards.in_hand or self._session is None or self._result is not None:
            return False
        return self._number - self._first() >= FILE_RECORDS or clocks.wall()[:10] != self._file_day

    def rotate(self) -> bool:
        """Close the file and go on in a new one, between two hands; not while somebody reads it. Says whether it did.

        The closed file is one file, without a `-wal`, and is never written again. Raises `DatabaseError`.
        """
        session, first = self._session, self._first()
        assert session is not None
        try:
            self._write(("signed", {"why": "file"}))
            if not self._fold():
                return False
            if self._db.execute("PRAGMA journal_mode=DELETE").fetchone()[0] != "delete":
                return False
        except sqlite3.OperationalError:
            return False  # somebody reads it; later, then
        self._db.close()
        closed = self.path.with_name(f"{self.path.stem}-{first}{self.path.suffix}")
        with self._or_no_more():
            try:
                os.rename(self.path, closed)
                sync_folder(self.path.parent)
            except OSError as why:
                raise DatabaseError(f"{closed}: cannot be made of {self.path.name}: {why.strerror}") from why
            self._db = open_database(self.path, APPLICATION_ID, _SCHEMA, mode=mode_in(self.path.parent))
            self._be_short()
            self._begin_file()
        continued = {"session": session.number, "begun": session.begun, "header": dict(session.header)}
        continued |= {} if session.kept is None else {"kept": session.kept}
        self._write(("session", continued | {"entries": session.before, "first": session.record, "continued": True}))
        return True

    def _stand(self, cards: Cards) -> None:
        was_in_hand = self._cards.in_hand
        self._cards = cards if cards.in_hand else Cards(deck=cards.deck)  # what was shown goes back into the deck
        if self._seal is not None:
            self._disclosed |= self._seal.settle(cards)
        if not cards.in_hand and (was_in_hand or self._seal is not None):
            self.rest()

    def _key_for(self, line: Mapping[str, object]) -> list[tuple[str, dict[str, Any]]]:
        """Make the key of a hand that begins, or of a card that is to be hidden before any has; return its record."""
        if (
            self._seal is not None
            or line.get("ev") == "amend"
            or not (line.get("ev") == "start" or any(isinstance(card, str) for card in cards_of(line)))
        ):
            return []
        key = new_key()
        with self._or_no_more():
            auditor = read_auditor(self.path.parent)
            self._key_file.write(self._hands + 1, key)
        self._hands += 1
        self._seal = HandSeal(self._hands, key)
        sealed = None if auditor is None else sealed_to(auditor, key)
        return [("hand-key", {"hand": self._hands, "auditor": auditor and auditor.hex(), "sealed": sealed})]

    @contextmanager
    def _or_no_more(self) -> Iterator[None]:
        """Take nothing more after a failed write."""
        try:
            yield
        except DatabaseError:
            self._run = None
            raise

    def end_run(self, why: str) -> None:
        """Record a clean end with the last result, and sign the journal up to there."""
        if self._run is None:
            return
        self._write(("run-end", {"run": self._run, "ended": clocks.wall(), "why": why}), ("signed", {"why": "run"}))
        self._fold()
        self._run = None

    def _device(self) -> str | None:
        """The key that the journal names as the table's; `None` in a new one."""
        for record in self.newest("file"):
            with reading(self.path):
                return str(json.loads(record.body)["device"])
        return None

    def _day_of_file(self) -> str:
        for record in self.newest("file"):
            with reading(self.path):
                return str(json.loads(record.body)["wall"])[:10]
        return ""

    def _before_this_run(self) -> str:
        """Say how the last run ended that showed the table."""
        ends: dict[object, str] = {}
        failed = False
        for record in self.newest("run", "run-end"):
            with reading(self.path):
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
        counts, previous = Counts(secrets.token_hex(16)), None
        closed = closed_files(self.path)
        if closed:
            path = closed[max(closed)]
            earlier = Archive(path, open_to_read(path, APPLICATION_ID))
            try:
                self._number, self._chain = earlier.head()
                counts = earlier.counts()
            finally:
                earlier.close()
            previous = {"file": path.name, "number": self._number, "chain": self._chain}
        body = {"format": FORMAT, "table": counts.table, "device": self._key.public, "previous": previous}
        sums = {"run": counts.run, "session": counts.session, "hand": counts.hand, "entries": counts.entries}
        self._write(("file", body | sums))
        self._file_day = clocks.wall()[:10]

    def _write(self, *bodies: tuple[str, dict[str, Any]]) -> None:
        """Write records in one commit; the first carries the result that waits."""
        records: list[Record] = []
        number, chain = self._number, self._chain
        stamp = {"wall": clocks.wall(), "mono": clocks.since_boot(), "clock": clocks.is_set()}
        result: dict[str, object] = {} if self._result is None else {"result": self._result}
        if self._disclosed:
            cards = {str(alias): card for alias, card in sorted(self._disclosed.items())}
            bodies = (("disclosed", {"hand": self._hands, "cards": cards}), *bodies)
        for kind, body in bodies:
            signed = self._signed(number, chain) if kind == "signed" else {}
            number += 1
            record = linked(number, kind, written({**signed, **body, **stamp, **result}), chain)
            result, chain = {}, record.chain
            records.append(record)
        self._commit(records)
        self._result = None
        self._disclosed = {}

    def _signed(self, number: int, chain: str) -> dict[str, object]:
        return {"upto": number, "chain": chain, "signature": self._key.sign(self._table, number, chain)}

    def _commit(self, records: Sequence[Record]) -> None:
        began = 0.0 if self.committed is None else monotonic()
        if records[0].kind == "file":
            self._put_into_file(records)  # so that whatever is in the tail goes on from a record in the file
        else:
            try:
                self._tail.append(records)
            except OSError as why:
                self._run = None
                raise DatabaseError(f"{self.path}: the journal cannot be written: {why.strerror}") from why
            self._in_tail += records
        if self.committed is not None:
            self.committed(monotonic() - began)
        self._number, self._chain = records[-1].number, records[-1].chain
        if self.missing is None:
            self._keep_head(durably=records[-1].kind == "signed")
        if self._tail.used >= MOST_BYTES:
            self._fold()

    def whole(self) -> sqlite3.Connection:
        """The file in use, once everything is in it. Raises `DatabaseError`."""
        if not self._fold():
            raise DatabaseError(f"{self.path}: another program holds it; nothing can be put into it now")
        return self._db

    def _open_tail(self) -> None:
        """Put into the file what an earlier run has left in the tail."""
        try:
            with reading(self.path):
                reached = self._db.execute("SELECT max(number) FROM record").fetchone()[0]
                left = [record for record in self._tail.read(self._chain_in_file) if record.number > reached]
            if left:
                self._put_into_file(left)
            self._tail.open()
        except OSError as why:
            raise DatabaseError(f"{self._tail.path}: cannot be opened: {why.strerror}") from why

    def _fold(self) -> bool:
        """Put what is in the tail into the file, and write the tail from its beginning again; return whether it is so.

        Whoever may read the file can hold it, by a lock on its `-shm`. Then all stays in the tail, where it is as
        durable, and the table goes on; raises `DatabaseError` when that has become too long.
        """
        if not self._in_tail:
            return True
        if monotonic() < self._fold_again and self._tail.used < MOST_HELD:
            return False
        try:
            self._put_into_file(self._in_tail)
        except _Held as why:
            if self._tail.used >= MOST_HELD:
                raise self._failed(why.cause) from why
            self._held, self._fold_again = True, monotonic() + HELD_AGAIN_SECONDS
            return False
        self._held, self._fold_again = False, 0.0
        self._in_tail = []
        self._tail.begin_anew()
        return True

    def newly_held(self) -> bool:
        """Whether another program has come to hold the file since this was asked last; nothing is lost by it."""
        told, self._held_told = self._held_told, self._held
        return self._held and not told

    def _be_short(self) -> None:
        """Wait no longer for another program than people at the table would not notice."""
        self._db.execute(f"PRAGMA busy_timeout={HELD_MILLISECONDS}")

    def _put_into_file(self, records: Sequence[Record]) -> None:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            rows = map(row_of, records)
            self._db.executemany("INSERT INTO record (number, kind, body, chain) VALUES (?, ?, ?, ?)", rows)
            self._db.execute("COMMIT")
        except sqlite3.Error as why:
            if getattr(why, "sqlite_errorcode", 0) & 0xFF not in _HELD:
                raise self._failed(why) from why
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise _Held(self.path, why) from why

    def _keep_head(self, *, durably: bool) -> None:
        try:
            self._head_file.write(self._number, self._chain, durably=durably)
        except OSError as why:
            self._run = None
            raise DatabaseError(f"{self._head_file.path}: cannot be written: {why.strerror}") from why

    def close(self) -> None:
        """Close every file; a result not yet written is lost, the events are not."""
        self._head_file.close()
        self._tail.close()
        super().close()

    def _failed(self, why: sqlite3.Error) -> DatabaseError:
        self._run = None
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")
        return DatabaseError(f"{self.path}: the journal cannot be written: {why}")
