"""Hears the devices of a table: what they say becomes events of the table, notices, and news of their health.

Part of the loop, and used by its thread alone. A driver's event goes to whoever the configuration says translates it,
and what comes out goes the way of every event (`Ways.take`), or of what a person entered (`Ways.entered`).
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from controller.core.model.outcome import Outcome
from controller.core.protocol import events
from controller.runtime.devices.edge import DeviceBus, Edge
from controller.runtime.devices.health import Health
from controller.runtime.devices.line_noise import LineNoise
from controller.runtime.devices.shoe import cards_out
from controller.runtime.devices.workshop import OWN_STATE, Workshop, in_service
from controller.runtime.faults.faults import latched_by
from controller.runtime.loop.notices import Code, Notice
from drivers.contract.base import (
    DeviceEvent,
    DeviceLost,
    DeviceReady,
    EventsMissed,
    GateHeldShut,
    KeyFreed,
    KeyPressed,
    KeyStuck,
    Noise,
    TagRead,
)
from drivers.ports.open_port import BytePort

Take = Callable[[events.Event, str, float], None]
"""Takes an event, its source and its time."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Ways:
    """Where what is heard goes, and what it is understood by.

    `missed`: a sensor of the shoe may have seen what nobody heard of, at that time. `outcome` and `output`: how the
    table stands, and its last line.
    """

    take: Take
    entered: Take
    notice: Callable[[Notice], None]
    publish: Callable[[], None]
    missed: Callable[[float], None]
    outcome: Callable[[], Outcome]
    output: Callable[[], Mapping[str, object]]


class Hearing:
    """Hears the devices of one table."""

    def __init__(self, edge: Edge, health: Health, bus: DeviceBus, workshop: Workshop | None, ways: Ways) -> None:
        self._edge = edge
        self._health = health
        self._bus = bus
        self._workshop = workshop
        self._ways = ways
        self._line_noise = LineNoise()
        self._serving = False

    def started(self, at: float) -> None:
        """The program runs: some devices are back by that alone."""
        for event in self._health.back_by_starting():
            self._ways.take(event, event.id, at)
        self._take_up_faults(at)

    def received(self, device: str, data: bytes, at: float) -> None:
        """Bytes came from a device."""
        for event in self._bus.received(device, data, at):
            self.said(event, at)

    def tick(self, now: float) -> None:
        """Let time pass for drivers and translators."""
        for device in self._bus.open:
            for event in self._bus.tick(device, now):
                self.said(event, now)
        for shoe in dict.fromkeys(self._edge.shoes.values()):
            there = all(self._health.is_there(device) for device, owner in self._edge.shoes.items() if owner is shoe)
            self._all(shoe.tick(now, sensors_there=there), shoe.name, now)
        self._light_by_hand()

    def opened(self, device: str, port: BytePort, at: float) -> None:
        """The port of a device is open."""
        self._line_noise.opened(device)
        if self._bus.opened(device, port, self._ways.outcome()):
            self._changed(self._health.port_opened(device), at)

    def lost(self, device: str, why: str, at: float) -> None:
        """The port of a device is gone."""
        self._bus.closed(device)
        self._changed(self._health.port_lost(device, why), at)

    def said(self, event: DeviceEvent, at: float) -> None:
        """A driver says what a device said, or that it is silent."""
        device = event.device
        if self._line_noise.heard(event):
            text = (
                "Bytes come and none of them makes sense: its speed or parity is set wrong, or its driver is another's."
            )
            self._notice(Code.WRONG_SPEED, device, text)
        state = self._ways.outcome().state
        if self._workshop is not None and in_service(state):
            self._workshop.heard(event, at)
            if not isinstance(event, OWN_STATE):
                return
        match event:
            case KeyPressed() if device in self._edge.panels:
                pressed = self._edge.panels[device].translate(event, self._ways.output(), state.chairs)
                self._all(pressed, device, at, person=True)
            case Noise(dropped=dropped):
                self._health.noise(device, dropped)
            case DeviceReady():
                self._changed(self._health.ready(device), at)
            case DeviceLost(why=why):
                self._changed(self._health.lost(device, why), at)
            case KeyStuck(key=key):
                self._notice(Code.KEY_STUCK, device, f"Key {key!r} is stuck and does not count.")
            case KeyFreed(key=key):
                self._notice(Code.KEY_FREED, device, f"Key {key!r} is free again.")
            case EventsMissed(why=why):
                text = f"Cards and keys may have been missed here ({why}): compare the table with this page."
                self._notice(Code.EVENTS_MISSED, device, text)
                if device in self._edge.shoes:
                    self._ways.missed(at)
            case GateHeldShut(why=why):
                self._notice(Code.GATE_HELD, device, f"{why[:1].upper()}{why[1:]}.")
            case TagRead() if device in self._edge.antennas:
                hand = state.number if state.plan else None
                self._all(self._edge.antennas[device].translate(event, at, hand), device, at)
            case _ if device in self._edge.shoes:
                out = cards_out(self._ways.outcome())
                self._all(self._edge.shoes[device].translate(event, at, out), device, at)
            case _:
                text = "The device said something, and the configuration does not say what it is for."
                self._notice(Code.UNASSIGNED, device, text)

    def _all(
        self, translated: Sequence[events.Event | Notice], source: str, at: float, *, person: bool = False
    ) -> None:
        for item in translated:
            if isinstance(item, Notice):
                self._ways.notice(item)
            elif person:
                self._ways.entered(item, source, at)
            elif (
                isinstance(item, events.Device) and item.status is events.Status.BACK and self._health.is_lost(item.id)
            ):
                continue  # it would clear the loss too; the port, when it is open again, clears both
            else:
                self._ways.take(item, source, at)

    def _changed(self, event: events.Device | None, at: float) -> None:
        if event is None or (event.status is events.Status.BACK and self._is_jammed(event.id)):
            self._ways.publish()  # the shoe, when the jam is cleared, says that it is back
            return
        why = self._health.why(event.id) if event.status is events.Status.LOST else ""
        log.warning("device %s is %s%s", event.id, event.status.value, f": {why}" if why else "")
        self._ways.take(event, event.id, at)

    def _is_jammed(self, device: str) -> bool:
        return any(shoe.jammed for shoe in self._edge.shoes.values() if shoe.name == device)

    def _take_up_faults(self, at: float) -> None:
        """Hand the faults that the journal ends with to whoever can say that they are over.

        A jam or an open lid is the shoe's; a loss is the port's. A device that the configuration no longer has would
        halt the table for ever, so its faults end here.
        """
        shoes = {shoe.name: shoe for shoe in self._edge.shoes.values()}
        for fault in self._ways.outcome().state.down:
            device, _, word = fault.rpartition(" ")
            if latched_by(device) is not None:
                continue
            status = events.Status(word)
            if status is events.Status.LOST and self._health.knows(device):
                continue
            if status is not events.Status.LOST and device in shoes:
                shoes[device].take_up(status)
                continue
            over = events.Status.LID_CLOSED if status is events.Status.LID_OPEN else events.Status.BACK
            self._ways.take(events.Device(device, over), "configuration", at)

    def _light_by_hand(self) -> None:
        """Light what a technician asks for, as long as the table is out of service."""
        if self._workshop is None:
            return
        serving = in_service(self._ways.outcome().state)
        if not serving and self._serving:
            self._workshop.closed()
        self._serving = serving
        lamps = self._workshop.lamps() if serving else None
        if lamps != self._bus.by_hand:
            self._bus.by_hand = lamps
            self._bus.perform(self._ways.outcome())

    def _notice(self, code: Code, device: str, text: str) -> None:
        self._ways.notice(Notice(code, device, text))
