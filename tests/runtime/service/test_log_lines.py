"""The words of the log: plain in a terminal, with the priority in front for the journal of systemd."""

import io
import json
import logging
import os
import re
import sys
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from controller.runtime.service.log_setup import (
    JSON_FORMAT,
    MAX_BURST_LINES,
    MAX_SOURCES,
    MIN_LINE_INTERVAL_S,
    TEXT_FORMAT,
    JsonFormatter,
    LineLimit,
    SystemdFormatter,
    find_priority,
    format_printed_line,
    is_systemd_journal,
    make_log_handler,
    set_log_format,
)


def test_the_journal_is_known_by_its_very_file(tmp_path: Path) -> None:
    with (tmp_path / "stream").open("w") as stream, (tmp_path / "other").open("w") as other:
        there = os.fstat(stream.fileno())
        environment = {"JOURNAL_STREAM": f"{there.st_dev}:{there.st_ino}"}
        assert is_systemd_journal(stream, environment)
        assert not is_systemd_journal(other, environment), "standard error was sent elsewhere"
        assert not is_systemd_journal(stream, {})
        assert format_printed_line("two\nlines", logging.ERROR, stream, environment) == "<3>two\n<3>lines"
        assert format_printed_line("two\nlines", logging.ERROR, other, environment) == "two\nlines"


@pytest.mark.parametrize(
    ("level", "number"),
    [(logging.CRITICAL, 2), (logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6), (logging.DEBUG, 7)],
)
def test_priorities_are_those_of_syslog(level: int, number: int) -> None:
    assert find_priority(level) == number


def test_every_line_of_a_record_has_its_priority() -> None:
    try:
        raise ValueError("no card")
    except ValueError:
        record = logging.LogRecord("controller", logging.WARNING, "", 0, "one\ntwo", None, sys.exc_info())
    lines = SystemdFormatter().format(record).splitlines()
    assert lines[:2] == ["<4>controller: one", "<4>two"]
    assert all(line.startswith("<4>") for line in lines)


def lines(limit: LineLimit, source: str, count: int, level: int = logging.WARNING) -> list[str]:
    """What is written of `count` lines about a device."""
    records = [logging.LogRecord("controller", level, "", 0, "%s: %s", (source, n), None) for n in range(count)]
    return [record.getMessage() for record in records if limit.filter(record)]


def test_one_noisy_source_writes_few_lines_and_hides_no_other() -> None:
    now = 0.0
    limit = LineLimit(lambda: now)
    assert len(lines(limit, "reader", 1000)) == MAX_BURST_LINES
    assert lines(limit, "panel", 2) == ["panel: 0", "panel: 1"], "the others are heard"
    now += MIN_LINE_INTERVAL_S
    assert lines(limit, "reader", 5) == ["reader: 0 (990 like it were left out)"]
    assert len(lines(limit, "reader", 50, logging.CRITICAL)) == 50, "an end is always said"


def test_sources_without_number_share_one_measure() -> None:
    limit = LineLimit(lambda: 0.0)
    written = [line for number in range(10_000) for line in lines(limit, f"device {number}", 1)]
    assert len(written) == MAX_SOURCES + MAX_BURST_LINES
    assert len(limit._budget_by_source) <= MAX_SOURCES + 1


def test_the_log_of_the_program_is_limited() -> None:
    stream = io.StringIO()
    own = logging.getLogger("test of the limit")
    with_limit = make_log_handler(stream)
    own.addHandler(with_limit)
    try:
        for number in range(100):
            own.warning("%s: %s", "reader", number)
    finally:
        own.removeHandler(with_limit)
    assert len(stream.getvalue().splitlines()) == MAX_BURST_LINES


JSON_FIELDS = {"time", "level", "priority", "logger", "source", "message", "left_out", "failure"}


def parse_log_lines(stream: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_as_json_each_record_is_one_object_a_line_and_says_what_the_text_says() -> None:
    stream = io.StringIO()
    logger = logging.getLogger("controller.test.json")
    logger.propagate = False
    logger.addHandler(make_log_handler(stream, {}, JSON_FORMAT))
    try:
        logger.warning("%s: %s", "shoe", 'two\nlines and a "quote" – ü')
        for _ in range(MAX_BURST_LINES + 1):
            logger.warning("%s is %s", "panel", "noisy")
        try:
            raise ValueError("no card")
        except ValueError:
            logger.exception("it failed")
    finally:
        logger.handlers.clear()
    first, *rest = parse_log_lines(stream)
    assert first == {
        "time": first["time"],
        "level": "WARNING",
        "priority": 4,
        "logger": "controller.test.json",
        "source": "shoe",
        "message": 'shoe: two\nlines and a "quote" – ü',
    }
    assert datetime.fromisoformat(str(first["time"])).utcoffset() == timedelta(0)
    assert len(rest) == MAX_BURST_LINES + 1, "bounded as the text is"
    assert set(rest[-1]) <= JSON_FIELDS
    assert "ValueError" in str(rest[-1]["failure"])


def test_as_json_a_line_says_how_many_were_left_out() -> None:
    now = [0.0]
    limit = LineLimit(lambda: now[0])
    records = [
        logging.LogRecord("c", logging.WARNING, "", 0, "%s: %s", ("shoe", n), None) for n in range(MAX_BURST_LINES + 3)
    ]
    assert [limit.filter(record) for record in records].count(False) == 3
    now[0] = MIN_LINE_INTERVAL_S
    last = logging.LogRecord("c", logging.WARNING, "", 0, "%s: %s", ("shoe", "again"), None)
    assert limit.filter(last)
    line = json.loads(JsonFormatter().format(last))
    assert (line["left_out"], line["source"]) == (3, "shoe")


def test_as_json_for_the_journal_the_priority_stands_in_front() -> None:
    record = logging.LogRecord("controller", logging.ERROR, "", 0, "one\ntwo", None, None)
    line = JsonFormatter(prefixed=True).format(record)
    assert line.startswith("<3>{")
    assert "\n" not in line
    assert set(json.loads(line[3:])) <= JSON_FIELDS


def test_a_log_that_has_begun_goes_on_in_the_form_that_the_tables_file_wants(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    handler = make_log_handler(stream, {})
    foreign = logging.NullHandler()
    monkeypatch.setattr(logging.getLogger(), "handlers", [handler, foreign])
    set_log_format(JSON_FORMAT, {})
    assert isinstance(handler.formatter, JsonFormatter)
    assert foreign.formatter is None
    assert json.loads(format_printed_line("it ends", logging.ERROR, stream, {}))["message"] == "it ends"
    set_log_format(TEXT_FORMAT, {})
    assert format_printed_line("it ends", logging.ERROR, stream, {}) == "it ends"


def test_every_field_of_a_json_line_is_on_its_page() -> None:
    page = (Path(__file__).parents[3] / "docs/metrics.md").read_text(encoding="utf-8").partition("## Logs as JSON")[2]
    assert set(re.findall(r"^\| `(\w+)`", page, re.MULTILINE)) == JSON_FIELDS
