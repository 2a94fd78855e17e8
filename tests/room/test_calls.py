"""Calls are one queue, whoever says what in which order, and what is known of them follows from their lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from room.floor.call_queue import (
    MAX_DONE_CALLS,
    CallNotOpenError,
    CallQueue,
    CallStatistics,
    FloorCall,
    apply_call_line,
    summarize_calls,
)
from room.record.folded_stream import FoldedStream
from room.record.room_record import InMemoryRecord

LINE_MAKERS = {"take": CallQueue.make_take_line, "finish": CallQueue.make_done_line}


class Desk:
    def __init__(self) -> None:
        self.record = InMemoryRecord()
        self.folded = FoldedStream(self.record, "calls", CallQueue(), apply_call_line)
        self.time = 100.0

    @property
    def calls(self) -> CallQueue:
        return self.folded.state

    def table(self, name: str, wanted: bool) -> None:
        self.folded.enter(self.time, name, lambda calls: calls.make_table_line(name, wanted=wanted))

    def person(self, name: str, do: str, number: int) -> None:
        self.folded.enter(self.time, name, lambda calls: LINE_MAKERS[do](calls, number))


def test_a_call_waits_is_taken_and_done_and_says_how_long_it_waited() -> None:
    desk = Desk()
    desk.table("t1", True)
    desk.table("t1", True)  # said twice, by state and call
    desk.time += 30
    desk.table("t2", True)
    assert [call.table for call in desk.calls.open_calls] == ["t1", "t2"]
    assert desk.calls.open_calls[0].is_late(desk.time, 30.0)
    assert not desk.calls.open_calls[1].is_late(desk.time, 30.0)
    desk.person("Bo", "take", 1)
    assert not desk.calls.open_calls[0].is_late(desk.time + 999, 30.0)
    desk.time += 60
    desk.person("Bo", "finish", 1)
    done = desk.calls.done_calls[-1]
    assert done == FloorCall(1, "t1", 100.0, 130.0, "Bo", 190.0, "Bo")
    assert done.response_time_s == 30.0


def test_who_takes_a_call_over_does_not_make_it_wait_longer() -> None:
    desk = Desk()
    desk.table("t1", True)
    desk.time += 10
    desk.person("Bo", "take", 1)
    desk.time += 50
    desk.person("Dee", "take", 1)
    (call,) = desk.calls.open_calls
    assert (call.taken_by, call.taken_at, call.response_time_s) == ("Dee", 110.0, 10.0)


def test_what_a_person_ended_does_not_come_back_while_the_table_still_shows_it() -> None:
    desk = Desk()
    desk.table("t1", True)
    desk.person("Bo", "finish", 1)
    desk.table("t1", True)
    assert not desk.calls.open_calls
    desk.table("t1", False)
    desk.table("t1", True)
    assert [call.number for call in desk.calls.open_calls] == [4]


def test_a_floor_that_came_without_a_word_is_seen_by_what_the_table_says() -> None:
    desk = Desk()
    desk.table("t1", True)
    desk.time += 45
    desk.table("t1", False)
    assert desk.calls.done_calls[0].done_by == "t1"
    assert desk.calls.done_calls[0].response_time_s == 45.0
    assert summarize_calls(desk.calls.done_calls, 45.0) == CallStatistics(1, 45.0, 45.0, 1)
    assert summarize_calls((), 45.0) == CallStatistics(0, None, None, 0)


def test_a_call_that_is_not_there_says_how_it_is() -> None:
    desk = Desk()
    with pytest.raises(CallNotOpenError, match="There is no call 7"):
        desk.person("Bo", "take", 7)
    desk.table("t1", True)
    desk.person("Bo", "finish", 1)
    with pytest.raises(CallNotOpenError, match="The call of t1 is done; Bo said so"):
        desk.person("Cy", "take", 1)
    assert len(desk.record.lines_by_stream["calls"]) == 2


WORDS = st.tuples(st.sampled_from(["wanted", "came", "take", "finish"]), st.integers(1, 3), st.integers(1, 12))


@given(st.lists(WORDS, max_size=40))
def test_whatever_is_said_a_table_calls_once_at_most_and_the_lines_give_the_same(
    words: list[tuple[str, int, int]],
) -> None:
    desk = Desk()
    for word, table, number in words:
        desk.time += 1
        if word in ("wanted", "came"):
            desk.table(f"t{table}", word == "wanted")
        else:
            try:
                desk.person("Bo", word, number)
            except CallNotOpenError:
                continue
    tables = [call.table for call in desk.calls.open_calls]
    assert len(tables) == len(set(tables))
    assert [call.called_at for call in desk.calls.open_calls] == sorted(
        call.called_at for call in desk.calls.open_calls
    )
    assert not {call.number for call in desk.calls.open_calls} & {call.number for call in desk.calls.done_calls}
    assert FoldedStream(desk.record, "calls", CallQueue(), apply_call_line).read() == desk.calls


def test_what_is_over_is_bounded_in_memory() -> None:
    desk = Desk()
    for _ in range(MAX_DONE_CALLS + 50):
        desk.table("t1", True)
        desk.table("t1", False)
    assert len(desk.calls.done_calls) == MAX_DONE_CALLS
