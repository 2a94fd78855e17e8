"""A batch of journal records on its way to the archive: JSON lines exactly as exported, one batch in flight a table.

No broker's acknowledgement is believed. What counts is the archive's `Head`, written after its database has committed;
a table sends on from there, so that a batch may come twice, late or not at all and nothing is lost or doubled.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

from controller.runtime.journal.proof.chain import (
    ORIGIN,
    BadRecordError,
    JournalRecord,
    compute_chain,
    parse_export_line,
)
from controller.strict_json import parse_json

BATCH_HEADER = "Room-Batch"
"""The header with a batch's identity. Not `Nats-Msg-Id`: by that a server drops what another table said first."""

MAX_BATCH_RECORDS = 100
MAX_BATCH_BYTES = 256 * 1024
"""A record that is larger by itself goes alone (`docs/journal.md` bounds it by the longest line)."""


MAX_RECORD_NUMBER = 1 << 62
"""No journal has as many records."""

MAX_REASON_LENGTH = 500
"""Signs of what is wrong, as a table hears it."""

CHAIN_PATTERN = re.compile(r"[0-9a-f]{64}")


class BatchError(ValueError):
    """A batch that cannot be what a table sent; the message says why and names no content."""


@dataclass(frozen=True, slots=True)
class Head:
    """How far the archive has a journal: `journal` is its random name, `number` and `chain` those of its last record.

    `reason` says what is wrong with what came after it; empty where nothing is.
    """

    journal: str
    number: int = 0
    chain: str = ORIGIN
    reason: str = ""

    def to_json(self) -> bytes:
        """Write it as JSON."""
        body = {"journal": self.journal, "number": self.number, "chain": self.chain, "why": self.reason}
        return json.dumps(body, separators=(",", ":")).encode()

    @classmethod
    def from_json(cls, text: bytes) -> Self:
        """Read what `to_json` wrote; raises `BatchError`."""
        try:
            body = parse_json(text)
            number = int(body["number"])
            if not 0 <= number < MAX_RECORD_NUMBER:
                raise ValueError
            reason = str(body.get("why", ""))[:MAX_REASON_LENGTH]
            printable = "".join(sign if sign.isprintable() else " " for sign in reason)  # it stands in a log
            return cls(str(body["journal"]), number, str(body["chain"]), printable)
        except (ValueError, TypeError, KeyError, OverflowError, RecursionError) as why:
            raise BatchError("the archive's head is no JSON object of journal, number and chain.") from why


@dataclass(frozen=True, slots=True)
class Batch:
    """Records of one journal in a row. `journal`: the table's random name for it, which a new card changes."""

    journal: str
    records: tuple[JournalRecord, ...]

    @property
    def identity(self) -> str:
        """Which records it is, as `<journal>:<first>-<last>`."""
        return f"{self.journal}:{self.records[0].number}-{self.records[-1].number}"

    def to_bytes(self) -> bytes:
        """Write it as the export has it, a line a record."""
        return "".join(f"{record.export_line}\n" for record in self.records).encode()

    @classmethod
    def from_bytes(cls, journal: str, lines: bytes) -> Self:
        """Read a batch whose numbers are in a row and whose chains fit; raises `BatchError`."""
        try:
            text = lines.decode("ascii")  # as every export is (docs/journal.md)
            records = [parse_export_line(line, place) for place, line in enumerate(text.splitlines(), 1)]
        except (BadRecordError, ValueError) as why:  # a number of thousands of digits is none, either
            raise BatchError(f"a line of the batch is no record ({type(why).__name__}).") from why
        if not records or "\0" in text:
            raise BatchError("the batch is empty, or holds what no record does.")
        for before, record in pairwise(records):
            if record.number != before.number + 1 or record.chain != compute_chain(record, before.chain):
                raise BatchError(f"record {record.number} does not follow on record {before.number}.")
        return cls(journal, tuple(records))

    def find_starting_head(self) -> Head:
        """The head that a journal's first batch goes on from; raises `BatchError` where it cannot be the first.

        Its first record is the `file` that names this journal; what was before it may have been moved away.
        """
        first = self.records[0]
        try:
            body = first.parse_body() if first.kind == "file" else {}
            before = body.get("previous") or {"number": 0, "chain": ORIGIN}
            head = Head(str(body.get("table", "")), before["number"], before["chain"])
            says = type(head.number) is int and CHAIN_PATTERN.fullmatch(head.chain) is not None
        except (BadRecordError, ValueError, TypeError, KeyError, AttributeError) as why:
            raise BatchError(f"record {first.number} does not say which journal begins there.") from why
        if not says:
            raise BatchError(f"record {first.number} does not say which journal begins there.")
        if head.journal != self.journal:
            raise BatchError(f"no file of the journal {self.journal} begins with record {first.number}.")
        if why_not := self.find_mismatch(head):
            raise BatchError(f"{why_not}.")
        return head

    def find_mismatch(self, head: Head) -> str:
        """Say why it does not go on from `head`; empty where it does."""
        first = self.records[0]
        if self.journal != head.journal:
            return "it is of another journal"
        if first.number != head.number + 1:
            return f"it begins with record {first.number} where {head.number + 1} is next"
        if first.chain != compute_chain(first, head.chain):
            return f"record {first.number} does not follow on what the archive has"
        return ""


def split_into_batches(journal: str, records: Iterable[JournalRecord]) -> Sequence[Batch]:
    """Cut records into batches, each as large as it may be."""
    found: list[Batch] = []
    taken: list[JournalRecord] = []
    size = 0
    for record in records:
        length = len(record.export_line.encode()) + 1
        if taken and (len(taken) == MAX_BATCH_RECORDS or size + length > MAX_BATCH_BYTES):
            found.append(Batch(journal, tuple(taken)))
            taken, size = [], 0
        taken.append(record)
        size += length
    return [*found, Batch(journal, tuple(taken))] if taken else found
