"""The far end of an SSI scanner."""

from drivers.readers.framing import MORE, Frames, Junk, More, Skip, Whole
from drivers.scanners.ssi import CMD_ACK, CMD_NAK, DECODE_DATA, FROM_DECODER, PARAM_SEND, RETRANSMISSION, packet
from drivers.sim.bench.twin import Clock
from drivers.sim.scanners.codes import SCAN_SECONDS, Scanner

RESEND_SECONDS = 2.0
RESENDS = 2
CODE_128 = 0x03
DENIED = b"\x06"


class SsiTwin(Scanner):
    """Sends bare text until set to packets; sends a packet again, marked, while nobody acknowledges it."""

    baudrate = 9600
    parity = "N"

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self._frames = Frames(_judge)
        self._packeted = False
        self._resends: list[tuple[float, bytes]] = []

    def heard(self, data: bytes) -> None:
        """Obey commands and take acknowledgements."""
        with self._lock:
            for body in self._frames.feed(data):
                if not isinstance(body, bytes):
                    continue
                match body[1]:
                    case 0xD0:
                        self._out = [item for item in self._out if item not in self._resends]
                        self._resends.clear()
                    case 0xC6 if body[5:6] == b"\xee":
                        self._packeted = body[6] == 1
                        self._say(packet(CMD_ACK, source=FROM_DECODER), 0.005)
                    case _:
                        self._say(packet(CMD_NAK, DENIED, source=FROM_DECODER), 0.005)

    def _scanned(self, code: str) -> None:
        if not self._packeted:
            self._say(code.encode("ascii") + b"\r", SCAN_SECONDS)
            return
        data = bytes((CODE_128,)) + code.encode("ascii")
        self._say(packet(DECODE_DATA, data, source=FROM_DECODER), SCAN_SECONDS)
        for resend in range(1, RESENDS + 1):
            again = packet(DECODE_DATA, data, source=FROM_DECODER, status=RETRANSMISSION)
            self._say(again, SCAN_SECONDS + resend * RESEND_SECONDS)
            self._resends.append(self._out[-1])


def _judge(data: bytes) -> Whole[bytes] | Skip | Junk | More:
    """Judge what may be a packet of the host."""
    if data[0] < 4 or data[1:2] not in (b"", bytes((PARAM_SEND,)), bytes((CMD_ACK,))):
        return Skip(1)
    if len(data) < data[0] + 2:
        return MORE
    body, check = data[: data[0]], data[data[0] : data[0] + 2]
    if (sum(body) + int.from_bytes(check, "big")) & 0xFFFF:
        return Skip(1)
    return Whole(len(body) + 2, body)
