"""Plays a journal again while it comes, record by record: for whoever keeps a list of what many tables did.

A hand is played when it is whole: what was shown in it later is known from its beginning, as in every replay.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.core.engine.table import Table
from controller.records.told import ShownDown, shown_down
from controller.runtime.journal.archive import Archive, Entry, Session, entry_of, with_result
from controller.runtime.journal.proof.chain import BadRecord, Record
from controller.runtime.journal.recovery.recovery import OpenTable, RecoveryError, hand_again, taken_up_by
from controller.runtime.journal.sealing.unsealing import reader_of

MOST_BYTES = 16 << 20
"""Of the entries of a hand, as they stand in the journal, with all until the next one; a long one has 0.5 MB."""


@dataclass(frozen=True, slots=True)
class PlayedEntry:
    """An entry and what the table answered. `told`: its line without cards that nobody knows; `hand`: its number.

    `players`: seat -> name, of whoever sat there after it. `over`: what everybody saw, once the hand is over.
    """

    entry: Entry
    told: Mapping[str, Any]
    hand: int
    refused: bool
    output: Mapping[str, Any]
    players: Mapping[int, str]
    over: ShownDown | None = None


class Given(Archive):
    """Records that somebody else keeps, in order from the beginning of a session, as a journal to be read."""

    def __init__(self, name: str, records: Iterable[Record]) -> None:
        self.path = Path(name)
        self._given = records

    def records(self, start: int = 1, *, linked: bool = True) -> Iterator[Record]:  # noqa: ARG002 - they are proved
        """Read on from record `start`."""
        return (record for record in self._given if record.number >= start)

    def session(self, record: Record) -> Session:
        """The session that a record of the kind `session` begins, or goes on with."""
        return self._session_of(record)


class Following:
    """One journal; `take` its records in order, from one of the kind `session` on."""

    def __init__(self, name: str, open_table: OpenTable) -> None:
        self._journal = Given(name, ())
        self._open = open_table
        self.session: Session | None = None
        self._table = Table()
        self._answer: Any = None
        self._key: Record | None = None
        self._entries: list[Entry] = []
        self._bytes = 0
        self._disclosed: dict[int, str] = {}

    def take(self, record: Record) -> list[PlayedEntry]:
        """Take a record; return what a hand came to that is whole with it. Raises `RecoveryError`."""
        try:
            body = record.read()
        except BadRecord as why:
            raise RecoveryError(f"record {record.number} cannot be read") from why
        if self._entries:
            self._entries[-1] = with_result(self._entries[-1], body.get("result"))
        match record.kind:
            case "session" if self.session is None or int(body["session"]) != self.session.number:
                played = self._played()
                self._begin(self._journal.session(record))
                return played
            case "hand-key":
                played = self._played()
                self._key = record
                return played
            case "disclosed":
                self._disclosed |= {int(alias): str(card) for alias, card in body["cards"].items()}
            case "entry":
                self._bytes += len(record.line)
                if self._bytes > MOST_BYTES:
                    raise RecoveryError(f"the hand that record {record.number} belongs to has no end")
                self._entries.append(entry_of(record, body))
            case _:
                pass
        return []

    def _begin(self, session: Session) -> None:
        self.session = session
        self._key = None
        self._table, self._answer = taken_up_by(session, self._open)

    def _played(self) -> list[PlayedEntry]:
        """Play the hand that is whole now."""
        session, entries, key, disclosed = self.session, self._entries, self._key, self._disclosed
        self._entries, self._disclosed, self._bytes = [], {}, 0
        if session is None or not entries:
            return []
        taken_up = None if session.kept is None else session.before + 1
        reader = reader_of(key, disclosed, entries)
        found: dict[int, PlayedEntry] = {}
        for entry, _, given, table in hand_again(reader, entries, (self._table, self._answer), self._open, taken_up):
            self._table, self._answer = table, given
            chairs = given.outcome.state.seating.chairs
            found[entry.sequence] = PlayedEntry(
                entry, json.loads(entry.line), given.outcome.state.number, given.error is not None, given.output(),
                {seat: chair.player for seat, chair in chairs.items() if chair.player},
                shown_down(given.outcome),
            )  # fmt: skip
        return list(found.values())
