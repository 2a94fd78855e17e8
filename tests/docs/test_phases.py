"""The diagrams are those of the rows, and every row is taken: by a scenario, a story, or the test that is named."""

from pathlib import Path

from controller.core.engine.handlers.transition_table import ENTRY_ROWS
from tests.core.rows_taken import list_declared
from tests.docs import phases
from tests.docs.rows_not_taken import REASONS, find_rows_not_taken

ROOT = Path(__file__).parents[2]


def test_the_page_is_drawn_from_the_rows() -> None:
    assert phases.PAGE.read_text(encoding="utf-8") == phases.page(), "draw it anew: make phases"


def test_every_row_is_taken_or_has_a_reason() -> None:
    assert set(find_rows_not_taken()) == set(REASONS)


def test_a_reason_that_names_a_test_names_one_that_there_is() -> None:
    for reason in REASONS.values():
        if "::" in reason:
            path, name = reason.split("::")
            text = " ".join((ROOT / path).read_text(encoding="utf-8").split("\n"))
            assert (name if path.endswith(".scn") else f"def {name}(") in text, reason


def test_no_two_rows_take_the_same_event_in_the_same_phase() -> None:
    taken = [(row.event_name, phase) for row in ENTRY_ROWS for phase in row.phases]
    assert len(taken) == len(set(taken))
    assert len(list_declared()) == len(set(list_declared()))
