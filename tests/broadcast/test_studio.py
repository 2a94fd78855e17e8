"""The studio puts on air what the table released, and keeps nobody waiting."""

import json
import threading

import pytest

from controller.app.table.broadcast.equity_process import answers
from controller.app.table.broadcast.studio import QUEUE, Studio
from controller.records.broadcast.equities import Situation
from controller.records.broadcast.frames import MOST_FRAMES, filmed
from controller.runtime.broadcast.release import Later, WholeHand, Withdrawn
from controller.web.serving.air import EMPTY
from tests.broadcast.hand import a_whole_hand

STATES = a_whole_hand()


@pytest.fixture
def studio(monkeypatch: pytest.MonkeyPatch) -> Studio:
    made = Studio("test")
    monkeypatch.setattr(made._equities, "ask", lambda _situation: None)
    return made


def test_a_hand_is_played_from_its_start_to_its_end(studio: Studio) -> None:
    studio.turn(WholeHand(STATES), 1000.0)
    pictures: list[str] = []
    for second in range(len(STATES) + 20):
        studio.turn(None, 1000.0 + second)
        if not pictures or studio.air.picture != pictures[-1]:
            pictures.append(studio.air.picture)
    assert len(pictures) == len(filmed(STATES)) + 1
    assert json.loads(pictures[0])["hand"] == 1
    assert json.loads(pictures[-2])["over"]
    assert pictures[-1] == EMPTY
    assert [hand["HandNum"] for hand in studio.air.feed()["Hands"]] == [1]


def test_with_a_delay_each_picture_comes_as_it_is_released(studio: Studio) -> None:
    for at, state in STATES:
        studio.turn(Later(at, state), 5000.0 + at)
    assert json.loads(studio.air.picture)["over"]
    assert len(studio.air.feed()["Hands"]) == 1
    studio.turn(Withdrawn(), 6000.0)
    assert studio.air.picture == EMPTY


def test_equities_come_to_the_picture_that_is_on_air(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    at, state = next(
        (at, state)
        for at, state in STATES
        if filmed([(at, state)])[-1:] and sum(len(player.cards) for player in filmed([(at, state)])[-1].players) == 6
    )
    studio.turn(Later(at, state), 1.0)
    assert studio._frame is not None
    situation = studio._frame.situation
    assert situation is not None
    assert json.loads(studio.air.picture)["players"][0]["equity"] is None
    monkeypatch.setattr(studio._equities, "of", lambda _situation: {1: 0.25})
    studio.turn(situation, 2.0)
    assert json.loads(studio.air.picture)["players"][0]["equity"] == 0.25


def test_what_finds_no_room_is_dropped_and_the_table_goes_on(studio: Studio) -> None:
    for _ in range(QUEUE + 100):
        studio.send(Withdrawn())
    assert studio._queue.qsize() == QUEUE


def test_a_hand_without_end_is_bounded(studio: Studio) -> None:
    for number in range(MOST_FRAMES + 500):
        at, state = STATES[10 + number % 2]
        studio.turn(Later(at, state), float(number))
    assert len(studio._taken) <= MOST_FRAMES


def test_a_show_that_fails_is_said_and_the_next_one_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    studio = Studio("test")
    studio.start()
    studio.send(Later(1.0, None))  # type: ignore[arg-type]
    studio.send(WholeHand(STATES[:1]))
    studio.end()
    assert "the broadcast failed: AttributeError" in caplog.text
    assert not studio.is_alive()


def test_the_process_answers_line_by_line_and_survives_nonsense() -> None:
    asked = Situation(("high",), None, 52, 2, 5, ((1, ("As", "Ks")), (2, ("Qh", "Qd"))), ("Qs", "7h", "2d", "9c", "3c"))
    assert list(answers(["nonsense", json.dumps(asked.plain()), "{}"])) == ["null", '{"1": 0.0, "2": 1.0}', "null"]


def test_equities_are_worked_out_elsewhere_and_no_thread_is_left() -> None:
    studio = Studio("test")
    studio.start()
    river = next(state for _, state in STATES if len(filmed([(0.0, state)])[-1].boards[0]) == 5)
    studio.send(Later(1.0, river))
    for _ in range(200):
        if '"equity":1.0' in studio.air.picture:
            break
        threading.Event().wait(0.05)
    assert '"equity":1.0' in studio.air.picture
    studio.end()
    assert not [each for each in threading.enumerate() if each.name in ("broadcast", "equities")]
