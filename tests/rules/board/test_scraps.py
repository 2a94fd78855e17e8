"""Boxed cards and jokers are no cards of the deal: other remedies count, replace and burn as if they had not come."""

from typing import Any

import pytest

from tests.playing import play
from tests.rules.boards import BOOKS, error
from tests.rules.deals import plan

BOXED = {"ev": "card", "card": "Ks", "face": "up"}
NOT_AU = tuple(book for book in BOOKS if book != "casino-au")


@pytest.mark.parametrize("scrap", [BOXED, {"ev": "card", "card": "joker"}])
@pytest.mark.parametrize("report", ["boxed", "joker where=hand", "wrong-seat seat=4", "short-hand seat=2"])
@pytest.mark.parametrize("steps", ["", "done"])
def test_a_scrap_of_paper_is_ruled_on_once(scrap: dict[str, Any], report: str, steps: str) -> None:
    """What else is said of it, before it is put away or then, changes nothing; HR's is in the stub again."""
    for book in NOT_AU:
        played = play(book, "start", scrap)
        if steps:
            played(steps)
        was = plan(played)
        played(f"report {report}")
        if not (steps and report.startswith("short-hand")):
            assert error(played) in ("already-ruled", "no-card")
            assert plan(played) == was
