"""Small files that are whole or not there: written beside, made durable, then put in their place."""

import os
from pathlib import Path


def write_atomically(path: Path, data: bytes, *, mode: int = 0o600) -> None:
    """Put `data` at `path`, durably; after a cut of the power the old or the new is there. Raises `OSError`."""
    beside = path.with_name(f"{path.name}.new")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, mode)
    try:
        os.fchmod(handle, mode)
        with open(handle, "wb", closefd=False) as file:
            file.write(data)
        os.fsync(handle)
    finally:
        os.close(handle)
    os.replace(beside, path)
    sync_folder(path.parent)


def write_at_offset(handle: int, data: bytes, at: int) -> None:
    """Write all of `data` at a place of an open file, also where the system takes it in parts. Raises `OSError`."""
    while data:
        taken = os.pwrite(handle, data, at)
        data, at = data[taken:], at + taken


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable; raises `OSError`."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
