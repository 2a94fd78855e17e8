"""The words of the log: for a person in a terminal, or for the journal of systemd with the priority in front.

On request each line is one JSON object, for whoever reads it with a program (`docs/metrics.md`); it says the same.
"""

import json
import logging
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from time import monotonic
from typing import TextIO

_PRIORITIES = ((logging.CRITICAL, 2), (logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6))
"""The least level of logging -> the priority of syslog(3)."""

_DEBUG = 7

TEXT, JSON = "text", "json"
"""How lines are written."""

_LEFT_OUT = "lines_left_out"
_SOURCE = "line_source"

BURST = 10
"""So many lines of one kind and source are written at once."""

SECONDS_A_LINE = 2.0
"""And then one in so many seconds: 26 MB a month, of what never stops."""

SOURCES = 256
"""So many kinds and sources are told apart; what comes from more than that shares one measure."""


def start_log(stream: TextIO, environment: Mapping[str, str] = os.environ, form: str = TEXT) -> None:
    """Log to `stream` from now on, as it wants it."""
    logging.basicConfig(level=logging.INFO, handlers=[log_handler(stream, environment, form)])


def log_handler(
    stream: TextIO, environment: Mapping[str, str] = os.environ, form: str = TEXT
) -> "logging.StreamHandler[TextIO]":
    """Make what writes the log to `stream`: as it wants it, and never without end."""
    handler = logging.StreamHandler(stream)
    handler.addFilter(LineLimit().filter)
    handler.setFormatter(_formatter(stream, environment, form))
    return handler


def write_as(form: str, environment: Mapping[str, str] = os.environ) -> None:
    """Write the lines of a log that has begun in another form, `TEXT` or `JSON`, from now on."""
    for handler in _begun(logging.getLogger().handlers):
        handler.setFormatter(_formatter(handler.stream, environment, form))


def _begun(handlers: Iterable[logging.Handler]) -> "Iterable[logging.StreamHandler[TextIO]]":
    """Those of the handlers that `log_handler` made."""
    ours = (JsonFormatter, JournalFormatter, PlainFormatter)
    return (each for each in handlers if isinstance(each, logging.StreamHandler) and isinstance(each.formatter, ours))


def _formatter(stream: TextIO, environment: Mapping[str, str], form: str) -> logging.Formatter:
    journal = is_journal(stream, environment)
    if form == JSON:
        return JsonFormatter(prefixed=journal)
    return JournalFormatter() if journal else PlainFormatter()


def is_journal(stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether `stream` goes to the journal: systemd says in `JOURNAL_STREAM` which file it gave (systemd.exec(5))."""
    device, _, inode = environment.get("JOURNAL_STREAM", "").partition(":")
    try:
        there = os.fstat(stream.fileno())
    except (OSError, ValueError):  # a stream that is no file of the operating system
        return False
    return (device, inode) == (str(there.st_dev), str(there.st_ino))


@dataclass(slots=True)
class _Measure:
    room: float
    at: float
    left_out: int = 0


class LineLimit:
    """Leaves out lines of a kind and source that come without end, and says how many.

    The kind is the place in the program that speaks; the source is the first value of the line: a device, a page.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._measures: dict[object, _Measure] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is written; one that is, after others were not, says how many."""
        if record.levelno >= logging.CRITICAL:
            return True
        source = str(record.args[0]) if isinstance(record.args, tuple) and record.args else ""
        key: object = (record.name, record.msg, source)
        if key not in self._measures and len(self._measures) >= SOURCES:
            key = None
        now = self._clock()
        measure = self._measures.setdefault(key, _Measure(BURST, now))
        measure.room = min(BURST, measure.room + (now - measure.at) / SECONDS_A_LINE)
        measure.at = now
        if measure.room < 1:
            measure.left_out += 1
            return False
        measure.room -= 1
        if measure.left_out:
            record.__dict__ |= {_LEFT_OUT: measure.left_out, _SOURCE: source}
            record.msg, record.args = f"{record.getMessage()} ({measure.left_out} like it were left out)", None
            measure.left_out = 0
        return True


class JournalFormatter(logging.Formatter):
    """Puts the priority before every line (sd-daemon(3)); time and program are the journal's own."""

    def __init__(self) -> None:
        super().__init__("%(name)s: %(message)s")  # the level is told by the priority

    def format(self, record: logging.LogRecord) -> str:
        """Write a record; each of its lines becomes an entry, so each has its priority."""
        return _prefixed(super().format(record), record.levelno)


class PlainFormatter(logging.Formatter):
    """Writes for a person in a terminal."""

    def __init__(self) -> None:
        super().__init__("%(levelname)s %(name)s: %(message)s")


class JsonFormatter(logging.Formatter):
    """Writes one object a line; `prefixed`: with the priority in front, which the journal takes off again."""

    def __init__(self, *, prefixed: bool = False) -> None:
        super().__init__()
        self._is_prefixed = prefixed

    def format(self, record: logging.LogRecord) -> str:
        """Write a record."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, object] = {
            "time": at,
            "level": record.levelname,
            "priority": priority(record.levelno),
            "logger": record.name,
        }
        first = record.args[0] if isinstance(record.args, tuple) and record.args else None
        if source := record.__dict__.get(_SOURCE, first if isinstance(first, str) else None):
            line["source"] = source
        line["message"] = record.getMessage()
        if left_out := record.__dict__.get(_LEFT_OUT):
            line["left_out"] = left_out
        failure = record.exc_text or (self.formatException(record.exc_info) if record.exc_info else None)
        if failure:
            line["failure"] = failure
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
        return f"<{priority(record.levelno)}>{text}" if self._is_prefixed else text


def marked(text: str, level: int, stream: TextIO, environment: Mapping[str, str] = os.environ) -> str:
    """Return `text` as the log to `stream` would have it; for what is printed and not logged."""
    for handler in _begun(logging.getLogger().handlers):
        if handler.stream is stream and isinstance(handler.formatter, JsonFormatter):
            return handler.formatter.format(logging.LogRecord("tablectl", level, "", 0, text, None, None))
    return _prefixed(text, level) if is_journal(stream, environment) else text


def _prefixed(text: str, level: int) -> str:
    return "\n".join(f"<{priority(level)}>{line}" for line in text.splitlines())


def priority(level: int) -> int:
    """Return the priority of a level of logging: 2 critical, 3 error, 4 warning, 6 informational, 7 debug."""
    return next((number for least, number in _PRIORITIES if level >= least), _DEBUG)
