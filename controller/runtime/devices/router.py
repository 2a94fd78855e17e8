"""Routes what the devices of a table say: to events of the table, notices, and news of their health.

It enters nothing itself. What a driver says goes to whoever the configuration says translates it; what comes of it is
handed back, in order, and the loop does it. Used by the loop's thread alone.
"""

import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from controller.core.model.outcome import Outcome
from controller.core.model.state import State
from controller.core.protocol import events, vocabulary
from controller.core.protocol.display import Lamps
from controller.runtime.devices.device_bus import DeviceMap
from controller.runtime.devices.health import Health
from controller.runtime.devices.line_noise import LineNoise
from controller.runtime.devices.shoe import CardsOut, cards_out
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

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Take:
    """An event of the table that a device brought; `entered`: by a person at its keys, whom a fault may refuse."""

    event: events.Event
    source: str
    entered: bool = False


@dataclass(frozen=True, slots=True)
class Missed:
    """A sensor of the shoe may have seen what nobody heard of."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A device is otherwise than before, and no event comes of it."""


Routed = Take | Notice | Missed | Changed


class Router:
    """The router of one table."""

    def __init__(self, devices: DeviceMap, health: Health, workshop: Workshop | None) -> None:
        self._devices = devices
        self._health = health
        self._workshop = workshop
        self._line_noise = LineNoise()
        self._serving = False
        self._seen: tuple[Outcome, CardsOut] | None = None
        """Which cards are out of the shoe, at the table as it stood when it was looked at last."""

    def look_at(self, outcome: Outcome) -> CardsOut:
        """Look at the table; before a card comes, so that it waits for less."""
        if self._seen is None or self._seen[0] is not outcome:
            self._seen = outcome, cards_out(outcome)
        return self._seen[1]

    def started(self) -> list[Routed]:
        """The program runs: some devices are back by that alone."""
        return [Take(event, event.id) for event in self._health.back_by_starting()]

    def faults_taken_up(self, state: State) -> Iterator[Routed]:
        """Hand the faults that the journal ends with to whoever can say that they are over.

        A jam or an open lid is the shoe's; a loss is the port's. A device that the configuration no longer has would
        halt the table for ever, so its faults end here.
        """
        shoes = {shoe.name: shoe for shoe in self._devices.shoes.values()}
        for fault in state.down:
            device, _, word = fault.rpartition(" ")
            if latched_by(device) is not None:
                continue
            status = vocabulary.Status(word)
            if status is vocabulary.Status.LOST and self._health.knows(device):
                continue
            if status is not vocabulary.Status.LOST and device in shoes:
                shoes[device].take_up(status)
                continue
            over = vocabulary.Status.LID_CLOSED if status is vocabulary.Status.LID_OPEN else vocabulary.Status.BACK
            yield Take(events.Device(device, over), "configuration")

    def silence(self, now: float) -> Iterator[Routed]:
        """Let time pass for the translators of the shoes."""
        for shoe in dict.fromkeys(self._devices.shoes.values()):
            there = all(self._health.is_there(device) for device, owner in self._devices.shoes.items() if owner is shoe)
            yield from self._each(shoe.tick(now, sensors_there=there), shoe.name)

    def opening(self, device: str) -> None:
        """The port of a device is about to be used: how its line was before is of no account."""
        self._line_noise.opened(device)

    def opened(self, device: str) -> list[Routed]:
        """The port of a device is open, and took the greeting."""
        return [self._change(self._health.port_opened(device))]

    def lost(self, device: str, why: str) -> list[Routed]:
        """The port of a device is gone."""
        return [self._change(self._health.port_lost(device, why))]

    def said(self, event: DeviceEvent, at: float, outcome: Outcome, output: Mapping[str, object]) -> Iterator[Routed]:
        """A driver says what a device said, or that it is silent; `output` is the line of `outcome`."""
        device = event.device
        if self._line_noise.heard(event):
            text = (
                "Bytes come and none of them makes sense: its speed or parity is set wrong, or its driver is another's."
            )
            yield Notice(Code.WRONG_SPEED, device, text)
        state = outcome.state
        if self._workshop is not None and in_service(state):
            self._workshop.heard(event, at)
            if not isinstance(event, OWN_STATE):
                return
        match event:
            case KeyPressed() if device in self._devices.panels:
                pressed = self._devices.panels[device].translate(event, output, state.seating.chairs)
                yield from self._each(pressed, device, entered=True)
            case Noise(dropped=dropped):
                self._health.noise(device, dropped)
            case DeviceReady(firmware=firmware):
                yield self._change(self._health.ready(device, firmware))
            case DeviceLost(why=why):
                yield self._change(self._health.lost(device, why))
            case KeyStuck(key=key):
                yield Notice(Code.KEY_STUCK, device, f"Key {key!r} is stuck and does not count.")
            case KeyFreed(key=key):
                yield Notice(Code.KEY_FREED, device, f"Key {key!r} is free again.")
            case EventsMissed(why=why):
                text = f"Cards and keys may have been missed here ({why}): compare the table with this page."
                yield Notice(Code.EVENTS_MISSED, device, text)
                if device in self._devices.shoes:
                    yield Missed()
            case GateHeldShut(why=why):
                yield Notice(Code.GATE_HELD, device, f"{why[:1].upper()}{why[1:]}.")
            case TagRead() if device in self._devices.antennas:
                hand = state.number if state.plan else None
                yield from self._each(self._devices.antennas[device].translate(event, at, hand), device)
            case _ if device in self._devices.shoes:
                yield from self._each(self._devices.shoes[device].translate(event, at, self.look_at(outcome)), device)
            case _:
                text = "The device said something, and the configuration does not say what it is for."
                yield Notice(Code.UNASSIGNED, device, text)

    def by_hand(self, state: State) -> Lamps | None:
        """The lamps that a technician asks for, as long as the table is out of service."""
        if self._workshop is None:
            return None
        serving = in_service(state)
        if not serving and self._serving:
            self._workshop.closed()
        self._serving = serving
        return self._workshop.lamps() if serving else None

    def _each(
        self, translated: Iterable[events.Event | Notice], source: str, *, entered: bool = False
    ) -> Iterator[Routed]:
        for item in translated:
            if isinstance(item, Notice):
                yield item
            elif not self._clears_a_loss(item):
                yield Take(item, source, entered)

    def _clears_a_loss(self, event: events.Event) -> bool:
        """Whether a shoe's "back" would end its loss too: the port, when it is open again, ends both."""
        return (
            isinstance(event, events.Device)
            and event.status is vocabulary.Status.BACK
            and self._health.is_lost(event.id)
        )

    def _change(self, event: events.Device | None) -> Routed:
        if event is None or (event.status is vocabulary.Status.BACK and self._is_jammed(event.id)):
            return Changed()  # the shoe, when the jam is cleared, says that it is back
        why = self._health.why(event.id) if event.status is vocabulary.Status.LOST else ""
        log.warning("device %s is %s%s", event.id, event.status.value, f": {why}" if why else "")
        return Take(event, event.id)

    def _is_jammed(self, device: str) -> bool:
        return any(shoe.jammed for shoe in self._devices.shoes.values() if shoe.name == device)
