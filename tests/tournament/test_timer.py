"""The timer beside a table: what falls due, what it brings, what stands in its way."""

from typing import Any

from controller.core.model.table_state import TableState
from controller.core.play.game_flow import tournament_levels
from controller.core.protocol import script_lines
from controller.core.protocol.events import (
    BreakStarted,
    CardDealt,
    ChipsColouredUp,
    Event,
    LevelAdvanced,
    PlayerSeated,
    TimePassed,
    TimerChanged,
    TournamentEnded,
)
from controller.core.protocol.table_display import Phase
from controller.core.protocol.vocabulary import TimerCommand
from controller.runtime.loop.tournament_timer import MARK_INTERVAL_S, TournamentTimer
from tests.people.hands import at, hand, over
from tests.playing import ScriptedTable

FC, R7 = "fish-n-chips", "roberts-7"
T2000 = {"schedule": "T2000"}
STAKES = {"structure": "no-limit", "small_blind": 5, "big_blind": 10, "chip": 5}


def tournament(book: str = FC, *, stack: int = 2000, **table: Any) -> ScriptedTable:  # noqa: ANN401 (keys of the table line)
    return at(book, 1, 2, 3, 4, stack=stack, betting=STAKES, house=T2000, mode="tournament", **table)


def state(played: ScriptedTable) -> TableState:
    return played.table.outcome.state


def find_due_event(played: ScriptedTable, at_s: float) -> Event | None:
    """What the schedule brings at this second."""
    return tournament_levels.next_timer_event(state(played), at_s)


def say(played: ScriptedTable, **line: Any) -> dict[str, Any]:  # noqa: ANN401 (keys of a line)
    answer = played(line)
    assert "error" not in answer, answer
    return answer


def test_levels_and_breaks_fall_due() -> None:
    """Half an hour a level, a break of twenty minutes after the third, as the schedule prints them."""
    played = tournament()
    assert find_due_event(played, 99.0) is None
    say(played, ev="timer", set="start", t=100.0)
    assert find_due_event(played, 100.0 + 1799.9) is None
    assert find_due_event(played, 100.0 + 1800.0) == LevelAdvanced(is_by_timer=True)
    for _ in range(2):
        say(played, ev="level", due=True, t=100.0 + 5399.0)
    assert find_due_event(played, 100.0 + 5399.9) is None
    assert find_due_event(played, 100.0 + 5400.0) == BreakStarted(is_by_timer=True)
    answer = say(played, ev="break", due=True, t=100.0 + 5400.0)
    assert answer["timer"]["stage"] == "break"
    assert answer["timer"]["then"] == [20, 40, 0]
    assert find_due_event(played, 100.0 + 6599.9) is None
    assert find_due_event(played, 100.0 + 6600.0) == LevelAdvanced(is_by_timer=True)


def test_undo_goes_past_what_the_timer_brought() -> None:
    """The dealer takes back the last entry, not a level that came meanwhile; that falls due again at once."""
    played = tournament()
    say(played, ev="timer", set="start", t=0.0)
    say(played, ev="away", seat=3)
    say(played, ev="level", due=True, t=1800.0)
    say(played, ev="undo")
    assert not state(played).seating.state_by_seat[3].is_away
    assert find_due_event(played, 1800.0) == LevelAdvanced(is_by_timer=True)


def test_MP_7_tourn_11_at_the_break() -> None:
    """Rounded up by the book: the timer brings it once the hand is over, and says what every stack is now.

    Covers: MP-7.tourn.11, FC-10.play.2
    """
    played = in_break(tournament(stack=2015))
    found = find_due_event(played, state(played).time.time_s)
    assert found == ChipsColouredUp(5, 25, is_by_timer=True)
    answer = say(played, **script_lines.format_line(found))
    assert answer["stacks"] == {"1": 2025, "2": 2025, "3": 2025, "4": 2025}
    assert find_due_event(played, state(played).time.time_s) is None
    say(played, ev="level", due=True)
    hand(played)
    assert state(played).setup.stakes.smallest_chip == 25


def in_break(played: ScriptedTable) -> ScriptedTable:
    """The table in the break after level 7 of T2,000."""
    say(played, ev="timer", set="start", t=0.0)
    for _ in range(6):
        say(played, ev="level", due=True, t=11_400.0)
    say(played, ev="break", due=True, t=11_400.0)
    return played


def test_colour_up_waits_for_the_end_of_the_hand() -> None:
    played = tournament(stack=2015)
    say(played, ev="timer", set="start", t=0.0)
    for _ in range(6):
        say(played, ev="level", due=True, t=11_000.0)
    hand(played)
    say(played, ev="break", due=True, t=11_400.0)
    assert find_due_event(played, 11_500.0) is None
    over(played)
    assert find_due_event(played, 11_500.0) == ChipsColouredUp(5, 25, is_by_timer=True)


def test_no_colour_up_falls_due_that_must_be_dealt_or_is_untracked() -> None:
    for played in (tournament(R7), tournament(amounts="untracked")):
        assert find_due_event(in_break(played), 11_400.0) is None


def test_source() -> None:
    """The timer starts with the first hand, marks the time while nothing happens, and brings what the table owes."""
    played = tournament()
    source, idle = TournamentTimer(starts_with_hand=True), TournamentTimer()
    assert source.take_due_event(state(played), 500.0) is None
    hand(played)
    assert idle.take_due_event(state(played), 500.0) is None
    found = source.take_due_event(state(played), 500.0)
    assert found == TimerChanged(TimerCommand.START, is_by_timer=True)
    played.table.handle(TimerChanged(TimerCommand.START, is_by_timer=True, time_s=500.0))
    assert source.take_due_event(state(played), 500.0 + MARK_INTERVAL_S - 0.1) is None
    assert source.take_due_event(state(played), 500.0 + MARK_INTERVAL_S) == TimePassed()
    played.table.handle(TimerChanged(TimerCommand.PAUSE, time_s=501.0))
    assert source.take_due_event(state(played), 900.0) is None


def test_the_timer_of_a_table_that_was_let_go_starts_with_its_next_hand() -> None:
    """Not at once, though hands were dealt there: nobody plays."""
    played = tournament()
    source = TournamentTimer(starts_with_hand=True)
    hand(played)
    played.table.handle(TimerChanged(TimerCommand.START, time_s=500.0))
    over(played)
    players = [(seat, chair.player, chair.stack) for seat, chair in state(played).seating.state_by_seat.items()]
    played.table.handle(TournamentEnded(time_s=600.0))
    assert state(played).tournament.timer is None
    assert source.take_due_event(state(played), 700.0) is None
    for seat, player, stack in players:
        played.table.handle(PlayerSeated(seat, player, stack))
    assert source.take_due_event(state(played), 800.0) is None
    hand(played)
    assert source.take_due_event(state(played), 900.0) == TimerChanged(TimerCommand.START, is_by_timer=True)


def test_what_was_refused_is_not_brought_again() -> None:
    played = tournament()
    hand(played)
    played.table.handle(TimerChanged(TimerCommand.START, time_s=0.0))
    source = TournamentTimer()
    assert source.take_due_event(state(played), 1800.0) == LevelAdvanced(is_by_timer=True)
    assert source.take_due_event(state(played), 1800.1) is None
    played.table.handle(CardDealt(None, time_s=1801.0))
    assert source.take_due_event(state(played), 1801.0) == LevelAdvanced(is_by_timer=True)
    assert state(played).phase is Phase.DEAL
