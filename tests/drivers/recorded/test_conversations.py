"""Every driver and its far end say, byte for byte, what they said when it was put on record."""

import pytest

from tests.drivers.recorded.conversations import STEPS_PER_DIGEST, list_recorded, read_record

RECORDED = list_recorded()


@pytest.mark.parametrize("name", RECORDED)
def test_a_conversation_is_as_it_is_on_record(name: str) -> None:
    for number, (now, then) in enumerate(zip(RECORDED[name](), read_record()[name], strict=True), start=1):
        place = f"vector {number}" if name.endswith("-vectors") else f"step {number * STEPS_PER_DIGEST}"
        assert now == then, f"it is another one up to {place}: tests/drivers/recorded/conversations.py"


def test_every_conversation_is_on_record_and_nothing_else() -> None:
    assert list(read_record()) == list(RECORDED)
