"""The pins of a Raspberry Pi, by the `RPi.GPIO` interface; the one module that imports it, when first needed.

Two packages offer that interface and own the same file: `RPi.GPIO` itself, which cannot work on a Raspberry Pi 5, and
`rpi-lgpio`, which works on all. Which one is there, and whether it can work here, is found out and said; nothing is
tried in turn. Edges come from the kernel by lgpio, which is below `rpi-lgpio`, each with the kernel's own time.
`RPi.GPIO` has no time of an edge, and with kernel 6.6 it lost edges altogether: over it, levels are sampled.
"""

import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import Any

from drivers.contract.device_errors import PinError
from drivers.contract.driver_interface import EdgeBatch, PinEdge
from drivers.pins.edge_queue import EdgeQueue

EXTRA_BY_PACKAGE = {"RPi.GPIO": "[pi]", "rpi-lgpio": "[pi5]"}
GPIO_PACKAGES = tuple(EXTRA_BY_PACKAGE)
"""The distributions that provide the module `RPi.GPIO`, each by an extra of ours."""

EDGE_PACKAGES = ("rpi-lgpio",)
"""Those over which the kernel's edges can be had, with their time."""

MODEL_FILE = Path("/proc/device-tree/model")
"""Where the kernel of a Raspberry Pi tells the model of the board."""

RP1_BOARDS = ("Raspberry Pi 5", "Raspberry Pi Compute Module 5")
"""Boards whose pins hang on the RP1 chip, which `RPi.GPIO` does not know (also the Pi 500)."""


MIN_LGPIO_KERNEL = (5, 10)
"""The first kernel with the GPIO interface that lgpio speaks (version 2 of its character device)."""

MAX_EDGE_AGE_S = 60.0
"""A stamp that is older than this, or in the future, is of another clock: "probably best not to make any assumption as
to the timestamp origin" (lgpio, `callback`). Kernels from 5.7 on stamp by the monotonic clock."""


class RpiPins:
    """The header of this machine, as `drivers.contract.driver_interface.EdgePins`. Raises `PinError` alone."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Find the library and take the pins by their BCM numbers. Raises `PinError` with what would help."""
        self.package = find_installed_package()
        model = read_board_model()
        if self.package == "RPi.GPIO" and not can_drive_board(self.package, model, ""):
            raise PinError(
                f"RPi.GPIO cannot work on a {model}; uninstall RPi.GPIO, then install rpi-lgpio (the extra [pi5])"
            )
        self._gpio = _import_gpio(self.package, model)
        self._clock = clock
        self._used_pins: list[int] = []
        self._pull_up_by_input: dict[int, bool] = {}
        self._queue_by_pin: dict[int, EdgeQueue] = {}
        self._callbacks: list[Any] = []
        with _translate_errors("the pins cannot be had; is this user in the group gpio, and is /dev/gpiochip0 there?"):
            self._gpio.setwarnings(False)
            self._gpio.setmode(self._gpio.BCM)

    def setup_input(self, pin: int, pull_up: bool) -> None:
        """Make `pin` an input, pulled by the board's own resistor."""
        self._setup_input(pin, pull_up)
        self._used_pins.append(pin)
        self._pull_up_by_input[pin] = pull_up

    def setup_output(self, pin: int, level: bool) -> None:
        """Make `pin` an output that starts at `level`, without a glitch."""
        gpio = self._gpio
        with _translate_errors(f"pin {pin} cannot be an output; does another program or a kernel driver hold it?"):
            gpio.setup(pin, gpio.OUT, initial=gpio.HIGH if level else gpio.LOW)
        self._used_pins.append(pin)

    def read(self, pin: int) -> bool:
        """Return the level now."""
        with _translate_errors(f"pin {pin} cannot be read"):
            return bool(self._gpio.input(pin))

    def write(self, pin: int, level: bool) -> None:
        """Drive an output."""
        with _translate_errors(f"pin {pin} cannot be written"):
            self._gpio.output(pin, self._gpio.HIGH if level else self._gpio.LOW)

    def watch_edges(self, pin: int) -> bool:
        """Have the kernel tell the edges of an input, where the library is `rpi-lgpio` and the chip has interrupts."""
        lgpio, chip = sys.modules.get("lgpio"), getattr(self._gpio, "_chip", None)
        if self.package not in EDGE_PACKAGES or lgpio is None or chip is None:
            return False
        try:
            self._gpio.add_event_detect(pin, self._gpio.BOTH)
        except (RuntimeError, OSError, ValueError, lgpio.error):
            # A chip without interrupts. The library has given the line up to ask for them.
            self._setup_input(pin, pull_up=self._pull_up_by_input[pin])
            return False
        queue = self._queue_by_pin[pin] = EdgeQueue()
        callback = lgpio.callback(chip, pin, lgpio.BOTH_EDGES, lambda *report: self._put_edge(queue, *report))
        self._callbacks.append(callback)
        return True

    def take_edges(self, pin: int) -> EdgeBatch:
        """Take the edges of a pin that is watched."""
        return self._queue_by_pin[pin].take()

    def _setup_input(self, pin: int, pull_up: bool) -> None:
        gpio = self._gpio
        with _translate_errors(f"pin {pin} cannot be an input; does another program or a kernel driver hold it?"):
            gpio.setup(pin, gpio.IN, pull_up_down=gpio.PUD_UP if pull_up else gpio.PUD_DOWN)

    def _put_edge(self, queue: EdgeQueue, _chip: int, _pin: int, level: int, stamp_ns: int) -> None:
        """Keep an edge; called in lgpio's thread. A level of 2 is its watchdog, which nobody asked for."""
        if level not in (0, 1):
            return
        now, at = self._clock(), stamp_ns / 1e9
        queue.put(PinEdge(level == 1, at if now - MAX_EDGE_AGE_S <= at <= now else now))

    def close(self) -> None:
        """Give the pins this program used back: they float, and outside resistors decide."""
        callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback.cancel()
        used, self._used_pins = self._used_pins, []
        if used:
            with _translate_errors("the pins cannot be given back"):
                self._gpio.cleanup(used)


def find_installed_package() -> str:
    """Return which of the two packages is installed. Raises `PinError` when none or both are."""
    found = [package for package in GPIO_PACKAGES if _is_installed(package)]
    if not found:
        raise PinError(
            "no GPIO library is installed; on a Raspberry Pi: apt install python3-rpi-lgpio, and make install again "
            "(in a checkout: pip install '.[pi5]'); any other machine has no pins and can only simulate"
        )
    if len(found) > 1:
        raise PinError(
            "RPi.GPIO and rpi-lgpio are both installed and own the same file; uninstall both, then install rpi-lgpio"
        )
    return found[0]


def can_drive_board(package: str, model: str | None, kernel: str) -> bool:
    """Whether `package` can drive the pins: `RPi.GPIO` not those of a Pi 5, lgpio none under an old kernel."""
    if package == "RPi.GPIO":
        return model is None or not model.startswith(RP1_BOARDS)
    numbers = re.match(r"(\d+)\.(\d+)", kernel)
    return numbers is None or (int(numbers[1]), int(numbers[2])) >= MIN_LGPIO_KERNEL


def choose_gpio_package(model: str | None, kernel: str) -> str:
    """The package that a board needs: `rpi-lgpio` wherever it can work, as it alone tells edges with their time.

    `systemd/gpio-library` says the same before anything is installed.
    """
    is_possible = can_drive_board("rpi-lgpio", model, kernel) or not can_drive_board("RPi.GPIO", model, kernel)
    return "rpi-lgpio" if is_possible else "RPi.GPIO"


def read_board_model(file: Path = MODEL_FILE) -> str | None:
    """Return the model the kernel tells, such as "Raspberry Pi 4 Model B Rev 1.4"; `None` where it tells none."""
    return file.read_text(encoding="ascii", errors="replace").rstrip("\0\n") if file.exists() else None


def _is_installed(package: str) -> bool:
    try:
        metadata.distribution(package)
    except metadata.PackageNotFoundError:
        return False
    return True


def _import_gpio(package: str, model: str | None) -> Any:  # noqa: ANN401 - neither package is typed
    try:
        with _change_to_writable_directory():
            from RPi import GPIO
    except ModuleNotFoundError as error:
        text = f"{package} is installed and yet cannot be imported ({error}); uninstall it and install it again"
        raise PinError(text) from error
    except (RuntimeError, ImportError, NotImplementedError, OSError) as error:
        board = f"this machine is a {model}" if model else "this machine is no Raspberry Pi"
        raise PinError(f"{package} will not run here: {board} ({error}); without pins it can only simulate") from error
    return GPIO


@contextmanager
def _change_to_writable_directory() -> Iterator[None]:
    """Stand for a while where this user may write: lgpio makes a pipe where the program stands, as it is imported.

    Nobody can go back to a directory that is closed to them, as the home of whoever said `sudo -u` is: then it is `/`.
    """
    try:
        before = os.getcwd()
    except OSError:
        before = "/"
    with tempfile.TemporaryDirectory(prefix="pins-", ignore_cleanup_errors=True) as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            try:
                os.chdir(before)
            except OSError:
                os.chdir("/")


@contextmanager
def _translate_errors(sentence: str) -> Iterator[None]:
    """Turn what either library raises into a `PinError`; `lgpio.error` derives from nothing narrower than Exception."""
    lgpio = sys.modules.get("lgpio")
    kinds: tuple[type[Exception], ...] = (RuntimeError, OSError, ValueError)
    if lgpio is not None:
        kinds += (lgpio.error,)
    try:
        yield
    except kinds as error:
        raise PinError(f"{sentence} ({error})") from error
