"""A table's journal out of the archive, byte for byte as `tablectl journal export` gives it at the table."""

from collections.abc import Iterator

import psycopg
from psycopg.rows import TupleRow

from controller.runtime.journal.proof.chain import ExportEnd, parse_export_line

ROWS_PER_FETCH = 1000
"""So many are in memory at once."""


class JournalNotFoundError(Exception):
    """There is no such journal in the archive; the message says what there is."""


def find_newest_journal(connection: psycopg.Connection[TupleRow], table: str) -> str:
    """Name the newest journal of a table; raises `JournalNotFoundError`."""
    row = connection.execute(
        "SELECT journal FROM head WHERE table_name = %s ORDER BY since DESC LIMIT 1", (table,)
    ).fetchone()
    if row is None:
        tables = [name for (name,) in connection.execute("SELECT DISTINCT table_name FROM head ORDER BY 1 LIMIT 20")]
        raise JournalNotFoundError(
            f"the archive has no journal of {table!r}; it has {', '.join(tables) or 'none at all'}"
        )
    return str(row[0])


def iter_export_lines(connection: psycopg.Connection[TupleRow], journal: str, *, signed: bool = False) -> Iterator[str]:
    """Yield the lines of an export, with their ends.

    The last line says how far it goes. The room has no table's key, so that it is not signed; with `signed` the export
    ends where the table signed last, and has that signature: `tablectl journal verify` proves it with its end.
    """
    upto, end = None, None
    if signed:
        row = connection.execute(
            'SELECT line FROM record WHERE journal = %s AND strpos(line, \'"kind":"signed"\') BETWEEN 1 AND 40'
            " ORDER BY number DESC LIMIT 1",
            (journal,),
        ).fetchone()
        if row is None:
            raise JournalNotFoundError("the table has not signed anything of it yet; it does at the end of each hand")
        record = parse_export_line(row[0], 0)
        body = record.parse_body()
        end = ExportEnd(int(body["upto"]), str(body["chain"]), str(body["signature"]))
        upto = end.number
    last = None
    with connection.transaction(), connection.cursor("export") as cursor:
        cursor.itersize = ROWS_PER_FETCH
        cursor.execute(
            "SELECT line FROM record WHERE journal = %s AND number <= coalesce(%s, number) ORDER BY number",
            (journal, upto),
        )
        for (line,) in cursor:
            last = line
            yield f"{line}\n"
    if end is None and last is not None:
        record = parse_export_line(last, 0)
        end = ExportEnd(record.number, record.chain, None)
    if end is not None:
        yield f"{end.export_line}\n"
