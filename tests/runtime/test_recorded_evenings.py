"""A live table says in whole evenings what it said when they were put on record: each answer, and in its order."""

import pytest

from tests.runtime.evenings import ANSWERS, EVENINGS, play_evening


@pytest.mark.parametrize("name", EVENINGS)
def test_an_evening_is_answered_as_on_record(name: str) -> None:
    ANSWERS.compare(name, play_evening(name))
