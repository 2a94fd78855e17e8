"""Dealers: nobody in two places, the push in the string's order, downs that are over, and everything bounded."""

from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from room.floor.dealer_rotation import (
    DOWN_DURATION_S,
    MAX_DEALERS,
    MAX_RESTING,
    DealerRotation,
    DealerStint,
    apply_dealer_line,
    make_push_line,
)
from room.record.room_record import RecordLine


def apply_lines(words: Sequence[Mapping[str, Any]]) -> DealerRotation:
    rotation = DealerRotation()
    for number, word in enumerate(words, 1):
        rotation = apply_dealer_line(rotation, RecordLine("dealers:day", number, 100.0 * number, "Bo", word))
    return rotation


STRING = {"do": "string", "tables": ["t1", "t2", "t3"]}


def deals(table: str, dealer: str) -> dict[str, Any]:
    return {"do": "deals", "table": table, "dealer": dealer}


def test_a_push_moves_everybody_one_table_on_and_the_longest_rested_begins() -> None:
    rests = [{"do": "rests", "dealer": "Dan"}, {"do": "rests", "dealer": "Eli"}]
    rotation = apply_lines([STRING, deals("t1", "Ada"), deals("t2", "Ben"), deals("t3", "Cy"), *rests])
    assert rotation.plan_next_push() == [("Dan", "t1", "Ada"), ("Ada", "t2", "Ben"), ("Ben", "t3", "Cy")]


def test_who_is_relieved_rests_and_who_signs_in_deals() -> None:
    rotation = apply_lines([STRING, deals("t1", "Ada"), deals("t1", "Dan")])
    assert (rotation.stint_by_table["t1"].dealer, [one.dealer for one in rotation.resting_stints]) == ("Dan", ["Ada"])
    again = apply_lines([STRING, deals("t1", "Ada"), deals("t1", "Ada")])
    assert again.stint_by_table["t1"].started_at == 200.0, "who signs in again goes on with the same down"


def test_where_nobody_rests_dealers_change_places_and_no_table_is_left_without_one() -> None:
    rotation = apply_lines([STRING, deals("t1", "Ada"), deals("t2", "Ben")])
    assert rotation.plan_next_push() == [("Ben", "t1", "Ada"), ("Ada", "t2", "Ben")]
    assert apply_lines([STRING, deals("t1", "Ada")]).plan_next_push() == []


def test_a_push_ends_at_a_table_without_a_dealer() -> None:
    rotation = apply_lines([STRING, deals("t1", "Ada"), deals("t3", "Cy"), {"do": "rests", "dealer": "Dan"}])
    assert rotation.plan_next_push() == [("Dan", "t1", "Ada"), ("Ada", "t2", None)]


def test_a_push_that_is_done_counts_downs_and_one_that_was_another_changes_nothing() -> None:
    begun = [STRING, deals("t1", "Ada"), deals("t2", "Ben"), {"do": "rests", "dealer": "Dan"}]
    pushed = apply_lines([*begun, make_push_line(apply_lines(begun))])
    assert {table: one.dealer for table, one in pushed.stint_by_table.items()} == {
        "t1": "Dan",
        "t2": "Ada",
        "t3": "Ben",
    }
    assert pushed.resting_stints == ()
    assert (pushed.totals_by_dealer["Ada"].down_count, pushed.totals_by_dealer["Ada"].dealt_s) == (2, 300.0)
    assert apply_lines([*begun, {"do": "push", "moves": [["Dan", "t2", "Ben"]]}]) == apply_lines(begun)


def test_what_a_tables_record_told_counts_once_and_by_its_own_time() -> None:
    told = [{**deals(table, dealer), "at": at, "journal": journal, "record": record}
            for table, dealer, at, journal, record in (
                ("t1", "Ada", 10.0, "j1", 5), ("t1", "Ben", 20.0, "j1", 9), ("t2", "Ada", 30.0, "j2", 4))]  # fmt: skip
    once = apply_lines(told)
    assert dict(once.stint_by_table) == {"t1": DealerStint("Ben", 20.0), "t2": DealerStint("Ada", 30.0)}
    assert apply_lines([*told, *told]) == once
    untimed = {**deals("t1", "Ada"), "journal": "j1", "record": 5}
    assert apply_lines([untimed, {"do": "rests", "dealer": "Ada"}, untimed]).stint_by_table == {}
    late = apply_lines([told[2], told[0], told[1]])
    assert dict(late.stint_by_table) == dict(once.stint_by_table), "what comes late moves nobody who has moved on since"
    out = {"do": "rests", "dealer": "Ada", "table": "t1", "journal": "j1", "record": 11}
    assert apply_lines([*told, out]).stint_by_table == once.stint_by_table, (
        "who signs out where somebody else deals by now goes nowhere"
    )


def test_journals_and_dealers_of_a_day_are_bounded() -> None:
    rotation = apply_lines([{**deals("t1", f"D{number}"), "journal": f"j{number}", "record": 1}
                       for number in range(MAX_DEALERS + 5)])  # fmt: skip
    assert (len(rotation.last_record_by_journal), len(rotation.totals_by_dealer)) == (MAX_DEALERS, MAX_DEALERS)
    assert len(rotation.resting_stints) == MAX_RESTING


def test_a_down_that_is_over_is_named_the_longest_first() -> None:
    rotation = apply_lines([STRING, deals("t2", "Ada"), deals("t1", "Ben")])
    assert rotation.find_overdue_tables(200.0 + DOWN_DURATION_S) == ["t2"]
    assert rotation.find_overdue_tables(300.0 + DOWN_DURATION_S) == ["t2", "t1"]


def test_so_many_rest_and_no_more() -> None:
    rotation = apply_lines([{"do": "rests", "dealer": f"D{number}"} for number in range(MAX_RESTING + 5)])
    assert len(rotation.resting_stints) == MAX_RESTING


DEALERS = st.sampled_from(["Ada", "Ben", "Cy", ""])
WORDS = st.one_of(
    st.just(STRING),
    st.fixed_dictionaries({"do": st.just("deals"), "table": st.sampled_from(["t1", "t2", "t3"]), "dealer": DEALERS}),
    st.fixed_dictionaries({"do": st.sampled_from(["rests", "home"]), "dealer": DEALERS}),
    st.fixed_dictionaries(
        {
            "do": st.just("deals"),
            "table": st.sampled_from(["t1", "t2", "t3"]),
            "dealer": DEALERS,
            "at": st.integers(0, 3000),
            "journal": st.just("j"),
            "record": st.integers(1, 40),
        }
    ),
    st.just({"do": "push"}),
    st.fixed_dictionaries({"do": st.just("string"), "tables": st.lists(st.sampled_from(["t1", "t1", 3]), max_size=3)}),
)


@settings(deadline=None, max_examples=60)
@given(st.lists(WORDS, max_size=30))
def test_nobody_is_in_two_places_and_a_push_sends_nobody_twice(words: list[dict[str, Any]]) -> None:
    rotation = DealerRotation()
    for number, word in enumerate(words, 1):
        told = make_push_line(rotation) if word == {"do": "push"} else word
        rotation = apply_dealer_line(rotation, RecordLine("dealers:day", number, 100.0 * number, "Bo", told))
    everybody = [one.dealer for one in (*rotation.stint_by_table.values(), *rotation.resting_stints)]
    assert len(set(everybody)) == len(everybody)
    going = [dealer for dealer, _, _ in rotation.plan_next_push()]
    assert len(set(going)) == len(going)
    tables = [table for _, table, _ in rotation.plan_next_push()]
    assert tables == [table for table in rotation.table_string if table in tables]
