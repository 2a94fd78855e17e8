"""A table as the floor sees it: whatever comes over the wire, it is small, and shows no card that lies face down."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from room.floor.table_summary import MAX_TEXT_LENGTH, format_stakes, summarize_case, summarize_table

TOLD: dict[str, Any] = {
    "number": 9, "entry": 41, "mode": "live", "rulebook": "Robert's Rules", "game": "No-limit hold'em",
    "tournament": False, "places": 9, "betting": {"structure": "no-limit", "small_blind": 1, "big_blind": 2},
    "hand": 12, "phase": "remedy", "street": "flop", "halted": False,
    "next": [{"step": "return", "text": "Return the card", "short": "return"}], "lamps": {}, "gate": "locked",
    "board": ["Ah", None], "pots": [{"amount": 40, "seats": [1, 2]}, {"amount": 2, "seats": [1]}],
    "piles": {"muck": ["2c"]},
    "seats": [{"seat": 1, "player": "Ann", "away": False, "waits": False, "cards": 2, "stack": 99, "up": ["Kd"]}],
    "rulings": [{"finding": "boxed-card", "verdict": "scrap", "cite": ["R3-12#a"], "text": "Treat it as paper."}],
    "ruled_in": 12, "remedy": [{"step": "return", "text": "Return the card", "short": "r", "done": False}],
    "faults": [], "floor_called": True,
}  # fmt: skip


def test_the_floor_sees_game_stakes_seats_hand_phase_and_the_ruling_under_way() -> None:
    seen = summarize_table(TOLD)
    assert (seen["game"], seen["stakes"], seen["hand"], seen["phase"]) == ("No-limit hold'em", "1/2", 12, "remedy")
    assert seen["seats"] == [{"seat": 1, "player": "Ann", "away": False, "stack": 99}]
    assert seen["pot"] == 42
    assert seen["ruling"]["cite"] == ["R3-12"]
    assert seen["called"] is True
    assert summarize_table(TOLD | {"phase": "betting", "remedy": []})["ruling"] is None


def test_stakes_are_written_as_people_say_them() -> None:
    assert format_stakes({"small_blind": 2, "big_blind": 4, "ante": 1}) == "2/4"
    stud = {"ante": 1, "bring_in": 2, "small_bet": 4, "big_bet": 8}
    assert format_stakes(stud) == "4/8"
    assert [summarize_table({**TOLD, "betting": each})["ante"] for each in (stud, {}, None)] == [1, 0, 0]
    assert format_stakes(None) == ""


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=400),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(TOLD, JSON)))
def test_any_text_of_a_table_gives_something_small_that_can_be_shown(told: dict[str, Any]) -> None:
    for made in (summarize_table(told), summarize_case(told)):
        assert len(json.dumps(made)) < 60 * 6 * MAX_TEXT_LENGTH


def test_no_card_of_a_seat_or_a_pile_gets_through() -> None:
    seats = [{"seat": 1, "player": "Ann", "down": ["As", "Ad"], "up": ["As"]}]
    shown = json.dumps(
        [made(TOLD | {"seats": seats, "piles": {"stub": ["As"]}}) for made in (summarize_table, summarize_case)]
    )
    assert "As" not in shown
    assert "Ah" in shown, "the board lies open"
