"""Too many board cards, a flop dealt again, a fouled stub, by the book's clauses."""

import pytest

from tests.rules.boards import (
    before_flop,
    error,
    on_flop,
    on_turn,
    plan,
    preflop,
    ruling,
)

REDEALT = [
    ("roberts-7", False, [], "R7-5.holdem.3"),
    ("casino-au", True, ["burn"], "AU-19.27"),
    ("house-rules", False, ["burn"], "HR-holdem.2"),
    ("fish-n-chips", True, ["burn"], "FC-5.holdem.3"),
    ("maryport", False, [], "MP-5.holdem.3"),
]


@pytest.mark.parametrize(("book", "burn_back", "after", "cite"), REDEALT)
def test_flop_of_five_that_is_wrong_again(book: str, burn_back: bool, after: list[str], cite: str) -> None:
    """The flop that was dealt again has too many cards, too: the same remedy once more, on what lies there now."""
    played = on_flop(book)
    played("card Kc 9d", "report board-extra count=2")
    assert plan(played)[0] == "return board > stub 5"
    while played.lines[-1]["gate"] == "locked":
        played("done")
    played("card 2s 4s Qd", *(["card Kc"] if after else []), "card 7h", "report board-extra")
    assert ruling(played, "board-extra")["cite"][0] == cite
    burns = {"return burn > stub 1"} if burn_back else set()
    assert set(plan(played)) >= {"return board > stub 4", "board flop 3", *burns}
    assert plan(played).count("board flop 3") == 1


def test_board_extra_refused_where_no_card_is_too_many() -> None:
    """No card that the plan did not want has left the shoe, or the board still waits: refused, nothing changes."""
    for played in (preflop("roberts-7"), on_flop("roberts-7"), on_turn("casino-au")):
        before = plan(played)
        played("report board-extra")
        assert (error(played), plan(played)) == ("no-card", before)
    played = before_flop("roberts-7")
    played("card 8h 2s", "report two-exposed")
    assert error(played) == "no-card"
