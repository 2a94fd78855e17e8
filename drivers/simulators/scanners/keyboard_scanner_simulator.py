"""The far end of a scanner that presents itself as a keyboard: what the kernel makes of its key strokes."""

from drivers.scanners.keyboard_scanner import CHARACTERS_BY_KEY_CODE, EVENT_STRUCT
from drivers.simulators.scanners.scanner_simulator import SCAN_DELAY_S, ScannerSimulator

KEY_STROKE_S = 0.002
"""How long a key stroke takes."""

EV_SYN, EV_MSC, EV_KEY, MSC_SCAN = 0, 4, 1, 4
LEFT_SHIFT, ENTER = 42, 28
KEY_STROKE_BY_CHARACTER = {
    character: (code, shift) for code, both in CHARACTERS_BY_KEY_CODE.items() for shift, character in enumerate(both)
}


class KeyboardScannerSimulator(ScannerSimulator):
    """Types code and Enter once for each card; the kernel loses or damages nothing of that."""

    baudrate = 9600
    parity = "N"
    is_lossless = True

    def _send_code(self, code: str) -> None:
        after = SCAN_DELAY_S
        for key, shift in [KEY_STROKE_BY_CHARACTER[character] for character in code] + [(ENTER, 0)]:
            strokes = [(key, 1), (key, 0)]
            if shift:
                strokes = [(LEFT_SHIFT, 1), *strokes, (LEFT_SHIFT, 0)]
            for stroke, value in strokes:
                self._queue_frame(self._build_events(stroke, value, after), after)
                after += KEY_STROKE_S

    def _build_events(self, key: int, value: int, after: float) -> bytes:
        """Make what one change of a key gives: its scan code, the key, and the end of the report."""
        at = self._clock() + after
        when = (int(at), int(at % 1 * 1_000_000))
        return b"".join(
            EVENT_STRUCT.pack(*when, *event)
            for event in ((EV_MSC, MSC_SCAN, 458_752), (EV_KEY, key, value), (EV_SYN, 0, 0))
        )
