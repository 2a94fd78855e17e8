"""DTR and RTS of a serial port: what a file says of them, and what a kind of port wants where it says nothing.

A device whose USB is its own (Leonardo, Micro, Pico, ESP32-S3; some scanners as virtual COM port) sends nothing while
DTR is low: TinyUSB counts it as disconnected (`tud_cdc_n_connected`), and Arduino's `CDC.cpp` drops what is printed.
Linux calls such ports ttyACM. Behind a serial chip (CH340, CP2102, FT232: ttyUSB) nobody waits for DTR, and on some
boards DTR and RTS are wired to reset and boot pins: there both stay low.

An Uno is a ttyACM by its 16U2 and is reset by DTR. High does it no harm: its reset comes of the edge, and Linux raises
both lines itself whenever it opens a port (`tty_port_block_til_ready` in drivers/tty/tty_port.c), before any program
can say otherwise. So it restarts once at each opening with either level.
"""

import os
import re
from dataclasses import dataclass

_OWN_USB_NODE = re.compile(r"/dev/ttyACM\d+")

_SCHEMES_WITHOUT_LINES = ("socket", "evdev", "spi")
"""What is behind these schemes has no such lines."""


@dataclass(frozen=True, slots=True)
class ControlLines:
    """The levels of both lines, true for high; `None` is as the kind of port wants it."""

    dtr: bool | None = None
    rts: bool | None = None

    def __str__(self) -> str:
        named = [f"{name} {'high' if level else 'low'}" for name, level in (("DTR", self.dtr), ("RTS", self.rts))]
        return f"DTR and RTS {'high' if self.dtr else 'low'}" if self.dtr is self.rts else " and ".join(named)


KIND_DECIDES = ControlLines()
BOTH_LOW = ControlLines(dtr=False, rts=False)


def choose_control_lines(url: str, wanted: ControlLines) -> ControlLines | None:
    """Say both levels for a port, its links followed; `None` where it has no such lines."""
    scheme, mark, _ = url.partition("://")
    if mark and scheme in _SCHEMES_WITHOUT_LINES:
        return None
    is_high = _OWN_USB_NODE.fullmatch(os.path.realpath(url)) is not None if url.startswith("/") else False
    return ControlLines(is_high if wanted.dtr is None else wanted.dtr, is_high if wanted.rts is None else wanted.rts)


def find_missing_line(url: str, wanted: ControlLines) -> tuple[str, str] | None:
    """The key, and what is wrong with it, where a line is wanted of a port that has none."""
    if choose_control_lines(url, wanted) is not None:
        return None
    for key, level in (("dtr", wanted.dtr), ("rts", wanted.rts)):
        if level is not None:
            return key, f"{url.partition('://')[0]}:// has no line {key.upper()}; take {key} out, or name a serial port"
    return None
