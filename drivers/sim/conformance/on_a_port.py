"""Devices on ports: what is read, shown and pressed over a cable that is clean, late, cut, noisy or pulled."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from drivers.contract.base import (
    ByteDriver,
    CardEdge,
    DeviceEvent,
    DeviceReady,
    KeyPressed,
    Signals,
    TagRead,
    TagReader,
)
from drivers.contract.errors import PortBusyError, PortLostError, PortMissingError
from drivers.ports.open_port import BytePort, open_port
from drivers.sim.bench.clock import HandClock
from drivers.sim.conformance.stage import on_the_bench, signals_of
from drivers.sim.conformance.subject import Subject, fail, require

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


class Line:
    """A driver on its port, served as the runtime serves it, in a time that only `run` moves."""

    def __init__(self, driver: ByteDriver, url: str, clock: HandClock) -> None:
        """Open the port and greet the device."""
        self.driver, self.clock = driver, clock
        self.port: BytePort = open_port(url, driver, read_seconds=0)
        self.port.write(driver.hello())

    def run(self, seconds: float) -> list[DeviceEvent]:
        """Let time go by; what the driver says meanwhile."""
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

    def show(self, signals: Signals) -> None:
        """Hand the table's signals to the device."""
        self.port.write(self.driver.perform(signals))


def _reads(events: Sequence[DeviceEvent]) -> list[str]:
    return [event.tag for event in events if isinstance(event, TagRead)]


def reads_its_twin(subject: Subject, temper: str) -> None:
    """Of ten cards that come and go, enough are read, and no tag that was not there."""
    faults, share = TEMPERS[temper]
    with on_the_bench() as (bench, clock):
        line = Line(subject.on_port(), subject.url(faults), clock)
        reader = bench.reader(subject.device)
        line.run(1.0)
        read = 0
        for number in range(10):
            tag = reader.nth_tag(number)
            reader.present(tag)
            events = line.run(0.6)
            reader.remove()
            events += line.run(0.6)
            if not subject.unchecked or temper not in DAMAGING:
                require(set(_reads(events)) <= {tag}, "a tag was read that was not there")
            read += tag in _reads(events)
        require(read >= 10 * share, f"{read} of 10 tags were read; {10 * share:.0f} are wanted")


def card_that_lies_there(subject: Subject) -> None:
    """A repeat is told from a new card by `gone_after`: the reads of one card must come closer than that."""
    with on_the_bench() as (bench, clock):
        driver = subject.on_port()
        line = Line(driver, subject.url(), clock)
        reader = bench.reader(subject.device)
        line.run(0.5)
        reader.present(reader.nth_tag(0))
        times = [clock() for _ in range(400) for _ in _reads(line.run(0.005))]
        require(times, "a tag that lies there was never read")
        gone_after = driver.gone_after if isinstance(driver, TagReader) else 0.0
        apart = max((later - earlier for earlier, later in pairwise(times)), default=0.0)
        together = len(times) < 2 or apart < gone_after
        require(together, f"the reads of one card come {apart:.2f} s apart, and `gone_after` is {gone_after}")


def ignores_a_neighbour(subject: Subject) -> None:
    """Nothing presented, nothing read, however noisy the line."""
    faults = "" if subject.lossless else "burst=1&flip=0.02"
    with on_the_bench() as (_, clock):
        require(not _reads(Line(subject.on_port(), subject.url(faults), clock).run(3.0)), "noise was read as a tag")


def pulled_cable_and_return(subject: Subject) -> None:
    """A pulled cable is an error of the port; the same driver goes on when it is back."""
    with on_the_bench() as (bench, clock):
        line = Line(subject.on_port(), subject.url(), clock)
        line.run(0.5)
        bench.unplug(subject.device)
        _raises(PortLostError, lambda: line.run(0.1))
        _raises(PortLostError, lambda: line.port.write(b"x"))
        _raises(PortMissingError, lambda: open_port(subject.url(), line.driver))
        bench.plug(subject.device)
        _raises(PortLostError, lambda: line.run(0.1))
        line.port.close()
        line.port.close()
        again = Line(line.driver, subject.url(), clock)
        again.run(0.5)
        if isinstance(line.driver, TagReader):
            reader = bench.reader(subject.device)
            reader.present(reader.nth_tag(5))
            require(set(_reads(again.run(1.0))) == {reader.nth_tag(5)}, "after the cable came back no tag is read")


def port_is_ours_alone(subject: Subject) -> None:
    """A port that is open is refused to a second one."""
    with on_the_bench() as (_, clock):
        line = Line(subject.on_port(), subject.url(), clock)
        _raises(PortBusyError, lambda: open_port(subject.url(), line.driver))


def _raises(kind: type[Exception], what: Callable[[], object]) -> None:
    try:
        what()
    except kind:
        return
    fail(f"{kind.__name__} was to be raised")


def wrong_speed_is_noise(subject: Subject) -> None:
    """At twice the speed nothing is read, and no device is said to be there."""
    with on_the_bench() as (bench, clock):
        driver = subject.on_port()
        Line(driver, subject.url(), clock).port.close()
        driver.baudrate = driver.baudrate * 2
        line = Line(driver, subject.url(), clock)
        reader = bench.reader(subject.device)
        reader.present(reader.nth_tag(0))
        events = line.run(2.0)
        require(not _reads(events), "a tag was read at the wrong speed")
        require(
            not any(isinstance(event, DeviceReady) for event in events), "it says that it is ready, at the wrong speed"
        )


def lamps_on_a_port(subject: Subject) -> None:
    """The lamps of a role are alight where the table says, and dark when it says so no more."""
    with on_the_bench() as (bench, clock):
        bench.add_port(subject.url(), subject.keys)
        twin = bench.lamps(subject.device)
        line = Line(subject.on_port(), subject.url(), clock)
        line.run(0.2)
        require(not any(twin.lit().values()), "lamps are alight before the table said anything")
        line.show(signals_of(act=(1,), button=(2,)))
        line.run(0.05)
        require((twin.lit()["act"], twin.lit()["button"]) == ((1,), (2,)), "other lamps are alight than the table says")
        line.run(2.0)
        line.show(signals_of())
        line.run(0.05)
        require(not any(twin.lit().values()), "lamps stay alight")


def keys_on_a_port(subject: Subject, temper: str) -> None:
    """Each press of a key counts once."""
    faults, _ = TEMPERS[temper]
    with on_the_bench() as (bench, clock):
        line = Line(subject.on_port(), subject.url(faults), clock)
        bench.add_port(subject.url(faults), subject.keys)
        twin = bench.panel(subject.device)
        line.run(2.0)
        for key in [*subject.keys["keys"], *subject.keys["keys"]]:
            twin.tap(key)
            pressed = [event.key for event in line.run(2.5) if isinstance(event, KeyPressed)]
            require(pressed == [key], f"the key {key} was tapped once, and it says {pressed}")


def gate_on_a_port(subject: Subject) -> None:
    """The gate is where the table wants it, and shuts when nobody wants it any more."""
    with on_the_bench() as (bench, clock):
        bench.add_port(subject.url(), subject.keys)
        twin = bench.gate(subject.device)
        line = Line(subject.on_port(), subject.url(), clock)
        line.run(0.5)
        for wanted in (True, False, True):
            line.show(signals_of(gate_open=wanted))
            line.run(0.05)
            require(twin.is_open() == wanted, f"the gate is not {'open' if wanted else 'shut'} as the table wants it")
        clock.advance(0.5)
        require(not twin.is_open(), "a gate must shut when nobody wants it any more")


def shoe_on_a_port(subject: Subject) -> None:
    """A card that passes covers the mouth and frees it."""
    with on_the_bench() as (bench, clock):
        bench.add_port(subject.url(), subject.keys)
        line = Line(subject.on_port(), subject.url(), clock)
        line.run(0.5)
        bench.sensors(subject.device).pass_card(face_up=True)
        covered = [event.covered for event in line.run(0.5) if isinstance(event, CardEdge)]
        require(covered == [True, False], f"a card passed, and it says {covered}")
