"""The far end of an SSI scanner."""

from drivers.readers.framing import NEED_DATA, Frame, FrameDecoder, NeedData, Noise, Padding
from drivers.scanners.ssi import CMD_ACK, CMD_NAK, DECODE_DATA, FROM_DECODER, PARAM_SEND, RETRANSMISSION, build_packet
from drivers.simulators.bench.simulator_interfaces import Clock
from drivers.simulators.scanners.scanner_simulator import SCAN_DELAY_S, ScannerSimulator

RESEND_INTERVAL_S = 2.0
MAX_RESENDS = 2
CODE_128 = 0x03
DENIED = b"\x06"


class SsiSimulator(ScannerSimulator):
    """Sends bare text until set to packets; sends a packet again, marked, while nobody acknowledges it."""

    baudrate = 9600
    parity = "N"

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self._frame_decoder = FrameDecoder(_parse_packet)
        self._sends_packets = False
        self._queued_resends: list[tuple[float, bytes]] = []

    def receive_data(self, data: bytes) -> None:
        """Obey commands and take acknowledgements."""
        with self._lock:
            for body in self._frame_decoder.feed(data):
                if not isinstance(body, bytes):
                    continue
                match body[1]:
                    case 0xD0:
                        self._queued_frames = [item for item in self._queued_frames if item not in self._queued_resends]
                        self._queued_resends.clear()
                    case 0xC6 if body[5:6] == b"\xee":
                        self._sends_packets = body[6] == 1
                        self._queue_frame(build_packet(CMD_ACK, source=FROM_DECODER), 0.005)
                    case _:
                        self._queue_frame(build_packet(CMD_NAK, DENIED, source=FROM_DECODER), 0.005)

    def _send_code(self, code: str) -> None:
        if not self._sends_packets:
            self._queue_frame(code.encode("ascii") + b"\r", SCAN_DELAY_S)
            return
        data = bytes((CODE_128,)) + code.encode("ascii")
        self._queue_frame(build_packet(DECODE_DATA, data, source=FROM_DECODER), SCAN_DELAY_S)
        for resend in range(1, MAX_RESENDS + 1):
            again = build_packet(DECODE_DATA, data, source=FROM_DECODER, status=RETRANSMISSION)
            self._queue_frame(again, SCAN_DELAY_S + resend * RESEND_INTERVAL_S)
            self._queued_resends.append(self._queued_frames[-1])


def _parse_packet(data: bytes) -> Frame[bytes] | Padding | Noise | NeedData:
    """Judge what may be a packet of the host."""
    if data[0] < 4 or data[1:2] not in (b"", bytes((PARAM_SEND,)), bytes((CMD_ACK,))):
        return Padding(1)
    if len(data) < data[0] + 2:
        return NEED_DATA
    body, check = data[: data[0]], data[data[0] : data[0] + 2]
    if (sum(body) + int.from_bytes(check, "big")) & 0xFFFF:
        return Padding(1)
    return Frame(len(body) + 2, body)
