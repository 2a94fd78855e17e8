"""The day of the house: it begins at six in the morning, so that a game after midnight is of the evening before."""

import time
from datetime import date, timedelta

DAY_START_S = 6 * 3600.0
"""Seconds after midnight, of the machine's own time."""

_DAY_START_HOUR = int(DAY_START_S // 3600)


def find_house_day(at: float) -> str:
    """The day, as 2027-01-15, in which a moment lies (Unix seconds), by the machine's own time."""
    local = time.localtime(at)
    day = date(local.tm_year, local.tm_mon, local.tm_mday)
    return (day if local.tm_hour >= _DAY_START_HOUR else day - timedelta(days=1)).isoformat()


def find_day_span(day: str) -> tuple[float, float]:
    """When a day of the house begins and when it ends, in Unix seconds. Raises `ValueError` for what is no day."""
    begins = date.fromisoformat(day)
    return _find_start(begins), _find_start(begins + timedelta(days=1))


def _find_start(day: date) -> float:
    return time.mktime((day.year, day.month, day.day, _DAY_START_HOUR, 0, 0, 0, 0, -1))
