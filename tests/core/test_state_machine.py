"""A machine takes the first row that holds, and refuses every move that no row declares."""

from enum import Enum
from types import SimpleNamespace

import pytest

from controller.core.values.state_machine import StateMachine, TransitionRow, UndeclaredTransitionError


class Light(Enum):
    RED = "red"
    GREEN = "green"


def is_wet(street: SimpleNamespace) -> bool:
    return bool(street.wet)


def dry(street: SimpleNamespace) -> None:
    street.wet = False


def make_machine(*rows: TransitionRow[Light, SimpleNamespace]) -> StateMachine[Light, SimpleNamespace]:
    return StateMachine({"go_on": rows}, Light)


def test_the_first_row_that_holds_is_taken() -> None:
    machine = make_machine(
        TransitionRow(Light.RED, Light.RED, (is_wet,), (dry,)), TransitionRow(Light.RED, Light.GREEN, (), ())
    )
    street = SimpleNamespace(stage=Light.RED, wet=True)
    machine.move(street, "go_on")
    assert (street.stage, street.wet) == (Light.RED, False)
    machine.move(street, "go_on")
    assert street.stage is Light.GREEN


@pytest.mark.parametrize(("stage", "wet"), [(Light.GREEN, True), (Light.RED, False)], ids=["no row", "none holds"])
def test_a_move_without_a_row_is_a_mistake_and_moves_nothing(stage: Light, wet: bool) -> None:
    machine = make_machine(TransitionRow(Light.RED, Light.GREEN, (is_wet,), (dry,)))
    street = SimpleNamespace(stage=stage, wet=wet)
    with pytest.raises(UndeclaredTransitionError, match=f"no row leads on from {stage}"):
        machine.move(street, "go_on")
    assert (street.stage, street.wet) == (stage, wet)
