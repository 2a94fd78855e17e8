"""Debouncing, long presses and stuck keys, on real samples of a bouncing contact."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.contract.driver_interface import SAMPLE_INTERVAL_S, DeviceEvent, KeyFreed, KeyPressed, KeyStuck
from drivers.panels.key_panel import KeyPanel
from drivers.panels.key_tracker import SETTLE_SAMPLES, KeyTracker
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
