"""Which devices are there: two witnesses a device, its port and its own driver.

A device is lost when either says so, and back when both agree. The table hears only of the change.
"""

from collections.abc import Collection
from dataclasses import dataclass

from controller.core.protocol import events, vocabulary


@dataclass(frozen=True, slots=True)
class DeviceStanding:
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
class _Device:
    driver: str
    on_port: bool
    port_open: bool = False
    port_why: str = ""
    own_why: str = ""
    told_lost: bool = False
    noise: int = 0
    firmware: str = ""


class Health:
    """The devices of one table.

    `lost` names those that the table holds for lost from before this start; `needed` those without which no card may
    be dealt (by default the table goes by their names).
    """

    def __init__(
        self,
        on_ports: dict[str, str],
        on_pins: dict[str, str],
        lost: Collection[str] = (),
        needed: Collection[str] | None = None,
    ) -> None:
        self._needed = needed
        self._devices = {name: _Device(driver, True, told_lost=name in lost) for name, driver in on_ports.items()}
        self._devices |= {
            name: _Device(driver, False, port_open=True, told_lost=name in lost) for name, driver in on_pins.items()
        }

    def port_opened(self, name: str) -> events.Device | None:
        """Take it that the port is open."""
        device = self._devices[name]
        device.port_open, device.port_why = True, ""
        return self._change(name)

    def port_lost(self, name: str, why: str) -> events.Device | None:
        """Take it that the port is gone."""
        device = self._devices[name]
        device.port_open, device.port_why = False, why
        return self._change(name)

    def ready(self, name: str, firmware: str = "") -> events.Device | None:
        """Take it that the device answered; `firmware` is the version that it says it has, if any."""
        self._devices[name].own_why = ""
        self._devices[name].firmware = firmware
        return self._change(name)

    def lost(self, name: str, why: str) -> events.Device | None:
        """Take it that the device does not answer."""
        self._devices[name].own_why = why
        return self._change(name)

    def noise(self, name: str, dropped: int) -> None:
        """Count bytes that made no frame."""
        self._devices[name].noise += dropped

    def back_by_starting(self) -> list[events.Device]:
        """Say which devices on pins came back by the mere start of the program."""
        return [event for name, device in self._devices.items() if not device.on_port and (event := self._change(name))]

    def knows(self, name: str) -> bool:
        """Whether the table has this device."""
        return name in self._devices

    def is_lost(self, name: str) -> bool:
        """Whether the table was told that the device is lost, and not that it is back."""
        return name in self._devices and self._devices[name].told_lost

    def why(self, name: str) -> str:
        """Say why a device is lost; nothing when it is not."""
        device = self._devices[name]
        return device.port_why or device.own_why

    def is_there(self, name: str) -> bool:
        """Whether the device is connected and nothing is known against it."""
        return name in self._devices and self._state(self._devices[name]) == "ready"

    def standings(self) -> tuple[DeviceStanding, ...]:
        """Describe every device, in the order of the configuration."""
        return tuple(
            DeviceStanding(
                name,
                device.driver,
                self._state(device),
                device.port_why or device.own_why,
                device.noise,
                device.firmware,
            )
            for name, device in self._devices.items()
        )

    def _state(self, device: _Device) -> str:
        if device.port_why or device.own_why:
            return "lost"
        return "ready" if device.port_open else "waiting"

    def _change(self, name: str) -> events.Device | None:
        device = self._devices[name]
        is_lost = bool(device.port_why or device.own_why) or not device.port_open
        if is_lost == device.told_lost:
            return None
        device.told_lost = is_lost
        needed = None if self._needed is None else name in self._needed
        return events.Device(name, vocabulary.Status.LOST if is_lost else vocabulary.Status.BACK, needed)
