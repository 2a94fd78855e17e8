"""Every limit of this part is the one on record: a change of one is a decision, and is written down."""

from tests.recorded_limits import read_limits, render_limits


def test_limits_are_those_on_record() -> None:
    assert render_limits("runtime").splitlines() == read_limits("runtime").splitlines(), (
        "python -m tests.recorded_limits"
    )
