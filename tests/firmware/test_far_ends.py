"""One test body, three far ends: the Python simulator, the C core natively, the AVR build in simavr.

Times are given with room for a wall clock where the far end has one; exact times are in test_gate_times.py.
"""

from collections.abc import Iterator

import pytest

from firmware_bridge import limits
from firmware_bridge.link_events import EventGap, GateRefused, LinkDown, LinkUp
from firmware_bridge.wire_frames import Deframer, Frame, encode_frame
from firmware_bridge.wire_messages import (
    SCHEMA,
    Edge,
    Face,
    Gate,
    GateAnswer,
    GateShut,
    Hello,
    Identify,
    Jam,
    Key,
    KeyAction,
    Lamp,
    Lid,
    Message,
    Nak,
    Ping,
    Pong,
    Refusal,
    ResetCause,
    Sensors,
    ShutReason,
    State,
    Verdict,
    make_frame,
    parse_message,
)
from tests.wire.bench import Bench, FarEnd
from tests.wire.campaign import campaign

ALL_LAMPS = frozenset(range(limits.LAMPS))


@pytest.fixture
def bench(far: FarEnd) -> Iterator[Bench]:
    bench = Bench(far)
    bench.run_until(lambda: bool(bench.find_events(State)))
    yield bench
    assert bench.link.counters.unreadable == 0


class Raw:
    """Frames by hand, for what a link would never send."""

    def __init__(self, far: FarEnd) -> None:
        """Let the board start; opening a port may cut its hello in two."""
        self._far = far
        self._deframer = Deframer()
        far.write(b"\0")
        end = far.now + 0.05
        while far.now < end:
            far.step()

    def ask(self, *wire: bytes, seconds: float = 0.05) -> list[tuple[int, Message]]:
        """Send, and give number and message of all that comes within `seconds`, but events and hellos of a start."""
        self._far.write(b"".join(wire))
        end = self._far.now + seconds
        found: list[tuple[int, Message]] = []
        while self._far.now < end:
            for got in self._deframer.feed(self._far.step()):
                assert isinstance(got, Frame)
                message = parse_message(got)
                assert isinstance(message, Message)
                found.append((got.seq, message))
        return found


@pytest.fixture
def raw(far: FarEnd) -> Raw:
    raw = Raw(far)
    assert [type(one) for _, one in raw.ask(encode_frame(make_frame(Identify(), 254)))] == [Hello]
    return raw


def test_hello(bench: Bench) -> None:
    up = bench.find_events(LinkUp)[0].hello
    assert (up.protocol, up.schema, up.boots, up.cause) == (1, SCHEMA, 1, ResetCause.POWER_ON)
    assert (up.keys, up.lamps, up.ring) == (limits.KEYS, limits.LAMPS, limits.RING)
    assert up.firmware == bytes((1, 0, 0))
    assert up.flags == 0


def test_every_key_is_its_own(bench: Bench, far: FarEnd) -> None:
    for number in range(limits.KEYS):
        far.key(number, True)
        bench.run_until(lambda n=number: [one.key for one in bench.find_events(Key)[-1:]] == [n])  # type: ignore[misc]
        far.key(number, False)
    bench.run_until(lambda: len(bench.find_events(Key)) == 2 * limits.KEYS)
    downs = [one.key for one in bench.find_events(Key) if one.action is KeyAction.DOWN]
    ups = [one.key for one in bench.find_events(Key) if one.action is KeyAction.UP]
    assert downs == ups == list(range(limits.KEYS))


def test_cards_lid_and_face(bench: Bench, far: FarEnd) -> None:
    far.cover(True)
    bench.run(0.08)
    far.face(True)
    bench.run(0.02)
    far.cover(False)
    bench.run_until(lambda: len(bench.find_events(Edge)) == 2)
    assert [one.covered for one in bench.find_events(Edge)] == [1, 0]
    assert bench.find_events(Edge)[1].lasted == pytest.approx(100, abs=40)
    assert [one.up for one in bench.find_events(Face)] == [1]
    far.lid(True)
    bench.run_until(lambda: [one.open for one in bench.find_events(Lid)] == [1])
    bench.link.request_state()
    bench.run_until(lambda: len(bench.find_events(State)) == 2)
    assert bench.find_events(State)[-1].sensors == Sensors.LID_OPEN | Sensors.FACE_UP


def test_jam(bench: Bench, far: FarEnd) -> None:
    far.cover(True)
    bench.run_until(lambda: bool(bench.find_events(Jam)))
    assert bench.find_events(Jam)[0].at - bench.find_events(Edge)[0].at == limits.JAM_MS
    for covered, sensors in ((True, Sensors.COVERED | Sensors.JAMMED), (False, Sensors(0))):
        far.cover(covered)
        bench.run(0.03)
        bench.link.request_state()
        bench.run(0.03)
        assert bench.find_events(State)[-1].sensors == sensors


def test_every_lamp_is_its_own_and_blinking_is_the_boards(bench: Bench, far: FarEnd) -> None:
    for number in range(limits.LAMPS):
        bench.link.show_lamps([Lamp.ON if n == number else Lamp.OFF for n in range(limits.LAMPS)])
        bench.run_until(lambda n=number: far.lit_seats == {n})  # type: ignore[misc]
    bench.link.show_lamps([Lamp.SLOW, Lamp.FAST, Lamp.ON])
    bench.run(0.03)
    seen: set[frozenset[int]] = set()
    end = far.now + 1.05
    while far.now < end:
        bench.step()
        seen.add(far.lit_seats & {0, 1, 2})
    assert {frozenset({0, 1, 2}), frozenset({0, 2}), frozenset({1, 2}), frozenset({2})} == seen


def test_link_lost_shows_on_the_lamps_and_passes(bench: Bench, far: FarEnd) -> None:
    bench.link.show_lamps([Lamp.ON])
    bench.run_until(lambda: far.lit_seats == {0})
    far.cut(True)
    bench.run_until(lambda: far.lit_seats == ALL_LAMPS)
    bench.run_until(lambda: not far.lit_seats)
    assert bench.find_events(LinkDown)
    far.cut(False)
    bench.run_until(lambda: far.lit_seats == {0})
    assert not bench.find_events(EventGap)


def test_gate_opens_and_shuts(bench: Bench, far: FarEnd) -> None:
    bench.link.open_gate(far.now + 0.6)
    bench.run_until(lambda: far.gate_open, 0.3)
    assert bench.run_until(lambda: not far.gate_open) == pytest.approx(0.6, abs=0.2)
    bench.link.open_gate(far.now + 60)
    bench.run_until(lambda: far.gate_open, 0.3)
    bench.link.shut_gate()
    bench.run_until(lambda: not far.gate_open, 0.2)


def test_lid_and_gate(bench: Bench, far: FarEnd) -> None:
    bench.link.open_gate(far.now + 60)
    bench.run_until(lambda: far.gate_open)
    far.lid(True)
    bench.run_until(lambda: not far.gate_open, 0.3)
    bench.run_until(lambda: bool(bench.find_events(GateShut)))
    assert bench.find_events(GateShut)[0].why is ShutReason.LID_OPENED
    bench.link.open_gate(far.now + 60)
    bench.run_until(lambda: bool(bench.find_events(GateRefused)))
    assert bench.find_events(GateRefused) == [GateRefused(Verdict.LID_OPEN)]


def test_longest_on_time(bench: Bench, far: FarEnd) -> None:
    bench.link.open_gate(far.now + 60)
    bench.run_until(lambda: bool(bench.find_events(GateShut)), 4)
    assert bench.find_events(GateShut)[0].why is ShutReason.TOO_LONG
    assert not far.gate_open
    bench.link.open_gate(far.now + 60)
    bench.run_until(lambda: bool(bench.find_events(GateRefused)))
    assert bench.find_events(GateRefused) == [GateRefused(Verdict.COOLING)]


def test_power_cut_in_mid_hand(bench: Bench, far: FarEnd) -> None:
    bench.link.show_lamps([Lamp.ON])
    bench.link.open_gate(far.now + 60)
    bench.run_until(lambda: far.lit_seats == {0} and far.gate_open)
    far.power_cycle()
    bench.run_until(lambda: bool(bench.find_events(EventGap)))
    assert bench.find_events(EventGap) == [EventGap("the board restarted: power on")]
    bench.run_until(lambda: far.lit_seats == {0})
    assert bench.find_events(LinkUp)[-1].hello.boots == 2
    assert not far.gate_open


def test_a_restart_reads_every_input_anew(bench: Bench, far: FarEnd) -> None:
    far.key(3, True)
    far.cover(True)
    far.lid(True)
    bench.run_until(lambda: bool(bench.find_events(Lid)))
    bench.run_until(lambda: bool(bench.find_events(Key)))
    far.power_cycle()
    bench.run_until(lambda: bool(bench.find_events(EventGap)))
    asked = len(bench.find_events(State))
    bench.run_until(lambda: len(bench.find_events(State)) > asked)
    state = bench.find_events(State)[-1]
    assert int.from_bytes(state.down, "little") == int.from_bytes(state.stuck, "little") == 1 << 3
    assert state.sensors == Sensors.COVERED | Sensors.LID_OPEN


def test_wrong_frames_are_refused_by_name(raw: Raw) -> None:
    good = encode_frame(make_frame(Ping(), 7))
    bad = bytearray(good)
    bad[2] ^= 0x40
    assert raw.ask(bytes(bad)) == [(limits.NO_SEQ, Nak(Refusal.BAD_FRAME, 0, 1))]
    assert raw.ask(b"\x55" * 100 + b"\0") == [(limits.NO_SEQ, Nak(Refusal.BAD_FRAME, 0, 2))]
    longest_and_one_more = encode_frame(Frame(0x33, 8, b"\x44" * 59))[:-1] + b"\x44\0"
    assert raw.ask(longest_and_one_more) == [(limits.NO_SEQ, Nak(Refusal.BAD_FRAME, 0, 3))]
    assert raw.ask(encode_frame(Frame(0x33, 8))) == [(8, Nak(Refusal.UNKNOWN_TYPE, 0x33, 3))]
    assert raw.ask(encode_frame(Frame(Gate.CODE, 9, b"\1"))) == [(9, Nak(Refusal.BAD_LENGTH, Gate.CODE, 3))]
    assert raw.ask(encode_frame(make_frame(Gate(1, 351), 10))) == [(10, Nak(Refusal.BAD_VALUE, Gate.CODE, 3))]
    (seq, pong), *more = raw.ask(good)
    assert (seq, type(pong), more) == (7, Pong, [])


def test_in_step_within_one_frame(raw: Raw) -> None:
    good = encode_frame(make_frame(Ping(), 7))
    kinds = [type(one) for _, one in raw.ask(b"\x01\x02garbage" + good, encode_frame(make_frame(Ping(), 8)))]
    assert kinds == [Nak, Pong]
    assert [type(one) for _, one in raw.ask(b"garbage\0" + good)] == [Nak, Pong]


def test_a_new_session_is_never_answered_from_the_memory_of_the_old(raw: Raw) -> None:
    clocks: list[int] = []
    for _ in range(2):
        answers = raw.ask(encode_frame(make_frame(Ping(), 0))) + raw.ask(encode_frame(make_frame(Identify(), 254)))
        clocks += [one.clock for _, one in answers if isinstance(one, Pong)]
    assert clocks[0] < clocks[1]


def test_another_version_is_answered_with_hello(raw: Raw) -> None:
    assert [type(one) for _, one in raw.ask(encode_frame(Frame(Ping.CODE, 7, version=2)))] == [Hello]


def test_a_repeated_request_is_not_done_again(raw: Raw, far: FarEnd) -> None:
    ask = encode_frame(make_frame(Gate(1, 300), 50))
    first = raw.ask(ask)
    assert first == [(50, GateAnswer(1, 300, Verdict.DONE))]
    assert raw.ask(ask) == first
    answers = raw.ask(b"", seconds=0.4)
    assert {(one.number, one.why) for _, one in answers if isinstance(one, GateShut)} == {(1, ShutReason.LEASE_ENDED)}
    assert not far.gate_open


@pytest.mark.parametrize("bit_errors", [1e-4, 1e-3])
def test_every_key_arrives_once_over_a_bad_line(far: FarEnd, bit_errors: float) -> None:
    campaign(far, bit_errors, events=64)


@pytest.mark.slow
@pytest.mark.parametrize("bit_errors", [1e-4, 1e-3])
def test_every_one_of_a_thousand(far: FarEnd, bit_errors: float) -> None:
    campaign(far, bit_errors, events=1_000)


def test_outside_a_session_nothing_is_done(far: FarEnd) -> None:
    raw = Raw(far)
    assert raw.ask(encode_frame(make_frame(Gate(1, 300), 3))) == [(3, Nak(Refusal.NO_SESSION, Gate.CODE, 0))]
    assert not far.gate_open
    raw.ask(encode_frame(make_frame(Identify(), 4)))
    raw.ask(b"", seconds=1.0)
    assert raw.ask(encode_frame(make_frame(Gate(1, 300), 5))) == [(5, Nak(Refusal.NO_SESSION, Gate.CODE, 0))]
