"""The finished hands of a journal, with what proves them: every list, telling and export is made of these."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from controller.core.protocol.events import HandStarted
from controller.records.hand_record import HandRecord, HandRecorder
from controller.records.phh import Provenance
from controller.runtime.journal.hand_index import HandRow
from controller.runtime.journal.journal_reader import JournalEntry, JournalReader, JournalSession
from controller.runtime.journal.recovery.journal_replay import TableOpener, replay_session
from controller.runtime.staff.permissions import Role


@dataclass(frozen=True, slots=True)
class FinishedHand:
    """A finished hand and where it was played; `record` of one that is still on is `None`, and its `number` known."""

    number: int
    provenance: Provenance
    record: HandRecord | None


def read_finished_hands(
    archive: JournalReader, session: JournalSession, opening: TableOpener, upto: int | None = None
) -> Iterator[FinishedHand]:
    """Play a session again, up to entry `upto`, and keep its hands, the oldest first; the one that is on comes last.

    Raises `DatabaseError` and `RecoveryError`.
    """
    recorder = HandRecorder()
    hands: dict[int, _ProvenanceBuilder] = {}
    by_start: dict[int, _ProvenanceBuilder] = {}
    number = 0
    for entry, event, given, table in replay_session(archive, session, opening):
        if upto is not None and entry.number > upto:
            break
        if given.error is not None:
            continue
        recorder.receive_event(event, given.outcome, entry.number, table.history)
        number = given.outcome.state.hand_count
        if isinstance(event, HandStarted):
            by_start[entry.number] = hands[number] = _ProvenanceBuilder(entry)
        if number in hands:
            hands[number].add(entry)
    for record in recorder.finished_records:
        place = by_start[record.first_entry]
        yield FinishedHand(
            record.number,
            replace(place.build(session), journal_signature=place.find_signature(archive, record)),
            record,
        )
    last = recorder.finished_records[-1].number if recorder.finished_records else 0
    if number > last and number in hands:
        yield FinishedHand(number, hands[number].build(session), None)


def to_hand_row(kept: FinishedHand) -> HandRow:
    """What a list says of a hand of the journal."""
    place = kept.provenance
    began = "" if place.began_at is None else place.began_at.isoformat(timespec="milliseconds")
    row = HandRow(place.session or 0, kept.number, began, dealers=place.dealer_names)
    return row if kept.record is None else row.complete_from_record(kept.record)


class _ProvenanceBuilder:
    """What is gathered of where a hand comes from; it begins with its first entry."""

    def __init__(self, first: JournalEntry) -> None:
        self._began_wall_time = first.wall_time
        self._record_by_entry: dict[int, int] = {}
        self._dealers: dict[str, None] = {}
        self._signature_by_entry: dict[int, str] = {}

    def add(self, entry: JournalEntry) -> None:
        self._record_by_entry[entry.number] = entry.record_number
        if entry.signer is None:
            return
        self._signature_by_entry[entry.number] = str(entry.signer["signature"])
        if entry.signer["role"] == Role.DEALER.value:
            self._dealers[str(entry.signer["name"])] = None

    def build(self, session: JournalSession) -> Provenance:
        program = session.header.get("program")
        began = datetime.fromisoformat(self._began_wall_time)
        return Provenance(session.number, began, program, tuple(self._dealers), self._signature_by_entry)

    def find_signature(self, archive: JournalReader, record: HandRecord) -> Mapping[str, Any] | None:
        """How the table signed the journal when all that the record says had been entered."""
        later = (*(each.amending_entry for each in record.amendments), *(each.entry for each in record.decisions))
        last = max(record.last_entry, *later, 0)
        at = self._record_by_entry.get(last)
        found = None if at is None else archive.find_signature_after(at)
        body = None if found is None else found.parse_body()
        return None if body is None else {key: body[key] for key in ("upto", "chain", "signature")}
