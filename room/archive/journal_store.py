"""The journals of all tables in PostgreSQL. Each record fits to the one before it, or it is not there."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

import psycopg
from psycopg.rows import TupleRow

from controller.room_contract.batch import MAX_RECORD_NUMBER, Batch, BatchError, Head

MAX_ALARMS_PER_TABLE = 100
"""So many of a table are kept, the newest."""

MAX_NEW_JOURNALS_PER_WEEK = 12
"""Journals that a table may begin within a week: one begins with each new card."""

JOURNAL_NAME_LENGTH = 32
"""Of a journal's name, as tables make them."""

MAX_BYTES_PER_DAY = 1 << 30
"""Bytes of records that are taken of a table within a day. A table that is played at all day writes some 40 MB."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class BatchReceived:
    """What came on a table's subject; `fault` says why it is no batch at all."""

    table: str
    journal: str
    batch: Batch | None
    fault: str = ""


def parse_batch_message(table: str, identity: str, content: bytes) -> BatchReceived:
    """Read a message by its id, `<journal>:<first>-<last>`."""
    journal = identity.partition(":")[0]
    try:
        if not (journal.isascii() and journal.isalnum() and len(journal) <= 64):
            raise BatchError("the message names no journal.")
        batch = Batch.from_bytes(journal, content)
        if batch.identity != identity:
            raise BatchError("the message is another than its id says.")
        if not all(record.export_line.isascii() and record.export_line.isprintable() for record in batch.records):
            raise BatchError("a line has signs that no journal has.")
        if batch.records[-1].number >= MAX_RECORD_NUMBER:
            raise BatchError("no journal has as many records.")
    except BatchError as why:
        return BatchReceived(table, journal if journal.isalnum() and len(journal) <= 64 else "", None, str(why))
    return BatchReceived(table, journal, batch)


class JournalStore:
    """How far each journal is here, and who may go on with it. Used by one thread.

    What the database refuses or does not answer is a `ConnectionError`; nothing was taken then, and `load_heads` is
    due.
    """

    def __init__(self, connection: psycopg.Connection[TupleRow]) -> None:
        self._db = connection
        self._head_by_journal: dict[str, tuple[str, Head]] = {}
        """Journal -> its table and how far it is."""
        self._newest_journal_by_table: dict[str, str] = {}
        """Table -> the journal that it began last."""
        self._stored_name_by_journal: dict[tuple[str, str], str] = {}
        """Table and its name for a journal -> what it is called here, where another table had that name before."""
        self.load_heads()

    def load_heads(self) -> None:
        """Read from the database how far everything is."""
        try:
            rows = self._db.execute(
                "SELECT table_name, journal, number, chain, why FROM head ORDER BY since"
            ).fetchall()
            namesakes = self._db.execute("SELECT table_name, journal, kept_as FROM namesake").fetchall()
        except psycopg.Error as why:
            raise _make_database_error(why) from why
        self._stored_name_by_journal = {(row[0], row[1]): row[2] for row in namesakes}
        self._head_by_journal = {row[1]: (row[0], Head(*row[1:])) for row in rows}
        self._newest_journal_by_table = {row[0]: row[1] for row in rows}

    def read_heads(self) -> Mapping[str, Head]:
        """How far the archive has the newest journal of each table."""
        return {
            table: self._restore_own_name(table, self._head_by_journal[journal][1])
            for table, journal in self._newest_journal_by_table.items()
        }

    def store_batches(self, messages: Sequence[BatchReceived]) -> Mapping[str, Head]:
        """Take what fits, in one commit; return what is to be said to each table that sent something."""
        told: dict[str, Head] = {}
        try:
            with self._db.transaction():
                for message in messages:
                    told[message.table] = self._restore_own_name(message.table, self._store_batch(message))
        except psycopg.Error as why:
            raise _make_database_error(why) from why
        return told

    def _store_batch(self, message: BatchReceived) -> Head:
        table, batch = message.table, message.batch
        journal = self._stored_name_by_journal.get((table, message.journal), message.journal)
        owner, head = self._head_by_journal.get(journal, ("", None))
        if owner != table:
            head = None
        if batch is None:
            return self._refuse_batch(table, journal, head, message.fault)
        if head is None:
            try:
                head = batch.find_starting_head()
            except BatchError as wrong:
                of = f"the journal is that of {owner}, and " if owner else ""
                return self._refuse_batch(table, journal, None, f"{of}nothing before it is here: {wrong}")
            if self._count_new_journals(table) >= MAX_NEW_JOURNALS_PER_WEEK:
                why = f"the table has begun {MAX_NEW_JOURNALS_PER_WEEK} journals within a week; more are not taken"
                self._raise_alarm(table, "", why)
                return Head(message.journal, reason=why)
            self._resolve_alarms(table, "")
            if owner:
                head = replace(head, journal=self._rename_namesake(table, message.journal, owner))
            self._db.execute(
                "INSERT INTO head (table_name, journal, number, chain) VALUES (%s, %s, %s, %s)",
                (table, head.journal, head.number, head.chain),
            )
            self._newest_journal_by_table[table] = head.journal
        if batch.records[-1].number <= head.number:
            return self._check_repeated_batch(table, head, batch)
        later = tuple(record for record in batch.records if record.number > head.number)
        batch = Batch(head.journal, later)
        if why := batch.find_mismatch(head):
            self._head_by_journal[head.journal] = (table, head)
            return self._refuse_batch(table, head.journal, head, why)
        return self._append_records(table, head, batch)

    def _rename_namesake(self, table: str, journal: str, owner: str) -> str:
        """Keep a journal under a name of its own where another table's has its name, and tell both; return that name.

        A journal's name is random and no secret: whoever sends it first may be neither its table nor the last to try.
        """
        kept = sha256(f"{owner}\0{table}\0{journal}".encode()).hexdigest()[:JOURNAL_NAME_LENGTH]
        self._db.execute("INSERT INTO namesake VALUES (%s, %s, %s)", (table, journal, kept))
        self._stored_name_by_journal[table, journal] = kept
        why = f"{table} and {owner} both send a journal {journal}; each is kept as its own table's"
        self._raise_alarm(table, journal, why)  # each under the name that is the other's here: no record mends it
        self._raise_alarm(owner, kept, why)
        log.error("%s", why)
        return kept

    def _restore_own_name(self, table: str, head: Head) -> Head:
        """What a table is told: under its own name for its journal."""
        names = (
            name for (of, name), kept in self._stored_name_by_journal.items() if of == table and kept == head.journal
        )
        return replace(head, journal=next(names, head.journal))

    def _count_new_journals(self, table: str) -> int:
        row = self._db.execute(
            "SELECT count(*) FROM head WHERE table_name = %s AND since > now() - interval '7 days'", (table,)
        ).fetchone()
        return 0 if row is None else int(row[0])

    def _add_to_daily_bytes(self, table: str, more: int) -> int:
        """Bytes that a table has sent on this day, with what it sends now."""
        row = self._db.execute(
            "INSERT INTO taken VALUES (%s, current_date, %s) ON CONFLICT (table_name) DO UPDATE SET day = current_date,"
            " bytes = CASE taken.day WHEN current_date THEN taken.bytes ELSE 0 END + excluded.bytes RETURNING bytes",
            (table, more),
        ).fetchone()
        return 0 if row is None else int(row[0])

    def _append_records(self, table: str, head: Head, batch: Batch) -> Head:
        if (
            self._add_to_daily_bytes(table, sum(len(record.export_line) for record in batch.records))
            > MAX_BYTES_PER_DAY
        ):
            why = f"the table has sent {MAX_BYTES_PER_DAY >> 20} MB today; more is taken tomorrow"
            self._head_by_journal[head.journal] = (table, head)
            return self._refuse_batch(table, head.journal, head, why)
        with self._db.cursor() as cursor:
            with cursor.copy("COPY record (journal, number, line) FROM STDIN") as copy:
                for record in batch.records:
                    copy.write_row((batch.journal, record.number, record.export_line))
            last = batch.records[-1]
            cursor.execute(
                "UPDATE head SET number = %s, chain = %s, why = '' WHERE journal = %s AND number = %s",
                (last.number, last.chain, head.journal, head.number),
            )
            if cursor.rowcount != 1:
                raise psycopg.OperationalError("another archive writes here, too")
            if head.reason:
                self._resolve_alarms(table, head.journal)
        now = Head(head.journal, last.number, last.chain)
        self._head_by_journal[head.journal] = (table, now)
        return now

    def _check_repeated_batch(self, table: str, head: Head, batch: Batch) -> Head:
        """Look whether it is what is here; then there is nothing to do."""
        last = batch.records[-1]
        row = self._db.execute(
            "SELECT line FROM record WHERE journal = %s AND number = %s", (head.journal, last.number)
        ).fetchone()
        if row is not None and row[0] != last.export_line:
            return self._refuse_batch(
                table, head.journal, head, f"record {last.number} is another than the archive has"
            )
        return head

    def _refuse_batch(self, table: str, journal: str, head: Head | None, why: str) -> Head:
        self._raise_alarm(table, journal, why)
        if head is None:
            return Head(journal, reason=why)
        self._db.execute("UPDATE head SET why = %s WHERE journal = %s", (why, journal))
        refused = replace(head, reason=why)
        self._head_by_journal[journal] = (table, refused)
        return refused

    def _resolve_alarms(self, table: str, journal: str) -> None:
        self._db.execute(
            "UPDATE alarm SET mended = now() WHERE table_name = %s AND journal = %s AND mended IS NULL",
            (table, journal),
        )

    def _raise_alarm(self, table: str, journal: str, why: str) -> None:
        self._db.execute(
            "INSERT INTO alarm (table_name, journal, why) SELECT %(table)s, %(journal)s, %(why)s"
            " WHERE NOT EXISTS (SELECT FROM alarm WHERE table_name = %(table)s AND journal = %(journal)s"
            " AND why = %(why)s AND mended IS NULL)",
            {"table": table, "journal": journal, "why": why},
        )
        self._db.execute(
            "DELETE FROM alarm WHERE table_name = %(table)s AND id <="
            " (SELECT id FROM alarm WHERE table_name = %(table)s ORDER BY id DESC OFFSET %(most)s LIMIT 1)",
            {"table": table, "most": MAX_ALARMS_PER_TABLE},
        )


def _make_database_error(why: psycopg.Error) -> ConnectionError:
    return ConnectionError(f"the room's database does not take it ({type(why).__name__}: {str(why).strip()[:200]})")
