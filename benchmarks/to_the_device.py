"""What a hand takes of a card: bytes, writes and flushes that reach the device, counted by a loop device of its own.

What a process hands to write(2) is less (`wire_to_lamp`). What `/proc` says that it made dirty can be many times more:
a new kernel keeps a file in large folios, and counts the whole of one for each record in it.

    python -m benchmarks.to_the_device [HANDS]
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from benchmarks.wire_to_lamp import Dealer, FarEnd, serve_table

SIZE = 256 << 20
"""Bytes of the device: its file system has the blocks and the journal of a larger one."""

BEFORE = 5
"""Hands that are not counted: the table's files come to be in them."""

SECTOR = 512

MOST = 220.0
"""Kilobytes of a hand that may come to the device."""


class NoDevice(Exception):
    """No loop device can be had here; the message says why."""


class Took(NamedTuple):
    """What came to a device: bytes written, in how many writes, and how often it was told to make them last."""

    bytes: int
    writes: int
    flushes: int


@contextmanager
def own_device(folder: Path) -> Iterator[tuple[Path, str]]:
    """A file system (ext4, blocks of 4 KiB) on a loop device: where it is mounted, and the device's name.

    Raises `NoDevice` where there is none to be had: it takes root.
    """
    image, mounted = folder / "disk", folder / "mounted"
    mounted.mkdir()
    with image.open("wb") as file:
        file.truncate(SIZE)
    _made("mkfs.ext4", "-q", "-b", "4096", "-E", "lazy_itable_init=0,lazy_journal_init=0", str(image))
    device = _made("losetup", "--find", "--show", str(image)).strip()
    try:
        _made("mount", device, str(mounted))
        try:
            yield mounted, Path(device).name
        finally:
            _ran("umount", "--lazy", str(mounted))
    finally:
        _ran("losetup", "--detach", device)


def _ran(*command: str) -> str:
    path = {**os.environ, "PATH": f"{os.environ['PATH']}:/usr/sbin:/sbin"}
    return subprocess.run(command, capture_output=True, text=True, check=True, env=path).stdout


def _made(*command: str) -> str:
    try:
        return _ran(*command)
    except OSError as why:
        raise NoDevice(f"{command[0]}: {why.strerror}") from None
    except subprocess.CalledProcessError as why:
        raise NoDevice(f"{command[0]}: {why.stderr.strip()}") from None


def took(device: str) -> Took:
    """What has come to a device since it began [Linux, Documentation/block/stat.rst]. Raises `NoDevice` before 5.5."""
    os.sync()
    fields = [int(word) for word in Path(f"/sys/block/{device}/stat").read_text(encoding="ascii").split()]
    if len(fields) < 17:
        raise NoDevice("this kernel counts no flushes")
    return Took(fields[6] * SECTOR, fields[4], fields[15])


def measure(hands: int, folder: Path) -> Took:
    """Deal hands to six players at a table whose files lie on a device of its own; all that they took together."""
    with own_device(folder) as (mounted, device):
        table = FarEnd(serve_table, mounted)
        try:
            dealer = Dealer(table)
            for _ in range(BEFORE):
                dealer.deal()
            begun = took(device)
            for _ in range(hands):
                dealer.deal()
            ended = took(device)
            table.order("close")
        finally:
            table.end()
    return Took(*(after - before for before, after in zip(begun, ended, strict=True)))


def main(hands: int = 60) -> dict[str, float]:
    """Print it for a hand, and return the kilobytes; nothing, and a loud word, where no device can be had."""
    try:
        with tempfile.TemporaryDirectory() as folder:
            found = measure(hands, Path(folder))
    except NoDevice as why:
        print(
            f"NOT MEASURED: what a hand takes of a device, for which root makes a loop device ({why})", file=sys.stderr
        )
        return {}
    kilobytes, writes, flushes = (each / hands for each in (found.bytes / 1000, found.writes, found.flushes))
    print(f"to a device of its own, {hands} hands that everybody folds: {kilobytes:.1f} kB a hand (at most {MOST:.0f})")
    print(f"  in {writes:.1f} writes, with {flushes:.1f} flushes")
    return {"device-kilobytes-a-hand": kilobytes}


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:2]))
