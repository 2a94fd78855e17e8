"""The words of the log: plain in a terminal, with the priority in front for the journal of systemd."""

import logging
import os
import sys
from pathlib import Path

import pytest

from controller.runtime.service.log_lines import JournalFormatter, is_journal, marked, priority


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
