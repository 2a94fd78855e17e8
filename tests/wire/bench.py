"""A bench for a link and a far end: they talk, time passes, faults happen on the line between."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Protocol, TypeVar

from firmware_bridge.board_simulator import BoardSimulator
from firmware_bridge.link import Link
from firmware_bridge.link_events import LinkEvent
from firmware_bridge.wire_messages import ResetCause

T = TypeVar("T")

BYTES_PER_MS = 11.52
"""115200 baud, ten bits a byte."""


class FarEnd(Protocol):
    """A board at the other end of a wire. `step` lets about a millisecond pass and gives what the board sent."""

    @property
    def now(self) -> float:
        """Seconds of the board's clock; the host under test is told the same."""
        ...

    @property
    def gate_open(self) -> bool: ...

    @property
    def lit_seats(self) -> frozenset[int]: ...

    def write(self, data: bytes) -> None: ...

    def step(self) -> bytes: ...

    def key(self, number: int, down: bool) -> None: ...

    def cover(self, covered: bool) -> None: ...

    def lid(self, opened: bool) -> None: ...

    def face(self, up: bool) -> None: ...

    def cut(self, apart: bool) -> None: ...

    def power_cycle(self) -> None: ...

    def close(self) -> None: ...


class Pace:
    """What 115200 baud carry in each millisecond."""

    def __init__(self) -> None:
        self._due = 0.0

    def room(self) -> int:
        self._due = min(self._due + BYTES_PER_MS, 2 * BYTES_PER_MS)
        whole = int(self._due)
        self._due -= whole
        return whole


class SimulatorEnd:
    """The Python simulator behind a line of 115200 baud, in virtual time."""

    def __init__(self) -> None:
        self.simulator = BoardSimulator()
        self.now = 0.0
        self._to_board = bytearray()
        self._in, self._out = Pace(), Pace()
        self._cut = False

    @property
    def gate_open(self) -> bool:
        return self.simulator.gate_open

    @property
    def lit_seats(self) -> frozenset[int]:
        return self.simulator.lit_lamps

    def write(self, data: bytes) -> None:
        if not self._cut:
            self._to_board += data

    def step(self) -> bytes:
        self.now += 0.001
        room = self._in.room()
        if self._to_board:
            self.simulator.receive_data(bytes(self._to_board[:room]))
            del self._to_board[:room]
        self.simulator.tick()
        sent = self.simulator.transmit(self._out.room())
        return b"" if self._cut else sent

    def key(self, number: int, down: bool) -> None:
        (self.simulator.inputs.keys.add if down else self.simulator.inputs.keys.discard)(number)

    def cover(self, covered: bool) -> None:
        self.simulator.inputs.covered = covered

    def lid(self, opened: bool) -> None:
        self.simulator.inputs.lid_open = opened

    def face(self, up: bool) -> None:
        self.simulator.inputs.face_up = up

    def cut(self, apart: bool) -> None:
        self._cut = apart
        self._to_board.clear()

    def power_cycle(self) -> None:
        self.simulator.reset(ResetCause.POWER_ON)

    def close(self) -> None:
        pass


@dataclass
class Line:
    """One direction of a bad line. Frames are hit by bit errors, dropped, sent twice; bytes arrive in any split."""

    random: Random
    bit_errors: float = 0.0
    drops: float = 0.0
    duplicates: float = 0.0
    splits: bool = False
    hit: int = 0
    _held: bytearray = field(default_factory=bytearray)
    _ready: bytearray = field(default_factory=bytearray)

    def carry(self, data: bytes) -> bytes:
        self._held += data
        while (end := self._held.find(0)) >= 0:
            piece = bytes(self._held[: end + 1])
            del self._held[: end + 1]
            self._ready += self._spoil(piece)
        if not self.splits:
            out = bytes(self._ready)
        else:
            out = bytes(self._ready[: self.random.randrange(len(self._ready) + 1)])
        del self._ready[: len(out)]
        return out

    def _spoil(self, piece: bytes) -> bytes:
        chance = self.random.random
        if chance() < self.drops:
            self.hit += 1
            return b""
        if chance() < self.duplicates:
            piece += piece
        if chance() >= 1 - (1 - self.bit_errors) ** (8 * len(piece)):
            return piece
        self.hit += 1
        spoilt = bytearray(piece)
        flips = 1
        while chance() < self.bit_errors * 8 * len(piece) / 2:
            flips += 1
        for _ in range(flips):
            spoilt[self.random.randrange(len(spoilt))] ^= 1 << self.random.randrange(8)
        return bytes(spoilt)


class Good:
    """A line without faults."""

    def carry(self, data: bytes) -> bytes:
        return data


class Bench:
    """A link and a far end joined; `said` is all the link said, with the time."""

    def __init__(
        self, far: FarEnd, link: Link | None = None, down: Line | Good | None = None, up: Line | Good | None = None
    ) -> None:
        self.far = far
        self.link = link if link is not None else Link()
        self._down, self._up = down or Good(), up or Good()
        self.said: list[tuple[float, LinkEvent]] = []
        self.link.on_port_opened()

    def step(self) -> Sequence[LinkEvent]:
        self.far.write(self._down.carry(self.link.take_outgoing()))
        got = self._up.carry(self.far.step())
        now = self.far.now
        new = (self.link.receive_data(got, now) if got else []) + self.link.on_tick(now)
        self.said += [(now, one) for one in new]
        return new

    def run(self, seconds: float) -> None:
        end = self.far.now + seconds
        while self.far.now < end:
            self.step()

    def run_until(self, done: Callable[[], bool], limit: float = 3.0) -> float:
        """Run until `done`; gives the seconds it took. Fails after `limit`."""
        start = self.far.now
        while not done():
            assert self.far.now - start < limit, f"not within {limit} s; said so far: {self.said[-5:]}"
            self.step()
        return self.far.now - start

    def find_events(self, kind: type[T]) -> list[T]:
        return [one for _, one in self.said if isinstance(one, kind)]
