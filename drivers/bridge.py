"""The microcontroller board: keys, lamps, gate and shoe sensors on one serial port.

The board debounces, blinks nothing by itself and holds the gate open only while it is told to; `firmware_bridge.link`
keeps the conversation going (docs/wire.md). This driver says what the numbers on the board are called.

One device with four roles, any of them absent, because one port has one owner. When the board restarted, everything
that should be shown is sent to it again, the gate stays shut until the table wants it anew, the levels of its sensors
are asked for, and `EventsMissed` marks the place where keys and cards may be missing.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, assert_never

from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import (
    CardEdgeSensed,
    DeviceEvent,
    DeviceLost,
    DeviceReady,
    EventsMissed,
    FaceSensed,
    GateHeldShut,
    KeyFreed,
    KeyPressed,
    KeyStuck,
    LidMoved,
    NoiseDropped,
    ShoeJammed,
    Signals,
)
from drivers.lamps.lamp_patterns import LampAnimator, parse_outputs
from drivers.panels.key_tracker import MIN_REPRESS_INTERVAL_S, check_hold_keys
from drivers.sound.sound_patterns import ALL_SOUNDS, SoundName, SoundPlayer
from firmware_bridge import limits, wire_frames
from firmware_bridge.link import Link, LinkPhase
from firmware_bridge.link_events import EventGap, GateRefused, LinkDown, LinkEvent, LinkRefused, LinkUp
from firmware_bridge.wire_messages import (
    Capability,
    Edge,
    Event,
    Face,
    GateShut,
    Hello,
    Jam,
    Key,
    KeyAction,
    Lamp,
    Lid,
    Sensors,
    ShutReason,
    State,
    Verdict,
)

ANSWER_TIMEOUT_S = 1.5
"""A board that has not said its name this long after the port was opened does not answer."""

GATE_HOLD_S = 0.5
"""How long the gate stays wanted without another `on_tick`; the board's own lease is shorter still."""

GATE_REST_START_S, GATE_REST_END_S = 0.83 * limits.GATE_MAX_ON_MS / 1000, 0.63 * limits.GATE_MAX_ON_MS / 1000
"""On-time at which the driver lets the gate rest, and down to which. Before the board would: that shuts it for long."""

GATE_COOLDOWN_S = limits.GATE_COOL_MS / 1000 + 0.1
"""After this the board opens a gate again that was open too long."""

GATE_RETRY_INTERVAL_S = 1.0
"""How often a board that refuses to open the gate is asked again."""

SensorName = Literal["edge", "face", "lid"]


class Bridge:
    """A board that speaks TB/1.

    `keys` names each key's input, 0 to 55; keys in `hold` count when they are held for 0.8 s. `outputs` says which lamp
    shows a role at a seat: role -> seat -> lamp, 0 to 47; roles may share a lamp, then the more urgent one shows.
    `buzzer` is the place of a lamp at which a buzzer is instead, `sounds` are those that are wanted of it.
    `gate` says whether the gate of the shoe is on the board, `sensors` which sensors of the shoe are.
    """

    baudrate = limits.BAUDRATE
    parity = "N"
    stopbits = 1.0

    def __init__(
        self,
        name: str,
        *,
        keys: Mapping[str, int] | None = None,
        hold: Sequence[str] = (),
        outputs: Mapping[str, Mapping[str, int]] | None = None,
        buzzer: int | None = None,
        sounds: Sequence[SoundName] = ALL_SOUNDS,
        gate: bool = False,
        sensors: Sequence[SensorName] = (),
    ) -> None:
        if not (keys or outputs or gate or sensors or buzzer is not None):
            text = "nothing is on the board: give it keys, outputs, buzzer, gate or sensors"
            raise DriverConfigError(name, None, text)
        self.name = name
        self._key_by_input = _map_inputs_to_keys(name, keys or {})
        self._hold_keys = check_hold_keys(name, hold, keys or {})
        users = parse_outputs(name, outputs, limits.LAMPS) if outputs else {}
        if buzzer is not None and (buzzer in users or not 0 <= buzzer < limits.LAMPS):
            text = f"output {buzzer} is a lamp's already" if buzzer in users else f"there is no output {buzzer}"
            raise DriverConfigError(name, "buzzer", f"{text}; take one of 0 to {limits.LAMPS - 1} that is free")
        self._buzzer, self._sound_player = buzzer, SoundPlayer(sounds)
        self._has_lamps = bool(users) or buzzer is not None
        self._has_gate = gate
        self._sensors = frozenset(sensors)
        self._required_capabilities = _combine_capabilities(bool(keys), self._has_lamps, gate, bool(sensors))
        self._link = Link()
        self._lamp_animator = LampAnimator(users)
        self._now = 0.0
        self._silent_since: float | None = None
        self._lost_reported = False
        self._gate_wanted = False
        self._gate_barred_until: float | None = None
        self._gate_shut_reported = False
        self._gate_on = False
        self._gate_on_s = 0.0
        self._gate_counted_at = 0.0
        self._gate_resting = False
        self._pressed_at: dict[str, int] = {}
        self._stuck_keys: set[str] = set()
        self._levels: dict[SensorName, bool] = {"edge": False, "face": False, "lid": False}
        self._jammed = False

    @property
    def board_hello(self) -> Hello | None:
        """What the board last said about itself."""
        return self._link.hello

    def on_port_opened(self) -> bytes:
        """Begin anew: end whatever frame the board may be waiting for."""
        self._link.on_port_opened()
        self._silent_since, self._lost_reported = None, False
        return self._link.take_outgoing()

    def receive_data(self, data: bytes, now: float) -> Sequence[DeviceEvent]:
        """Translate what the board says."""
        self._now = now
        return self._translate_events(self._link.receive_data(data, now), now)

    def on_tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        """Keep the lamps, the gate and the conversation going."""
        self._now = now
        self._update_link()
        events = self._translate_events(self._link.on_tick(now), now) + self._check_answer_timeout(now)
        return self._link.take_outgoing(), events

    def show_signals(self, signals: Signals) -> bytes:
        """Want what the table shows; shutting the gate is on the wire at once."""
        self._lamp_animator.show(signals.lamps, self._now)
        self._sound_player.play(signals.sound, self._now)
        wanted = self._has_gate and signals.gate_open
        if not wanted:
            self._gate_shut_reported = False
        self._gate_wanted = wanted
        self._update_link()
        return self._link.take_outgoing()

    def _update_link(self) -> None:
        """Tell the link what is wanted now."""
        if self._has_lamps:
            lamps = [Lamp.OFF] * limits.LAMPS
            for number, _ in self._lamp_animator.lit_outputs(self._now):
                lamps[number] = Lamp.ON
            if self._buzzer is not None and self._sound_player.is_on(self._now):
                lamps[self._buzzer] = Lamp.ON
            self._link.show_lamps(lamps)
        if self._gate_barred_until is not None and self._now >= self._gate_barred_until:
            self._gate_barred_until = None
        self._update_gate_rest()
        self._gate_on = self._gate_wanted and self._gate_barred_until is None and not self._gate_resting
        if self._gate_on:
            self._link.open_gate(self._now + GATE_HOLD_S)
        else:
            self._link.shut_gate()

    def _update_gate_rest(self) -> None:
        """Count the on-time as the board does, and let the coil rest in short pauses rather than in one long one."""
        passed, self._gate_counted_at = self._now - self._gate_counted_at, self._now
        self._gate_on_s = self._gate_on_s + passed if self._gate_on else max(0.0, self._gate_on_s - passed)
        self._gate_resting = self._gate_on_s >= (GATE_REST_END_S if self._gate_resting else GATE_REST_START_S)

    def _check_answer_timeout(self, now: float) -> list[DeviceEvent]:
        if self._silent_since is None:
            self._silent_since = now
        if self._lost_reported or self._link.phase is LinkPhase.UP or now - self._silent_since < ANSWER_TIMEOUT_S:
            return []
        self._lost_reported = True
        return [DeviceLost(self.name, "the board does not answer; is it powered, flashed, and on this port?")]

    # What the link says

    def _translate_events(self, said: Sequence[LinkEvent], now: float) -> list[DeviceEvent]:
        return [event for item in said for event in self._translate_event(item, now)]

    def _translate_event(self, item: LinkEvent, now: float) -> list[DeviceEvent]:
        match item:
            case wire_frames.Noise(byte_count=dropped, reason=why):
                return [NoiseDropped(self.name, dropped, why.value)] if dropped else []
            case LinkUp(hello=hello):
                return [self._on_link_up(hello)]
            case LinkDown(reason=why) | LinkRefused(reason=why):
                self._gate_wanted = False
                self._lost_reported = True
                return [DeviceLost(self.name, why)]
            case EventGap(reason=why, lost_count=lost):
                count = "" if lost is None else f" ({lost} events)"
                return [EventsMissed(self.name, f"{why}{count}")]
            case GateRefused(verdict=verdict):
                return self._report_gate_shut(_REASON_BY_VERDICT[verdict], GATE_RETRY_INTERVAL_S, now)
            case State():
                return self._apply_state(item)
            case Event():
                return self._on_board_event(item, now)
            case _:
                assert_never(item)

    def _on_link_up(self, hello: Hello) -> DeviceEvent:
        missing = self._required_capabilities & ~hello.capabilities
        if missing:
            self._lost_reported = True
            parts = " and ".join(part.name.lower() for part in Capability if part in missing and part.name)
            return DeviceLost(self.name, f"the board was built without {parts}: flash a firmware that has them")
        self._lost_reported = False
        return DeviceReady(self.name, ".".join(str(part) for part in hello.firmware))

    def _on_board_event(self, event: Event, now: float) -> list[DeviceEvent]:
        match event:
            case Key(key=number, action=action, at=at):
                return self._on_key(self._key_by_input.get(number, f"input {number}"), KeyAction(action), at)
            case Edge(covered=covered):
                return self._set_level("edge", bool(covered))
            case Face(up=up):
                return self._set_level("face", bool(up))
            case Lid(open=is_open):
                if not is_open:
                    self._gate_barred_until = None
                return self._set_level("lid", bool(is_open))
            case Jam():
                return self._set_jammed(True)
            case GateShut(why=ShutReason.TOO_LONG):
                return self._report_gate_shut("it was open too long and cools down for 10 s", GATE_COOLDOWN_S, now)
            case GateShut(why=ShutReason.LID_OPENED):
                return self._report_gate_shut("the lid is open", GATE_RETRY_INTERVAL_S, now)
            case _:
                return []

    def _on_key(self, key: str, action: KeyAction, at: int) -> list[DeviceEvent]:
        match action:
            case KeyAction.STUCK:
                self._stuck_keys.add(key)
                return [KeyStuck(self.name, key)]
            case KeyAction.UP:
                freed = key in self._stuck_keys
                self._stuck_keys.discard(key)
                return [KeyFreed(self.name, key)] if freed else []
            case KeyAction.DOWN | KeyAction.HELD:
                must_hold = key in self._hold_keys
                if must_hold != (action is KeyAction.HELD):
                    return []
                before, self._pressed_at[key] = self._pressed_at.get(key), at
                if before is not None and (at - before) & 0xFFFFFFFF < MIN_REPRESS_INTERVAL_S * 1000:
                    return []
                return [KeyPressed(self.name, key, held=must_hold)]

    def _apply_state(self, state: State) -> list[DeviceEvent]:
        """Make up for what was missed: levels, never presses; nobody's press is invented."""
        events: list[DeviceEvent] = []
        down = int.from_bytes(state.stuck, "little")
        stuck = {self._key_by_input.get(n, f"input {n}") for n in range(limits.KEYS) if down >> n & 1}
        events += [KeyFreed(self.name, key) for key in sorted(self._stuck_keys - stuck)]
        events += [KeyStuck(self.name, key) for key in sorted(stuck - self._stuck_keys)]
        self._stuck_keys = stuck
        events += self._set_level("lid", Sensors.LID_OPEN in state.sensors)
        events += self._set_level("face", Sensors.FACE_UP in state.sensors)
        events += self._set_level("edge", Sensors.COVERED in state.sensors)
        return events + self._set_jammed(Sensors.JAMMED in state.sensors)

    def _set_level(self, sensor: SensorName, on: bool) -> list[DeviceEvent]:
        if sensor not in self._sensors or self._levels[sensor] == on:
            return []
        self._levels[sensor] = on
        match sensor:
            case "edge":
                self._jammed = False
                return [CardEdgeSensed(self.name, on)]
            case "face":
                return [FaceSensed(self.name, on)]
            case "lid":
                return [LidMoved(self.name, on)]

    def _set_jammed(self, jammed: bool) -> list[DeviceEvent]:
        news = jammed and not self._jammed and "edge" in self._sensors
        self._jammed = jammed
        return [ShoeJammed(self.name)] if news else []

    def _report_gate_shut(self, why: str, seconds: float, now: float) -> list[DeviceEvent]:
        self._gate_barred_until = now + seconds
        news, self._gate_shut_reported = not self._gate_shut_reported, True
        return [GateHeldShut(self.name, f"the board keeps the gate shut: {why}")] if news else []


_REASON_BY_VERDICT = {
    Verdict.DONE: "it does not say why",
    Verdict.COOLING: "it was open too long and cools down",
    Verdict.LID_OPEN: "the lid is open",
}


def _map_inputs_to_keys(device: str, keys: Mapping[str, int]) -> dict[int, str]:
    names: dict[int, str] = {}
    for key, number in keys.items():
        if not 0 <= number < limits.KEYS:
            text = f"there is no input {number}; a board has 0 to {limits.KEYS - 1}"
            raise DriverConfigError(device, f"keys.{key}", text)
        if number in names:
            raise DriverConfigError(device, f"keys.{key}", f"input {number} is already key {names[number]!r}")
        names[number] = key
    return names


def _combine_capabilities(keys: bool, lamps: bool, gate: bool, shoe: bool) -> Capability:
    needs = Capability(0)
    for wanted, what in (
        (keys, Capability.KEYS),
        (lamps, Capability.LAMPS),
        (gate, Capability.GATE),
        (shoe, Capability.SHOE),
    ):
        needs |= what if wanted else Capability(0)
    return needs
