"""What a driver is: a pure translator, and what it says.

A driver holds no port, no thread, no clock and no game. The runtime reads the port (or samples the pins), hands over
what came and the time it came, and after every event offers the table's `Signals`, to be turned into bytes or pin
levels. Retry and waiting belong to the runtime; framing and checksums belong to the driver. Its keyword-only
constructor arguments *are* its keys in the table's configuration.

What a device says is a `DeviceEvent`: it knows tags and keys, not cards and seats. `controller.runtime` turns device
events into table events with the registered deck and the key map of the table.

A tag is as good as the card it stands for, so no `repr` of an event shows one.

One thread at a time calls a driver: `receive_data`, `on_tick`, `sample` and `show_signals` of one driver never overlap.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import floor, inf
from typing import Protocol, runtime_checkable

from controller.core.protocol.table_display import Lamps, SoundCue


@dataclass(frozen=True, slots=True)
class Signals:
    """What a table's devices show: the seats that each lamp role lights, whether the shoe may give a card, a sound.

    All that a driver is told of the table: no card is among it.
    """

    lamps: Lamps = field(default_factory=Lamps)
    gate_open: bool = False
    sound: SoundCue | None = None


@dataclass(frozen=True, slots=True)
class TagRead:
    """A reader read a whole, checked tag or code: canonical upper-case text, no separators.

    `antenna` names the antenna or zone on readers that have several.
    """

    device: str
    tag: str = field(repr=False)
    antenna: str | None = None


@dataclass(frozen=True, slots=True)
class CardEdgeSensed:
    """The card-edge sensor of a shoe was covered, or came free."""

    device: str
    is_covered: bool
    at: float | None = field(default=None, compare=False)
    """The monotonic second at which it was so, where the pins say when; `None`: when it was looked at."""


@dataclass(frozen=True, slots=True)
class FaceSensed:
    """The face sensor of a shoe sees the card in its mouth lying face up, or not."""

    device: str
    face_up: bool
    at: float | None = field(default=None, compare=False)
    """As of `CardEdgeSensed`."""


@dataclass(frozen=True, slots=True)
class LidMoved:
    """The lid of a shoe was opened or closed."""

    device: str
    is_open: bool


@dataclass(frozen=True, slots=True)
class ShoeJammed:
    """A card stands in the mouth of a shoe longer than a card can."""

    device: str


@dataclass(frozen=True, slots=True)
class KeyPressed:
    """A debounced key of a panel went down; `held` when it is a key that must be held, and was held long enough."""

    device: str
    key: str
    held: bool = False


@dataclass(frozen=True, slots=True)
class KeyStuck:
    """A key was down at the start, or stays down longer than a person would hold it; it is masked."""

    device: str
    key: str


@dataclass(frozen=True, slots=True)
class KeyFreed:
    """A stuck key came up again; it counts again."""

    device: str
    key: str


@dataclass(frozen=True, slots=True)
class NoiseDropped:
    """Bytes that make no valid frame were dropped; never an error, always counted."""

    device: str
    byte_count: int
    reason: str


@dataclass(frozen=True, slots=True)
class DeviceReady:
    """The device is there and answered; `firmware` is the version of its own program, where it says one."""

    device: str
    firmware: str = ""


@dataclass(frozen=True, slots=True)
class DeviceLost:
    """The device does not answer, or its port is gone."""

    device: str
    reason: str


@dataclass(frozen=True, slots=True)
class EventsMissed:
    """Something happened at the device that it can no longer tell: it restarted, or its memory was full."""

    device: str
    reason: str


@dataclass(frozen=True, slots=True)
class GateHeldShut:
    """The device keeps the gate shut although the table wants it open, by a limit of its own."""

    device: str
    reason: str


DeviceEvent = (
    TagRead
    | CardEdgeSensed
    | FaceSensed
    | LidMoved
    | ShoeJammed
    | KeyPressed
    | KeyStuck
    | KeyFreed
    | NoiseDropped
    | DeviceReady
    | DeviceLost
    | EventsMissed
    | GateHeldShut
)


class PortSettings(Protocol):
    """How a serial port must be opened for a device: always eight data bits.

    `parity` is "N", "E" or "O"; `stopbits` is 1 or 2.
    """

    baudrate: int
    parity: str
    stopbits: float


@runtime_checkable
class FullDuplexSettings(PortSettings, Protocol):
    """How a bus is opened on which each byte out brings one in, as on SPI; `baudrate` is its clock in hertz.

    What is written to its port are requests of `drivers.contract.transfers`, and what is read are their answers.
    """

    is_full_duplex: bool


def is_full_duplex(settings: PortSettings) -> bool:
    """Whether a driver speaks on a bus on which each byte out brings one in; without a word it does not."""
    return isinstance(settings, FullDuplexSettings) and settings.is_full_duplex


@runtime_checkable
class ByteDriver(PortSettings, Protocol):
    """A device on a byte port."""

    name: str

    def on_port_opened(self) -> bytes:
        """Bytes to send when the port has been opened."""
        ...

    def receive_data(self, data: bytes, now: float) -> Sequence[DeviceEvent]:
        """Translate bytes in any split; `now` is monotonic seconds."""
        ...

    def on_tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        """Say what silence means: bytes to send (polls, acknowledgements) and events (time-outs).

        Called at once after `receive_data` (once for all that came with one read), and every `TICK_INTERVAL_S` or when
        the driver wants it: see `TickScheduler`. `now` is monotonic seconds.
        """
        ...

    def show_signals(self, signals: Signals) -> bytes:
        """Bytes that show the signals on the device; empty when it has nothing to show."""
        ...


TICK_INTERVAL_S = 0.02
"""How often a driver on a byte port is ticked in silence, without a wish of its own."""

MIN_TICK_INTERVAL_S = 0.005
"""How soon after a tick a driver can be ticked again by a wish of its own: as often as pins are sampled."""

MIN_POLL_INTERVAL_S = 0.002
"""How soon after bytes that a tick sent the next tick can be: what answers at once (a far end that is no serial line)
must not be asked thousands of times a second. A byte and its answer at 57600 baud take longer than half of it."""


@runtime_checkable
class TickScheduler(Protocol):
    """A driver on a byte port that says when it wants to be ticked; it may leave that out."""

    def next_tick_at(self, now: float) -> float | None:
        """When the next `on_tick` is wanted, in monotonic seconds as `now` is; `None`: not before there is news.

        Asked after each `on_tick(now)`, with the same `now`; it changes nothing. What is sooner than
        `MIN_TICK_INTERVAL_S` from now, or past, is as soon as can be. News (an opened port, bytes, signals) brings a
        tick at once, whatever was said before. A tick may come late, and programs that only try a device out may tick
        it more often: a driver goes by the time that it is handed, and never counts its ticks.
        """
        ...


def find_regular_tick(now: float) -> float:
    """When a driver without a wish of its own, ticked at `now`, is ticked next: every `TICK_INTERVAL_S`, all together.

    So that many such drivers wake the loop no more often than one.
    """
    count = floor(now / TICK_INTERVAL_S) + 1
    regular = count * TICK_INTERVAL_S
    return regular if regular >= now + MIN_TICK_INTERVAL_S else (count + 1) * TICK_INTERVAL_S


def find_next_tick(driver: ByteDriver, now: float) -> float:
    """When a driver that was ticked at `now` is to be ticked again, in monotonic seconds; infinity is not before news.

    A driver that is no `TickScheduler` is ticked every `TICK_INTERVAL_S`.
    """
    ask = getattr(driver, "next_tick_at", None)  # whether it is a TickScheduler; isinstance is slow
    if ask is None:
        return find_regular_tick(now)
    wanted: float | None = ask(now)
    if wanted is None:
        return inf
    soonest = now + MIN_TICK_INTERVAL_S
    return wanted if wanted > soonest else soonest


@runtime_checkable
class TagReader(ByteDriver, Protocol):
    """A byte driver whose device reads tags or codes, with what the runtime must know to tell a repeat from a card.

    The driver reports every read. `absence_timeout_s` is how many seconds a tag must stay unread before it has left the
    field; a read of the same tag sooner is the same card still lying there. It is 0 for a reader that speaks once for
    each arrival. A reader that says which of several antennas read a tag lists their names in `antennas`.
    """

    absence_timeout_s: float


@runtime_checkable
class Pins(Protocol):
    """General-purpose pins by BCM number. Levels as on the wire: `True` is high.

    What the board refuses is a `drivers.contract.device_errors.PinError`.
    """

    def setup_input(self, pin: int, pull_up: bool) -> None:
        """Make `pin` an input."""
        ...

    def setup_output(self, pin: int, level: bool) -> None:
        """Make `pin` an output that starts at `level`."""
        ...

    def read(self, pin: int) -> bool:
        """Return the level now."""
        ...

    def write(self, pin: int, level: bool) -> None:
        """Drive an output."""
        ...

    def close(self) -> None:
        """Give the pins back."""
        ...


@dataclass(frozen=True, slots=True)
class PinEdge:
    """An input changed its level at `at`, in monotonic seconds as the kernel stamped it."""

    is_high: bool
    at: float


@dataclass(frozen=True, slots=True)
class EdgeBatch:
    """The edges of one pin since they were last taken, in their order; some before them are missing after a flood."""

    edges: Sequence[PinEdge] = field(default=(), repr=False)
    has_overflowed: bool = False


@runtime_checkable
class EdgePins(Pins, Protocol):
    """Pins whose edges are kept, with their time, however late somebody looks; pins may leave that out.

    What comes between two looks is not lost, as it is to whoever samples levels. A bounded number is kept for each pin.
    """

    def watch_edges(self, pin: int) -> bool:
        """Keep the edges of an input from now on; false where these pins cannot tell them: its level is sampled."""
        ...

    def take_edges(self, pin: int) -> EdgeBatch:
        """Take the edges of a pin that is watched."""
        ...


@runtime_checkable
class PinDriver(Protocol):
    """A device on pins."""

    name: str

    def pins_used(self) -> dict[str, int]:
        """Role of each pin, for the wiring table and the conflict check."""
        ...

    def start(self, pins: Pins) -> None:
        """Set the pins up in their safe state."""
        ...

    def sample(self, pins: Pins, now: float) -> Sequence[DeviceEvent]:
        """Look at the pins; called every `SAMPLE_INTERVAL_S`. `now` is monotonic seconds."""
        ...

    def show_signals(self, signals: Signals, pins: Pins) -> None:
        """Show the signals on the pins."""
        ...

    def stop(self, pins: Pins) -> None:
        """Leave the pins in their safe state; called before they are given back."""
        ...


@runtime_checkable
class EdgeDriver(PinDriver, Protocol):
    """A device on pins that is short of something where the pins tell no edges; a driver may leave that out."""

    min_sampled_s: float
    """What it sees for less than so many seconds may pass unseen where levels are sampled; 0 for nothing."""

    is_sampled: bool
    """Whether its pins tell no edges, as it was started."""


SAMPLE_INTERVAL_S = 0.005
"""How often pins are sampled: 200 Hz, as debouncing by an integrator of four samples needs (20 ms)."""
