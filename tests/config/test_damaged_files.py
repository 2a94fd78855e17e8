"""A damaged file is read as before or refused in one sentence, which names it: each answer is the one on record."""

import pytest

from tests.config.damaged_files import ANSWERS, list_cases, read_answers


@pytest.mark.parametrize("case", list_cases())
def test_damage_is_answered_as_on_record(case: str) -> None:
    ANSWERS.compare(case, read_answers(case))


def test_every_case_on_record_is_asked() -> None:
    assert set(ANSWERS.digests_by_case) == set(list_cases())
