"""What the edge of the table raises.

DeviceError
├── DriverConfigError (also ValueError)   the configuration of a device cannot be met
├── PortError (also OSError)              a byte port cannot be opened or has failed
│   ├── PortUnknownError                  the URL names no kind of port that exists
│   ├── PortMissingError                  nothing is plugged in there
│   ├── PortBusyError                     another program holds it
│   ├── PortForbiddenError                this user may not open it
│   ├── PortUnsuitableError               it cannot be set as the device needs
│   └── PortLostError                     it was open and is gone
└── PinError (also RuntimeError)          the pins cannot be had, or not used like that

Every message is one sentence that says what was wrong and what would be right. Bad bytes are no error: they are
`drivers.contract.driver_interface.NoiseDropped`.
"""


class DeviceError(Exception):
    """Anything that the drivers and their ports raise on purpose."""


class DriverConfigError(DeviceError, ValueError):
    """A device is configured in a way its driver cannot take.

    `key` is the offending key, or `None` when the trouble is the device as a whole. The loader of the configuration
    adds file and line.
    """

    def __init__(self, device: str, key: str | None, message: str) -> None:
        """Keep the parts; the exception's text joins them."""
        where = f"device {device!r}" if key is None else f"device {device!r}, key {key!r}"
        super().__init__(f"{where}: {message}")
        self.device = device
        self.key = key
        self.message = message


class PortError(DeviceError, OSError):
    """A byte port cannot be opened, or has failed; `url` is the port."""

    def __init__(self, url: str, message: str) -> None:
        """Keep the URL beside the sentence."""
        super().__init__(f"{url}: {message}")
        self.url = url
        self.message = message


class PortUnknownError(PortError):
    """The URL names no kind of port that exists, or says something that kind does not understand."""


class PortMissingError(PortError):
    """Nothing is plugged in at that name."""


class PortBusyError(PortError):
    """Another program, or another device of this table, holds the port."""


class PortForbiddenError(PortError):
    """The user who runs this may not open the port."""


class PortUnsuitableError(PortError):
    """The port cannot be set to the baud rate or parity of the device, or is no serial port."""


class PortLostError(PortError):
    """The port was open and does not answer any more: unplugged, or its far end closed."""


class PinError(DeviceError, RuntimeError):
    """The pins of the board cannot be had, or cannot be used in the way that was asked."""
