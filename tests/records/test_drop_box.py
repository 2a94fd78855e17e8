"""The counted box: what its records say, and what nobody can write down."""

from typing import Any

import pytest

from controller.core.protocol.table_error import Refused
from controller.records.drop_box import check_count, check_people, collect_boxes, make_count_line


def make_record(line: dict[str, object], account: int = 118, watcher: str = "Ben") -> dict[str, Any]:
    by = [{"name": "Flo", "role": "floor"}, {"name": watcher, "role": "dealer"}]
    return {"line": line, "account": account, "session": 1, "by": by, "wall": "2026-02-01T06:00:00.000+00:00"}


FIRST = make_record(make_count_line(1, 118, 120))
SECOND = make_record(make_count_line(2, None, 40), account=160)
CORRECTED = make_record(make_count_line(1, 118, 117, "three of them were foreign"), watcher="Ada")


def test_a_box_says_what_should_be_in_it_what_was_and_the_difference() -> None:
    first, second = collect_boxes([FIRST, SECOND])
    assert (first.expected_chips, first.standing_count.counted_chips, first.difference) == (118, 120, 2)
    assert (first.standing_count.counter, first.standing_count.watcher) == ("Flo", "Ben")
    assert (second.number, second.difference) == (2, None)


def test_a_correction_stands_beside_the_count_that_it_corrects() -> None:
    first, second = collect_boxes([FIRST, SECOND, CORRECTED])
    assert (first.difference, first.standing_count.watcher) == (-1, "Ada")
    assert [count.counted_chips for count in first.counts] == [120, 117]
    assert first.to_json()["before"] == [
        {"at": "2026-02-01T06:00:00.000+00:00", "counted": 120, "counter": "Flo", "watcher": "Ben", "reason": ""}
    ]
    assert (first.account_chips, second.account_chips) == (118, 160)


@pytest.mark.parametrize("counted", [-1, 1.0, "12", None, True, 10**12 + 1])
def test_what_was_counted_is_a_whole_number(counted: object) -> None:
    with pytest.raises(Refused, match="whole number"):
        make_count_line(1, 118, counted)


@pytest.mark.parametrize("watcher", ["Flo", "flo", " Flo "])
def test_whoever_counts_does_not_watch(watcher: str) -> None:
    with pytest.raises(Refused, match="cannot watch"):
        check_people("Flo", watcher)
    check_people("Flo", "Ben")


def test_a_box_is_counted_between_hands_and_once() -> None:
    boxes = collect_boxes([FIRST])
    check_count(make_count_line(2, 5, 5), boxes, is_hand_on=False)
    for line, is_on, why in (
        (make_count_line(2, 5, 5), True, "A hand is on"),
        (make_count_line(1, 118, 120), False, "counted already; the next is box 2"),
        (make_count_line(3, 5, 5), False, "the next is box 2"),
        (make_count_line(2, 5, 5, "why"), False, "nothing to correct"),
        (make_count_line(1, 119, 120, "why"), False, "does not change"),
    ):
        with pytest.raises(Refused, match=why):
            check_count(line, boxes, is_hand_on=is_on)
    check_count(make_count_line(1, 118, 117, "why"), boxes, is_hand_on=True)
    with pytest.raises(Refused, match="too long"):
        make_count_line(1, 118, 117, "x" * 201)
