"""The far end of a scanner that presents itself as a keyboard: what the kernel makes of its key strokes."""

from drivers.scanners.keyboard_scanner import EVENT, KEYS
from drivers.sim.scanners.codes import SCAN_SECONDS, Scanner

KEY_SECONDS = 0.002
"""How long a key stroke takes."""

EV_SYN, EV_MSC, EV_KEY, MSC_SCAN = 0, 4, 1, 4
LEFT_SHIFT, ENTER = 42, 28
CODES = {character: (code, shift) for code, both in KEYS.items() for shift, character in enumerate(both)}


class KeyboardScannerTwin(Scanner):
    """Types code and Enter once for each card; the kernel loses or damages nothing of that."""

    baudrate = 9600
    parity = "N"
    lossless = True

    def _scanned(self, code: str) -> None:
        after = SCAN_SECONDS
        for key, shift in [CODES[character] for character in code] + [(ENTER, 0)]:
            strokes = [(key, 1), (key, 0)]
            if shift:
                strokes = [(LEFT_SHIFT, 1), *strokes, (LEFT_SHIFT, 0)]
            for stroke, value in strokes:
                self._say(self._events(stroke, value, after), after)
                after += KEY_SECONDS

    def _events(self, key: int, value: int, after: float) -> bytes:
        """Make what one change of a key gives: its scan code, the key, and the end of the report."""
        at = self._clock() + after
        when = (int(at), int(at % 1 * 1_000_000))
        return b"".join(
            EVENT.pack(*when, *event) for event in ((EV_MSC, MSC_SCAN, 458_752), (EV_KEY, key, value), (EV_SYN, 0, 0))
        )
