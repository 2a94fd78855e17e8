"""The words of the log: for a person in a terminal, or for the journal of systemd with the priority in front."""

import logging
import os
from collections.abc import Mapping
from typing import TextIO

_PRIORITIES = ((logging.CRITICAL, 2), (logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6))
"""The least level of logging -> the priority of syslog(3)."""

_DEBUG = 7


def start_log(stream: TextIO, environment: Mapping[str, str] = os.environ) -> None:
    """Log to `stream` from now on, as it wants it."""
    handler = logging.StreamHandler(stream)
    if is_journal(stream, environment):
        handler.setFormatter(JournalFormatter())
    else:
        handler.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])


def is_journal(stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether `stream` goes to the journal: systemd says in `JOURNAL_STREAM` which file it gave (systemd.exec(5))."""
    device, _, inode = environment.get("JOURNAL_STREAM", "").partition(":")
    try:
        there = os.fstat(stream.fileno())
    except (OSError, ValueError):  # a stream that is no file of the operating system
        return False
    return (device, inode) == (str(there.st_dev), str(there.st_ino))


class JournalFormatter(logging.Formatter):
    """Puts the priority before every line (sd-daemon(3)); time and program are the journal's own."""

    def __init__(self) -> None:
        super().__init__("%(name)s: %(message)s")  # the level is told by the priority

    def format(self, record: logging.LogRecord) -> str:
        """Write a record; each of its lines becomes an entry, so each has its priority."""
        return _prefixed(super().format(record), record.levelno)


def marked(text: str, level: int, stream: TextIO, environment: Mapping[str, str] = os.environ) -> str:
    """Return `text`, with its priority where `stream` goes to the journal; for what is printed and not logged."""
    return _prefixed(text, level) if is_journal(stream, environment) else text


def _prefixed(text: str, level: int) -> str:
    return "\n".join(f"<{priority(level)}>{line}" for line in text.splitlines())


def priority(level: int) -> int:
    """Return the priority of a level of logging: 2 critical, 3 error, 4 warning, 6 informational, 7 debug."""
    return next((number for least, number in _PRIORITIES if level >= least), _DEBUG)
