"""Routes what the devices of a table say: to events of the table, notices, and news of their health.

It enters nothing itself. What a driver says goes to whoever the configuration says translates it; what comes of it is
handed back one by one, in order, and the loop does it. Used by the loop's thread alone.
"""

import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from controller.core.model.outcome import Outcome
from controller.core.model.table_state import TableState
from controller.core.protocol import events, vocabulary
from controller.core.protocol.table_display import Lamps
from controller.runtime.devices.device_bus import DeviceMap
from controller.runtime.devices.device_monitor import DeviceMonitor
from controller.runtime.devices.line_noise_detector import LineNoiseDetector
from controller.runtime.devices.panel_translator import FloorCallKeyPressed
from controller.runtime.devices.shoe_translator import CardsOut, find_cards_out
from controller.runtime.devices.workshop import DEVICE_STATE_EVENTS, Workshop, is_out_of_service
from controller.runtime.faults.fault_table import find_fault_by_device
from controller.runtime.faults.notices import Notice, NoticeCode
from drivers.contract.driver_interface import (
    DeviceEvent,
    DeviceLost,
    DeviceReady,
    EventsMissed,
    GateHeldShut,
    KeyFreed,
    KeyPressed,
    KeyStuck,
    NoiseDropped,
    TagRead,
)

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DeviceEntry:
    """An event of the table that a device brought; `is_by_person`: by a person at its keys, whom a fault may refuse."""

    event: events.Event
    source: str
    is_by_person: bool = False


@dataclass(frozen=True, slots=True)
class ShoeEventsMissed:
    """A sensor of the shoe may have seen what nobody heard of."""


@dataclass(frozen=True, slots=True)
class DeviceStatusChanged:
    """A device is otherwise than before, and no event comes of it."""


RouterOutput = DeviceEntry | Notice | ShoeEventsMissed | DeviceStatusChanged | FloorCallKeyPressed


class DeviceRouter:
    """The router of one table."""

    def __init__(self, devices: DeviceMap, health: DeviceMonitor, workshop: Workshop | None) -> None:
        self._device_map = devices
        self._device_monitor = health
        self._workshop = workshop
        self._noise_detector = LineNoiseDetector()
        self._is_out_of_service = False
        self._cards_out_at: tuple[Outcome, CardsOut] | None = None
        """Which cards are out of the shoe, at the table as it stood when it was looked at last."""

    def refresh_cards_out(self, outcome: Outcome) -> CardsOut:
        """Look at the table; before a card comes, so that it waits for less."""
        if self._cards_out_at is None or self._cards_out_at[0] is not outcome:
            self._cards_out_at = outcome, find_cards_out(outcome)
        return self._cards_out_at[1]

    def on_start(self) -> Iterator[RouterOutput]:
        """The program runs: some devices are back by that alone."""
        for event in self._device_monitor.report_recovered_devices():
            yield DeviceEntry(event, event.device_id)

    def resume_faults(self, state: TableState) -> Iterator[RouterOutput]:
        """Hand the faults that the journal ends with to whoever can say that they are over.

        A jam or an open lid is the shoe's; a loss is the port's. A device that the configuration no longer has would
        halt the table for ever, so its faults end here.
        """
        shoes = {shoe.name: shoe for shoe in self._device_map.shoe_by_device.values()}
        for fault in state.faults:
            device, _, word = fault.rpartition(" ")
            if find_fault_by_device(device) is not None:
                continue
            status = vocabulary.DeviceChange(word)
            if status is vocabulary.DeviceChange.LOST and self._device_monitor.has_device(device):
                continue
            if status is not vocabulary.DeviceChange.LOST and device in shoes:
                shoes[device].resume_fault(status)
                continue
            over = (
                vocabulary.DeviceChange.LID_CLOSED
                if status is vocabulary.DeviceChange.LID_OPEN
                else vocabulary.DeviceChange.BACK
            )
            yield DeviceEntry(events.DeviceChanged(device, over), "configuration")

    def on_tick(self, now: float) -> Iterator[RouterOutput]:
        """Let time pass for the translators of the shoes."""
        for shoe in dict.fromkeys(self._device_map.shoe_by_device.values()):
            there = all(
                self._device_monitor.is_ready(device)
                for device, owner in self._device_map.shoe_by_device.items()
                if owner is shoe
            )
            yield from self._route_translated(shoe.on_tick(now, sensors_there=there), shoe.name)

    def on_port_opening(self, device: str) -> None:
        """The port of a device is about to be used: how its line was before is of no account."""
        self._noise_detector.on_port_opened(device)

    def on_port_opened(self, device: str) -> Iterator[RouterOutput]:
        """The port of a device is open, and took the greeting."""
        yield self._route_change(self._device_monitor.on_port_opened(device))

    def on_port_lost(self, device: str, why: str) -> Iterator[RouterOutput]:
        """The port of a device is gone."""
        yield self._route_change(self._device_monitor.on_port_lost(device, why))

    def on_device_event(
        self, event: DeviceEvent, at: float, outcome: Outcome, output: Mapping[str, object]
    ) -> Iterator[RouterOutput]:
        """A driver says what a device said, or that it is silent; `output` is the line of `outcome`."""
        device = event.device
        if self._noise_detector.check_event(event):
            text = (
                "Bytes come and none of them makes sense: its speed or parity is set wrong, or its driver is another's."
            )
            yield Notice(NoticeCode.WRONG_SPEED, device, text)
        state = outcome.state
        if self._workshop is not None and is_out_of_service(state):
            self._workshop.on_device_event(event, at)
            if not isinstance(event, DEVICE_STATE_EVENTS):
                return
        match event:
            case KeyPressed() if device in self._device_map.panel_by_device:
                panel = self._device_map.panel_by_device[device]
                pressed = panel.translate(event, output, state.seating.state_by_seat, tuple(outcome.plan))
                yield from self._route_translated(pressed, device, entered=True)
            case NoiseDropped(byte_count=dropped):
                self._device_monitor.count_noise(device, dropped)
            case DeviceReady(firmware=firmware):
                yield self._route_change(self._device_monitor.on_device_ready(device, firmware))
            case DeviceLost(reason=why):
                yield self._route_change(self._device_monitor.on_device_lost(device, why))
            case KeyStuck(key=key):
                yield Notice(NoticeCode.KEY_STUCK, device, f"Key {key!r} is stuck and does not count.")
            case KeyFreed(key=key):
                yield Notice(NoticeCode.KEY_FREED, device, f"Key {key!r} is free again.")
            case EventsMissed(reason=why):
                text = f"Cards and keys may have been missed here ({why}): compare the table with this page."
                yield Notice(NoticeCode.EVENTS_MISSED, device, text)
                if device in self._device_map.shoe_by_device:
                    yield ShoeEventsMissed()
            case GateHeldShut(reason=why):
                yield Notice(NoticeCode.GATE_HELD, device, f"{why[:1].upper()}{why[1:]}.")
            case TagRead(antenna=antenna) if (
                device in self._device_map.antennas_by_device
                and not self._device_map.antennas_by_device[device].is_in_shoe(antenna)
            ):
                hand = state.hand_count if state.is_hand_on else None
                yield from self._route_translated(
                    self._device_map.antennas_by_device[device].translate(event, at, hand), device
                )
            case _ if device in self._device_map.shoe_by_device:
                yield from self._route_translated(
                    self._device_map.shoe_by_device[device].translate(event, at, self.refresh_cards_out(outcome)),
                    device,
                )
            case _:
                text = "The device said something, and the configuration does not say what it is for."
                yield Notice(NoticeCode.MEANING_UNKNOWN, device, text)

    def find_manual_lamps(self, state: TableState) -> Lamps | None:
        """The lamps that a technician asks for, as long as the table is out of service."""
        if self._workshop is None:
            return None
        serving = is_out_of_service(state)
        if not serving and self._is_out_of_service:
            self._workshop.on_service_ended()
        self._is_out_of_service = serving
        return self._workshop.lamps() if serving else None

    def _route_translated(
        self, translated: Iterable[events.Event | Notice | FloorCallKeyPressed], source: str, *, entered: bool = False
    ) -> Iterator[RouterOutput]:
        for item in translated:
            if isinstance(item, Notice | FloorCallKeyPressed):
                yield item
            elif not self._is_end_of_loss(item):
                yield DeviceEntry(item, source, entered)

    def _is_end_of_loss(self, event: events.Event) -> bool:
        """Whether a shoe's "back" would end its loss too: the port, when it is open again, ends both."""
        return (
            isinstance(event, events.DeviceChanged)
            and event.change is vocabulary.DeviceChange.BACK
            and self._device_monitor.is_lost(event.device_id)
        )

    def _route_change(self, event: events.DeviceChanged | None) -> RouterOutput:
        if event is None or (event.change is vocabulary.DeviceChange.BACK and self._is_jammed(event.device_id)):
            return DeviceStatusChanged()  # the shoe, when the jam is cleared, says that it is back
        why = self._device_monitor.find_failure(event.device_id) if event.change is vocabulary.DeviceChange.LOST else ""
        log.warning("device %s is %s%s", event.device_id, event.change.value, f": {why}" if why else "")
        return DeviceEntry(event, event.device_id)

    def _is_jammed(self, device: str) -> bool:
        return any(shoe.is_jammed for shoe in self._device_map.shoe_by_device.values() if shoe.name == device)
