"""The bench on which simulated devices stand: it names them, gives them one clock and holds their cables."""

import threading
import time
from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from types import TracebackType
from typing import Self, TypeVar
from urllib.parse import parse_qsl, urlsplit

from controller import plug_ins
from drivers.contract.registry import load
from drivers.sim import SIMS
from drivers.sim.bench.faults import Cable, Faults
from drivers.sim.bench.twin import (
    ByteTwin,
    Clock,
    ConfiguredTwin,
    GateTwin,
    LampsTwin,
    PanelTwin,
    ReaderTwin,
    SensorsTwin,
    is_lossless,
)
from drivers.sim.bench.uart import Line, heard_as
from drivers.sim.pins import SimPins

Twin = TypeVar("Twin")

AT_ONCE = 1_000_000_000
"""Baud rate of what is no serial line."""

DEFAULT_BENCH = "table"
"""The bench that a `sim://` URL without `bench=` means."""


class Socket:
    """Where the cable of one simulated serial device ends: what `sim://` opens."""

    def __init__(self, url: str, twin: ByteTwin, faults: Faults, clock: Clock) -> None:
        """Connect `twin` by a cable with `faults`."""
        self.url = url
        self.twin = twin
        self.lock = threading.RLock()
        self.in_use = False
        self._clock = clock
        self._faults = faults
        self._cable = Cable(faults, AT_ONCE if is_lossless(twin) else twin.baudrate)
        self._pulled = False
        self._pulls = 0
        self._first_opened: float | None = None
        self._receiver = Line(twin.baudrate, twin.parity)

    def plug(self) -> None:
        """Put the cable back in."""
        with self.lock:
            self._pulled = False

    def unplug(self) -> None:
        """Pull the cable: what was under way is lost, and an open port is dead even after `plug`."""
        with self.lock:
            self._pulled = True
            self._pulls += 1
            self._cable.clear()

    def there(self) -> bool:
        """Whether the cable is in."""
        return not self._pulled and (not self._out_by_fault() or self._back_by_fault())

    def pulls(self) -> int:
        """How often the cable was pulled: a port opened before the last time is dead for good."""
        return self._pulls + self._out_by_fault()

    def opened(self, receiver: Line) -> None:
        """Begin anew, as a port does: what the device said to nobody is gone."""
        if self._first_opened is None:
            self._first_opened = self._clock()
        self._receiver = receiver
        self.flush()

    def flush(self) -> None:
        """Lose what has not been read."""
        self.twin.sent()
        self._cable.clear()

    def hear(self, data: bytes) -> None:
        """Hand to the device what was written."""
        self.twin.heard(heard_as(data, self._receiver, Line(self.twin.baudrate, self.twin.parity)))

    def take(self, size: int) -> bytes:
        """Read what has arrived."""
        self._collect()
        return self._cable.pull(size, self._clock())

    def waiting(self) -> int:
        """How many bytes could be read now."""
        self._collect()
        return self._cable.waiting(self._clock())

    def _collect(self) -> None:
        sender = Line(self.twin.baudrate, self.twin.parity)
        for at, frame in self.twin.sent():
            self._cable.push(heard_as(frame, sender, self._receiver), at)

    def _out_for(self) -> float:
        """How long the cable has been out by its fault; negative before that."""
        if self._faults.unplug is None or self._first_opened is None:
            return -1.0
        return self._clock() - self._first_opened - self._faults.unplug

    def _out_by_fault(self) -> bool:
        return self._out_for() >= 0

    def _back_by_fault(self) -> bool:
        return self._faults.replug is not None and self._out_for() >= self._faults.replug


class Bench:
    """A set of simulated devices with one clock; use it in a `with`, or close it.

    While it is open, a `sim://driver/id` URL finds it by its name, in this process only. Two benches of one name cannot
    be open at once, so a test that forgets to close is found by the next one.
    """

    def __init__(self, name: str = DEFAULT_BENCH, *, clock: Clock = time.monotonic) -> None:
        """Open an empty bench. Raises `ValueError` when one of that name is open."""
        with _OPEN_LOCK:
            if name in _OPEN:
                raise ValueError(f"a bench {name!r} is open already; close it first, or use another name")
            _OPEN[name] = self
        self.name = name
        self.clock = clock
        self.pins = SimPins(clock)
        self._sockets: dict[str, Socket] = {}
        self._twins: dict[str, object] = {}

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
        for socket in self._sockets.values():
            socket.unplug()
        with _OPEN_LOCK:
            _OPEN.pop(self.name, None)

    def add_port(self, url: str, keys: Mapping[str, object] | None = None) -> ByteTwin:
        """Put the device of a `sim://` URL on the bench, or find it there; opening the URL does the same.

        `keys` are those of the device: a twin that shows something learns from them which lamp is whose.
        """
        twin = self.socket(url).twin
        if keys is not None and isinstance(twin, ConfiguredTwin):
            twin.configured(keys)
        return twin

    def add_device(self, driver: str, device: str, keys: Mapping[str, object]) -> object:
        """Wire the far side of a device on pins, named and configured like the device itself."""
        self._refuse_taken(device)
        twin = twin_class(driver)(self.pins, **keys)
        self._twins[device] = twin
        return twin

    def find(self, device: str, kind: type[Twin]) -> Twin:
        """Return the twin `device`, which must be of the class `kind`. Raises `LookupError` with what is there."""
        twin = self._there(device)
        if not isinstance(twin, kind):
            raise _other(device, twin, kind.__name__)
        return twin

    def reader(self, device: str) -> ReaderTwin:
        """Return the simulated reader `device`."""
        twin = self._there(device)
        if not isinstance(twin, ReaderTwin):
            raise _other(device, twin, "reader")
        return twin

    def panel(self, device: str) -> PanelTwin:
        """Return the simulated key panel `device`."""
        twin = self._there(device)
        if not isinstance(twin, PanelTwin):
            raise _other(device, twin, "panel")
        return twin

    def lamps(self, device: str) -> LampsTwin:
        """Return the simulated lamps `device`."""
        twin = self._there(device)
        if not isinstance(twin, LampsTwin):
            raise _other(device, twin, "string of lamps")
        return twin

    def gate(self, device: str) -> GateTwin:
        """Return the simulated gate `device`."""
        twin = self._there(device)
        if not isinstance(twin, GateTwin):
            raise _other(device, twin, "gate")
        return twin

    def sensors(self, device: str) -> SensorsTwin:
        """Return the simulated shoe sensors `device`."""
        twin = self._there(device)
        if not isinstance(twin, SensorsTwin):
            raise _other(device, twin, "set of sensors")
        return twin

    def devices(self) -> tuple[str, ...]:
        """Name what stands on the bench."""
        return tuple(sorted(self._twins))

    def unplug(self, device: str) -> None:
        """Pull the cable of a serial device."""
        self._socket_of(device).unplug()

    def plug(self, device: str) -> None:
        """Put the cable of a serial device back in."""
        self._socket_of(device).plug()

    def socket(self, url: str) -> Socket:
        """Return where the cable of `url` ends, putting the device on the bench the first time."""
        driver, device, query = _parsed(url)
        if device in self._sockets:
            if self._sockets[device].url != url:
                raise ValueError(f"simulated device {device!r} is already there as {self._sockets[device].url}")
            return self._sockets[device]
        self._refuse_taken(device)
        make = twin_class(driver)
        parameters = signature(make).parameters
        if "pins" in parameters:
            raise ValueError(f"{driver!r} is a device on pins and has no port")
        own = {name for name, parameter in parameters.items() if parameter.kind is Parameter.KEYWORD_ONLY}
        faults = Faults.from_query({key: value for key, value in query.items() if key not in own})
        twin = make(self.clock, **{key: value for key, value in query.items() if key in own})
        if not isinstance(twin, ByteTwin):
            raise TypeError(f"the simulated device {driver!r} is no ByteTwin")
        if is_lossless(twin) and faults.damaging:
            raise ValueError(f"nothing is damaged on the way from {driver!r}; only split, delay and unplug can be")
        self._sockets[device] = Socket(url, twin, faults, self.clock)
        self._twins[device] = twin
        return self._sockets[device]

    def _there(self, device: str) -> object:
        try:
            return self._twins[device]
        except KeyError:
            there = ", ".join(sorted(self._twins)) or "nothing"
            raise LookupError(f"no simulated device {device!r} on bench {self.name!r}; there is {there}") from None

    def _socket_of(self, device: str) -> Socket:
        try:
            return self._sockets[device]
        except KeyError:
            there = ", ".join(sorted(self._sockets)) or "none"
            raise LookupError(f"no simulated port {device!r} on bench {self.name!r}; there is {there}") from None

    def _refuse_taken(self, device: str) -> None:
        if device in self._twins:
            raise ValueError(f"a simulated device {device!r} is already on bench {self.name!r}")


_OPEN: dict[str, Bench] = {}
_OPEN_LOCK = threading.Lock()


def socket_for(url: str) -> Socket:
    """Find where the cable of a `sim://` URL ends. Raises `ValueError` with what would be accepted."""
    name = dict(parse_qsl(urlsplit(url).query)).get("bench", DEFAULT_BENCH)
    with _OPEN_LOCK:
        bench = _OPEN.get(name)
    if bench is None:
        raise ValueError(f"no bench {name!r} is open; simulated ports exist only while the simulation runs")
    return bench.socket(url)


def _other(device: str, twin: object, wanted: str) -> LookupError:
    return LookupError(f"simulated device {device!r} is a {type(twin).__name__}, not a {wanted}")


def _parsed(url: str) -> tuple[str, str, dict[str, str]]:
    parts = urlsplit(url)
    device = parts.path.strip("/")
    if parts.scheme != "sim" or not parts.netloc or not device or "/" in device:
        raise ValueError(f"{url} should read sim://driver/id, and faults after a question mark")
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    query.pop("bench", None)
    return parts.netloc, device, query


def twin_class(driver: str) -> Callable[..., object]:
    """The far end of a driver's wire, ours or a plug-in's. Raises `ValueError` where there is none, `PlugInError`."""
    made: Callable[..., object]
    if driver in SIMS:
        made = load(SIMS[driver])
        return made
    plug_in = plug_ins.find(plug_ins.TWINS, driver)
    if plug_in is None:
        raise ValueError(f"there is no simulated device {driver!r}; there are {', '.join(sorted(SIMS))}")
    made = plug_ins.load(plug_in)
    return made
