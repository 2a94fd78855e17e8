"""A life moves by its rows alone; where none leads on it stays as it is."""

from dataclasses import dataclass
from enum import Enum
from itertools import product
from typing import Any

import pytest

from controller.runtime.devices.device_monitor import DEVICE_LIFE
from controller.runtime.devices.shoe_mouth import MOUTH_LIFE
from controller.runtime.life_cycle import LifeCycle, Move, UndeclaredMoveError
from controller.web.access.session_store import BROWSER_LIFE


class Door(Enum):
    OPEN = "open"
    SHUT = "shut"
    LOCKED = "locked"


@dataclass
class Subject:
    state: Any
    held: frozenset[str] = frozenset()

    def __getattr__(self, condition: str) -> Any:  # noqa: ANN401 - a question with any arguments
        return lambda *_given: condition in self.held


DOOR_LIFE = LifeCycle[Door, str](
    (
        Move("push", Door.OPEN, Door.LOCKED, "has_key", tells="click"),
        Move("push", Door.OPEN, Door.SHUT, tells="bang"),
        Move("push", Door.SHUT, Door.SHUT),
        Move("push", Door.LOCKED, Door.OPEN, "has_key"),
    ),
    Door,
)


def test_the_first_row_whose_condition_holds_is_taken_and_tells() -> None:
    with_key, without = Subject(Door.OPEN, frozenset({"has_key"})), Subject(Door.OPEN)
    assert (DOOR_LIFE.move(with_key, "push"), with_key.state) == ("click", Door.LOCKED)
    assert (DOOR_LIFE.move(without, "push"), without.state) == ("bang", Door.SHUT)
    assert (DOOR_LIFE.move(without, "push"), without.state) == (None, Door.SHUT)


def test_a_condition_is_asked_with_what_the_trigger_was_given() -> None:
    class TimedDoor(Subject):
        def has_key(self, now: float, tag: str) -> bool:
            return (now, tag) == (2.0, "A")

    door = TimedDoor(Door.OPEN)
    assert DOOR_LIFE.move(door, "push", 1.0, "A") == "bang"
    door = TimedDoor(Door.OPEN)
    assert DOOR_LIFE.move(door, "push", 2.0, "A") == "click"


@pytest.mark.parametrize("trigger", ["push", "pull"], ids=["no condition holds", "no row"])
def test_a_move_without_a_row_is_refused_and_leaves_the_state(trigger: str) -> None:
    door = Subject(Door.LOCKED)
    with pytest.raises(UndeclaredMoveError, match=f"{trigger} in Door.LOCKED"):
        DOOR_LIFE.move(door, trigger)
    assert door.state is Door.LOCKED
    one_way = LifeCycle[Door, None]([Move("pull", Door.SHUT, Door.OPEN)], Door)
    with pytest.raises(UndeclaredMoveError):
        one_way.move(door, "pull")
    assert door.state is Door.LOCKED


LIVES: dict[str, tuple[LifeCycle[Any, Any], set[str]]] = {
    "device": (DEVICE_LIFE, set()),
    "mouth": (MOUTH_LIFE, {"clear waited", "passing waited", "moved waited", "read waited"}),
    "browser": (BROWSER_LIFE, {"out signed_out", "out ran_out"}),
}
"""Each life with what is refused in it: everything else has a row."""


@pytest.mark.parametrize("name", LIVES)
def test_every_row_is_taken_and_every_other_pair_refused(name: str) -> None:
    life, expected = LIVES[name]
    conditions = sorted({move.condition for move in life.moves if move.condition})
    taken, refused = set[tuple[str, Enum, Enum, object]](), set[str]()
    for state, trigger in product(life.states, sorted({move.trigger for move in life.moves})):
        for answers in product((False, True), repeat=len(conditions)):
            subject = Subject(state, frozenset(name for name, held in zip(conditions, answers, strict=True) if held))
            try:
                told = life.move(subject, trigger)
            except UndeclaredMoveError:
                assert subject.state is state
                refused.add(f"{state.value} {trigger}")
            else:
                taken.add((trigger, state, subject.state, told))
    assert taken == {(move.trigger, move.source, move.dest, move.tells) for move in life.moves}
    assert refused == expected
    assert len({(move.trigger, move.source, move.condition) for move in life.moves}) == len(life.moves)
