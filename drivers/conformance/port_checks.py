"""Devices on ports: what is read, shown and pressed over a cable that is clean, late, cut, noisy or pulled."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from drivers.conformance.check_bench import make_signals, open_bench
from drivers.conformance.documented_driver import DocumentedDriver, fail, require
from drivers.contract.device_errors import PortBusyError, PortLostError, PortMissingError
from drivers.contract.driver_interface import (
    ByteDriver,
    CardEdgeSensed,
    DeviceEvent,
    DeviceReady,
    KeyPressed,
    Signals,
    TagRead,
    TagReader,
)
from drivers.contract.tick_schedule import TickSchedule
from drivers.ports.byte_port import BytePort, open_port
from drivers.simulators.bench.manual_clock import ManualClock

LINK_CONDITIONS = {
    "clean": ("", 1.0),
    "a byte at a time": ("split=1", 1.0),
    "late": ("delay=0.08", 1.0),
    "noise before frames": ("burst=0.3&seed=1", 0.5),  # a device that says each card once loses three of ten
    "flipped bits": ("flip=0.01&seed=2", 0.6),
    "lost bytes": ("drop=0.01&seed=3", 0.6),
    "doubled bytes": ("double=0.01&seed=4", 0.6),
    "repeated frames": ("repeat=0.5&seed=5", 0.9),
    "a bad day": ("flip=0.005&drop=0.005&double=0.005&burst=0.1&repeat=0.1&split=3&delay=0.02&seed=6", 0.5),
}
"""Faults of the cable -> the part of the cards that must still be read."""

DAMAGING_CONDITIONS = ("flipped bits", "lost bytes", "doubled bytes", "noise before frames", "a bad day")


class DriverHarness:
    """A driver on its port, served as the runtime serves it, in a time that only `run` moves."""

    def __init__(self, driver: ByteDriver, url: str, clock: ManualClock) -> None:
        """Open the port and greet the device."""
        self.driver, self.clock = driver, clock
        self._schedule = TickSchedule(driver)
        self.port: BytePort = open_port(url, driver, read_seconds=0)
        self.port.write(driver.on_port_opened())

    def run(self, seconds: float) -> list[DeviceEvent]:
        """Let time go by; what the driver says meanwhile."""
        events: list[DeviceEvent] = []
        ends = self.clock() + seconds
        while self.clock() < ends:
            self.clock.advance(0.005)
            now = self.clock()
            if data := self.port.read():
                events += self.driver.receive_data(data, now)
                self._schedule.on_data_received(now)
            if self._schedule.is_due(now):
                data, more = self.driver.on_tick(now)
                self._schedule.on_ticked(now, has_sent=bool(data))
                events += more
                self.port.write(data)
        return events

    def show_signals(self, signals: Signals) -> None:
        """Hand the table's signals to the device."""
        self._schedule.on_signals_shown()
        self.port.write(self.driver.show_signals(signals))


def _list_tags(events: Sequence[DeviceEvent]) -> list[str]:
    return [event.tag for event in events if isinstance(event, TagRead)]


def check_tags_read(subject: DocumentedDriver, temper: str) -> None:
    """Of ten cards that come and go, enough are read, and no tag that was not there."""
    faults, share = LINK_CONDITIONS[temper]
    with open_bench() as (bench, clock):
        line = DriverHarness(subject.build_byte_driver(), subject.port_url(faults), clock)
        reader = bench.reader(subject.device)
        line.run(1.0)
        read = 0
        for number in range(10):
            tag = reader.nth_tag(number)
            reader.present(tag)
            events = line.run(0.6)
            reader.remove()
            events += line.run(0.6)
            if not subject.has_no_checksum or temper not in DAMAGING_CONDITIONS:
                require(set(_list_tags(events)) <= {tag}, "a tag was read that was not there")
            read += tag in _list_tags(events)
        require(read >= 10 * share, f"{read} of 10 tags were read; {10 * share:.0f} are wanted")


def check_resting_card(subject: DocumentedDriver) -> None:
    """A repeat is told from a new card by `absence_timeout_s`: the reads of one card must come closer than that."""
    with open_bench() as (bench, clock):
        driver = subject.build_byte_driver()
        line = DriverHarness(driver, subject.port_url(), clock)
        reader = bench.reader(subject.device)
        line.run(0.5)
        reader.present(reader.nth_tag(0))
        times = [clock() for _ in range(400) for _ in _list_tags(line.run(0.005))]
        require(times, "a tag that lies there was never read")
        absence_timeout_s = driver.absence_timeout_s if isinstance(driver, TagReader) else 0.0
        apart = max((later - earlier for earlier, later in pairwise(times)), default=0.0)
        together = len(times) < 2 or apart < absence_timeout_s
        require(
            together, f"the reads of one card come {apart:.2f} s apart, and `absence_timeout_s` is {absence_timeout_s}"
        )


def check_no_phantom_reads(subject: DocumentedDriver) -> None:
    """Nothing presented, nothing read, however noisy the line."""
    faults = "" if subject.is_lossless else "burst=1&flip=0.02"
    with open_bench() as (_, clock):
        require(
            not _list_tags(DriverHarness(subject.build_byte_driver(), subject.port_url(faults), clock).run(3.0)),
            "noise was read as a tag",
        )


def check_unplug_and_replug(subject: DocumentedDriver) -> None:
    """A pulled cable is an error of the port; the same driver goes on when it is back."""
    with open_bench() as (bench, clock):
        line = DriverHarness(subject.build_byte_driver(), subject.port_url(), clock)
        line.run(0.5)
        bench.unplug(subject.device)
        _expect_error(PortLostError, lambda: line.run(0.1))
        _expect_error(PortLostError, lambda: line.port.write(b"x"))
        _expect_error(PortMissingError, lambda: open_port(subject.port_url(), line.driver))
        bench.replug(subject.device)
        _expect_error(PortLostError, lambda: line.run(0.1))
        line.port.close()
        line.port.close()
        again = DriverHarness(line.driver, subject.port_url(), clock)
        again.run(0.5)
        if isinstance(line.driver, TagReader):
            reader = bench.reader(subject.device)
            reader.present(reader.nth_tag(5))
            require(set(_list_tags(again.run(1.0))) == {reader.nth_tag(5)}, "after the cable came back no tag is read")


def check_exclusive_port(subject: DocumentedDriver) -> None:
    """A port that is open is refused to a second one."""
    with open_bench() as (_, clock):
        line = DriverHarness(subject.build_byte_driver(), subject.port_url(), clock)
        _expect_error(PortBusyError, lambda: open_port(subject.port_url(), line.driver))


def _expect_error(kind: type[Exception], what: Callable[[], object]) -> None:
    try:
        what()
    except kind:
        return
    fail(f"{kind.__name__} was to be raised")


def check_wrong_baud_rate(subject: DocumentedDriver) -> None:
    """At twice the speed nothing is read, and no device is said to be there."""
    with open_bench() as (bench, clock):
        driver = subject.build_byte_driver()
        DriverHarness(driver, subject.port_url(), clock).port.close()
        driver.baudrate = driver.baudrate * 2
        line = DriverHarness(driver, subject.port_url(), clock)
        reader = bench.reader(subject.device)
        reader.present(reader.nth_tag(0))
        events = line.run(2.0)
        require(not _list_tags(events), "a tag was read at the wrong speed")
        require(
            not any(isinstance(event, DeviceReady) for event in events), "it says that it is ready, at the wrong speed"
        )


def check_lamps(subject: DocumentedDriver) -> None:
    """The lamps of a role are alight where the table says, and dark when it says so no more."""
    with open_bench() as (bench, clock):
        bench.add_port(subject.port_url(), subject.keys)
        simulator = bench.lamps(subject.device)
        line = DriverHarness(subject.build_byte_driver(), subject.port_url(), clock)
        line.run(0.2)
        require(not any(simulator.lit_seats().values()), "lamps are alight before the table said anything")
        line.show_signals(make_signals(act=(1,), button=(2,)))
        line.run(0.05)
        require(
            (simulator.lit_seats()["act"], simulator.lit_seats()["button"]) == ((1,), (2,)),
            "other lamps are alight than the table says",
        )
        line.run(2.0)
        line.show_signals(make_signals())
        line.run(0.05)
        require(not any(simulator.lit_seats().values()), "lamps stay alight")


def check_keys(subject: DocumentedDriver, temper: str) -> None:
    """Each press of a key counts once."""
    faults, _ = LINK_CONDITIONS[temper]
    with open_bench() as (bench, clock):
        line = DriverHarness(subject.build_byte_driver(), subject.port_url(faults), clock)
        bench.add_port(subject.port_url(faults), subject.keys)
        simulator = bench.panel(subject.device)
        line.run(2.0)
        for key in [*subject.keys["keys"], *subject.keys["keys"]]:
            simulator.tap(key)
            pressed = [event.key for event in line.run(2.5) if isinstance(event, KeyPressed)]
            require(pressed == [key], f"the key {key} was tapped once, and it says {pressed}")


def check_gate(subject: DocumentedDriver) -> None:
    """The gate is where the table wants it, and shuts when nobody wants it any more."""
    with open_bench() as (bench, clock):
        bench.add_port(subject.port_url(), subject.keys)
        simulator = bench.gate(subject.device)
        line = DriverHarness(subject.build_byte_driver(), subject.port_url(), clock)
        line.run(0.5)
        for wanted in (True, False, True):
            line.show_signals(make_signals(gate_open=wanted))
            line.run(0.05)
            require(
                simulator.is_open() == wanted, f"the gate is not {'open' if wanted else 'shut'} as the table wants it"
            )
        clock.advance(0.5)
        require(not simulator.is_open(), "a gate must shut when nobody wants it any more")


def check_shoe_sensors(subject: DocumentedDriver) -> None:
    """A card that passes covers the mouth and frees it."""
    with open_bench() as (bench, clock):
        bench.add_port(subject.port_url(), subject.keys)
        line = DriverHarness(subject.build_byte_driver(), subject.port_url(), clock)
        line.run(0.5)
        bench.sensors(subject.device).pass_card(face_up=True)
        covered = [event.is_covered for event in line.run(0.5) if isinstance(event, CardEdgeSensed)]
        require(covered == [True, False], f"a card passed, and it says {covered}")
