"""Which devices are there: two witnesses a device, its port and its own driver.

A device is lost when either says so, and back when both agree. The table hears only of the change: `DEVICE_LIFE` says
which moves are one.
"""

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum

from controller.core.protocol import events, vocabulary
from controller.runtime.life_cycle import LifeCycle, Move


class DeviceState(Enum):
    """Where a device is in its life. The table holds it for lost while it is `GONE` or `MUTE`."""

    NEW = "new"
    """Its port was not heard of since the start."""
    READY = "ready"
    GONE = "gone"
    """Its port is not open, or was not before this start."""
    MUTE = "mute"
    """Its port is open, and its driver says why it is not well."""


_LOST, _BACK = vocabulary.DeviceChange.LOST, vocabulary.DeviceChange.BACK

DEVICE_LIFE = LifeCycle[DeviceState, vocabulary.DeviceChange](
    (
        Move("port_opened", DeviceState.NEW, DeviceState.READY),
        Move("port_opened", DeviceState.GONE, DeviceState.MUTE, "has_failure"),
        Move("port_opened", DeviceState.GONE, DeviceState.READY, tells=_BACK),
        # A reader that is asked to open its port anew may say only that it is open: it closed the old one itself.
        Move("port_opened", DeviceState.READY, DeviceState.READY),
        Move("port_opened", DeviceState.MUTE, DeviceState.MUTE),
        Move("port_lost", DeviceState.NEW, DeviceState.GONE, tells=_LOST),
        Move("port_lost", DeviceState.READY, DeviceState.GONE, tells=_LOST),
        Move("port_lost", DeviceState.MUTE, DeviceState.GONE),
        Move("port_lost", DeviceState.GONE, DeviceState.GONE),
        Move("fell_silent", DeviceState.READY, DeviceState.MUTE, tells=_LOST),
        Move("fell_silent", DeviceState.MUTE, DeviceState.MUTE),
        # A port that did not take the greeting is not open; what its device said meanwhile is heard all the same.
        Move("fell_silent", DeviceState.NEW, DeviceState.GONE, tells=_LOST),
        Move("fell_silent", DeviceState.GONE, DeviceState.GONE),
        Move("answered", DeviceState.NEW, DeviceState.GONE, tells=_LOST),
        Move("answered", DeviceState.GONE, DeviceState.GONE),
        Move("answered", DeviceState.READY, DeviceState.READY),
        Move("answered", DeviceState.MUTE, DeviceState.READY, tells=_BACK),
    ),
    DeviceState,
)
"""What may happen to a device, and what the table hears of it."""


@dataclass(frozen=True, slots=True)
class DeviceStatus:
    """How one device is, for the page."""

    name: str
    driver: str
    state: str
    """`waiting` (not heard of yet), `ready` or `lost`."""
    why: str = ""
    noise: int = 0
    """Bytes dropped since the program began."""
    firmware: str = ""
    """The version of its own program, where it has said one since this start."""

    def to_json(self) -> dict[str, object]:
        """Write it as the page has it."""
        return {
            "name": self.name,
            "driver": self.driver,
            "state": self.state,
            "why": self.why,
            "noise": self.noise,
            "firmware": self.firmware,
        }


@dataclass(slots=True)
class _MonitoredDevice:
    driver: str
    is_on_port: bool
    state: DeviceState
    port_failure: str = ""
    own_failure: str | None = None
    """Why it is not well, as its driver said last; kept while its port is gone."""
    noise_bytes: int = 0
    firmware: str = ""

    def has_failure(self) -> bool:
        """Whether its driver has not said that it answers since it said that it does not."""
        return self.own_failure is not None

    @property
    def failure(self) -> str:
        """Why it is lost; nothing when it is not, or when that was before this start."""
        return self.port_failure or self.own_failure or ""

    def describe_state(self) -> str:
        """Its state in the page's words; of what was gone before this start and was not tried yet, the table waits."""
        if self.state is DeviceState.READY:
            return "ready"
        return "lost" if self.failure or self.state is DeviceState.MUTE else "waiting"


class DeviceMonitor:
    """The devices of one table.

    `lost` names those that the table holds for lost from before this start; `needed` those without which no card may be
    dealt (by default the table goes by their names).
    """

    def __init__(
        self,
        on_ports: dict[str, str],
        on_pins: dict[str, str],
        lost: Collection[str] = (),
        needed: Collection[str] | None = None,
    ) -> None:
        self._required_devices = needed
        self._device_by_name = {
            name: _MonitoredDevice(driver, is_on_port, DeviceState.GONE if name in lost else initial)
            for devices, is_on_port, initial in (
                (on_ports, True, DeviceState.NEW),
                (on_pins, False, DeviceState.READY),
            )
            for name, driver in devices.items()
        }

    def on_port_opened(self, name: str) -> events.DeviceChanged | None:
        """Take it that the port is open."""
        change = self._move(name, "port_opened")
        self._device_by_name[name].port_failure = ""
        return change

    def on_port_lost(self, name: str, why: str) -> events.DeviceChanged | None:
        """Take it that the port is gone."""
        change = self._move(name, "port_lost")
        self._device_by_name[name].port_failure = why
        return change

    def on_device_ready(self, name: str, firmware: str = "") -> events.DeviceChanged | None:
        """Take it that the device answered; `firmware` is the version that it says it has, if any."""
        change = self._move(name, "answered")
        self._device_by_name[name].own_failure = None
        self._device_by_name[name].firmware = firmware
        return change

    def on_device_lost(self, name: str, why: str) -> events.DeviceChanged | None:
        """Take it that the device does not answer."""
        change = self._move(name, "fell_silent")
        self._device_by_name[name].own_failure = why
        return change

    def count_noise(self, name: str, dropped: int) -> None:
        """Count bytes that made no frame."""
        self._device_by_name[name].noise_bytes += dropped

    def report_recovered_devices(self) -> list[events.DeviceChanged]:
        """Say which devices on pins came back by the mere start of the program."""
        return [
            event
            for name, device in self._device_by_name.items()
            if not device.is_on_port and (event := self.on_port_opened(name)) is not None
        ]

    def has_device(self, name: str) -> bool:
        """Whether the table has this device."""
        return name in self._device_by_name

    def is_lost(self, name: str) -> bool:
        """Whether the table was told that the device is lost, and not that it is back."""
        return name in self._device_by_name and self._device_by_name[name].state in (DeviceState.GONE, DeviceState.MUTE)

    def find_failure(self, name: str) -> str:
        """Say why a device is lost; nothing when it is not."""
        return self._device_by_name[name].failure

    def is_ready(self, name: str) -> bool:
        """Whether the device is connected and nothing is known against it."""
        return name in self._device_by_name and self._device_by_name[name].state is DeviceState.READY

    def list_statuses(self) -> tuple[DeviceStatus, ...]:
        """Describe every device, in the order of the configuration."""
        return tuple(
            DeviceStatus(
                name,
                device.driver,
                device.describe_state(),
                device.failure,
                device.noise_bytes,
                device.firmware,
            )
            for name, device in self._device_by_name.items()
        )

    def _move(self, name: str, trigger: str) -> events.DeviceChanged | None:
        change = DEVICE_LIFE.move(self._device_by_name[name], trigger)
        if change is None:
            return None
        needed = None if self._required_devices is None else name in self._required_devices
        return events.DeviceChanged(name, change, needed)
