"""The far end of an SSI scanner."""

from drivers.readers.framing import NEED_DATA, Frame, FrameDecoder, NeedData, Noise, Padding
from drivers.scanners.ssi import (
    CMD_ACK,
    CMD_NAK,
    DECODE_DATA,
    FROM_DECODER,
    NAK_RESEND,
    NO_BEEP,
    PACKETED,
    PARAM_REQUEST,
    PARAM_SEND,
    PERMANENT,
    RETRANSMISSION,
    build_packet,
)
from drivers.simulators.bench.simulator_interfaces import Clock
from drivers.simulators.scanners.barcode_scanner_simulator import SUFFIXES
from drivers.simulators.scanners.scanner_simulator import SCAN_DELAY_S, ScannerSimulator

RESEND_INTERVAL_S = 2.0
MAX_RESENDS = 2
CODE_128 = 0x03
DENIED = b"\x06"

WAKE_UP_DELAY_S = 0.04
"""How long it takes to wake; what comes meanwhile is lost."""

SLEEP_DELAY_S = 1.0
"""How long after the last word or card it sleeps (Zebra's shortest time to low power mode)."""

ANSWER_DELAY_S = 0.005
STORE_DELAY_S = 0.15
"""How long it takes to store a setting before it acknowledges it."""


MISHAPS = ("none", "forgets", "misunderstands")


class SsiSimulator(ScannerSimulator):
    """Sleeps until woken; sends bare text until set to packets, and each again, marked, while nobody acknowledges it.

    Its `suffix` stands in the packet, as in bare text. `mishap` is `forgets` for a clone that acknowledges settings and
    keeps none, `misunderstands` for an engine that wants each packet again.
    """

    def __init__(self, clock: Clock, *, baudrate: str = "", suffix: str = "cr", mishap: str = "none") -> None:
        super().__init__(clock, baudrate)
        if suffix not in SUFFIXES:
            raise ValueError(f"there is no suffix {suffix!r}; there are {', '.join(SUFFIXES)}")
        if mishap not in MISHAPS:
            raise ValueError(f"there is no mishap {mishap!r}; there are {', '.join(MISHAPS)}")
        self.mishap = mishap
        self.is_set_for_good = False
        self._suffix = SUFFIXES[suffix]
        self._frame_decoder = FrameDecoder(_parse_packet)
        self._sends_packets = False
        self._queued_resends: list[tuple[float, bytes]] = []
        self._awake_from = self._awake_until = float("-inf")

    def restart(self) -> None:
        """Take its power away for a moment: what it was told until then is forgotten (CR6080 guide p188)."""
        with self._lock:
            self._sends_packets = self.is_set_for_good
            self._queued_frames.clear()
            self._queued_resends.clear()
            self._awake_until = float("-inf")

    def receive_data(self, data: bytes) -> None:
        """Obey commands and take acknowledgements."""
        with self._lock:
            if not data or not self._wake():
                return
            for body in self._frame_decoder.feed(data):
                if isinstance(body, bytes):
                    self._obey(body)

    def _wake(self) -> bool:
        """Stay awake, or begin to wake; whether it can hear what wakes it."""
        now = self._clock()
        if now > self._awake_until:
            self._awake_from = now + WAKE_UP_DELAY_S
        self._awake_until = now + SLEEP_DELAY_S
        return now >= self._awake_from

    def _obey(self, body: bytes) -> None:
        match body[1]:
            case 0xC6 | 0xC7 if self.mishap == "misunderstands":
                self._queue_frame(build_packet(CMD_NAK, bytes((NAK_RESEND,)), source=FROM_DECODER), ANSWER_DELAY_S)
            case 0xD0:
                self._queued_frames = [item for item in self._queued_frames if item not in self._queued_resends]
                self._queued_resends.clear()
            case 0xC6 if body[5:6] == bytes((PACKETED,)):
                if self.mishap != "forgets":
                    self._sends_packets = body[6] == 1
                    self.is_set_for_good = self._sends_packets if body[3] & PERMANENT else self.is_set_for_good
                self._queue_frame(build_packet(CMD_ACK, source=FROM_DECODER), STORE_DELAY_S)
            case 0xC7:
                known = bytes((PACKETED, self._sends_packets)) if bytes((PACKETED,)) in body[4:] else b""
                answer = build_packet(PARAM_SEND, bytes((NO_BEEP,)) + known, source=FROM_DECODER)
                self._queue_frame(answer, ANSWER_DELAY_S)
            case _:
                self._queue_frame(build_packet(CMD_NAK, DENIED, source=FROM_DECODER), ANSWER_DELAY_S)

    def _send_code(self, code: str) -> None:
        self._awake_from = min(self._awake_from, self._clock())
        self._awake_until = self._clock() + SLEEP_DELAY_S
        text = code.encode("ascii") + self._suffix
        if not self._sends_packets:
            self._queue_frame(text, SCAN_DELAY_S)
            return
        data = bytes((CODE_128,)) + text
        self._queue_frame(build_packet(DECODE_DATA, data, source=FROM_DECODER), SCAN_DELAY_S)
        for resend in range(1, MAX_RESENDS + 1):
            again = build_packet(DECODE_DATA, data, source=FROM_DECODER, status=RETRANSMISSION)
            self._queue_frame(again, SCAN_DELAY_S + resend * RESEND_INTERVAL_S)
            self._queued_resends.append(self._queued_frames[-1])


def _parse_packet(data: bytes) -> Frame[bytes] | Padding | Noise | NeedData:
    """Judge what may be a packet of the host."""
    if data[0] < 4 or (len(data) > 1 and data[1] not in (PARAM_SEND, PARAM_REQUEST, CMD_ACK)):
        return Padding(1)
    if len(data) < data[0] + 2:
        return NEED_DATA
    body, check = data[: data[0]], data[data[0] : data[0] + 2]
    if (sum(body) + int.from_bytes(check, "big")) & 0xFFFF:
        return Padding(1)
    return Frame(len(body) + 2, body)
