"""Keeps the memory of this process to itself: no core file, and nobody of the same user may look into it.

Cards that lie face down are in the memory while the hand lives. A core dump would put them on the disk; so would a
debugger of whoever shares the account. The service's unit says `LimitCORE=0` too; a limit alone does not stop a handler
named in `kernel.core_pattern`, an undumpable process does (core(5), prctl(2)).
"""

import ctypes
import os
import resource

_PR_SET_DUMPABLE = 4


def disable_core_dumps() -> None:
    """Make this process undumpable, for good. Raises `OSError` where the kernel refuses."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
