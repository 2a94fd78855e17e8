"""Nobody deals before all are seated, whatever is lost, slow or late on the way [R7-15.tourn.6, TDA-30]."""

import asyncio
import random
from typing import Any

import pytest

from controller.core.tournament.tournament import TournamentError
from room.tournament.instructions import find_due_instructions
from room.tournament.seating import describe_unseated, find_unseated
from room.tournament.tournament_state import InstructionStatus
from tests.room.event.test_story import NAMES
from tests.room.event.test_two_tournaments import Night, make_tables


def begin_seating(players: int = 12, **more: Any) -> Night:  # noqa: ANN401 - as `Night` has it
    night = Night(make_tables(), 1, players=players, **more)
    night.say(do="start", seats_first=True)
    return night


def deals(night: Night) -> list[str]:
    """The tables at which a hand begins now, if anybody riffles."""
    return [name for name, table in night.tables.items() if table.begin()]


def list_seated(night: Night) -> list[str]:
    return [line["player"] for table in night.tables.values() for line in table.taken if line["ev"] == "sit"]


@pytest.mark.parametrize("seed", range(12))
def test_no_hand_begins_and_no_clock_runs_before_all_are_seated_once(seed: int) -> None:
    """A link is torn or down, the server starts again, somebody comes late: each is seated once, and then all deal."""
    lot = random.Random(seed)
    night = begin_seating(players=9 + seed % 3)
    late = iter(["Late 1", "Late 2"])
    for _ in range(120):
        assert night.event.progress is not None
        if not night.event.seating_by:
            break
        assert not night.event.progress.clock.is_started
        assert deals(night) == []
        assert not any(table.state().get("timer") for table in night.tables.values())
        night.links.down = {name for name in NAMES if lot.random() < 0.3}
        night.links.torn = {name for name in NAMES if lot.random() < 0.2}
        if lot.random() < 0.15:
            night.start_server()
        if lot.random() < 0.1 and (who := next(late, None)):
            seat = lot.choice(night.event.open_seats())
            night.say(do="late-entry", player=who, seat=list(seat))
        night.settle_unasked(1)
    assert night.event.progress is not None
    assert night.event.progress.clock.is_started
    night.links.down, night.links.torn = set(), set()
    night.settle()
    assert sorted(list_seated(night)) == sorted(night.event.progress.entrants), "each once"
    assert night.chairs() == dict(night.event.seat_by_player)
    assert deals(night) == list(NAMES)
    for name, table in night.tables.items():
        dealt = table.played.table.outcome.state.hand_in_play.dealing_order
        assert sorted(dealt) == sorted(night.event.seating_at(name)), "all are dealt in"
        assert table.state()["timer"]["running"]


def test_one_table_that_is_away_is_named_with_who_is_missing_and_the_floor_may_go_on() -> None:
    night = begin_seating()
    night.links.down.add("b")
    night.settle(12)
    missing = night.desk.find_unseated()
    assert set(missing.values()) == {("b", seat) for seat in night.event.seating_at("b")}
    assert describe_unseated(night.event, missing) == "4 of 12 players are not seated yet, at table b"
    assert deals(night) == []
    with pytest.raises(TournamentError, match="4 of 12 players are not seated yet, at table b; `begin` with `anyway`"):
        night.say(do="begin")
    night.say(do="begin", anyway=True)
    night.settle(8)
    assert deals(night) == ["a", "c"]
    for name in ("a", "c"):
        night.tables[name].play_on()
    night.links.down.clear()
    for _ in range(12):
        halted_or_whole = len(night.chairs_at("b")) in (0, 4) or not night.tables["b"].begin()
        assert halted_or_whole, "a table that comes back deals when its own players are seated"
        night.settle(1)
    night.settle()
    assert deals(night) == list(NAMES)
    assert sorted(list_seated(night)) == sorted(f"N1-{number}" for number in range(12))


def test_whom_a_table_refuses_holds_it_up_no_longer_once_the_floor_goes_on() -> None:
    night = begin_seating()
    seat = next(iter(night.event.seating_at("b")))
    night.tables["b"].say({"ev": "sit", "seat": seat, "player": "Stranger", "stack": 5})
    night.settle_unasked(15)
    (duty,) = night.event.instruction_by_number.values()
    assert (duty.status, duty.reason) == (InstructionStatus.REFUSED, "Stranger sits there")
    assert deals(night) == []
    night.say(do="begin", anyway=True)
    night.settle_unasked(12)
    assert deals(night) == list(NAMES)


def test_who_is_not_there_though_the_table_was_told_is_missing_until_somebody_seats_them() -> None:
    """The dealer took the last entry back: the table shows it, and play waits."""
    night = begin_seating()
    asyncio.run(night.desk.step(night.now))
    while night.event.seating_by and len(list_seated(night)) < 12:
        night.settle_unasked(1)
    last = next(name for name in NAMES if len(night.chairs_at(name)) == 4)
    chair = night.chairs_at(last)[-1]
    night.tables[last].say({"ev": "leave", "seat": chair["seat"]})
    assert night.event.seating_by
    night.settle_unasked(8)
    assert list(night.desk.find_unseated()) == [chair["player"]]
    assert find_unseated(night.event) == {}, "the lines do not know it"
    assert deals(night) == []
    assert night.desk.find_busts() == (), "nobody is out before the first hand"
    night.tables[last].say({"ev": "sit", "seat": chair["seat"], "player": chair["player"], "stack": chair["stack"]})
    night.settle()
    assert deals(night) == list(NAMES)


def test_who_has_withdrawn_is_not_seated_and_whoever_takes_the_place_is() -> None:
    night = Night(make_tables(), 1, players=15)
    night.say(do="register", player="Alternate")
    night.say(do="withdraw", player="N1-3")
    night.say(do="start", seats_first=True)
    night.settle()
    assert sorted(list_seated(night)) == sorted({f"N1-{n}" for n in range(15)} - {"N1-3"} | {"Alternate"})
    assert deals(night) == list(NAMES)


@pytest.mark.parametrize(
    "what",
    [
        {"do": "start", "seats_first": True},
        {"do": "pause"},
        {"do": "resume"},
        {"do": "level"},
        {"do": "hand-for-hand", "on": True},
        {"do": "redraw", "tables": ["a"], "draw": [0]},
        {"do": "break", "table": "a", "moves": []},
        {"do": "pay", "player": "N1-0"},
        {"do": "rebuy", "player": "N1-0", "amount": 5},
    ],
)
def test_what_wants_play_to_be_on_is_refused_while_players_are_seated(what: dict[str, Any]) -> None:
    night = begin_seating()
    before = night.event
    with pytest.raises(TournamentError, match=r"players are being seated|the event has started"):
        night.say(**what)
    assert night.event == before
    night.settle()
    with pytest.raises(TournamentError, match="no players are being seated"):
        night.say(do="begin", anyway=True)


def test_a_table_that_is_opened_while_players_are_seated_deals_with_the_others() -> None:
    night = Night(make_tables(), 1, players=2)
    night.say(do="start", seats_first=True)
    (opened,) = set(NAMES) - set(night.event.seat_count_by_table)
    night.say(do="open-table", table=opened, places=5)
    for seat in (1, 2):
        free = [place for place in night.event.open_seats() if place[0] == opened]
        night.say(do="late-entry", player=f"Late {seat}", seat=list(free[0]))
    night.links.down.add(next(name for name in night.event.seat_count_by_table if name != opened))
    night.settle_unasked(10)
    assert deals(night) == [], "not at the table that was opened either"
    night.links.down.clear()
    night.settle()
    assert opened in deals(night)


def test_an_event_that_is_broken_off_while_players_are_seated_lets_its_tables_go() -> None:
    night = begin_seating()
    night.links.down.add("c")
    night.settle(6)
    night.say(do="close", abandon=True)
    night.links.down.clear()
    night.settle()
    assert not night.event.held_tables
    assert not night.event.seating_by
    assert not any(night.chairs_at(name) for name in NAMES)
    assert not any(table.state()["next"] for table in night.tables.values())


def test_a_table_is_halted_before_anybody_is_seated_and_goes_on_after_all_of_its_own() -> None:
    night = begin_seating()
    assert [dict(duty.script_line) for duty in find_due_instructions(night.event)] == [{"ev": "halt"}] * 3
    night.say(do="begin", anyway=True)
    due = [duty.script_line for duty in find_due_instructions(night.event)]
    assert due == [{"ev": "halt"}] * 3 + [{"ev": "timer", "set": "start"}] * 3
