"""The words of the log: plain in a terminal, with the priority in front for the journal of systemd."""

import io
import logging
import os
import sys
from pathlib import Path

import pytest

from controller.runtime.service.log_lines import (
    BURST,
    SECONDS_A_LINE,
    SOURCES,
    JournalFormatter,
    LineLimit,
    is_journal,
    log_handler,
    marked,
    priority,
)


def test_the_journal_is_known_by_its_very_file(tmp_path: Path) -> None:
    with (tmp_path / "stream").open("w") as stream, (tmp_path / "other").open("w") as other:
        there = os.fstat(stream.fileno())
        environment = {"JOURNAL_STREAM": f"{there.st_dev}:{there.st_ino}"}
        assert is_journal(stream, environment)
        assert not is_journal(other, environment), "standard error was sent elsewhere"
        assert not is_journal(stream, {})
        assert marked("two\nlines", logging.ERROR, stream, environment) == "<3>two\n<3>lines"
        assert marked("two\nlines", logging.ERROR, other, environment) == "two\nlines"


@pytest.mark.parametrize(
    ("level", "number"),
    [(logging.CRITICAL, 2), (logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6), (logging.DEBUG, 7)],
)
def test_priorities_are_those_of_syslog(level: int, number: int) -> None:
    assert priority(level) == number


def test_every_line_of_a_record_has_its_priority() -> None:
    try:
        raise ValueError("no card")
    except ValueError:
        record = logging.LogRecord("controller", logging.WARNING, "", 0, "one\ntwo", None, sys.exc_info())
    lines = JournalFormatter().format(record).splitlines()
    assert lines[:2] == ["<4>controller: one", "<4>two"]
    assert all(line.startswith("<4>") for line in lines)


def lines(limit: LineLimit, source: str, count: int, level: int = logging.WARNING) -> list[str]:
    """What is written of `count` lines about a device."""
    records = [logging.LogRecord("controller", level, "", 0, "%s: %s", (source, n), None) for n in range(count)]
    return [record.getMessage() for record in records if limit.filter(record)]


def test_one_noisy_source_writes_few_lines_and_hides_no_other() -> None:
    now = 0.0
    limit = LineLimit(lambda: now)
    assert len(lines(limit, "reader", 1000)) == BURST
    assert lines(limit, "panel", 2) == ["panel: 0", "panel: 1"], "the others are heard"
    now += SECONDS_A_LINE
    assert lines(limit, "reader", 5) == ["reader: 0 (990 like it were left out)"]
    assert len(lines(limit, "reader", 50, logging.CRITICAL)) == 50, "an end is always said"


def test_sources_without_number_share_one_measure() -> None:
    limit = LineLimit(lambda: 0.0)
    written = [line for number in range(10_000) for line in lines(limit, f"device {number}", 1)]
    assert len(written) == SOURCES + BURST
    assert len(limit._measures) <= SOURCES + 1


def test_the_log_of_the_program_is_limited() -> None:
    stream = io.StringIO()
    own = logging.getLogger("test of the limit")
    with_limit = log_handler(stream)
    own.addHandler(with_limit)
    try:
        for number in range(100):
            own.warning("%s: %s", "reader", number)
    finally:
        own.removeHandler(with_limit)
    assert len(stream.getvalue().splitlines()) == BURST
