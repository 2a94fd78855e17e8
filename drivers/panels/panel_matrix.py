"""Keys in a matrix of rows and columns, each with a diode.

One row at a time is driven low while the columns, pulled up, are read. The diode (1N4148, its ring towards the row)
keeps two pressed keys from joining rows, and three from making a fourth.
"""

from collections.abc import Mapping, Sequence

from drivers.contract.base import DeviceEvent, Pins, Signals
from drivers.contract.errors import DriverConfigError
from drivers.panels.keys import HOLD_SECONDS, STUCK_SECONDS, Keys
from drivers.pins.header import check_pins


class PanelMatrix:
    """A panel of keys in a matrix.

    `rows` and `columns` are BCM pins; `keys` names each key's place, `[row, column]`, counted from 0 in those lists.
    The other keys are those of `drivers.panels.key_panel.KeyPanel`.
    """

    def __init__(
        self,
        name: str,
        *,
        rows: Sequence[int],
        columns: Sequence[int],
        keys: Mapping[str, Sequence[int]],
        hold: Sequence[str] = (),
        hold_seconds: float = HOLD_SECONDS,
        stuck_seconds: float = STUCK_SECONDS,
    ) -> None:
        self.name = name
        self._rows, self._columns = tuple(rows), tuple(columns)
        check_pins(name, {key.replace(" ", "s."): pin for key, pin in self.pins_used().items()})
        self._places = places_of(name, keys, len(rows), len(columns))
        self._keys = Keys(name, tuple(keys), hold=hold, hold_seconds=hold_seconds, stuck_seconds=stuck_seconds)

    def pins_used(self) -> dict[str, int]:
        """Return the pins of rows and columns."""
        rows = {f"row {n}": pin for n, pin in enumerate(self._rows)}
        return rows | {f"column {n}": pin for n, pin in enumerate(self._columns)}

    def start(self, pins: Pins) -> None:
        """Set the rows high and the columns up."""
        for pin in self._rows:
            pins.setup_output(pin, True)
        for pin in self._columns:
            pins.setup_input(pin, pull_up=True)

    def sample(self, pins: Pins, now: float) -> Sequence[DeviceEvent]:
        """Look at every row."""
        down: dict[str, bool] = {}
        for at, row in enumerate(self._rows):
            pins.write(row, False)
            for key, (own_row, column) in self._places.items():
                if own_row == at:
                    down[key] = not pins.read(self._columns[column])
            pins.write(row, True)
        return self._keys.sampled(down, now)

    def perform(self, signals: Signals, pins: Pins) -> None:
        """Do nothing: the keys have no lamps."""

    def stop(self, pins: Pins) -> None:
        """Do nothing: the rows are at rest."""


def places_of(device: str, keys: Mapping[str, Sequence[int]], rows: int, columns: int) -> dict[str, tuple[int, int]]:
    """Return the place of every key; refuses, with `DriverConfigError`, what is no place or has two keys."""
    if not keys:
        raise DriverConfigError(device, "keys", "a panel needs at least one key: name = [row, column]")
    places: dict[str, tuple[int, int]] = {}
    for key, place in keys.items():
        if len(place) != 2 or not (0 <= place[0] < rows and 0 <= place[1] < columns):
            text = f"{list(place)} is no place; it must be [row, column], 0 to {rows - 1} and 0 to {columns - 1}"
            raise DriverConfigError(device, f"keys.{key}", text)
        if (place[0], place[1]) in places.values():
            raise DriverConfigError(device, f"keys.{key}", f"there is another key at {list(place)}")
        places[key] = (place[0], place[1])
    return places
