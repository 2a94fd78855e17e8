"""What the floor is offered away from the table: a card is turned up only where the table asks for it."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from controller.core.protocol.script_lines import format_line, parse_line
from controller.runtime.loop.table_view import TableView
from controller.web.entries.floor_offers import list_floor_offers

OPTIONS = ["turned-up", "dead-hand", "misdeal"]


def list_lines(*steps: dict[str, Any]) -> list[object]:
    """The lines that are offered where these steps are due, two seats holding cards."""
    table = {"hand": 1, "phase": "floor", "next": list(steps), "piles": {"seats": {"3": 2, "5": 2}}}
    standing = cast("TableView", SimpleNamespace(output_line=table, faults=(), floor_entries=()))
    return [offer["line"] for offer in list_floor_offers(standing)]


@pytest.mark.parametrize("about", [{"seat": 3, "nth": 2}, {"where": "board", "nth": 1}])
def test_the_card_that_the_table_asks_about_is_offered_and_no_other(about: dict[str, Any]) -> None:
    lines = list_lines({"step": "floor", "question": "unseen-upcard", "options": OPTIONS, **about})
    dead = [3] if "seat" in about else [3, 5]
    assert lines == [
        {"ev": "floor", "decide": "turned-up", **about},
        *({"ev": "floor", "decide": "dead-hand", "seat": seat} for seat in dead),
        {"ev": "floor", "decide": "misdeal"},
    ]
    assert format_line(parse_line(cast("dict[str, Any]", lines[0]))) == lines[0], "the table takes the line"


def test_unasked_no_card_is_offered() -> None:
    assert not any("turned-up" in str(line) for line in list_lines({"step": "act", "seat": 3}))
