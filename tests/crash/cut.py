"""What a cut of the power leaves of a directory: of what was not waited for, any part may be missing or torn.

Bytes of a file last when the file was waited for (`fsync`, `fdatasync`), names when their directory was. Each 512 bytes
of a write that was not waited for may be there or not, by themselves; names go in the order they came.
"""

import os
import random
import struct
from dataclasses import dataclass
from pathlib import Path

SECTOR = 512
_HEAD = struct.Struct("<cQQQQIII")


@dataclass(frozen=True, slots=True)
class Change:
    """One change as `disk.c` noted it; `before` is what stood there."""

    kind: str
    inode: int
    at: int
    length: int
    size: int
    name: str
    other: str
    before: bytes


def changes(log: Path) -> list[Change]:
    """Read the log of a process."""
    data, place = log.read_bytes(), 0
    found: list[Change] = []
    while place < len(data):
        kind, inode, at, length, size, *parts = _HEAD.unpack_from(data, place)
        place += _HEAD.size
        texts: list[bytes] = []
        for part in parts:
            texts.append(data[place : place + part])
            place += part
        found.append(
            Change(kind.decode(), inode, at, length, size, texts[0].decode(), texts[1].decode(), bytes(texts[2]))
        )
    return found


def cut(directory: Path, undo: Path, chance: random.Random) -> int:
    """Take back some of what was not waited for; return how many changes were touched."""
    data: dict[int, list[Change]] = {}
    names: list[Change] = []
    for change in changes(undo / "log"):
        if change.kind == "S":
            data.pop(change.inode, None)
        elif change.kind == "D":
            names.clear()
        elif change.kind in "WT":
            data.setdefault(change.inode, []).append(change)
        else:
            names.append(change)
    kept = chance.choice((0, len(names), chance.randint(0, len(names))))
    for change in reversed(names[kept:]):
        _take_back_name(change)
    touched = len(names) - kept
    here = {path.stat().st_ino: path for path in directory.iterdir()}
    for inode, of_file in sorted(data.items()):
        if inode in here and not here[inode].name.endswith("-shm"):
            touched += _take_back_bytes(here[inode], of_file, chance)
    for path in directory.iterdir():
        if path.name.endswith("-shm"):  # shared memory in a file: whatever it holds, it means nothing after a start
            path.unlink() if chance.random() < 0.5 else path.write_bytes(chance.randbytes(path.stat().st_size))
    for path in undo.iterdir():
        path.unlink()
    return touched


def _take_back_name(change: Change) -> None:
    path = Path(change.name)
    to, _, saved = change.other.partition("\n")
    if change.kind == "C":
        path.unlink(missing_ok=True)
        return
    if change.kind == "R":
        if not Path(to).exists():
            return  # it died before it was renamed
        if not path.exists():
            os.rename(to, path)
        path = Path(to)
    if saved and not path.exists():
        os.link(saved, path)


def _take_back_bytes(path: Path, of_file: list[Change], chance: random.Random) -> int:
    """Leave the first changes, lose the last, and of one or all of them any sectors."""
    content = bytearray(path.read_bytes())
    whole = chance.choice((0, len(of_file), chance.randint(0, len(of_file))))
    sparse, tears = chance.random() < 0.3, chance.random() < 0.5
    covered: set[int] = set()
    lost = 0
    for number, change in reversed(list(enumerate(of_file))):
        if number < whole and not sparse:
            break
        if change.kind == "T":
            if sparse or covered:
                break  # what came after it has lasted, so it has
            content[change.at :] = change.before
            lost += 1
            continue
        until = change.at + change.length
        sectors = range(change.at // SECTOR, (until + SECTOR - 1) // SECTOR)
        torn = sparse or (tears and number == whole)
        gone = [one for one in sectors if one not in covered and not (torn and chance.random() < 0.5)]
        before = change.before.ljust(change.length, b"\0")
        for one in gone:
            first, last = max(one * SECTOR, change.at), min((one + 1) * SECTOR, until)
            content[first:last] = before[first - change.at : last - change.at]
        covered |= set(sectors) - set(gone)
        if not covered and change.size < len(content):
            del content[change.size :]
        lost += bool(gone)
    if lost:
        path.write_bytes(content)
    return lost
