"""Dealers: nobody in two places, the push in the string's order, downs that are over, and everything bounded."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from room.floor.rotation import DOWN_SECONDS, MOST_RESTING, Rotation, after
from room.record.lines import Line


def folded(words: list[dict[str, Any]]) -> Rotation:
    rotation = Rotation()
    for number, word in enumerate(words, 1):
        rotation = after(rotation, Line("dealers:day", number, 100.0 * number, "Bo", word))
    return rotation


STRING = {"do": "string", "tables": ["t1", "t2", "t3"]}


def deals(table: str, dealer: str) -> dict[str, Any]:
    return {"do": "deals", "table": table, "dealer": dealer}


def test_a_push_moves_everybody_one_table_on_and_the_longest_rested_begins() -> None:
    rests = [{"do": "rests", "dealer": "Dan"}, {"do": "rests", "dealer": "Eli"}]
    rotation = folded([STRING, deals("t1", "Ada"), deals("t2", "Ben"), deals("t3", "Cy"), *rests])
    assert rotation.push() == [("Dan", "t1", "Ada"), ("Ada", "t2", "Ben"), ("Ben", "t3", "Cy")]


def test_who_is_relieved_rests_and_who_signs_in_deals() -> None:
    rotation = folded([STRING, deals("t1", "Ada"), deals("t1", "Dan")])
    assert (rotation.dealing["t1"].dealer, [one.dealer for one in rotation.resting]) == ("Dan", ["Ada"])
    again = folded([STRING, deals("t1", "Ada"), deals("t1", "Ada")])
    assert again.dealing["t1"].since == 200.0, "who signs in again goes on with the same down"


def test_without_anybody_who_rests_the_first_table_keeps_its_dealer() -> None:
    rotation = folded([STRING, deals("t1", "Ada"), deals("t2", "Ben")])
    assert rotation.push() == [("Ada", "t2", "Ben"), ("Ben", "t3", None)]


def test_a_down_that_is_over_is_named_the_longest_first() -> None:
    rotation = folded([STRING, deals("t2", "Ada"), deals("t1", "Ben")])
    assert rotation.over(200.0 + DOWN_SECONDS) == ["t2"]
    assert rotation.over(300.0 + DOWN_SECONDS) == ["t2", "t1"]


def test_so_many_rest_and_no_more() -> None:
    rotation = folded([{"do": "rests", "dealer": f"D{number}"} for number in range(MOST_RESTING + 5)])
    assert len(rotation.resting) == MOST_RESTING


DEALERS = st.sampled_from(["Ada", "Ben", "Cy", ""])
WORDS = st.one_of(
    st.just(STRING),
    st.fixed_dictionaries({"do": st.just("deals"), "table": st.sampled_from(["t1", "t2", "t3"]), "dealer": DEALERS}),
    st.fixed_dictionaries({"do": st.sampled_from(["rests", "home"]), "dealer": DEALERS}),
    st.fixed_dictionaries({"do": st.just("string"), "tables": st.lists(st.sampled_from(["t1", "t1", 3]), max_size=3)}),
)


@settings(deadline=None, max_examples=60)
@given(st.lists(WORDS, max_size=30))
def test_nobody_is_in_two_places_and_a_push_sends_nobody_twice(words: list[dict[str, Any]]) -> None:
    rotation = folded(words)
    everybody = [one.dealer for one in (*rotation.dealing.values(), *rotation.resting)]
    assert len(set(everybody)) == len(everybody)
    going = [dealer for dealer, _, _ in rotation.push()]
    assert len(set(going)) == len(going)
    tables = [table for _, table, _ in rotation.push()]
    assert tables == [table for table in rotation.string if table in tables]
