"""Simulated pins: the near side keeps the rules of real ones, the far side can be driven, watched and asked."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from drivers.contract.device_errors import PinError
from drivers.pins.gpio_header import PIN_NUMBERS
from drivers.simulators.bench.simulator_interfaces import Clock

MAX_HISTORY = 10_000
"""How many of the last things done to the pins are remembered."""

LevelSource = Callable[[], bool]
"""What drives an input from outside: the level at this moment."""

EdgeWatcher = Callable[[int, bool], None]
"""Told the pin and the new level of every edge of an output."""


@dataclass(frozen=True, slots=True)
class PinChange:
    """One thing done to the pins: `kind` is "input", "output" (set up) or "write"."""

    at_s: float
    pin: int
    kind: str
    level: bool


class SimulatedPins:
    """A header of pins; satisfies `drivers.contract.driver_interface.Pins`.

    A pin is set up once, an input cannot be written, a pin nobody set up can be neither read nor written, and nothing
    works after `close`. Until set up, and after `close`, a pin floats: whoever is wired to it sees its own resistor.
    """

    def __init__(self, clock: Clock) -> None:
        """Make a header with nothing connected."""
        self.clock = clock
        self._inputs: dict[int, bool] = {}
        self._outputs: dict[int, bool] = {}
        self._sources: dict[int, LevelSource] = {}
        self._watchers: dict[int, list[EdgeWatcher]] = {}
        self._closed = False
        self.history: deque[PinChange] = deque(maxlen=MAX_HISTORY)

    def setup_input(self, pin: int, pull_up: bool) -> None:
        """Make `pin` an input with a pull-up or pull-down resistor."""
        self._claim(pin)
        self._inputs[pin] = pull_up
        self.history.append(PinChange(self.clock(), pin, "input", pull_up))

    def setup_output(self, pin: int, level: bool) -> None:
        """Make `pin` an output that starts at `level`."""
        self._claim(pin)
        if pin in self._sources:
            raise PinError(f"pin {pin} is driven from outside and cannot be an output: two drivers on one wire")
        self._outputs[pin] = level
        self.history.append(PinChange(self.clock(), pin, "output", level))
        self._notify_watchers(pin, level)

    def read(self, pin: int) -> bool:
        """Return the level now."""
        self._refuse_closed()
        if pin in self._inputs:
            source = self._sources.get(pin)
            return self._inputs[pin] if source is None else source()
        if pin not in self._outputs:
            raise PinError(f"pin {pin} was never set up; call setup_input first")
        return self._outputs[pin]

    def write(self, pin: int, level: bool) -> None:
        """Drive an output."""
        self._refuse_closed()
        if pin not in self._outputs:
            kind = "an input" if pin in self._inputs else "not set up"
            raise PinError(f"pin {pin} is {kind} and cannot be written; call setup_output first")
        if self._outputs[pin] != level:
            self._outputs[pin] = level
            self.history.append(PinChange(self.clock(), pin, "write", level))
            self._notify_watchers(pin, level)

    def close(self) -> None:
        """Give the pins back: they float."""
        self._closed = True
        self._inputs.clear()
        self._outputs.clear()

    def reopen(self) -> "SimulatedPins":
        """Take the pins anew, as the next program does; what is wired to them stays."""
        self._closed = False
        return self

    # The far side of the header.

    def drive(self, pin: int, source: LevelSource) -> None:
        """Wire something to `pin` that sets its level when it is an input."""
        if pin in self._outputs:
            raise PinError(f"pin {pin} is an output and cannot be driven from outside: two drivers on one wire")
        self._sources[pin] = source

    def watch(self, pin: int, watcher: EdgeWatcher) -> None:
        """Wire something to `pin` that notices its edges when it is an output."""
        self._watchers.setdefault(pin, []).append(watcher)

    def get_driven_level(self, pin: int) -> bool | None:
        """Return the level that the near side puts on `pin`, or `None` while it floats."""
        return self._outputs.get(pin)

    def _claim(self, pin: int) -> None:
        self._refuse_closed()
        if pin not in PIN_NUMBERS:
            raise PinError(f"there is no pin {pin}; the header has BCM {PIN_NUMBERS[0]} to {PIN_NUMBERS[-1]}")
        if pin in self._inputs or pin in self._outputs:
            raise PinError(f"pin {pin} is already in use; give every role a pin of its own")

    def _refuse_closed(self) -> None:
        if self._closed:
            raise PinError("the pins were given back; open them again")

    def _notify_watchers(self, pin: int, level: bool) -> None:
        for watcher in self._watchers.get(pin, ()):
            watcher(pin, level)
