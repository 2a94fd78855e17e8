"""What is said between tables and room is read as on record, or refused in the same words, however it is damaged."""

import pytest

from tests.room_contract.messages import ANSWERS, CASES


@pytest.mark.parametrize("case", CASES)
def test_a_word_is_taken_as_on_record(case: str) -> None:
    ANSWERS.compare(case, CASES[case]())
