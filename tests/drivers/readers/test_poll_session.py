"""Talking with a device that speaks when spoken to: how often one that comes and goes is said to."""

from collections.abc import Callable

from drivers.contract.driver_interface import DeviceEvent, DeviceLost, DeviceReady
from drivers.readers.poll_session import MAX_GREETING_PAUSE_S, STEADY_S, PollSession, Request

GREETING, POLL = b"greeting", b"poll"


class Dialogue:
    """A session whose questions are answered as `answers` says of the question and the second."""

    def __init__(self, answers: Callable[[bytes, float], bool]) -> None:
        self.session = PollSession("desk", [Request(GREETING)], lambda: Request(POLL))
        self._answers = answers
        self.now = 0.0
        self.session.open()

    def run(self, seconds: float) -> list[DeviceEvent]:
        events: list[DeviceEvent] = []
        for _ in range(round(seconds / 0.02)):
            self.now += 0.02
            data, more = self.session.next_request(self.now)
            events += more
            if data and self._answers(data, self.now):
                events += self.session.on_response(self.now)
        return events


def count_changes(events: list[DeviceEvent]) -> int:
    return len([event for event in events if isinstance(event, DeviceLost | DeviceReady)])


def test_a_device_that_is_lost_right_after_its_greeting_does_not_fill_the_journal() -> None:
    dialogue = Dialogue(lambda asked, _: asked == GREETING)
    dialogue.run(60)
    assert count_changes(dialogue.run(600)) <= 2 * 600 / MAX_GREETING_PAUSE_S


def test_a_device_that_refuses_right_after_its_greeting_does_not_either() -> None:
    dialogue = Dialogue(lambda asked, _: asked == GREETING)
    changes = 0
    for _ in range(1000):
        changes += count_changes(dialogue.run(0.1))
        if dialogue.session.pending_request == POLL:
            changes += count_changes(dialogue.session.on_refusal("no", dialogue.now))
    assert changes <= 20 + 2 * 100 / MAX_GREETING_PAUSE_S


def test_a_device_that_was_there_for_a_while_is_greeted_anew_at_once() -> None:
    away_s, cycle_s = 2.0, STEADY_S + 4.0
    dialogue = Dialogue(lambda _, now: now % cycle_s >= away_s)
    dialogue.run(cycle_s)
    for _ in range(5):
        assert [type(event) for event in dialogue.run(away_s + 0.3)] == [DeviceLost, DeviceReady]
        assert dialogue.run(cycle_s - away_s - 0.3) == []


def test_a_new_port_forgets_how_the_device_was_at_the_old_one() -> None:
    dialogue = Dialogue(lambda asked, _: asked == GREETING)
    dialogue.run(60)
    dialogue.session.open()
    assert DeviceReady("desk") in dialogue.run(0.1)
    assert DeviceReady("desk") in dialogue.run(3)
