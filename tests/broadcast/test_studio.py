"""The studio puts on air what the table released, and keeps nobody waiting."""

import json
import threading

import pytest

from controller.app.table.broadcast.broadcast_producer import MAX_QUEUE_LENGTH, BroadcastProducer
from controller.app.table.broadcast.equity_process import answer_lines
from controller.records.broadcast.equities import EquitySituation
from controller.records.broadcast.hand_frames import MAX_FRAMES, build_frames
from controller.runtime.broadcast.card_release import DelayCancelled, EntryReleased, HandReleased
from controller.web.publishing.broadcast_stream import EMPTY_FRAME_JSON
from tests.broadcast.hand import a_whole_hand

ENTRIES = a_whole_hand()


@pytest.fixture
def studio(monkeypatch: pytest.MonkeyPatch) -> BroadcastProducer:
    made = BroadcastProducer("test")
    monkeypatch.setattr(made._equity_client, "ask", lambda _situation: None)
    return made


def test_a_hand_is_played_from_its_start_to_its_end(studio: BroadcastProducer) -> None:
    studio.process_item(HandReleased(ENTRIES), 1000.0)
    pictures: list[str] = []
    for second in range(len(ENTRIES) + 20):
        studio.process_item(None, 1000.0 + second)
        if not pictures or studio.stream.frame_json != pictures[-1]:
            pictures.append(studio.stream.frame_json)
    assert len(pictures) == len(build_frames(ENTRIES)) + 1
    assert json.loads(pictures[0])["hand"] == 1
    assert json.loads(pictures[-2])["over"]
    assert pictures[-1] == EMPTY_FRAME_JSON
    assert [hand["HandNum"] for hand in studio.stream.build_feed()["Hands"]] == [1]


def test_with_a_delay_each_picture_comes_as_it_is_released(studio: BroadcastProducer) -> None:
    for entry in ENTRIES:
        studio.process_item(EntryReleased(entry), 5000.0 + entry.table_time_s)
    assert json.loads(studio.stream.frame_json)["over"]
    assert len(studio.stream.build_feed()["Hands"]) == 1
    studio.process_item(DelayCancelled(), 6000.0)
    assert studio.stream.frame_json == EMPTY_FRAME_JSON


def test_equities_come_to_the_picture_that_is_on_air(
    studio: BroadcastProducer, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = next(
        entry
        for entry in ENTRIES
        if build_frames([entry])[-1:] and sum(len(player.cards) for player in build_frames([entry])[-1].players) == 6
    )
    studio.process_item(EntryReleased(entry), 1.0)
    assert studio._current_frame is not None
    situation = studio._current_frame.situation
    assert situation is not None
    assert json.loads(studio.stream.frame_json)["players"][0]["equity"] is None
    monkeypatch.setattr(studio._equity_client, "find_equities", lambda _situation: {1: 0.25})
    studio.process_item(situation, 2.0)
    assert json.loads(studio.stream.frame_json)["players"][0]["equity"] == 0.25


def test_what_finds_no_room_is_dropped_and_the_table_goes_on(studio: BroadcastProducer) -> None:
    for _ in range(MAX_QUEUE_LENGTH + 100):
        studio.send(DelayCancelled())
    assert studio._queue.qsize() == MAX_QUEUE_LENGTH


def test_a_hand_without_end_is_bounded(studio: BroadcastProducer) -> None:
    for number in range(MAX_FRAMES + 500):
        studio.process_item(EntryReleased(ENTRIES[10 + number % 2]), float(number))
    assert len(studio._hand_frames) <= MAX_FRAMES


def test_a_show_that_fails_is_said_and_the_next_one_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    studio = BroadcastProducer("test")
    studio.start()
    studio.send(EntryReleased(None))  # type: ignore[arg-type]
    studio.send(HandReleased(ENTRIES[:1]))
    studio.end()
    assert "the broadcast failed: AttributeError" in caplog.text
    assert not studio.is_alive()


def test_the_process_answers_line_by_line_and_survives_nonsense() -> None:
    asked = EquitySituation(
        ("high",), None, 52, 2, 5, ((1, ("As", "Ks")), (2, ("Qh", "Qd"))), ("Qs", "7h", "2d", "9c", "3c")
    )
    assert list(answer_lines(["nonsense", json.dumps(asked.to_json()), "{}"])) == [
        "null",
        '{"1": 0.0, "2": 1.0}',
        "null",
    ]


def test_equities_are_worked_out_elsewhere_and_no_thread_is_left() -> None:
    studio = BroadcastProducer("test")
    studio.start()
    river = next(entry for entry in ENTRIES if len(build_frames([entry])[-1].boards[0]) == 5)
    studio.send(EntryReleased(river))
    for _ in range(200):
        if '"equity":1.0' in studio.stream.frame_json:
            break
        threading.Event().wait(0.05)
    assert '"equity":1.0' in studio.stream.frame_json
    studio.end()
    assert not [each for each in threading.enumerate() if each.name in ("broadcast", "equities")]
