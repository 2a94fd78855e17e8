"""What was dropped at a table, read out of its journal: all sessions and files, played again, and the counted boxes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from controller.core.model.setup import AnyEvent
from controller.records.drop import DropMark, DropRecorder, DropRow
from controller.records.drop_box import BOX_RECORD_KIND, DropBox, collect_boxes
from controller.runtime.journal.entry_result import EntryResult
from controller.runtime.journal.journal_reader import JournalEntry, JournalReader, JournalSession
from controller.runtime.journal.proof.chain import JournalRecord
from controller.runtime.journal.recovery.journal_follower import JournalFollower
from controller.runtime.journal.recovery.journal_replay import (
    RecoveredTable,
    RecoveryError,
    TableOpener,
    make_base_snapshot,
    restore_from_snapshot,
)
from controller.runtime.journal.recovery.snapshot import Snapshot
from controller.runtime.storage.sqlite_database import DatabaseError


@dataclass(frozen=True, slots=True)
class SessionDrop:
    """How far the table's account came in a session, as the table last rested; `None` where nobody knows.

    `begun_chips`: what it had when the session began, which goes on from another's table or begins with 0.
    """

    session: int
    begun_chips: int
    account_chips: int | None


@dataclass(slots=True)
class DropLedger:
    """The rows of all sessions that were read, in order.

    `open_chips`: what the house has that is in no row, of a hand that is on or charged since; `None`: nobody knows.
    `unreadable`: why sessions are left out that this program cannot play again.
    """

    rows: list[DropRow] = field(default_factory=list)
    open_chips: int | None = 0
    sessions: list[SessionDrop] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)

    def count_chips_since(self, box: DropBox | None) -> int | None:
        """What should be in the box since `box` was counted, or since the journal begins; `None` where nobody knows.

        As the table last rested: a hand's drop goes into the box when the hand is over.
        """
        since = [each for each in self.sessions if box is None or each.session >= box.session]
        if self.unreadable or any(each.account_chips is None for each in since):
            return None
        total = sum(each.account_chips - each.begun_chips for each in since if each.account_chips is not None)
        counted = [each.begun_chips for each in since if box is not None and each.session == box.session]
        return total if box is None else total - box.account_chips + sum(counted)


def read_boxes(journal: JournalReader) -> tuple[DropBox, ...]:
    """The counted boxes of a journal; raises `DatabaseError`."""
    records = [record.parse_body() for record in journal.read_newest_records(BOX_RECORD_KIND)]
    try:
        return collect_boxes(reversed(records))
    except (KeyError, TypeError, ValueError):
        raise DatabaseError(f"{journal.path}: a record of the kind {BOX_RECORD_KIND} cannot be read") from None


def read_drop(journal: JournalReader, open_table: TableOpener, first_session: int = 1) -> DropLedger:
    """Play a journal again from session `first_session` on; raises `DatabaseError`."""
    reader = DropReader(str(journal.path), open_table)
    first = next((each.first_record for each in journal.list_sessions() if each.number >= first_session), None)
    if first is not None:
        for record in journal.read_records(first):
            reader.receive_record(record)
    return reader.finish()


@dataclass(frozen=True, slots=True)
class DropBase:
    """Where another reader can go on: the table after entry `table.entry`, which record `record` is.

    Nothing of before can be taken back or amended any more, so the rows up to `mark` stay.
    """

    record: int
    table: Snapshot
    mark: DropMark


class DropFollower(JournalFollower):
    """Follows a journal and knows from where on it would have to be played again."""

    def __init__(self, name: str, open_table: TableOpener) -> None:
        super().__init__(name, open_table)
        self._recovered: RecoveredTable | None = None
        self._mark_by_entry: dict[int, tuple[int, DropMark]] = {}
        """Entry after which no hand was on -> its record, and what was known then."""

    def resume(self, session: JournalSession, base: DropBase, rows: Iterable[DropRow]) -> None:
        """Go on in `session` from `base`; `rows`: those of the session up to there."""
        self.session = session
        self._recovered = restore_from_snapshot(base.table, base.table.entry, 0)
        self._table, self._last_result = self._recovered.table, self._recovered.last_result
        self._left = RecoveredTable(self._table.copy())
        self._mark_by_entry = {base.table.entry: (base.record, base.mark)}
        self.drop = DropRecorder.resume(base.mark, base.table.memory.state, rows)

    def find_base(self) -> DropBase | None:
        """The newest base, where there is one that can be written down."""
        recovered = self._recovered
        if recovered is None or recovered.base is None:
            return None
        known = self._mark_by_entry.get(recovered.base[0])
        return None if known is None else DropBase(known[0], make_base_snapshot(recovered), known[1])

    def _begin_session(self, session: JournalSession) -> None:
        super()._begin_session(session)
        self._recovered, self._mark_by_entry = None, {}

    def _note_entry(self, entry: JournalEntry, event: AnyEvent, given: EntryResult) -> None:
        recovered = self._recovered = self._recovered or RecoveredTable(self._table)
        recovered.table = self._table
        recovered.add_entry(event, given, max(recovered.table_time_s, event.time_s or 0.0))
        if given.error is None and not given.outcome.state.is_hand_on:
            self._mark_by_entry[entry.number] = (entry.record_number, self.drop.make_mark())
        for earlier in [each for each in self._mark_by_entry if each not in recovered.idle_outcomes]:
            del self._mark_by_entry[earlier]


class DropReader:
    """Takes the records of a journal in order, and says what was dropped up to there.

    `ledger`, `loose_chips`: what earlier sessions came to, where `follower` goes on from a base.
    """

    def __init__(
        self,
        name: str,
        open_table: TableOpener,
        follower: DropFollower | None = None,
        ledger: DropLedger | None = None,
        loose_chips: int = 0,
    ) -> None:
        self._name, self._open_table = name, open_table
        self.follower = follower
        self.ledger = ledger or DropLedger()
        """Of the sessions before the one that is followed."""
        self.loose_chips = loose_chips
        """Charged after the last hand of sessions whose table another did not take up."""

    def receive_record(self, record: JournalRecord) -> None:
        """Take a record; what cannot be played again is told at the end."""
        follower = self.follower
        if record.kind == "session" and (follower is None or _is_another(follower, record.parse_body()["session"])):
            if follower is not None:
                loose = _close_session(self.ledger, follower)
                # else the next session's first hand has it
                self.loose_chips += 0 if "kept" in record.parse_body() else loose
            follower = self.follower = follower or DropFollower(self._name, self._open_table)
        if follower is None:
            return
        try:
            follower.receive_record(record)
        except RecoveryError as why:
            self.ledger.unreadable.append(str(why))
            self.follower = None

    def finish(self) -> DropLedger:
        """What was dropped, nothing more coming."""
        if self.follower is not None:
            _close_session(self.ledger, self.follower, is_last=True)
        if self.ledger.open_chips is not None:
            self.ledger.open_chips += self.loose_chips
        return self.ledger


def _is_another(follower: JournalFollower, session: object) -> bool:
    return follower.session is None or follower.session.number != session


def _close_session(ledger: DropLedger, follower: JournalFollower, *, is_last: bool = False) -> int:
    """Take what the session came to; return what was charged after its last hand.

    Of a hand that was given up nothing stays; one that is on at the end of the journal gives its drop when it is over.
    """
    try:
        follower.play_rest()
    except RecoveryError as why:
        ledger.unreadable.append(str(why))
    drop = follower.drop
    rows: Sequence[DropRow] = drop.rows if is_last else drop.rows_at_rest
    ledger.rows += rows
    if follower.session is not None:
        ledger.sessions.append(SessionDrop(follower.session.number, drop.begun_chips, drop.account_at_rest))
    if is_last:
        ledger.open_chips = drop.open_chips
    return drop.open_chips_at_rest
