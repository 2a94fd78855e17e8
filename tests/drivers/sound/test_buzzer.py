"""The buzzer at the far end of its wire: each sound by its pattern, once, and none that is not wanted."""

from typing import Any

import pytest

from controller.core.protocol.table_display import Sound, SoundCue
from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import Signals
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.manual_clock import ManualClock
from drivers.simulators.sound.buzzer_simulator import BuzzerSimulator
from drivers.sound.buzzer import Buzzer
from drivers.sound.sound_patterns import PATTERN_BY_SOUND, SLOT_DURATION_S
from tests.drivers.serving import sample

LENGTHS = {
    Sound.DUE: [0.06],
    Sound.STOP: [0.24, 0.24],
    Sound.FLOOR: [0.06] * 6,
    Sound.TAKEN_BACK: [0.12, 0.06],
}


class Wire:
    def __init__(self, bench: Bench, clock: ManualClock, **keys: Any) -> None:  # noqa: ANN401 - keys of the driver
        self.bench, self.clock = bench, clock
        bench.add_device("buzzer", "sound", {"pin": 18, **keys})
        self.simulator = bench.find_simulator("sound", BuzzerSimulator)
        self.driver = Buzzer("sound", **{"pin": 18, **keys})
        self.driver.start(bench.pins)
        self.run(0.1)

    def run(self, seconds: float) -> None:
        assert not sample(self.driver, self.bench.pins, self.clock, seconds)

    def play_sound(self, what: Sound, number: int) -> list[float]:
        self.simulator.tones.clear()
        self.driver.show_signals(Signals(sound=SoundCue(what, number)), self.bench.pins)
        self.run(1.5)
        return self.simulator.tone_lengths_s()


@pytest.fixture
def wire(bench: Bench, clock: ManualClock) -> Wire:
    return Wire(bench, clock)


def test_every_sound_has_a_pattern_of_its_own_and_ends(wire: Wire) -> None:
    assert set(PATTERN_BY_SOUND) == {sound.value for sound in Sound}
    assert len(set(PATTERN_BY_SOUND.values())) == len(PATTERN_BY_SOUND)
    for number, sound in enumerate(Sound, start=1):
        assert wire.play_sound(sound, number) == pytest.approx(LENGTHS[sound], abs=SLOT_DURATION_S / 4)
        assert not wire.simulator.is_sounding()


def test_a_sound_that_is_shown_again_is_not_heard_again(wire: Wire) -> None:
    assert wire.play_sound(Sound.STOP, 1)
    assert wire.play_sound(Sound.STOP, 1) == []
    assert wire.play_sound(Sound.STOP, 2)


def test_a_sound_that_is_not_wanted_is_silent(bench: Bench, clock: ManualClock) -> None:
    wire = Wire(bench, clock, sounds=["stop"])
    assert wire.play_sound(Sound.DUE, 1) == []
    assert wire.play_sound(Sound.STOP, 2)


def test_a_buzzer_that_sounds_at_low_is_silent_at_first_and_at_the_end(bench: Bench, clock: ManualClock) -> None:
    wire = Wire(bench, clock, pin=5, sounds_at="low")
    assert bench.pins.get_driven_level(5) is True
    wire.driver.show_signals(Signals(sound=SoundCue(Sound.STOP, 1)), bench.pins)
    assert wire.simulator.is_sounding()
    wire.driver.stop(bench.pins)
    assert not wire.simulator.is_sounding()


@pytest.mark.parametrize(("pin", "at"), [(5, "high"), (18, "low")])
def test_a_pin_at_which_it_would_sound_while_the_board_boots_is_refused(pin: int, at: Any) -> None:  # noqa: ANN401
    with pytest.raises(DriverConfigError, match="while the board boots"):
        Buzzer("sound", pin=pin, sounds_at=at)
