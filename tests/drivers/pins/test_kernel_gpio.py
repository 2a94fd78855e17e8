"""The pin drivers on the GPIO of a real kernel, with the real library.

Needs the kernel module gpio-sim with a chip of at least 28 lines, rpi-lgpio told to use it (`RPI_LGPIO_CHIP`, and
`RPI_LGPIO_REVISION` off a Raspberry Pi), and `GPIO_SIM`, the sysfs directory of its lines. A line is pressed by moving
the resistor that the kernel simulates; what is driven is read back from the kernel.
"""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest

from drivers.contract.device_errors import PinError
from drivers.contract.driver_interface import (
    SAMPLE_INTERVAL_S,
    CardEdgeSensed,
    DeviceEvent,
    KeyFreed,
    KeyPressed,
    KeyStuck,
    PinDriver,
    Signals,
)
from drivers.lamps.lamps_595 import Lamps595
from drivers.lamps.lamps_pins import LampsPins
from drivers.panels.key_panel import KeyPanel
from drivers.pins.rpi_pins import RpiPins
from drivers.shoe.shoe_gate import ShoeGate
from drivers.shoe.shoe_sensors import ShoeSensors
from drivers.simulators.bench.manual_clock import ManualClock
from drivers.simulators.lamps.lamps_595_simulator import Lamps595Simulator
from drivers.simulators.simulated_pins import SimulatedPins

LINES = os.environ.get("GPIO_SIM")

pytestmark = [
    pytest.mark.elsewhere,
    pytest.mark.skipif(LINES is None, reason="needs a kernel with gpio-sim: GPIO_SIM names its lines"),
]

PATIENCE = 300.0
CARDS = 40
MORE_SAMPLES = 50

OUTPUTS = {"act": {"1": 0, "2": 9}, "button": {"1": 23}}


def pull(line: int, up: bool) -> None:
    Path(f"{LINES}/sim_gpio{line}/pull").write_text("pull-up" if up else "pull-down", encoding="ascii")


def level(line: int) -> bool:
    return Path(f"{LINES}/sim_gpio{line}/value").read_text(encoding="ascii").strip() == "1"


class MirroredPins(RpiPins):
    """The real pins, with a 74HC595 model wired to what the kernel says after every write."""

    def __init__(self, far: SimulatedPins) -> None:
        super().__init__()
        self._far = far

    def setup_output(self, pin: int, level: bool) -> None:
        super().setup_output(pin, level)
        self._far.setup_output(pin, level_of(pin))

    def write(self, pin: int, level: bool) -> None:
        super().write(pin, level)
        self._far.write(pin, level_of(pin))


def level_of(pin: int) -> bool:
    return level(pin)


@pytest.fixture
def pins() -> Iterator[RpiPins]:
    pins = RpiPins()
    yield pins
    pins.close()


def sample_events(driver: PinDriver, pins: RpiPins, wanted: int = 0) -> list[DeviceEvent]:
    """Sample, as the runtime does, until `wanted` events came, and then as often as a surplus one would need to come.

    The guest is emulated, on a machine with other things to do: it is waited for samples, not for seconds.
    """
    events: list[DeviceEvent] = []
    ends = time.monotonic() + PATIENCE
    left = MORE_SAMPLES
    while left and time.monotonic() < ends:
        events += driver.sample(pins, time.monotonic())
        left -= len(events) >= wanted
        time.sleep(SAMPLE_INTERVAL_S)
    return events


def bounce(line: int, up: bool) -> None:
    for n in range(11):
        pull(line, up == (n % 2 == 0))
        time.sleep(0.0003)


def test_keys_with_bounce(pins: RpiPins) -> None:
    driver = KeyPanel("dealer", keys={"done": 5, "undo": 6}, stuck_seconds=2)
    driver.start(pins)
    assert sample_events(driver, pins) == []
    for _ in range(5):
        bounce(5, up=False)
        assert sample_events(driver, pins, 1) == [KeyPressed("dealer", "done")]
        bounce(5, up=True)
        assert sample_events(driver, pins) == []
    bounce(6, up=False)
    assert sample_events(driver, pins, 2) == [KeyPressed("dealer", "undo"), KeyStuck("dealer", "undo")]
    pull(6, up=True)
    assert sample_events(driver, pins, 1) == [KeyFreed("dealer", "undo")]


def test_chain_decoded_from_the_kernels_lines(signals: Callable[..., Signals]) -> None:
    far = SimulatedPins(ManualClock())
    wiring = {"data_pin": 22, "clock_pin": 23, "latch_pin": 24, "enable_pin": 25}
    simulator = Lamps595Simulator(far, data_pin=22, clock_pin=23, latch_pin=24, enable_pin=25, chips=3, outputs=OUTPUTS)
    pins = MirroredPins(far)
    try:
        driver = Lamps595("lamps", data_pin=22, clock_pin=23, latch_pin=24, enable_pin=25, chips=3, outputs=OUTPUTS)
        driver.start(pins)
        assert level(wiring["enable_pin"]) is True
        assert not any(simulator.output_levels())
        driver.show_signals(signals(act=(2,), button=(1,)), pins)
        assert [n for n, lit in enumerate(simulator.output_levels()) if lit] == [9, 23]
        driver.stop(pins)
        assert level(wiring["enable_pin"]) is True
    finally:
        pins.close()


@pytest.mark.parametrize("active_low", [False, True])
def test_seat_leds_shine_and_blink(pins: RpiPins, signals: Callable[..., Signals], active_low: bool) -> None:
    """Two roles share the LED of seat 1; what is urgent blinks, and the samples of a second see both levels."""
    driver = LampsPins(
        "lamps", outputs={"attention": {"1": 18}, "button": {"1": 18}, "act": {"2": 23}}, active_low=active_low
    )
    driver.start(pins)
    assert [level(18), level(23)] == [active_low, active_low]
    driver.show_signals(signals(button=(1,)), pins)
    assert [level(18), level(23)] == [not active_low, active_low]
    driver.show_signals(signals(button=(1,), attention=(1,)), pins)
    seen = set()
    for sample in range(200):
        driver.sample(pins, sample * SAMPLE_INTERVAL_S)
        seen.add(level(18))
    assert seen == {False, True}
    driver.stop(pins)
    assert [level(18), level(23)] == [active_low, active_low]


def test_gate_rests_locked(pins: RpiPins, signals: Callable[..., Signals]) -> None:
    pull(17, up=False)
    driver = ShoeGate("gate", pin=17, open_level="high", fail_safe="locked")
    driver.start(pins)
    assert level(17) is False
    driver.show_signals(signals(gate_open=True), pins)
    assert level(17) is True
    driver.stop(pins)
    assert level(17) is False
    pins.close()
    assert level(17) is False


def test_card_passes_the_mouth(pins: RpiPins) -> None:
    driver = ShoeSensors("mouth", edge_pin=4)
    driver.start(pins)
    assert sample_events(driver, pins) == []
    pull(4, up=False)
    assert sample_events(driver, pins, 1) == [CardEdgeSensed("mouth", True)]
    pull(4, up=True)
    assert sample_events(driver, pins, 1) == [CardEdgeSensed("mouth", False)]


class SampledPins(RpiPins):
    """The real pins, of which levels are had alone, as over `RPi.GPIO`."""

    def watch_edges(self, pin: int) -> bool:  # noqa: ARG002 - as the pins' own
        return False


HAND = """
import os, signal, sys, time
line, program, cards, stops = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4] == "stopped"
sys.stdin.readline()
for _ in range(cards):
    if stops:
        os.kill(program, signal.SIGSTOP)
        time.sleep(0.002)
    for pull, stays in (("pull-down", 0.010), ("pull-up", 0.028)):
        with open(line + "/pull", "w") as file:
            file.write(pull)
        time.sleep(stays)
    if stops:
        os.kill(program, signal.SIGCONT)
    time.sleep(0.1)
"""
"""Throws cards through the beam, each 10 ms; the program is stopped meanwhile for 40 ms, edges and all."""


@contextmanager
def held_interpreter() -> Iterator[None]:
    """Something in this program that holds the interpreter for 40 ms and more, again and again."""
    began, size = time.monotonic(), 10_000
    while time.monotonic() - began < 0.04:
        size *= 2
        began = time.monotonic()
        sum(range(size))
    ended = threading.Event()

    def hold() -> None:
        while not ended.wait(0.001):
            sum(range(size))

    thread = threading.Thread(target=hold)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


@pytest.mark.parametrize("how", ["stopped", "interpreter held"])
def test_cards_of_10_ms_while_the_program_is_held_up_for_40(how: str) -> None:
    seen: dict[type[RpiPins], list[DeviceEvent]] = {}
    for kind in (SampledPins, RpiPins):
        pins = kind()
        pull(4, up=True)
        try:
            driver = ShoeSensors("mouth", edge_pin=4)
            driver.start(pins)
            assert sample_events(driver, pins) == []
            events: list[DeviceEvent] = []
            seen[kind] = events
            hand = [sys.executable, "-c", HAND, f"{LINES}/sim_gpio4", str(os.getpid()), str(CARDS), how]
            load = nullcontext() if how == "stopped" else held_interpreter()
            with subprocess.Popen(hand, stdin=subprocess.PIPE) as other, load:
                assert other.stdin is not None
                other.stdin.write(b"\n")
                other.stdin.flush()
                while other.poll() is None:
                    events += driver.sample(pins, time.monotonic())
                    time.sleep(SAMPLE_INTERVAL_S)
                events += sample_events(driver, pins)
        finally:
            pins.close()
    lost = {kind: CARDS - said.count(CardEdgeSensed("mouth", True)) for kind, said in seen.items()}
    text = f"{lost[SampledPins]} lost by levels, {lost[RpiPins]} by edges"
    print(f"{CARDS} cards of 10 ms, {how} for 40 ms: {text}")  # noqa: T201 - a figure for the record
    assert seen[RpiPins] == [CardEdgeSensed("mouth", True), CardEdgeSensed("mouth", False)] * CARDS
    assert lost[SampledPins] > CARDS // 4, "else this proves nothing"


def test_pin_held_by_another_program(pins: RpiPins) -> None:
    holding = "import drivers.pins.rpi_pins as r, sys; p = r.RpiPins(); p.setup_output(17, False); print(flush=True)"
    with subprocess.Popen(
        [sys.executable, "-c", f"{holding}; sys.stdin.read()"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        other.stdout.readline()
        with pytest.raises(PinError, match="pin 17 cannot be an output; does another program or a kernel driver hold"):
            pins.setup_output(17, False)
        other.communicate(b"")


def test_cost_of_a_lamp_chain(pins: RpiPins, signals: Callable[..., Signals]) -> None:
    """Printed for the record; the limit is for what would be wrong on any machine."""
    driver = Lamps595(
        "lamps", data_pin=22, clock_pin=23, latch_pin=24, chips=5, outputs={"act": {str(n + 1): n for n in range(40)}}
    )
    driver.start(pins)
    began = time.process_time()
    for n in range(20):
        driver.show_signals(signals(act=(n + 1,)), pins)
    each = (time.process_time() - began) / 20
    print(f"a chain of five: {each * 1000:.1f} ms")  # noqa: T201 - a figure for the record
    assert each < 0.5


def test_cost_of_a_watched_beam() -> None:
    """Printed for the record: lgpio's thread looks every 0.5 ms (lgPthAlerts.c), and the limit is a processor."""
    share: dict[type[RpiPins], float] = {}
    for kind in (SampledPins, RpiPins):
        pins = kind()
        try:
            ShoeSensors("mouth", edge_pin=4).start(pins)
            began, used = time.monotonic(), time.process_time()
            time.sleep(2)
            share[kind] = (time.process_time() - used) / (time.monotonic() - began)
        finally:
            pins.close()
    print(f"a beam watched, idle: {share[RpiPins]:.1%} of a processor; not watched {share[SampledPins]:.1%}")  # noqa: T201 - for the record
    assert share[RpiPins] < 1
