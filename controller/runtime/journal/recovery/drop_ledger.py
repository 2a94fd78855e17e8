"""What was dropped at a table, read out of its journal: all sessions and files, played again, and the counted boxes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from controller.records.drop import DropRow
from controller.records.drop_box import BOX_RECORD_KIND, DropBox, collect_boxes
from controller.runtime.journal.journal_reader import JournalReader
from controller.runtime.journal.recovery.journal_follower import JournalFollower
from controller.runtime.journal.recovery.journal_replay import RecoveryError, TableOpener
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

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Self:
        """Read a ledger that was written as JSON; raises `KeyError` for what is none."""
        return cls(
            [DropRow.from_json(row) for row in content["rows"]],
            content["open"],
            [SessionDrop(*each) for each in content["sessions"]],
            list(content["unreadable"]),
        )

    def to_json(self) -> dict[str, object]:
        """Write it for another process."""
        return {
            "rows": [row.to_json() for row in self.rows],
            "open": self.open_chips,
            "sessions": [(each.session, each.begun_chips, each.account_chips) for each in self.sessions],
            "unreadable": self.unreadable,
        }

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
    ledger = DropLedger()
    follower: JournalFollower | None = None
    first = next((each.first_record for each in journal.list_sessions() if each.number >= first_session), None)
    if first is None:
        return ledger
    loose_chips = 0
    for record in journal.read_records(first):
        if record.kind == "session" and (follower is None or _is_another(follower, record.parse_body()["session"])):
            if follower is not None:
                loose = _close_session(ledger, follower)
                loose_chips += (
                    0 if "kept" in record.parse_body() else loose
                )  # else the next session's first hand has it
            follower = follower or JournalFollower(str(journal.path), open_table)
        if follower is None:
            continue
        try:
            follower.receive_record(record)
        except RecoveryError as why:
            ledger.unreadable.append(str(why))
            follower = None
    if follower is not None:
        _close_session(ledger, follower, is_last=True)
    if ledger.open_chips is not None:
        ledger.open_chips += loose_chips
    return ledger


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
