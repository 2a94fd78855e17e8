"""Blinds that adjust, as far as a table does not say it: what a seat owes."""

from controller.core.play.posting.forced_bets import amounts_to_post
from controller.core.values.value import replace
from tests.people.hands import at, hand, places

HR, R7 = "house-rules", "roberts-7"


def test_post_beside_a_regular_blind() -> None:
    """One who buys in again on the small blind and has missed blinds: no more than the opening bet is live.

    Covers: R7-4.blinds.10, R7-4.blinds.12
    """
    stakes = {"structure": "no-limit", "small_blind": 5, "big_blind": 10}
    state = at(R7, 1, 2, 3, betting=stakes).table.outcome.state
    both = replace(state.seating.state_by_seat[2], owes_small_blind=True, owes_big_blind=True)
    assert amounts_to_post(state.setup, both, 0) == (10, 5)
    assert amounts_to_post(state.setup, both, 5) == (5, 10)
    assert amounts_to_post(state.setup, replace(both, owes_big_blind=False), 5) == (5, 0)


def test_away_on_the_first_hand() -> None:
    """Who drew for the button and is away when the first blinds pass owes them.

    Covers: R7-4.blinds.13a, HR-blinds.12.1
    """
    played = at(HR, 1, 2, 4, 5, 6)
    played("away 4")
    assert places(hand(played)) == ([1], [2], [5])
    chair = played.table.outcome.state.seating.state_by_seat[4]
    assert (chair.owes_small_blind, chair.owes_big_blind) == (False, True)
    assert places(hand(played, {"ev": "back", "seat": 4, "post": True})) == ([2], [5], [6])
