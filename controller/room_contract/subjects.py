"""The subjects of NATS on which tables and room speak. Each table may use its own and no other.

A table's name in the room is one token of a subject: small letters, digits and dashes, as in its host name.
"""

import re
from enum import Enum, unique
from typing import Final

JOURNAL_STREAM: Final = "JOURNALS"
"""The JetStream stream that carries `room.*.journal`."""

STATE_BUCKET: Final = "state"
"""The bucket of the last state of each table."""

TABLE_NAME_PATTERN: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")

RESERVED_NAMES: Final = frozenset({"archive", "server", "mqtt", "do"})
"""Names of the room itself, by which its programs are known and its subjects begin: no table has one of them."""


@unique
class TableTopic(Enum):
    """What a table tells its room."""

    JOURNAL = "journal"
    STATE = "state"
    HEALTH = "health"
    CALL = "call"
    HEAD_REQUEST = "asks"
    """Asks how far the archive has its journal, which answers on `make_head_subject`, whatever a message names."""


class TableNameError(ValueError):
    """A name that no table can have; the message says what would be right."""


def require_table_name(table: str) -> str:
    """Return the name of a table, if it can be one; raises `TableNameError`."""
    if not TABLE_NAME_PATTERN.fullmatch(table):
        raise TableNameError(
            f"{table!r} names no table; want small letters, digits and dashes, 40 at most, as in table-07."
        )
    if table in RESERVED_NAMES:
        raise TableNameError(f"{table!r} is a name of the room's own; a table may have any other, such as table-07.")
    return table


def make_topic_subject(table: str, what: TableTopic) -> str:
    """Name the subject on which a table tells something."""
    return f"room.{require_table_name(table)}.{what.value}"


def make_wildcard_subject(what: TableTopic) -> str:
    """Name the subjects on which all tables tell something."""
    return f"room.*.{what.value}"


def make_head_subject(table: str) -> str:
    """Name the subject on which the archive says how far it has a table's journal: a `Head` in JSON."""
    return f"room.archive.{require_table_name(table)}.head"


def make_request_subject(table: str, verb: str) -> str:
    """Name the subject on which the room asks a table to do something, and gets an answer."""
    return f"room.do.{require_table_name(table)}.{verb}"


def parse_table_name(subject: str) -> str:
    """Find whose subject it is; raises `TableNameError`."""
    match subject.split("."):
        case ["room", "do" | "archive", table, _] | ["room", table, _]:
            return require_table_name(table)
        case _:
            raise TableNameError(f"{subject!r} is no subject of a table.")
