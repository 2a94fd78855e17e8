"""What the desk is told of the newest that tables have sent: who deals where, who sits where, which hands were tabled.

Read from what the index keeps, so that it is as new as what tables send: at level live a second, else at a hand's end.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import psycopg
from psycopg.rows import TupleRow

from controller.wall_clock import to_wall_time
from room.record.postgres_record import ReconnectingDatabase
from room.search.archive_index import INDEX_SCHEMA

MAX_ROWS = 500
"""Rows of one look."""


@dataclass(frozen=True, slots=True)
class DealerSignInRow:
    """A dealer who signed in at a table, or out (`is_sign_out`).

    `id`: to look on from, `record_number` of `journal`: which it is.
    """

    id: int
    journal: str
    record_number: int
    table: str
    signed_at: float
    name: str
    is_sign_out: bool


@dataclass(frozen=True, slots=True)
class TabledHandRow:
    """A hand that was tabled, as `journal_facts.TabledHand` has it; `id`: to look on from."""

    id: int
    journal: str
    session: int
    hand: int
    seat: int
    table: str
    tabled_at: float
    game: str
    player: str
    own_cards: tuple[str, ...]
    board: tuple[str, ...]
    pot: int
    dealt_in_count: int


class RecentFacts(Protocol):
    """What the tables' records came to. Used by any thread; what is not known now is an `OSError`."""

    def read_sign_ins(self, after: int, since: float) -> Sequence[DealerSignInRow]:
        """Dealers who signed in or out since a moment, with an `id` over `after`, by `id`."""
        ...

    def read_tabled_hands(self, after: int, since: float) -> Sequence[TabledHandRow]:
        """Hands that were tabled since a moment, with an `id` over `after`, by `id`."""
        ...

    def read_seating(self) -> Mapping[str, Mapping[int, tuple[str, float]]]:
        """Table -> seat -> who sits there, and since when (Unix seconds)."""
        ...

    def count_hands_by_dealer(self, since: float) -> Mapping[str, int]:
        """Dealer -> hands that have ended since a moment."""
        ...


class NoRecentFacts:
    """A room whose tables have sent nothing."""

    def read_sign_ins(self, after: int, since: float) -> Sequence[DealerSignInRow]:  # noqa: ARG002 - there is none
        """None."""
        return ()

    def read_tabled_hands(self, after: int, since: float) -> Sequence[TabledHandRow]:  # noqa: ARG002 - there is none
        """None."""
        return ()

    def read_seating(self) -> Mapping[str, Mapping[int, tuple[str, float]]]:
        """Nobody."""
        return {}

    def count_hands_by_dealer(self, since: float) -> Mapping[str, int]:  # noqa: ARG002 - there is none
        """Nobody."""
        return {}


class IndexedFacts:
    """What the index keeps, in its database, which is opened when it is wanted and anew after it was lost."""

    def __init__(self, where: str) -> None:
        self._database = ReconnectingDatabase(where, INDEX_SCHEMA.read_bytes())

    def close(self) -> None:
        """Let the database go."""
        self._database.close()

    def read_sign_ins(self, after: int, since: float) -> Sequence[DealerSignInRow]:
        """Dealers who signed in or out since a moment, with an `id` over `after`, by `id`."""
        rows = self._fetch_rows_after(
            "SELECT id, journal, number, table_name, extract(epoch FROM at)::float8, name, gone FROM signed"
            " WHERE id > %(after)s AND at >= %(since)s ORDER BY id LIMIT %(most)s", "signed", after, since,
        )  # fmt: skip
        return [DealerSignInRow(*row) for row in rows]

    def read_tabled_hands(self, after: int, since: float) -> Sequence[TabledHandRow]:
        """Hands that were tabled since a moment, with an `id` over `after`, by `id`."""
        rows = self._fetch_rows_after(
            "SELECT id, journal, session, hand, seat, table_name, extract(epoch FROM at)::float8, game, player, own,"
            " board, pot, dealt FROM tabled WHERE id > %(after)s AND at >= %(since)s ORDER BY id LIMIT %(most)s",
            "tabled", after, since,
        )  # fmt: skip
        return [
            TabledHandRow(
                id_, journal, session, hand, seat, table, at, game, player, tuple(own), tuple(board), pot, dealt
            )
            for id_, journal, session, hand, seat, table, at, game, player, own, board, pot, dealt in rows
        ]

    def read_seating(self) -> Mapping[str, Mapping[int, tuple[str, float]]]:
        """Table -> seat -> who sits there, and since when (Unix seconds)."""
        found: dict[str, dict[int, tuple[str, float]]] = {}
        for table, seat, player, since in self._database.run(lambda db: db.execute(
            "SELECT table_name, seat, player, extract(epoch FROM since)::float8 FROM seated ORDER BY table_name, seat"
        ).fetchall()):  # fmt: skip
            found.setdefault(table, {})[seat] = (player, since)
        return found

    def count_hands_by_dealer(self, since: float) -> Mapping[str, int]:
        """Dealer -> hands that have ended since a moment."""
        return dict(self._database.run(lambda db: db.execute(
            "SELECT unnest(dealers), count(*) FROM hand WHERE ended >= %s GROUP BY 1 ORDER BY 2 DESC LIMIT %s",
            (to_wall_time(since), MAX_ROWS),
        ).fetchall()))  # fmt: skip

    def _fetch_rows_after(self, query: str, table: str, after: int, since: float) -> list[tuple[Any, ...]]:
        """Ask for what came after `after`; an index that was made again since has begun to count anew."""

        def ask(db: psycopg.Connection[TupleRow]) -> list[tuple[Any, ...]]:
            newest = db.execute(f"SELECT coalesce(max(id), 0) FROM {table}".encode()).fetchone()
            begin = after if newest is not None and newest[0] >= after else 0
            values = {"after": begin, "since": to_wall_time(since), "most": MAX_ROWS}
            return db.execute(query.encode(), values).fetchall()

        return self._database.run(ask)
