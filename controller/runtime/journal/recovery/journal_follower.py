"""Plays a journal again while it comes, record by record: for whoever keeps a list of what many tables did.

A hand is played when it is whole: what was shown in it later is known from its beginning, as in every replay.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from controller.core.engine.table import Table
from controller.core.model.setup import AnyEvent
from controller.records.drop import DropRecorder, DropRow, RestingDrop
from controller.records.public_view import ShowdownResult, find_showdown_result
from controller.runtime.journal.entry_result import EntryResult
from controller.runtime.journal.journal_reader import (
    JournalEntry,
    JournalReader,
    JournalSession,
    add_result,
    parse_entry,
)
from controller.runtime.journal.proof.chain import BadRecordError, JournalRecord
from controller.runtime.journal.recovery.journal_replay import (
    RecoveredTable,
    RecoveryError,
    TableOpener,
    load_setup,
    make_idle_snapshot,
    replay_hand,
    take_up,
    take_up_recorded,
)
from controller.runtime.journal.recovery.snapshot import SnapshotError
from controller.runtime.journal.sealing.hand_reader import make_keyless_reader

MAX_HAND_BYTES = 16 << 20
"""Of the entries of a hand, as they stand in the journal, with all until the next one; a long one has 0.5 MB."""


@dataclass(frozen=True, slots=True)
class PlayedEntry:
    """An entry and what the table answered. `public_line`: its line without cards that nobody knows.

    `hand_number`: its number.
    `player_by_seat`: seat -> name, of whoever sat there after it. `showdown_result`: what everybody saw, once the hand
    is over. `drop_row`: what the last hand gave the house, as it stands after the entry, no hand being on: it takes the
    place of what was told of this hand before, and what was told of later hands of the session is void. `open_drop`:
    what the house has beside the rows of hands that are over, `None` where nobody knows.
    """

    entry: JournalEntry
    public_line: Mapping[str, Any]
    hand_number: int
    is_refused: bool
    output_line: Mapping[str, Any]
    player_by_seat: Mapping[int, str]
    showdown_result: ShowdownResult | None = None
    drop_row: DropRow | None = None
    open_drop: int | None = 0


class StreamedJournal(JournalReader):
    """Records that somebody else keeps, as a journal to be read.

    `read_from` reads them in order from a number on; `session_records` are those of the kind `session`, oldest first.
    """

    def __init__(
        self,
        name: str,
        read_from: Callable[[int], Iterator[JournalRecord]] | None = None,
        session_records: Sequence[JournalRecord] = (),
    ) -> None:
        self.path = Path(name)
        self._read_from = read_from
        self._session_records = session_records

    def read_records(self, start: int = 1, *, linked: bool = True) -> Iterator[JournalRecord]:  # noqa: ARG002 - they are proved
        """Read on from record `start`."""
        return iter(()) if self._read_from is None else self._read_from(start)

    def list_sessions(self) -> list[JournalSession]:
        """Every session of which a record is here, oldest first."""
        found = {one.number: one for one in map(self._parse_session, reversed(self._session_records))}
        return [found[number] for number in sorted(found)]

    def parse_session(self, record: JournalRecord) -> JournalSession:
        """The session that a record of the kind `parse_session` begins, or goes on with."""
        return self._parse_session(record)


class _SignIn(NamedTuple):
    """Somebody signed in at the table, or out, after so many of the entries that are still to be played."""

    entry_count: int
    name: str
    role: str
    is_sign_out: bool


class JournalFollower:
    """One journal; `receive_record` its records in order, from one of the kind `session` on."""

    def __init__(self, name: str, open_table: TableOpener) -> None:
        self._journal = StreamedJournal(name)
        self._open_table = open_table
        self.session: JournalSession | None = None
        self._table = Table()
        self._last_result: EntryResult | None = None
        self._left: RecoveredTable | None = None
        """The table of the session as no hand was in progress last."""
        self._key_record: JournalRecord | None = None
        self._entries: list[JournalEntry] = []
        self._entry_bytes = 0
        self._disclosed: dict[int, str] = {}
        self.drop = DropRecorder(0)
        """What the house dropped in the session, as far as it is played."""
        self._sign_ins: list[_SignIn] = []

    def receive_record(self, record: JournalRecord) -> list[PlayedEntry]:
        """Take a record; return what a hand came to that is whole with it. Raises `RecoveryError`."""
        try:
            body = record.parse_body()
        except BadRecordError as why:
            raise RecoveryError(f"record {record.number} cannot be read") from why
        if self._entries:
            self._entries[-1] = add_result(self._entries[-1], body.get("result"))
        match record.kind:
            case "session" if self.session is None or int(body["session"]) != self.session.number:
                played = self._play_hand()
                self._begin_session(self._journal.parse_session(record))
                return played
            case "hand-key":
                played = self._play_hand()
                self._key_record = record
                return played
            case "sign-in" | "sign-out" if "at" not in body:
                sign_in = _SignIn(len(self._entries), str(body["name"]), str(body["role"]), record.kind == "sign-out")
                self._sign_ins.append(sign_in)
            case "disclosed":
                self._disclosed |= {int(alias): str(card) for alias, card in body["cards"].items()}
            case "entry":
                self._entry_bytes += len(record.export_line)
                if self._entry_bytes > MAX_HAND_BYTES:
                    raise RecoveryError(f"the hand that record {record.number} belongs to has no end")
                self._entries.append(parse_entry(record, body))
            case _:
                pass
        return []

    def _begin_session(self, session: JournalSession) -> None:
        self.session = session
        self._key_record = None
        try:
            begun = take_up_recorded(session, self._open_table)
        except SnapshotError as why:
            if self._left is None:
                raise RecoveryError(f"session {session.number} of the journal cannot be taken up ({why})") from None
            begun = take_up(
                make_idle_snapshot(self._left), load_setup(session, self._open_table), session.last_entry_before
            )
        self._table, self._last_result = (Table(), None) if begun is None else (begun.table, begun.last_result)
        self.drop = self.drop.begin_session(session.number, None if begun is None else begun.table.outcome.state)

    def _play_hand(self) -> list[PlayedEntry]:
        """Play the hand that is whole now."""
        session, entries, key, disclosed = self.session, self._entries, self._key_record, self._disclosed
        sign_ins, self._sign_ins = self._sign_ins, []
        self._entries, self._disclosed, self._entry_bytes = [], {}, 0
        if session is None or not entries:
            self._tell_sign_ins(sign_ins, len(entries))
            return []
        taken_up = None if session.snapshot_text is None else session.last_entry_before + 1
        reader = make_keyless_reader(key, disclosed, entries)
        found: dict[int, PlayedEntry] = {}
        for entry, event, given, table in replay_hand(
            reader, entries, (self._table, self._last_result), self._open_table, taken_up
        ):
            self._table, self._last_result = table, given
            if not given.outcome.state.is_hand_on:
                self._left = RecoveredTable(table.copy())
            row = None
            self._tell_sign_ins(sign_ins, len(found))
            if given.error is None:
                row = self.drop.receive_outcome(given.outcome, table.history, entry.wall_time, entry.signer)
            self._note_entry(entry, event, given)
            chairs = given.outcome.state.seating.state_by_seat
            found[entry.number] = PlayedEntry(
                entry, json.loads(entry.script_line), given.outcome.state.hand_count, given.error is not None,
                given.to_output_line(),
                {seat: chair.player for seat, chair in chairs.items() if chair.player},
                find_showdown_result(given.outcome),
                row,
                self.drop.open_chips,
            )  # fmt: skip
        self._tell_sign_ins(sign_ins, len(entries))
        return list(found.values())

    def _note_entry(self, entry: JournalEntry, event: AnyEvent, given: EntryResult) -> None:
        """Take an entry that was played, for whoever keeps more than this one."""

    def play_rest(self) -> list[PlayedEntry]:
        """Play what has come of a hand that is not whole yet: nothing more will come. Raises `RecoveryError`."""
        return self._play_hand()

    def preview_drop(self) -> RestingDrop:
        """What the hands gave up to one that is over and not whole yet, as the next has not begun.

        What has come of it is played, and forgotten. Raises `RecoveryError`.
        """
        ahead = copy(self)
        vars(ahead).update(
            _table=self._table.copy(), drop=self.drop.copy(), _entries=list(self._entries),
            _sign_ins=list(self._sign_ins),
        )  # fmt: skip
        ahead.play_rest()
        return ahead.drop.read_at_rest()

    def _tell_sign_ins(self, waiting: list[_SignIn], played: int) -> None:
        """Tell who signed in or out before the next entry, once so many are played."""
        while waiting and waiting[0].entry_count <= played:
            _, name, role, is_sign_out = waiting.pop(0)
            self.drop.receive_sign_in(name, role, is_sign_out=is_sign_out)
