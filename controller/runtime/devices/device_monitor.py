"""Which devices are there: two witnesses a device, its port and its own driver.

A device is lost when either says so, and back when both agree. The table hears only of the change.
"""

from collections.abc import Collection
from dataclasses import dataclass

from controller.core.protocol import events, vocabulary


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
    is_port_open: bool = False
    port_failure: str = ""
    own_failure: str = ""
    is_reported_lost: bool = False
    noise_bytes: int = 0
    firmware: str = ""


class DeviceMonitor:
    """The devices of one table.

    `on_device_lost` names those that the table holds for lost from before this start; `needed` those without which no
    card may be dealt (by default the table goes by their names).
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
            name: _MonitoredDevice(driver, True, is_reported_lost=name in lost) for name, driver in on_ports.items()
        }
        self._device_by_name |= {
            name: _MonitoredDevice(driver, False, is_port_open=True, is_reported_lost=name in lost)
            for name, driver in on_pins.items()
        }

    def on_port_opened(self, name: str) -> events.DeviceChanged | None:
        """Take it that the port is open."""
        device = self._device_by_name[name]
        device.is_port_open, device.port_failure = True, ""
        return self._report_change(name)

    def on_port_lost(self, name: str, why: str) -> events.DeviceChanged | None:
        """Take it that the port is gone."""
        device = self._device_by_name[name]
        device.is_port_open, device.port_failure = False, why
        return self._report_change(name)

    def on_device_ready(self, name: str, firmware: str = "") -> events.DeviceChanged | None:
        """Take it that the device answered; `firmware` is the version that it says it has, if any."""
        self._device_by_name[name].own_failure = ""
        self._device_by_name[name].firmware = firmware
        return self._report_change(name)

    def on_device_lost(self, name: str, why: str) -> events.DeviceChanged | None:
        """Take it that the device does not answer."""
        self._device_by_name[name].own_failure = why
        return self._report_change(name)

    def count_noise(self, name: str, dropped: int) -> None:
        """Count bytes that made no frame."""
        self._device_by_name[name].noise_bytes += dropped

    def report_recovered_devices(self) -> list[events.DeviceChanged]:
        """Say which devices on pins came back by the mere start of the program."""
        return [
            event
            for name, device in self._device_by_name.items()
            if not device.is_on_port and (event := self._report_change(name))
        ]

    def has_device(self, name: str) -> bool:
        """Whether the table has this device."""
        return name in self._device_by_name

    def is_lost(self, name: str) -> bool:
        """Whether the table was told that the device is lost, and not that it is back."""
        return name in self._device_by_name and self._device_by_name[name].is_reported_lost

    def find_failure(self, name: str) -> str:
        """Say why a device is lost; nothing when it is not."""
        device = self._device_by_name[name]
        return device.port_failure or device.own_failure

    def is_ready(self, name: str) -> bool:
        """Whether the device is connected and nothing is known against it."""
        return name in self._device_by_name and self._describe_state(self._device_by_name[name]) == "ready"

    def list_statuses(self) -> tuple[DeviceStatus, ...]:
        """Describe every device, in the order of the configuration."""
        return tuple(
            DeviceStatus(
                name,
                device.driver,
                self._describe_state(device),
                device.port_failure or device.own_failure,
                device.noise_bytes,
                device.firmware,
            )
            for name, device in self._device_by_name.items()
        )

    def _describe_state(self, device: _MonitoredDevice) -> str:
        if device.port_failure or device.own_failure:
            return "lost"
        return "ready" if device.is_port_open else "waiting"

    def _report_change(self, name: str) -> events.DeviceChanged | None:
        device = self._device_by_name[name]
        is_lost = bool(device.port_failure or device.own_failure) or not device.is_port_open
        if is_lost == device.is_reported_lost:
            return None
        device.is_reported_lost = is_lost
        needed = None if self._required_devices is None else name in self._required_devices
        return events.DeviceChanged(
            name, vocabulary.DeviceChange.LOST if is_lost else vocabulary.DeviceChange.BACK, needed
        )
