"""The pyserial handler of `sim://driver/id?fault=…`; pyserial finds it by the name of this module."""

import errno
import os
import termios
import time
from typing import TYPE_CHECKING

from serial.serialutil import PortNotOpenError, SerialBase, SerialException

from drivers.simulators.bench.bench import SimulatedPort, find_port
from drivers.simulators.bench.uart import LineSettings

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_POLL_INTERVAL_S = 0.002


class Serial(SerialBase):
    """A serial port whose far end is a simulated device; it fails in the ways and words of a real one on Linux."""

    _simulated_port: SimulatedPort | None = None
    _unplug_count = 0
    _cancelled = False

    def open(self) -> None:
        """Open for this one user."""
        if self.is_open:
            raise SerialException("Port is already open.")
        socket = find_port(str(self.port))
        with socket.lock:
            if not socket.is_plugged_in():
                raise SerialException(errno.ENOENT, f"could not open port {self.port}: {os.strerror(errno.ENOENT)}")
            if socket.in_use:
                raise SerialException(errno.EAGAIN, f"Could not exclusively lock port {self.port}")
            socket.in_use = True
            socket.on_port_opened(LineSettings(self.baudrate, self.parity))
            self._unplug_count = socket.unplug_count()
            socket.has_dtr = self.dtr
        self._simulated_port = socket
        self.is_open = True

    def close(self) -> None:
        """Give the port back."""
        if self._simulated_port is not None:
            self._simulated_port.in_use = False
        self._simulated_port = None
        self.is_open = False

    def read(self, size: int = 1) -> bytes:
        """Wait for `size` bytes, at most as long as the time-out."""
        ends = None if self.timeout is None else time.monotonic() + self.timeout
        self._cancelled = False
        data = b""
        while len(data) < size:
            socket = self._require_port("device reports readiness to read but returned no data (device disconnected?)")
            with socket.lock:
                data += socket.read(size - len(data))
            if self._cancelled or len(data) == size or (ends is not None and time.monotonic() >= ends):
                break
            time.sleep(_POLL_INTERVAL_S)
        return data

    def write(self, data: "ReadableBuffer") -> int:
        """Hand bytes to the device."""
        socket = self._require_port(f"write failed: [Errno {errno.EIO}] {os.strerror(errno.EIO)}")
        with socket.lock:
            socket.write(bytes(data))
        return len(bytes(data))

    @property
    def in_waiting(self) -> int:
        """How many bytes can be read at once; a plain `OSError` when the device is gone, as on a real port."""
        if self._simulated_port is None:
            raise PortNotOpenError
        if not self._is_alive(self._simulated_port):
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        with self._simulated_port.lock:
            return self._simulated_port.count_waiting()

    def cancel_read(self) -> None:
        """Let a waiting read return with what it has."""
        self._cancelled = True

    def flush(self) -> None:
        """Do nothing; `termios.error` when the device is gone, as on a real port."""
        self._refuse_unplugged()

    def reset_input_buffer(self) -> None:
        """Lose what has not been read."""
        self._refuse_unplugged()
        if self._simulated_port is not None:
            with self._simulated_port.lock:
                self._simulated_port.discard_pending()

    def _require_port(self, gone: str) -> SimulatedPort:
        if self._simulated_port is None:
            raise PortNotOpenError
        if not self._is_alive(self._simulated_port):
            raise SerialException(gone)
        return self._simulated_port

    def _is_alive(self, socket: SimulatedPort) -> bool:
        return socket.is_plugged_in() and socket.unplug_count() == self._unplug_count

    def _refuse_unplugged(self) -> None:
        if self._simulated_port is not None and not self._is_alive(self._simulated_port):
            raise termios.error(errno.EIO, os.strerror(errno.EIO))

    def _reconfigure_port(self, force_update: bool = False) -> None:
        """Accept any setting: the cable garbles what does not agree with the device."""

    def _update_dtr_state(self) -> None:
        """Show DTR to the device."""
        if self._simulated_port is not None:
            self._simulated_port.has_dtr = self.dtr

    def _update_rts_state(self) -> None:
        """No simulated device minds."""

    def _update_break_state(self) -> None:
        """No simulated device minds."""
