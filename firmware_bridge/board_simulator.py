"""A board in Python: the far end of the wire, with the behaviour of the firmware to the byte.

It stands behind `sim://` ports and beside the C core in the tests, which compare the two on the same input. Like the
core it owns no clock: `tick` is one millisecond. Inputs are levels as the table means them (a key is down, the edge is
covered), outputs are `gate_open` and `lit`.
"""

from dataclasses import dataclass, field
from typing import Final

from firmware_bridge import limits
from firmware_bridge.debounced_inputs import DebouncedKey, DebouncedSensor
from firmware_bridge.wire_frames import Deframer, Frame, Noise, crc16_ccitt_false, encode_frame
from firmware_bridge.wire_messages import (
    KEY_BYTES,
    LAMP_STATE_BYTES,
    SCHEMA,
    Capability,
    Edge,
    Event,
    EventAck,
    EventsLost,
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
    Message,
    Nak,
    Ping,
    Pong,
    ReadState,
    Refusal,
    ResetCause,
    Sensors,
    ShutReason,
    State,
    UnreadableMessage,
    Verdict,
    make_frame,
    pack_payload,
    parse_message,
)

MAX_OUTGOING_BYTES: Final = 255
BLINK_CYCLE_MS: Final = 1000
SLOW_ON_MS: Final = 500
FAST_BLINK_MS: Final = 125
LINK_LOST_FLASH_MS: Final = 100
ALL_CAPABILITIES: Final = Capability.KEYS | Capability.LAMPS | Capability.GATE | Capability.SHOE
HOST_MESSAGE_CODES: Final = {kind.CODE for kind in (EventAck, Ping, Gate, Identify, Lamps, ReadState)}


@dataclass(slots=True)
class BoardInputs:
    """Levels at the board's inputs."""

    keys: set[int] = field(default_factory=set)
    covered: bool = False
    lid_open: bool = False
    face_up: bool = False


class BoardSimulator:
    """A board of the table. `boots` counts its starts; `reset` starts it again with the inputs as they stand."""

    def __init__(self, inputs: BoardInputs | None = None) -> None:
        self.inputs = inputs if inputs is not None else BoardInputs()
        self.boots = 0
        self.boot_counter_stored = True
        self.reset(ResetCause.POWER_ON)

    def reset(self, cause: ResetCause) -> None:
        """Start, as after `cause`: all state but the boot counter is new, hello is the first thing said."""
        self.boots = (self.boots + 1) & 0xFFFF
        self._cause = cause
        self._deframer = Deframer()
        self._outgoing = bytearray()
        self._last_answer: tuple[int, int, bytes] | None = None
        self._clock_ms = 0
        self._host_silent_ms = limits.HOST_SILENT_MS
        self._bad_frames = 0
        self._ring: list[Event] = []
        self._sent_count = 0
        self._repeat_in_ms = 0
        self._newest_event = 0
        self._lost_count = 0
        self._total_lost_count = 0
        self.gate_open = False
        self._lease_ms = 0
        self._gate_on_ms = 0
        self._cooldown_ms = 0
        self._lamp_generation = 0
        self._lamp_states = bytes(LAMP_STATE_BYTES)
        self._blink_ms = 0
        self._blink_phase: tuple[bool, bool, bool] | None = None
        self.lit_lamps: frozenset[int] = frozenset()
        self._start_inputs()
        self._send_message(self._make_hello(), 0)

    # The line

    def receive_data(self, data: bytes) -> None:
        """Take bytes from the line in any split."""
        for got in self._deframer.feed(data):
            if isinstance(got, Noise):
                self._bad_frames = (self._bad_frames + 1) & 0xFFFF
                self._send_nak(limits.NO_SEQ, Refusal.BAD_FRAME, 0)
            else:
                self._handle_frame(got)

    def transmit(self, room: int = MAX_OUTGOING_BYTES) -> bytes:
        """Give the bytes for the line, at most `room`."""
        out = bytes(self._outgoing[:room])
        del self._outgoing[:room]
        return out

    def tick(self) -> None:
        """Let one millisecond pass."""
        self._clock_ms = (self._clock_ms + 1) & 0xFFFFFFFF
        if self._host_silent_ms < limits.HOST_SILENT_MS:
            self._host_silent_ms += 1
            if self._host_silent_ms == limits.HOST_SILENT_MS:
                self._set_lamps(0, bytes(LAMP_STATE_BYTES))
        self._tick_gate()
        self._tick_inputs()
        self._tick_ring()
        self._tick_lamps()

    @property
    def is_host_lost(self) -> bool:
        """Whether the host has been silent too long."""
        return self._host_silent_ms >= limits.HOST_SILENT_MS

    def _send_message(self, message: Message, seq: int, spare: int = 0) -> bool:
        return self._send_frame(make_frame(message, seq), spare)

    def _send_frame(self, sent: Frame, spare: int = 0) -> bool:
        wire = encode_frame(sent)
        if MAX_OUTGOING_BYTES - len(self._outgoing) < len(wire) + spare:
            return False
        self._outgoing += wire
        return True

    # The conversation

    def _handle_frame(self, got: Frame) -> None:
        if got.version != limits.PROTOCOL:
            self._send_message(self._make_hello(), got.seq)
            return
        if got.type == Nak.CODE:
            return
        if got.type not in HOST_MESSAGE_CODES:
            self._send_nak(got.seq, Refusal.UNKNOWN_TYPE, got.type)
            return
        message = parse_message(got)
        if isinstance(message, UnreadableMessage):
            self._send_nak(got.seq, Refusal.BAD_LENGTH, got.type)
            return
        if self.is_host_lost and not isinstance(message, Identify):
            self._send_nak(got.seq, Refusal.NO_SESSION, got.type)
            return
        self._host_silent_ms = 0
        if isinstance(message, EventAck):
            self._acknowledge(message)
        elif isinstance(message, Identify):
            self._last_answer = None
            self._send_message(self._make_hello(), got.seq)
        else:
            self._handle_request(message, got)

    def _handle_request(self, message: Message, got: Frame) -> None:
        crc = crc16_ccitt_false(bytes((got.version, got.type, got.seq)) + got.payload)
        if self._last_answer is None or self._last_answer[:2] != (got.seq, crc):
            answer = self._answer_request(message)
            self._last_answer = None if answer is None else (got.seq, crc, pack_payload(answer))
        if self._last_answer is None:
            self._send_nak(got.seq, Refusal.BAD_VALUE, got.type)
        else:
            self._send_frame(Frame(got.type | 0x80, got.seq, self._last_answer[2]))

    def _answer_request(self, message: Message) -> Message | None:
        match message:
            case Ping():
                bad, lost = self._bad_frames, self._total_lost_count
                return Pong(self.boots, self._clock_ms, 0, bad, lost, self._lamp_generation, self.gate_open)
            case ReadState():
                return self._make_state()
            case Gate(on, lease):
                if on > 1 or lease > limits.LEASE_MAX_MS or (on == 0) != (lease == 0):
                    return None
                verdict = self._request_gate(bool(on), lease)
                return GateAnswer(self.gate_open, self._lease_ms, verdict)
            case Lamps(generation, states) if generation:
                self._set_lamps(generation, states)
                return LampsAnswer(generation)
            case _:
                return None

    def _send_nak(self, seq: int, reason: Refusal, code: int) -> None:
        self._send_message(Nak(reason, code, self._bad_frames), seq)

    def _make_hello(self) -> Hello:
        return Hello(
            protocol=limits.PROTOCOL,
            cause=self._cause,
            boots=self.boots,
            flags=HelloFlag(0) if self.boot_counter_stored else HelloFlag.COUNTER_NOT_STORED,
            oldest_protocol=limits.PROTOCOL,
            schema=SCHEMA,
            oldest_event=self._oldest_event,
            capabilities=ALL_CAPABILITIES,
            keys=limits.KEYS,
            lamps=limits.LAMPS,
            ring=limits.RING,
            firmware=bytes((1, 0, 0)),
            build=0,
            serial=b"\xff" * 8,
        )

    def _make_state(self) -> State:
        down = stuck = 0
        for number, key in enumerate(self._keys):
            down |= (key.action != KeyAction.UP) << number
            stuck |= (key.action == KeyAction.STUCK) << number
        sensors = Sensors(0)
        for on, what in (
            (self._edge.is_on, Sensors.COVERED),
            (self._lid.is_on, Sensors.LID_OPEN),
            (self._face.is_on, Sensors.FACE_UP),
            (self._jammed, Sensors.JAMMED),
        ):
            sensors |= what if on else Sensors(0)
        return State(
            down=down.to_bytes(KEY_BYTES, "little"),
            stuck=stuck.to_bytes(KEY_BYTES, "little"),
            sensors=sensors,
            open=self.gate_open,
            left=self._lease_ms,
            generation=self._lamp_generation,
            newest_event=self._newest_event,
        )

    # The events

    @property
    def _oldest_event(self) -> int:
        return (self._newest_event - len(self._ring) + 1) & 0xFFFF

    def _append_event(self, event: Event) -> None:
        if not self._ring:
            self._repeat_in_ms = limits.REPEAT_MS
        self._newest_event = event.number
        self._ring.append(event)

    def _push_event(self, kind: type[Event], *data: int) -> None:
        if self._lost_count or len(self._ring) == limits.RING:
            self._lost_count = min(self._lost_count + 1, 0xFFFF)
            self._total_lost_count = min(self._total_lost_count + 1, 0xFFFF)
            return
        self._append_event(self._make_event(kind, *data))

    def _make_event(self, kind: type[Event], *data: int) -> Event:
        return kind(self.boots & 0xFF, (self._newest_event + 1) & 0xFFFF, self._clock_ms, *data)

    def _acknowledge(self, ack: EventAck) -> None:
        count = (ack.number - self._oldest_event + 1) & 0xFFFF
        if ack.boot != self.boots & 0xFF or not 0 < count <= len(self._ring):
            return
        del self._ring[:count]
        self._sent_count = max(0, self._sent_count - count)
        self._repeat_in_ms = limits.REPEAT_MS

    def _tick_ring(self) -> None:
        if self._lost_count and len(self._ring) < limits.RING:
            self._append_event(self._make_event(EventsLost, self._lost_count))
            self._lost_count = 0
        if not self._ring or self.is_host_lost:
            return
        self._repeat_in_ms -= 1
        if self._repeat_in_ms == 0:
            self._repeat_in_ms = limits.REPEAT_MS
            self._sent_count = 0
        while self._sent_count < len(self._ring) and self._send_message(
            self._ring[self._sent_count], 0, limits.MAX_WIRE
        ):
            self._sent_count += 1

    # Keys and sensors

    def _start_inputs(self) -> None:
        self._next_scan_ms = limits.SCAN_MS
        self._keys = [DebouncedKey.from_first_sample(number in self.inputs.keys) for number in range(limits.KEYS)]
        self._active_keys = set(self.inputs.keys)
        self._edge = DebouncedSensor(self.inputs.covered, limits.EDGE_MS)
        self._lid = DebouncedSensor(self.inputs.lid_open, limits.LID_MS)
        self._face = DebouncedSensor(self.inputs.face_up, limits.EDGE_MS)
        self._edge_stable_ms = 0
        self._jammed = False
        for number in sorted(self.inputs.keys):
            self._push_event(Key, number, KeyAction.STUCK)

    def _tick_inputs(self) -> None:
        self._next_scan_ms -= 1
        if self._next_scan_ms == 0:
            self._next_scan_ms = limits.SCAN_MS
            for number in sorted(self._active_keys | self.inputs.keys):
                did = self._keys[number].sample(number in self.inputs.keys)
                (self._active_keys.add if self._keys[number].integrator else self._active_keys.discard)(number)
                if did is not None:
                    self._push_event(Key, number, did)
        self._tick_edge()
        if self._lid.sample(self.inputs.lid_open):
            self._push_event(Lid, self._lid.is_on)
            if self._lid.is_on and self.gate_open:
                self._shut_gate(ShutReason.LID_OPENED)
        if self._face.sample(self.inputs.face_up):
            self._push_event(Face, self._face.is_on)

    def _tick_edge(self) -> None:
        self._edge_stable_ms = min(self._edge_stable_ms + 1, 0xFFFF)
        if self._edge.sample(self.inputs.covered):
            self._push_event(Edge, self._edge.is_on, self._edge_stable_ms)
            self._edge_stable_ms = 0
            self._jammed = False
        elif self._edge.is_on and self._edge_stable_ms == limits.JAM_MS:
            self._jammed = True
            self._push_event(Jam)

    # Gate and lamps

    def _request_gate(self, on: bool, lease: int) -> Verdict:
        if on and self._cooldown_ms:
            return Verdict.COOLING
        if on and self._lid.is_on:
            return Verdict.LID_OPEN
        self.gate_open = on
        self._lease_ms = lease
        return Verdict.DONE

    def _shut_gate(self, why: ShutReason) -> None:
        self.gate_open = False
        self._lease_ms = 0
        self._push_event(GateShut, why)

    def _tick_gate(self) -> None:
        if not self.gate_open:
            self._gate_on_ms = max(0, self._gate_on_ms - 1)
            self._cooldown_ms = max(0, self._cooldown_ms - 1)
            return
        self._gate_on_ms += 1
        self._lease_ms -= 1
        if self._gate_on_ms >= limits.GATE_MAX_ON_MS:
            self._cooldown_ms = limits.GATE_COOL_MS
            self._shut_gate(ShutReason.TOO_LONG)
        elif self._lease_ms == 0:
            self._shut_gate(ShutReason.LEASE_ENDED)

    def _set_lamps(self, generation: int, states: bytes) -> None:
        self._lamp_generation = generation
        self._lamp_states = states
        self._blink_phase = None

    def _tick_lamps(self) -> None:
        self._blink_ms = (self._blink_ms + 1) % BLINK_CYCLE_MS
        blink = self._blink_ms
        slow, fast, wink = phase = blink < SLOW_ON_MS, blink // FAST_BLINK_MS % 2 == 0, blink < LINK_LOST_FLASH_MS
        if phase == self._blink_phase:
            return
        self._blink_phase = phase
        if self._lamp_generation == 0:
            self.lit_lamps = frozenset(range(limits.LAMPS)) if wink else frozenset()
            return
        shining = {Lamp.OFF: False, Lamp.ON: True, Lamp.SLOW: slow, Lamp.FAST: fast}
        self.lit_lamps = frozenset(
            number
            for number in range(limits.LAMPS)
            if shining[Lamp(self._lamp_states[number // 4] >> number % 4 * 2 & 3)]
        )
