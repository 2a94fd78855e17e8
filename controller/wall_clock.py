"""The time of day, whatever the machine's clock says: a clock that is set wrong shows another day and ends nothing.

A clock that nobody keeps right may say 1970, or anything at all after a bad battery or a bad source of time. What lies
beyond the days that Python can name in every zone is shown as the first or the last of them.
"""

import time
from datetime import UTC, datetime

MIN_WALL_TIME = datetime(1970, 1, 1, tzinfo=UTC)
MAX_WALL_TIME = datetime(9999, 12, 30, tzinfo=UTC)
"""A day is left before the last that there is, so that every zone can name it."""


def read_wall_clock() -> datetime:
    """Say what time it is, in UTC; raises nothing."""
    return to_wall_time(time.time())


def to_wall_time(seconds: float) -> datetime:
    """Return the time of day, UTC, that so many seconds after 1970 are; the nearest there is; raises nothing."""
    if not seconds > 0:  # no number is no time either
        return MIN_WALL_TIME
    return datetime.fromtimestamp(min(seconds, MAX_WALL_TIME.timestamp()), UTC)


def format_local_time(seconds: float) -> str:
    """Say a time of day, so many seconds after 1970, by this machine's own clock, to the second."""
    return to_wall_time(seconds).astimezone().replace(tzinfo=None).isoformat(" ", "seconds")
