"""What every driver must do, one body for all: the cases come from the registry, never from a list kept here.

The far end of every wire is the driver's twin. A driver without a twin, without a section in docs/devices.md or without
an example there turns this red.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.core.protocol.display import Heard, Sound
from drivers.contract.base import (
    SAMPLE_SECONDS,
    ByteDriver,
    CardEdge,
    DeviceEvent,
    DeviceReady,
    KeyPressed,
    Noise,
    PinDriver,
    Signals,
    TagRead,
    TagReader,
)
from drivers.contract.errors import DriverConfigError, PortBusyError, PortLostError, PortMissingError
from drivers.contract.registry import DRIVERS, build, keys_of, load
from drivers.ports.open_port import BytePort, open_port
from drivers.sim import SIMS
from drivers.sim.bench.bench import Bench
from drivers.sim.bench.clock import HandClock
from drivers.sim.bench.twin import GateTwin, LampsTwin, PanelTwin, SensorsTwin, SoundTwin

PAGE = (Path(__file__).parents[3] / "docs" / "devices.md").read_text(encoding="utf-8")


def section(driver: str) -> str:
    found = re.search(rf"^## {driver}\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)
    assert found is not None, f"docs/devices.md has no section for {driver}"
    return found[1]


def example(driver: str) -> tuple[str, dict[str, Any], str | None]:
    """Return the device name, the driver's own keys and the port of the example in the documentation."""
    block = re.search(r"```toml\n(.*?)```", section(driver), re.DOTALL)
    assert block is not None, f"the section of {driver} in docs/devices.md has no example"
    ((name, keys),) = tomllib.loads(block[1])["device"].items()
    assert keys.pop("driver") == driver
    return name, keys, keys.pop("port", None)


def made(driver: str) -> ByteDriver | PinDriver:
    name, keys, _ = example(driver)
    return build(driver, name, keys)


pytestmark = pytest.mark.usefixtures("bench")

ON_PORTS = sorted(name for name in DRIVERS if isinstance(made(name), ByteDriver))
ON_PINS = sorted(name for name in DRIVERS if isinstance(made(name), PinDriver))
READERS = sorted(name for name in ON_PORTS if isinstance(made(name), TagReader))


class Line:
    """A driver on its port, served as the runtime serves it, in a time that only `run` moves."""

    def __init__(self, driver: ByteDriver, url: str, clock: HandClock) -> None:
        self.driver, self.clock = driver, clock
        self.port: BytePort = open_port(url, driver, read_seconds=0)
        self.port.write(driver.hello())

    def run(self, seconds: float) -> list[DeviceEvent]:
        events: list[DeviceEvent] = []
        ends = self.clock() + seconds
        while self.clock() < ends:
            self.clock.advance(0.005)
            events += self.driver.received(self.port.read(), self.clock())
            data, more = self.driver.tick(self.clock())
            events += more
            if data:
                self.port.write(data)
        return events


def line(driver: str, clock: HandClock, faults: str = "") -> Line:
    _, _, port = example(driver)
    made_driver = made(driver)
    assert isinstance(made_driver, ByteDriver)
    return Line(made_driver, f"{port}{'&' if '?' in str(port) else '?'}{faults}" if faults else str(port), clock)


def reads(events: list[DeviceEvent]) -> list[str]:
    return [event.tag for event in events if isinstance(event, TagRead)]


def sampled(driver: PinDriver, bench: Bench, clock: HandClock, seconds: float) -> list[DeviceEvent]:
    events: list[DeviceEvent] = []
    for _ in range(round(seconds / SAMPLE_SECONDS)):
        clock.advance(SAMPLE_SECONDS)
        events += driver.sample(bench.pins, clock())
    return events


def on_bench(driver: str, bench: Bench) -> tuple[PinDriver, Any]:
    name, keys, _ = example(driver)
    twin = bench.add_device(driver, name, keys)
    made_driver = made(driver)
    assert isinstance(made_driver, PinDriver)
    made_driver.start(bench.pins)
    return made_driver, twin


# Registry, twins, documentation.


def test_every_driver_has_a_twin() -> None:
    assert SIMS.keys() == DRIVERS.keys()


@pytest.mark.parametrize("driver", sorted(DRIVERS))
def test_page_names_every_key(driver: str) -> None:
    assert f"| [`{driver}`](#{driver}) |" in PAGE
    for key in keys_of(driver):
        assert f"`{key.name}" in section(driver), f"docs/devices.md does not explain {key.name!r} of {driver}"


@pytest.mark.parametrize("driver", sorted(DRIVERS))
def test_example_is_accepted_and_complete(driver: str) -> None:
    name, keys, _ = example(driver)
    assert build(driver, name, keys).name == name
    assert set(keys) == {key.name for key in keys_of(driver)}


@pytest.mark.parametrize("driver", sorted(DRIVERS))
def test_configuration_is_refused_not_guessed(driver: str) -> None:
    name, keys, _ = example(driver)
    with pytest.raises(DriverConfigError, match="has no such key; its keys are"):
        build(driver, name, {**keys, "colour": "red"})
    for key in keys_of(driver):
        assert key.accepts
        with pytest.raises(DriverConfigError, match="it must be"):
            build(driver, name, {**keys, key.name: object()})
        if key.required:
            with pytest.raises(DriverConfigError, match="needs it"):
                build(driver, name, {own: value for own, value in keys.items() if own != key.name})


@pytest.mark.parametrize("driver", ON_PINS)
def test_twin_is_configured_like_its_driver(driver: str) -> None:
    own = {key.name for key in keys_of(driver)}
    parameters = signature(load(SIMS[driver])).parameters.values()
    assert {parameter.name for parameter in parameters if parameter.kind is Parameter.KEYWORD_ONLY} == own


# Devices on ports.

TEMPERS = {
    "clean": ("", 1.0),
    "a byte at a time": ("split=1", 1.0),
    "late": ("delay=0.08", 1.0),
    "noise before frames": ("burst=0.3&seed=1", 0.6),
    "flipped bits": ("flip=0.01&seed=2", 0.6),
    "lost bytes": ("drop=0.01&seed=3", 0.6),
    "doubled bytes": ("double=0.01&seed=4", 0.6),
    "repeated frames": ("repeat=0.5&seed=5", 0.9),
    "a bad day": ("flip=0.005&drop=0.005&double=0.005&burst=0.1&repeat=0.1&split=3&delay=0.02&seed=6", 0.5),
}
"""Faults of the cable -> the part of the cards that must still be read."""

DAMAGING = ("flipped bits", "lost bytes", "doubled bytes", "noise before frames", "a bad day")

UNCHECKED = [name for name in READERS if "carries no check" in " ".join(section(name).split())]
"""Readers whose page owns that damage on the cable can make another tag."""


def kinds_on_ports(method: str) -> list[str]:
    """Devices on ports whose twin can do this."""
    return [name for name in ON_PORTS if hasattr(load(SIMS[name]), method)]


LAMPS_ON_PORTS = [name for name in ON_PORTS if hasattr(load(SIMS[name]), "lit")]

LOSSLESS = [name for name in ON_PORTS if getattr(load(SIMS[name]), "lossless", False)]
"""Devices behind no wire of their own: the kernel hands over what they say."""


@pytest.mark.parametrize(
    ("driver", "temper"),
    [(d, t) for d in READERS for t in TEMPERS if d not in LOSSLESS or t not in (*DAMAGING, "repeated frames")],
)
def test_reader_reads_its_twin(driver: str, temper: str, bench: Bench, clock: HandClock) -> None:
    faults, share = TEMPERS[temper]
    subject = line(driver, clock, faults)
    name, _, _ = example(driver)
    reader = bench.reader(name)
    subject.run(1.0)
    read = 0
    for number in range(10):
        tag = reader.nth_tag(number)
        reader.present(tag)
        events = subject.run(0.6)
        reader.remove()
        events += subject.run(0.6)
        if driver not in UNCHECKED or temper not in DAMAGING:
            assert set(reads(events)) <= {tag}, "a tag was read that was not there"
        read += tag in reads(events)
    assert read >= 10 * share


@pytest.mark.parametrize("driver", READERS)
def test_card_that_lies_there_is_not_gone_meanwhile(driver: str, bench: Bench, clock: HandClock) -> None:
    """A repeat is told from a new card by `gone_after`: the reads of one card must come closer than that."""
    subject = line(driver, clock)
    reader = bench.reader(example(driver)[0])
    assert isinstance(subject.driver, TagReader)
    subject.run(0.5)
    reader.present(reader.nth_tag(0))
    times = [clock() for _ in range(400) for _ in reads(subject.run(0.005))]
    assert times
    assert all(later - earlier < subject.driver.gone_after for earlier, later in pairwise(times))


@pytest.mark.parametrize("driver", [name for name in READERS if name not in UNCHECKED])
def test_reader_ignores_a_neighbour(driver: str, clock: HandClock) -> None:
    """Nothing presented, nothing read, however noisy the line."""
    subject = line(driver, clock, "burst=1&flip=0.02")
    assert reads(subject.run(3.0)) == []


@pytest.mark.parametrize("driver", ON_PORTS)
def test_pulled_cable_and_return(driver: str, bench: Bench, clock: HandClock) -> None:
    name, _, port = example(driver)
    subject = line(driver, clock)
    subject.run(0.5)
    bench.unplug(name)
    with pytest.raises(PortLostError):
        subject.run(0.1)
    with pytest.raises(PortLostError):
        subject.port.write(b"x")
    with pytest.raises(PortMissingError):
        open_port(str(port), subject.driver)
    bench.plug(name)
    with pytest.raises(PortLostError):
        subject.run(0.1)
    subject.port.close()
    again = Line(subject.driver, str(port), clock)
    again.run(0.5)
    if driver in READERS:
        reader = bench.reader(name)
        reader.present(reader.nth_tag(5))
        assert set(reads(again.run(1.0))) == {reader.nth_tag(5)}


@pytest.mark.parametrize("driver", ON_PORTS)
def test_port_is_ours_alone(driver: str, clock: HandClock) -> None:
    subject = line(driver, clock)
    with pytest.raises(PortBusyError):
        open_port(str(example(driver)[2]), subject.driver)


@pytest.mark.parametrize("driver", LAMPS_ON_PORTS)
def test_lamps_on_a_port_show_what_the_table_says(
    driver: str, bench: Bench, clock: HandClock, signals: Callable[..., Signals]
) -> None:
    name, keys, port = example(driver)
    bench.add_port(str(port), keys)
    twin = bench.lamps(name)
    subject = line(driver, clock)
    subject.run(0.2)
    assert not any(twin.lit().values())
    subject.port.write(subject.driver.perform(signals(act=(1,), button=(2,))))
    subject.run(0.05)
    assert (twin.lit()["act"], twin.lit()["button"]) == ((1,), (2,))
    subject.run(2.0)
    subject.port.write(subject.driver.perform(signals()))
    subject.run(0.05)
    assert not any(twin.lit().values())


@pytest.mark.parametrize("driver", kinds_on_ports("tap"))
@pytest.mark.parametrize("temper", sorted(TEMPERS))
def test_keys_on_a_port_count_once(driver: str, temper: str, bench: Bench, clock: HandClock) -> None:
    name, keys, port = example(driver)
    faults, _ = TEMPERS[temper]
    subject = line(driver, clock, faults)
    bench.add_port(f"{port}?{faults}" if faults else str(port), keys)
    twin = bench.panel(name)
    subject.run(2.0)
    for key in [*keys["keys"], *keys["keys"]]:
        twin.tap(key)
        pressed = [event.key for event in subject.run(2.5) if isinstance(event, KeyPressed)]
        assert pressed == [key]


@pytest.mark.parametrize("driver", kinds_on_ports("is_open"))
def test_gate_on_a_port_follows_the_table(
    driver: str, bench: Bench, clock: HandClock, signals: Callable[..., Signals]
) -> None:
    name, keys, port = example(driver)
    bench.add_port(str(port), keys)
    twin = bench.gate(name)
    subject = line(driver, clock)
    subject.run(0.5)
    for wanted in (True, False, True):
        subject.port.write(subject.driver.perform(signals(gate_open=wanted)))
        subject.run(0.05)
        assert twin.is_open() == wanted
    clock.advance(0.5)
    assert not twin.is_open(), "a gate must shut when nobody wants it any more"


@pytest.mark.parametrize("driver", kinds_on_ports("pass_card"))
def test_shoe_on_a_port_senses_a_card(driver: str, bench: Bench, clock: HandClock) -> None:
    name, keys, port = example(driver)
    bench.add_port(str(port), keys)
    subject = line(driver, clock)
    subject.run(0.5)
    bench.sensors(name).pass_card(face_up=True)
    passed = subject.run(0.5)
    assert [event.covered for event in passed if isinstance(event, CardEdge)] == [True, False]


@pytest.mark.parametrize("driver", [name for name in READERS if name not in LOSSLESS])
def test_wrong_baud_rate_is_noise(driver: str, bench: Bench, clock: HandClock) -> None:
    name, _, port = example(driver)
    subject = made(driver)
    assert isinstance(subject, ByteDriver)
    wrong = Line(subject, str(port), clock)
    wrong.port.close()
    subject.baudrate = subject.baudrate * 2
    wrong = Line(subject, str(port), clock)
    reader = bench.reader(name)
    reader.present(reader.nth_tag(0))
    events = wrong.run(2.0)
    assert reads(events) == []
    assert not any(isinstance(event, DeviceReady) for event in events)


@pytest.mark.parametrize("driver", ON_PORTS)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(chunks=st.lists(st.tuples(st.binary(max_size=40), st.floats(0, 1)), max_size=20))
def test_any_bytes_at_any_time_are_values(driver: str, chunks: list[tuple[bytes, float]]) -> None:
    subject = made(driver)
    assert isinstance(subject, ByteDriver)
    subject.hello()
    now, dropped = 5.0, 0
    for chunk, wait in chunks:
        now += wait
        for event in [*subject.received(chunk, now), *subject.tick(now)[1]]:
            dropped += event.dropped if isinstance(event, Noise) else 0
    assert dropped <= sum(len(chunk) for chunk, _ in chunks)


# Devices on pins.


@pytest.mark.parametrize("driver", ON_PINS)
def test_pins_are_set_up_as_declared_and_left_safe(driver: str, bench: Bench, signals: Callable[..., Signals]) -> None:
    subject, twin = on_bench(driver, bench)
    set_up = [change for change in bench.pins.history if change.what in ("input", "output")]
    assert sorted(change.pin for change in set_up) == sorted(subject.pins_used().values())
    rest = at_rest(twin)
    subject.perform(signals(gate_open=True, act=(1,)), bench.pins)
    subject.stop(bench.pins)
    assert at_rest(twin) == rest
    bench.pins.close()
    assert at_rest(twin) == rest


def at_rest(twin: object) -> Mapping[str, tuple[int, ...]] | bool | None:
    match twin:
        case LampsTwin():
            return {role: seats for role, seats in twin.lit().items() if seats}
        case GateTwin():
            return twin.is_open()
        case SoundTwin():
            return twin.is_sounding()
        case _:
            assert isinstance(twin, PanelTwin | SensorsTwin)
            return None


@pytest.mark.parametrize("driver", ON_PINS)
def test_driver_and_twin_agree(driver: str, bench: Bench, clock: HandClock, signals: Callable[..., Signals]) -> None:
    subject, twin = on_bench(driver, bench)
    assert sampled(subject, bench, clock, 0.1) == []
    match twin:
        case PanelTwin():
            for key in example(driver)[1]["keys"]:
                twin.tap(key)
                pressed = sampled(subject, bench, clock, 1.5)
                assert [(event.key if isinstance(event, KeyPressed) else None) for event in pressed] == [key]
        case LampsTwin():
            subject.perform(signals(act=(1,), button=(2,)), bench.pins)
            assert twin.lit()["act"] == (1,)
            assert twin.lit()["button"] == (2,)
            subject.perform(signals(), bench.pins)
            assert not any(twin.lit().values())
        case GateTwin():
            for wanted in (True, False, True):
                subject.perform(signals(gate_open=wanted), bench.pins)
                assert twin.is_open() == wanted
        case SoundTwin():
            subject.perform(Signals(sound=Heard(Sound.FLOOR, 1)), bench.pins)
            assert twin.is_sounding()
            sampled(subject, bench, clock, 2.0)
            assert twin.lengths()
            assert not twin.is_sounding()
        case SensorsTwin():
            twin.pass_card(face_up=True)
            passed = sampled(subject, bench, clock, 0.5)
            assert [event.covered for event in passed if isinstance(event, CardEdge)] == [True, False]
        case _:
            pytest.fail(f"{type(twin).__name__} is no kind of twin that drivers.sim.bench.twin names")
