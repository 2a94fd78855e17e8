"""Whether a board may be used, from its hello alone."""

from struct import Struct

from firmware_bridge import limits
from firmware_bridge.wire_messages import SCHEMA, ResetCause

_HELLO_HEAD = Struct(">BxxxxBI")
"""Protocol, oldest protocol and schema hash: where they stand in the hello of every version."""


def find_mismatch(hello: bytes) -> str | None:
    """Say why a board with this hello must not be used; the rest of it may have a layout nobody here knows."""
    if len(hello) < _HELLO_HEAD.size:
        return f"the board's hello has {len(hello)} bytes, {_HELLO_HEAD.size} are the least: flash its firmware"
    newest, oldest, schema = _HELLO_HEAD.unpack_from(hello)
    if not oldest <= limits.PROTOCOL <= newest:
        spoken = f"TB/{newest}" if oldest == newest else f"TB/{oldest} to TB/{newest}"
        return f"the board speaks {spoken}, this program TB/{limits.PROTOCOL}: flash the firmware that came with it"
    if schema != SCHEMA:
        return (
            f"the board's message table is {schema:08X}, this program's {SCHEMA:08X}: "
            "flash the firmware that came with it"
        )
    return None


def format_reset_cause(cause: ResetCause) -> str:
    """Say in words why a board started."""
    names = [one.name.lower().replace("_", " ") for one in ResetCause if one in cause and one.name]
    return " and ".join(names) or "unknown cause"
