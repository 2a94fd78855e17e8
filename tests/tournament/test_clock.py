"""The tournament clock: levels, breaks, pauses."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.schedule_file import load_schedule
from controller.core.tournament.tournament_clock import ClockError, ClockStage, TournamentClock, schedule_spans

T2000 = load_schedule("T2000")
MINUTE = 60.0


def test_levels_and_breaks() -> None:
    """Level 3 ends after 90 minutes, a break of 20 follows, then level 4."""
    clock = TournamentClock(T2000).start(1000.0)
    at = [clock.read(1000.0 + minutes * MINUTE) for minutes in (0, 29.5, 30, 89, 90, 109, 110)]
    assert [(seen.stage, seen.level_index) for seen in at] == [
        (ClockStage.LEVEL, 0),
        (ClockStage.LEVEL, 0),
        (ClockStage.LEVEL, 1),
        (ClockStage.LEVEL, 2),
        (ClockStage.BREAK, 2),
        (ClockStage.BREAK, 2),
        (ClockStage.LEVEL, 3),
    ]
    assert (at[3].left_s, at[3].to_break_s) == (60.0, 60.0)
    assert at[4].left_s == 20 * MINUTE
    assert at[6].to_break_s == 80 * MINUTE


def test_before_and_after() -> None:
    clock = TournamentClock(T2000)
    assert clock.read(5.0).stage is ClockStage.WAITING
    assert clock.read(5.0).to_break_s == 90 * MINUTE
    over = clock.start(0.0).read(9 * 60 * MINUTE)
    assert (over.stage, over.level_index, over.left_s, over.to_break_s) == (ClockStage.OVER, 19, 0.0, None)


def test_pause() -> None:
    """FC-10.moving.1, FC-10.final: the clock stands while a player moves and while the final table is formed."""
    clock = TournamentClock(T2000).start(0.0).pause(10 * MINUTE)
    assert clock.read(500 * MINUTE).left_s == 20 * MINUTE
    assert clock.resume(500 * MINUTE).read(505 * MINUTE).left_s == 15 * MINUTE


@pytest.mark.parametrize("word", ["pause", "resume"])
def test_commands_that_make_no_sense(word: str) -> None:
    with pytest.raises(ClockError):
        getattr(TournamentClock(T2000), word)(0.0)
    running = TournamentClock(T2000).start(0.0)
    with pytest.raises(ClockError, match="started already"):
        running.start(1.0)
    with pytest.raises(ClockError, match="not paused"):
        running.resume(1.0)


def test_events_for_the_table() -> None:
    """Each level is handed to the table once, when it begins; a break has none; late readings catch up."""
    clock, level, told = TournamentClock(T2000).start(0.0), 0, []
    for minutes in (29, 30, 31, 89, 95, 109, 110, 190):
        told.append(clock.count_due_levels(minutes * MINUTE, level))
        level += told[-1]
    assert told == [0, 1, 0, 1, 0, 0, 1, 4 - 1]
    assert clock.count_due_levels(190 * MINUTE, level) == 0
    assert clock.count_due_levels(190 * MINUTE, level + 1) == 0


def test_level_by_hand() -> None:
    """A director who moves on early begins the next level whole; a clock that stands still stays so."""
    clock = TournamentClock(T2000).start(0.0).set_to_level(1, 10 * MINUTE)
    assert (clock.read(10 * MINUTE).level_index, clock.read(10 * MINUTE).left_s) == (1, 30 * MINUTE)
    still = clock.pause(15 * MINUTE).set_to_level(3, 20 * MINUTE)
    assert (still.read(99 * MINUTE).level_index, still.read(99 * MINUTE).left_s) == (3, 20 * MINUTE)


@given(st.floats(0, 30_000), st.floats(0, 30_000))
def test_time_never_runs_backwards(first: float, second: float) -> None:
    clock = TournamentClock(load_schedule("T100000")).start(0.0)
    earlier, later = sorted((first, second))
    assert clock.read(earlier).level_index <= clock.read(later).level_index
    assert clock.count_due_levels(earlier, clock.read(earlier).level_index) == 0


def test_spans_cover_all_time() -> None:
    found = list(schedule_spans(T2000))
    assert all(before.ends_at_s == after.begins_at_s for before, after in pairwise(found))
    assert found[-1].ends_at_s == 7 * 3600 + 15 * 60
