"""The room's own record: one writer wins, and nothing is written over."""

import pytest

from room.record.room_record import InMemoryRecord, StreamConflictError


def test_of_two_who_write_the_same_line_one_is_told() -> None:
    record = InMemoryRecord()
    first = record.append("calls", 0, 1.0, "Ana", {"do": "take"})
    with pytest.raises(StreamConflictError):
        record.append("calls", 0, 2.0, "Ben", {"do": "take"})
    assert list(record.read_lines("calls")) == [first]
    assert list(record.read_lines("calls", 1)) == []
    assert list(record.read_lines_between("calls", 1.0, 1.5)) == [first]
    assert (
        list(record.read_lines_between("calls", 0.0, 1.0)) == list(record.read_lines_between("calls", 1.5, 9.0)) == []
    )
    record.append("event:2", 0, 3.0, "Ana", {})
    assert record.list_streams("event:") == ["event:2"]
