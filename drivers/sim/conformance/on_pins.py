"""Devices on pins: set up as declared, left safe, at one with their far end."""

from collections.abc import Mapping

from controller.core.protocol.display import Heard, Sound
from drivers.contract.base import (
    SAMPLE_SECONDS,
    CardEdge,
    DeviceEvent,
    KeyPressed,
    PinDriver,
    Signals,
)
from drivers.sim.bench.bench import Bench
from drivers.sim.bench.twin import GateTwin, LampsTwin, PanelTwin, SensorsTwin, SoundTwin
from drivers.sim.conformance.stage import on_the_bench, signals_of
from drivers.sim.conformance.subject import Nonconforming, Subject, fail, require


def _on_bench(subject: Subject, bench: Bench) -> tuple[PinDriver, object]:
    twin = bench.add_device(subject.driver, subject.device, subject.keys)
    driver = subject.made()
    if not isinstance(driver, PinDriver):
        fail("it is neither a ByteDriver nor a PinDriver")
    driver.start(bench.pins)
    return driver, twin


def pins_are_left_safe(subject: Subject) -> None:
    """The pins that are set up are those that are declared, and rest as at the start when the device is given up."""
    with on_the_bench() as (bench, _):
        driver, twin = _on_bench(subject, bench)
        set_up = [change for change in bench.pins.history if change.what in ("input", "output")]
        same = sorted(change.pin for change in set_up) == sorted(driver.pins_used().values())
        require(same, "it sets up other pins than it declares")
        rest = _at_rest(twin)
        driver.perform(signals_of(gate_open=True, act=(1,)), bench.pins)
        for _ in range(2):
            driver.stop(bench.pins)
            require(_at_rest(twin) == rest, "`stop` leaves the device otherwise than `start`")
        bench.pins.close()
        require(_at_rest(twin) == rest, "with its pins given back the device is otherwise than at the start")


def _at_rest(twin: object) -> Mapping[str, tuple[int, ...]] | bool | None:
    match twin:
        case LampsTwin():
            return {role: seats for role, seats in twin.lit().items() if seats}
        case GateTwin():
            return twin.is_open()
        case SoundTwin():
            return twin.is_sounding()
        case PanelTwin() | SensorsTwin():
            return None
        case _:
            raise Nonconforming(f"{type(twin).__name__} is no kind of twin that drivers.sim.bench.twin names")


def driver_and_twin_agree(subject: Subject) -> None:
    """What is done at the far end is said, and what the table says is seen there."""
    with on_the_bench() as (bench, clock):
        driver, twin = _on_bench(subject, bench)

        def sampled(seconds: float) -> list[DeviceEvent]:
            events: list[DeviceEvent] = []
            for _ in range(round(seconds / SAMPLE_SECONDS)):
                clock.advance(SAMPLE_SECONDS)
                events += driver.sample(bench.pins, clock())
            return events

        require(not sampled(0.1), "it says something where nothing happens")
        match twin:
            case PanelTwin():
                for key in subject.keys["keys"]:
                    twin.tap(key)
                    pressed = [event.key if isinstance(event, KeyPressed) else None for event in sampled(1.5)]
                    require(pressed == [key], f"the key {key} was tapped once, and it says {pressed}")
            case LampsTwin():
                driver.perform(signals_of(act=(1,), button=(2,)), bench.pins)
                lit = twin.lit()
                require((lit["act"], lit["button"]) == ((1,), (2,)), "other lamps are alight than the table says")
                driver.perform(signals_of(), bench.pins)
                require(not any(twin.lit().values()), "lamps stay alight")
            case GateTwin():
                for wanted in (True, False, True):
                    driver.perform(signals_of(gate_open=wanted), bench.pins)
                    require(twin.is_open() == wanted, "the gate is not where the table wants it")
            case SoundTwin():
                driver.perform(Signals(sound=Heard(Sound.FLOOR, 1)), bench.pins)
                require(twin.is_sounding(), "a sound is not heard")
                sampled(2.0)
                require(twin.lengths() and not twin.is_sounding(), "a sound does not end")
            case SensorsTwin():
                twin.pass_card(face_up=True)
                covered = [event.covered for event in sampled(0.5) if isinstance(event, CardEdge)]
                require(covered == [True, False], f"a card passed, and it says {covered}")
            case _:
                fail(f"{type(twin).__name__} is no kind of twin that drivers.sim.bench.twin names")
