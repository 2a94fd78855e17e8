"""The far end of a key matrix: a column is low when a pressed key joins it, through its diode, to a row that is low."""

from collections.abc import Mapping, Sequence
from functools import partial

from drivers.panels.keys import HOLD_SECONDS, STUCK_SECONDS
from drivers.sim.panels.contacts import Fingers
from drivers.sim.pins import SimPins


class PanelMatrixTwin(Fingers):
    """Keys between rows and columns."""

    def __init__(
        self,
        pins: SimPins,
        *,
        rows: Sequence[int],
        columns: Sequence[int],
        keys: Mapping[str, Sequence[int]],
        hold: Sequence[str] = (),
        hold_seconds: float = HOLD_SECONDS,
        stuck_seconds: float = STUCK_SECONDS,
    ) -> None:
        del stuck_seconds
        super().__init__(pins.clock, keys, hold, hold_seconds)
        self._pins = pins
        self._rows = tuple(rows)
        self._keys = {key: tuple(place) for key, place in keys.items()}
        for column, pin in enumerate(columns):
            pins.drive(pin, partial(self._level, column))

    def _level(self, column: int) -> bool:
        return not any(
            self.is_down(key) and self._pins.driven(self._rows[row]) is False
            for key, (row, own_column) in self._keys.items()
            if own_column == column
        )
