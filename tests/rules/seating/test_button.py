"""Where the button and the blinds go, a test a rule."""

import pytest

from config.rulebook_file import load_rulebook
from controller.core.play.seating import button
from tests.people.hands import at, hand, over, places, receiving, sit
from tests.playing import play

FC, R7, HR, AU, MP = "fish-n-chips", "roberts-7", "house-rules", "casino-au", "maryport"


def fc(*busts: int) -> list[tuple[list[int], list[int], list[int]]]:
    """Four hands of FC's examples: button P1, blinds P2 and P3; the players of `busts` go broke in hand 1."""
    played = play(FC, seats=6)
    found = [places(hand(played))]
    over(played)
    played(*(f"leave {seat}" for seat in busts))
    found += [places(hand(played)) for _ in range(3)]
    return found


def test_FC_4_blinds_2_ex1() -> None:
    """The dealer busts: nothing is dead."""
    assert fc(1) == [([1], [2], [3]), ([2], [3], [4]), ([3], [4], [5]), ([4], [5], [6])]


def test_FC_4_blinds_2_ex2() -> None:
    """The small blind busts: the button is dead once."""
    assert fc(2) == [([1], [2], [3]), ([2], [3], [4]), ([3], [4], [5]), ([4], [5], [6])]


def test_FC_4_blinds_2_ex3() -> None:
    """The big blind busts: no small blind in hand 2, a dead button in hand 3."""
    assert fc(3) == [([1], [2], [3]), ([2], [], [4]), ([3], [4], [5]), ([4], [5], [6])]


def test_FC_4_blinds_2_ex4() -> None:
    """Under the gun busts: P5 has the big blind one hand earlier."""
    assert fc(4) == [([1], [2], [3]), ([2], [3], [5]), ([3], [5], [6]), ([5], [6], [1])]


def test_FC_4_blinds_2_ex5() -> None:
    """Both blinds bust: button and small blind are dead in hand 2, the button in hand 3."""
    assert fc(2, 3) == [([1], [2], [3]), ([2], [], [4]), ([3], [4], [5]), ([4], [5], [6])]


def test_FC_4_blinds_2() -> None:
    """Beyond the examples: both blinds and the next player bust."""
    assert fc(2, 3, 4) == [([1], [2], [3]), ([2], [], [5]), ([3], [5], [6]), ([5], [6], [1])]


@pytest.mark.parametrize(
    ("book", "game"), [(AU, "holdem"), (AU, "omaha"), (R7, "holdem"), (FC, "holdem"), (MP, "holdem"), (HR, "omaha")]
)
def test_AU_1_1_button(book: str, game: str) -> None:
    """The button goes one player clockwise at the end of each hand.

    Covers: AU-1.1#button, AU-16.1(b)#c, AU-17.1(b)#c, R7-4.intro#b, FC-4.intro#b, MP-4.intro#b
    """
    played = play(book, seats=4, game=game)
    assert [places(hand(played))[0] for _ in range(5)] == [[1], [2], [3], [4], [1]]


def test_R7_4_blinds_4() -> None:
    """Heads-up the small blind is on the button, and they change places every hand."""
    played = play(R7, seats=2)
    assert [places(hand(played)) for _ in range(3)] == [([1], [1], [2]), ([2], [2], [1]), ([1], [1], [2])]


def test_AU_16_1_c_i() -> None:
    """AU says nothing of heads-up: the first blind is left of the button, the second on it."""
    played = play(AU, seats=2)
    assert [places(hand(played)) for _ in range(2)] == [([1], [2], [1]), ([2], [1], [2])]


def test_FC_4_blinds_3_b() -> None:
    """Becoming heads-up: whoever had the big blind last has the button."""
    for gone, then in ((1, ([3], [3], [2])), (2, ([3], [3], [1])), (3, ([2], [2], [1]))):
        played = play(FC, seats=3)
        assert places(hand(played)) == ([1], [2], [3])
        over(played)
        assert places(hand(played, f"leave {gone}")) == then


def test_FC_4_blinds_3_b_against_one_who_never_had_it() -> None:
    """A player moved in between never had the big blind: the other one had it most recently and has the button."""
    played = play(FC, seats=3)
    for expected in (([1], [2], [3]), ([2], [3], [1]), ([3], [1], [2]), ([1], [2], [3])):
        assert places(hand(played)) == expected
        over(played)
    played("leave 2", "leave 3", sit(2, moved=True))
    assert places(hand(played)) == ([1], [1], [2])


def test_heads_up_and_back_between() -> None:
    """Who sits between the button and the big blind waits until the button has passed."""
    played = play(R7, seats=2, button_rule="dead", button=2)
    assert places(hand(played)) == ([2], [2], [1])
    over(played)
    assert receiving(hand(played, sit(3))) == [2, 1]
    assert places(hand(played)) == ([1], [2], [3])


DRAWN = {2: "Ks", 4: "Ah", 6: "Ac", 7: "2c"}


def begins(book: str, low: bool = False, tournament: bool = False) -> int:
    rules = load_rulebook(book)
    rule = rules.tournament.first_button if tournament else rules.people.first_button
    return button.find_first_button(rule.value, 10, DRAWN, low)


def test_R7_2_seating_6() -> None:
    """Cards are drawn: the highest by suit gets the first button, in low games the lowest.

    Covers: R7-2.seating.6, MP-2.seating.4
    """
    for book in (R7, MP):
        assert (begins(book), begins(book, low=True)) == (4, 7)


def test_HR_general_1() -> None:
    """The highest card always, in low games too; in tournaments of R7 and MP as well.

    Covers: HR-general.1, R7-15.tourn.7, MP-7.tourn.8
    """
    assert begins(HR, low=True) == 4
    assert begins(R7, low=True, tournament=True) == begins(MP, low=True, tournament=True) == 4


def test_AU_16_1_b_b() -> None:
    """The player directly right of the dealer, who sits between the last place and seat 1.

    Covers: AU-16.1(b)#b, AU-17.1(b)#b
    """
    assert begins(AU) == 7


def test_R7_3_ties_2() -> None:
    """Cards that settle a seating question are dealt clockwise from the dealer's left, wherever the button is.

    Covers: R7-3.ties.2, HR-ties.2
    """
    assert button.seat_draw_order((7, 2, 4)) == (2, 4, 7)


def test_FC_10_seating_2() -> None:
    """Seat 1 deals first; while it is empty, the next one."""
    assert begins(FC, tournament=True) == 2
    assert button.find_first_button(load_rulebook(FC).tournament.first_button.value, 10, {1: "2c", 5: "As"}, False) == 1


def test_dead_button_from_the_middle() -> None:
    """A script may begin with the button before an empty chair."""
    played = at(FC, 1, 2, 4, 5, button=3, blind_seats={"small": 4, "big": 5})
    assert [places(hand(played)) for _ in range(2)] == [([3], [4], [5]), ([4], [5], [1])]
