"""The message table as the C header of the firmware.

`python -m firmware_bridge.c_header > firmware_bridge/firmware/tb_messages.h` writes it; a test keeps the two the same.
"""

import sys
from struct import calcsize

from firmware_bridge.limits import LIMITS
from firmware_bridge.wire_messages import FIELD_ENUMS, MESSAGE_TYPES, SCHEMA, Message, get_payload_size, list_fields


def to_c_name(name: str) -> str:
    """Turn `GateAnswer` into `GATE_ANSWER`; names already in capitals stay."""
    if name.isupper():
        return name
    return "".join("_" + c if c.isupper() and i else c for i, c in enumerate(name)).upper()


def _render_message(kind: type[Message]) -> list[str]:
    name = to_c_name(kind.NAME)
    lines = [f"#define TB_MSG_{name} 0x{kind.CODE:02X}", f"#define TB_LEN_{name} {get_payload_size(kind)}"]
    offset = 0
    for field in list_fields(kind):
        lines.append(f"#define TB_AT_{name}_{field.name.upper()} {offset}")
        offset += calcsize(">" + field.code)
    return lines


def render_c_header() -> str:
    """Give the header: limits, values, codes, payload lengths and field offsets, schema hash."""
    lines = [
        "/* Made by `python -m firmware_bridge.c_header`; do not edit. The table is "
        "firmware_bridge/wire_messages.py. */",
        "#ifndef TB_MESSAGES_H",
        "#define TB_MESSAGES_H",
        "",
        f"#define TB_SCHEMA 0x{SCHEMA:08X}UL",
        "",
        *(f"#define TB_{name} {value}" for name, value in LIMITS.items()),
    ]
    for values, name in FIELD_ENUMS.items():
        lines.append("")
        lines += [f"#define TB_{to_c_name(name)}_{one.name} {one.value}" for one in values]
    for kind in MESSAGE_TYPES:
        lines += ["", *_render_message(kind)]
    return "\n".join([*lines, "", "#endif", ""])


if __name__ == "__main__":
    sys.stdout.write(render_c_header())
