"""The pyserial handler of `spi:///dev/spidevB.C?hz=…`: an SPI bus as a port that is only written.

The kernel's spidev takes a plain write as one transfer. It sends at most its `bufsiz` (4096 bytes unless changed) at
once, which is why a longer write is refused here and not cut.
"""

import errno
import fcntl
import os
import struct
import time
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

from serial.serialutil import PortNotOpenError, SerialBase, SerialException

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

SPI_IOC_WR_MODE, SPI_IOC_WR_MAX_SPEED_HZ = 0x40016B01, 0x40046B04
"""Of linux/spi/spidev.h."""

DEFAULT_HZ = 2_400_000
MAX_TRANSFER_BYTES = 4096


class Serial(SerialBase):
    """An SPI device in mode 0, at `hz` clocks a second."""

    _fd: int | None = None

    def open(self) -> None:
        """Open and set mode and speed."""
        parts = urlsplit(str(self.port))
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        speed = query.pop("hz", str(self._get_usual_hz()))
        if query or not speed.isdecimal():
            raise ValueError("it should read spi:///dev/spidev0.0, and perhaps ?hz= and a whole number")
        try:
            fd = os.open(parts.path, os.O_RDWR | os.O_CLOEXEC)
        except OSError as error:
            raise SerialException(error.errno, f"could not open {parts.path}: {error}") from error
        try:
            fcntl.ioctl(fd, SPI_IOC_WR_MODE, struct.pack("B", 0))
            fcntl.ioctl(fd, SPI_IOC_WR_MAX_SPEED_HZ, struct.pack("I", int(speed)))
        except OSError as error:
            os.close(fd)
            raise SerialException(error.errno, f"could not set {parts.path} to {speed} Hz: {error}") from error
        self._fd = fd
        self.is_open = True

    def _get_usual_hz(self) -> int:
        """How many clocks a second there are where the URL does not say it."""
        return DEFAULT_HZ

    def close(self) -> None:
        """Let the bus go."""
        fd, self._fd = self._fd, None
        self.is_open = False
        if fd is not None:
            os.close(fd)

    def read(self, size: int = 1) -> bytes:
        """Wait out the time-out: nothing ever comes."""
        if self._fd is None:
            raise PortNotOpenError
        if size:
            time.sleep(self.timeout or 0)
        return b""

    def write(self, data: "ReadableBuffer") -> int:
        """Send everything in one transfer."""
        if self._fd is None:
            raise PortNotOpenError
        whole = bytes(data)
        if len(whole) > MAX_TRANSFER_BYTES:
            raise SerialException(
                errno.EMSGSIZE, f"{len(whole)} bytes are more than the {MAX_TRANSFER_BYTES} of one transfer"
            )
        try:
            return os.write(self._fd, whole)
        except OSError as error:
            raise SerialException(error.errno, f"write failed: {error}") from error

    @property
    def in_waiting(self) -> int:
        """Always 0."""
        return 0

    def reset_input_buffer(self) -> None:
        """Do nothing: nothing ever comes."""

    def _reconfigure_port(self, force_update: bool = False) -> None:
        """Accept any setting: the speed is in the URL."""

    def _update_dtr_state(self) -> None:
        """Do nothing: there is no such line."""

    def _update_rts_state(self) -> None:
        """Do nothing: there is no such line."""

    def _update_break_state(self) -> None:
        """Do nothing: there is no such line."""
