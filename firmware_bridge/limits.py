"""The numbers both ends of TB/1 agree on; `docs/wire.md` gives the reason for each.

They go into the C header with the message table, and into the schema hash with it: a board built with other numbers
is refused by name at the handshake instead of misunderstood at the table.
"""

PROTOCOL = 1
"""Version of the wire protocol: the first byte of every frame."""

MAX_BODY = 64
"""Largest frame body in bytes, version to CRC; the receiver of an 8-bit board holds one."""

MAX_WIRE = MAX_BODY + 2
"""Largest frame on the wire: COBS adds one byte below 254, the delimiter another."""

NO_SEQ = 0xFF
"""Sequence number of a NAK to a frame whose own number could not be read; never used by a request."""

BAUDRATE = 115200
"""8 data bits, no parity, one stop bit."""

KEYS = 56
"""Keys of a board: seven 74HC165, ten seats of five and six for the dealer."""

LAMPS = 48
"""Lamps of a board: six 74HC595, ten seats of four and eight for the table."""

RING = 32
"""Events the board keeps until they are acknowledged."""

REPEAT_MS = 100
"""The board repeats unacknowledged events this often."""

HOST_SILENT_MS = 1000
"""Without a valid frame from the host for this long the session is over: the board shows "link lost", keeps its events
to itself, and does nothing it is told before it is asked its name again."""

LEASE_MAX_MS = 350
"""Longest lease of the gate that may be asked for."""

GATE_MAX_ON_MS = 3000
"""On-time after which the board shuts the gate whatever the host asks; time shut counts back at the same rate."""

GATE_COOL_MS = 10000
"""How long the board refuses the gate after that."""

SCAN_MS = 5
"""Keys are sampled this often."""

KEY_SAMPLES = 4
"""Samples of the debouncing integrator of a key: 20 ms."""

HELD_MS = 800
"""A key down this long is reported as held."""

STUCK_MS = 10000
"""A key down this long is reported as stuck."""

EDGE_MS = 2
"""Debouncing of the card-edge and face sensors."""

LID_MS = 50
"""Debouncing of the lid."""

JAM_MS = 1500
"""A card that covers the edge sensor this long is a jam; a card passes in 30 to 300 ms."""

LIMITS: dict[str, int] = {
    name: value for name, value in sorted(globals().items()) if name.isupper() and isinstance(value, int)
}
"""Every number above by name, in order of the names."""
