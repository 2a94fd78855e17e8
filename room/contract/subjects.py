"""The subjects of NATS on which tables and room speak. Each table may use its own and no other.

A table's name in the room is one token of a subject: small letters, digits and dashes, as in its host name.
"""

import re
from enum import Enum, unique
from typing import Final

STREAM: Final = "JOURNALS"
"""The JetStream stream that carries `room.*.journal`."""

STATES: Final = "state"
"""The bucket of the last standing of each table."""

NAME: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")

TAKEN: Final = frozenset({"archive", "server", "mqtt", "do"})
"""Names of the room itself, by which its programs are known and its subjects begin: no table has one of them."""


@unique
class Told(Enum):
    """What a table tells its room."""

    JOURNAL = "journal"
    STATE = "state"
    HEALTH = "health"
    CALL = "call"
    ASKS = "asks"
    """Asks how far the archive has its journal, which answers on `archived`, whatever reply a message names."""


class BadName(ValueError):
    """A name that no table can have; the message says what would be right."""


def checked(table: str) -> str:
    """Return the name of a table, if it can be one; raises `BadName`."""
    if not NAME.fullmatch(table):
        raise BadName(f"{table!r} names no table; want small letters, digits and dashes, 40 at most, as in table-07.")
    if table in TAKEN:
        raise BadName(f"{table!r} is a name of the room's own; a table may have any other, such as table-07.")
    return table


def told(table: str, what: Told) -> str:
    """Name the subject on which a table tells something."""
    return f"room.{checked(table)}.{what.value}"


def everybodys(what: Told) -> str:
    """Name the subjects on which all tables tell something."""
    return f"room.*.{what.value}"


def archived(table: str) -> str:
    """Name the subject on which the archive says how far it has a table's journal: a `Head` in JSON."""
    return f"room.archive.{checked(table)}.head"


def asked(table: str, verb: str) -> str:
    """Name the subject on which the room asks a table to do something, and gets an answer."""
    return f"room.do.{checked(table)}.{verb}"


def table_of(subject: str) -> str:
    """Find whose subject it is; raises `BadName`."""
    match subject.split("."):
        case ["room", "do" | "archive", table, _] | ["room", table, _]:
            return checked(table)
        case _:
            raise BadName(f"{subject!r} is no subject of a table.")
