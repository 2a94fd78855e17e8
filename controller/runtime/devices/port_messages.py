"""What the threads at the edge say of their ports and pins, each with the monotonic second it came."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from drivers.contract.driver_interface import DeviceEvent
from drivers.ports.byte_port import BytePort


@dataclass(frozen=True, slots=True)
class PortOpened:
    """The port of `device` is open, for the first time or again."""

    device: str
    port: BytePort
    at: float


@dataclass(frozen=True, slots=True)
class PortBytesReceived:
    """Bytes came from `device`."""

    device: str
    data: bytes = field(repr=False)
    at: float
    has_more: bool = False
    """Whether the rest of what came with them follows."""


@dataclass(frozen=True, slots=True)
class PortLost:
    """The port of `device` is gone, cannot be opened, or its reader died."""

    device: str
    reason: str
    at: float


@dataclass(frozen=True, slots=True)
class DeviceEventsReported:
    """Devices said something that is no bytes: the sampler saw it on the pins, or a driver was given up."""

    events: Sequence[DeviceEvent]
    at: float


PortMessage = PortOpened | PortBytesReceived | PortLost | DeviceEventsReported
