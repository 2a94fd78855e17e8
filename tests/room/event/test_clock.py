"""One clock of the event, and tables that are ahead or behind."""

from dataclasses import replace

import pytest

from config import schedule_file
from room.record.room_record import RecordLine
from room.tournament.clock_deviation import find_deviations
from room.tournament.line_handlers import apply_tournament_line
from room.tournament.schedule_codec import from_json, to_json
from room.tournament.tournament_state import RoomTournament
from room.tournament.tournament_table_view import TableTimer, TournamentTableView
from tests.room.event.test_entries import apply_line, start_tournament
from tests.room.event.test_story import Evening

MINUTE = 60.0


@pytest.fixture(scope="module")
def event() -> RoomTournament:
    """Started at second 100, at tables that have no duties open; a level of T2000 has 30 minutes."""
    return Evening().event


def make_table_views(timer: TableTimer | None, now: float) -> dict[str, TournamentTableView]:
    return {"a": TournamentTableView(1, 1, True, False, {}, timer=timer, seen_at=now)}


@pytest.mark.parametrize(
    ("minutes", "timer", "lines", "said"),
    [
        (10, TableTimer("level", 1, 20 * MINUTE, True), None, ""),
        (10, TableTimer("level", 1, 19 * MINUTE, True), [{"ev": "timer", "set": "pause"}], "60 seconds ahead"),
        (10, TableTimer("level", 1, 19 * MINUTE, False), [], "ahead, in level 1, and waits"),
        (10, TableTimer("level", 1, 22 * MINUTE, True), [], "120 seconds behind: the next level brings it up"),
        (10, TableTimer("level", 1, 20 * MINUTE, False), [{"ev": "timer", "set": "resume"}], "stands still"),
        (31, TableTimer("level", 1, 2 * MINUTE, True), [{"ev": "level"}], "before level 2: it is brought there"),
        (29, TableTimer("level", 2, 29 * MINUTE, True), [{"ev": "timer", "set": "pause"}], "in level 2"),
        (10, None, [{"ev": "timer", "set": "start"}], "keeps no time"),
    ],
)
def test_who_is_ahead_and_who_behind(
    event: RoomTournament, minutes: int, timer: TableTimer | None, lines: list[dict[str, str]] | None, said: str
) -> None:
    now = 100.0 + minutes * MINUTE
    found = find_deviations(event, now, make_table_views(timer, now))
    if lines is None:
        assert found == ()
        return
    assert [dict(line) for line in found[0].script_lines] == lines
    assert said in found[0].text


def test_a_timer_that_was_not_heard_for_long_ran_on_meanwhile(event: RoomTournament) -> None:
    """The link was lost for ten minutes: what it showed then comes to what the event's clock shows now."""
    now = 100.0 + 20 * MINUTE
    heard = make_table_views(TableTimer("level", 1, 20 * MINUTE, True), now - 10 * MINUTE)
    assert find_deviations(event, now, heard) == ()


def test_a_timer_that_stands_still_does_not_run_on_while_it_is_not_heard(event: RoomTournament) -> None:
    """In a pause a table says nothing for an hour: it stands where the event does, or as far behind as it said."""
    paused = apply_line(event, at=100.0 + 20 * MINUTE, do="pause")
    for left, ahead in ((10, None), (12, -120.0)):
        heard = make_table_views(TableTimer("level", 1, left * MINUTE, False), 100.0 + 20 * MINUTE)
        found = find_deviations(replace(paused, instruction_by_number={}), 100.0 + 80 * MINUTE, heard)
        assert [each.ahead_s for each in found] == ([] if ahead is None else [ahead])


def test_a_clock_that_is_set_back_moves_no_event(event: RoomTournament) -> None:
    later = apply_tournament_line(event, RecordLine("event:1", event.line_number + 1, 1.0, "Dee", {"do": "pause"}))
    assert later.last_line_at == event.last_line_at


def test_a_schedule_in_a_line_is_the_schedule() -> None:
    for name in schedule_file.list_schedules():
        schedule = schedule_file.load_schedule(name)
        found = from_json(to_json(schedule))
        assert [level.following_break for level in found.levels] == [level.following_break for level in schedule.levels]
        assert [level.opening_stakes(limit=True) for level in found.levels] == [
            level.opening_stakes(limit=True) for level in schedule.levels
        ]
    with pytest.raises(ValueError, match="one level or more"):
        from_json({"levels": []})


def test_the_hand_on_which_hand_for_hand_ends_takes_its_minutes_as_at_the_tables() -> None:
    """Each of two tables has played that one hand, and taken two minutes off by itself [TDA-RP-8-B]."""
    event = start_tournament("Ana", "Ben", "Cem", "Dan", "Eve", "Fay", capacity=6)
    event = apply_line(apply_line(event, do="hand-for-hand", on=True), do="hand-for-hand", on=False)
    assert event.progress is not None
    assert event.progress.clock.read(100.0).elapsed_s == 0.0, "it was announced, and no hand was played"
    event = apply_line(apply_line(event, do="hand-for-hand", on=True), do="eliminate", player="Ben", hand=7, stack=2000)
    event = apply_line(event, do="hand-for-hand", on=False)
    assert event.progress is not None
    assert event.progress.clock.read(160.0).elapsed_s == 2 * MINUTE + 60


def test_the_clock_stands_still_when_all_is_played_and_no_table_is_apart() -> None:
    event = start_tournament("Ana", "Ben")
    now = 100.0 + 10 * MINUTE
    assert find_deviations(event, now, make_table_views(TableTimer("level", 1, 5 * MINUTE, True), now)) == ()
    event = replace(event, instruction_by_number={})
    assert find_deviations(event, now, make_table_views(TableTimer("level", 1, 5 * MINUTE, True), now))
    event = apply_line(event, at=now, do="eliminate", player="Ben", hand=7, stack=2000)
    assert find_deviations(event, now, make_table_views(TableTimer("level", 1, 5 * MINUTE, True), now)) == ()
    assert event.progress is not None
    assert not event.progress.clock.read(now).is_running
