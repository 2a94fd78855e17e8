"""What can happen to a file on a memory card, and to two of them at once."""

import os
import random
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.damage.evening import TOKEN_FILE

NOT_THE_TABLES = ("auditor.key", "auditor.key.pub", "ca.key", TOKEN_FILE)
"""What lies beside the table in an evening and is not kept by it."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """`kind` happens to the file `name`, by chance of `seed`."""

    name: str
    kind: str
    seed: int

    def __str__(self) -> str:
        return f"{self.name}: {self.kind}"


@dataclass(frozen=True, slots=True)
class Sources:
    """Where a file's copies of an hour ago lie, and those of another table."""

    earlier: Path
    other: Path


def list_kept_files(folder: Path) -> list[str]:
    """Every file that a table keeps in `folder`, by name from there."""
    found = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return [name for name in found if name not in NOT_THE_TABLES]


def mutate(folder: Path, mutation: Mutation, sources: Sources) -> set[str]:
    """Let it happen in `folder`; return the files that are other than they were."""
    chance = random.Random(mutation.seed)
    path = folder / mutation.name
    if not path.is_file():  # the first of a pair has happened to it
        return set()
    before, mode = path.read_bytes(), path.stat().st_mode
    if mutation.kind == "swapped":
        other = folder / chance.choice([name for name in list_kept_files(folder) if name != mutation.name])
        spare = path.with_name("spare")
        path.rename(spare), other.rename(path), spare.rename(other)
        return {mutation.name, other.relative_to(folder).as_posix()}
    if mutation.kind in ("an older copy", "another table's"):
        source = (sources.earlier if mutation.kind == "an older copy" else sources.other) / mutation.name
        if not source.is_file():
            path.unlink()
        else:
            shutil.copy(source, path)
    else:
        _KINDS[mutation.kind](path, chance)
    if path.is_file() and path.stat().st_mode == mode and os.access(path, os.R_OK) and path.read_bytes() == before:
        return set()
    return {mutation.name}


def _find_place(data: bytes | bytearray, chance: random.Random) -> int:
    """A place in a file, mostly where something is written: a tail is full of zeros."""
    for _ in range(64 if chance.random() < 0.8 else 0):
        place = chance.randrange(len(data))
        if data[place]:
            return place
    return chance.randrange(len(data))


def _flip_bit(path: Path, chance: random.Random) -> None:
    data = bytearray(path.read_bytes())
    if data:
        data[_find_place(data, chance)] ^= 1 << chance.randrange(8)
    path.write_bytes(data)


def _scribble(path: Path, chance: random.Random) -> None:
    data = bytearray(path.read_bytes())
    if data:
        place, count = _find_place(data, chance), chance.choice((4, 64, 512, 4096))
        count = min(count, len(data) - place)
        data[place : place + count] = chance.randbytes(count)
    path.write_bytes(data)


def _zero(path: Path, chance: random.Random) -> None:
    data = bytearray(path.read_bytes())
    if data:
        place = chance.choice((0, _find_place(data, chance)))
        count = min(chance.choice((16, 512, 4096, len(data))), len(data) - place)
        data[place : place + count] = bytes(count)
    path.write_bytes(data)


def _cut(path: Path, chance: random.Random) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: _find_place(data, chance) if data else 0])


def _double(path: Path, chance: random.Random) -> None:
    data = path.read_bytes()
    place = chance.choice((0, len(data) // 2))
    path.write_bytes(data + data[place:])


def _make_directory(path: Path, _: random.Random) -> None:
    path.unlink()
    path.mkdir()


_KINDS: Mapping[str, Callable[[Path, random.Random], object]] = {
    "a bit flipped": _flip_bit,
    "scribbled on": _scribble,
    "zeroed": _zero,
    "cut": _cut,
    "doubled": _double,
    "emptied": lambda path, _: path.write_bytes(b""),
    "deleted": lambda path, _: path.unlink(),
    "a directory": _make_directory,
    "unreadable": lambda path, _: path.chmod(0o000),
    "other rights": lambda path, chance: path.chmod(chance.choice((0o400, 0o444, 0o644, 0o666, 0o777, 0o200))),
}

KINDS = (*_KINDS, "swapped", "an older copy", "another table's")
