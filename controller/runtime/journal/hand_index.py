"""The list of all hands beside the journal, to search in, kept as they are played: nobody plays a session again for it.

`hands.sqlite` has a row for each hand that is over, with the words by which it is found. It is no record and proves
nothing: where it does not reach as far as the journal (a cut of the power, a file that is gone) it is made again from
there, in a process of its own (`controller.app.table.past_hands`). Nothing waits for the disk here, and a file that
cannot be written costs the list and nothing else: then it is kept in memory, and made again at the next start.
"""

import json
import logging
import sqlite3
import threading
from collections import deque
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Self

from controller.core.engine.amendments.hand_history import HandHistory
from controller.core.model.outcome import Outcome
from controller.core.protocol.facts import (
    EntryAmended,
    EntryTakenBack,
)
from controller.records.hand_record import HandRecord, compute_gains, find_finished_record, format_game_title
from controller.runtime.journal.system_clocks import format_wall_time
from controller.runtime.service.crash_log import describe_failure
from controller.runtime.staff.permissions import Role
from controller.runtime.storage.sqlite_database import SQLITE_ERRORS, describe_error

HAND_INDEX_FILE = "hands.sqlite"

MAX_HANDS = 50_000
"""How many hands the list has, the newest: some months of a table that is always in play, and some 40 MB."""

MAX_MATCHES = 50
"""How many hands one look at the list finds at most."""

MAX_SEARCHED_HANDS = 4_000
"""How many hands one look at the list searches: some 10 ms. Who wants more looks again, from where it ended."""

PRUNE_INTERVAL_HANDS = 256
"""After so many new hands those beyond `MAX_HANDS` are dropped."""

HANDS_PER_BATCH = 64
"""So many hands are taken over together: some milliseconds, in which nobody can look."""

_SCHEMA_VERSION = 1

_SCHEMA = f"""
DROP TABLE IF EXISTS hand; DROP TABLE IF EXISTS reach;
CREATE TABLE hand (
    session INTEGER, number INTEGER, began TEXT, players TEXT, dealers TEXT, rulings TEXT, row TEXT,
    PRIMARY KEY (session, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE reach (one INTEGER PRIMARY KEY CHECK (one = 1), entry INTEGER, hand TEXT) STRICT;
PRAGMA user_version = {_SCHEMA_VERSION};
"""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class HandRow:
    """One hand: where it is, when it began (UTC, ISO 8601), who played and dealt, who won, what was ruled and by what.

    `rulings` counts as the record of the hand does (`controller.records.hand_record`); one that is still on has none
    of it. `taken`: what the house took for it, `None` where it takes nothing, or nobody counts.
    """

    session: int
    hand: int
    began: str
    over: bool = False
    game: str = ""
    deals: int = 1
    players: tuple[str, ...] = ()
    dealers: tuple[str, ...] = ()
    winners: tuple[str, ...] = ()
    rulings: int = 0
    findings: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    taken: int | None = None

    def complete_from_record(self, record: HandRecord) -> Self:
        """The hand as it was over."""
        ruled = [each.ruling for each in record.rulings]
        return replace(
            self,
            over=True,
            game=format_game_title(record.setup),
            deals=record.deal_count,
            players=tuple(record.player_by_seat[seat] for seat in record.dealing_order),
            winners=tuple(f"{record.player_by_seat[seat]} +{gain}" for seat, gain in compute_gains(record).items()),
            rulings=len(ruled),
            findings=tuple(dict.fromkeys(ruling.finding for ruling in ruled)),
            clauses=tuple(dict.fromkeys(cite.split("#")[0] for ruling in ruled for cite in ruling.cite)),
            taken=None if record.collection is None else record.collection.total,
        )

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Self:
        """Read a row that was written as JSON, by a newer program too; raises `TypeError` for what is none."""
        match content:
            case {"session": session, "hand": hand, "began": began}:
                return cls(
                    session=session,
                    hand=hand,
                    began=began,
                    over=content.get("over", False),
                    game=content.get("game", ""),
                    deals=content.get("deals", 1),
                    players=tuple(content.get("players", ())),
                    dealers=tuple(content.get("dealers", ())),
                    winners=tuple(content.get("winners", ())),
                    rulings=content.get("rulings", 0),
                    findings=tuple(content.get("findings", ())),
                    clauses=tuple(content.get("clauses", ())),
                    taken=content.get("taken"),
                )
            case _:
                raise TypeError("a hand has a session, a number and when it began")

    def to_json(self) -> dict[str, object]:
        """Write it as the list, the page and the API have it."""
        return {
            "session": self.session,
            "hand": self.hand,
            "began": self.began,
            "over": self.over,
            "game": self.game,
            "deals": self.deals,
            "players": self.players,
            "dealers": self.dealers,
            "winners": self.winners,
            "rulings": self.rulings,
            "findings": self.findings,
            "clauses": self.clauses,
            "taken": self.taken,
        }

    def is_match(self, wanted: "HandQuery") -> bool:
        """Whether it is one of those that are looked for."""
        return (
            (not wanted.since or self.began >= wanted.since)
            and (not wanted.until or self.began < wanted.until)
            and _fold_words(wanted.player) in _fold_words(*self.players)
            and _fold_words(wanted.dealer) in _fold_words(*self.dealers)
            and _fold_words(wanted.ruling) in _fold_words(*self.findings, *self.clauses)
        )


@dataclass(frozen=True, slots=True)
class HandQuery:
    """What hands are looked for: parts of names, of a finding or clause; `since` and before `until` (UTC, ISO 8601)."""

    player: str = ""
    dealer: str = ""
    ruling: str = ""
    since: str = ""
    until: str = ""

    @classmethod
    def from_words(cls, words: Mapping[str, str]) -> Self:
        """Look for words by `QUERY_KEYS`, each of which may be left out."""
        return cls(
            player=words.get("player", ""),
            dealer=words.get("dealer", ""),
            ruling=words.get("ruling", ""),
            since=words.get("since", ""),
            until=words.get("until", ""),
        )


QUERY_KEYS = ("player", "dealer", "ruling", "since", "until")
"""By what one can look for hands."""


@dataclass(frozen=True, slots=True)
class HandMatches:
    """What one look at the list has found, the newest first.

    `next_before`: where the next begins, `None` at the end.
    """

    hands: tuple[HandRow, ...]
    next_before: tuple[int, int] | None = None


class HandIndex:
    """The hands of all sessions. `on_entry` and `close` are the loop's thread's, all else is for any."""

    def __init__(self, path: Path, session: int, settled: int) -> None:
        """Take the list up for `session`, which begins or goes on after entry `settled` of the journal."""
        self._path = path
        self._session = session
        self._last_entry = self.missing_until_entry = settled
        """Number of the entry up to which somebody else must tell the hands, where the list is not whole."""
        self._current_hand: HandRow | None = None
        self._is_between_hands = True
        self._pending_writes: deque[HandRow | tuple[int, int]] = deque()
        """Rows to be written, and hands that are no longer over."""
        self._write_count = 0
        self._is_abandoned = False
        self._hands_since_gap: set[tuple[int, int]] = set()
        """Hands that ended while the list was not whole: the journal up to `missing_until_entry` knows less."""
        self._lock = threading.Lock()
        self._db = _open_index(path)
        reached, hand = self._read_reach()
        self.is_complete = reached == settled
        if self.is_complete and hand is not None and hand.session == session:
            self._current_hand, self._is_between_hands = hand, False

    def on_entry(
        self,
        entry: int,
        outcome: Outcome,
        history: HandHistory,
        *,
        decided: bool = False,
        by: Mapping[str, object] | None = None,
    ) -> None:
        """Take an entry that was not refused; `decided`: the floor decided something with it, also of a hand over."""
        self._last_entry, hand = entry, outcome.state.hand_count
        rests = not outcome.state.is_hand_on
        ruled = decided or bool(outcome.rulings) or outcome.has_fact(EntryTakenBack, EntryAmended)
        if not hand:
            return
        if self._current_hand is None or self._current_hand.hand != hand:
            self._current_hand = HandRow(self._session, hand, format_wall_time())
        if by is not None and by["role"] == Role.DEALER.value and by["name"] not in self._current_hand.dealers:
            self._current_hand = replace(self._current_hand, dealers=(*self._current_hand.dealers, str(by["name"])))
        if rests and (ruled or not self._is_between_hands):
            record = _make_record(history, entry)
            if record is not None and record.number == hand:
                self._pending_writes.append(self._current_hand.complete_from_record(record))
            elif not self._is_between_hands:
                self.is_complete, self.missing_until_entry = (
                    False,
                    entry,
                )  # its beginning is out of reach; the journal has it
        elif not rests and self._is_between_hands:
            self._pending_writes.append((self._session, hand))
        self._is_between_hands = rests
        if self._pending_writes and self._lock.acquire(blocking=False):  # else whoever has it writes them
            try:
                self._write_pending()
            finally:
                self._lock.release()

    def find(self, wanted: HandQuery, before: tuple[int, int] | None = None, most: int = MAX_MATCHES) -> HandMatches:
        """Look for hands, from the newest or from `before` on; the one that is on comes first, where it is wanted."""
        on = self._current_hand
        now = (on,) if before is None and on is not None and not self._is_between_hands and on.is_match(wanted) else ()
        with self._lock:
            self._write_pending()
            rows, further = self._search(wanted, before, most)
        return HandMatches((*now, *rows), further)

    def recover_last_indexed_entry(self) -> int:
        """After which entry hands may be missing; a file that a cut has damaged is emptied, and wants all."""
        with self._lock:
            try:
                sound = self._db.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
            except SQLITE_ERRORS:
                sound = False
            if not sound:
                self._db.close()
                with suppress(OSError):
                    self._path.unlink()
                self._db = _open_index(self._path)
            return self._read_reach()[0]

    def add_missing_hands(self, rows: Iterable[HandRow]) -> None:
        """Take the hands up to `missing_until_entry`, told by somebody else, as they come.

        Raises what `rows` raises.
        """
        since, told = self.missing_until_entry, iter(rows)
        while some := list(islice(told, HANDS_PER_BATCH)):
            with self._lock:
                known = self._current_hand
                for row in some:
                    if known is not None and (known.session, known.hand) == (row.session, row.hand):
                        self._current_hand = _merge_rows(known, row)
                self._pending_writes.extend(row for row in some if row.over)
                self._write_pending(told=True)
        with self._lock:
            self._write_reach(since, None)
            self._hands_since_gap.clear()
            self.is_complete = since == self.missing_until_entry

    def abandon_missing_hands(self) -> None:
        """Go on with the hands that it has, as nobody can tell the others; the next start asks again."""
        self._is_abandoned = self.is_complete = True

    def close(self) -> None:
        """Write down how far the list reaches, so that the next start finds all."""
        with self._lock:
            self._write_pending()
            if self.is_complete and not self._is_abandoned:
                self._write_reach(self._last_entry, None if self._is_between_hands else self._current_hand)
            self._db.close()

    def _search(
        self, wanted: HandQuery, before: tuple[int, int] | None, most: int
    ) -> tuple[list[HandRow], tuple[int, int] | None]:
        """Search the next `MAX_SEARCHED_HANDS` hands."""
        start = before or (1 << 62, 0)
        conditions = (
            "(? = '' OR began >= ?) AND (? = '' OR began < ?) AND instr(players, ?) AND instr(dealers, ?)"
            " AND instr(rulings, ?)"
        )
        values = (
            wanted.since, wanted.since, wanted.until, wanted.until,
            _fold_words(wanted.player), _fold_words(wanted.dealer), _fold_words(wanted.ruling),
        )  # fmt: skip
        newest_first = "ORDER BY session DESC, number DESC LIMIT"
        below = "FROM hand WHERE (session, number) < (?, ?)"
        try:
            end = self._db.execute(
                f"SELECT session, number {below} {newest_first} 1 OFFSET {MAX_SEARCHED_HANDS - 1}", start
            ).fetchone()
            matching = f"SELECT row {below} AND (session, number) >= (?, ?) AND {conditions} {newest_first} ?"
            rows = self._db.execute(matching, (*start, *(end or (0, 0)), *values, most)).fetchall()
        except SQLITE_ERRORS as why:
            log.warning("%s: cannot be read: %s", self._path.name, describe_error(why, self._path))
            return [], None
        found = [row for (text,) in rows if (row := _parse_row(text)) is not None]
        if len(rows) == most and found:
            return found, (found[-1].session, found[-1].hand)
        return found, end

    def _write_pending(self, *, told: bool = False) -> None:
        """Write what waits; what somebody else has `told` takes the place of what was left by an earlier run."""
        if not self._pending_writes:
            return
        try:
            self._db.execute("BEGIN")
            while self._pending_writes:
                row = self._pending_writes.popleft()
                if isinstance(row, HandRow):
                    self._write_row(row, told=told)
                else:
                    self._db.execute("DELETE FROM hand WHERE session = ? AND number = ?", row)
            self._db.execute("COMMIT")
        except SQLITE_ERRORS as why:
            if self._db.in_transaction:
                self._db.rollback()
            self.is_complete = False
            log.warning("%s: cannot be written: %s", self._path.name, describe_error(why, self._path))

    def _write_row(self, row: HandRow, *, told: bool) -> None:
        place = row.session, row.hand
        known = self._db.execute("SELECT row FROM hand WHERE session = ? AND number = ?", place).fetchone()
        stored = None if known is None else _parse_row(known[0])
        if stored is not None:
            if not told:
                row = _merge_rows(row, stored)
            elif place in self._hands_since_gap:
                row = _merge_rows(stored, row)
        if not told and not self.is_complete:
            self._hands_since_gap.add(place)
        self._db.execute(
            "INSERT OR REPLACE INTO hand VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                *place, row.began, _fold_words(*row.players), _fold_words(*row.dealers),
                _fold_words(*row.findings, *row.clauses), json.dumps(row.to_json(), ensure_ascii=False),
            ),
        )  # fmt: skip
        self._write_count += 1
        if not self._write_count % PRUNE_INTERVAL_HANDS:
            self._db.execute(
                "DELETE FROM hand WHERE (session, number) <= (SELECT session, number FROM hand"
                " ORDER BY session DESC, number DESC LIMIT 1 OFFSET ?)",
                (MAX_HANDS,),
            )

    def _read_reach(self) -> tuple[int, HandRow | None]:
        """Up to which entry the list was whole at a clean end, and the hand that was then on."""
        with suppress(sqlite3.Error, ValueError, TypeError, AttributeError):
            row = self._db.execute("SELECT entry, hand FROM reach").fetchone()
            if row is not None:
                return int(row[0]), None if row[1] is None else _parse_row(row[1])
        return 0, None

    def _write_reach(self, entry: int, hand: HandRow | None) -> None:
        told = None if hand is None else json.dumps(hand.to_json(), ensure_ascii=False)
        try:
            self._db.execute("INSERT OR REPLACE INTO reach VALUES (1, ?, ?)", (entry, told))
        except SQLITE_ERRORS as why:
            log.warning("%s: cannot be written: %s", self._path.name, describe_error(why, self._path))


def _merge_rows(own: HandRow, told: HandRow) -> HandRow:
    """A hand as one has seen it, of which another knows how it began, and who dealt then."""
    dealers = tuple(dict.fromkeys((*told.dealers, *own.dealers)))
    return replace(own, began=told.began, dealers=dealers)


def _parse_row(text: str) -> HandRow | None:
    with suppress(ValueError, TypeError):
        return HandRow.from_json(json.loads(text))
    return None


def _make_record(history: HandHistory, entry: int) -> HandRecord | None:
    """The record of the hand that is over; `None` where it cannot be made: a list is no reason to stop a table."""
    try:
        return find_finished_record(history)
    except Exception as failure:
        log.error("no record of the hand that ended with entry %d: %s", entry, describe_failure(failure))
        return None


def _fold_words(*words: str) -> str:
    """Words as they are compared: letters alike, and `boxed-card` as `boxed card`."""
    return "\n".join(words).casefold().replace("-", " ")


def _open_index(path: Path) -> sqlite3.Connection:
    """Open the list; one that cannot be used is made anew, at worst in memory."""
    for attempt in range(2):
        try:
            connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=0)
            connection.execute("PRAGMA synchronous=OFF")
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA cache_size=-512")
            if connection.execute("PRAGMA user_version").fetchone()[0] != _SCHEMA_VERSION:
                connection.executescript(_SCHEMA)
            connection.execute("SELECT * FROM hand LIMIT 1").fetchall()
            connection.execute("SELECT * FROM reach").fetchall()
            path.chmod(0o600)
            return connection
        except (OSError, *SQLITE_ERRORS) as why:
            log.warning("%s: is made anew: %s", path.name, describe_error(why, path))
            if not attempt:
                with suppress(OSError):
                    path.unlink()
    memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    memory.executescript(_SCHEMA)
    return memory
