"""The threads at the edge: one a port, one for all pins. They translate nothing and decide nothing; they enqueue.

A port that cannot be opened, or is lost, is opened again after a growing pause; after each opening the loop greets the
device and shows it everything anew, because the device may have forgotten it.
"""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from controller.runtime.loop.messages import DevicesSaid, Message, PortBytes, PortLost, PortOpened
from controller.runtime.loop.ruling import where
from controller.runtime.service.watchdog import Pulse
from drivers.contract.base import SAMPLE_SECONDS, DeviceEvent, DeviceLost, PinDriver, Pins, PortSettings
from drivers.contract.errors import PinError, PortError, PortLostError
from drivers.ports.open_port import BytePort, open_port

FIRST_PAUSE = 0.2
LONGEST_PAUSE = 5.0
"""Seconds between two attempts to open a port: doubled each time, until a port has stayed open for the longest. A port
that opens and is gone at once, again and again, would otherwise fill the journal with its coming and going."""

ROUND_SECONDS = 5.0
"""How long a round of a reader or of the sampler may take: a hundred times what it does take."""

OPENING_SECONDS = 15.0
"""How long opening a port may take: an address on a network is tried for five seconds."""

FLOOD_PAUSE = 0.02
"""Seconds that a reader waits when what it read was dropped: a device that talks without end must not take the time of
all others; what it says meanwhile is lost in its own line."""

Put = Callable[[Message], object]
"""Takes a message; false when it was dropped."""

Clock = Callable[[], float]

log = logging.getLogger(__name__)


class PortReader(threading.Thread):
    """Keeps one port open and hands on what it says."""

    def __init__(self, device: str, url: str, settings: PortSettings, put: Put, clock: Clock) -> None:
        super().__init__(name=f"port {device}", daemon=True)
        self.device = device
        self._url = url
        self._settings = settings
        self._put = put
        self._clock = clock
        self.pulse = Pulse(f"the reader of {device}", ROUND_SECONDS, clock)
        self._ending = threading.Event()
        self._reopen = threading.Event()

    def reopen(self) -> None:
        """Give the open port up and open it again; for the loop, when a write has failed."""
        self._reopen.set()

    def end(self) -> None:
        """Let the thread end; it does within one read."""
        self._ending.set()
        self._reopen.set()

    def run(self) -> None:
        """Open, read, and begin again, until `end`."""
        pause = FIRST_PAUSE
        while not self._ending.is_set():
            self.pulse.beat(OPENING_SECONDS)
            try:
                port = open_port(self._url, self._settings)
            except PortError as why:
                self._lost(why.message)
            except Exception as failure:
                log.error("the reader of %s failed: %s", self.device, where(failure))
                self._lost(f"its reader failed ({type(failure).__name__}); it is tried again")
            else:
                opened = self._clock()
                self._read_while_open(port)
                if self._clock() - opened >= LONGEST_PAUSE:
                    pause = FIRST_PAUSE
            self.pulse.beat(pause + ROUND_SECONDS)
            self._ending.wait(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _read_while_open(self, port: BytePort) -> None:
        self._reopen.clear()
        self._put(PortOpened(self.device, port, self._clock()))
        try:
            while not self._ending.is_set() and not self._reopen.is_set():
                self.pulse.beat()
                data = port.read()
                if not data:
                    continue
                if self._put(PortBytes(self.device, data, self._clock())) is False:
                    self._ending.wait(FLOOD_PAUSE)
                time.sleep(0)  # the loop runs now, and not when this thread has come as far as its next wait: 15 us
        except PortLostError as why:
            self._lost(why.message)
        except Exception as failure:
            log.error("the reader of %s failed: %s", self.device, where(failure))
            self._lost(f"its reader failed ({type(failure).__name__}); it is tried again")
        finally:
            with suppress(PortLostError):  # it is being given up; that it was gone already is no news
                port.close()

    def _lost(self, why: str) -> None:
        self._put(PortLost(self.device, why, self._clock()))


class PinSampler(threading.Thread):
    """Looks at the pins 200 times a second.

    `lock` is held while a driver touches the pins, here and in the loop.
    """

    def __init__(self, drivers: Sequence[PinDriver], pins: Pins, put: Put, clock: Clock, lock: threading.Lock) -> None:
        super().__init__(name="pins", daemon=True)
        self._drivers = drivers
        self._pins = pins
        self._put = put
        self._clock = clock
        self._lock = lock
        self.pulse = Pulse("the sampler of the pins", ROUND_SECONDS, clock)
        self._ending = threading.Event()

    def end(self) -> None:
        """Let the thread end; it does within one sample."""
        self._ending.set()

    def run(self) -> None:
        """Sample until `end`, or until the pins fail: then every device on them is lost."""
        try:
            while not self._ending.wait(SAMPLE_SECONDS):
                self.pulse.beat()
                self.sample(self._clock())
        except PinError as why:
            self._all_lost(str(why))
        except Exception as failure:
            log.error("the pin sampler failed: %s", where(failure))
            self._all_lost(f"the pin sampler failed ({type(failure).__name__}); start the program again")

    def sample(self, now: float) -> None:
        """Look once."""
        seen: list[DeviceEvent] = []
        with self._lock:
            for driver in self._drivers:
                seen.extend(driver.sample(self._pins, now))
        if seen:
            self._put(DevicesSaid(tuple(seen), now))

    def _all_lost(self, why: str) -> None:
        lost = tuple(DeviceLost(driver.name, why) for driver in self._drivers)
        self._put(DevicesSaid(lost, self._clock()))
