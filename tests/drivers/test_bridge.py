"""The board's driver against a board: restarts in mid-hand, limits of the gate, stuck keys, another firmware."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from controller.core.protocol.table_display import Sound, SoundCue
from drivers.bridge import Bridge
from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import (
    CardEdgeSensed,
    DeviceEvent,
    DeviceLost,
    DeviceReady,
    EventsMissed,
    GateHeldShut,
    KeyFreed,
    KeyPressed,
    KeyStuck,
    LidMoved,
    ShoeJammed,
    Signals,
)
from drivers.simulators.bench.manual_clock import ManualClock
from drivers.simulators.bridge_simulator import BridgeSimulator
from drivers.sound.sound_patterns import PATTERN_BY_SOUND, SLOT_DURATION_S
from firmware_bridge.wire_frames import Frame, encode_frame
from firmware_bridge.wire_messages import Capability, Hello, make_frame

KEYS = {"done": 0, "undo": 1, "misdeal": 8}
OUTPUTS = {"act": {"1": 0, "2": 1}, "button": {"1": 4, "2": 5}}
MakeSignals = Callable[..., Signals]


class Rig:
    """Driver and board on a perfect cable, in a time that only `run` moves."""

    def __init__(self, clock: ManualClock) -> None:
        self.clock = clock
        self.driver = Bridge(
            "bridge",
            keys=KEYS,
            hold=["misdeal"],
            outputs=OUTPUTS,
            buzzer=47,
            sounds=["stop", "floor"],
            gate=True,
            sensors=["edge", "face", "lid"],
        )
        self.simulator = BridgeSimulator(clock)
        self.simulator.configure({"keys": KEYS, "hold": ["misdeal"], "outputs": OUTPUTS, "buzzer": 47})
        self.simulator.receive_data(self.driver.on_port_opened())

    def run(self, seconds: float, *, cut: bool = False) -> list[DeviceEvent]:
        events: list[DeviceEvent] = []
        for _ in range(round(seconds / 0.005)):
            self.clock.advance(0.005)
            for _, said in self.simulator.take_frames():
                if not cut:
                    events += self.driver.receive_data(said, self.clock())
            data, more = self.driver.on_tick(self.clock())
            events += more
            if data and not cut:
                self.simulator.receive_data(data)
        return events

    def show(self, signals: Signals) -> None:
        self.simulator.receive_data(self.driver.show_signals(signals))
        self.run(0.03)


@pytest.fixture
def rig(clock: ManualClock) -> Rig:
    rig = Rig(clock)
    assert rig.run(1.0) == [DeviceReady("bridge", "1.0.0")]
    return rig


def kinds(events: Sequence[DeviceEvent]) -> list[type[DeviceEvent]]:
    return [type(event) for event in events]


def test_restart_in_mid_hand(rig: Rig, signals: MakeSignals) -> None:
    rig.show(signals(act=(2,), button=(1,), gate_open=True))
    assert rig.simulator.is_open()
    rig.simulator.move_lid(open_it=True)
    rig.run(0.2)
    rig.simulator.reset()
    events = rig.run(1.0)
    assert kinds(events) == [DeviceLost, DeviceReady, EventsMissed]
    assert "the board restarted: watchdog" in str(events[2])
    assert rig.simulator.lit_seats()["button"] == (1,), "the lamps are sent again without being asked for"
    assert not rig.simulator.is_open(), "the gate waits until the table wants it anew"
    rig.simulator.move_lid(open_it=False)
    assert rig.run(0.5) == [LidMoved("bridge", False)]
    rig.show(signals(act=(2,), button=(1,), gate_open=True))
    assert rig.simulator.is_open()


def test_levels_after_a_restart_are_asked_for(rig: Rig) -> None:
    rig.simulator.move_lid(open_it=True)
    rig.simulator.press("done")
    assert rig.run(0.5) == [KeyPressed("bridge", "done"), LidMoved("bridge", True)]
    rig.simulator.reset()
    rig.simulator.move_lid(open_it=False)
    events = rig.run(1.0)
    assert LidMoved("bridge", False) in events
    assert events.count(KeyStuck("bridge", "done")) == 1
    assert not any(isinstance(event, KeyPressed) for event in events), "nobody pressed it"
    rig.simulator.release("done")
    assert rig.run(0.5) == [KeyFreed("bridge", "done")]


def test_gate_rests_in_short_pauses(rig: Rig, signals: MakeSignals) -> None:
    """A dealer who takes a minute finds the gate shut for a moment, never for the ten seconds of the board."""
    rig.show(signals(gate_open=True))
    seen = []
    for _ in range(600):
        assert rig.run(0.1) == []
        seen.append(rig.simulator.is_open())
    assert all(seen[:24]), "nothing rests before it must"
    assert sum(seen) > 270
    assert "".join("x" if is_open else "." for is_open in seen).find("." * 9) == -1
    rig.show(signals())
    rig.run(5.0)
    rig.show(signals(gate_open=True))
    rig.run(2.0)
    assert rig.simulator.is_open(), "rested"


def test_gate_open_too_long_is_said_once_and_comes_back(rig: Rig, signals: MakeSignals) -> None:
    rig.simulator.board._gate_on_ms = 2900  # by another host
    rig.show(signals(gate_open=True))
    events = rig.run(4.0)
    assert kinds(events) == [GateHeldShut]
    assert "cools down" in str(events[0])
    assert not rig.simulator.is_open()
    assert rig.run(5.0) == []
    assert not rig.simulator.is_open()
    assert rig.run(2.0) == []
    assert rig.simulator.is_open()


def test_gate_and_lid(rig: Rig, signals: MakeSignals) -> None:
    rig.simulator.move_lid(open_it=True)
    rig.run(0.5)
    rig.show(signals(gate_open=True))
    assert not rig.simulator.is_open()
    rig.simulator.move_lid(open_it=False)
    events = rig.run(0.5)
    assert LidMoved("bridge", False) in events
    assert rig.simulator.is_open()


def test_gate_shuts_when_the_driver_is_left_alone(rig: Rig, signals: MakeSignals) -> None:
    rig.show(signals(gate_open=True))
    assert rig.simulator.is_open()
    rig.clock.advance(0.4)
    assert not rig.simulator.is_open()


def test_cable_out_and_in(rig: Rig, signals: MakeSignals) -> None:
    rig.show(signals(button=(2,)))
    rig.run(1.0, cut=True)
    rig.simulator.tap("undo")
    rig.run(1.5, cut=True)
    rig.simulator.receive_data(rig.driver.on_port_opened())
    events = rig.run(1.0)
    assert [event for event in events if isinstance(event, KeyPressed)] == [KeyPressed("bridge", "undo")]
    assert rig.simulator.lit_seats()["button"] == (2,)


def test_held_key_jam_and_trembling_finger(rig: Rig) -> None:
    rig.simulator.tap("misdeal", 0.3)
    assert rig.run(1.0) == []
    rig.simulator.tap("misdeal")
    assert rig.run(2.0) == [KeyPressed("bridge", "misdeal", held=True)]
    rig.simulator.tap("done", 0.05)
    events = rig.run(0.12)
    rig.simulator.tap("done", 0.05)
    assert events + rig.run(0.5) == [KeyPressed("bridge", "done")]
    rig.simulator.jam()
    assert rig.run(2.0) == [CardEdgeSensed("bridge", True), ShoeJammed("bridge")]
    rig.simulator.clear()
    assert rig.run(0.2) == [CardEdgeSensed("bridge", False)]


def hello_of(rig: Rig) -> Hello:
    board = rig.driver.board_hello
    assert board is not None
    return board


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"schema": 1}, "message table is 00000001"),
        ({"protocol": 7, "oldest_protocol": 6}, "speaks TB/6 to TB/7, this program TB/1"),
        ({"capabilities": Capability.KEYS}, "was built without lamps and gate and shoe"),
    ],
)
def test_another_firmware_is_refused_in_words(rig: Rig, change: dict[str, int], words: str) -> None:
    said = replace(hello_of(rig), **change)  # type: ignore[arg-type]  # fields of many types
    rig.driver.on_port_opened()
    events: list[DeviceEvent] = []
    rig.clock.advance(0.3)
    rig.driver.on_tick(rig.clock())
    for seq in range(255):
        events += rig.driver.receive_data(encode_frame(make_frame(said, seq)), rig.clock())
    lost = [event for event in events if isinstance(event, DeviceLost)]
    assert lost
    assert words in lost[0].reason
    assert not any(isinstance(event, DeviceReady) for event in events)


def test_silent_board_is_lost_once(rig: Rig) -> None:
    rig.driver.on_port_opened()
    events = rig.run(5.0, cut=True)
    assert kinds(events) == [DeviceLost]
    assert "does not answer" in str(events[0])


def test_a_buzzer_on_the_board_sounds_each_wanted_sound_once(rig: Rig) -> None:
    def sounding(what: Sound, number: int) -> str:
        rig.simulator.receive_data(rig.driver.show_signals(Signals(sound=SoundCue(what, number))))
        heard = ""
        for _ in range(20):
            assert rig.run(SLOT_DURATION_S) == []
            heard += "#" if rig.simulator.is_sounding() else "."
        return heard.strip(".")

    assert sounding(Sound.STOP, 1) == PATTERN_BY_SOUND["stop"]
    assert sounding(Sound.STOP, 1) == ""
    assert sounding(Sound.DUE, 2) == "", "it is not wanted"
    assert sounding(Sound.FLOOR, 3) == PATTERN_BY_SOUND["floor"]


def test_gap_counted_by_the_board(rig: Rig) -> None:
    rig.run(0.1, cut=True)
    for _ in range(60):
        rig.simulator.tap("done", 0.05)
        rig.run(0.3, cut=True)
    rig.simulator.receive_data(rig.driver.on_port_opened())
    events = rig.run(2.0)
    assert any(isinstance(event, EventsMissed) and "events)" in event.reason for event in events)


def test_what_makes_no_frame_is_dropped(rig: Rig) -> None:
    rig.driver.receive_data(encode_frame(Frame(0x41, 0, b"\xff")), rig.clock())
    assert rig.run(1.0) == []


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({}, "nothing is on the board"),
        ({"keys": {"done": 56}}, "there is no input 56"),
        ({"keys": {"done": 1, "undo": 1}}, "input 1 is already key 'done'"),
        ({"gate": True, "hold": ["x"]}, "there is no key 'x'"),
        ({"outputs": {"act": {"1": 48}}}, "there is no output 48"),
        ({"buzzer": 48}, "there is no output 48"),
        ({"outputs": {"act": {"1": 7}}, "buzzer": 7}, "output 7 is a lamp's already"),
    ],
)
def test_configuration(keys: dict[str, object], words: str) -> None:
    with pytest.raises(DriverConfigError, match=words):
        Bridge("bridge", **keys)  # type: ignore[arg-type]  # as read from a file
