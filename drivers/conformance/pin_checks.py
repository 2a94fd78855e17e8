"""Devices on pins: set up as declared, left safe, at one with their far end."""

from collections.abc import Mapping

from controller.core.protocol.table_display import Sound, SoundCue
from drivers.conformance.check_bench import make_signals, open_bench
from drivers.conformance.documented_driver import ConformanceError, DocumentedDriver, fail, require
from drivers.contract.driver_interface import (
    SAMPLE_INTERVAL_S,
    CardEdgeSensed,
    DeviceEvent,
    KeyPressed,
    PinDriver,
    Signals,
)
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.simulator_interfaces import (
    GateSimulator,
    LampsSimulator,
    PanelSimulator,
    SensorsSimulator,
    SoundSimulator,
)


def _start_on_bench(subject: DocumentedDriver, bench: Bench) -> tuple[PinDriver, object]:
    simulator = bench.add_device(subject.driver, subject.device, subject.keys)
    driver = subject.build_driver()
    if not isinstance(driver, PinDriver):
        fail("it is neither a ByteDriver nor a PinDriver")
    driver.start(bench.pins)
    return driver, simulator


def check_safe_pins(subject: DocumentedDriver) -> None:
    """The pins that are set up are those that are declared, and rest as at the start when the device is given up."""
    with open_bench() as (bench, _):
        driver, simulator = _start_on_bench(subject, bench)
        set_up = [change for change in bench.pins.history if change.kind in ("input", "output")]
        same = sorted(change.pin for change in set_up) == sorted(driver.pins_used().values())
        require(same, "it sets up other pins than it declares")
        rest = _read_rest_state(simulator)
        driver.show_signals(make_signals(gate_open=True, act=(1,)), bench.pins)
        for _ in range(2):
            driver.stop(bench.pins)
            require(_read_rest_state(simulator) == rest, "`stop` leaves the device otherwise than `start`")
        bench.pins.close()
        require(
            _read_rest_state(simulator) == rest, "with its pins given back the device is otherwise than at the start"
        )


def _read_rest_state(simulator: object) -> Mapping[str, tuple[int, ...]] | bool | None:
    match simulator:
        case LampsSimulator():
            return {role: seats for role, seats in simulator.lit_seats().items() if seats}
        case GateSimulator():
            return simulator.is_open()
        case SoundSimulator():
            return simulator.is_sounding()
        case PanelSimulator() | SensorsSimulator():
            return None
        case _:
            raise ConformanceError(
                f"{type(simulator).__name__} is no kind of simulator that "
                f"drivers.simulators.bench.simulator_interfaces names"
            )


def check_simulator_agreement(subject: DocumentedDriver) -> None:
    """What is done at the far end is said, and what the table says is seen there."""
    with open_bench() as (bench, clock):
        driver, simulator = _start_on_bench(subject, bench)

        def sample_for(seconds: float) -> list[DeviceEvent]:
            events: list[DeviceEvent] = []
            for _ in range(round(seconds / SAMPLE_INTERVAL_S)):
                clock.advance(SAMPLE_INTERVAL_S)
                events += driver.sample(bench.pins, clock())
            return events

        require(not sample_for(0.1), "it says something where nothing happens")
        match simulator:
            case PanelSimulator():
                for key in subject.keys["keys"]:
                    simulator.tap(key)
                    pressed = [event.key if isinstance(event, KeyPressed) else None for event in sample_for(1.5)]
                    require(pressed == [key], f"the key {key} was tapped once, and it says {pressed}")
            case LampsSimulator():
                driver.show_signals(make_signals(act=(1,), button=(2,)), bench.pins)
                lit = simulator.lit_seats()
                require((lit["act"], lit["button"]) == ((1,), (2,)), "other lamps are alight than the table says")
                driver.show_signals(make_signals(), bench.pins)
                require(not any(simulator.lit_seats().values()), "lamps stay alight")
            case GateSimulator():
                for wanted in (True, False, True):
                    driver.show_signals(make_signals(gate_open=wanted), bench.pins)
                    require(simulator.is_open() == wanted, "the gate is not where the table wants it")
            case SoundSimulator():
                driver.show_signals(Signals(sound=SoundCue(Sound.FLOOR, 1)), bench.pins)
                require(simulator.is_sounding(), "a sound is not heard")
                sample_for(2.0)
                require(simulator.tone_lengths_s() and not simulator.is_sounding(), "a sound does not end")
            case SensorsSimulator():
                simulator.pass_card(face_up=True)
                covered = [event.is_covered for event in sample_for(0.5) if isinstance(event, CardEdgeSensed)]
                require(covered == [True, False], f"a card passed, and it says {covered}")
            case _:
                fail(
                    f"{type(simulator).__name__} is no kind of simulator that "
                    f"drivers.simulators.bench.simulator_interfaces names"
                )
