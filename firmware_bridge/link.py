"""The host's end of the conversation with a board: told the time and what came, says what to send and what happened.

How it works. The link holds what is *wanted* (the lamps, the gate until when) and what the board has *confirmed*.
Requests are made from the difference, one at a time: nothing queues up, nothing old is sent late, and after a
reconnect or a restart of the board everything not confirmed is simply sent again. An unanswered request is repeated
with the same number, which the board answers from memory without doing it twice.

Events are numbered by the board and repeated until acknowledged. The link hands each on exactly once and in order: it
takes the next number only, acknowledges what it has, and drops the rest. A board that restarted counts anew; the boot
counter in every event keeps the two counts apart, and `EventGap` marks the place.

The gate is a lease: the link renews it while `tick` is called and the wanted time lasts. Whoever stops calling, for
whatever reason, shuts the gate. The link never opens it again by itself after the board shut it for a reason of its
own.

All times are monotonic seconds. `tick` wants to be called every `TICK_INTERVAL_S` and after every `received`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, unique

from firmware_bridge import limits
from firmware_bridge.event_order import Arrival, EventOrder
from firmware_bridge.handshake import find_mismatch, format_reset_cause
from firmware_bridge.link_events import EventGap, GateRefused, LinkCounters, LinkDown, LinkEvent, LinkRefused, LinkUp
from firmware_bridge.wire_frames import Deframer, Frame, Noise, encode_frame
from firmware_bridge.wire_messages import (
    Event,
    EventsLost,
    Gate,
    GateAnswer,
    GateShut,
    Hello,
    HelloFlag,
    Identify,
    Lamp,
    Lamps,
    LampsAnswer,
    Message,
    Nak,
    Ping,
    Pong,
    ReadState,
    Refusal,
    ShutReason,
    State,
    UnreadableMessage,
    Verdict,
    make_frame,
    parse_message,
)

TICK_INTERVAL_S = 0.02
"""How often `tick` wants to be called; a gate stays open with anything up to 0.1."""

RESEND_INTERVAL_S = 0.1
"""An unanswered request is sent again after this."""

REQUEST_TIMEOUT_S = 0.5
"""The link is down when a request has gone unanswered for this: five tries."""

IDENTIFY_INTERVAL_S = 0.2
"""While the link is down the board is asked for its name this often."""

REFUSED_IDENTIFY_INTERVAL_S = 2.0
"""And this often when it answered that it cannot be understood: it may be flashed meanwhile."""

PING_INTERVAL_S = 0.25
"""The heartbeat; the board waits four of them before it shows "link lost"."""

GATE_LEASE_MS = 300
"""What is asked for the gate at a time."""

LEASE_RENEW_INTERVAL_S = 0.1
"""And how often, so that two renewals may be lost."""

SHUT_MARGIN_MS = 50
"""The last lease ends this long after the wanted time, so that the word to shut comes before it."""

MIN_NAK_RESEND_DELAY_S = 0.01
"""A refusal for a wrong checksum repeats the request at once, but not one sent later than this before."""


@unique
class LinkPhase(Enum):
    """How the link stands."""

    CLOSED = "no port"
    CONNECTING = "asking the board for its name"
    UP = "talking"
    REFUSED = "the board speaks otherwise"


@dataclass(slots=True)
class _PendingRequest:
    message: Message
    seq: int
    wire: bytes
    first_sent_at: float
    last_sent_at: float


def _is_answer_to(message: Message, asked: Message) -> bool:
    return message.type == asked.CODE if isinstance(message, Nak) else message.CODE == asked.CODE | 0x80


class Link:
    """One board. Methods that want something take effect at the next `on_tick`.

    Bytes to send are in `take_outgoing`.
    """

    def __init__(self) -> None:
        self.phase = LinkPhase.CLOSED
        self.hello: Hello | None = None
        self.counters = LinkCounters()
        self._deframer = Deframer()
        self._outgoing = bytearray()
        self._seq = 0
        self._pending_request: _PendingRequest | None = None
        self._event_order = EventOrder()
        self._lamp_generation = 1
        self._lamps = bytes(limits.LAMPS // 4)
        self._gate_until: float | None = None
        self._refusal_reason: str | None = None
        self._forget_confirmed()

    def _forget_confirmed(self) -> None:
        """Everything the board has confirmed is open again; what is wanted stays."""
        self._pending_request = None
        self._lamps_confirmed: int | None = None
        self._gate_shut_confirmed = False
        self._state_wanted = True
        self._renew_at = 0.0
        self._ping_at = 0.0
        self._identify_at = 0.0

    # What the driver wants

    def show_lamps(self, lamps: Sequence[Lamp]) -> None:
        """Want these lamps, from lamp 0; those not given are off. Raises `ValueError` for more than a board has."""
        if len(lamps) > limits.LAMPS:
            raise ValueError(f"{len(lamps)} lamps; a board has {limits.LAMPS}")
        packed = bytearray(limits.LAMPS // 4)
        for number, lamp in enumerate(lamps):
            if lamp:
                packed[number // 4] |= lamp << number % 4 * 2
        if packed != self._lamps:
            self._lamps = bytes(packed)
            self._lamp_generation = self._lamp_generation % 255 + 1

    def open_gate(self, until: float) -> None:
        """Want the gate open until then; said again with a later time, it stays open."""
        if self._gate_until is None:
            self._renew_at = 0.0
        self._gate_until = until
        self._gate_shut_confirmed = False

    def shut_gate(self) -> None:
        """Want the gate shut now: what is being asked just then is given up and asked again later."""
        if self._gate_until is None:
            return
        self._gate_until = None
        self._gate_shut_confirmed = False
        if self.phase is LinkPhase.UP:
            self._pending_request = None

    def request_state(self) -> None:
        """Want a `State`."""
        self._state_wanted = True

    # What happens

    def on_port_opened(self) -> None:
        """Begin: the port has just been opened. The first bytes end whatever frame the board may be waiting for."""
        self._deframer = Deframer()
        self._outgoing.clear()
        self._outgoing.append(0)
        self.phase = LinkPhase.CONNECTING
        self._refusal_reason = None
        self._forget_confirmed()

    def on_port_closed(self, why: str) -> list[LinkEvent]:
        """End: the port is gone."""
        was = self.phase
        self.phase = LinkPhase.CLOSED
        self._outgoing.clear()
        self._forget_confirmed()
        return [LinkDown(why)] if was is LinkPhase.UP else []

    def take_outgoing(self) -> bytes:
        """Take the bytes to send."""
        out = bytes(self._outgoing)
        self._outgoing.clear()
        return out

    def receive_data(self, data: bytes, now: float) -> list[LinkEvent]:
        """Take bytes in any split."""
        self.counters.bytes_in += len(data)
        said: list[LinkEvent] = []
        acknowledge = False
        for got in self._deframer.feed(data):
            if isinstance(got, Noise):
                self.counters.noise += 1
                said.append(got)
                continue
            self.counters.frames_in += 1
            message = self._read_message(got, now, said)
            if message is None:
                continue
            if isinstance(message, Hello):
                said += self._handle_hello(message, got.seq)
            elif self.phase is not LinkPhase.UP:
                continue
            elif isinstance(message, Event):
                acknowledge = self._handle_event(message, said) or acknowledge
            else:
                said += self._handle_answer(message, got.seq, now)
        if acknowledge and self.phase is LinkPhase.UP:
            self._send(encode_frame(make_frame(self._event_order.make_acknowledgement(), 0)))
        return said

    def _read_message(self, got: Frame, now: float, said: list[LinkEvent]) -> Message | None:
        if got.type == Hello.CODE and self.phase is not LinkPhase.CLOSED:
            why = find_mismatch(got.payload)
            if why is not None:
                said += self._refuse_board(why, ask_again_at=now + REFUSED_IDENTIFY_INTERVAL_S)
                return None
        message = parse_message(got)
        if got.version != limits.PROTOCOL or isinstance(message, UnreadableMessage):
            self.counters.unreadable += 1
            return None
        return message

    def on_tick(self, now: float) -> list[LinkEvent]:
        """Let time pass: repeat, renew, ping, give up."""
        match self.phase:
            case LinkPhase.CLOSED:
                return []
            case LinkPhase.CONNECTING | LinkPhase.REFUSED:
                if now >= self._identify_at:
                    every = IDENTIFY_INTERVAL_S if self.phase is LinkPhase.CONNECTING else REFUSED_IDENTIFY_INTERVAL_S
                    self._identify_at = now + every
                    self._send_request(Identify(), now)
                return []
            case LinkPhase.UP:
                return self._run_session(now)

    def _run_session(self, now: float) -> list[LinkEvent]:
        if self._gate_until is not None and now >= self._gate_until:
            self.shut_gate()
        waiting = self._pending_request
        if waiting is None:
            wanted = self._next_request(now)
            if wanted is not None:
                self._send_request(wanted, now)
            return []
        if now - waiting.first_sent_at >= REQUEST_TIMEOUT_S:
            return self._go_down(f"the board has not answered for {REQUEST_TIMEOUT_S} s")
        if now - waiting.last_sent_at >= RESEND_INTERVAL_S:
            self._resend(waiting, now)
        return []

    # Requests

    def _next_request(self, now: float) -> Message | None:
        """Find the most urgent difference between what is wanted and what is confirmed."""
        if self._gate_until is None and not self._gate_shut_confirmed:
            return Gate(0, 0)
        if self._gate_until is not None and now >= self._renew_at:
            self._renew_at = now + LEASE_RENEW_INTERVAL_S
            return Gate(1, min(GATE_LEASE_MS, round((self._gate_until - now) * 1000) + SHUT_MARGIN_MS))
        if self._state_wanted:
            return ReadState()
        if self._lamps_confirmed != self._lamp_generation:
            return Lamps(self._lamp_generation, self._lamps)
        if now >= self._ping_at:
            self._ping_at = now + PING_INTERVAL_S
            return Ping()
        return None

    def _send_request(self, message: Message, now: float) -> None:
        seq = self._seq
        self._seq = (seq + 1) % limits.NO_SEQ
        wire = encode_frame(make_frame(message, seq))
        self._pending_request = _PendingRequest(message, seq, wire, now, now)
        self.counters.requests += 1
        self._send(wire)

    def _resend(self, waiting: _PendingRequest, now: float) -> None:
        waiting.last_sent_at = now
        self.counters.resent += 1
        self._send(waiting.wire)

    def _send(self, wire: bytes) -> None:
        self.counters.bytes_out += len(wire)
        self._outgoing += wire

    def _go_down(self, why: str) -> list[LinkEvent]:
        self.counters.downs += 1
        self.phase = LinkPhase.CONNECTING
        self._forget_confirmed()
        return [LinkDown(why)]

    # Answers

    def _handle_answer(self, message: Message, seq: int, now: float) -> list[LinkEvent]:
        waiting = self._pending_request
        if isinstance(message, Nak) and seq == limits.NO_SEQ:
            self.counters.board_bad_frames = message.bad_frames
            if waiting is not None and now - waiting.last_sent_at >= MIN_NAK_RESEND_DELAY_S:
                self._resend(waiting, now)
            return []
        if waiting is None or seq != waiting.seq or not _is_answer_to(message, waiting.message):
            self.counters.late_answers += 1
            return []
        self._pending_request = None
        self.counters.last_round_trip_s = now - waiting.last_sent_at
        self.counters.worst_round_trip_s = max(self.counters.worst_round_trip_s, now - waiting.first_sent_at)
        match message:
            case Pong():
                self._handle_pong(message)
            case GateAnswer(verdict=verdict):
                return self._handle_verdict(waiting.message, verdict)
            case LampsAnswer(generation):
                self._lamps_confirmed = generation
            case State():
                self._state_wanted = False
                return [message]
            case Nak(reason):
                return self._handle_refusal(waiting.message, reason)
            case _:
                self.counters.unreadable += 1
        return []

    def _handle_pong(self, pong: Pong) -> None:
        self.counters.board_bad_frames = pong.bad_frames
        self.counters.board_overruns = pong.overruns
        if pong.generation != self._lamps_confirmed:
            self._lamps_confirmed = None

    def _handle_verdict(self, asked: Message, verdict: Verdict) -> list[LinkEvent]:
        if isinstance(asked, Gate) and not asked.on:
            self._gate_shut_confirmed = self._gate_until is None
            return []
        if verdict is Verdict.DONE:
            return []
        self._gate_until = None
        return [GateRefused(verdict)]

    def _handle_refusal(self, asked: Message, reason: Refusal) -> list[LinkEvent]:
        if reason is Refusal.NO_SESSION:
            return self._go_down("the board restarted, or has not heard this host for a second")
        name = asked.NAME
        why = f"the board refuses {name}: {reason.name.lower().replace('_', ' ')}"
        return self._refuse_board(why, ask_again_at=float("inf"))

    def _refuse_board(self, why: str, ask_again_at: float) -> list[LinkEvent]:
        self.phase = LinkPhase.REFUSED
        news = why != self._refusal_reason
        self._refusal_reason = why
        self._forget_confirmed()
        self._identify_at = ask_again_at
        return [LinkRefused(why)] if news else []

    # Hello

    def _handle_hello(self, hello: Hello, seq: int) -> list[LinkEvent]:
        waiting = self._pending_request
        if self.phase is LinkPhase.UP:
            if not self._is_restart(hello):
                return []
            return self._go_down(f"the board restarted: {format_reset_cause(hello.cause)}")
        if self.phase is LinkPhase.CLOSED:
            return []
        if waiting is None or waiting.seq != seq:
            self._identify_at = 0.0
            return []
        return self._begin_session(hello)

    def _is_restart(self, hello: Hello) -> bool:
        """Whether this is another start of the board, or another board, than the one the event numbers belong to."""
        known = self.hello
        if known is None or not self._event_order.has_begun:
            return False
        return (
            (hello.boots, hello.serial) != (known.boots, known.serial)
            or HelloFlag.COUNTER_NOT_STORED in hello.flags
            or self._event_order.is_impossible(hello)
        )

    def _begin_session(self, hello: Hello) -> list[LinkEvent]:
        gap: str | None = None
        if self._is_restart(hello):
            self.counters.restarts += 1
            gap = f"the board restarted: {format_reset_cause(hello.cause)}"
            self._gate_until = None
        elif self._event_order.has_missed_events(hello):
            gap = "events were acknowledged by another host"
        if gap is not None or not self._event_order.has_begun:
            self._event_order.begin(hello)
        self.hello = hello
        self.phase = LinkPhase.UP
        self._refusal_reason = None
        self._forget_confirmed()
        return [LinkUp(hello)] if gap is None else [LinkUp(hello), EventGap(gap)]

    # Events

    def _handle_event(self, event: Event, said: list[LinkEvent]) -> bool:
        """Hand the event on if it is the next; true when the board should hear how far we are."""
        match self._event_order.take(event):
            case Arrival.FOREIGN:
                self.counters.foreign_events += 1
                return False
            case Arrival.REPEATED:
                self.counters.repeated_events += 1
                return True
            case Arrival.EARLY:
                self.counters.early_events += 1
                return False
            case Arrival.NEXT:
                pass
        self.counters.events += 1
        if isinstance(event, EventsLost):
            said.append(EventGap("the board's memory for events was full", event.count))
            self._state_wanted = True
            return True
        if isinstance(event, GateShut) and event.why is not ShutReason.LEASE_ENDED:
            self._gate_until = None
        said.append(event)
        return True
