"""A check that the clock made is an act of the record like any other, whatever event let the table notice it."""

from typing import Any

import pytest

from controller.records import phh
from controller.records.hand_record import HandRecord
from tests.records.simulated import Room
from tests.records.test_phh import NO_LIMIT, last_stacks, read


def on_the_flop() -> Room:
    """Four have called under TDA's rules; time is called on seat 2, who is first and faces no bet, until second 130."""
    seats = [{"seat": seat, "stack": 200} for seat in (1, 2, 3, 4)]
    room = Room(1, rulebook="tda-2024", game="holdem", betting=NO_LIMIT, seats=seats, button=1)
    room.start()
    for _ in range(8):
        room.card()
    for seat, do in ((4, "call"), (1, "call"), (2, "call"), (3, "check")):
        room.say(ev="act", seat=seat, do=do)
    for _ in range(4):
        room.card()
    room.say(ev="clock", seat=2, t=100)
    return room


def fold_to_bet(room: Room) -> HandRecord:
    """All others fold to seat 3's bet."""
    room.say(ev="act", seat=3, do="bet", to=10, t=200)
    for seat in (4, 1, 2):
        room.say(ev="act", seat=seat, do="fold")
    room.say(ev="done")
    return room.records[-1]


def bet_and_win(room: Room) -> None:
    """Seat 2 bets, and all others fold."""
    room.say(ev="act", seat=2, do="bet", to=20)
    for seat in (3, 4, 1):
        room.say(ev="act", seat=seat, do="fold")
    room.say(ev="done")


NOTICED: list[dict[str, Any]] = [
    {"ev": "time", "t": 130},
    {"ev": "act", "seat": 2, "do": "bet", "to": 20, "t": 140},
]
"""What let the table notice that the time of seat 2 was over: time alone, or a bet that came too late."""

ON_THE_FLOP = [(2, "check"), (3, "bet"), (4, "fold"), (1, "fold"), (2, "fold")]


def flop_of(record: HandRecord) -> list[tuple[int, str]]:
    return [(act.seat, act.action_type.value) for act in record.actions][4:]


@pytest.mark.parametrize("noticed", NOTICED)
def test_a_check_at_time_out_is_an_act_of_the_record(noticed: dict[str, Any]) -> None:
    """Time alone has passed, or the player bet too late: seat 2 has checked, by the entry that came then.

    Covers: TDA-29
    """
    room = on_the_flop()
    room.say(**noticed)
    record = fold_to_bet(room)
    assert flop_of(record) == ON_THE_FLOP
    assert record.actions[4].entry == room.entry - 5
    content = phh.build_fields(record)
    assert content["_regular"]
    assert last_stacks(read(phh.render_text(content))) == content["finishing_stacks"]


def test_the_next_player_acts_before_the_clock_is_looked_at() -> None:
    """One entry, two acts: the check of seat 2, and the bet that came after its time."""
    record = fold_to_bet(on_the_flop())
    assert flop_of(record) == ON_THE_FLOP
    assert [ruled.action_count for ruled in record.rulings] == [5]


@pytest.mark.parametrize("later", [[], [{"ev": "time", "t": 150}]])
@pytest.mark.parametrize("noticed", NOTICED)
def test_a_check_that_the_floor_sets_aside_was_none(noticed: dict[str, Any], later: list[dict[str, Any]]) -> None:
    """`play-on` after the clock has run out, also some time after a bet that came too late: seat 2 is still to act."""
    room = on_the_flop()
    for line in (noticed, *later):
        room.say(**line)
    room.say(ev="floor", decide="play-on", who="Floor", why="asked in vain")
    bet_and_win(room)
    assert flop_of(room.records[-1])[0] == (2, "bet")


def test_an_act_that_comes_after_the_hand_is_dead_is_none() -> None:
    """Seat 3 faces a bet and calls too late: its hand is dead, and the record has no call of it."""
    room = on_the_flop()
    room.say(ev="act", seat=2, do="bet", to=20, t=110)
    room.say(ev="clock", seat=3)
    room.say(ev="act", seat=3, do="call", t=150)
    for seat in (4, 1):
        room.say(ev="act", seat=seat, do="fold")
    room.say(ev="done")
    assert (3, "call") not in flop_of(room.records[-1])


def test_a_decision_that_comes_after_the_time_sets_the_time_out_aside() -> None:
    """One entry, the end of the time and `play-on`: it is as two entries would be."""
    room = on_the_flop()
    room.say(ev="floor", decide="play-on", who="Floor", why="asked in vain", t=140)
    bet_and_win(room)
    assert flop_of(room.records[-1])[0] == (2, "bet")
    assert [ruled.ruling.finding for ruled in room.records[-1].rulings] == ["floor"]
