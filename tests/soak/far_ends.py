"""The far ends of the table's wires: pseudo-terminals, a reader of tags, and the board with keys, lamps and gate.

They live in the process of the soak, not in the table's. Nothing here waits: a finger needs no time and a card none, so
that the wires alone set the pace. The board's milliseconds pass with the clock.
"""

import os
import tty
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic

from drivers.simulators.readers.rdm6300_simulator import build_frame
from firmware_bridge.board_simulator import BoardSimulator
from firmware_bridge.wire_messages import Key, KeyAction, Lamp, ResetCause

CATCH_UP_MS = 500
BETWEEN_PRESSES_MS = 250
"""Of the board's time; a second press sooner is a trembling finger."""


class Wire:
    """A cable to a port whose name stays the same when it is pulled out and plugged in again."""

    def __init__(self, link: Path) -> None:
        self.link = link
        self.near = self._far = -1
        self.heard = 0
        """Bytes that came from the table."""
        self.plug()

    def plug(self) -> None:
        self.near, self._far = os.openpty()
        tty.setraw(self._far)
        os.set_blocking(self.near, False)
        fresh = self.link.with_suffix(".new")
        fresh.symlink_to(os.ttyname(self._far))
        fresh.replace(self.link)

    def unplug(self) -> None:
        if self.near >= 0:
            os.close(self.near)
            os.close(self._far)
            self.near = self._far = -1

    def say(self, data: bytes) -> None:
        if data and self.near >= 0:
            with suppress(BlockingIOError):
                os.write(self.near, data)

    def hear(self) -> bytes:
        try:
            data = os.read(self.near, 65536) if self.near >= 0 else b""
        except (BlockingIOError, OSError):
            return b""
        self.heard += len(data)
        return data


class Reader:
    """An ID-12LA in the mouth of the shoe: it speaks once for each card."""

    def __init__(self, link: Path, tags: Mapping[str, str]) -> None:
        self.wire = Wire(link)
        self._tags = tags

    def pass_card(self, card: str) -> None:
        self.wire.say(build_frame(self._tags[card], newline=True))

    def live(self) -> None:
        self.wire.hear()


class Board:
    """The microcontroller board; `lamps` as the table's file has its outputs."""

    def __init__(self, link: Path, keys: Mapping[str, int], lamps: Mapping[str, Mapping[int, int]]) -> None:
        self.wire = Wire(link)
        self._keys = keys
        self._lamps = lamps
        self._simulator = BoardSimulator()
        self._lived = monotonic()
        self.awaited: tuple[str, int] | None = None
        self.lit_at: float | None = None
        """When the lamp that was `awaited` was told to be lit."""

    def press(self, key: str) -> None:
        self._simulator._clock_ms += BETWEEN_PRESSES_MS
        for action in (KeyAction.DOWN, KeyAction.UP):
            self._simulator._push_event(Key, self._keys[key], action)
        self._simulator._tick_ring()
        self._speak()

    def await_lamp(self, lamp: tuple[str, int] | None) -> None:
        """Notice when this lamp is told to be lit."""
        self.awaited, self.lit_at = lamp, None

    def lights(self, role: str, seat: int) -> bool:
        """Whether a lamp is told to be lit."""
        number = self._lamps[role][seat]
        return self._simulator._lamp_states[number // 4] >> number % 4 * 2 & 3 != Lamp.OFF

    def live(self) -> None:
        """Hear the table, and let the board's milliseconds pass."""
        now = monotonic()
        passed = min(int((now - self._lived) * 1000), CATCH_UP_MS)
        self._lived = now if passed == CATCH_UP_MS else self._lived + passed / 1000
        if data := self.wire.hear():
            self._simulator.receive_data(data)
            if self.awaited is not None and self.lights(*self.awaited):
                self.lit_at, self.awaited = monotonic(), None
        for _ in range(passed):
            self._simulator.tick()
        self._speak()

    def restart(self) -> None:
        self._simulator.reset(ResetCause.POWER_ON)

    def _speak(self) -> None:
        if self.wire.near >= 0:
            self.wire.say(self._simulator.transmit())
