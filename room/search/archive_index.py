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

from config.table_line import parse_table_line
from controller.records.drop import RestingDrop
from controller.records.drop_box import DropBox
from controller.runtime.journal.proof.chain import parse_export_line
from controller.runtime.journal.recovery.journal_follower import JournalFollower
from controller.runtime.journal.recovery.journal_replay import RecoveryError
from controller.runtime.journal.recovery.snapshot import is_of_this_form
from room.record.postgres_record import make_tables
from room.search.drop_index import parse_drop_box, write_boxes, write_drop
from room.search.journal_facts import (
    DealerSignIn,
    HandFact,
    RulingFact,
    Seating,
    TabledHand,
    find_hands_and_rulings,
    find_tabled_hands,
    parse_dealer_sign_in,
    update_seating,
)

INDEX_SCHEMA = files("room.search").joinpath("index_schema.sql")

RECORDS_PER_READ = 500
"""So many records are in memory at once, of one journal."""

MAX_FOLLOWED_JOURNALS = 128
"""Tables that are followed at a time, some 0.5 MB each; one more, and that which rested longest begins anew."""

POLL_INTERVAL_S = 1.0

ENDING_KINDS = ("signed", "hand-key", "session")
"""Records after which a hand is over, and not whole before the next one; or whole."""

log = logging.getLogger(__name__)


@dataclass(slots=True)
class _FollowedJournal:
    follower: JournalFollower
    session_record_number: int
    last_number: int
    seating: Seating
    indexed_number: int = 0
    """How far the index has known it before: what hands gave up to there is told, and stands as it is."""
    is_hand_over: bool = False
    """Whether a hand has ended since the last one was whole."""


@dataclass(slots=True)
class _FoundFacts:
    """What some records of one journal came to; hands and rulings with their sessions."""

    hands: list[tuple[int, HandFact]] = field(default_factory=list)
    rulings: list[tuple[int, RulingFact]] = field(default_factory=list)
    tabled_hands: list[tuple[int, TabledHand]] = field(default_factory=list)
    sign_ins: list[DealerSignIn] = field(default_factory=list)
    drops: list[RestingDrop] = field(default_factory=list)
    boxes: list[tuple[int, DropBox]] = field(default_factory=list)
    """Counted boxes, each with the number of its record."""
    seating: Seating | None = None
    """`None`: as before."""


class ArchiveIndex:
    """The index of one room's archive, in its database. What the database refuses is a `ConnectionError`."""

    def __init__(self, connection: psycopg.Connection[TupleRow]) -> None:
        self._db = connection
        self._followed_by_journal: OrderedDict[str, _FollowedJournal] = OrderedDict()
        try:
            make_tables(connection, INDEX_SCHEMA.read_bytes())
        except psycopg.Error as why:
            raise _make_database_error(why) from why

    def index_new_records(self) -> int:
        """Take what has come since; return how many records that were."""
        try:
            due = self._db.execute(
                "SELECT h.table_name, h.journal, h.number FROM head h LEFT JOIN indexed i USING (journal)"
                " WHERE h.number > coalesce(i.number, 0) AND coalesce(i.why, '') = '' ORDER BY h.since"
            ).fetchall()
            return sum(self._index_journal(str(table), str(journal), int(upto)) for table, journal, upto in due)
        except psycopg.Error as why:
            self._followed_by_journal.clear()
            raise _make_database_error(why) from why

    def _index_journal(self, table: str, journal: str, upto: int) -> int:
        followed = self._followed_by_journal.pop(journal, None) or self._resume_journal(journal)
        self._followed_by_journal[journal] = followed
        while len(self._followed_by_journal) > MAX_FOLLOWED_JOURNALS:
            self._followed_by_journal.popitem(last=False)
        rows = self._db.execute(
            "SELECT number, line FROM record WHERE journal = %s AND number > %s ORDER BY number LIMIT %s",
            (journal, followed.last_number, RECORDS_PER_READ),
        ).fetchall()
        found = _FoundFacts()
        why = ""
        for number, line in rows:
            try:
                record = parse_export_line(line, 0)
                session, drop = followed.follower.session, followed.follower.drop
                played = followed.follower.receive_record(record)
                if played and session is not None:
                    of_hands, of_rulings = find_hands_and_rulings(session, played)
                    found.hands += [(session.number, hand) for hand in of_hands]
                    found.rulings += [(session.number, ruled) for ruled in of_rulings]
                    found.tabled_hands += [(session.number, tabled) for tabled in find_tabled_hands(session, played)]
                    found.seating = followed.seating = update_seating(followed.seating, played)
                    if number > followed.indexed_number:
                        found.drops.append(drop.read_at_rest())
                    drop.forget_old_rows()
                if (signed := parse_dealer_sign_in(record)) is not None:
                    found.sign_ins.append(signed)
                if (box := parse_drop_box(record)) is not None:
                    found.boxes.append((number, box))
                if record.kind == "session" and followed.follower.session != session:
                    followed.session_record_number = number
                if record.kind in ENDING_KINDS:
                    followed.is_hand_over = record.kind == "signed"
            except Exception as failure:  # whatever a journal holds, those of the other tables go on
                why = f"{type(failure).__name__} at record {number}"
                log.error("%s: its journal cannot be played again (%s); it is not searched in from there", table, why)
                break
            followed.last_number = number
        if not why and followed.is_hand_over and followed.last_number >= upto:
            found.drops += _preview_drop(followed)
        with self._db.transaction():
            try:
                with self._db.transaction():
                    self._write_facts(table, journal, found)
            except (psycopg.DataError, ValueError, OverflowError) as failure:
                why = f"{type(failure).__name__} up to record {followed.last_number}"
                log.error("%s: what its journal says cannot be kept (%s)", table, why)
            self._db.execute(
                "INSERT INTO indexed VALUES (%s, %s, %s, %s) ON CONFLICT (journal) DO UPDATE"
                " SET number = excluded.number, session_record = excluded.session_record, why = excluded.why",
                (journal, followed.last_number, followed.session_record_number, why),
            )
        return len(rows)

    def _resume_journal(self, journal: str) -> _FollowedJournal:
        """Begin with the session that was under way, or with one from which it goes on, where only that can be read."""
        row = self._db.execute("SELECT session_record, number FROM indexed WHERE journal = %s", (journal,)).fetchone()
        at, known = (0, 0) if row is None else (self._find_readable_session(journal, int(row[0])), int(row[1]))
        rows = self._db.execute("SELECT seat, player, since FROM seated WHERE journal = %s", (journal,)).fetchall()
        seated = {int(seat): (str(player), since.isoformat()) for seat, player, since in rows}
        return _FollowedJournal(JournalFollower(journal, parse_table_line), at, max(0, at - 1), seated, known)

    def _find_readable_session(self, journal: str, upto: int) -> int:
        """The record of the newest session up to record `upto` whose beginning this program can play."""
        lines = self._db.execute(
            "SELECT number, line FROM record WHERE journal = %s AND number <= %s"
            ' AND strpos(line, \'"kind":"session"\') BETWEEN 1 AND 40 ORDER BY number DESC',
            (journal, upto),
        )
        for number, line in lines:
            body = parse_export_line(line, 0).parse_body()
            kept = body.get("kept")
            if "continued" not in body and (kept is None or is_of_this_form(kept)):
                return int(number)
        return upto

    def _write_facts(self, table: str, journal: str, found: _FoundFacts) -> None:
        with self._db.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO hand VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING",
                [(journal, session, hand.number, table, hand.began_at, hand.ended_at, hand.game, list(hand.players),
                  list(hand.dealers), hand.refused_entry_count) for session, hand in found.hands],
            )  # fmt: skip
            cursor.executemany(
                "INSERT INTO ruling VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
                " ON CONFLICT DO NOTHING",
                [(journal, each.entry, each.position, session, each.hand, table, each.made_at, each.finding,
                each.verdict,
                  list(each.cites), each.text, each.seat, each.player, each.dealer, each.signer, each.search_text)
                 for session, each in found.rulings],
            )  # fmt: skip
            cursor.executemany(
                "INSERT INTO tabled (journal, session, hand, seat, table_name, at, game, player, own, board, pot,"
                " dealt) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING",
                [(journal, session, each.hand, each.seat, table, each.tabled_at, each.game, each.player,
                list(each.own_cards),
                  list(each.board), each.pot, each.dealt_in_count) for session, each in found.tabled_hands],
            )  # fmt: skip
            cursor.executemany(
                "INSERT INTO signed (journal, number, table_name, at, name, gone) VALUES (%s, %s, %s, %s, %s, %s)"
                " ON CONFLICT DO NOTHING",
                [
                    (journal, each.record_number, table, each.signed_at, each.name, each.is_sign_out)
                    for each in found.sign_ins
                ],
            )
            for drop in found.drops:
                write_drop(cursor, table, journal, drop)
            write_boxes(cursor, table, journal, found.boxes)
            if found.seating is not None:
                cursor.execute("DELETE FROM seated WHERE table_name = %s", (table,))
                cursor.executemany(
                    "INSERT INTO seated VALUES (%s, %s, %s, %s, %s)",
                    [(journal, seat, table, player, since) for seat, (player, since) in found.seating.items()],
                )


def _preview_drop(followed: _FollowedJournal) -> list[RestingDrop]:
    """What the hands gave up to the one that is over, though the next has not begun: a night's last hand counts too."""
    followed.is_hand_over = False
    try:
        return [followed.follower.preview_drop()]
    except RecoveryError as why:  # as little as it is known yet; it is told when the hand is whole
        log.info("what the hand up to record %d gave is not known yet (%s)", followed.last_number, why)
        return []


def keep_index_updated(open_database: Callable[[], psycopg.Connection[TupleRow]], ended: Callable[[], bool]) -> None:
    """Keep the index until it is ended; a database that is away is tried again."""
    index: ArchiveIndex | None = None
    while not ended():
        try:
            if index is None:
                index = ArchiveIndex(open_database())
                log.info("up: plays what the archive takes again, to be searched in")
            if index.index_new_records():
                continue
        except ConnectionError as why:
            log.warning("%s; tried again", why)
            index = None
        time.sleep(POLL_INTERVAL_S)


def _make_database_error(why: psycopg.Error) -> ConnectionError:
    return ConnectionError(f"the room's database does not answer ({type(why).__name__})")
