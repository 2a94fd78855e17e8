"""The threads at the edge: one a port, one for all pins. They translate nothing and decide nothing; they enqueue.

A port that cannot be opened, or is lost, is opened again after a growing pause; after each opening the loop greets the
device and shows it everything anew, because the device may have forgotten it.
"""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import groupby

from controller.runtime.devices.port_messages import (
    DeviceEventsReported,
    PortBytesReceived,
    PortLost,
    PortMessage,
    PortOpened,
)
from controller.runtime.service.crash_log import describe_failure
from controller.runtime.service.watchdog import Pulse
from drivers.contract.device_errors import PinError, PortError, PortLostError
from drivers.contract.driver_interface import SAMPLE_INTERVAL_S, DeviceEvent, DeviceLost, PinDriver, Pins, PortSettings
from drivers.ports.byte_port import BytePort, open_port
from drivers.ports.control_lines import KIND_DECIDES, ControlLines

MIN_RETRY_DELAY_S = 0.2
MAX_RETRY_DELAY_S = 5.0
"""Seconds between two attempts to open a port: doubled each time, until a port has stayed open for the longest. A port
that opens and is gone at once, again and again, would otherwise fill the journal with its coming and going."""

ROUND_TIMEOUT_S = 5.0
"""How long a round of a reader or of the sampler may take: a hundred times what it does take."""

OPEN_TIMEOUT_S = 15.0
"""How long opening a port may take: an address on a network is tried for five seconds."""

FLOOD_DELAY_S = 0.02
"""Seconds that a reader waits when what it read was dropped: a device that talks without end must not take the time of
all others; what it says meanwhile is lost in its own line."""

MessageSink = Callable[[PortMessage], object]
"""Takes a message; false when it was dropped."""

Clock = Callable[[], float]

log = logging.getLogger(__name__)


class PortReader(threading.Thread):
    """Keeps one port open and hands on what it says."""

    def __init__(
        self,
        device: str,
        url: str,
        settings: PortSettings,
        put: MessageSink,
        clock: Clock,
        control_lines: ControlLines = KIND_DECIDES,
    ) -> None:
        super().__init__(name=f"port {device}", daemon=True)
        self.device = device
        self._url = url
        self._settings = settings
        self._control_lines = control_lines
        self._put = put
        self._clock = clock
        self.pulse = Pulse(f"the reader of {device}", ROUND_TIMEOUT_S, clock)
        self._stop_requested = threading.Event()
        self._reopen_requested = threading.Event()

    def reopen(self) -> None:
        """Give the open port up and open it again; for the loop, when a write has failed."""
        self._reopen_requested.set()

    def stop(self) -> None:
        """Let the thread end; it does within one read."""
        self._stop_requested.set()
        self._reopen_requested.set()

    def run(self) -> None:
        """Open, read, and begin again, until `stop`."""
        pause = MIN_RETRY_DELAY_S
        while not self._stop_requested.is_set():
            self.pulse.beat(OPEN_TIMEOUT_S)
            try:
                port = open_port(self._url, self._settings, control_lines=self._control_lines)
            except PortError as why:
                self._report_lost(why.message)
            except Exception as failure:
                log.error("the reader of %s failed: %s", self.device, describe_failure(failure))
                self._report_lost(f"its reader failed ({type(failure).__name__}); it is tried again")
            else:
                opened = self._clock()
                self._read_while_open(port)
                if self._clock() - opened >= MAX_RETRY_DELAY_S:
                    pause = MIN_RETRY_DELAY_S
            self.pulse.beat(pause + ROUND_TIMEOUT_S)
            self._stop_requested.wait(pause)
            pause = min(2 * pause, MAX_RETRY_DELAY_S)

    def _read_while_open(self, port: BytePort) -> None:
        self._reopen_requested.clear()
        self._put(PortOpened(self.device, port, self._clock()))
        try:
            while not self._stop_requested.is_set() and not self._reopen_requested.is_set():
                self.pulse.beat()
                data = port.read()
                if not data:
                    continue
                if self._put(PortBytesReceived(self.device, data, self._clock())) is False:
                    self._stop_requested.wait(FLOOD_DELAY_S)
                time.sleep(0)  # the loop runs now, and not when this thread has come as far as its next wait: 15 us
        except PortLostError as why:
            self._report_lost(why.message)
        except Exception as failure:
            log.error("the reader of %s failed: %s", self.device, describe_failure(failure))
            self._report_lost(f"its reader failed ({type(failure).__name__}); it is tried again")
        finally:
            with suppress(PortLostError):  # it is being given up; that it was gone already is no news
                port.close()

    def _report_lost(self, why: str) -> None:
        self._put(PortLost(self.device, why, self._clock()))


class PinSampler(threading.Thread):
    """Looks at the pins 200 times a second.

    `lock` is held while a driver touches the pins, here and in the loop.
    """

    def __init__(
        self, drivers: Sequence[PinDriver], pins: Pins, put: MessageSink, clock: Clock, lock: threading.Lock
    ) -> None:
        super().__init__(name="pins", daemon=True)
        self._drivers = drivers
        self._pins = pins
        self._put = put
        self._clock = clock
        self._lock = lock
        self.pulse = Pulse("the sampler of the pins", ROUND_TIMEOUT_S, clock)
        self._stop_requested = threading.Event()

    def stop(self) -> None:
        """Let the thread end; it does within one sample."""
        self._stop_requested.set()

    def run(self) -> None:
        """Sample until `stop`, or until the pins fail: then every device on them is lost."""
        try:
            while not self._stop_requested.wait(SAMPLE_INTERVAL_S):
                self.pulse.beat()
                self.sample(self._clock())
        except PinError as why:
            self._report_all_lost(str(why))
        except Exception as failure:
            log.error("the pin sampler failed: %s", describe_failure(failure))
            self._report_all_lost(f"the pin sampler failed ({type(failure).__name__}); start the program again")

    def sample(self, now: float) -> None:
        """Look once."""
        seen: list[DeviceEvent] = []
        with self._lock:
            for driver in self._drivers:
                seen.extend(driver.sample(self._pins, now))
        for at, events in groupby(seen, lambda event: getattr(event, "at", None)):
            self._put(DeviceEventsReported(tuple(events), now if at is None else at))

    def _report_all_lost(self, why: str) -> None:
        lost = tuple(DeviceLost(driver.name, why) for driver in self._drivers)
        self._put(DeviceEventsReported(lost, self._clock()))
