"""The delay of a broadcast is agreed on by a floor and a technician who say the same within ten minutes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.runtime.broadcast.delay_agreement import DelayAgreement
from controller.runtime.staff.entry_signature import Signer
from controller.runtime.staff.permissions import Role

SAYS = st.tuples(
    st.sampled_from((Role.FLOOR, Role.TECHNICIAN)),
    st.sampled_from((300, 600, 3600)),
    st.sampled_from((0.0, 599.0, 601.0)),
)


@given(st.lists(SAYS, max_size=12))
@settings(max_examples=50)
def test_two_words_of_one_delay_within_ten_minutes_agree(words: list[tuple[Role, int, float]]) -> None:
    agreement, now = DelayAgreement(), 1000.0
    said: dict[Role, tuple[int, float, Signer]] = {}
    for number, (role, delay, passed) in enumerate(words):
        now += passed
        by = {"name": f"{role.value} {number}"}
        said = {each: word for each, word in said.items() if word[0] == delay and now - word[1] < 600.0}
        said[role] = delay, now, by
        agreed = agreement.add_consent(delay, role, by, now)
        if len(said) == 2:
            assert agreed == (said[Role.FLOOR][2], said[Role.TECHNICIAN][2])
            said = {}
        else:
            assert agreed is None
        assert agreement.list_consents(now) == {each: word[2] for each, word in said.items()}
        assert agreement.delay_s == delay


@pytest.mark.parametrize(("delay", "can_be"), [(299, False), (300, True), (3600, True), (3601, False), (0, False)])
def test_a_delay_lies_between_five_minutes_and_an_hour(delay: int, can_be: bool) -> None:
    agreement = DelayAgreement()
    if can_be:
        assert agreement.add_consent(delay, Role.FLOOR, {}, 0.0) is None
    else:
        with pytest.raises(ValueError, match="300 to 3600 seconds"):
            agreement.add_consent(delay, Role.FLOOR, {}, 0.0)


def test_a_word_of_somebody_who_has_left_holds_no_more() -> None:
    agreement = DelayAgreement()
    agreement.add_consent(300, Role.FLOOR, {"name": "Flo"}, 0.0)
    agreement.drop_invalid_consents(lambda by: by["name"] == "Flo")
    assert agreement.list_consents(1.0) == {Role.FLOOR: {"name": "Flo"}}
    agreement.drop_invalid_consents(lambda by: by["name"] != "Flo")
    assert agreement.add_consent(300, Role.TECHNICIAN, {"name": "Tess"}, 2.0) is None
    agreement.clear_consents()
    assert agreement.list_consents(2.0) == {}
