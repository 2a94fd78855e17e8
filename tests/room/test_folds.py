"""What the room knows after each line of a stream is what it knew when that was put on record, whatever the line."""

import pytest

from tests.room.folds import ANSWERS, CASES, read_answers


@pytest.mark.parametrize("case", CASES)
def test_a_stream_is_folded_as_on_record(case: str) -> None:
    ANSWERS.compare(case, read_answers(case))
