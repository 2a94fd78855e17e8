"""Draw and lowball: antes that stop, draws out of turn, the pot that may be wagered."""

import pytest

from tests.games.playing import table


@pytest.mark.parametrize("read", ["- - - -", "2c 3c 4c 5c"])
def test_R7_11_lowball_1b_unread(read: str) -> None:
    """Two cards exposed at once are a misdeal, of whatever ranks they are and whether or not anything read them."""
    played = table("roberts-7", "lowball-a5", "start", f"card {read}")
    answer = played("report exposed count=2")
    assert [(r["verdict"], r["cite"]) for r in answer["rulings"]] == [("misdeal", ["R7-11.lowball.1b"])]
    played = table("roberts-7", "lowball-a5", "start", f"card {read}", "report looked seat=1")
    assert played("report exposed count=2", {"ev": "time"})["phase"] == "deal"
