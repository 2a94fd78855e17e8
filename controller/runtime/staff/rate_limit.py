"""Counts wrong tries at a PIN, on the disk, so that pulling the plug gives nobody a new set of tries.

A try is counted before the PIN is looked at, and the count is cleared when the PIN was right. After `FREE_TRIES` wrong
tries in a row the next has to wait, and longer with each; after `MAX_TRIES` the person is locked out until somebody
who may enrol staff resets the PIN. Names that nobody has share one count, which is never locked.

The waits go by the wall clock. Where it is set back meanwhile nobody waits longer than the wait itself; where it is
set forward (which takes the machine's administrator) a wait is lost, the lock-out is not.
"""

import sqlite3

from controller.runtime.staff.admission import AdmissionError, RefusalCode

FREE_TRIES = 3
"""Wrong tries in a row that cost nothing."""

MAX_TRIES = 10
"""Wrong tries in a row after which a person is locked out: one chance in 100,000 to guess a PIN of six digits."""

MIN_WAIT_S, MAX_WAIT_S = 15.0, 900.0
"""Seconds to wait after the last free try, doubled with each further one, and the most."""

UNKNOWN_NAME_KEY = ""
"""Under which tries with names that nobody has are counted."""

SCHEMA = "CREATE TABLE tries (who TEXT PRIMARY KEY, wrong INTEGER NOT NULL, not_before REAL NOT NULL) STRICT"


def count_try(db: sqlite3.Connection, who: str, now: float) -> None:
    """Count one more try; raises `AdmissionError`, and counts nothing, when it comes too early or too late.

    Two tries at one time must not both be the last: the caller holds a lock.
    """
    wrong, not_before = _read_row(db, who)
    if is_locked(db, who):
        raise AdmissionError(
            RefusalCode.LOCKED_OUT,
            f"Locked out after {MAX_TRIES} wrong tries; a technician resets the PIN (`tablectl staff reset`).",
        )
    left = not_before - now
    if left > _wait_after(wrong):  # the clock was set back
        left = _wait_after(wrong)
        _write_row(db, who, wrong, now + left)
    if left > 0:
        raise AdmissionError(RefusalCode.WAIT, f"Wait {left:.0f} seconds before the next try.", wait=left)
    _write_row(db, who, wrong + 1, now + _wait_after(wrong + 1))


def clear_tries(db: sqlite3.Connection, who: str) -> None:
    """Forget the wrong tries: the PIN was right, or is a new one."""
    db.execute("DELETE FROM tries WHERE who = ?", (who,))


def is_locked(db: sqlite3.Connection, who: str) -> bool:
    """Whether a person is locked out."""
    return who != UNKNOWN_NAME_KEY and _read_row(db, who)[0] >= MAX_TRIES


def _wait_after(wrong: int) -> float:
    if wrong < FREE_TRIES:
        return 0.0
    return min(MIN_WAIT_S * 2.0 ** min(wrong - FREE_TRIES, 16), MAX_WAIT_S)


def _read_row(db: sqlite3.Connection, who: str) -> tuple[int, float]:
    row = db.execute("SELECT wrong, not_before FROM tries WHERE who = ?", (who,)).fetchone()
    return (0, 0.0) if row is None else (int(row[0]), float(row[1]))


def _write_row(db: sqlite3.Connection, who: str, wrong: int, not_before: float) -> None:
    db.execute("INSERT OR REPLACE INTO tries VALUES (?, ?, ?)", (who, wrong, not_before))
