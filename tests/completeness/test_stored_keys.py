"""Each shape that is stored or spoken has these keys and no other, whatever its fields are called."""

from dataclasses import fields
from typing import Any

import pytest

from controller.announcer.announcements import Mark
from controller.announcer.observed import Ruling
from controller.app.school.course import Course, Moment, Question
from controller.app.table_setup.set_up import Answered, Choice
from controller.records.broadcast.equities import Situation
from controller.runtime.devices.health import DeviceStanding
from controller.runtime.faults.latch import FaultStanding
from controller.runtime.journal.hand_index import HandRow
from controller.runtime.loop.notices import Code, Notice
from controller.runtime.loop.standing import RefusedEntry
from controller.web.pages.printed import Passage
from room.fleet.wanted import Wanted
from room.floor.calls import Call
from room.record.outbox import WebhookStanding

QUESTION = Question("", (), 0)

SHAPES = (
    (RefusedEntry("", "", ""), "code message source"),
    (Notice(Code.UNREAD, "", ""), "code device text"),
    (DeviceStanding("", "", ""), "name driver state why noise firmware"),
    (FaultStanding("", "", "", (), ""), "code text stops clears id"),
    (
        HandRow(1, 1, ""),
        "session hand began over game deals players dealers winners rulings findings clauses",
    ),
    (Passage(1, 2, "", exact=True), "first last text exact"),
    (Moment("", {}), "happens table wrong"),
    (QUESTION, "asked answers right"),
    (
        Course("", "", "", "", (), QUESTION, QUESTION, (), (), ""),
        "lesson book title game moments kind wants rulings then clause",
    ),
    (Answered("", "", ""), "port driver how"),
    (Choice(), "kind reader reader_port board_port deck game book structure small big places second_store"),
    (Ruling("", "", None, "", ()), "finding verdict seat text cite"),
    (Wanted(None, "", 0.0), "release by since taken why was"),
    (Call(1, "", 0.0), "number table called taken by done done_by"),
    (WebhookStanding(""), "name failing ended waiting given_up last aside refused"),
)


@pytest.mark.parametrize(("value", "keys"), SHAPES, ids=lambda each: type(each).__name__)
def test_a_shape_has_its_keys(value: Any, keys: str) -> None:  # noqa: ANN401 - each shape is a class of its own
    assert " ".join(value.to_json()) == keys
    assert len(value.to_json()) == len(fields(value)), "each field has a key"


def test_what_is_read_again_has_its_keys() -> None:
    assert [*Mark().as_json()] == [
        "in_play", "told", "carried_out", "faults", "floor_called", "is_lost", "is_first",
    ]  # fmt: skip
    assert len(Mark().as_json()) == len(fields(Mark))
    situation = Situation((), None, 52, 2, 5, (), ())
    assert repr(situation.plain()) == (
        "{'rankings': (), 'exactly': None, 'deck': 52, 'hand_size': 2, 'board_size': 5, 'hands': (), 'board': (), "
        "'dead': ()}"
    ), "this text seeds the sampling"
    assert len(situation.plain()) == len(fields(situation))
