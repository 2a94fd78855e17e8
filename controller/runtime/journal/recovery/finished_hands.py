"""The finished hands of a journal, with what proves them: every list, telling and export is made of these."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from controller.core.protocol.events import Start
from controller.records.hand import Record, Recorder
from controller.records.phh import Provenance
from controller.runtime.journal.archive import Archive, Entry, Session
from controller.runtime.journal.hand_index import HandRow
from controller.runtime.journal.recovery.recovery import OpenTable, replay
from controller.runtime.staff.authority import Role


@dataclass(frozen=True, slots=True)
class Kept:
    """A finished hand and where it was played; `record` of one that is still on is `None`, and its `number` known."""

    number: int
    place: Provenance
    record: Record | None


def finished_hands(archive: Archive, session: Session, opening: OpenTable, upto: int | None = None) -> Iterator[Kept]:
    """Play a session again, up to entry `upto`, and keep its hands, the oldest first; the one that is on comes last.

    Raises `DatabaseError` and `RecoveryError`.
    """
    recorder = Recorder()
    hands: dict[int, _Provenance] = {}
    by_start: dict[int, _Provenance] = {}
    number = 0
    for entry, event, given, table in replay(archive, session, opening):
        if upto is not None and entry.sequence > upto:
            break
        if given.error is not None:
            continue
        recorder.take(event, given.outcome, entry.sequence, table.history)
        number = given.outcome.state.number
        if isinstance(event, Start):
            by_start[entry.sequence] = hands[number] = _Provenance(entry)
        if number in hands:
            hands[number].add(entry)
    for record in recorder.finished:
        place = by_start[record.first_entry]
        yield Kept(record.number, replace(place.told(session), signed=place.signed(archive, record)), record)
    last = recorder.finished[-1].number if recorder.finished else 0
    if number > last and number in hands:
        yield Kept(number, hands[number].told(session), None)


def row_of(kept: Kept) -> HandRow:
    """What a list says of a hand of the journal."""
    place = kept.place
    began = "" if place.began is None else place.began.isoformat(timespec="milliseconds")
    row = HandRow(place.session or 0, kept.number, began, dealers=place.dealers)
    return row if kept.record is None else row.told(kept.record)


class _Provenance:
    """What is gathered of where a hand comes from; it begins with its first entry."""

    def __init__(self, first: Entry) -> None:
        self._began = first.wall
        self._records: dict[int, int] = {}
        self._dealers: dict[str, None] = {}
        self._signatures: dict[int, str] = {}

    def add(self, entry: Entry) -> None:
        self._records[entry.sequence] = entry.record
        if entry.by is None:
            return
        self._signatures[entry.sequence] = str(entry.by["signature"])
        if entry.by["role"] == Role.DEALER.value:
            self._dealers[str(entry.by["name"])] = None

    def told(self, session: Session) -> Provenance:
        program = session.header.get("program")
        began = datetime.fromisoformat(self._began)
        return Provenance(session.number, began, program, tuple(self._dealers), self._signatures)

    def signed(self, archive: Archive, record: Record) -> Mapping[str, Any] | None:
        """How the table signed the journal when all that the record says had been entered."""
        later = (*(each.by for each in record.put_right), *(each.entry for each in record.decisions))
        last = max(record.last_entry, *later, 0)
        at = self._records.get(last)
        found = None if at is None else archive.signed_after(at)
        body = None if found is None else found.read()
        return None if body is None else {key: body[key] for key in ("upto", "chain", "signature")}
