"""Blinds that adjust: what the random hands of `test_rounds` found, one by one."""

from controller.core.play.posting.forced_bets import amounts_to_post
from controller.core.values.value import replace
from tests.people.hands import at, hand, places, sit

HR, R7 = "house-rules", "roberts-7"


def test_small_blind_again() -> None:
    """All but two leave, a newcomer has the big blind: the button goes to the other one, the small blind comes again.

    The button always moves forward to the next player, and the blinds adjust to it.

    Covers: R7-4.blinds.2, HR-blinds.1
    """
    played = at(HR, 2, 3, 4, 6, button=6)
    assert places(hand(played)) == ([6], [2], [3])
    assert places(hand(played)) == ([2], [3], [4])
    assert places(hand(played)) == ([3], [4], [6])
    assert places(hand(played, "leave 4", "leave 6", sit(7))) == ([2], [3], [7])
    assert places(hand(played)) == ([3], [7], [2])


def test_moving_button_before_the_first_hand() -> None:
    """Whoever was to have the first button has left: it goes on to the next player."""
    played = at(HR, 1, 2, 3, 4)
    played("leave 1")
    assert places(hand(played)) == ([2], [3], [4])
    named = at(HR, 1, 2, 3, 4, button=1, blind_seats={"small": 2, "big": 3})
    named("leave 1")
    assert places(hand(named)) == ([1], [2], [3])


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


def test_moved_between_button_and_blinds() -> None:
    """With a moving button nobody is due because somebody new sits before the blinds; the big blind stands still once.

    Covers: R7-15.tourn.16
    """
    played = at(HR, 1, 3, 5, 7, mode="tournament")
    assert places(hand(played)) == ([1], [3], [5])
    assert places(hand(played, sit(4, moved=True))) == ([3], [4], [5])
    assert places(hand(played)) == ([4], [5], [7])


def test_moved_to_the_chair_of_a_blind() -> None:
    """Who takes the chair of the small blind goes on in its place: the button comes there next.

    Covers: R7-15.tourn.16, FC-10.moving.2
    """
    for book in (HR, R7, "fish-n-chips"):
        played = at(book, 1, 2, 3, 4, 5, mode="tournament")
        hand(played)
        assert places(hand(played, "leave 2", sit(2, moved=True))) == ([2], [3], [4])
        assert places(hand(played)) == ([3], [4], [5])


def test_two_moved_before_the_blinds() -> None:
    """Two at once, as from a broken table: still one big blind."""
    played = at(HR, 1, 3, 6, 8, mode="tournament")
    assert places(hand(played)) == ([1], [3], [6])
    assert places(hand(played, sit(4, "X", moved=True), sit(5, "Y", moved=True))) == ([3], [4], [5])


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
