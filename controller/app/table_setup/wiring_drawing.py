"""The wiring of a table as text and as a drawing (SVG) of the forty-pin header."""

from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

from controller.app.table_setup.wiring import HEADER, BoardWire, Wire, Wiring

ROW, WIDTH, MIDDLE, TOP = 24, 900, 450, 60
CHIPS_A_ROW, CHIP_WIDTH, CHIP_HEIGHT = 3, 285, 210
COLOURS: Mapping[str, str] = {"3V3": "#e8a33d", "5V": "#d64545", "GND": "#333333"}
USED, FREE, CLASH = "#2f7d4f", "#d9d9d9", "#c2185b"


def as_text(wiring: Wiring) -> str:
    """Give tables and the header, for a terminal or a page to print."""
    parts: list[str] = []
    if wiring.wires:
        rows: list[tuple[str, ...]] = [("pin", "GPIO", "device", "role", "to")]
        rows += [(str(w.pin), str(w.bcm), w.device, w.role, w.to) for w in sorted(wiring.wires, key=lambda w: w.pin)]
        parts += [
            _table(rows),
            "The header, seen from above, pin 1 at the corner with the square pad:",
            _header(wiring),
        ]
    if wiring.cables:
        rows = [("device", "driver", "port", "line")]
        parts.append(_table([*rows, *((c.device, c.driver, c.port, c.line) for c in wiring.cables)]))
    if wiring.board:
        rows = [("device", "number", "chip", "what")]
        parts.append(_table([*rows, *((b.device, str(b.number), b.chip, b.what) for b in wiring.board)]))
        parts.append("Chips are counted from the one nearest to the board; its own pins are in docs/flashing.md.")
    parts += [_list("To be known", wiring.notes), _list("CONFLICTS", wiring.conflicts)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _table(rows: Sequence[tuple[str, ...]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])


def _list(title: str, sentences: tuple[str, ...]) -> str:
    return "\n".join([f"{title}:", *(f"* {sentence}" for sentence in sentences)]) if sentences else ""


def _by_pin(wiring: Wiring) -> dict[int, list[Wire]]:
    wires: dict[int, list[Wire]] = {}
    for wire in wiring.wires:
        wires.setdefault(wire.pin, []).append(wire)
    return wires


def _label(wires: list[Wire]) -> str:
    return " + ".join(f"{wire.device} {wire.role}" for wire in wires)


def _header(wiring: Wiring) -> str:
    wires = _by_pin(wiring)
    lines = []
    for left in range(1, 41, 2):
        right = left + 1
        lines.append(
            f"{_label(wires.get(left, [])):>32}  {HEADER[left]:>7} ({left:>2}) ({right:>2}) {HEADER[right]:<7} "
            f" {_label(wires.get(right, []))}".rstrip()
        )
    return "\n".join(lines)


def as_svg(wiring: Wiring, title: str) -> str:
    """Draw the header and the chips of the board with what each pin goes to, as far as the table uses them."""
    parts: list[str] = []
    y = TOP
    if wiring.wires or not wiring.board:
        wires = _by_pin(wiring)
        size = f'width="56" height="{20 * ROW + 8}"'
        parts.append(f'<rect x="{MIDDLE - 28}" y="{TOP - 16}" {size} rx="6" fill="#1d1d1d"/>')
        for pin in HEADER:
            parts += _pin(pin, wires.get(pin, []))
        y += 20 * ROW + 30
    if wiring.board:
        chips, y = _chips(wiring.board, y)
        parts += chips
    for text in (
        *(f"Conflict: {text}" for text in wiring.conflicts),
        *(f"{c.device}: {c.driver} on {c.port}, {c.line}" for c in wiring.cables),
    ):
        colour = CLASH if text.startswith("Conflict") else "#333333"
        parts.append(f'<text x="30" y="{y}" fill="{colour}">{escape(text)}</text>')
        y += 20
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" font-family="sans-serif" font-size="13">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{y}" fill="#ffffff"/>',
        f'<text x="{MIDDLE}" y="30" text-anchor="middle" font-size="18">{escape(title)}</text>',
    )
    return "\n".join([*head, *parts, "</svg>", ""])


def _chips(board: Sequence[BoardWire], top: int) -> tuple[list[str], int]:
    """Draw each shift register as a box with its eight inputs or outputs; return the y below them too."""
    boxes: dict[str, list[BoardWire]] = {}
    for wire in board:
        boxes.setdefault(f"{wire.device}: {wire.chip.partition(' of ')[2]}", []).append(wire)
    parts: list[str] = []
    for place, (name, wires) in enumerate(boxes.items()):
        x, y = 30 + place % CHIPS_A_ROW * CHIP_WIDTH, top + place // CHIPS_A_ROW * CHIP_HEIGHT
        parts.append(f'<text x="{x}" y="{y + 4}" fill="#000000">{escape(name)}</text>')
        parts.append(f'<rect x="{x}" y="{y + 12}" width="40" height="{8 * 20 + 8}" rx="4" fill="#1d1d1d"/>')
        for wire in wires:
            line = y + 12 + 20 + wire.number % 8 * 20
            pin, what = wire.chip.partition(" of ")[0], wire.what.partition(" to ground")[0]
            parts.append(f'<text x="{x + 20}" y="{line}" text-anchor="middle" fill="#ffffff">{pin}</text>')
            parts.append(_text(x + 48, line - 4, what, False, "#000000"))
    rows = -(-len(boxes) // CHIPS_A_ROW)
    return parts, top + rows * CHIP_HEIGHT + 10


def _pin(pin: int, wires: list[Wire]) -> list[str]:
    left = pin % 2 == 1
    y = TOP + (pin - 1) // 2 * ROW
    x = MIDDLE + (-13 if left else 13)
    name = HEADER[pin]
    colour = COLOURS.get(name) or (CLASH if len(wires) > 1 else USED if wires else FREE)
    shape = f'<rect x="{x - 7}" y="{y - 7}" width="14" height="14"' if pin == 1 else f'<circle cx="{x}" cy="{y}" r="7"'
    parts = [
        f'{shape} fill="{colour}" stroke="#ffffff"/>',
        _text(MIDDLE + (-38 if left else 38), y, f"{name}  {pin}" if left else f"{pin}  {name}", left, "#666666"),
    ]
    if wires:
        start, end = MIDDLE + (-120 if left else 120), MIDDLE + (-150 if left else 150)
        parts.append(f'<line x1="{start}" y1="{y}" x2="{end}" y2="{y}" stroke="{colour}" stroke-width="2"/>')
        parts.append(_text(MIDDLE + (-156 if left else 156), y, _label(wires), left, "#000000"))
    return parts


def _text(x: int, y: int, text: str, left: bool, colour: str) -> str:
    anchor = "end" if left else "start"
    return f'<text x="{x}" y="{y + 4}" text-anchor="{anchor}" fill="{colour}">{escape(text)}</text>'
