"""The devices of a table as the loop drives them: who translates what, and what goes out to ports and pins."""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from controller.core.model.outcome import Outcome
from controller.core.protocol.display import Heard, Lamps, Phase, Sound
from controller.core.protocol.steps import Return
from controller.core.values.piles import ALL
from controller.runtime.devices.antennas import Antennas
from controller.runtime.devices.decks import Deck
from controller.runtime.devices.panel import Panel
from controller.runtime.devices.shoe import Shoe
from controller.runtime.loop.ruling import where
from drivers.contract.base import ByteDriver, DeviceEvent, DeviceLost, PinDriver, Pins, Signals
from drivers.contract.errors import PinError, PortLostError
from drivers.ports.open_port import BytePort

T = TypeVar("T")

log = logging.getLogger(__name__)


@dataclass(slots=True)
class DeviceMap:
    """The devices of a table and who translates what they say.

    `shoes` maps a device to the shoe that it is a sensor of, `panels` a key panel to the meaning of its keys,
    `antennas` a reader to the places where its antennas lie.
    """

    byte_drivers: Mapping[str, ByteDriver] = field(default_factory=dict)
    pin_drivers: Mapping[str, PinDriver] = field(default_factory=dict)
    pins: Pins | None = None
    shoes: Mapping[str, Shoe] = field(default_factory=dict)
    panels: Mapping[str, Panel] = field(default_factory=dict)
    antennas: Mapping[str, Antennas] = field(default_factory=dict)
    changed: Callable[[Deck, str], None] = lambda _deck, _by: None
    """Is told, in the loop's thread, which deck is in play from now on, and who chose it (empty: its first card)."""

    @property
    def in_play(self) -> str:
        """The name of the deck that is dealt from; empty at a table without a shoe."""
        return next((shoe.deck.name for shoe in self.shoes.values()), "")

    def deal_from(self, deck: Deck) -> None:
        """Know the cards of `deck` from now on; in the loop's thread, between hands."""
        for shoe in self.shoes.values():
            shoe.deck = deck
        for antennas in self.antennas.values():
            antennas.deck = deck

    def put_in_play(self, deck: Deck, by: str = "") -> None:
        """Deal from `deck` from now on, and say so; in the loop's thread, between hands."""
        self.deal_from(deck)
        self.changed(deck, by)

    def look_up_decks(self, others: Callable[[], Sequence[Deck]], changed: Callable[[Deck, str], None]) -> None:
        """Let the first card of a hand say which of the registered decks is in play; `changed` is told, in the loop."""
        self.changed = changed
        for shoe in self.shoes.values():
            shoe.others, shoe.changed = others, self.put_in_play


def signals_of(outcome: Outcome, by_hand: Lamps | None = None, sound: Heard | None = None) -> Signals:
    """What devices are to show, and the last `sound`.

    At a table that is halted they show that it is, or the lamps `by_hand` where those are wanted. Nobody is due there,
    so `act` and `deal` go dark, and `attention` shows at every chair that is taken: a stopped table must not look like
    one that waits for a card. After a misdeal it shows at every chair whose cards go back.
    """
    lamps, state = outcome.lamps, outcome.state
    if outcome.phase is Phase.HALTED:
        lamps = by_hand or replace(lamps, act=(), deal=(), attention=tuple(sorted(state.seating.chairs)))
    elif state.hand is not None and isinstance(step := state.hand.plan.now, Return) and step.source == ALL:
        lamps = replace(lamps, attention=tuple(sorted(state.hand.order)))
    return Signals(lamps, outcome.gate_open, sound)


class DeviceBus:
    """Talks to the drivers and carries their bytes to the open ports; used by the loop's thread alone.

    A driver that fails (a bug of ours) and a port that takes nothing any more are told to `lost` and `gone` as device
    and reason: the table must halt or go on without them, not end. `pins_lock` is held while pins are touched; the
    sampler holds it too.
    """

    def __init__(
        self, devices: DeviceMap, *, lost: Callable[[DeviceLost], None], gone: Callable[[str, str], None]
    ) -> None:
        self._devices = devices
        self._lost = lost
        self._gone = gone
        self._ports: dict[str, BytePort] = {}
        self._failed: dict[str, str] = {}
        """Device -> where its driver failed, so that a driver asked fifty times a second says it once."""
        self.by_hand: Lamps | None = None
        """Lamps that a technician lights at a table that is out of service."""
        self.sound: Heard | None = None
        """What was to be heard last."""
        self.pins_lock = threading.Lock()

    @property
    def open(self) -> tuple[str, ...]:
        """The devices whose port is open."""
        return tuple(self._ports)

    def opened(self, device: str, port: BytePort, outcome: Outcome) -> bool:
        """Greet a device and show it everything: it may have forgotten; return whether its port took that."""
        self._ports[device] = port
        self._failed.pop(device, None)
        self._write(device, self._ask(device, lambda driver: driver.hello(), b""))
        self._show(device, signals_of(outcome, self.by_hand, self.sound))
        return device in self._ports

    def closed(self, device: str) -> None:
        """Forget the port of a device."""
        self._ports.pop(device, None)

    def received(self, device: str, data: bytes, at: float) -> Sequence[DeviceEvent]:
        """Return what bytes from a device mean."""
        nothing: Sequence[DeviceEvent] = ()
        return self._ask(device, lambda driver: driver.received(data, at), nothing)

    def tick(self, device: str, now: float) -> Sequence[DeviceEvent]:
        """Let time pass for a device; return what its silence means."""
        nothing: tuple[bytes, Sequence[DeviceEvent]] = (b"", ())
        data, said = self._ask(device, lambda driver: driver.tick(now), nothing)
        self._write(device, data)
        return said

    def let_hear(self, what: Sound | None) -> None:
        """Let a sound be heard with what is performed next."""
        if what is not None:
            self.sound = Heard(what, 1 if self.sound is None else self.sound.number + 1)

    def heard(self) -> Mapping[str, object] | None:
        """What was to be heard last, as a page is told it."""
        return None if self.sound is None else {"what": self.sound.what.value, "number": self.sound.number}

    def perform(self, outcome: Outcome) -> None:
        """Show the outcome: pins first, they are the gate and the lamps."""
        signals = signals_of(outcome, self.by_hand, self.sound)
        self._perform_on_pins(signals)
        for device in self.open:
            self._show(device, signals)

    def perform_on_pins(self, outcome: Outcome) -> None:
        """Show the outcome on every device that has pins."""
        self._perform_on_pins(signals_of(outcome, self.by_hand, self.sound))

    def _perform_on_pins(self, signals: Signals) -> None:
        pins = self._devices.pins
        if pins is None:
            return
        lost: list[DeviceLost] = []
        with self.pins_lock:
            for driver in self._devices.pin_drivers.values():
                try:
                    driver.perform(signals, pins)
                except PinError as refused:
                    lost.append(DeviceLost(driver.name, str(refused)))
                except Exception as failure:
                    lost.extend(self._driver_failed(driver.name, failure))
        for event in lost:
            self._lost(event)

    def _show(self, device: str, signals: Signals) -> None:
        self._write(device, self._ask(device, lambda driver: driver.perform(signals), b""))

    def _ask(self, device: str, question: Callable[[ByteDriver], T], otherwise: T) -> T:
        try:
            return question(self._devices.byte_drivers[device])
        except Exception as failure:
            for event in self._driver_failed(device, failure):
                self._lost(event)
            return otherwise

    def _driver_failed(self, device: str, failure: Exception) -> Sequence[DeviceLost]:
        """Say that a device is lost by its driver; nothing when the same was said since its port was opened."""
        place = where(failure)
        if self._failed.get(device) == place:
            return ()
        self._failed[device] = place
        log.error("the driver of %s failed: %s", device, place)
        return (DeviceLost(device, f"its driver failed ({type(failure).__name__}); start the controller again"),)

    def _write(self, device: str, data: bytes) -> None:
        if not data or device not in self._ports:
            return
        try:
            self._ports[device].write(data)
        except PortLostError as gone:
            self.closed(device)
            self._gone(device, gone.message)
