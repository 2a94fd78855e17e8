"""An SSI driver whose far end is played by hand."""

from drivers.contract.driver_interface import DeviceEvent
from drivers.scanners import ssi
from drivers.scanners.ssi import Ssi

ASK = bytes.fromhex("05 C7 04 00 EE FE 42")
SET_FOR_GOOD = bytes.fromhex("07 C6 04 08 FF EE 01 FD 39")
SET_FOR_NOW = bytes.fromhex("07 C6 04 00 FF EE 01 FD 41")
PACKETS_OFF, PACKETS_ON = b"\xff\xee\x00", b"\xff\xee\x01"
NAK_RESEND, NAK_DENIED = b"\x01", b"\x06"


class SsiLine:
    """A driver whose far end is played by hand: what it sends, with the time of each piece."""

    def __init__(self) -> None:
        self.driver = Ssi("shoe")
        self.now = 100.0
        self.sent: list[tuple[float, bytes]] = []
        self.events: list[DeviceEvent] = []
        self.open_port()

    def open_port(self) -> None:
        self.sent = [(self.now, self.driver.on_port_opened())]
        self.events = []

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.01)):
            data, events = self.driver.on_tick(self.now)
            self.events += events
            if data:
                self.sent.append((self.now, data))
            self.now += 0.01

    def run_until(self, packet: bytes) -> None:
        """Let at most a minute go by until the driver's last packet is this one."""
        for _ in range(6000):
            if self.packets()[-1:] == [packet]:
                return
            self.run(0.01)
        raise AssertionError("it does not send that packet")

    def receive(self, packet: bytes) -> None:
        self.events += self.driver.receive_data(packet, self.now)
        self.run(0.02)

    def answer(self, opcode: int, data: bytes = b"") -> None:
        self.receive(ssi.build_packet(opcode, data, source=ssi.FROM_DECODER))

    def packets(self) -> list[bytes]:
        return [data for _, data in self.sent if data != b"\0"]


def with_resend_bit(packet: bytes) -> bytes:
    return ssi.build_packet(packet[1], packet[4:-2], status=packet[3] | 1)
