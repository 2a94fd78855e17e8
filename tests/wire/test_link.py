"""The link with a board at the other end: what the driver above it sees, and what the board is made to do."""

from collections.abc import Iterator

import pytest

from firmware_bridge import limits
from firmware_bridge.link import REFUSED_IDENTIFY_INTERVAL_S, REQUEST_TIMEOUT_S, Link, LinkPhase
from firmware_bridge.link_events import EventGap, GateRefused, LinkDown, LinkRefused, LinkUp
from firmware_bridge.wire_frames import Deframer, Frame, Noise, encode_frame
from firmware_bridge.wire_messages import (
    SCHEMA,
    Edge,
    EventAck,
    Gate,
    GateAnswer,
    GateShut,
    Hello,
    Identify,
    Jam,
    Key,
    KeyAction,
    Lamp,
    Message,
    Nak,
    Ping,
    ReadState,
    Refusal,
    ResetCause,
    Sensors,
    ShutReason,
    State,
    Verdict,
    make_frame,
    pack_payload,
    parse_message,
)
from tests.wire.bench import Bench, SimulatorEnd

ALL_LAMPS = frozenset(range(limits.LAMPS))


@pytest.fixture
def far() -> SimulatorEnd:
    return SimulatorEnd()


@pytest.fixture
def bench(far: SimulatorEnd) -> Iterator[Bench]:
    """A bench whose link is up; afterwards, nothing may be left that was not said."""
    bench = Bench(far)
    bench.run_until(lambda: bool(bench.find_events(State)))
    bench.said.clear()
    yield bench
    assert bench.link.counters.unreadable == 0


def messages(wire: bytes) -> list[Message]:
    found = [parse_message(got) for got in Deframer().feed(wire) if isinstance(got, Frame)]
    return [one for one in found if isinstance(one, Message)]


def test_a_new_link_says_who_is_there_and_how_everything_stands(far: SimulatorEnd) -> None:
    far.cover(True)
    far.simulator.reset(ResetCause.BROWN_OUT)
    bench = Bench(far)
    bench.run_until(lambda: bool(bench.find_events(State)), 0.1)
    up, state = bench.said[0][1], bench.said[1][1]
    assert isinstance(up, LinkUp)
    assert (up.hello.boots, up.hello.cause) == (2, ResetCause.BROWN_OUT)
    assert isinstance(state, State)
    assert state.sensors == Sensors.COVERED


def test_a_host_that_starts_anew_is_given_what_was_not_acknowledged(far: SimulatorEnd) -> None:
    first = Bench(far)
    first.run_until(lambda: bool(first.find_events(State)))
    far.key(1, True)
    first.run_until(lambda: bool(first.find_events(Key)))
    first.run(0.01)
    far.key(2, True)
    for _ in range(100):
        far.step()
    second = Bench(far)
    second.run(0.4)
    assert [(one.key, one.action) for one in second.find_events(Key)] == [(2, KeyAction.DOWN)]
    assert not second.find_events(EventGap)


def test_keys_come_once_and_in_order(bench: Bench, far: SimulatorEnd) -> None:
    for down in (True, False):
        for number in (5, 17, 55):
            far.key(number, down)
            bench.run(0.03)
    assert [(one.key, one.action) for one in bench.find_events(Key)] == [(n, a) for a in (1, 0) for n in (5, 17, 55)]
    assert [one.number for one in bench.find_events(Key)] == [1, 2, 3, 4, 5, 6]


def test_a_bouncing_key_is_one_press(bench: Bench, far: SimulatorEnd) -> None:
    for _ in range(6):
        far.key(4, True)
        bench.run(0.004)
        far.key(4, False)
        bench.run(0.003)
    far.key(4, True)
    bench.run(0.05)
    assert [one.action for one in bench.find_events(Key)] == [KeyAction.DOWN]


def test_a_key_is_held_then_stuck_and_one_down_at_the_start_is_stuck(bench: Bench, far: SimulatorEnd) -> None:
    far.key(9, True)
    bench.run(10.2)
    down, held, stuck = bench.find_events(Key)
    assert (held.action, held.at - down.at) == (KeyAction.HELD, 800)
    assert (stuck.action, stuck.at - down.at) == (KeyAction.STUCK, 10000)
    bench.said.clear()
    far.power_cycle()
    bench.run(0.4)
    assert [one.action for one in bench.find_events(Key)] == [KeyAction.STUCK]
    assert bench.find_events(State)[0].stuck == (1 << 9).to_bytes(7, "little")


def test_a_card_is_timed_at_the_board(bench: Bench, far: SimulatorEnd) -> None:
    far.cover(True)
    bench.run(0.080)
    far.cover(False)
    bench.run(0.02)
    covered, free = bench.find_events(Edge)
    assert (covered.covered, free.covered) == (1, 0)
    assert abs(free.lasted - 80) <= 1


def test_a_card_that_stays_is_a_jam(bench: Bench, far: SimulatorEnd) -> None:
    far.cover(True)
    bench.run(1.6)
    assert bench.find_events(Jam)[0].at - bench.find_events(Edge)[0].at == limits.JAM_MS


def test_the_gate_stays_open_while_wanted_and_no_longer(bench: Bench, far: SimulatorEnd) -> None:
    bench.link.open_gate(far.now + 1.0)
    opened = bench.run_until(lambda: far.gate_open, 0.05)
    shut = bench.run_until(lambda: not far.gate_open, 1.1)
    assert opened < 0.01
    assert 0.95 < shut < 1.01
    assert not bench.find_events(GateShut)


def test_the_gate_shuts_at_a_word_even_while_another_question_is_open(bench: Bench, far: SimulatorEnd) -> None:
    bench.link.open_gate(far.now + 60)
    bench.run(0.5)
    bench.link.request_state()
    bench.step()
    bench.link.shut_gate()
    assert bench.run_until(lambda: not far.gate_open, 0.05) < 0.01


def test_a_host_that_stops_ticking_loses_the_gate(bench: Bench, far: SimulatorEnd) -> None:
    bench.link.open_gate(far.now + 60)
    bench.run(1.0)
    start = far.now
    while far.gate_open:
        far.step()
    assert far.now - start <= 0.35


def test_a_cut_cable_shuts_the_gate_and_the_link_says_so(bench: Bench, far: SimulatorEnd) -> None:
    bench.link.open_gate(far.now + 60)
    bench.run(1.0)
    far.cut(True)
    assert bench.run_until(lambda: not far.gate_open) <= 0.35
    bench.run_until(lambda: bool(bench.find_events(LinkDown)), 1.0)
    assert bench.find_events(LinkDown)[0].reason == f"the board has not answered for {REQUEST_TIMEOUT_S} s"
    assert bench.link.phase is LinkPhase.CONNECTING


def test_lamps_show_and_blink_and_say_when_nobody_is_there(bench: Bench, far: SimulatorEnd) -> None:
    bench.link.show_lamps([Lamp.ON, Lamp.OFF, Lamp.SLOW, Lamp.FAST])
    bench.run(0.02)
    seen: dict[int, set[bool]] = {n: set() for n in range(5)}
    for _ in range(1000):
        bench.step()
        for n, shown in seen.items():
            shown.add(n in far.lit_seats)
    assert seen == {0: {True}, 1: {False}, 2: {True, False}, 3: {True, False}, 4: {False}}
    far.cut(True)
    bench.run(1.05)
    lit = [far.lit_seats for _ in range(1000) if not far.step()]
    assert set(lit) == {frozenset(), ALL_LAMPS}
    assert lit.count(ALL_LAMPS) == 100
    far.cut(False)
    bench.run_until(lambda: 0 in far.lit_seats and 1 not in far.lit_seats, 0.5)


def test_more_lamps_than_a_board_has_is_the_callers_mistake() -> None:
    with pytest.raises(ValueError, match="49 lamps; a board has 48"):
        Link().show_lamps([Lamp.OFF] * 49)


def test_a_board_that_restarts_in_mid_hand_is_brought_up_again(bench: Bench, far: SimulatorEnd) -> None:
    bench.link.show_lamps([Lamp.ON])
    bench.link.open_gate(far.now + 60)
    far.key(1, True)
    bench.run(0.3)
    bench.said.clear()
    far.key(1, False)
    far.simulator.reset(ResetCause.WATCHDOG)
    bench.run(0.5)
    why = "the board restarted: watchdog"
    kinds = [type(one) for _, one in bench.said]
    assert kinds == [LinkDown, LinkUp, EventGap, State]
    assert bench.find_events(EventGap) == [EventGap(why)]
    assert bench.find_events(LinkDown) == [LinkDown(why)]
    assert 0 in far.lit_seats
    assert not far.gate_open, "only the controller opens it again"
    far.key(1, True)
    bench.run(0.1)
    assert [one.number for one in bench.find_events(Key)] == [1]


def test_a_restart_whose_hello_was_lost_is_found_by_the_heartbeat(bench: Bench, far: SimulatorEnd) -> None:
    far.simulator.reset(ResetCause.BROWN_OUT)
    far.simulator.transmit()
    bench.run(0.6)
    assert bench.find_events(EventGap) == [EventGap("the board restarted: brown out")]


def test_events_of_a_restarted_board_are_never_taken_for_old_ones(bench: Bench, far: SimulatorEnd) -> None:
    for number in range(4):
        far.key(number, True)
    bench.run(0.1)
    bench.said.clear()
    far.simulator.inputs.keys.clear()
    far.simulator.reset(ResetCause.WATCHDOG)
    far.simulator.transmit()
    far.key(7, True)
    bench.run(0.8)
    assert [(one.key, one.number) for one in bench.find_events(Key)] == [(7, 1)]
    assert len(bench.find_events(EventGap)) == 1


def test_a_board_that_cannot_count_its_starts_is_still_seen_to_restart(bench: Bench, far: SimulatorEnd) -> None:
    bench.run(0.3)
    far.simulator.boots -= 1
    far.simulator.boot_counter_stored = False
    far.simulator.reset(ResetCause.POWER_ON)
    far.simulator.transmit()
    bench.run(0.8)
    assert bench.find_events(LinkDown) == [LinkDown("the board restarted, or has not heard this host for a second")]
    assert bench.find_events(EventGap) == [EventGap("the board restarted: power on")]


def test_events_beyond_the_ring_leave_a_counted_gap(bench: Bench, far: SimulatorEnd) -> None:
    far.cut(True)
    for number in range(40):
        far.key(number, True)
    bench.run(0.1)
    far.cut(False)
    bench.run(0.5)
    assert [one.key for one in bench.find_events(Key)][:32] == list(range(32))
    assert bench.find_events(EventGap) == [EventGap("the board's memory for events was full", 8)]
    state = bench.find_events(State)[-1]
    assert int.from_bytes(state.down, "little") == (1 << 40) - 1


def test_the_lid_shuts_the_gate_for_good(bench: Bench, far: SimulatorEnd) -> None:
    bench.link.open_gate(far.now + 60)
    bench.run(0.2)
    far.lid(True)
    bench.run_until(lambda: not far.gate_open, 0.06)
    bench.run(0.1)
    assert [one.why for one in bench.find_events(GateShut)] == [ShutReason.LID_OPENED]
    bench.link.open_gate(far.now + 60)
    bench.run(0.1)
    assert bench.find_events(GateRefused) == [GateRefused(Verdict.LID_OPEN)]
    far.lid(False)
    bench.run(0.5)
    assert not far.gate_open


def test_the_longest_on_time_holds_against_any_host(bench: Bench, far: SimulatorEnd) -> None:
    bench.link.open_gate(far.now + 60)
    bench.run(2.9)
    bench.link.shut_gate()
    bench.run(0.05)
    bench.link.open_gate(far.now + 60)
    assert bench.run_until(lambda: bool(bench.find_events(GateShut)), 0.3) > 0.05
    assert bench.find_events(GateShut)[0].why is ShutReason.TOO_LONG
    bench.link.open_gate(far.now + 60)
    bench.run(9.5)
    assert bench.find_events(GateRefused) == [GateRefused(Verdict.COOLING)]
    bench.link.open_gate(far.now + 60)
    bench.run(0.1)
    assert not far.gate_open
    bench.run(0.5)
    bench.link.open_gate(far.now + 60)
    bench.run(0.1)
    assert far.gate_open


def spoilt_hello(**changes: int) -> bytes:
    wire = SimulatorEnd().simulator.transmit()
    hello = next(one for one in messages(wire) if isinstance(one, Hello))
    for name, value in changes.items():
        object.__setattr__(hello, name, value)
    return pack_payload(hello)


@pytest.mark.parametrize(
    ("hello", "why"),
    [
        (
            spoilt_hello(schema=0x12345678),
            "the board's message table is 12345678, this program's {schema}: flash the firmware that came with it",
        ),
        (
            spoilt_hello(protocol=3, oldest_protocol=2),
            "the board speaks TB/2 to TB/3, this program TB/1: flash the firmware that came with it",
        ),
        (
            spoilt_hello(protocol=2, oldest_protocol=2) + b"more",
            "the board speaks TB/2, this program TB/1: flash the firmware that came with it",
        ),
        (b"\1\1", "the board's hello has 2 bytes, 10 are the least: flash its firmware"),
    ],
)
def test_a_board_that_speaks_otherwise_is_refused_in_words(hello: bytes, why: str) -> None:
    link = Link()
    link.on_port_opened()
    link.on_tick(0.0)
    wire = encode_frame(Frame(Hello.CODE, 0, hello))
    said = link.receive_data(wire, 0.01)
    assert said == [LinkRefused(why.format(schema=f"{SCHEMA:08X}"))]
    assert link.phase is LinkPhase.REFUSED
    assert link.receive_data(wire, 0.02) == [], "said once"
    link.take_outgoing()
    link.on_tick(REFUSED_IDENTIFY_INTERVAL_S)
    assert link.take_outgoing() == b""
    link.on_tick(0.03 + REFUSED_IDENTIFY_INTERVAL_S)
    assert [type(one) for one in messages(link.take_outgoing())] == [Identify]
    good = encode_frame(Frame(Hello.CODE, 1, spoilt_hello()))
    assert [type(one) for one in link.receive_data(good, 3.0)] == [LinkUp]


def test_a_hello_in_a_later_version_is_still_understood_as_a_refusal() -> None:
    link = Link()
    link.on_port_opened()
    hello = spoilt_hello(protocol=2, oldest_protocol=2)
    said = link.receive_data(encode_frame(Frame(Hello.CODE, 0, hello, version=2)), 0.0)
    assert isinstance(said[0], LinkRefused)


def test_a_board_answers_another_version_with_its_hello(far: SimulatorEnd) -> None:
    far.simulator.transmit()
    far.simulator.receive_data(encode_frame(Frame(Ping.CODE, 3, version=9)))
    assert [type(one) for one in messages(far.simulator.transmit())] == [Hello]


def greet(far: SimulatorEnd) -> None:
    """Begin a session by hand."""
    far.simulator.receive_data(encode_frame(make_frame(Identify(), 254)))
    far.simulator.transmit()


def test_before_it_is_asked_its_name_the_board_does_nothing(far: SimulatorEnd) -> None:
    """A renewal on its way to a board that restarts must not open the gate of the one that comes up."""
    far.simulator.transmit()
    for message in (Gate(1, 300), Ping(), ReadState(), EventAck(1, 1)):
        far.simulator.receive_data(encode_frame(make_frame(message, 9)))
        assert messages(far.simulator.transmit()) == [Nak(Refusal.NO_SESSION, message.CODE, 0)]
    assert not far.gate_open
    greet(far)
    for _ in range(limits.HOST_SILENT_MS):
        far.simulator.tick()
    far.simulator.receive_data(encode_frame(make_frame(Gate(1, 300), 10)))
    assert messages(far.simulator.transmit()) == [Nak(Refusal.NO_SESSION, Gate.CODE, 0)], "a second of silence ends it"


def test_a_repeated_request_is_answered_again_but_not_done_again(far: SimulatorEnd) -> None:
    ask = encode_frame(make_frame(Gate(1, 300), 50))
    greet(far)
    far.simulator.receive_data(ask)
    first = far.simulator.transmit()
    for _ in range(200):
        far.simulator.tick()
    far.simulator.receive_data(ask)
    assert far.simulator.transmit() == first
    for _ in range(100):
        far.simulator.tick()
    assert not far.gate_open, "300 ms from the first, not from the second"
    far.simulator.receive_data(encode_frame(make_frame(Gate(1, 300), 51)))
    assert messages(far.simulator.transmit())[-1] == GateAnswer(1, 300, Verdict.DONE)


def test_a_new_session_is_never_answered_from_the_memory_of_the_old(far: SimulatorEnd) -> None:
    far.simulator.receive_data(encode_frame(make_frame(Ping(), 0)))
    far.simulator.receive_data(encode_frame(make_frame(Identify(), 0)))
    far.simulator.transmit()
    for _ in range(5):
        far.simulator.tick()
    far.simulator.receive_data(encode_frame(make_frame(Ping(), 0)))
    assert getattr(messages(far.simulator.transmit())[0], "clock", None) == 5


@pytest.mark.parametrize(
    ("bad", "answer"),
    [
        (Frame(0x77, 4), Nak(Refusal.UNKNOWN_TYPE, 0x77, 0)),
        (Frame(Hello.CODE, 4), Nak(Refusal.UNKNOWN_TYPE, 0x01, 0)),
        (Frame(Gate.CODE, 4, b"\1"), Nak(Refusal.BAD_LENGTH, 0x11, 0)),
        (make_frame(Gate(1, 351), 4), Nak(Refusal.BAD_VALUE, 0x11, 0)),
        (make_frame(Gate(1, 0), 4), Nak(Refusal.BAD_VALUE, 0x11, 0)),
        (make_frame(Gate(0, 10), 4), Nak(Refusal.BAD_VALUE, 0x11, 0)),
        (make_frame(Gate(2, 10), 4), Nak(Refusal.BAD_VALUE, 0x11, 0)),
        (Frame(0x13, 4, bytes(13)), Nak(Refusal.BAD_VALUE, 0x13, 0)),
    ],
)
def test_a_frame_the_board_cannot_take_is_refused_by_name(far: SimulatorEnd, bad: Frame, answer: Nak) -> None:
    greet(far)
    far.simulator.receive_data(encode_frame(bad))
    got = Deframer().feed(far.simulator.transmit())
    assert got == [make_frame(answer, 4)]
    far.simulator.receive_data(encode_frame(make_frame(answer, 4)))
    assert far.simulator.transmit() == b"", "a refusal is never refused"


def test_a_refused_request_stops_the_link_and_says_which() -> None:
    link = Link()
    link.on_port_opened()
    link.on_tick(0.0)
    link.receive_data(encode_frame(Frame(Hello.CODE, 0, spoilt_hello())), 0.0)
    link.take_outgoing()
    link.on_tick(0.0)
    ask = Deframer().feed(link.take_outgoing())[0]
    assert isinstance(ask, Frame)
    said = link.receive_data(encode_frame(make_frame(Nak(Refusal.BAD_VALUE, ask.type, 0), ask.seq)), 0.01)
    assert said == [LinkRefused("the board refuses Gate: bad value")]


def test_noise_is_counted_and_said(bench: Bench) -> None:
    said = bench.link.receive_data(b"\x33\x44\x00", bench.far.now)
    assert isinstance(said[0], Noise)
    assert bench.link.counters.noise == 1


def test_a_port_that_goes_and_comes_back_loses_nothing(bench: Bench, far: SimulatorEnd) -> None:
    far.key(3, True)
    assert bench.link.on_port_closed("unplugged") == [LinkDown("unplugged")]
    assert bench.link.take_outgoing() == b""
    bench.run(2.0)
    assert not bench.find_events(Key)
    bench.link.on_port_opened()
    bench.run(0.4)
    assert not bench.find_events(EventGap)
    assert [(one.number, one.action) for one in bench.find_events(Key)] == [(1, KeyAction.DOWN), (2, KeyAction.HELD)]


def test_events_another_host_took_leave_a_gap(bench: Bench, far: SimulatorEnd) -> None:
    bench.link.on_port_closed("lent out")
    other = Bench(far)
    far.key(3, True)
    other.run(0.4)
    assert other.find_events(Key)
    bench.said.clear()
    bench.link.on_port_opened()
    bench.run(0.4)
    assert bench.find_events(EventGap) == [EventGap("events were acknowledged by another host")]
