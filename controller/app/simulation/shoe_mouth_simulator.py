"""The mouth of a simulated shoe: a card that passes the reader passes the edge sensor too."""

from config.table_file import TableFile
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.simulator_interfaces import ReaderSimulator, SensorsSimulator


class ShoeMouthSimulator(ReaderSimulator):
    """A reader, the one of its antennas that is in the shoe, and the sensor that a card passes on its way."""

    def __init__(self, reader: ReaderSimulator, sensors: SensorsSimulator | None, antenna: str | None = None) -> None:
        self._reader = reader
        self._antenna = antenna
        self._sensors = sensors
        self.baudrate = reader.baudrate
        self.parity = reader.parity

    def nth_tag(self, number: int) -> str:  # type: ignore[override]  # the readers know it without an instance
        """Return the tag of the `number`-th card in a box for this reader."""
        return self._reader.nth_tag(number)

    def present(self, tag: str, antenna: str | None = None) -> None:
        """Let a card pass."""
        if self._sensors is not None:
            self._sensors.pass_card()
        self._reader.present(tag, antenna or self._antenna)

    def remove(self, tag: str | None = None, antenna: str | None = None) -> None:
        """Take the card off the reader."""
        self._reader.remove(tag, antenna or self._antenna)

    def receive_data(self, data: bytes) -> None:
        """Take bytes that the driver sent."""
        self._reader.receive_data(data)

    def take_frames(self) -> list[tuple[float, bytes]]:
        """Return the frames put on the wire since last asked."""
        return self._reader.take_frames()


def make_shoe_mouth(bench: Bench, file: TableFile) -> ReaderSimulator:
    """Return what people pull cards past: the reader of the shoe, with its edge sensor where it has one."""
    assert file.shoe is not None
    reader = bench.reader(file.shoe.reader)
    antenna = file.find_shoe_antenna()
    if file.shoe.edge is None and antenna is None:
        return reader
    sensors = None if file.shoe.edge is None else bench.sensors(file.shoe.edge)
    return ShoeMouthSimulator(reader, sensors, antenna)
