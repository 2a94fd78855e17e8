"""The C core and the Python simulator, given the same bytes, levels and time, say and do the same to the byte."""

from pathlib import Path
from random import Random

import pytest

from firmware_bridge import limits
from firmware_bridge.board_simulator import BoardSimulator
from firmware_bridge.wire_frames import Frame, encode_frame
from firmware_bridge.wire_messages import (
    EventAck,
    Gate,
    Identify,
    Lamps,
    Message,
    Ping,
    ReadState,
    ResetCause,
    make_frame,
)
from tests.firmware.ends import NativeEnd


def some_message(random: Random, boots: int) -> Message:
    roll = random.randrange(10)
    if roll < 3:
        return EventAck(boots & 0xFF if random.random() < 0.9 else random.randrange(256), random.randrange(120))
    if roll < 6:
        return Gate(random.choice([0, 1, 1, 1, 2]), random.choice([0, 1, 50, 300, 350, 351]))
    if roll < 7:
        return Lamps(random.randrange(3), random.randbytes(limits.LAMPS // 4))
    return random.choice([Ping(), Identify(), ReadState()])


def some_bytes(random: Random, boots: int) -> bytes:
    """Mostly frames the board takes, some it does not, some damaged, some noise."""
    roll = random.random()
    if roll < 0.70:
        return encode_frame(make_frame(some_message(random, boots), random.randrange(4)))
    if roll < 0.80:
        kind, version = random.choice([0x10, 0x11, 0x13, 0x7F, 0x40]), random.choice([1, 1, 1, 2])
        return encode_frame(Frame(kind, random.randrange(256), random.randbytes(random.randrange(60)), version))
    if roll < 0.90:
        wire = bytearray(encode_frame(make_frame(some_message(random, boots), 1)))
        wire[random.randrange(len(wire))] ^= 1 << random.randrange(8)
        return bytes(wire)
    return random.randbytes(random.randrange(90)) + random.choice([b"", b"\0"])


class Pair:
    """A simulator and a native board that live through the same."""

    def __init__(self, build: Path) -> None:
        self.native = NativeEnd(build)
        self.simulator = BoardSimulator()

    def key(self, number: int, down: bool) -> None:
        self.native.key(number, down)
        (self.simulator.inputs.keys.add if down else self.simulator.inputs.keys.discard)(number)

    def sensors(self, covered: bool, lid: bool, face: bool) -> None:
        self.native.cover(covered)
        self.native.lid(lid)
        self.native.face(face)
        self.simulator.inputs.covered, self.simulator.inputs.lid_open, self.simulator.inputs.face_up = (
            covered,
            lid,
            face,
        )

    def receive(self, data: bytes) -> None:
        self.native.receive(data)
        self.simulator.receive_data(data)

    def reset(self, cause: ResetCause) -> None:
        self.simulator.reset(cause)
        self.native.start(cause)

    def tick(self, room: int) -> None:
        self.native.tick()
        self.simulator.tick()
        assert self.native.transmit(room) == self.simulator.transmit(room)
        assert self.native.gate_open == self.simulator.gate_open
        assert self.native.lit_seats == self.simulator.lit_lamps


@pytest.mark.parametrize("seed", range(8))
def test_the_core_and_the_simulator_cannot_be_told_apart(native_build: Path, seed: int) -> None:
    random = Random(seed)
    pair = Pair(native_build)
    busy = random.choice([0.02, 0.2])
    keys: set[int] = set()
    for _ in range(4_000):
        if random.random() < busy:
            pair.receive(some_bytes(random, pair.simulator.boots))
        if random.random() < 0.05:
            number = random.randrange(limits.KEYS)
            keys ^= {number}
            pair.key(number, number in keys)
        if random.random() < 0.01:
            pair.sensors(*(random.random() < 0.3 for _ in range(3)))
        if random.random() < 0.0005:
            pair.reset(random.choice(list(ResetCause)))
        pair.tick(random.choice([0, 5, 12, 12, 40]))


def test_a_quiet_half_minute_is_the_same(native_build: Path) -> None:
    """Keys that stay, a card that jams, a gate held too long and its cooling, the host lost: the slow timers."""
    pair = Pair(native_build)
    pair.receive(encode_frame(make_frame(Identify(), 254)))
    pair.key(3, True)
    pair.sensors(True, False, False)
    for ms in range(26_000):
        if ms % 100 == 0 and ms < 24_000:
            pair.receive(encode_frame(make_frame(Gate(1, 300), ms // 100 % 255)))
        pair.tick(12)


def test_a_gate_opened_again_and_again_is_the_same(native_build: Path) -> None:
    """Half a second of every six tenths: the on-time adds up until the board shuts it and cools."""
    pair = Pair(native_build)
    pair.receive(encode_frame(make_frame(Identify(), 254)))
    opened = 0
    for ms in range(20_000):
        if ms % 100 == 0:
            pair.receive(encode_frame(make_frame(Gate(1, 300) if ms % 600 < 500 else Gate(0, 0), ms // 100 % 254)))
        pair.tick(12)
        opened += pair.simulator.gate_open
    assert 3_000 <= opened < 8_000


@pytest.mark.parametrize("seed", range(4))
def test_a_ring_that_runs_over_is_the_same(native_build: Path, seed: int) -> None:
    """More happens than the host takes: every way for events, acknowledgements and the mark of the gap to meet."""
    random = Random(seed)
    pair = Pair(native_build)
    pair.receive(encode_frame(make_frame(Identify(), 254)))
    acknowledged = 0
    for ms in range(6_000):
        if ms % 5 == 0:
            pair.key(random.randrange(limits.KEYS), random.random() < 0.5)
        if ms % 3 == 0:
            pair.sensors(random.random() < 0.5, False, random.random() < 0.5)
        if random.random() < 0.1:
            acknowledged += random.randrange(4)
            pair.receive(encode_frame(make_frame(EventAck(1, acknowledged & 0xFFFF), 0)))
        pair.tick(random.choice([0, 12, 24]))
