"""Each shape that is stored or spoken has these keys and no other, whatever its fields are called."""

from dataclasses import fields
from typing import Any

import pytest

from controller.announcer.announcements import AnnouncerMark
from controller.announcer.observed_table import ObservedRuling
from controller.app.commissioning.table_upkeep import DetectedDevice, SetupChoice
from controller.app.training.played_lesson import LessonMoment, LessonQuestion, PlayedLesson
from controller.records.broadcast.equities import EquitySituation
from controller.runtime.devices.device_monitor import DeviceStatus
from controller.runtime.faults.fault_latches import FaultStatus
from controller.runtime.faults.notices import Notice, NoticeCode
from controller.runtime.journal.hand_index import HandRow
from controller.runtime.loop.table_view import RefusedEntry
from controller.web.wording.printed_rulebook import Passage
from room.fleet.staged_releases import StagedRelease
from room.floor.call_queue import FloorCall
from room.record.webhook_outbox import WebhookStatus

QUESTION = LessonQuestion("", (), 0)

SHAPES = (
    (RefusedEntry("", "", ""), "code message source"),
    (Notice(NoticeCode.CARD_UNREAD, "", "", 3), "code device text seat"),
    (DeviceStatus("", "", ""), "name driver state why noise firmware"),
    (FaultStatus("", "", "", (), "", (("Ada", "dealer"),)), "code text stops clears id people"),
    (
        HandRow(1, 1, ""),
        "session hand began over game deals players dealers winners rulings findings clauses taken",
    ),
    (Passage(1, 2, "", is_exact=True), "first last text exact"),
    (LessonMoment("", {}, wrong=True), "happens table wrong scene beside seen"),
    (QUESTION, "asked answers right"),
    (
        PlayedLesson("", "", "", "", (), QUESTION, QUESTION, (), (), ""),
        "lesson book title game moments kind wants rulings then clause",
    ),
    (DetectedDevice("", "", ""), "port driver how"),
    (
        SetupChoice(),
        "kind reader reader_port board_port seats_port deck game book structure small big places second_store",
    ),
    (ObservedRuling("", "", None, "", ()), "finding verdict seat text cite"),
    (StagedRelease(None, "", 0.0), "release by since taken why was"),
    (FloorCall(1, "", 0.0), "number table called taken by done done_by"),
    (WebhookStatus(""), "name failing ended waiting given_up last aside refused"),
)


@pytest.mark.parametrize(("value", "keys"), SHAPES, ids=lambda each: type(each).__name__)
def test_a_shape_has_its_keys(value: Any, keys: str) -> None:  # noqa: ANN401 - each shape is a class of its own
    assert " ".join(value.to_json()) == keys
    assert len(value.to_json()) == len(fields(value)), "each field has a key"


def test_what_is_read_again_has_its_keys() -> None:
    assert [*AnnouncerMark().to_json()] == [
        "in_play", "told", "carried_out", "faults", "floor_called", "is_lost", "is_first",
    ]  # fmt: skip
    assert len(AnnouncerMark().to_json()) == len(fields(AnnouncerMark))
    situation = EquitySituation((), None, 52, 2, 5, (), ())
    assert repr(situation.to_json()) == (
        "{'rankings': (), 'exactly': None, 'deck': 52, 'hand_size': 2, 'board_size': 5, 'hands': (), 'board': (), "
        "'dead': ()}"
    ), "this text seeds the sampling"
    assert len(situation.to_json()) == len(fields(situation))
