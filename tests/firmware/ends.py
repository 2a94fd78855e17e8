"""The far ends made of C: the core as a shared library, and the AVR build in simavr behind a pty."""

import ctypes
import os
import select
import shutil
import subprocess
import time
from collections import deque
from pathlib import Path

import pytest
import serial

from tests.wire.bench import Pace

FIRMWARE = Path(__file__).parents[2] / "firmware_bridge" / "firmware"
KEY_BYTES = 7
LAMP_BYTES = 6
STALLED_SECONDS = 10
LEAD_MS = 3


def describe_missing_tools(target: str) -> str | None:
    """What this machine lacks to make a target of the firmware's Makefile, by name."""
    tools = {"native": ["make", "gcc"], "sim": ["make", "gcc", "pkg-config"], "all": ["make", "avr-gcc", "avr-size"]}
    absent = [tool for tool in tools[target] if shutil.which(tool) is None]
    if target == "sim" and not absent:
        found = subprocess.run(["pkg-config", "--exists", "simavr"], check=False)
        absent = [] if found.returncode == 0 else ["libsimavr-dev"]
    if target == "all" and not absent and not Path("/usr/lib/avr/include/avr/io.h").exists():
        absent = ["avr-libc"]
    return f"not installed: {', '.join(absent)}" if absent else None


def make(target: str, build: Path) -> Path:
    """Make a target into `build`; skips the test with the name of what is missing."""
    why = describe_missing_tools(target)
    if why:
        pytest.skip(why)
    done = subprocess.run(
        ["make", "-s", "-C", str(FIRMWARE), f"BUILD={build}", target], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return build


class NativeEnd:
    """The C core behind a line of 115200 baud, in virtual time."""

    def __init__(self, build: Path) -> None:
        self._c = ctypes.CDLL(str(build / "libtable_bridge.so"))
        self._c.tb_native_size.restype = ctypes.c_size_t
        self._c.tb_native_transmit.restype = ctypes.c_size_t
        self._board = ctypes.create_string_buffer(self._c.tb_native_size())
        self._out_bytes = ctypes.create_string_buffer(512)
        self._lit = ctypes.create_string_buffer(LAMP_BYTES)
        self._to_board = bytearray()
        self._in, self._out = Pace(), Pace()
        self._keys = 0
        self._covered = self._lid = self._face = self._cut = False
        self.boots = 0
        self.now = 0.0
        self.power_cycle()

    def start(self, cause: int) -> None:
        self.boots += 1
        self._put_inputs()
        self._c.tb_native_start(self._board, cause, self.boots)

    def power_cycle(self) -> None:
        self.start(1)

    def receive(self, data: bytes) -> None:
        self._c.tb_native_receive(self._board, data, len(data))

    def tick(self) -> None:
        self._c.tb_native_tick(self._board)

    def transmit(self, room: int = 255) -> bytes:
        sent: int = self._c.tb_native_transmit(self._board, self._out_bytes, room)
        return self._out_bytes.raw[:sent]

    @property
    def gate_open(self) -> bool:
        return bool(self._c.tb_native_is_gate_open(self._board))

    @property
    def lit_seats(self) -> frozenset[int]:
        self._c.tb_native_get_lamps(self._board, self._lit)
        bits = int.from_bytes(self._lit.raw, "little")
        return frozenset(number for number in range(8 * LAMP_BYTES) if bits >> number & 1)

    def write(self, data: bytes) -> None:
        if not self._cut:
            self._to_board += data

    def step(self) -> bytes:
        self.now += 0.001
        room = self._in.room()
        self.receive(bytes(self._to_board[:room]))
        del self._to_board[:room]
        self.tick()
        sent = self.transmit(self._out.room())
        return b"" if self._cut else sent

    def key(self, number: int, down: bool) -> None:
        self._keys = self._keys | 1 << number if down else self._keys & ~(1 << number)
        self._put_inputs()

    def cover(self, covered: bool) -> None:
        self._covered = covered
        self._put_inputs()

    def lid(self, opened: bool) -> None:
        self._lid = opened
        self._put_inputs()

    def face(self, up: bool) -> None:
        self._face = up
        self._put_inputs()

    def cut(self, apart: bool) -> None:
        self._cut = apart
        self._to_board.clear()

    def close(self) -> None:
        pass

    def _put_inputs(self) -> None:
        keys = self._keys.to_bytes(KEY_BYTES, "little")
        self._c.tb_native_set_inputs(self._board, keys, self._covered, self._lid, self._face)


class AvrEnd:
    """The AVR build in simavr, paced by the wall clock.

    `now` is the board's own clock, and the board stands still when it is `LEAD_MS` ahead of what was read here: a busy
    machine slows host and board alike, and no test depends on its load.
    `trace` has what happened at the pins and the wire, in microseconds of the same clock.
    """

    def __init__(self, build: Path) -> None:
        elf = build / "table-bridge-atmega328p.elf"
        self._runner = subprocess.Popen(
            [str(build / "avr_runner"), str(elf)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._runner.stdin is not None
        assert self._runner.stdout is not None
        self._commands, self._lines = self._runner.stdin, self._runner.stdout
        os.set_blocking(self._lines.fileno(), False)
        self._held = b""
        self.trace: deque[tuple[str, str, int]] = deque(maxlen=20_000)
        self.gate_open = False
        self.lit_seats: frozenset[int] = frozenset()
        self.path = ""
        self.now = 0.0
        self._heard = time.monotonic()
        self._wait_for_path()
        self.command(f"lead {LEAD_MS}")
        self._port = serial.Serial(self.path, 115200, timeout=0, exclusive=True)

    def write(self, data: bytes) -> None:
        if data and self._port.is_open:
            self._port.write(data)

    def step(self) -> bytes:
        """Wait for a byte or a line; the runner tells the time every millisecond."""
        watched = [self._lines.fileno()] + ([self._port.fileno()] if self._port.is_open else [])
        ready, _, _ = select.select(watched, [], [], STALLED_SECONDS)
        if self._lines.fileno() in ready:
            self._read_lines()
        assert time.monotonic() - self._heard < STALLED_SECONDS, "the simulator stands still"
        return bytes(self._port.read(4096)) if self._port.is_open else b""

    def give_port_away(self) -> str:
        """Close this end of the pty, for a host in another process."""
        self._port.close()
        return self.path

    def command(self, line: str) -> int:
        """Give the runner a command; the board's time in microseconds when it was taken."""
        self._commands.write(line.encode() + b"\n")
        self._commands.flush()
        while True:
            select.select([self._lines.fileno()], [], [], STALLED_SECONDS)
            self._read_lines()
            for kind, what, at in reversed(self.trace):
                if what == line and kind == "ok":
                    self.trace.append(("taken", line, at))
                    return at
                if what == line and kind == "taken":
                    break
            assert time.monotonic() - self._heard < STALLED_SECONDS, f"the runner did not take {line!r}"

    def key(self, number: int, down: bool) -> None:
        self.command(f"key {number} {down:d}")

    def cover(self, covered: bool) -> None:
        self.command(f"edge {covered:d}")

    def lid(self, opened: bool) -> None:
        self.command(f"lid {opened:d}")

    def face(self, up: bool) -> None:
        self.command(f"face {up:d}")

    def cut(self, apart: bool) -> None:
        self.command(f"cut {apart:d}")

    def power_cycle(self) -> None:
        self.command("reset")

    def times(self, kind: str, what: str = "") -> list[int]:
        """When something was traced, in the board's microseconds."""
        return [at for one, detail, at in self.trace if one == kind and what in ("", detail)]

    def close(self) -> None:
        self._port.close()
        self._runner.kill()
        self._runner.wait()
        self._commands.close()
        self._lines.close()

    def _wait_for_path(self) -> None:
        while not self.path:
            select.select([self._lines.fileno()], [], [], STALLED_SECONDS)
            self._read_lines()
            assert time.monotonic() - self._heard < STALLED_SECONDS, "avr_runner gave no pty"

    def _read_lines(self) -> None:
        self._held += self._lines.read() or b""
        *whole, self._held = self._held.split(b"\n")
        if whole:
            self._heard = time.monotonic()
        before = self.now
        for line in whole:
            self._take_line(line.decode().split())
        if self.now > before:
            self._commands.write(f"seen {round(self.now * 1e6)}\n".encode())
            self._commands.flush()

    def _take_line(self, words: list[str]) -> None:
        if words[0] == "pty":
            self.path = words[1]
            return
        kind, what, at = words[0], " ".join(words[1:-1]), int(words[-1])
        if kind == "at":
            self.now = at / 1e6
            return
        self.trace.append((kind, what, at))
        if kind == "gate":
            self.gate_open = what == "1"
        if kind == "lamps":
            bits = int(what, 16)
            self.lit_seats = frozenset(number for number in range(8 * LAMP_BYTES) if bits >> number & 1)
