"""Builds the disk of `disk.c`, and speaks to it in a process that was started with it before its C library."""

import ctypes
import os
import subprocess
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

SOURCE = Path(__file__).with_name("disk.c")
PRELOAD = "LD_PRELOAD"


class DiskMishap(IntEnum):
    """What happens at the chosen step; the numbers are those of `disk.c`."""

    NOTHING = 0
    KILL_BEFORE = 1
    KILL_WITHIN = 2
    KILL_AFTER = 3
    FAIL_ONCE = 4
    FAIL_FROM_THEN_ON = 5
    WRITE_SHORT = 6


@dataclass(frozen=True, slots=True)
class Step:
    """The `nth` change below the directory, of files whose name holds `word`: where it happens, with which `errno`."""

    what: DiskMishap = DiskMishap.NOTHING
    nth: int = 0
    word: str = ""
    code: int = 0


def build(folder: Path) -> Path:
    """Compile the disk into `folder`; raises `subprocess.CalledProcessError`."""
    library = folder / "disk.so"
    command = ["cc", "-O2", "-Wall", "-Wextra", "-shared", "-fPIC", "-o", str(library), str(SOURCE), "-ldl"]
    subprocess.run(command, check=True)
    return library


def is_in_place() -> bool:
    """Whether this process has the disk before its C library."""
    return "disk.so" in os.environ.get(PRELOAD, "")


class Disk:
    """The disk of this process."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(os.environ[PRELOAD])
        self._library.disk_arm.argtypes = [ctypes.c_int, ctypes.c_long, ctypes.c_char_p, ctypes.c_int]
        self._library.disk_set_clock.argtypes = [ctypes.c_double]
        self._library.disk_happened.restype = ctypes.c_long

    def watch(self, directory: Path, undo: Path | None) -> None:
        """Look at what happens below `directory`; in `undo` note what a cut of the power may take back."""
        log, kept = ("", "") if undo is None else (str(undo / "log"), str(undo))
        self._library.disk_watch(str(directory).encode(), log.encode(), kept.encode())

    def arm(self, step: Step) -> None:
        """Let it happen at a step."""
        self._library.disk_arm(step.what, step.nth, step.word.encode(), step.code)

    def set_clock(self, seconds: float) -> None:
        """Set the time of day of this process forward, or back."""
        self._library.disk_set_clock(seconds)

    @property
    def mishap_count(self) -> int:
        """How often something happened."""
        return int(self._library.disk_happened())
