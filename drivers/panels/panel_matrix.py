"""Keys in a matrix of rows and columns, each with a diode.

One row at a time is driven low while the columns, pulled up, are read. The diode (1N4148, its ring towards the row)
keeps two pressed keys from joining rows, and three from making a fourth.
"""

from collections.abc import Mapping, Sequence

from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import DeviceEvent, Pins, Signals
from drivers.panels.key_tracker import DEFAULT_HOLD_S, DEFAULT_STUCK_S, KeyTracker
from drivers.pins.gpio_header import check_pins


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
        hold_seconds: float = DEFAULT_HOLD_S,
        stuck_seconds: float = DEFAULT_STUCK_S,
    ) -> None:
        self.name = name
        self._row_pins, self._column_pins = tuple(rows), tuple(columns)
        check_pins(name, {key.replace(" ", "s."): pin for key, pin in self.pins_used().items()})
        self._place_by_key = parse_places(name, keys, len(rows), len(columns))
        self._key_tracker = KeyTracker(
            name, tuple(keys), hold=hold, hold_seconds=hold_seconds, stuck_seconds=stuck_seconds
        )

    def pins_used(self) -> dict[str, int]:
        """Return the pins of rows and columns."""
        rows = {f"row {n}": pin for n, pin in enumerate(self._row_pins)}
        return rows | {f"column {n}": pin for n, pin in enumerate(self._column_pins)}

    def start(self, pins: Pins) -> None:
        """Set the rows high and the columns up."""
        for pin in self._row_pins:
            pins.setup_output(pin, True)
        for pin in self._column_pins:
            pins.setup_input(pin, pull_up=True)

    def sample(self, pins: Pins, now: float) -> Sequence[DeviceEvent]:
        """Look at every row."""
        down: dict[str, bool] = {}
        for at, row in enumerate(self._row_pins):
            pins.write(row, False)
            for key, (own_row, column) in self._place_by_key.items():
                if own_row == at:
                    down[key] = not pins.read(self._column_pins[column])
            pins.write(row, True)
        return self._key_tracker.sample(down, now)

    def show_signals(self, signals: Signals, pins: Pins) -> None:
        """Do nothing: the keys have no lamps."""

    def stop(self, pins: Pins) -> None:
        """Do nothing: the rows are at rest."""


def parse_places(device: str, keys: Mapping[str, Sequence[int]], rows: int, columns: int) -> dict[str, tuple[int, int]]:
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
