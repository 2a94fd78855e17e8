"""Damage to a copy of a state directory, below what the disk has promised: the start goes on whole, or says so."""

import random
from collections.abc import Callable, Mapping
from pathlib import Path

from controller.runtime.storage.sqlite_database import PAGE_BYTES
from controller.runtime.storage.state_directory import JOURNAL_FILE

Damage = Callable[[Path, random.Random], bool]
"""Damages a directory; returns whether there was anything to be damaged."""


def _cut_short(path: Path, chance: random.Random) -> bool:
    size = path.stat().st_size if path.exists() else 0
    if size:
        path.write_bytes(path.read_bytes()[: chance.randrange(size)])
    return bool(size)


def _flip(path: Path, chance: random.Random) -> bool:
    data = bytearray(path.read_bytes()) if path.exists() else bytearray()
    if data:
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        path.write_bytes(data)
    return bool(data)


def _lose(path: Path, _: random.Random) -> bool:
    was_there = path.exists()
    path.unlink(missing_ok=True)
    return was_there


def _scribble(path: Path, chance: random.Random) -> bool:
    size = path.stat().st_size if path.exists() else 0
    path.write_bytes(chance.randbytes(size)) if size else None
    return bool(size)


def _last_page(path: Path, chance: random.Random) -> bool:
    data = path.read_bytes() if path.exists() else b""
    if len(data) < PAGE_BYTES:
        return False
    torn = chance.randrange(1, PAGE_BYTES)
    path.write_bytes(data[:-torn] + chance.randbytes(torn))
    return True


def _damage_file(name: str, how: Callable[[Path, random.Random], bool]) -> Damage:
    return lambda directory, chance: how(directory / name, chance)


_WAL, _SHM, _TAIL = f"{JOURNAL_FILE}-wal", f"{JOURNAL_FILE}-shm", "journal.tail"

HARMLESS: Mapping[str, Damage] = {
    "-shm lost": _damage_file(_SHM, _lose),
    "-shm scribbled on": _damage_file(_SHM, _scribble),
    "snapshot lost": _damage_file("snapshot", _lose),
    "snapshot cut short": _damage_file("snapshot", _cut_short),
    "snapshot flipped": _damage_file("snapshot", _flip),
    "head lost": _damage_file("journal.head", _lose),
    "head cut short": _damage_file("journal.head", _cut_short),
}
"""After these a start must go on with everything."""

HARMFUL: Mapping[str, Damage] = {
    "tail lost": _damage_file(_TAIL, _lose),
    "tail cut short": _damage_file(_TAIL, _cut_short),
    "tail flipped": _damage_file(_TAIL, _flip),
    "-wal lost": _damage_file(_WAL, _lose),
    "-wal cut short": _damage_file(_WAL, _cut_short),
    "-wal flipped": _damage_file(_WAL, _flip),
    "last page torn": _damage_file(JOURNAL_FILE, _last_page),
    "hand.key lost": _damage_file("hand.key", _lose),
    "hand.key cut short": _damage_file("hand.key", _cut_short),
}
"""After these a start goes on with everything, or says in a sentence what is missing."""
