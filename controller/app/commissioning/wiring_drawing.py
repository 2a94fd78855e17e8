"""The wiring of a table as text and as a drawing (SVG) of the forty-pin header."""

from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

from controller.app.commissioning.wiring import NAME_BY_HEADER_PIN, BoardWire, Wire, Wiring

ROW_HEIGHT, DRAWING_WIDTH, MIDDLE_X, TOP_Y = 24, 900, 450, 60
CHIPS_PER_ROW, CHIP_WIDTH, CHIP_HEIGHT = 3, 285, 210
COLOUR_BY_SUPPLY_PIN_NAME: Mapping[str, str] = {"3V3": "#e8a33d", "5V": "#d64545", "GND": "#333333"}
USED_COLOUR, FREE_COLOUR, CLASH_COLOUR = "#2f7d4f", "#d9d9d9", "#c2185b"


def render_wiring_text(wiring: Wiring) -> str:
    """Give tables and the header, for a terminal or a page to print."""
    parts: list[str] = []
    if wiring.wires:
        rows: list[tuple[str, ...]] = [("pin", "GPIO", "device", "role", "to")]
        rows += [
            (str(w.header_pin), str(w.bcm_number), w.device, w.role, w.end)
            for w in sorted(wiring.wires, key=lambda w: w.header_pin)
        ]
        parts += [
            _render_table(rows),
            "The header, seen from above, pin 1 at the corner with the square pad:",
            _render_header(wiring),
        ]
    if wiring.connections:
        rows = [("device", "driver", "port", "line")]
        parts.append(
            _render_table([*rows, *((c.device, c.driver, c.port, c.line_settings) for c in wiring.connections)])
        )
    if wiring.board_wires:
        rows = [("device", "number", "chip", "what")]
        parts.append(
            _render_table(
                [*rows, *((b.device, str(b.chain_position), b.chip_pin, b.purpose) for b in wiring.board_wires)]
            )
        )
        parts.append("Chips are counted from the one nearest to the board; its own pins are in docs/flashing.md.")
    parts.append(_render_list("From the header", _describe_load(wiring)))
    parts += [_render_list("To be known", wiring.notes), _render_list("CONFLICTS", wiring.conflicts)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _render_table(rows: Sequence[tuple[str, ...]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])


def _render_list(title: str, sentences: tuple[str, ...]) -> str:
    return "\n".join([f"{title}:", *(f"* {sentence}" for sentence in sentences)]) if sentences else ""


def _describe_load(wiring: Wiring) -> tuple[str, ...]:
    return () if wiring.load is None else (wiring.load.describe(),)


def _group_by_pin(wiring: Wiring) -> dict[int, list[Wire]]:
    wires: dict[int, list[Wire]] = {}
    for wire in wiring.wires:
        wires.setdefault(wire.header_pin, []).append(wire)
    return wires


def _render_label(wires: list[Wire]) -> str:
    return " + ".join(f"{wire.device} {wire.role}" for wire in wires)


def _render_header(wiring: Wiring) -> str:
    wires = _group_by_pin(wiring)
    lines = []
    for left in range(1, 41, 2):
        right = left + 1
        lines.append(
            f"{_render_label(wires.get(left, [])):>32}  {NAME_BY_HEADER_PIN[left]:>7} ({left:>2}) ({right:>2}) "
            f"{NAME_BY_HEADER_PIN[right]:<7} "
            f" {_render_label(wires.get(right, []))}".rstrip()
        )
    return "\n".join(lines)


def render_wiring_svg(wiring: Wiring, title: str) -> str:
    """Draw the header and the chips of the board with what each pin goes to, as far as the table uses them."""
    parts: list[str] = []
    y = TOP_Y
    if wiring.wires or not wiring.board_wires:
        wires = _group_by_pin(wiring)
        size = f'width="56" height="{20 * ROW_HEIGHT + 8}"'
        parts.append(f'<rect x="{MIDDLE_X - 28}" y="{TOP_Y - 16}" {size} rx="6" fill="#1d1d1d"/>')
        for pin in NAME_BY_HEADER_PIN:
            parts += _draw_pin(pin, wires.get(pin, []))
        y += 20 * ROW_HEIGHT + 30
    if wiring.board_wires:
        chips, y = _draw_chips(wiring.board_wires, y)
        parts += chips
    for text in (
        *(f"Conflict: {text}" for text in wiring.conflicts),
        *(f"{c.device}: {c.driver} on {c.port}, {c.line_settings}" for c in wiring.connections),
        *_describe_load(wiring),
    ):
        colour = CLASH_COLOUR if text.startswith("Conflict") else "#333333"
        parts.append(f'<text x="30" y="{y}" fill="{colour}">{escape(text)}</text>')
        y += 20
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {DRAWING_WIDTH} {y}" font-family="sans-serif" '
        f'font-size="13">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{DRAWING_WIDTH}" height="{y}" fill="#ffffff"/>',
        f'<text x="{MIDDLE_X}" y="30" text-anchor="middle" font-size="18">{escape(title)}</text>',
    )
    return "\n".join([*head, *parts, "</svg>", ""])


def _draw_chips(board: Sequence[BoardWire], top: int) -> tuple[list[str], int]:
    """Draw each shift register as a box with its eight inputs or outputs; return the y below them too."""
    boxes: dict[str, list[BoardWire]] = {}
    for wire in board:
        boxes.setdefault(f"{wire.device}: {wire.chip_pin.partition(' of ')[2]}", []).append(wire)
    parts: list[str] = []
    for place, (name, wires) in enumerate(boxes.items()):
        x, y = 30 + place % CHIPS_PER_ROW * CHIP_WIDTH, top + place // CHIPS_PER_ROW * CHIP_HEIGHT
        parts.append(f'<text x="{x}" y="{y + 4}" fill="#000000">{escape(name)}</text>')
        parts.append(f'<rect x="{x}" y="{y + 12}" width="40" height="{8 * 20 + 8}" rx="4" fill="#1d1d1d"/>')
        for wire in wires:
            line = y + 12 + 20 + wire.chain_position % 8 * 20
            pin, what = wire.chip_pin.partition(" of ")[0], wire.purpose.partition(" to ground")[0]
            parts.append(f'<text x="{x + 20}" y="{line}" text-anchor="middle" fill="#ffffff">{pin}</text>')
            parts.append(_draw_text(x + 48, line - 4, what, False, "#000000"))
    rows = -(-len(boxes) // CHIPS_PER_ROW)
    return parts, top + rows * CHIP_HEIGHT + 10


def _draw_pin(pin: int, wires: list[Wire]) -> list[str]:
    left = pin % 2 == 1
    y = TOP_Y + (pin - 1) // 2 * ROW_HEIGHT
    x = MIDDLE_X + (-13 if left else 13)
    name = NAME_BY_HEADER_PIN[pin]
    clashes = len(wires) > 1 and not all(wire.is_bus for wire in wires)
    colour = COLOUR_BY_SUPPLY_PIN_NAME.get(name) or (CLASH_COLOUR if clashes else USED_COLOUR if wires else FREE_COLOUR)
    shape = f'<rect x="{x - 7}" y="{y - 7}" width="14" height="14"' if pin == 1 else f'<circle cx="{x}" cy="{y}" r="7"'
    parts = [
        f'{shape} fill="{colour}" stroke="#ffffff"/>',
        _draw_text(
            MIDDLE_X + (-38 if left else 38), y, f"{name}  {pin}" if left else f"{pin}  {name}", left, "#666666"
        ),
    ]
    if wires:
        start, end = MIDDLE_X + (-120 if left else 120), MIDDLE_X + (-150 if left else 150)
        parts.append(f'<line x1="{start}" y1="{y}" x2="{end}" y2="{y}" stroke="{colour}" stroke-width="2"/>')
        parts.append(_draw_text(MIDDLE_X + (-156 if left else 156), y, _render_label(wires), left, "#000000"))
    return parts


def _draw_text(x: int, y: int, text: str, left: bool, colour: str) -> str:
    anchor = "end" if left else "start"
    return f'<text x="{x}" y="{y + 4}" text-anchor="{anchor}" fill="{colour}">{escape(text)}</text>'
