"""High hands: candidates by themselves, the promotion's conditions, the floor's word, and everything bounded."""

from typing import Any

import pytest

from room.floor.promotion import MAX_CANDIDATES, MAX_PROMOTIONS, DayPromotions, Promotion, apply_promotion_line
from room.record.room_record import RecordLine

BEGIN = {
    "do": "begin", "promotion": "noon", "game": "holdem", "least": ["Ah", "Ad", "Ac", "Ks", "Kd"],
    "from": 100.0, "until": 10_000.0, "both": False, "pot": 20, "players": 4,
}  # fmt: skip
QUADS = (["7h", "7d"], ["7c", "7s", "2d", "3h", "9c"])
BETTER = (["8h", "8d"], ["8c", "8s", "2d", "3h", "9c"])
FLUSH = (["Ah", "9h"], ["2h", "5h", "Kh", "3c", "4d"])


def make_tabled_line(hand: int, cards: tuple[list[str], list[str]], **more: Any) -> dict[str, Any]:  # noqa: ANN401
    own, board = cards
    told = {
        "do": "tabled", "promotion": "noon", "key": f"j 1 {hand} 3", "table": "table-01", "hand": hand, "seat": 3,
        "player": "Ana", "at": 100.0 + hand, "game": "holdem", "own": own, "board": board, "pot": 20, "dealt": 4,
    }  # fmt: skip
    return {**told, **more}


def apply_lines(*words: dict[str, Any]) -> Promotion:
    day = DayPromotions()
    for number, word in enumerate(words, 1):
        day = apply_promotion_line(day, RecordLine("high-hands:day", number, 100.0 * number, "Bo", word))
    return day.promotion_by_name["noon"]


def make_decision_line(do: str, number: int, **more: str) -> dict[str, Any]:
    return {"do": do, "promotion": "noon", "number": number, **more}


def test_a_tabled_hand_that_is_good_enough_is_a_candidate_and_leads_when_the_floor_confirms_it() -> None:
    waiting = apply_lines(BEGIN, make_tabled_line(4, FLUSH), make_tabled_line(5, QUADS), make_tabled_line(5, QUADS))
    assert [(one.hand, one.player) for one in waiting.candidates] == [(5, "Ana")], "once, and no flush"
    assert waiting.leader is None
    led = apply_lines(BEGIN, make_tabled_line(4, FLUSH), make_tabled_line(5, QUADS), make_decision_line("confirm", 3))
    assert led.leader is not None
    assert (led.leader.hand, led.candidates) == (5, ())


def test_what_does_not_beat_the_leader_is_none_and_of_equal_ones_the_first_leads() -> None:
    confirmed = make_decision_line("confirm", 2)
    assert apply_lines(BEGIN, make_tabled_line(5, QUADS), confirmed, make_tabled_line(6, QUADS)).candidates == ()
    assert [
        one.hand
        for one in apply_lines(BEGIN, make_tabled_line(5, QUADS), confirmed, make_tabled_line(7, BETTER)).candidates
    ] == [7]
    both = apply_lines(BEGIN, make_tabled_line(6, QUADS), make_tabled_line(5, QUADS), make_tabled_line(7, BETTER))
    assert [one.hand for one in both.candidates] == [7, 5, 6], "of equal ones that which ended first"


def test_what_is_refused_says_why_and_is_no_candidate_again() -> None:
    refused = apply_lines(
        BEGIN,
        make_tabled_line(5, QUADS),
        make_decision_line("refuse", 2, why="the board was fouled"),
        make_tabled_line(5, QUADS),
    )
    assert refused.candidates == ()
    assert [(one.decided_by, one.reason) for one in refused.decisions] == [("Bo", "the board was fouled")]


@pytest.mark.parametrize(
    "other",
    [{"at": 99.0}, {"at": 10_000.0}, {"pot": 19}, {"dealt": 3}, {"game": "omaha"}],
    ids=["before", "after", "a small pot", "too few", "another game"],
)
def test_a_hand_that_misses_a_condition_is_none(other: dict[str, Any]) -> None:
    assert len(apply_lines(BEGIN, make_tabled_line(5, QUADS)).candidates) == 1
    assert apply_lines(BEGIN, make_tabled_line(5, QUADS, **other)).candidates == ()


def test_both_hole_cards_play_where_the_promotion_says_so() -> None:
    one_plays = (["7h", "2c"], ["7c", "7s", "7d", "Kh", "9c"])
    assert len(apply_lines(BEGIN, make_tabled_line(5, one_plays)).candidates) == 1
    both = {**BEGIN, "both": True}
    assert apply_lines(both, make_tabled_line(5, one_plays)).candidates == ()
    assert len(apply_lines(both, make_tabled_line(5, QUADS)).candidates) == 1


def test_omaha_plays_two_of_the_own_cards() -> None:
    begin = {**BEGIN, "game": "omaha"}
    held = (["7h", "7d", "7c", "2c"], ["7s", "Kd", "9c", "3h", "4s"])
    assert apply_lines(begin, make_tabled_line(5, held, game="omaha")).candidates == (), (
        "two of three sevens make three"
    )
    dealt = (["7h", "7d", "Tc", "2c"], ["7s", "7c", "9c", "3h", "4s"])
    assert [one.hand for one in apply_lines(begin, make_tabled_line(6, dealt, game="omaha")).candidates] == [6]


def test_what_is_no_hand_changes_nothing() -> None:
    begun = apply_lines(BEGIN)
    for own, board in ((["7h", "7h"], QUADS[1]), (["7h"], []), (["xx", "7d"], QUADS[1]), ([3, None], QUADS[1])):
        assert apply_lines(BEGIN, make_tabled_line(5, (own, board))) == begun  # type: ignore[arg-type]
    assert apply_lines(make_tabled_line(5, QUADS), BEGIN) == begun, "before it runs"
    assert apply_lines({**BEGIN, "least": ["Ah"]}, {**BEGIN, "until": 3.0}, BEGIN, {**BEGIN, "pot": 0}) == begun


def test_so_many_wait_and_the_best_of_them_and_so_many_promotions_run() -> None:
    words = [make_tabled_line(number, QUADS) for number in range(MAX_CANDIDATES + 3)]
    full = apply_lines(BEGIN, *words, make_tabled_line(999, BETTER))
    assert len(full.candidates) == MAX_CANDIDATES
    assert full.candidates[0].hand == 999
    day = DayPromotions()
    for number in range(MAX_PROMOTIONS + 3):
        day = apply_promotion_line(
            day, RecordLine("high-hands:day", number, 1.0, "room", {**BEGIN, "promotion": f"p{number}"})
        )
    assert len(day.promotion_by_name) == MAX_PROMOTIONS
