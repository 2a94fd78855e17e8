"""The far end of a port of an RC522: the SPI bus and the chip on it."""

import random
import threading

from drivers.contract.transfers import RequestDecoder, TransferRequest, encode_answer
from drivers.simulators.bench.simulator_interfaces import Clock
from drivers.simulators.readers.rc522_chip import Rc522Chip

TRANSFER_OVERHEAD_S = 10e-6
"""How long the kernel keeps the chip select up between two transfers (its default)."""

BUSES = ("chip", "low", "high")

MAX_QUEUED_ANSWERS = 64


class Rc522Simulator:
    """An RC522 at its chip select. Each transfer takes its bits' time (MFRC522 Rev. 3.9, 8.1.2) and its wait.

    `version` is what its VersionReg reads, two hexadecimal digits (91 and 92: NXP's; 12, 88: clones). `bus` is what is
    on MISO: the `chip`, or nothing, `low` (all 00) or `high` (all FF). `flip` is how often a bit arrives wrong on MISO.
    """

    baudrate = 1_000_000
    parity = "N"
    is_lossless = True

    def __init__(self, clock: Clock, *, version: str = "92", bus: str = "chip", flip: str = "0") -> None:
        if bus not in BUSES:
            raise ValueError(f"there is no bus {bus!r}; there are {', '.join(BUSES)}")
        self._clock = clock
        self.chip = Rc522Chip(int(version, 16))
        self.bus = bus
        self._flip = float(flip)
        self._random = random.Random(1)
        self._decoder = RequestDecoder()
        self._free_at = 0.0
        self._queued: list[tuple[float, bytes]] = []
        self._lock = threading.Lock()

    @staticmethod
    def nth_tag(number: int) -> str:
        """Return the UID of an NTAG213: seven bytes, the first that of NXP."""
        return f"04{0xA035B2BC2B00 + number:012X}"

    def present(self, tag: str, antenna: str | None = None) -> None:
        """Bring a tag into the field: 4, 7 or 10 bytes in upper-case hexadecimal."""
        with self._lock:
            self.chip.present(tag, self._clock())

    def remove(self, tag: str | None = None, antenna: str | None = None) -> None:
        """Take a tag, or all, out of the field."""
        with self._lock:
            self.chip.remove(tag)

    def lose_power(self) -> None:
        """Let the supply dip: the chip is reset, and nobody is told."""
        with self._lock:
            self.chip.reset()

    def receive_data(self, data: bytes) -> None:
        """Exchange what was written."""
        with self._lock:
            for request in self._decoder.receive_data(data):
                self._exchange(request)

    def take_frames(self) -> list[tuple[float, bytes]]:
        """Return the answers that are there by now."""
        with self._lock:
            now = self._clock()
            out = [item for item in self._queued if item[0] <= now]
            self._queued = [item for item in self._queued if item[0] > now][-MAX_QUEUED_ANSWERS:]
            return out

    def _exchange(self, request: TransferRequest) -> None:
        at = max(self._clock(), self._free_at)
        received: list[bytes] = []
        for transfer in request.transfers:
            at += TRANSFER_OVERHEAD_S + len(transfer.data) * 8 / self.baudrate
            received.append(self._read_bus(self.chip.transfer(transfer.data, at)))
            at += transfer.delay_us / 1e6
        self._free_at = at
        self._queued.append((at, encode_answer(request.number, received)))

    def _read_bus(self, data: bytes) -> bytes:
        if self.bus != "chip":
            return (b"\x00" if self.bus == "low" else b"\xff") * len(data)
        if not self._flip:
            return data
        return bytes(byte ^ sum((self._random.random() < self._flip) << n for n in range(8)) for byte in data)
