"""Debouncing, long presses and stuck keys, on real samples of a bouncing contact."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.contract.driver_interface import SAMPLE_INTERVAL_S, DeviceEvent, KeyFreed, KeyPressed, KeyStuck
from drivers.panels.key_panel import KeyPanel
from drivers.panels.key_tracker import (
    CHATTER_REST_S,
    MAX_PRESSES_PER_MINUTE,
    MINUTE_S,
    SETTLE_SAMPLES,
    KeyTracker,
)
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.manual_clock import ManualClock
from tests.drivers.serving import sample

KEYS = {"done": 5, "undo": 6, "misdeal": 13}


class Panel:
    """A panel of three keys on simulated pins; `misdeal` must be held."""

    def __init__(self, bench: Bench, clock: ManualClock) -> None:
        bench.add_device("key_panel", "dealer", {"keys": KEYS, "hold": ["misdeal"]})
        self.simulator = bench.panel("dealer")
        self.driver = KeyPanel("dealer", keys=KEYS, hold=["misdeal"])
        self.bench, self.clock = bench, clock
        self.driver.start(bench.pins)

    def run(self, seconds: float) -> list[DeviceEvent]:
        return sample(self.driver, self.bench.pins, self.clock, seconds)


@pytest.fixture
def panel(bench: Bench, clock: ManualClock) -> Panel:
    return Panel(bench, clock)


def test_bouncing_press_is_one_press(panel: Panel) -> None:
    panel.run(0.1)
    for _ in range(20):
        panel.simulator.press("done")
        assert panel.run(0.3) == [KeyPressed("dealer", "done")]
        panel.simulator.release("done")
        assert panel.run(0.3) == []


def test_press_is_reported_within_thirty_milliseconds(panel: Panel) -> None:
    panel.run(0.1)
    panel.simulator.press("done")
    assert panel.run(0.03) == [KeyPressed("dealer", "done")]


def test_trembling_finger_presses_once(panel: Panel) -> None:
    panel.run(0.1)
    panel.simulator.tap("done", 0.05)
    events = panel.run(0.12)
    panel.simulator.tap("done", 0.05)
    assert events + panel.run(0.5) == [KeyPressed("dealer", "done")]


def test_two_keys_at_once_are_two_presses(panel: Panel) -> None:
    panel.run(0.1)
    panel.simulator.tap("done")
    panel.simulator.tap("undo")
    assert set(panel.run(0.5)) == {KeyPressed("dealer", "done"), KeyPressed("dealer", "undo")}


def test_dangerous_key_counts_only_when_held(panel: Panel) -> None:
    panel.run(0.1)
    panel.simulator.tap("misdeal", 0.7)
    assert panel.run(1.5) == []
    panel.simulator.press("misdeal")
    assert panel.run(0.8) == []
    assert panel.run(0.1) == [KeyPressed("dealer", "misdeal", held=True)]
    assert panel.run(2.0) == []


def test_key_down_at_the_start_is_stuck_not_pressed(panel: Panel) -> None:
    panel.simulator.press("done")
    panel.clock.advance(1.0)
    assert panel.run(0.5) == [KeyStuck("dealer", "done")]
    panel.simulator.release("done")
    assert panel.run(0.5) == [KeyFreed("dealer", "done")]
    panel.simulator.tap("done")
    assert panel.run(0.5) == [KeyPressed("dealer", "done")]


def test_key_down_too_long_is_stuck_and_masked(panel: Panel) -> None:
    panel.run(0.1)
    panel.simulator.press("undo")
    assert panel.run(9.9) == [KeyPressed("dealer", "undo")]
    assert panel.run(0.3) == [KeyStuck("dealer", "undo")]
    assert panel.run(30.0) == []
    panel.simulator.release("undo")
    assert panel.run(0.3) == [KeyFreed("dealer", "undo")]


def test_stuck_key_does_not_silence_the_others(panel: Panel) -> None:
    panel.simulator.press("misdeal")
    panel.clock.advance(1.0)
    panel.run(0.5)
    panel.simulator.tap("done")
    assert panel.run(0.5) == [KeyPressed("dealer", "done")]


def test_spikes_on_the_wire_are_no_press() -> None:
    chance = random.Random(4)
    keys = KeyTracker("dealer", ["done"])
    events = [
        event
        for n in range(20_000)
        for event in keys.sample({"done": n > SETTLE_SAMPLES and chance.random() < 0.02}, n * SAMPLE_INTERVAL_S)
    ]
    assert events == []


@given(st.lists(st.booleans(), max_size=400))
def test_any_samples_alternate(samples: Sequence[bool]) -> None:
    """Whatever a wire does: never two presses without the key having been up for `SETTLE_SAMPLES` samples between."""
    keys = KeyTracker("dealer", ["done"])
    ups = SETTLE_SAMPLES
    for n, down in enumerate(samples):
        events = keys.sample({"done": down}, n * SAMPLE_INTERVAL_S)
        if any(isinstance(event, KeyPressed) for event in events):
            assert ups >= SETTLE_SAMPLES
            ups = 0
        ups += not down


def test_high_when_pressed(bench: Bench, clock: ManualClock) -> None:
    bench.add_device("key_panel", "pad", {"keys": {"ok": 20}, "pressed_level": "high"})
    driver = KeyPanel("pad", keys={"ok": 20}, pressed_level="high")
    driver.start(bench.pins)
    assert bench.pins.read(20) is False
    bench.panel("pad").press("ok")
    clock.advance(0.1)
    assert bench.pins.read(20) is True


class KeyLine:
    """The key `a` of a tracker at levels that last so many seconds each, beside `b`, which is up."""

    def __init__(self, hold: Sequence[str] = ()) -> None:
        self._tracker = KeyTracker("p", ("a", "b"), hold=hold, hold_seconds=0.02)
        self._now = 0.0

    def play(self, *levels: tuple[float, bool]) -> list[tuple[float, DeviceEvent]]:
        """Each event with its time."""
        events = []
        for lasts, down in levels:
            for _ in range(round(lasts / SAMPLE_INTERVAL_S)):
                self._now += SAMPLE_INTERVAL_S
                told = self._tracker.sample({"a": down, "b": False}, self._now)
                events += [(self._now, event) for event in told]
        return events


@pytest.mark.parametrize("hold", [(), ("a",)])
@pytest.mark.parametrize(("down_s", "up_s"), [(0.1, 0.15), (0.25, 0.25), (0.1, 0.6), (0.04, 0.3)])
def test_a_key_that_presses_itself_is_masked_until_it_rests(hold: tuple[str, ...], down_s: float, up_s: float) -> None:
    line, press = KeyLine(hold), KeyPressed("p", "a", held=bool(hold))
    line.play((1.0, False))
    for count in (MAX_PRESSES_PER_MINUTE, MAX_PRESSES_PER_MINUTE - 1):  # and the second time, after one press
        events = [event for _, event in line.play(*[(down_s, True), (up_s, False)] * round(120 / (down_s + up_s)))]
        assert events == [press] * count + [KeyStuck("p", "a")]
        assert line.play((CHATTER_REST_S - 1, False), (0.01, True), (CHATTER_REST_S - 1, False)) == []
        rested = line.play((CHATTER_REST_S, False), (0.2, True), (0.3, False))
        assert [event for _, event in rested] == [KeyFreed("p", "a"), press]


def test_while_a_key_presses_itself_the_others_count() -> None:
    tracker = KeyTracker("p", ("a", "b"))
    pressed = []
    for number in range(round(300 / SAMPLE_INTERVAL_S)):
        at = number * SAMPLE_INTERVAL_S
        down = {"a": number // 20 % 3 == 0, "b": 200 < at < 200.5}
        pressed += [event for event in tracker.sample(down, at) if event == KeyPressed("p", "b")]
    assert pressed == [KeyPressed("p", "b")]


@given(st.lists(st.sampled_from([0.21, 0.3, 0.5, 1.0, 5.0]), min_size=1, max_size=150))
def test_nobody_who_presses_as_people_do_is_taken_for_a_loose_contact(pauses: list[float]) -> None:
    events = KeyLine().play((0.1, False), *[level for pause in pauses for level in ((0.1, True), (pause, False))])
    times = [at for at, event in events if event == KeyPressed("p", "a")]
    most = max(sum(0 <= other - at < MINUTE_S for other in times) for at in times)
    assert (KeyStuck("p", "a") in [event for _, event in events]) == (len(times) < len(pauses))
    assert most <= MAX_PRESSES_PER_MINUTE
