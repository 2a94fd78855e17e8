"""The pyserial handler of `sim://driver/id?fault=…`; pyserial finds it by the name of this module."""

import errno
import os
import termios
import time
from typing import TYPE_CHECKING

from serial.serialutil import PortNotOpenError, SerialBase, SerialException

from drivers.sim.bench.bench import Socket, socket_for
from drivers.sim.bench.uart import Line

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_POLL_SECONDS = 0.002


class Serial(SerialBase):
    """A serial port whose far end is a simulated device; it fails in the ways and words of a real one on Linux."""

    _socket: Socket | None = None
    _pulls = 0
    _cancelled = False

    def open(self) -> None:
        """Open for this one user."""
        if self.is_open:
            raise SerialException("Port is already open.")
        socket = socket_for(str(self.port))
        with socket.lock:
            if not socket.there():
                raise SerialException(errno.ENOENT, f"could not open port {self.port}: {os.strerror(errno.ENOENT)}")
            if socket.in_use:
                raise SerialException(errno.EAGAIN, f"Could not exclusively lock port {self.port}")
            socket.in_use = True
            socket.opened(Line(self.baudrate, self.parity))
            self._pulls = socket.pulls()
        self._socket = socket
        self.is_open = True

    def close(self) -> None:
        """Give the port back."""
        if self._socket is not None:
            self._socket.in_use = False
        self._socket = None
        self.is_open = False

    def read(self, size: int = 1) -> bytes:
        """Wait for `size` bytes, at most as long as the time-out."""
        ends = None if self.timeout is None else time.monotonic() + self.timeout
        self._cancelled = False
        data = b""
        while len(data) < size:
            socket = self._there("device reports readiness to read but returned no data (device disconnected?)")
            with socket.lock:
                data += socket.take(size - len(data))
            if self._cancelled or len(data) == size or (ends is not None and time.monotonic() >= ends):
                break
            time.sleep(_POLL_SECONDS)
        return data

    def write(self, data: "ReadableBuffer") -> int:
        """Hand bytes to the device."""
        socket = self._there(f"write failed: [Errno {errno.EIO}] {os.strerror(errno.EIO)}")
        with socket.lock:
            socket.hear(bytes(data))
        return len(bytes(data))

    @property
    def in_waiting(self) -> int:
        """How many bytes can be read at once; a plain `OSError` when the device is gone, as on a real port."""
        if self._socket is None:
            raise PortNotOpenError
        if not self._alive(self._socket):
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        with self._socket.lock:
            return self._socket.waiting()

    def cancel_read(self) -> None:
        """Let a waiting read return with what it has."""
        self._cancelled = True

    def flush(self) -> None:
        """Do nothing; `termios.error` when the device is gone, as on a real port."""
        self._refuse_gone()

    def reset_input_buffer(self) -> None:
        """Lose what has not been read."""
        self._refuse_gone()
        if self._socket is not None:
            with self._socket.lock:
                self._socket.flush()

    def _there(self, gone: str) -> Socket:
        if self._socket is None:
            raise PortNotOpenError
        if not self._alive(self._socket):
            raise SerialException(gone)
        return self._socket

    def _alive(self, socket: Socket) -> bool:
        return socket.there() and socket.pulls() == self._pulls

    def _refuse_gone(self) -> None:
        if self._socket is not None and not self._alive(self._socket):
            raise termios.error(errno.EIO, os.strerror(errno.EIO))

    def _reconfigure_port(self, force_update: bool = False) -> None:
        """Accept any setting: the cable garbles what does not agree with the device."""

    def _update_dtr_state(self) -> None:
        """No simulated device minds."""

    def _update_rts_state(self) -> None:
        """No simulated device minds."""

    def _update_break_state(self) -> None:
        """No simulated device minds."""
