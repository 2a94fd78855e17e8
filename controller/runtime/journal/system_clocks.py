"""The clocks of the machine: what the journal writes beside every record."""

import ctypes
import time

from controller.wall_clock import read_wall_clock

_STA_UNSYNC = 0x0040
"""Bit of `status` while nothing keeps the clock right (adjtimex(2))."""

_TIME_ERROR = 5
"""What adjtimex(2) returns while the clock is not kept right."""


class _Timex(ctypes.Structure):
    """The head of `struct timex` (adjtimex(2)); what follows is not read, and is long enough on every machine."""

    _fields_ = (
        ("modes", ctypes.c_uint),
        ("offset", ctypes.c_long),
        ("freq", ctypes.c_long),
        ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long),
        ("status", ctypes.c_int),
        ("rest", ctypes.c_char * 256),
    )


def format_wall_time() -> str:
    """Say the time of day, UTC, in ISO 8601 with milliseconds."""
    return read_wall_clock().isoformat(timespec="milliseconds")


def read_uptime_ms() -> int:
    """Say how many milliseconds the machine has been on; no setting of the clock changes it."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000


def is_clock_set() -> bool:
    """Whether the kernel knows its time of day to be kept right by a source of time; false where it does not say."""
    try:
        asked = _libc.adjtimex
    except AttributeError:
        return False
    answer = _Timex()
    state = int(asked(ctypes.byref(answer)))
    return 0 <= state < _TIME_ERROR and not answer.status & _STA_UNSYNC


_libc = ctypes.CDLL(None)
