"""The pyserial handler of `evdev:///dev/input/…`: a keyboard-like device as a port of raw kernel events, for us alone.

The device is grabbed, so that a scanned code is not typed into whatever has the console. The kernel hands over whole
events only, so bytes are kept here until they are asked for.
"""

import errno
import fcntl
import os
import select
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from serial.serialutil import PortNotOpenError, SerialBase, SerialException

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

EVIOCGRAB = 0x40044590
"""`_IOW('E', 0x90, int)` of linux/input.h."""

READ_CHUNK_BYTES = 24 * 64
"""Room for whole events, whatever their size on this machine."""


class Serial(SerialBase):
    """An input device, open for reading and grabbed."""

    _fd: int | None = None
    _unread = b""

    def open(self) -> None:
        """Open and grab."""
        path = urlsplit(str(self.port)).path
        try:
            fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            raise SerialException(error.errno, f"could not open {path}: {error}") from error
        try:
            fcntl.ioctl(fd, EVIOCGRAB, 1)
        except OSError as error:
            os.close(fd)
            raise SerialException(error.errno, f"could not grab {path}: {error}") from error
        self._fd, self._unread = fd, b""
        self.is_open = True

    def close(self) -> None:
        """Let the device go."""
        fd, self._fd = self._fd, None
        self.is_open = False
        if fd is not None:
            os.close(fd)

    def read(self, size: int = 1) -> bytes:
        """Wait for bytes, at most as long as the time-out."""
        if not self._unread:
            self._read_events(self.timeout)
        data, self._unread = self._unread[:size], self._unread[size:]
        return data

    def write(self, data: "ReadableBuffer") -> int:
        """Refuse: there is nothing to tell a keyboard."""
        raise SerialException(errno.EPERM, f"{len(bytes(data))} bytes for a device that only speaks")

    @property
    def in_waiting(self) -> int:
        """How many bytes can be read at once."""
        if not self._unread:
            self._read_events(0)
        return len(self._unread)

    def reset_input_buffer(self) -> None:
        """Lose what has not been read."""
        self._unread = b""

    def _read_events(self, seconds: float | None) -> None:
        if self._fd is None:
            raise PortNotOpenError
        ready, _, _ = select.select([self._fd], [], [], seconds)
        if ready:
            try:
                self._unread += os.read(self._fd, READ_CHUNK_BYTES)
            except BlockingIOError:
                return
            except OSError as error:
                raise SerialException(error.errno, f"read failed: {error}") from error

    def _reconfigure_port(self, force_update: bool = False) -> None:
        """Accept any setting: there is no line to set."""

    def _update_dtr_state(self) -> None:
        """Do nothing: there is no such line."""

    def _update_rts_state(self) -> None:
        """Do nothing: there is no such line."""

    def _update_break_state(self) -> None:
        """Do nothing: there is no such line."""
