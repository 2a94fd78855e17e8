"""The message table as the C header of the firmware.

`python -m firmware_bridge.header > firmware_bridge/firmware/tb_messages.h` writes it; a test keeps the two the same.
"""

import sys
from struct import calcsize

from firmware_bridge.limits import LIMITS
from firmware_bridge.messages import ALL, ENUMS, SCHEMA, Message, fields, size


def c_name(name: str) -> str:
    """Turn `GateAnswer` into `GATE_ANSWER`; names already in capitals stay."""
    if name.isupper():
        return name
    return "".join("_" + c if c.isupper() and i else c for i, c in enumerate(name)).upper()


def _message_lines(kind: type[Message]) -> list[str]:
    name = c_name(kind.NAME)
    lines = [f"#define TB_MSG_{name} 0x{kind.CODE:02X}", f"#define TB_LEN_{name} {size(kind)}"]
    offset = 0
    for field in fields(kind):
        lines.append(f"#define TB_AT_{name}_{field.name.upper()} {offset}")
        offset += calcsize(">" + field.code)
    return lines


def c_header() -> str:
    """Give the header: limits, values, codes, payload lengths and field offsets, schema hash."""
    lines = [
        "/* Made by `python -m firmware_bridge.header`; do not edit. The table is firmware_bridge/messages.py. */",
        "#ifndef TB_MESSAGES_H",
        "#define TB_MESSAGES_H",
        "",
        f"#define TB_SCHEMA 0x{SCHEMA:08X}UL",
        "",
        *(f"#define TB_{name} {value}" for name, value in LIMITS.items()),
    ]
    for values, name in ENUMS.items():
        lines.append("")
        lines += [f"#define TB_{c_name(name)}_{one.name} {one.value}" for one in values]
    for kind in ALL:
        lines += ["", *_message_lines(kind)]
    return "\n".join([*lines, "", "#endif", ""])


if __name__ == "__main__":
    sys.stdout.write(c_header())
