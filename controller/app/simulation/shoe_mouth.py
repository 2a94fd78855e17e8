"""The mouth of a simulated shoe: a card that passes the reader passes the edge sensor too."""

from config.table_file import TableFile
from drivers.sim.bench.bench import Bench
from drivers.sim.bench.twin import ReaderTwin, SensorsTwin


class Mouth(ReaderTwin):
    """A reader and the sensor that a card passes on its way."""

    def __init__(self, reader: ReaderTwin, sensors: SensorsTwin) -> None:
        self._reader = reader
        self._sensors = sensors
        self.baudrate = reader.baudrate
        self.parity = reader.parity

    def nth_tag(self, number: int) -> str:  # type: ignore[override]  # the readers know it without an instance
        """Return the tag of the `number`-th card in a box for this reader."""
        return self._reader.nth_tag(number)

    def present(self, tag: str, antenna: str | None = None) -> None:
        """Let a card pass."""
        self._sensors.pass_card()
        self._reader.present(tag, antenna)

    def remove(self, tag: str | None = None, antenna: str | None = None) -> None:
        """Take the card off the reader."""
        self._reader.remove(tag, antenna)

    def heard(self, data: bytes) -> None:
        """Take bytes that the driver sent."""
        self._reader.heard(data)

    def sent(self) -> list[tuple[float, bytes]]:
        """Return the frames put on the wire since last asked."""
        return self._reader.sent()


def mouth_of(bench: Bench, file: TableFile) -> ReaderTwin:
    """Return what people pull cards past: the reader of the shoe, with its edge sensor where it has one."""
    assert file.shoe is not None
    reader = bench.reader(file.shoe.reader)
    return reader if file.shoe.edge is None else Mouth(reader, bench.sensors(file.shoe.edge))
