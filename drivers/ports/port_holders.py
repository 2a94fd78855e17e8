"""Who has a device file open, as far as this user may see: what Linux tells in `/proc`.

`root` stands for `/`, so that a test can lay out its own.
"""

import os
from collections.abc import Iterator
from pathlib import Path

PSEUDO_TERMINAL_MAJORS = range(136, 144)
"""Major numbers of pseudo-terminals on Linux, which every container counts anew."""


def find_holders(path: str, root: Path = Path("/")) -> tuple[str, ...]:
    """Name the other programs that have `path` (or what it links to) open, each as "name (pid N)"."""
    node = os.path.realpath(path)
    return tuple(told for pid, told, opened in list_open_devices(root) if opened == node and pid != os.getpid())


def is_held_here(path: str, root: Path = Path("/")) -> bool:
    """Whether this very program has `path` (or what it links to) open."""
    node = os.path.realpath(path)
    return any(opened == node and pid == os.getpid() for pid, _, opened in list_open_devices(root))


def list_open_devices(root: Path = Path("/")) -> Iterator[tuple[int, str, str]]:
    """Every device file that a program has open: its pid, its name and pid as told, the path; once a program."""
    for process in (root / "proc").glob("[0-9]*"):
        told = ""
        for opened in sorted(_find_open_devices(process)):
            told = told or f"{_read_process_name(process)} (pid {process.name})"
            yield int(process.name), told, opened


def _find_open_devices(process: Path) -> set[str]:
    found: set[str] = set()
    try:
        for handle in (process / "fd").iterdir():
            try:
                opened = os.readlink(handle)
            except OSError:  # closed meanwhile
                continue
            if opened.startswith("/dev/") and _is_ours(handle, opened):
                found.add(opened)
    except OSError:  # it has ended, or belongs to another user
        return found
    return found


def _is_ours(handle: Path, opened: str) -> bool:
    """Whether what a program has open by that name is what it names here: a container has terminals of its own."""
    try:
        theirs, ours = handle.stat(), os.stat(opened)
    except OSError:  # closed meanwhile, or nothing of that name is here to compare it with
        return True
    terminal = os.major(ours.st_rdev) in PSEUDO_TERMINAL_MAJORS
    return theirs.st_rdev == ours.st_rdev and (theirs.st_dev == ours.st_dev or not terminal)


def _read_process_name(process: Path) -> str:
    try:
        return (process / "comm").read_text(encoding="utf-8", errors="replace").strip()
    except OSError:  # it has ended
        return "a program that has ended"
