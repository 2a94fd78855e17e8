"""Who may have hole cards shown sooner than when the hand is over."""

import pytest

from controller.runtime.broadcast.delay_agreement import CONSENT_VALIDITY_S, MAX_DELAY_S, MIN_DELAY_S, DelayAgreement
from controller.runtime.staff.permissions import Role

FLOOR, TECHNICIAN = {"name": "Ada"}, {"name": "Bob"}


def test_it_takes_the_floor_and_a_technician() -> None:
    agreement = DelayAgreement()
    assert agreement.add_consent(300, Role.FLOOR, FLOOR, 0.0) is None
    assert agreement.add_consent(300, Role.FLOOR, {"name": "Cyd"}, 1.0) is None, "two of the floor are not enough"
    assert agreement.add_consent(300, Role.TECHNICIAN, TECHNICIAN, 2.0) == ({"name": "Cyd"}, TECHNICIAN)
    assert agreement.add_consent(300, Role.TECHNICIAN, TECHNICIAN, 3.0) is None, "each agreement needs both again"


def test_both_say_the_same_delay() -> None:
    agreement = DelayAgreement()
    assert agreement.add_consent(300, Role.FLOOR, FLOOR, 0.0) is None
    assert agreement.add_consent(600, Role.TECHNICIAN, TECHNICIAN, 1.0) is None
    assert agreement.add_consent(600, Role.FLOOR, FLOOR, 2.0) == (FLOOR, TECHNICIAN)


def test_a_word_does_not_wait_for_ever() -> None:
    agreement = DelayAgreement()
    agreement.add_consent(300, Role.FLOOR, FLOOR, 0.0)
    assert agreement.add_consent(300, Role.TECHNICIAN, TECHNICIAN, CONSENT_VALIDITY_S) is None


def test_what_is_taken_back_is_forgotten() -> None:
    agreement = DelayAgreement()
    agreement.add_consent(300, Role.FLOOR, FLOOR, 0.0)
    agreement.clear_consents()
    assert agreement.add_consent(300, Role.TECHNICIAN, TECHNICIAN, 1.0) is None


@pytest.mark.parametrize("delay", [-1, 0, 1, MIN_DELAY_S - 1, MAX_DELAY_S + 1])
def test_no_delay_is_shorter_than_most_hands(delay: int) -> None:
    with pytest.raises(ValueError, match=f"{MIN_DELAY_S} to {MAX_DELAY_S} seconds"):
        DelayAgreement().add_consent(delay, Role.FLOOR, FLOOR, 0.0)
