"""Keeps what is searched beside the archive: a process of its own, which plays the journals again as they come.

It writes nothing that the archive has not; after a loss it plays again from the beginning of each table's session. A
journal that this program cannot play is left where it stands, and the index says why.
"""

import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.resources import files

import psycopg
from psycopg.rows import TupleRow

from config.setup import open_table
from controller.runtime.journal.proof.chain import read_line
from controller.runtime.journal.recovery.following import Following
from room.record.in_postgres import make_tables
from room.search.facts import Hand, Ruled, Seated, Signed, Tabled, facts_of, seated_after, signed_in, tabled_in

SCHEMA = files("room.search").joinpath("schema.sql")

ROWS = 500
"""So many records are in memory at once, of one journal."""

MOST_FOLLOWED = 128
"""Tables that are followed at a time, some 0.5 MB each; one more, and that which rested longest begins anew."""

PAUSE_SECONDS = 1.0

log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Followed:
    following: Following
    session_record: int
    number: int
    seated: Seated


@dataclass(slots=True)
class _Found:
    """What some records of one journal came to; hands and rulings with their sessions."""

    hands: list[tuple[int, Hand]] = field(default_factory=list)
    rulings: list[tuple[int, Ruled]] = field(default_factory=list)
    tabled: list[tuple[int, Tabled]] = field(default_factory=list)
    signed: list[Signed] = field(default_factory=list)
    seated: Seated | None = None
    """`None`: as before."""


class Index:
    """The index of one room's archive, in its database. What the database refuses is a `ConnectionError`."""

    def __init__(self, connection: psycopg.Connection[TupleRow]) -> None:
        self._db = connection
        self._followed: OrderedDict[str, _Followed] = OrderedDict()
        try:
            make_tables(connection, SCHEMA.read_bytes())
        except psycopg.Error as why:
            raise _away(why) from why

    def turn(self) -> int:
        """Take what has come since; return how many records that were."""
        try:
            due = self._db.execute(
                "SELECT h.table_name, h.journal FROM head h LEFT JOIN indexed i USING (journal)"
                " WHERE h.number > coalesce(i.number, 0) AND coalesce(i.why, '') = '' ORDER BY h.since"
            ).fetchall()
            return sum(self._take(str(table), str(journal)) for table, journal in due)
        except psycopg.Error as why:
            self._followed.clear()
            raise _away(why) from why

    def _take(self, table: str, journal: str) -> int:
        followed = self._followed.pop(journal, None) or self._begun(journal)
        self._followed[journal] = followed
        while len(self._followed) > MOST_FOLLOWED:
            self._followed.popitem(last=False)
        rows = self._db.execute(
            "SELECT number, line FROM record WHERE journal = %s AND number > %s ORDER BY number LIMIT %s",
            (journal, followed.number, ROWS),
        ).fetchall()
        found = _Found()
        why = ""
        for number, line in rows:
            try:
                record = read_line(line, 0)
                session = followed.following.session
                played = followed.following.take(record)
                if played and session is not None:
                    of_hands, of_rulings = facts_of(session, played)
                    found.hands += [(session.number, hand) for hand in of_hands]
                    found.rulings += [(session.number, ruled) for ruled in of_rulings]
                    found.tabled += [(session.number, tabled) for tabled in tabled_in(session, played)]
                    found.seated = followed.seated = seated_after(followed.seated, played)
                if (signed := signed_in(record)) is not None:
                    found.signed.append(signed)
                if record.kind == "session" and followed.following.session != session:
                    followed.session_record = number
            except Exception as failure:  # whatever a journal holds, those of the other tables go on
                why = f"{type(failure).__name__} at record {number}"
                log.error("%s: its journal cannot be played again (%s); it is not searched in from there", table, why)
                break
            followed.number = number
        with self._db.transaction():
            try:
                with self._db.transaction():
                    self._write(table, journal, found)
            except (psycopg.DataError, ValueError, OverflowError) as failure:
                why = f"{type(failure).__name__} up to record {followed.number}"
                log.error("%s: what its journal says cannot be kept (%s)", table, why)
            self._db.execute(
                "INSERT INTO indexed VALUES (%s, %s, %s, %s) ON CONFLICT (journal) DO UPDATE"
                " SET number = excluded.number, session_record = excluded.session_record, why = excluded.why",
                (journal, followed.number, followed.session_record, why),
            )
        return len(rows)

    def _begun(self, journal: str) -> _Followed:
        """Begin with the session that was under way."""
        row = self._db.execute("SELECT session_record FROM indexed WHERE journal = %s", (journal,)).fetchone()
        at = 0 if row is None else int(row[0])
        rows = self._db.execute("SELECT seat, player, since FROM seated WHERE journal = %s", (journal,)).fetchall()
        seated = {int(seat): (str(player), since.isoformat()) for seat, player, since in rows}
        return _Followed(Following(journal, open_table), at, max(0, at - 1), seated)

    def _write(self, table: str, journal: str, found: _Found) -> None:
        with self._db.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO hand VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING",
                [(journal, session, hand.number, table, hand.began, hand.ended, hand.game, list(hand.players),
                  list(hand.dealers), hand.refused) for session, hand in found.hands],
            )  # fmt: skip
            cursor.executemany(
                "INSERT INTO ruling VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
                " ON CONFLICT DO NOTHING",
                [(journal, each.entry, each.place, session, each.hand, table, each.at, each.finding, each.verdict,
                  list(each.cites), each.text, each.seat, each.player, each.dealer, each.by, each.words)
                 for session, each in found.rulings],
            )  # fmt: skip
            cursor.executemany(
                "INSERT INTO tabled (journal, session, hand, seat, table_name, at, game, player, own, board, pot,"
                " dealt) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING",
                [(journal, session, each.hand, each.seat, table, each.at, each.game, each.player, list(each.own),
                  list(each.board), each.pot, each.dealt) for session, each in found.tabled],
            )  # fmt: skip
            cursor.executemany(
                "INSERT INTO signed (journal, number, table_name, at, name, gone) VALUES (%s, %s, %s, %s, %s, %s)"
                " ON CONFLICT DO NOTHING",
                [(journal, each.number, table, each.at, each.name, each.gone) for each in found.signed],
            )
            if found.seated is not None:
                cursor.execute("DELETE FROM seated WHERE table_name = %s", (table,))
                cursor.executemany(
                    "INSERT INTO seated VALUES (%s, %s, %s, %s, %s)",
                    [(journal, seat, table, player, since) for seat, (player, since) in found.seated.items()],
                )


def keep(open_database: Callable[[], psycopg.Connection[TupleRow]], ended: Callable[[], bool]) -> None:
    """Keep the index until it is ended; a database that is away is tried again."""
    index: Index | None = None
    while not ended():
        try:
            if index is None:
                index = Index(open_database())
                log.info("up: plays what the archive takes again, to be searched in")
            if index.turn():
                continue
        except ConnectionError as why:
            log.warning("%s; tried again", why)
            index = None
        time.sleep(PAUSE_SECONDS)


def _away(why: psycopg.Error) -> ConnectionError:
    return ConnectionError(f"the room's database does not answer ({type(why).__name__})")
