"""What a stream amounts to is the same for everybody who reads it, and nobody decides on what is no longer true."""

import pytest

from room.record.folded_stream import FoldedStream
from room.record.room_record import InMemoryRecord, RecordLine, StreamConflictError


def sums(record: InMemoryRecord) -> FoldedStream[int]:
    return FoldedStream(record, "sum", 0, lambda state, line: state + int(line.content["add"]))


def test_who_was_overtaken_decides_anew_on_what_is_then_true() -> None:
    record = InMemoryRecord()
    mine, theirs = sums(record), sums(record)
    theirs.enter(1.0, "Ben", lambda _: {"add": 5})
    seen: list[int] = []

    def decide(state: int) -> dict[str, int]:
        seen.append(state)
        return {"add": 10 - state}

    assert mine.enter(2.0, "Ana", decide) == RecordLine("sum", 2, 2.0, "Ana", {"add": 5})
    assert seen == [0, 5]
    assert (mine.state, theirs.state, theirs.read()) == (10, 5, 10)
    assert mine.enter(3.0, "Ana", lambda _: None) is None


def test_a_stream_that_is_always_overtaken_is_an_error_and_no_endless_loop() -> None:
    class Busy(InMemoryRecord):
        def append(self, *_: object) -> RecordLine:
            raise StreamConflictError

    with pytest.raises(ConnectionError, match="without a pause"):
        sums(Busy()).enter(1.0, "Ana", lambda _: {"add": 1})
