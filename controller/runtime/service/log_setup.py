"""The words of the log: for a person in a terminal, or for the journal of systemd with the priority in front.

On request each line is one JSON object, for whoever reads it with a program (`docs/metrics.md`); it says the same.
"""

import json
import logging
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import TextIO

from controller.wall_clock import to_wall_time

_PRIORITY_BY_MIN_LEVEL = ((logging.CRITICAL, 2), (logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6))
"""The least level of logging -> the priority of syslog(3)."""

_DEBUG_PRIORITY = 7

TEXT_FORMAT, JSON_FORMAT = "text", "json"
"""How lines are written."""

_OMITTED_COUNT_ATTRIBUTE = "lines_left_out"
_SOURCE_ATTRIBUTE = "line_source"

MAX_BURST_LINES = 10
"""So many lines of one kind and source are written at once."""

MIN_LINE_INTERVAL_S = 2.0
"""And then one in so many seconds: 26 MB a month, of what never stops."""

MAX_SOURCES = 256
"""So many kinds and sources are told apart; what comes from more than that shares one measure."""


def start_log(stream: TextIO, environment: Mapping[str, str] = os.environ, form: str = TEXT_FORMAT) -> None:
    """Log to `stream` from now on, as it wants it."""
    logging.basicConfig(level=logging.INFO, handlers=[make_log_handler(stream, environment, form)])


def make_log_handler(
    stream: TextIO, environment: Mapping[str, str] = os.environ, form: str = TEXT_FORMAT
) -> "logging.StreamHandler[TextIO]":
    """Make what writes the log to `stream`: as it wants it, and never without end."""
    handler = logging.StreamHandler(stream)
    handler.addFilter(LineLimit().filter)
    handler.setFormatter(_make_formatter(stream, environment, form))
    return handler


def set_log_format(form: str, environment: Mapping[str, str] = os.environ) -> None:
    """Write the lines of a log that has begun in another form, `TEXT` or `JSON`, from now on."""
    for handler in _iter_own_handlers(logging.getLogger().handlers):
        handler.setFormatter(_make_formatter(handler.stream, environment, form))


def _iter_own_handlers(handlers: Iterable[logging.Handler]) -> "Iterable[logging.StreamHandler[TextIO]]":
    """Those of the handlers that `make_log_handler` made."""
    ours = (JsonFormatter, SystemdFormatter, PlainFormatter)
    return (each for each in handlers if isinstance(each, logging.StreamHandler) and isinstance(each.formatter, ours))


def _make_formatter(stream: TextIO, environment: Mapping[str, str], form: str) -> logging.Formatter:
    journal = is_systemd_journal(stream, environment)
    if form == JSON_FORMAT:
        return JsonFormatter(prefixed=journal)
    return SystemdFormatter() if journal else PlainFormatter()


def is_systemd_journal(stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether `stream` goes to the journal: systemd says in `JOURNAL_STREAM` which file it gave (systemd.exec(5))."""
    device, _, inode = environment.get("JOURNAL_STREAM", "").partition(":")
    try:
        there = os.fstat(stream.fileno())
    except (OSError, ValueError):  # a stream that is no file of the operating system
        return False
    return (device, inode) == (str(there.st_dev), str(there.st_ino))


@dataclass(slots=True)
class _LineBudget:
    remaining_lines: float
    updated_at: float
    omitted_count: int = 0


class LineLimit:
    """Leaves out lines of a kind and source that come without end, and says how many.

    The kind is the place in the program that speaks; the source is the first value of the line: a device, a page.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._budget_by_source: dict[object, _LineBudget] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is written; one that is, after others were not, says how many."""
        if record.levelno >= logging.CRITICAL:
            return True
        source = str(record.args[0]) if isinstance(record.args, tuple) and record.args else ""
        key: object = (record.name, record.msg, source)
        if key not in self._budget_by_source and len(self._budget_by_source) >= MAX_SOURCES:
            key = None
        now = self._clock()
        measure = self._budget_by_source.setdefault(key, _LineBudget(MAX_BURST_LINES, now))
        measure.remaining_lines = min(
            MAX_BURST_LINES, measure.remaining_lines + (now - measure.updated_at) / MIN_LINE_INTERVAL_S
        )
        measure.updated_at = now
        if measure.remaining_lines < 1:
            measure.omitted_count += 1
            return False
        measure.remaining_lines -= 1
        if measure.omitted_count:
            record.__dict__ |= {_OMITTED_COUNT_ATTRIBUTE: measure.omitted_count, _SOURCE_ATTRIBUTE: source}
            record.msg, record.args = f"{record.getMessage()} ({measure.omitted_count} like it were left out)", None
            measure.omitted_count = 0
        return True


class SystemdFormatter(logging.Formatter):
    """Puts the priority before every line (sd-daemon(3)); time and program are the journal's own."""

    def __init__(self) -> None:
        super().__init__("%(name)s: %(message)s")  # the level is told by the priority

    def format(self, record: logging.LogRecord) -> str:
        """Write a record; each of its lines becomes an entry, so each has its priority."""
        return _prefix_priority(super().format(record), record.levelno)


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
        at = to_wall_time(record.created).isoformat(timespec="milliseconds")
        line: dict[str, object] = {
            "time": at,
            "level": record.levelname,
            "priority": find_priority(record.levelno),
            "logger": record.name,
        }
        first = record.args[0] if isinstance(record.args, tuple) and record.args else None
        if source := record.__dict__.get(_SOURCE_ATTRIBUTE, first if isinstance(first, str) else None):
            line["source"] = source
        line["message"] = record.getMessage()
        if left_out := record.__dict__.get(_OMITTED_COUNT_ATTRIBUTE):
            line["left_out"] = left_out
        failure = record.exc_text or (self.formatException(record.exc_info) if record.exc_info else None)
        if failure:
            line["failure"] = failure
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
        return f"<{find_priority(record.levelno)}>{text}" if self._is_prefixed else text


def format_printed_line(text: str, level: int, stream: TextIO, environment: Mapping[str, str] = os.environ) -> str:
    """Return `text` as the log to `stream` would have it; for what is printed and not logged."""
    for handler in _iter_own_handlers(logging.getLogger().handlers):
        if handler.stream is stream and isinstance(handler.formatter, JsonFormatter):
            return handler.formatter.format(logging.LogRecord("tablectl", level, "", 0, text, None, None))
    return _prefix_priority(text, level) if is_systemd_journal(stream, environment) else text


def _prefix_priority(text: str, level: int) -> str:
    return "\n".join(f"<{find_priority(level)}>{line}" for line in text.splitlines())


def find_priority(level: int) -> int:
    """Return the priority of a level of logging: 2 critical, 3 error, 4 warning, 6 informational, 7 debug."""
    return next((number for least, number in _PRIORITY_BY_MIN_LEVEL if level >= least), _DEBUG_PRIORITY)
