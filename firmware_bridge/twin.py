"""A board in Python: the far end of the wire, with the behaviour of the firmware to the byte.

It stands behind `sim://` ports and beside the C core in the tests, which compare the two on the same input. Like the
core it owns no clock: `tick` is one millisecond. Inputs are levels as the table means them (a key is down, the edge is
covered), outputs are `gate_open` and `lit`.
"""

from dataclasses import dataclass, field
from typing import Final

from firmware_bridge import limits
from firmware_bridge.debounce import KeySwitch, Sensor
from firmware_bridge.frames import Deframer, Frame, Noise, crc16, encode
from firmware_bridge.messages import (
    KEY_BYTES,
    LAMP_STATE_BYTES,
    SCHEMA,
    Capability,
    Edge,
    Event,
    EventAck,
    Face,
    Gate,
    GateAnswer,
    GateShut,
    Hello,
    HelloFlag,
    Identify,
    Jam,
    Key,
    KeyAction,
    Lamp,
    Lamps,
    LampsAnswer,
    Lid,
    Lost,
    Message,
    Nak,
    Ping,
    Pong,
    ReadState,
    Refusal,
    ResetCause,
    Sensors,
    Shut,
    State,
    Unreadable,
    Verdict,
    frame,
    payload,
    read,
)

OUT_BYTES: Final = 255
CYCLE_MS: Final = 1000
SLOW_ON_MS: Final = 500
FAST_MS: Final = 125
WINK_MS: Final = 100
ALL_CAPABILITIES: Final = Capability.KEYS | Capability.LAMPS | Capability.GATE | Capability.SHOE
HOST_TYPES: Final = {kind.CODE for kind in (EventAck, Ping, Gate, Identify, Lamps, ReadState)}


@dataclass(slots=True)
class Inputs:
    """Levels at the board's inputs."""

    keys: set[int] = field(default_factory=set)
    covered: bool = False
    lid_open: bool = False
    face_up: bool = False


class Twin:
    """A board of the table. `boots` counts its starts; `reset` starts it again with the inputs as they stand."""

    def __init__(self, inputs: Inputs | None = None) -> None:
        self.inputs = inputs if inputs is not None else Inputs()
        self.boots = 0
        self.counter_stored = True
        self.reset(ResetCause.POWER_ON)

    def reset(self, cause: ResetCause) -> None:
        """Start, as after `cause`: all state but the boot counter is new, hello is the first thing said."""
        self.boots = (self.boots + 1) & 0xFFFF
        self._cause = cause
        self._deframer = Deframer()
        self._out = bytearray()
        self._answer: tuple[int, int, bytes] | None = None
        self._clock = 0
        self._quiet = limits.HOST_SILENT_MS
        self._bad_frames = 0
        self._ring: list[Event] = []
        self._sent = 0
        self._repeat = 0
        self._newest = 0
        self._lost = 0
        self._lost_total = 0
        self.gate_open = False
        self._lease = 0
        self._on = 0
        self._cool = 0
        self._generation = 0
        self._states = bytes(LAMP_STATE_BYTES)
        self._blink = 0
        self._phase: tuple[bool, bool, bool] | None = None
        self.lit: frozenset[int] = frozenset()
        self._start_inputs()
        self._say(self._hello(), 0)

    # The line

    def receive(self, data: bytes) -> None:
        """Take bytes from the line in any split."""
        for got in self._deframer.feed(data):
            if isinstance(got, Noise):
                self._bad_frames = (self._bad_frames + 1) & 0xFFFF
                self._refuse(limits.NO_SEQ, Refusal.BAD_FRAME, 0)
            else:
                self._frame(got)

    def transmit(self, room: int = OUT_BYTES) -> bytes:
        """Give the bytes for the line, at most `room`."""
        out = bytes(self._out[:room])
        del self._out[:room]
        return out

    def tick(self) -> None:
        """Let one millisecond pass."""
        self._clock = (self._clock + 1) & 0xFFFFFFFF
        if self._quiet < limits.HOST_SILENT_MS:
            self._quiet += 1
            if self._quiet == limits.HOST_SILENT_MS:
                self._show(0, bytes(LAMP_STATE_BYTES))
        self._tick_gate()
        self._tick_inputs()
        self._tick_ring()
        self._tick_lamps()

    @property
    def host_lost(self) -> bool:
        """Whether the host has been silent too long."""
        return self._quiet >= limits.HOST_SILENT_MS

    def _say(self, message: Message, seq: int, spare: int = 0) -> bool:
        return self._put(frame(message, seq), spare)

    def _put(self, sent: Frame, spare: int = 0) -> bool:
        wire = encode(sent)
        if OUT_BYTES - len(self._out) < len(wire) + spare:
            return False
        self._out += wire
        return True

    # The conversation

    def _frame(self, got: Frame) -> None:
        if got.version != limits.PROTOCOL:
            self._say(self._hello(), got.seq)
            return
        if got.type == Nak.CODE:
            return
        if got.type not in HOST_TYPES:
            self._refuse(got.seq, Refusal.UNKNOWN_TYPE, got.type)
            return
        message = read(got)
        if isinstance(message, Unreadable):
            self._refuse(got.seq, Refusal.BAD_LENGTH, got.type)
            return
        if self.host_lost and not isinstance(message, Identify):
            self._refuse(got.seq, Refusal.NO_SESSION, got.type)
            return
        self._quiet = 0
        if isinstance(message, EventAck):
            self._acknowledge(message)
        elif isinstance(message, Identify):
            self._answer = None
            self._say(self._hello(), got.seq)
        else:
            self._request(message, got)

    def _request(self, message: Message, got: Frame) -> None:
        crc = crc16(bytes((got.version, got.type, got.seq)) + got.payload)
        if self._answer is None or self._answer[:2] != (got.seq, crc):
            answer = self._perform(message)
            self._answer = None if answer is None else (got.seq, crc, payload(answer))
        if self._answer is None:
            self._refuse(got.seq, Refusal.BAD_VALUE, got.type)
        else:
            self._put(Frame(got.type | 0x80, got.seq, self._answer[2]))

    def _perform(self, message: Message) -> Message | None:
        match message:
            case Ping():
                bad, lost = self._bad_frames, self._lost_total
                return Pong(self.boots, self._clock, 0, bad, lost, self._generation, self.gate_open)
            case ReadState():
                return self._state()
            case Gate(on, lease):
                if on > 1 or lease > limits.LEASE_MAX_MS or (on == 0) != (lease == 0):
                    return None
                verdict = self._ask_gate(bool(on), lease)
                return GateAnswer(self.gate_open, self._lease, verdict)
            case Lamps(generation, states) if generation:
                self._show(generation, states)
                return LampsAnswer(generation)
            case _:
                return None

    def _refuse(self, seq: int, reason: Refusal, code: int) -> None:
        self._say(Nak(reason, code, self._bad_frames), seq)

    def _hello(self) -> Hello:
        return Hello(
            protocol=limits.PROTOCOL,
            cause=self._cause,
            boots=self.boots,
            flags=HelloFlag(0) if self.counter_stored else HelloFlag.COUNTER_NOT_STORED,
            oldest_protocol=limits.PROTOCOL,
            schema=SCHEMA,
            oldest_event=self._oldest,
            capabilities=ALL_CAPABILITIES,
            keys=limits.KEYS,
            lamps=limits.LAMPS,
            ring=limits.RING,
            firmware=bytes((1, 0, 0)),
            build=0,
            serial=b"\xff" * 8,
        )

    def _state(self) -> State:
        down = stuck = 0
        for number, key in enumerate(self._keys):
            down |= (key.action != KeyAction.UP) << number
            stuck |= (key.action == KeyAction.STUCK) << number
        sensors = Sensors(0)
        for on, what in (
            (self._edge.on, Sensors.COVERED),
            (self._lid.on, Sensors.LID_OPEN),
            (self._face.on, Sensors.FACE_UP),
            (self._jammed, Sensors.JAMMED),
        ):
            sensors |= what if on else Sensors(0)
        return State(
            down=down.to_bytes(KEY_BYTES, "little"),
            stuck=stuck.to_bytes(KEY_BYTES, "little"),
            sensors=sensors,
            open=self.gate_open,
            left=self._lease,
            generation=self._generation,
            newest_event=self._newest,
        )

    # The events

    @property
    def _oldest(self) -> int:
        return (self._newest - len(self._ring) + 1) & 0xFFFF

    def _append(self, event: Event) -> None:
        if not self._ring:
            self._repeat = limits.REPEAT_MS
        self._newest = event.number
        self._ring.append(event)

    def _push(self, kind: type[Event], *data: int) -> None:
        if self._lost or len(self._ring) == limits.RING:
            self._lost = min(self._lost + 1, 0xFFFF)
            self._lost_total = min(self._lost_total + 1, 0xFFFF)
            return
        self._append(self._event(kind, *data))

    def _event(self, kind: type[Event], *data: int) -> Event:
        return kind(self.boots & 0xFF, (self._newest + 1) & 0xFFFF, self._clock, *data)

    def _acknowledge(self, ack: EventAck) -> None:
        count = (ack.number - self._oldest + 1) & 0xFFFF
        if ack.boot != self.boots & 0xFF or not 0 < count <= len(self._ring):
            return
        del self._ring[:count]
        self._sent = max(0, self._sent - count)
        self._repeat = limits.REPEAT_MS

    def _tick_ring(self) -> None:
        if self._lost and len(self._ring) < limits.RING:
            self._append(self._event(Lost, self._lost))
            self._lost = 0
        if not self._ring or self.host_lost:
            return
        self._repeat -= 1
        if self._repeat == 0:
            self._repeat = limits.REPEAT_MS
            self._sent = 0
        while self._sent < len(self._ring) and self._say(self._ring[self._sent], 0, limits.MAX_WIRE):
            self._sent += 1

    # Keys and sensors

    def _start_inputs(self) -> None:
        self._scan = limits.SCAN_MS
        self._keys = [KeySwitch.at_start(number in self.inputs.keys) for number in range(limits.KEYS)]
        self._busy = set(self.inputs.keys)
        self._edge = Sensor(self.inputs.covered, limits.EDGE_MS)
        self._lid = Sensor(self.inputs.lid_open, limits.LID_MS)
        self._face = Sensor(self.inputs.face_up, limits.EDGE_MS)
        self._edge_for = 0
        self._jammed = False
        for number in sorted(self.inputs.keys):
            self._push(Key, number, KeyAction.STUCK)

    def _tick_inputs(self) -> None:
        self._scan -= 1
        if self._scan == 0:
            self._scan = limits.SCAN_MS
            for number in sorted(self._busy | self.inputs.keys):
                did = self._keys[number].scan(number in self.inputs.keys)
                (self._busy.add if self._keys[number].level else self._busy.discard)(number)
                if did is not None:
                    self._push(Key, number, did)
        self._tick_edge()
        if self._lid.moved(self.inputs.lid_open):
            self._push(Lid, self._lid.on)
            if self._lid.on and self.gate_open:
                self._shut(Shut.LID_OPENED)
        if self._face.moved(self.inputs.face_up):
            self._push(Face, self._face.on)

    def _tick_edge(self) -> None:
        self._edge_for = min(self._edge_for + 1, 0xFFFF)
        if self._edge.moved(self.inputs.covered):
            self._push(Edge, self._edge.on, self._edge_for)
            self._edge_for = 0
            self._jammed = False
        elif self._edge.on and self._edge_for == limits.JAM_MS:
            self._jammed = True
            self._push(Jam)

    # Gate and lamps

    def _ask_gate(self, on: bool, lease: int) -> Verdict:
        if on and self._cool:
            return Verdict.COOLING
        if on and self._lid.on:
            return Verdict.LID_OPEN
        self.gate_open = on
        self._lease = lease
        return Verdict.DONE

    def _shut(self, why: Shut) -> None:
        self.gate_open = False
        self._lease = 0
        self._push(GateShut, why)

    def _tick_gate(self) -> None:
        if not self.gate_open:
            self._on = max(0, self._on - 1)
            self._cool = max(0, self._cool - 1)
            return
        self._on += 1
        self._lease -= 1
        if self._on >= limits.GATE_MAX_ON_MS:
            self._cool = limits.GATE_COOL_MS
            self._shut(Shut.TOO_LONG)
        elif self._lease == 0:
            self._shut(Shut.LEASE_ENDED)

    def _show(self, generation: int, states: bytes) -> None:
        self._generation = generation
        self._states = states
        self._phase = None

    def _tick_lamps(self) -> None:
        self._blink = (self._blink + 1) % CYCLE_MS
        blink = self._blink
        slow, fast, wink = phase = blink < SLOW_ON_MS, blink // FAST_MS % 2 == 0, blink < WINK_MS
        if phase == self._phase:
            return
        self._phase = phase
        if self._generation == 0:
            self.lit = frozenset(range(limits.LAMPS)) if wink else frozenset()
            return
        shining = {Lamp.OFF: False, Lamp.ON: True, Lamp.SLOW: slow, Lamp.FAST: fast}
        self.lit = frozenset(
            number for number in range(limits.LAMPS) if shining[Lamp(self._states[number // 4] >> number % 4 * 2 & 3)]
        )
