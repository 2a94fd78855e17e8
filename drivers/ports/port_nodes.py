"""What kind of file a port's name leads to: a port is a character device, or a pseudo-terminal, which is one too.

Looked at before anything is opened: a pipe would be waited at, and what is written to a file or a disk changes it.
"""

import os
import stat

MEMORY_MAJOR = 1
"""Major number of the kernel's own devices: null, zero, random, mem (Linux, admin-guide/devices.txt)."""

_KIND_BY_TEST = {
    stat.S_ISREG: "a file",
    stat.S_ISDIR: "a directory",
    stat.S_ISFIFO: "a pipe",
    stat.S_ISBLK: "a disk",
    stat.S_ISSOCK: "a socket of this machine",
}
_REMEDY_BY_SCHEME = {
    "": "name a serial port, under /dev/serial/by-id (tablectl ports shows them)",
}
"""What would be right of a path; the buses behind `evdev` and `spi` say themselves what is none of theirs."""


def find_node_problem(url: str) -> str | None:
    """Say why the name of a port leads to no port; `None` where it does, where nothing is there, or it is elsewhere."""
    scheme, mark, rest = url.partition("://")
    if not mark:
        scheme, rest = "", url
    if scheme not in _REMEDY_BY_SCHEME:
        return None
    try:
        found = os.stat(rest.partition("?")[0])
    except (OSError, ValueError):  # said where it is opened
        return None
    if stat.S_ISCHR(found.st_mode) and os.major(found.st_rdev) != MEMORY_MAJOR:
        return None
    kind = next((name for test, name in _KIND_BY_TEST.items() if test(found.st_mode)), "a device without a line")
    return f"this is {kind} and no port; {_REMEDY_BY_SCHEME[scheme]}"
