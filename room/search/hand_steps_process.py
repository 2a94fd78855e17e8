"""One hand of the archive step by step, in a process of its own: `python -m room.search.hand_steps_process`.

Its input says which hand.
A session of 2,000 hands takes ten seconds to play again; no page waits for another's hand meanwhile.
"""

import json
import resource
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from config.table_line import parse_table_line
from controller.runtime.journal.proof.chain import JournalRecord, parse_export_line
from controller.runtime.journal.recovery.hand_steps import HandStep, replay_hand_steps
from controller.runtime.journal.recovery.journal_follower import StreamedJournal
from controller.runtime.journal.recovery.journal_replay import RecoveryError
from room.record.postgres_record import connect_database

MAX_MEMORY_BYTES = 1 << 30
"""Bytes that this process may take: a journal is what its table wrote, and a table may have been taken over."""

MAX_OUTPUT_LENGTH = 16 << 20
"""Signs of a hand's steps; one of 300 entries has a million."""


def read_hand_steps(where: str, journal: str, session: int, hand: int) -> list[HandStep]:
    """Every step of a hand, as `replay_hand_steps` tells it; empty where it is not here.

    Raises `OSError`, `RecoveryError`.
    """
    connection = connect_database(where)
    try:
        session_records = [
            parse_export_line(line, 0)
            for (line,) in connection.execute(
                'SELECT line FROM record WHERE journal = %s AND strpos(line, \'"kind":"session"\') BETWEEN 1 AND 40'
                " ORDER BY number",
                (journal,),
            )
        ]

        def read_from(start: int) -> Iterator[JournalRecord]:
            with connection.transaction(), connection.cursor("records") as cursor:
                cursor.execute(
                    "SELECT line FROM record WHERE journal = %s AND number >= %s ORDER BY number", (journal, start)
                )
                for (text,) in cursor:
                    yield parse_export_line(text, 0)

        given = StreamedJournal(journal, read_from, session_records)
        wanted = next((one for one in given.list_sessions() if one.number == session), None)
        return [] if wanted is None else replay_hand_steps(given, wanted, hand, parse_table_line)
    finally:
        connection.close()


def _steps_of(wanted: Mapping[str, Any]) -> list[HandStep]:
    return read_hand_steps(wanted["where"], wanted["journal"], wanted["session"], wanted["hand"])


def main() -> int:
    """Read what is wanted, and write the steps, or why not."""
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    wanted = json.load(sys.stdin)
    try:
        told = json.dumps(_steps_of(wanted), separators=(",", ":"))
    except (RecoveryError, OSError) as why:
        told = json.dumps(str(why))
    except Exception as why:  # whatever a journal holds, and where it wants more memory than a hand ever does
        told = json.dumps(f"the archive's hand cannot be read ({type(why).__name__})")
    print(told if len(told) <= MAX_OUTPUT_LENGTH else json.dumps("the hand is too long to be shown"))  # noqa: T201 - its output
    return 0


if __name__ == "__main__":
    sys.exit(main())
