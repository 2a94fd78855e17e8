"""Who may have hole cards shown sooner than when the hand is over."""

import pytest

from controller.runtime.broadcast.agreement import LONGEST, SHORTEST, TOGETHER_SECONDS, Agreement
from controller.runtime.staff.authority import Role

FLOOR, TECHNICIAN = {"name": "Ada"}, {"name": "Bob"}


def test_it_takes_the_floor_and_a_technician() -> None:
    agreement = Agreement()
    assert agreement.word(300, Role.FLOOR, FLOOR, 0.0) is None
    assert agreement.word(300, Role.FLOOR, {"name": "Cyd"}, 1.0) is None, "two of the floor are not enough"
    assert agreement.word(300, Role.TECHNICIAN, TECHNICIAN, 2.0) == ({"name": "Cyd"}, TECHNICIAN)
    assert agreement.word(300, Role.TECHNICIAN, TECHNICIAN, 3.0) is None, "each agreement needs both again"


def test_both_say_the_same_delay() -> None:
    agreement = Agreement()
    assert agreement.word(300, Role.FLOOR, FLOOR, 0.0) is None
    assert agreement.word(600, Role.TECHNICIAN, TECHNICIAN, 1.0) is None
    assert agreement.word(600, Role.FLOOR, FLOOR, 2.0) == (FLOOR, TECHNICIAN)


def test_a_word_does_not_wait_for_ever() -> None:
    agreement = Agreement()
    agreement.word(300, Role.FLOOR, FLOOR, 0.0)
    assert agreement.word(300, Role.TECHNICIAN, TECHNICIAN, TOGETHER_SECONDS) is None


def test_what_is_taken_back_is_forgotten() -> None:
    agreement = Agreement()
    agreement.word(300, Role.FLOOR, FLOOR, 0.0)
    agreement.forget()
    assert agreement.word(300, Role.TECHNICIAN, TECHNICIAN, 1.0) is None


@pytest.mark.parametrize("delay", [-1, 0, 1, SHORTEST - 1, LONGEST + 1])
def test_no_delay_is_shorter_than_most_hands(delay: int) -> None:
    with pytest.raises(ValueError, match=f"{SHORTEST} to {LONGEST} seconds"):
        Agreement().word(delay, Role.FLOOR, FLOOR, 0.0)
