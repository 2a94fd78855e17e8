"""The journals of all tables in PostgreSQL. Each record fits to the one before it, or it is not there."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

import psycopg
from psycopg.rows import TupleRow

from room.contract.batch import HIGHEST_RECORD, BadBatch, Batch, Head

MOST_ALARMS = 100
"""So many of a table are kept, the newest."""

MOST_BEGUN = 12
"""Journals that a table may begin within a week: one begins with each new card."""

NAME_DIGITS = 32
"""Of a journal's name, as tables make them."""

MOST_A_DAY = 1 << 30
"""Bytes of records that are taken of a table within a day. A table that is played at all day writes some 40 MB."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Arrived:
    """What came on a table's subject; `wrong` says why it is no batch at all."""

    table: str
    journal: str
    batch: Batch | None
    wrong: str = ""


def arrived(table: str, identity: str, content: bytes) -> Arrived:
    """Read a message by its id, `<journal>:<first>-<last>`."""
    journal = identity.partition(":")[0]
    try:
        if not (journal.isascii() and journal.isalnum() and len(journal) <= 64):
            raise BadBatch("the message names no journal.")
        batch = Batch.read(journal, content)
        if batch.identity != identity:
            raise BadBatch("the message is another than its id says.")
        if not all(record.line.isascii() and record.line.isprintable() for record in batch.records):
            raise BadBatch("a line has signs that no journal has.")
        if batch.records[-1].number >= HIGHEST_RECORD:
            raise BadBatch("no journal has as many records.")
    except BadBatch as why:
        return Arrived(table, journal if journal.isalnum() and len(journal) <= 64 else "", None, str(why))
    return Arrived(table, journal, batch)


class Journals:
    """How far each journal is here, and who may go on with it. Used by one thread.

    What the database refuses or does not answer is a `ConnectionError`; nothing was taken then, and `load` is due.
    """

    def __init__(self, connection: psycopg.Connection[TupleRow]) -> None:
        self._db = connection
        self._heads: dict[str, tuple[str, Head]] = {}
        """Journal -> its table and how far it is."""
        self._newest: dict[str, str] = {}
        """Table -> the journal that it began last."""
        self._kept_as: dict[tuple[str, str], str] = {}
        """Table and its name for a journal -> what it is called here, where another table had that name before."""
        self.load()

    def load(self) -> None:
        """Read from the database how far everything is."""
        try:
            rows = self._db.execute(
                "SELECT table_name, journal, number, chain, why FROM head ORDER BY since"
            ).fetchall()
            namesakes = self._db.execute("SELECT table_name, journal, kept_as FROM namesake").fetchall()
        except psycopg.Error as why:
            raise _away(why) from why
        self._kept_as = {(row[0], row[1]): row[2] for row in namesakes}
        self._heads = {row[1]: (row[0], Head(*row[1:])) for row in rows}
        self._newest = {row[0]: row[1] for row in rows}

    def heads(self) -> Mapping[str, Head]:
        """How far the archive has the newest journal of each table."""
        return {table: self._told(table, self._heads[journal][1]) for table, journal in self._newest.items()}

    def take(self, messages: Sequence[Arrived]) -> Mapping[str, Head]:
        """Take what fits, in one commit; return what is to be said to each table that sent something."""
        told: dict[str, Head] = {}
        try:
            with self._db.transaction():
                for message in messages:
                    told[message.table] = self._told(message.table, self._take(message))
        except psycopg.Error as why:
            raise _away(why) from why
        return told

    def _take(self, message: Arrived) -> Head:
        table, batch = message.table, message.batch
        journal = self._kept_as.get((table, message.journal), message.journal)
        owner, head = self._heads.get(journal, ("", None))
        if owner != table:
            head = None
        if batch is None:
            return self._refuse(table, journal, head, message.wrong)
        if head is None:
            try:
                head = batch.origin()
            except BadBatch as wrong:
                of = f"the journal is that of {owner}, and " if owner else ""
                return self._refuse(table, journal, None, f"{of}nothing before it is here: {wrong}")
            if self._begun(table) >= MOST_BEGUN:
                why = f"the table has begun {MOST_BEGUN} journals within a week; more are not taken"
                self._alarm(table, "", why)
                return Head(message.journal, why=why)
            self._mended(table, "")
            if owner:
                head = replace(head, journal=self._namesake(table, message.journal, owner))
            self._db.execute(
                "INSERT INTO head (table_name, journal, number, chain) VALUES (%s, %s, %s, %s)",
                (table, head.journal, head.number, head.chain),
            )
            self._newest[table] = head.journal
        if batch.records[-1].number <= head.number:
            return self._come_again(table, head, batch)
        later = tuple(record for record in batch.records if record.number > head.number)
        batch = Batch(head.journal, later)
        if why := batch.fits(head):
            self._heads[head.journal] = (table, head)
            return self._refuse(table, head.journal, head, why)
        return self._keep(table, head, batch)

    def _namesake(self, table: str, journal: str, owner: str) -> str:
        """Keep a journal under a name of its own where another table's has its name, and tell both; return that name.

        A journal's name is random and no secret: whoever sends it first may be neither its table nor the last to try.
        """
        kept = sha256(f"{owner}\0{table}\0{journal}".encode()).hexdigest()[:NAME_DIGITS]
        self._db.execute("INSERT INTO namesake VALUES (%s, %s, %s)", (table, journal, kept))
        self._kept_as[table, journal] = kept
        why = f"{table} and {owner} both send a journal {journal}; each is kept as its own table's"
        self._alarm(table, journal, why)  # each under the name that is the other's here: no record mends it
        self._alarm(owner, kept, why)
        log.error("%s", why)
        return kept

    def _told(self, table: str, head: Head) -> Head:
        """What a table is told: under its own name for its journal."""
        names = (name for (of, name), kept in self._kept_as.items() if of == table and kept == head.journal)
        return replace(head, journal=next(names, head.journal))

    def _begun(self, table: str) -> int:
        row = self._db.execute(
            "SELECT count(*) FROM head WHERE table_name = %s AND since > now() - interval '7 days'", (table,)
        ).fetchone()
        return 0 if row is None else int(row[0])

    def _taken(self, table: str, more: int) -> int:
        """Bytes that a table has sent on this day, with what it sends now."""
        row = self._db.execute(
            "INSERT INTO taken VALUES (%s, current_date, %s) ON CONFLICT (table_name) DO UPDATE SET day = current_date,"
            " bytes = CASE taken.day WHEN current_date THEN taken.bytes ELSE 0 END + excluded.bytes RETURNING bytes",
            (table, more),
        ).fetchone()
        return 0 if row is None else int(row[0])

    def _keep(self, table: str, head: Head, batch: Batch) -> Head:
        if self._taken(table, sum(len(record.line) for record in batch.records)) > MOST_A_DAY:
            why = f"the table has sent {MOST_A_DAY >> 20} MB today; more is taken tomorrow"
            self._heads[head.journal] = (table, head)
            return self._refuse(table, head.journal, head, why)
        with self._db.cursor() as cursor:
            with cursor.copy("COPY record (journal, number, line) FROM STDIN") as copy:
                for record in batch.records:
                    copy.write_row((batch.journal, record.number, record.line))
            last = batch.records[-1]
            cursor.execute(
                "UPDATE head SET number = %s, chain = %s, why = '' WHERE journal = %s AND number = %s",
                (last.number, last.chain, head.journal, head.number),
            )
            if cursor.rowcount != 1:
                raise psycopg.OperationalError("another archive writes here, too")
            if head.why:
                self._mended(table, head.journal)
        now = Head(head.journal, last.number, last.chain)
        self._heads[head.journal] = (table, now)
        return now

    def _come_again(self, table: str, head: Head, batch: Batch) -> Head:
        """Look whether it is what is here; then there is nothing to do."""
        last = batch.records[-1]
        row = self._db.execute(
            "SELECT line FROM record WHERE journal = %s AND number = %s", (head.journal, last.number)
        ).fetchone()
        if row is not None and row[0] != last.line:
            return self._refuse(table, head.journal, head, f"record {last.number} is another than the archive has")
        return head

    def _refuse(self, table: str, journal: str, head: Head | None, why: str) -> Head:
        self._alarm(table, journal, why)
        if head is None:
            return Head(journal, why=why)
        self._db.execute("UPDATE head SET why = %s WHERE journal = %s", (why, journal))
        refused = replace(head, why=why)
        self._heads[journal] = (table, refused)
        return refused

    def _mended(self, table: str, journal: str) -> None:
        self._db.execute(
            "UPDATE alarm SET mended = now() WHERE table_name = %s AND journal = %s AND mended IS NULL",
            (table, journal),
        )

    def _alarm(self, table: str, journal: str, why: str) -> None:
        self._db.execute(
            "INSERT INTO alarm (table_name, journal, why) SELECT %(table)s, %(journal)s, %(why)s"
            " WHERE NOT EXISTS (SELECT FROM alarm WHERE table_name = %(table)s AND journal = %(journal)s"
            " AND why = %(why)s AND mended IS NULL)",
            {"table": table, "journal": journal, "why": why},
        )
        self._db.execute(
            "DELETE FROM alarm WHERE table_name = %(table)s AND id <="
            " (SELECT id FROM alarm WHERE table_name = %(table)s ORDER BY id DESC OFFSET %(most)s LIMIT 1)",
            {"table": table, "most": MOST_ALARMS},
        )


def _away(why: psycopg.Error) -> ConnectionError:
    return ConnectionError(f"the room's database does not take it ({type(why).__name__}: {str(why).strip()[:200]})")
