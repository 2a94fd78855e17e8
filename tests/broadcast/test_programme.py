"""When each picture goes on air."""

from dataclasses import replace

import pytest

from controller.records.broadcast.frame_schedule import (
    LAST_FRAME_DURATION_S,
    MAX_FRAME_DURATION_S,
    MAX_WAITING_HANDS,
    FrameSchedule,
)
from controller.records.broadcast.hand_frames import Frame, build_frames
from tests.broadcast.hand import a_whole_hand

FRAMES = build_frames(a_whole_hand())
LONG = FRAMES[-1].table_time_s - FRAMES[0].table_time_s


def make_timed_frames(*at: float) -> list[Frame]:
    return [replace(FRAMES[0], table_time_s=when) for when in at]


def collect_aired_frames(programme: FrameSchedule, begin: float, end: float) -> list[tuple[float, Frame | None]]:
    """Everything that goes on air, with its time."""
    found, now = [], begin
    while now <= end:
        changes, frame = programme.take_due_frame(now)
        if changes:
            found.append((now, frame))
        following = programme.find_next_time(now)
        if following is None:
            break
        now = max(following, now)
    return found


def test_a_hand_goes_at_its_own_pace() -> None:
    programme = FrameSchedule()
    programme.schedule_replay(FRAMES)
    found = collect_aired_frames(programme, 1000.0, 2000.0)
    assert [frame for _, frame in found] == [*FRAMES, None]
    assert [when - 1000 for when, _ in found[:-1]] == [frame.table_time_s - FRAMES[0].table_time_s for frame in FRAMES]
    assert found[-1][0] == found[-2][0] + LAST_FRAME_DURATION_S


def test_nobody_watches_a_table_stand_still() -> None:
    programme = FrameSchedule()
    programme.schedule_replay(make_timed_frames(0, 5, 500))
    assert [when for when, _ in collect_aired_frames(programme, 0.0, 1000.0)][:3] == [0, 5, 5 + MAX_FRAME_DURATION_S]


def test_the_next_hand_waits_for_the_end_of_the_one_before() -> None:
    programme = FrameSchedule()
    programme.schedule_replay(make_timed_frames(0, 100))
    programme.schedule_replay(make_timed_frames(200, 205))
    assert [when for when, _ in collect_aired_frames(programme, 0.0, 1000.0)] == [0, 20, 28, 33, 41]


def test_hands_that_wait_are_bounded_and_the_newest_stay() -> None:
    programme = FrameSchedule()
    for number in range(50):
        programme.schedule_replay([replace(FRAMES[0], hand_number=number)])
    numbers = [frame.hand_number for _, frame in collect_aired_frames(programme, 0.0, 10_000.0) if frame is not None]
    assert numbers == list(range(50 - MAX_WAITING_HANDS, 50))


def test_pictures_with_a_time_of_their_own_come_then() -> None:
    programme = FrameSchedule()
    programme.schedule_frame(10.0, FRAMES[0])
    programme.schedule_frame(12.0, FRAMES[-1])
    assert collect_aired_frames(programme, 0.0, 100.0) == [
        (10.0, FRAMES[0]),
        (12.0, FRAMES[-1]),
        (12.0 + LAST_FRAME_DURATION_S, None),
    ]


def test_the_next_hand_takes_the_air_from_the_last_picture() -> None:
    programme = FrameSchedule()
    programme.schedule_frame(10.0, FRAMES[-1])
    programme.schedule_frame(11.0, FRAMES[0])
    assert collect_aired_frames(programme, 0.0, 100.0) == [(10.0, FRAMES[-1]), (11.0, FRAMES[0])]


def test_what_is_withdrawn_never_comes() -> None:
    programme = FrameSchedule()
    programme.schedule_frame(10.0, FRAMES[0])
    programme.schedule_replay(FRAMES)
    programme.cancel_all()
    assert programme.find_next_time(0.0) is None
    assert collect_aired_frames(programme, 0.0, 100.0) == []


@pytest.mark.parametrize("late", [0.0, 3.0, 1000.0])
def test_of_pictures_that_are_due_together_the_newest_is_shown(late: float) -> None:
    programme = FrameSchedule()
    programme.schedule_replay(FRAMES)
    programme.take_due_frame(0.0)
    _, frame = programme.take_due_frame(LONG + late)
    assert frame is (FRAMES[-1] if late < LAST_FRAME_DURATION_S else None)
