"""What is told between two looks at the table, and that it is told once."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from config.announcer_file import WEBHOOK_EVENTS
from controller.announcer.announcements import Announcement, AnnouncerMark, announce_loss, find_announcements
from controller.announcer.observed_table import parse_table
from tests.announcer.room import IDLE, RULING, table

RULED = {"rulings": [RULING], "ruled_in": 12}
DUE, DONE = [{"step": "return", "text": "…", "done": False}], [{"step": "return", "text": "…", "done": True}]


def story(*looks: Mapping[str, Any] | None) -> list[Announcement]:
    """What is told of looks at the table one after the other; `None`: it does not answer. The mark goes over JSON."""
    mark, told = AnnouncerMark(), []
    for look in looks:
        mark, new = announce_loss(mark) if look is None else find_announcements(mark, parse_table(table(**look)))
        told += new
        mark = AnnouncerMark.from_json(json.loads(json.dumps(mark.to_json())))
    return told


def kinds(*looks: Mapping[str, Any] | None) -> list[str]:
    return [announcement.kind for announcement in story(*looks)]


def test_what_was_before_the_first_look_is_nobodys_news() -> None:
    assert kinds({**RULED}) == []
    assert kinds({**RULED}, {**RULED}) == []


def test_what_lasts_is_told_at_the_first_look() -> None:
    assert kinds({"faults": [{"code": "jam", "stops": "play"}], "floor_called": True}) == [
        "fault.raised", "floor.called",
    ]  # fmt: skip


def test_hands_begin_and_end() -> None:
    told = story(IDLE, {"hand": 13}, {"hand": 13, "street": "flop"}, {**IDLE, "hand": 13}, {"hand": 14}, {"hand": 15})
    assert [(each.kind, each.data["hand"]) for each in told] == [
        ("hand.started", 13), ("hand.over", 13), ("hand.started", 14), ("hand.over", 14), ("hand.started", 15),
    ]  # fmt: skip


def test_a_hand_that_ended_while_nobody_looked_is_told() -> None:
    assert kinds({"hand": 12}, None, {**IDLE, "hand": 12}) == ["table.lost", "table.back", "hand.over"]


def test_a_ruling_is_told_with_its_clause_and_once() -> None:
    ruling, *more = story({}, {**RULED, "remedy": DUE}, {**RULED, "remedy": DUE, "entry": 101}, {**RULED})
    assert more == []
    assert ruling.kind == "ruling.made"
    assert ruling.data == {
        "hand": 12, "game": "holdem", "rulebook": "roberts-7", "mode": "live", "finding": "exposed-card",
        "verdict": "replace", "seat": 3, "text": "The card is replaced.", "cite": ["R7-5.holdem.1"],
    }  # fmt: skip


def test_the_same_ruling_again_in_a_hand_is_another() -> None:
    looks = ({**RULED, "remedy": DUE}, {**RULED, "remedy": DONE}, {**RULED, "remedy": DUE})
    assert kinds({}, *looks) == ["ruling.made", "ruling.made"]


def test_the_same_ruling_in_the_next_hand_is_another() -> None:
    assert kinds({**RULED}, {**RULED, "ruled_in": 13}) == ["ruling.made"]


def test_faults_come_and_go_one_by_one() -> None:
    jam, lid = {"code": "jam", "stops": "play"}, {"code": "lid", "stops": "play"}
    told = story({}, {"faults": [jam]}, {"faults": [jam, lid]}, {"faults": [lid]}, {})
    assert [(each.kind, each.data["code"]) for each in told] == [
        ("fault.raised", "jam"), ("fault.raised", "lid"), ("fault.cleared", "jam"), ("fault.cleared", "lid"),
    ]  # fmt: skip


def test_the_floor_is_called_and_comes() -> None:
    assert kinds({}, {"floor_called": True}, {"floor_called": True}, {}) == ["floor.called", "floor.came"]


def test_a_table_is_lost_once_and_back_once() -> None:
    assert kinds({}, None, None, {}, {}) == ["table.lost", "table.back"]


def test_every_kind_that_is_told_can_be_asked_for() -> None:
    looks = (IDLE, {"hand": 13, "floor_called": True}, {**RULED, "hand": 13, "faults": [{"code": "jam"}]}, None, IDLE)
    assert set(kinds(*looks)) == set(WEBHOOK_EVENTS)


@pytest.mark.parametrize("broken", [{}, {**table(), "next": 3}, {**table(), "seats": None}, [], "table"], ids=str)
def test_what_is_no_table_is_said_and_shown_to_nobody(broken: Any) -> None:  # noqa: ANN401 (anything)
    with pytest.raises(ValueError, match="the table's API says something else than this program knows"):
        parse_table(broken)
