"""The far end of a key matrix: a column is low when a pressed key joins it, through its diode, to a row that is low."""

from collections.abc import Mapping, Sequence
from functools import partial

from drivers.panels.key_tracker import DEFAULT_HOLD_S, DEFAULT_STUCK_S
from drivers.simulators.panels.contacts import SimulatedKeys
from drivers.simulators.simulated_pins import SimulatedPins


class PanelMatrixSimulator(SimulatedKeys):
    """Keys between rows and columns."""

    def __init__(
        self,
        pins: SimulatedPins,
        *,
        rows: Sequence[int],
        columns: Sequence[int],
        keys: Mapping[str, Sequence[int]],
        hold: Sequence[str] = (),
        hold_seconds: float = DEFAULT_HOLD_S,
        stuck_seconds: float = DEFAULT_STUCK_S,
    ) -> None:
        del stuck_seconds
        super().__init__(pins.clock, keys, hold, hold_seconds)
        self._pins = pins
        self._row_pins = tuple(rows)
        self._place_by_key = {key: tuple(place) for key, place in keys.items()}
        for column, pin in enumerate(columns):
            pins.drive(pin, partial(self._get_level, column))

    def _get_level(self, column: int) -> bool:
        return not any(
            self.is_down(key) and self._pins.get_driven_level(self._row_pins[row]) is False
            for key, (row, own_column) in self._place_by_key.items()
            if own_column == column
        )
