"""The closes of the drop: every chip is in one of them, whatever comes late, is given back, or is told twice."""

from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from room.floor.drop_closes import (
    DROP_STREAM,
    EARLIER,
    MAX_DAYS,
    MAX_EXCUSES,
    NOTHING,
    BoxExcuse,
    DayAndTable,
    DropCloses,
    DropTotal,
    add_up,
    apply_drop_line,
    make_close_line,
)
from room.record.room_record import RecordLine

DAYS = [f"2027-0{month}-{day:02}" for month in (1, 2, 3, 4, 5) for day in (1, 2, 15, 28)]
Dropped = dict[DayAndTable, DropTotal]


def enter(closes: DropCloses, *words: Mapping[str, Any]) -> DropCloses:
    for word in words:
        number = 1 + (closes.closes[-1].number if closes.closes else 0)
        closes = apply_drop_line(closes, RecordLine(DROP_STREAM, number, 100.0 * number, "Bo", word))
    return closes


def close(closes: DropCloses, day: str, dropped: Dropped) -> DropCloses:
    return enter(closes, make_close_line(day, closes.compute_untaken(dropped, day), (), {}))


def sum_table(sums: Sequence[tuple[DayAndTable, DropTotal]], table: str) -> DropTotal:
    return add_up(amount for (_, of), amount in sums if of == table)


AMOUNTS = st.builds(DropTotal, st.integers(-50, 500), st.integers(0, 40), st.integers(0, 3))
STEPS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(DAYS), st.sampled_from(["t1", "t2"]), AMOUNTS),
        st.sampled_from(DAYS),
    ),
    max_size=30,
)


@settings(max_examples=300)
@given(STEPS)
def test_all_closes_together_are_what_all_tables_dropped_up_to_the_last_of_them(steps: list[Any]) -> None:
    dropped: Dropped = {}
    closes, lines = DropCloses(), []
    for step in steps:
        match step:
            case (day, table, amount):  # a table plays, or tells late what it played, or has given some back
                dropped[day, table] = dropped.get((day, table), NOTHING).plus(amount)
            case day:
                if closes.find_obstacle(day, DAYS[-1], dropped) is None:
                    closes = close(closes, day, dropped)
                    lines.append(closes.closes[-1])
                    assert not closes.compute_untaken(dropped, day), "a close leaves nothing behind that was known"
    last = closes.last_closed_day
    for table in ("t1", "t2"):
        taken = [pair for each in lines for pair in each.taken.items()]
        taken += closes.compute_untaken(dropped, last).items()  # what has come since: the next close has it
        assert sum_table(taken, table) == sum_table([pair for pair in dropped.items() if pair[0][0] <= last], table)
    assert [each.day for each in lines] == sorted({each.day for each in lines}), "each day once, in order"


def test_what_comes_after_the_close_goes_into_the_next_under_its_own_day() -> None:
    dropped: Dropped = {("2027-01-01", "t1"): DropTotal(100, 10), ("2027-01-01", "t2"): DropTotal(40, 4)}
    closes = close(DropCloses(), "2027-01-01", dropped)
    assert closes.closes[-1].total == DropTotal(140, 14)
    dropped["2027-01-01", "t3"] = DropTotal(25, 5)  # it was away
    dropped["2027-01-01", "t1"] = DropTotal(97, 10)  # a hand was amended, and gave 3 back
    dropped["2027-01-02", "t1"] = DropTotal(60, 6, 1)
    late = {("2027-01-01", "t1"): DropTotal(-3, 0), ("2027-01-01", "t3"): DropTotal(25, 5)}
    assert closes.compute_untaken(dropped, "2027-01-01") == late
    gone = {key: amount for key, amount in dropped.items() if key != ("2027-01-01", "t2")}
    assert closes.compute_untaken(gone, "2027-01-01") == {**late, ("2027-01-01", "t2"): DropTotal(-40, -4)}
    closes = close(closes, "2027-01-02", dropped)
    last = closes.closes[-1]
    assert dict(last.taken) == {**late, ("2027-01-02", "t1"): DropTotal(60, 6, 1)}
    assert (last.late_total, last.total) == (DropTotal(22, 5), DropTotal(82, 11, 1))
    assert closes.compute_untaken(dropped, "2027-01-02") == {}


def test_a_day_is_closed_once_in_its_order_and_not_before_it_begins() -> None:
    dropped: Dropped = {("2027-01-01", "t1"): DropTotal(1, 1), ("2027-01-02", "t1"): DropTotal(1, 1)}
    closes = close(DropCloses(), "2027-01-01", dropped)
    for day, text in (
        ("2027-01-01", "2027-01-01 is closed already, by Bo"),
        ("2026-12-31", "2026-12-31 lies before the last close, of 2027-01-01; what is left goes into the next one"),
        ("2027-01-16", "2027-01-16 has not begun; today is 2027-01-15"),
        ("2027-01-15", "2027-01-02 is not closed yet; close the days in their order"),
    ):
        obstacle = closes.find_obstacle(day, "2027-01-15", dropped)
        assert obstacle is not None
        assert obstacle.text == text
    assert closes.find_obstacle("2027-01-02", "2027-01-15", dropped) is None
    again = close(closes, "2027-01-01", {**dropped, ("2027-01-01", "t1"): DropTotal(9, 9)})
    assert again == closes, "a second line changes nothing, whoever wrote it"
    assert DropCloses().find_obstacle("2027-01-02", "2027-01-15", dropped) is None
    first = close(DropCloses(), "2027-01-02", dropped)
    assert first.closes[-1].total == DropTotal(2, 2), "a room that has never closed takes all that was before"


def test_days_and_excuses_are_bounded_and_old_days_are_one_sum() -> None:
    dropped: Dropped = {}
    closes = DropCloses()
    for number in range(MAX_DAYS + 20):
        day = f"2027-{1 + number // 28:02}-{1 + number % 28:02}"
        dropped[day, "t1"] = DropTotal(10, 1)
        closes = close(closes, day, dropped)
    assert len(closes.closes) == MAX_DAYS
    assert len(closes.taken) <= MAX_DAYS + 2
    assert closes.taken[EARLIER, "t1"].chips > 0
    assert closes.compute_untaken(dropped, "2027-12-31") == {}
    dropped["2027-01-01", "t2"] = DropTotal(7, 1)  # of a day that is told apart no more
    assert closes.compute_untaken(dropped, "2027-12-31") == {(EARLIER, "t2"): DropTotal(7, 1)}
    words = [{"do": "excuse", "day": "2028-01-01", "table": f"t{n}", "why": "lost"} for n in range(MAX_EXCUSES + 5)]
    assert len(enter(closes, *words).excuse_by_day_and_table) == MAX_EXCUSES


def test_an_excuse_is_of_its_day_and_goes_with_its_close() -> None:
    word = {"do": "excuse", "day": "2027-01-02", "table": "t1", "why": "locked up"}
    closes = enter(DropCloses(), word, {**word, "table": "t2", "why": ""}, {**word, "day": "soon"})
    assert dict(closes.excuse_by_day_and_table) == {("2027-01-02", "t1"): BoxExcuse("locked up", "Bo")}
    closes = close(closes, "2027-01-01", {})
    assert closes.excuse_by_day_and_table
    closes = close(closes, "2027-01-02", {})
    assert not closes.excuse_by_day_and_table
    assert enter(closes, word) == closes, "the day is closed"
