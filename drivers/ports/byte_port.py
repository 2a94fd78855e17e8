"""Opening byte ports by URL.

A port is the path of a device, `socket://host:port`, `rfc2217://host:port`, `evdev:///dev/input/…` (a scanner that
types), `spi:///dev/spidev…` (lights, and readers that answer while they are written to), or `sim://driver/id`.

pyserial does the work; this module settles what it leaves open. A device path is opened for us alone. DTR and RTS are
as the device's file or the kind of port wants them (`control_lines`). The kernel is asked not to hold bytes back. And
whatever pyserial, the operating system or `termios` raises comes out as one `PortError` whose sentence says what would
help.
"""

import errno
import termios
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import serial

from drivers.contract.device_errors import (
    PortBusyError,
    PortError,
    PortForbiddenError,
    PortLostError,
    PortMissingError,
    PortUnknownError,
    PortUnsuitableError,
)
from drivers.contract.driver_interface import PortSettings, is_full_duplex
from drivers.ports.control_lines import BOTH_LOW, KIND_DECIDES, ControlLines, choose_control_lines, find_missing_line
from drivers.ports.port_holders import find_holders, is_held_here
from drivers.ports.port_nodes import find_node_problem

SCHEMES = ("socket", "rfc2217", "evdev", "spi", "sim")
"""The URL schemes a port may have; without one it is the path of a device.

Those of pyserial that write what passes into a file (`spy`), or lead nowhere (`loop`), are none: no tag belongs there.
"""

EXCHANGE_SCHEMES = ("spi", "sim")
"""The URL schemes a port may have for a device that answers while it is written to."""

READ_TIMEOUT_S = 0.05
"""How long a read waits for a first byte: short enough for a thread to notice that it should end."""

WRITE_TIMEOUT_S = 1.0
"""How long a write may take before the far end is considered gone."""

MAX_READ_BYTES = 4096
"""How many bytes one read returns at most (the buffer of a Linux serial port)."""

_HANDLER_PACKAGE_BY_SCHEME = {
    "evdev": "drivers.ports.handlers",
    "spi": "drivers.ports.handlers",
    "sim": "drivers.simulators",
}
"""Scheme of our own -> the package of its pyserial handler."""


class BytePort:
    """An open byte port. One thread reads, any thread may write or close."""

    def __init__(self, url: str, port: serial.Serial, *, low_latency: bool) -> None:
        """Take over an open pyserial port; use `open_port`."""
        self.url = url
        self.low_latency = low_latency
        """Whether the driver of the kernel agreed to hand every byte on at once."""
        self._port = port
        self._closed = False
        self._write_lock = threading.Lock()
        """Held while writing and closing: a descriptor closed under a write may be another file's by then."""

    def read(self) -> bytes:
        """Return what has come, waiting `READ_TIMEOUT_S` for a first byte; empty when nothing came, or when closed.

        Raises `PortLostError` when the port has gone.
        """
        data = b""
        try:
            data = bytes(self._port.read(1))
            while data and len(data) < MAX_READ_BYTES and (waiting := self._port.in_waiting):
                data += bytes(self._port.read(waiting))
        except (OSError, termios.error, TypeError) as error:
            # pyserial stumbles over its own vanished descriptor with a TypeError when closed during a read.
            if self._closed or data:
                return data
            raise PortLostError(self.url, f"the port has gone while reading ({error}); plug it in again") from error
        return data

    def fileno(self) -> int | None:
        """Return what can be waited for until bytes come, by `select`; `None` where the port is no such file."""
        try:
            number = int(self._port.fileno())
        except (OSError, AttributeError, ValueError):  # simulated, behind a network, or gone
            return None
        return number if number >= 0 else None

    def write(self, data: bytes) -> None:
        """Send `data` whole. Raises `PortLostError` when the port has gone or takes nothing any more."""
        try:
            with self._write_lock:
                self._port.write(data)
        except (OSError, termios.error, TypeError) as error:
            raise PortLostError(self.url, f"the port has gone while writing ({error}); plug it in again") from error

    def close(self) -> None:
        """Give the port back; a read that waits in another thread ends with nothing."""
        self._closed = True
        try:
            if hasattr(self._port, "cancel_read"):
                self._port.cancel_read()
            with self._write_lock:
                self._port.close()
        except (OSError, termios.error) as error:
            raise PortLostError(self.url, f"the port was gone before it was closed ({error})") from error


def open_port(
    url: str,
    settings: PortSettings,
    *,
    read_seconds: float = READ_TIMEOUT_S,
    control_lines: ControlLines = KIND_DECIDES,
) -> BytePort:
    """Open `url` as `settings` (a driver) wants it, with `control_lines` at the levels that are said.

    Raises a `PortError`: which kind tells whether to wait, to ask for a right, or to correct the configuration.
    """
    scheme = _parse_scheme(url)
    if scheme in _HANDLER_PACKAGE_BY_SCHEME:
        _register_handlers(_HANDLER_PACKAGE_BY_SCHEME[scheme])
    is_exchange = is_full_duplex(settings)
    if is_exchange and scheme not in EXCHANGE_SCHEMES:
        raise PortUnsuitableError(url, "this device is on an SPI bus; its port is spi:///dev/spidev0.0, or 0.1")
    if (missing := find_missing_line(url, control_lines)) is not None:
        raise PortUnsuitableError(url, missing[1])
    if (problem := find_node_problem(url)) is not None:
        raise PortUnsuitableError(url, problem)
    with _translate_errors(url, settings):
        port = serial.serial_for_url(
            url.replace("spi://", "spiexchange://", 1) if is_exchange and scheme == "spi" else url,
            do_not_open=True,
            baudrate=settings.baudrate,
            bytesize=serial.EIGHTBITS,
            parity=settings.parity,
            stopbits=settings.stopbits,
            timeout=read_seconds,
            write_timeout=WRITE_TIMEOUT_S,
        )
        if scheme is None:
            port.exclusive = True
        levels = choose_control_lines(url, control_lines) or BOTH_LOW
        port.dtr = bool(levels.dtr)
        port.rts = bool(levels.rts)
        port.open()
    return BytePort(url, port, low_latency=_ask_for_low_latency(port))


def find_port_problem(url: str) -> str | None:
    """Say why a port cannot be what its name leads to, with the name, and open nothing; `None` where it may be one."""
    try:
        _parse_scheme(url)
    except PortUnknownError as why:
        return str(why)
    problem = find_node_problem(url)
    return None if problem is None else f"{url}: {problem}"


def _parse_scheme(url: str) -> str | None:
    scheme, mark, _ = url.partition("://")
    if not mark:
        return None
    if scheme not in SCHEMES:
        accepted = ", ".join(f"{s}://" for s in SCHEMES)
        raise PortUnknownError(url, f"no port begins with {scheme}://; a device path, or one of {accepted}, would do")
    return scheme


def _register_handlers(package: str) -> None:
    """Make pyserial look for handlers in `package`: its documented extension point."""
    if package not in serial.protocol_handler_packages:
        serial.protocol_handler_packages.append(package)


def _ask_for_low_latency(port: serial.Serial) -> bool:
    if not hasattr(port, "set_low_latency_mode"):
        return False
    try:
        port.set_low_latency_mode(True)
    except (ValueError, OSError):  # the chip's driver has no such mode: slower by its own timer, and no worse
        return False
    return True


_OPEN_ERROR_BY_ERRNO: dict[int, tuple[type[PortError], str]] = {
    errno.ENOENT: (PortMissingError, "nothing is plugged in there; plug the device in, or correct the name"),
    errno.ENXIO: (PortMissingError, "the device behind this name is gone; plug it in again"),
    errno.ENODEV: (PortMissingError, "the device behind this name is gone; plug it in again"),
    errno.EIO: (PortMissingError, "the device behind this name does not answer; plug it in again"),
    errno.ECONNREFUSED: (PortMissingError, "nobody listens at that address; start the far end, or correct the address"),
    errno.EAGAIN: (PortBusyError, "another program holds the port; end that program first"),
    errno.EBUSY: (PortBusyError, "another program holds the port; end that program first"),
    errno.EACCES: (PortForbiddenError, "this user may not open it; add the user to the group that owns the port"),
    errno.EPERM: (PortForbiddenError, "this user may not open it; add the user to the group that owns the port"),
    errno.ENOTTY: (PortUnsuitableError, "this is no serial port; name one under /dev/serial/by-id"),
    errno.EISDIR: (PortUnsuitableError, "this is a directory; name one of the ports in it"),
}


@contextmanager
def _translate_errors(url: str, settings: PortSettings) -> Iterator[None]:
    """Turn whatever opening raises into the `PortError` that says what to do."""
    wanted = f"{settings.baudrate} baud, 8{settings.parity}{settings.stopbits:g}"
    try:
        yield
    except (OSError, termios.error) as error:
        number = _find_errno(error)
        if number == errno.EINVAL:
            remedy = f"it cannot be set to {wanted}; use another port for this device"
            raise PortUnsuitableError(url, remedy) from error
        kind, remedy = _OPEN_ERROR_BY_ERRNO.get(number or 0, (PortMissingError, f"it could not be opened ({error})"))
        if number == errno.ENOENT and _parse_scheme(url) == "spi":
            remedy = "the bus is not there; switch SPI on (raspi-config, Interface Options, SPI), or correct the name"
        if kind is PortBusyError and _parse_scheme(url) is None:
            remedy = _describe_holders(url)
        raise kind(url, remedy) from error
    except ValueError as error:
        if _parse_scheme(url) in _HANDLER_PACKAGE_BY_SCHEME:
            raise PortUnknownError(url, str(error)) from error
        raise PortUnsuitableError(url, f"it cannot be opened with {wanted}: {error}") from error


def _describe_holders(path: str) -> str:
    """Say who holds a port, where the operating system tells."""
    others = find_holders(path)
    if others:
        return f"{', '.join(others)} {'holds' if len(others) == 1 else 'hold'} the port; end that program first"
    if is_held_here(path):
        return "this program holds the port already, for another device; one device, one port"
    return "another program holds the port; end that program first (sudo fuser -v tells which, if it is another user's)"


def _find_errno(error: BaseException) -> int | None:
    """Find the operating system's number for what happened; pyserial often keeps it only in the context."""
    if error.args and isinstance(error.args[0], int):
        return error.args[0]
    return None if error.__context__ is None else _find_errno(error.__context__)
