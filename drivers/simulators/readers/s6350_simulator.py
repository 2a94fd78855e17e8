"""The far end of a TI S6350 reader."""

from drivers.readers.framing import FrameDecoder
from drivers.readers.s6350 import INVENTORY, build_frame, parse_frame
from drivers.simulators.bench.simulator_interfaces import Clock
from drivers.simulators.readers.polled_reader_simulator import PolledReaderSimulator

INVENTORY_DELAY_S = 0.06
"""How long looking for tags takes: nobody timed one; between the 16 and 74 ms of 16 slots of ISO/IEC 15693-3, nearer to
the longer because the reader is of the first of its kind."""

NOT_FOUND = b"\x01"


class S6350Simulator(PolledReaderSimulator):
    """Answers inventories; two tags in one time slot, which the lowest digit of the UID chooses, collide."""

    baudrate = 57600
    parity = "N"

    def __init__(self, clock: Clock, *, baudrate: str = "") -> None:
        super().__init__(clock, baudrate)
        self._frame_decoder = FrameDecoder(parse_frame)

    def receive_data(self, data: bytes) -> None:
        """Answer inventories."""
        with self._lock:
            for body in self._frame_decoder.feed(data):
                if body == INVENTORY:
                    self._queue_frame(build_frame(self._build_inventory()), INVENTORY_DELAY_S)

    def _build_inventory(self) -> bytes:
        if not self._field:
            return NOT_FOUND
        slots: dict[int, list[str]] = {}
        for tag in self._field:
            slots.setdefault(int(tag[-1], 16), []).append(tag)
        found = {slot: tags[0] for slot, tags in sorted(slots.items()) if len(tags) == 1}
        collided = sum(1 << slot for slot, tags in slots.items() if len(tags) > 1)
        records = b"".join(b"\0\0" + bytes.fromhex(tag)[::-1] for tag in found.values())
        bitmap = sum(1 << slot for slot in found)
        return bitmap.to_bytes(2, "little") + collided.to_bytes(2, "little") + records
