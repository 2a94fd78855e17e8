"""Names the processes that hold a file: who locks it, and where the kernel names nobody, who has it open.

From `/proc/locks` (proc_locks(5)) and `/proc/PID/fd`. Of a command line only the program, files and commands of
`tablectl` are told: anything else in it may be a password.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PROC_FOLDER = Path("/proc")

OWN_COMMAND = "tablectl"
"""Of this program the words behind its name are told too, up to its first option: they are commands."""

MAX_NAMED_HOLDERS = 3
MAX_COMMAND_LENGTH = 120

UNSEEN_HOLDER_TEXT = "another program, whose process cannot be seen from here"


@dataclass(frozen=True, slots=True)
class FileHolder:
    """A process that holds a file; `command` is empty where its command line is closed to this user."""

    process_id: int
    command: str

    def __str__(self) -> str:
        """Name it as people look for it."""
        return f"process {self.process_id}" + (f": {self.command}" if self.command else "")


def has_writer(path: Path) -> bool:
    """Whether another process locks a database to write it, or to have it alone."""
    files = (path, path.with_name(f"{path.name}-shm"))
    return any(is_write_lock for file in files for _, is_write_lock in _iter_locks(file, PROC_FOLDER))


def find_holders(path: Path, proc: Path = PROC_FOLDER) -> tuple[FileHolder, ...]:
    """The processes, other than this one, that lock `path` or the `-shm` of a database: writers, or else readers.

    Where no lock has a process (an open file description has it, or another machine), those that have it open.
    """
    there = [file for file in (path, path.with_name(f"{path.name}-shm")) if file.exists()]
    writers, readers = set[int](), set[int]()
    for file in there:
        for process_id, is_write_lock in _iter_locks(file, proc):
            (writers if is_write_lock else readers).add(process_id)
    found = writers or readers or {process_id for file in there for process_id in _iter_openers(file, proc)}
    return tuple(FileHolder(each, _read_command(each, proc)) for each in sorted(found))


def describe_holders(path: Path, proc: Path = PROC_FOLDER) -> str:
    """Say who holds a file, in a few words, for a sentence about it."""
    holders = find_holders(path, proc)
    if not holders:
        return UNSEEN_HOLDER_TEXT
    named = ", ".join(map(str, holders[:MAX_NAMED_HOLDERS]))
    more = len(holders) - MAX_NAMED_HOLDERS
    return f"{named} and {more} more" if more > 0 else named


def _iter_locks(path: Path, proc: Path) -> Iterator[tuple[int, bool]]:
    """Each lock of another process on a file: whose, and whether it is one to write."""
    try:
        about = path.stat()
        rows = (proc / "locks").read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return
    for row in rows:
        words = row.split()
        if len(words) < 6:
            continue
        kind, number, place = words[3], words[4], words[5].split(":")
        if len(place) != 3 or place[2] != str(about.st_ino) or not number.isdecimal():
            continue
        process_id = int(number)  # one that waits for a lock stands a word further on, and is none of them
        # The device of a file that lies on layers is not the one that the kernel names here.
        is_same = place[:2] == [f"{os.major(about.st_dev):02x}", f"{os.minor(about.st_dev):02x}"]
        if process_id not in (0, os.getpid()) and (is_same or _has_open(process_id, about, proc)):
            yield process_id, kind == "WRITE"


def _iter_openers(path: Path, proc: Path) -> Iterator[int]:
    try:
        about = path.stat()
        processes = [int(each) for each in os.listdir(proc) if each.isdecimal()]
    except OSError:
        return
    yield from (each for each in processes if each != os.getpid() and _has_open(each, about, proc))


def _has_open(process_id: int, about: os.stat_result, proc: Path) -> bool:
    folder = proc / str(process_id) / "fd"
    with suppress(OSError):  # it is another user's, or has ended
        for name in os.listdir(folder):
            with suppress(OSError):
                if os.path.samestat(os.stat(folder / name), about):
                    return True
    return False


def _read_command(process_id: int, proc: Path) -> str:
    """The command line of a process without what may be a secret; empty where this user may not read it."""
    try:
        line = (proc / str(process_id) / "cmdline").read_bytes().decode("utf-8", "replace").split("\0")
        named = (proc / str(process_id) / "comm").read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
    words = [word for word in line if word]
    shown = [Path(words[0]).name if words else named]
    is_own = shown[0] == OWN_COMMAND
    for word in words[1:]:
        if word.startswith("/") and os.path.exists(word):
            shown.append(word)
            is_own = Path(word).name == OWN_COMMAND
        elif is_own and word.isalpha() and word.islower():
            shown.append(word)
        else:
            is_own = False
            if shown[-1] != "…":
                shown.append("…")
    text = "".join(character if character.isprintable() else "?" for character in " ".join(shown))
    return text if len(text) <= MAX_COMMAND_LENGTH else f"{text[: MAX_COMMAND_LENGTH - 1]}…"
