"""High hands: candidates by themselves, the floor's word, the first of equal ones, and everything bounded."""

from typing import Any

from room.floor.high_hands import MOST_CANDIDATES, Promotion, after
from room.record.lines import Line

BEGIN = {"do": "begin", "name": "noon", "game": "holdem", "least": ["Ah", "Ad", "Ac", "Ks", "Kd"]}
QUADS = (["7h", "7d"], ["7c", "7s", "2d", "3h", "9c"])
BETTER = (["8h", "8d"], ["8c", "8s", "2d", "3h", "9c"])
FLUSH = (["Ah", "9h"], ["2h", "5h", "Kh", "3c", "4d"])


def tabled(hand: int, cards: tuple[list[str], list[str]], **more: Any) -> dict[str, Any]:  # noqa: ANN401
    own, board = cards
    told = {"do": "tabled", "table": "table-01", "hand": hand, "seat": 3, "player": "Ana", "own": own, "board": board}
    return {**told, **more}


def folded(*words: dict[str, Any]) -> Promotion:
    promotion = Promotion()
    for number, word in enumerate(words, 1):
        promotion = after(promotion, Line("high-hands:day", number, 100.0 * number, "Bo", word))
    return promotion


def test_a_tabled_hand_that_is_good_enough_is_a_candidate_and_leads_when_the_floor_confirms_it() -> None:
    waiting = folded(BEGIN, tabled(4, FLUSH), tabled(5, QUADS), tabled(5, QUADS))
    assert [(one.hand, one.player) for one in waiting.candidates] == [(5, "Ana")], "once, and no flush"
    assert waiting.leader is None
    led = folded(BEGIN, tabled(4, FLUSH), tabled(5, QUADS), {"do": "confirm", "number": 3})
    assert led.leader is not None
    assert (led.leader.hand, led.candidates) == (5, ())


def test_what_does_not_beat_the_leader_is_none_and_of_equal_ones_the_first_leads() -> None:
    confirmed = {"do": "confirm", "number": 2}
    assert folded(BEGIN, tabled(5, QUADS), confirmed, tabled(6, QUADS)).candidates == ()
    assert [one.hand for one in folded(BEGIN, tabled(5, QUADS), confirmed, tabled(7, BETTER)).candidates] == [7]
    both = folded(BEGIN, tabled(5, QUADS), tabled(6, QUADS), tabled(7, BETTER))
    assert [one.hand for one in both.candidates] == [7, 5, 6]
    assert folded(BEGIN, tabled(5, QUADS), {"do": "refuse", "number": 2}).candidates == ()


def test_omaha_plays_two_of_the_own_cards() -> None:
    begin = {**BEGIN, "game": "omaha"}
    held = (["7h", "7d", "7c", "2c"], ["7s", "Kd", "9c", "3h", "4s"])
    assert folded(begin, tabled(5, held)).candidates == (), "two of three sevens in the hand make three with the board"
    dealt = (["7h", "7d", "Tc", "2c"], ["7s", "7c", "9c", "3h", "4s"])
    assert [one.hand for one in folded(begin, tabled(6, dealt)).candidates] == [6]


def test_what_is_no_hand_changes_nothing() -> None:
    begun = folded(BEGIN)
    for own, board in ((["7h", "7h"], QUADS[1]), (["7h"], []), (["xx", "7d"], QUADS[1]), ([3, None], QUADS[1])):
        assert folded(BEGIN, tabled(5, (own, board))) == begun  # type: ignore[arg-type]
    assert folded(tabled(5, QUADS)) == Promotion(), "before anything runs"
    assert folded({**BEGIN, "least": ["Ah"]}) == Promotion()


def test_so_many_wait_and_the_best_of_them() -> None:
    words = [tabled(number, QUADS) for number in range(MOST_CANDIDATES + 3)]
    full = folded(BEGIN, *words, tabled(999, BETTER))
    assert len(full.candidates) == MOST_CANDIDATES
    assert full.candidates[0].hand == 999
