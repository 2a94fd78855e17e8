"""The bench on which simulated devices stand: it names them, gives them one clock and holds their cables."""

import threading
import time
from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from types import TracebackType
from typing import Self, TypeVar
from urllib.parse import parse_qsl, urlsplit

from controller import plug_ins
from drivers.contract.driver_registry import import_class
from drivers.contract.older_contract import load_contract_class
from drivers.simulators import SIMULATORS
from drivers.simulators.bench.simulated_link import LinkFaults, SimulatedLink
from drivers.simulators.bench.simulator_interfaces import (
    ByteSimulator,
    Clock,
    ConfigurableSimulator,
    GateSimulator,
    LampsSimulator,
    PanelSimulator,
    ReaderSimulator,
    SensorsSimulator,
    is_lossless,
)
from drivers.simulators.bench.uart import LineSettings, simulate_reception
from drivers.simulators.simulated_pins import SimulatedPins

SimulatorT = TypeVar("SimulatorT")

INSTANT_BAUDRATE = 1_000_000_000
"""Baud rate of what is no serial line."""

DEFAULT_BENCH_NAME = "table"
"""The bench that a `sim://` URL without `bench=` means."""


class SimulatedPort:
    """Where the cable of one simulated serial device ends: what `sim://` opens."""

    def __init__(self, url: str, simulator: ByteSimulator, faults: LinkFaults, clock: Clock) -> None:
        """Connect `simulator` by a cable with `faults`."""
        self.url = url
        self.simulator = simulator
        self.lock = threading.RLock()
        self.in_use = False
        self.has_dtr = False
        """Whether the near end has DTR high."""
        self._clock = clock
        self._faults = faults
        self._link = SimulatedLink(faults, INSTANT_BAUDRATE if is_lossless(simulator) else simulator.baudrate)
        self._is_unplugged = False
        self._unplug_count = 0
        self._first_opened_at: float | None = None
        self._receiver_settings = LineSettings(simulator.baudrate, simulator.parity)

    def replug(self) -> None:
        """Put the cable back in."""
        with self.lock:
            self._is_unplugged = False

    def unplug(self) -> None:
        """Pull the cable: what was under way is lost, and an open port is dead even after `replug`."""
        with self.lock:
            self._is_unplugged = True
            self._unplug_count += 1
            self._link.clear()

    def is_plugged_in(self) -> bool:
        """Whether the cable is in."""
        return not self._is_unplugged and (not self._is_unplugged_by_fault() or self._is_replugged_by_fault())

    def unplug_count(self) -> int:
        """How often the cable was pulled: a port opened before the last time is dead for good."""
        return self._unplug_count + self._is_unplugged_by_fault()

    def on_port_opened(self, receiver: LineSettings) -> None:
        """Begin anew, as a port does: what the device said to nobody is gone."""
        if self._first_opened_at is None:
            self._first_opened_at = self._clock()
        self._receiver_settings = receiver
        self.discard_pending()
        self._link.restart()

    def discard_pending(self) -> None:
        """Lose what has not been read."""
        self.simulator.take_frames()
        self._link.clear()

    def write(self, data: bytes) -> None:
        """Hand to the device what was written."""
        self.simulator.receive_data(
            simulate_reception(
                data, self._receiver_settings, LineSettings(self.simulator.baudrate, self.simulator.parity)
            )
        )

    def read(self, size: int) -> bytes:
        """Read what has arrived."""
        self._transmit_frames()
        return self._link.pull(size, self._clock())

    def count_waiting(self) -> int:
        """How many bytes could be read now."""
        self._transmit_frames()
        return self._link.count_waiting(self._clock())

    def _transmit_frames(self) -> None:
        frames = self.simulator.take_frames()
        if not frames or (self._faults.needs_dtr and not self.has_dtr):
            return
        sender = LineSettings(self.simulator.baudrate, self.simulator.parity)
        baudrate = INSTANT_BAUDRATE if is_lossless(self.simulator) else sender.baudrate
        for at, frame in frames:
            received = simulate_reception(frame, sender, self._receiver_settings)
            # A receiver that is set faster makes more bytes of it, in the same time.
            self._link.set_speed(baudrate * len(received) / len(frame) if frame and received else baudrate)
            self._link.push(received, at)

    def _get_fault_unplugged_s(self) -> float:
        """How long the cable has been out by its fault; negative before that."""
        if self._faults.unplug is None or self._first_opened_at is None:
            return -1.0
        return self._clock() - self._first_opened_at - self._faults.unplug

    def _is_unplugged_by_fault(self) -> bool:
        return self._get_fault_unplugged_s() >= 0

    def _is_replugged_by_fault(self) -> bool:
        return self._faults.replug is not None and self._get_fault_unplugged_s() >= self._faults.replug


class Bench:
    """A set of simulated devices with one clock; use it in a `with`, or close it.

    While it is open, a `sim://driver/id` URL finds it by its name, in this process only. Two benches of one name cannot
    be open at once, so a test that forgets to close is found by the next one.
    """

    def __init__(self, name: str = DEFAULT_BENCH_NAME, *, clock: Clock = time.monotonic) -> None:
        """Open an empty bench. Raises `ValueError` when one of that name is open."""
        with _OPEN_LOCK:
            if name in _OPEN_BENCHES:
                raise ValueError(f"a bench {name!r} is open already; close it first, or use another name")
            _OPEN_BENCHES[name] = self
        self.name = name
        self.clock = clock
        self.pins = SimulatedPins(clock)
        self._port_by_device: dict[str, SimulatedPort] = {}
        self._simulator_by_device: dict[str, object] = {}

    def __enter__(self) -> Self:
        """Nothing happens."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()

    def close(self) -> None:
        """Pull every cable and forget the bench."""
        for socket in self._port_by_device.values():
            socket.unplug()
        with _OPEN_LOCK:
            _OPEN_BENCHES.pop(self.name, None)

    def add_port(self, url: str, keys: Mapping[str, object] | None = None) -> ByteSimulator:
        """Put the device of a `sim://` URL on the bench, or find it there; opening the URL does the same.

        `keys` are those of the device: a simulator that shows something learns from them which lamp is whose.
        """
        simulator = self.find_or_add_port(url).simulator
        if keys is not None and isinstance(simulator, ConfigurableSimulator):
            simulator.configure(keys)
        return simulator

    def add_device(self, driver: str, device: str, keys: Mapping[str, object]) -> object:
        """Wire the far side of a device on pins, named and configured like the device itself."""
        self._refuse_taken(device)
        simulator = load_simulator_class(driver)(self.pins, **keys)
        self._simulator_by_device[device] = simulator
        return simulator

    def find_simulator(self, device: str, kind: type[SimulatorT]) -> SimulatorT:
        """Return the simulator `device`, which must be of the class `kind`. Raises `LookupError` with what is there."""
        simulator = self._get_simulator(device)
        if not isinstance(simulator, kind):
            raise _make_kind_error(device, simulator, kind.__name__)
        return simulator

    def reader(self, device: str) -> ReaderSimulator:
        """Return the simulated reader `device`."""
        simulator = self._get_simulator(device)
        if not isinstance(simulator, ReaderSimulator):
            raise _make_kind_error(device, simulator, "reader")
        return simulator

    def panel(self, device: str) -> PanelSimulator:
        """Return the simulated key panel `device`."""
        simulator = self._get_simulator(device)
        if not isinstance(simulator, PanelSimulator):
            raise _make_kind_error(device, simulator, "panel")
        return simulator

    def lamps(self, device: str) -> LampsSimulator:
        """Return the simulated lamps `device`."""
        simulator = self._get_simulator(device)
        if not isinstance(simulator, LampsSimulator):
            raise _make_kind_error(device, simulator, "string of lamps")
        return simulator

    def gate(self, device: str) -> GateSimulator:
        """Return the simulated gate `device`."""
        simulator = self._get_simulator(device)
        if not isinstance(simulator, GateSimulator):
            raise _make_kind_error(device, simulator, "gate")
        return simulator

    def sensors(self, device: str) -> SensorsSimulator:
        """Return the simulated shoe sensors `device`."""
        simulator = self._get_simulator(device)
        if not isinstance(simulator, SensorsSimulator):
            raise _make_kind_error(device, simulator, "set of sensors")
        return simulator

    def devices(self) -> tuple[str, ...]:
        """Name what stands on the bench."""
        return tuple(sorted(self._simulator_by_device))

    def unplug(self, device: str) -> None:
        """Pull the cable of a serial device."""
        self._get_port(device).unplug()

    def replug(self, device: str) -> None:
        """Put the cable of a serial device back in."""
        self._get_port(device).replug()

    def find_or_add_port(self, url: str) -> SimulatedPort:
        """Return where the cable of `url` ends, putting the device on the bench the first time."""
        driver, device, query = _parse_url(url)
        if device in self._port_by_device:
            if self._port_by_device[device].url != url:
                raise ValueError(f"simulated device {device!r} is already there as {self._port_by_device[device].url}")
            return self._port_by_device[device]
        self._refuse_taken(device)
        make = load_simulator_class(driver)
        parameters = signature(make).parameters
        if "pins" in parameters:
            raise ValueError(f"{driver!r} is a device on pins and has no port")
        own = {name for name, parameter in parameters.items() if parameter.kind is Parameter.KEYWORD_ONLY}
        faults = LinkFaults.from_query({key: value for key, value in query.items() if key not in own})
        simulator = make(self.clock, **{key: value for key, value in query.items() if key in own})
        if not isinstance(simulator, ByteSimulator):
            raise TypeError(f"the simulated device {driver!r} is no ByteSimulator")
        if is_lossless(simulator) and faults.is_damaging:
            raise ValueError(
                f"nothing is damaged on the way from {driver!r}; only split, delay, first and unplug can be"
            )
        self._port_by_device[device] = SimulatedPort(url, simulator, faults, self.clock)
        self._simulator_by_device[device] = simulator
        return self._port_by_device[device]

    def _get_simulator(self, device: str) -> object:
        try:
            return self._simulator_by_device[device]
        except KeyError:
            there = ", ".join(sorted(self._simulator_by_device)) or "nothing"
            raise LookupError(f"no simulated device {device!r} on bench {self.name!r}; there is {there}") from None

    def _get_port(self, device: str) -> SimulatedPort:
        try:
            return self._port_by_device[device]
        except KeyError:
            there = ", ".join(sorted(self._port_by_device)) or "none"
            raise LookupError(f"no simulated port {device!r} on bench {self.name!r}; there is {there}") from None

    def _refuse_taken(self, device: str) -> None:
        if device in self._simulator_by_device:
            raise ValueError(f"a simulated device {device!r} is already on bench {self.name!r}")


_OPEN_BENCHES: dict[str, Bench] = {}
_OPEN_LOCK = threading.Lock()


def find_port(url: str) -> SimulatedPort:
    """Find where the cable of a `sim://` URL ends. Raises `ValueError` with what would be accepted."""
    name = dict(parse_qsl(urlsplit(url).query)).get("bench", DEFAULT_BENCH_NAME)
    with _OPEN_LOCK:
        bench = _OPEN_BENCHES.get(name)
    if bench is None:
        raise ValueError(f"no bench {name!r} is open; simulated ports exist only while the simulation runs")
    return bench.find_or_add_port(url)


def _make_kind_error(device: str, simulator: object, wanted: str) -> LookupError:
    return LookupError(f"simulated device {device!r} is a {type(simulator).__name__}, not a {wanted}")


def _parse_url(url: str) -> tuple[str, str, dict[str, str]]:
    parts = urlsplit(url)
    device = parts.path.strip("/")
    if parts.scheme != "sim" or not parts.netloc or not device or "/" in device:
        raise ValueError(f"{url} should read sim://driver/id, and faults after a question mark")
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    query.pop("bench", None)
    return parts.netloc, device, query


def load_simulator_class(driver: str) -> Callable[..., object]:
    """The far end of a driver's wire, ours or a plug-in's. Raises `ValueError` where there is none, `PlugInError`."""
    made: Callable[..., object]
    if driver in SIMULATORS:
        made = import_class(SIMULATORS[driver])
        return made
    plug_in = plug_ins.find_plug_in(plug_ins.SIMULATORS, driver)
    if plug_in is None:
        raise ValueError(f"there is no simulated device {driver!r}; there are {', '.join(sorted(SIMULATORS))}")
    made = load_contract_class(plug_in)
    return made
