"""The microcontroller board of `firmware_bridge.board_simulator` with its keys, lamps, gate and shoe."""

import random
import threading
from collections.abc import Mapping

from drivers.simulators.bench.simulator_interfaces import Clock
from drivers.simulators.panels.contacts import TAP_DURATION_S, Contact
from drivers.simulators.shoe.shoe_sensors_simulator import DEFAULT_PASSAGE_S, LID_BOUNCE_COUNT
from firmware_bridge import limits
from firmware_bridge.board_simulator import BoardSimulator
from firmware_bridge.wire_messages import ResetCause

MAX_CATCH_UP_MS = 15_000
"""How much of a long unobserved time the board lives through: longer than any of its timers."""


class BridgeSimulator:
    """A board whose milliseconds pass with the clock of the bench."""

    baudrate = limits.BAUDRATE
    parity = "N"

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.RLock()
        self._random = random.Random(1)
        self._started_at = clock()
        self._elapsed_ms = 0
        self._frames: list[tuple[float, bytes]] = []
        self._input_by_key: dict[str, int] = {}
        self._hold_keys: frozenset[str] = frozenset()
        self._lamps_by_role: dict[str, dict[int, int]] = {}
        self._contact_by_input: dict[int, Contact] = {}
        self._buzzer: object = None
        self._edge, self._face, self._lid = Contact(), Contact(), Contact()
        self.board = BoardSimulator()

    def configure(self, keys: Mapping[str, object]) -> None:
        """Learn from the device's keys what is wired to which number."""
        names, outputs, hold = keys.get("keys", {}), keys.get("outputs", {}), keys.get("hold", ())
        if not isinstance(names, Mapping) or not isinstance(outputs, Mapping) or not isinstance(hold, list | tuple):
            raise TypeError("keys and outputs are tables, hold is a list")
        self._input_by_key, self._hold_keys = dict(names), frozenset(hold)
        self._lamps_by_role = {
            role: {int(seat): lamp for seat, lamp in seats.items()} for role, seats in outputs.items()
        }
        self._contact_by_input = {number: Contact() for number in self._input_by_key.values()}
        self._buzzer = keys.get("buzzer")

    # The wire

    def receive_data(self, data: bytes) -> None:
        """Take bytes that the driver sent."""
        with self._lock:
            self._catch_up()
            self.board.receive_data(data)

    def take_frames(self) -> list[tuple[float, bytes]]:
        """Return what the board has said by now."""
        with self._lock:
            self._catch_up()
            out, self._frames = self._frames, []
            return out

    # The people

    def press(self, key: str) -> None:
        """Press a key; its contact bounces."""
        with self._lock:
            self._catch_up()
            self._contact_by_input[self._input_by_key[key]].move(True, self._clock(), self._random)

    def release(self, key: str) -> None:
        """Let a key go; its contact bounces."""
        with self._lock:
            self._catch_up()
            self._contact_by_input[self._input_by_key[key]].move(False, self._clock(), self._random)

    def tap(self, key: str, seconds: float | None = None) -> None:
        """Press a key now and let it go `seconds` later, or as late as this key needs."""
        usual = TAP_DURATION_S + (limits.HELD_MS / 1000 if key in self._hold_keys else 0.0)
        with self._lock:
            self._catch_up()
            now, contact = self._clock(), self._contact_by_input[self._input_by_key[key]]
            contact.move(True, now, self._random)
            contact.move(False, now + (usual if seconds is None else seconds), self._random)

    def pass_card(self, seconds: float = DEFAULT_PASSAGE_S, *, face_up: bool = False) -> None:
        """Let a card pass the mouth now."""
        with self._lock:
            self._catch_up()
            now = self._clock()
            for contact in (self._edge, self._face) if face_up else (self._edge,):
                contact.move(True, now, self._random, bounces=0)
                contact.move(False, now + seconds, self._random, bounces=0)

    def jam(self) -> None:
        """Let a card stand in the mouth."""
        with self._lock:
            self._catch_up()
            self._edge.move(True, self._clock(), self._random, bounces=0)

    def clear(self) -> None:
        """Take the card out of the mouth."""
        with self._lock:
            self._catch_up()
            self._edge.move(False, self._clock(), self._random, bounces=0)

    def move_lid(self, *, open_it: bool) -> None:
        """Open or shut the lid."""
        with self._lock:
            self._catch_up()
            self._lid.move(open_it, self._clock(), self._random, bounces=LID_BOUNCE_COUNT)

    def lit_seats(self) -> dict[str, tuple[int, ...]]:
        """Return the seats whose lamp of each role is alight at this moment. `configure` must have been called."""
        with self._lock:
            self._catch_up()
            return {
                role: tuple(sorted(seat for seat, lamp in seats.items() if lamp in self.board.lit_lamps))
                for role, seats in self._lamps_by_role.items()
            }

    def is_sounding(self) -> bool:
        """Whether the buzzer sounds at this moment."""
        with self._lock:
            self._catch_up()
            return self._buzzer in self.board.lit_lamps

    def is_open(self) -> bool:
        """Whether the gate lets a card out at this moment."""
        with self._lock:
            self._catch_up()
            return self.board.gate_open

    def reset(self, cause: ResetCause = ResetCause.WATCHDOG) -> None:
        """Restart the board; what it had not sent yet is gone."""
        with self._lock:
            self._catch_up()
            self._frames.clear()
            self.board.reset(cause)

    def _catch_up(self) -> None:
        """Let the board live up to now, a millisecond at a time."""
        now = int((self._clock() - self._started_at) * 1000)
        self._elapsed_ms = max(self._elapsed_ms, now - MAX_CATCH_UP_MS)
        while self._elapsed_ms < now:
            self._elapsed_ms += 1
            at = self._started_at + self._elapsed_ms / 1000
            inputs = self.board.inputs
            inputs.keys = {number for number, contact in self._contact_by_input.items() if contact.is_closed(at)}
            inputs.covered = self._edge.is_closed(at)
            inputs.face_up = self._face.is_closed(at)
            inputs.lid_open = self._lid.is_closed(at)
            self.board.tick()
            if said := self.board.transmit():
                self._frames.append((at, said))
