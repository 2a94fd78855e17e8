"""The room's own record: one writer wins, and nothing is written over."""

import pytest

from room.record.lines import InMemory, Overtaken


def test_of_two_who_write_the_same_line_one_is_told() -> None:
    record = InMemory()
    first = record.append("calls", 0, 1.0, "Ana", {"do": "take"})
    with pytest.raises(Overtaken):
        record.append("calls", 0, 2.0, "Ben", {"do": "take"})
    assert list(record.lines("calls")) == [first]
    assert list(record.lines("calls", 1)) == []
    assert list(record.between("calls", 1.0, 1.5)) == [first]
    assert list(record.between("calls", 0.0, 1.0)) == list(record.between("calls", 1.5, 9.0)) == []
    record.append("event:2", 0, 3.0, "Ana", {})
    assert record.streams("event:") == ["event:2"]
