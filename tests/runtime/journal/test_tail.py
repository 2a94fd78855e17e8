"""What reaches the disk before SQLite has it: few bytes, one wait an entry, and nothing of an earlier round."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.runtime.journal.journal import FOLD_THRESHOLD_BYTES, Journal
from controller.runtime.journal.sealing.hand_seal import CardKnowledge
from controller.runtime.journal.write_ahead_log import GROWTH_STEP_BYTES
from tests.runtime.conftest import begin_journal

HAND: list[Mapping[str, object]] = [
    {"ev": "start"},
    *({"ev": "card", "card": f"{rank}c"} for rank in "AKQJT9876543"),
    *({"ev": "act", "seat": seat, "do": "fold"} for seat in range(2, 7)),
    {"ev": "done"},
]
"""A hand of hold'em that everybody folds, as `benchmarks.lamp_latency` deals it."""

HANDS = 60
MAX_HAND_BYTES = 32_000
"""Bytes that a hand may give to the file system: what the memory card of a table is to bear."""


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return begin_journal(tmp_path)


def count_written_bytes() -> int:
    """How many bytes this process has handed to write(2) and pwrite(2)."""
    lines = Path("/proc/self/io").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("wchar:"))


def play(journal: Journal, hands: int) -> None:
    for _ in range(hands):
        for line in HAND:
            entry = journal.append_entry({**line, "t": 12345.678}, "benchmark")
            journal.record_result(entry, f"2:{'a' * 32}:{'b' * 32}", None, CardKnowledge(line["ev"] != "done"))


def test_a_hand_gives_few_bytes_to_the_file_system(journal: Journal, mocker: MockerFixture) -> None:
    mocker.patch.object(journal._write_ahead_log, "sync_file")
    before = count_written_bytes()
    play(journal, HANDS)
    journal.end_run("SIGTERM")
    journal.close()  # and what is in the -wal is written into the file
    assert (count_written_bytes() - before) / HANDS <= MAX_HAND_BYTES


def test_an_entry_is_one_wait_for_the_disk_and_sqlite_is_left_alone(journal: Journal, mocker: MockerFixture) -> None:
    play(journal, 1)
    journal.append_entry(HAND[0], "panel")
    waits = mocker.patch.object(journal._write_ahead_log, "sync_file")
    statements: list[str] = []
    journal._db.set_trace_callback(statements.append)
    for line in HAND[1:-1]:
        journal.append_entry(line, "benchmark")
    assert waits.call_count == len(HAND) - 2
    assert not statements
    journal.close()


def test_the_tail_is_no_longer_than_a_round(journal: Journal, mocker: MockerFixture, tmp_path: Path) -> None:
    mocker.patch.object(journal._write_ahead_log, "sync_file")
    used = []
    for _ in range(2 * FOLD_THRESHOLD_BYTES // 10_000):
        play(journal, 1)
        used.append(journal._write_ahead_log.used_bytes)
    assert max(used) < FOLD_THRESHOLD_BYTES + 15_000
    assert min(used[10:]) < 15_000
    assert (tmp_path / "journal.tail").stat().st_size == GROWTH_STEP_BYTES
    journal.close()
