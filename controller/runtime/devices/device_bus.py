"""The devices of a table as the loop drives them: who translates what, and what goes out to ports and pins."""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import TypeVar

from controller.core.model.outcome import Outcome
from controller.core.protocol.steps import ReturnStep
from controller.core.protocol.table_display import Lamps, Phase, Sound, SoundCue
from controller.core.values.piles import ALL
from controller.runtime.devices.antenna_translator import AntennaTranslator
from controller.runtime.devices.deck_store import Deck
from controller.runtime.devices.panel_translator import PanelTranslator
from controller.runtime.devices.shoe_translator import ShoeTranslator
from controller.runtime.service.crash_log import describe_failure
from drivers.contract.device_errors import PinError, PortLostError
from drivers.contract.driver_interface import (
    TICK_INTERVAL_S,
    ByteDriver,
    DeviceEvent,
    DeviceLost,
    PinDriver,
    Pins,
    Signals,
)
from drivers.contract.tick_schedule import TickSchedule
from drivers.ports.byte_port import BytePort

T = TypeVar("T")

log = logging.getLogger(__name__)


@dataclass(slots=True)
class DeviceMap:
    """The devices of a table and who translates what they say.

    `shoe_by_device` maps a device to the shoe that it is a sensor of, `panel_by_device` a key panel to the meaning of
    its keys, `antennas_by_device` a reader to the places where its antennas lie.
    """

    byte_drivers: Mapping[str, ByteDriver] = field(default_factory=dict)
    pin_drivers: Mapping[str, PinDriver] = field(default_factory=dict)
    pins: Pins | None = None
    shoe_by_device: Mapping[str, ShoeTranslator] = field(default_factory=dict)
    panel_by_device: Mapping[str, PanelTranslator] = field(default_factory=dict)
    antennas_by_device: Mapping[str, AntennaTranslator] = field(default_factory=dict)
    on_deck_changed: Callable[[Deck, str], None] = lambda _deck, _by: None
    """Is told, in the loop's thread, which deck is in play from now on, and who chose it (empty: its first card)."""

    @property
    def deck_name(self) -> str:
        """The name of the deck that is dealt from; empty at a table without a shoe."""
        return next((shoe.deck.name for shoe in self.shoe_by_device.values()), "")

    def set_deck(self, deck: Deck) -> None:
        """Know the cards of `deck` from now on; in the loop's thread, between hands."""
        for shoe in self.shoe_by_device.values():
            shoe.deck = deck
        for antennas in self.antennas_by_device.values():
            antennas.deck = deck

    def change_deck(self, deck: Deck, by: str = "") -> None:
        """Deal from `deck` from now on, and say so; in the loop's thread, between hands."""
        self.set_deck(deck)
        self.on_deck_changed(deck, by)

    def enable_deck_detection(self, others: Callable[[], Sequence[Deck]], changed: Callable[[Deck, str], None]) -> None:
        """Let the first card of a hand say which of the registered decks is in play; `changed` is told, in the loop."""
        self.on_deck_changed = changed
        for shoe in self.shoe_by_device.values():
            shoe.list_registered_decks, shoe.on_deck_changed = others, self.change_deck


def build_signals(outcome: Outcome, by_hand: Lamps | None = None, sound: SoundCue | None = None) -> Signals:
    """What devices are to show, and the last `sound`.

    At a table that is halted they show that it is, or the lamps `by_hand` where those are wanted. Nobody is due there,
    so `act` and `deal` go dark, and `attention` shows at every chair that is taken: a stopped table must not look like
    one that waits for a card. After a misdeal it shows at every chair whose cards go back.
    """
    lamps, state = outcome.lamps, outcome.state
    if outcome.phase is Phase.HALTED:
        lamps = by_hand or replace(lamps, act=(), deal=(), attention=tuple(sorted(state.seating.state_by_seat)))
    elif state.hand is not None and isinstance(step := state.hand.plan.next_step, ReturnStep) and step.source == ALL:
        lamps = replace(lamps, attention=tuple(sorted(state.hand.dealing_order)))
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
        self._device_map = devices
        self._on_device_lost = lost
        self._on_port_lost = gone
        self._port_by_device: dict[str, BytePort] = {}
        self._schedule_by_device: dict[str, TickSchedule] = {}
        """Device -> when its driver is ticked, as long as its port is open."""
        self._failure_by_device: dict[str, str] = {}
        """Device -> where its driver failed, so that a driver asked fifty times a second says it once."""
        self._manual_lamps: Lamps | None = None
        """Lamps that a technician lights at a table that is out of service."""
        self.last_sound: SoundCue | None = None
        """What was to be heard last."""
        self.pins_lock = threading.Lock()

    @property
    def open_devices(self) -> tuple[str, ...]:
        """The devices whose port is open."""
        return tuple(self._port_by_device)

    def on_port_opened(self, device: str, port: BytePort, outcome: Outcome) -> bool:
        """Greet a device and show it everything: it may have forgotten; return whether its port took that."""
        self._port_by_device[device] = port
        self._schedule_by_device[device] = TickSchedule(self._device_map.byte_drivers[device])
        self._failure_by_device.pop(device, None)
        self._write(device, self._call_driver(device, lambda driver: driver.on_port_opened(), b""))
        self._show_signals(device, build_signals(outcome, self._manual_lamps, self.last_sound))
        return device in self._port_by_device

    def forget_port(self, device: str) -> None:
        """Forget the port of a device."""
        self._port_by_device.pop(device, None)
        self._schedule_by_device.pop(device, None)

    @property
    def next_tick_at(self) -> float:
        """When the first driver wants to be ticked, in monotonic seconds; infinity where none does."""
        return min((schedule.next_tick_at for schedule in self._schedule_by_device.values()), default=inf)

    def receive_data(self, device: str, data: bytes, at: float, *, has_more: bool = False) -> Sequence[DeviceEvent]:
        """Return what bytes from a device mean; its driver is ticked at once, so that it can go on asking.

        Unless the rest of what came with them follows, at the same time.
        """
        nothing: Sequence[DeviceEvent] = ()
        said = self._call_driver(device, lambda driver: driver.receive_data(data, at), nothing)
        schedule = self._schedule_by_device.get(device)
        if schedule is None or has_more:
            return said
        schedule.on_data_received(at)
        more = self.tick_driver(device, at)
        return (*said, *more) if more else said

    def tick_driver(self, device: str, now: float) -> Sequence[DeviceEvent]:
        """Let time pass for a device, where its driver is due by `now`; return what its silence means."""
        schedule = self._schedule_by_device.get(device)
        if schedule is None or not schedule.is_due(now):
            return ()
        nothing: tuple[bytes, Sequence[DeviceEvent]] = (b"", ())
        data, said = self._call_driver(device, lambda driver: driver.on_tick(now), nothing)
        schedule.next_tick_at = now + TICK_INTERVAL_S  # where its driver fails to say it
        self._call_driver(device, lambda _driver: schedule.on_ticked(now, has_sent=bool(data)), None)
        self._write(device, data)
        return said

    def show_manual_lamps(self, lamps: Lamps | None, outcome: Outcome) -> None:
        """Light the lamps that a technician asks for instead of the table's, or the table's again; if that is new."""
        if lamps != self._manual_lamps:
            self._manual_lamps = lamps
            self.show_outcome(outcome)

    def set_sound(self, what: Sound | None) -> None:
        """Let a sound be heard with what is performed next."""
        if what is not None:
            self.last_sound = SoundCue(what, 1 if self.last_sound is None else self.last_sound.number + 1)

    def describe_sound(self) -> Mapping[str, object] | None:
        """What was to be heard last, as a page is told it."""
        return (
            None if self.last_sound is None else {"what": self.last_sound.sound.value, "number": self.last_sound.number}
        )

    def show_outcome(self, outcome: Outcome) -> None:
        """Show the outcome: pins first, they are the gate and the lamps."""
        signals = build_signals(outcome, self._manual_lamps, self.last_sound)
        self._show_signals_on_pins(signals)
        for device in self.open_devices:
            self._show_signals(device, signals)

    def show_outcome_on_pins(self, outcome: Outcome) -> None:
        """Show the outcome on every device that has pins."""
        self._show_signals_on_pins(build_signals(outcome, self._manual_lamps, self.last_sound))

    def _show_signals_on_pins(self, signals: Signals) -> None:
        pins = self._device_map.pins
        if pins is None:
            return
        lost: list[DeviceLost] = []
        with self.pins_lock:
            for driver in self._device_map.pin_drivers.values():
                try:
                    driver.show_signals(signals, pins)
                except PinError as refused:
                    lost.append(DeviceLost(driver.name, str(refused)))
                except Exception as failure:
                    lost.extend(self._report_driver_failure(driver.name, failure))
        for event in lost:
            self._on_device_lost(event)

    def _show_signals(self, device: str, signals: Signals) -> None:
        if (schedule := self._schedule_by_device.get(device)) is not None:
            schedule.on_signals_shown()
        self._write(device, self._call_driver(device, lambda driver: driver.show_signals(signals), b""))

    def _call_driver(self, device: str, question: Callable[[ByteDriver], T], otherwise: T) -> T:
        try:
            return question(self._device_map.byte_drivers[device])
        except Exception as failure:
            for event in self._report_driver_failure(device, failure):
                self._on_device_lost(event)
            return otherwise

    def _report_driver_failure(self, device: str, failure: Exception) -> Sequence[DeviceLost]:
        """Say that a device is lost by its driver; nothing when the same was said since its port was opened."""
        place = describe_failure(failure)
        if self._failure_by_device.get(device) == place:
            return ()
        self._failure_by_device[device] = place
        log.error("the driver of %s failed: %s", device, place)
        return (DeviceLost(device, f"its driver failed ({type(failure).__name__}); start the controller again"),)

    def _write(self, device: str, data: bytes) -> None:
        if not data or device not in self._port_by_device:
            return
        try:
            self._port_by_device[device].write(data)
        except PortLostError as gone:
            self.forget_port(device)
            self._on_port_lost(device, gone.message)
