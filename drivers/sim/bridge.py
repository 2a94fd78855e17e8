"""The far end of the microcontroller board: the board of `firmware_bridge.twin`, its keys, lamps, gate and shoe."""

import random
import threading
from collections.abc import Mapping

from drivers.sim.bench.twin import Clock
from drivers.sim.panels.contacts import TAP_SECONDS, Contact
from drivers.sim.shoe.shoe_sensors import LID_BOUNCES, PASSAGE_SECONDS
from firmware_bridge import limits
from firmware_bridge.messages import ResetCause
from firmware_bridge.twin import Twin

CATCH_UP_MS = 15_000
"""How much of a long unobserved time the board lives through: longer than any of its timers."""


class BridgeTwin:
    """A board whose milliseconds pass with the clock of the bench."""

    baudrate = limits.BAUDRATE
    parity = "N"

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.RLock()
        self._chance = random.Random(1)
        self._began = clock()
        self._lived = 0
        self._out: list[tuple[float, bytes]] = []
        self._keys: dict[str, int] = {}
        self._hold: frozenset[str] = frozenset()
        self._lamps: dict[str, dict[int, int]] = {}
        self._contacts: dict[int, Contact] = {}
        self._buzzer: object = None
        self._edge, self._face, self._lid = Contact(), Contact(), Contact()
        self.board = Twin()

    def configured(self, keys: Mapping[str, object]) -> None:
        """Learn from the device's keys what is wired to which number."""
        names, outputs, hold = keys.get("keys", {}), keys.get("outputs", {}), keys.get("hold", ())
        if not isinstance(names, Mapping) or not isinstance(outputs, Mapping) or not isinstance(hold, list | tuple):
            raise TypeError("keys and outputs are tables, hold is a list")
        self._keys, self._hold = dict(names), frozenset(hold)
        self._lamps = {role: {int(seat): lamp for seat, lamp in seats.items()} for role, seats in outputs.items()}
        self._contacts = {number: Contact() for number in self._keys.values()}
        self._buzzer = keys.get("buzzer")

    # The wire

    def heard(self, data: bytes) -> None:
        """Take bytes that the driver sent."""
        with self._lock:
            self._live()
            self.board.receive(data)

    def sent(self) -> list[tuple[float, bytes]]:
        """Return what the board has said by now."""
        with self._lock:
            self._live()
            out, self._out = self._out, []
            return out

    # The people

    def press(self, key: str) -> None:
        """Press a key; its contact bounces."""
        with self._lock:
            self._live()
            self._contacts[self._keys[key]].move(True, self._clock(), self._chance)

    def release(self, key: str) -> None:
        """Let a key go; its contact bounces."""
        with self._lock:
            self._live()
            self._contacts[self._keys[key]].move(False, self._clock(), self._chance)

    def tap(self, key: str, seconds: float | None = None) -> None:
        """Press a key now and let it go `seconds` later, or as late as this key needs."""
        usual = TAP_SECONDS + (limits.HELD_MS / 1000 if key in self._hold else 0.0)
        with self._lock:
            self._live()
            now, contact = self._clock(), self._contacts[self._keys[key]]
            contact.move(True, now, self._chance)
            contact.move(False, now + (usual if seconds is None else seconds), self._chance)

    def pass_card(self, seconds: float = PASSAGE_SECONDS, *, face_up: bool = False) -> None:
        """Let a card pass the mouth now."""
        with self._lock:
            self._live()
            now = self._clock()
            for contact in (self._edge, self._face) if face_up else (self._edge,):
                contact.move(True, now, self._chance, bounces=0)
                contact.move(False, now + seconds, self._chance, bounces=0)

    def jam(self) -> None:
        """Let a card stand in the mouth."""
        with self._lock:
            self._live()
            self._edge.move(True, self._clock(), self._chance, bounces=0)

    def clear(self) -> None:
        """Take the card out of the mouth."""
        with self._lock:
            self._live()
            self._edge.move(False, self._clock(), self._chance, bounces=0)

    def move_lid(self, *, open_it: bool) -> None:
        """Open or shut the lid."""
        with self._lock:
            self._live()
            self._lid.move(open_it, self._clock(), self._chance, bounces=LID_BOUNCES)

    def lit(self) -> dict[str, tuple[int, ...]]:
        """Return the seats whose lamp of each role is alight at this moment. `configured` must have been called."""
        with self._lock:
            self._live()
            return {
                role: tuple(sorted(seat for seat, lamp in seats.items() if lamp in self.board.lit))
                for role, seats in self._lamps.items()
            }

    def is_sounding(self) -> bool:
        """Whether the buzzer sounds at this moment."""
        with self._lock:
            self._live()
            return self._buzzer in self.board.lit

    def is_open(self) -> bool:
        """Whether the gate lets a card out at this moment."""
        with self._lock:
            self._live()
            return self.board.gate_open

    def reset(self, cause: ResetCause = ResetCause.WATCHDOG) -> None:
        """Restart the board; what it had not sent yet is gone."""
        with self._lock:
            self._live()
            self._out.clear()
            self.board.reset(cause)

    def _live(self) -> None:
        """Let the board live up to now, a millisecond at a time."""
        now = int((self._clock() - self._began) * 1000)
        self._lived = max(self._lived, now - CATCH_UP_MS)
        while self._lived < now:
            self._lived += 1
            at = self._began + self._lived / 1000
            inputs = self.board.inputs
            inputs.keys = {number for number, contact in self._contacts.items() if contact.closed(at)}
            inputs.covered = self._edge.closed(at)
            inputs.face_up = self._face.closed(at)
            inputs.lid_open = self._lid.closed(at)
            self.board.tick()
            if said := self.board.transmit():
                self._out.append((at, said))
