"""What a hand takes of a card: bytes, writes and flushes that reach the device, counted by a loop device of its own.

What a process hands to write(2) is less (`lamp_latency`). What `/proc` says that it made dirty can be many times more:
a new kernel keeps a file in large folios, and counts the whole of one for each record in it.

    python -m benchmarks.device_writes [HANDS]
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from benchmarks.lamp_latency import Dealer, Peer, serve_table

DEVICE_BYTES = 256 << 20
"""Bytes of the device: its file system has the blocks and the journal of a larger one."""

WARM_UP_HANDS = 5
"""Hands that are not counted: the table's files come to be in them."""

SECTOR_BYTES = 512

MAX_HAND_KB = 220.0
"""Kilobytes of a hand that may come to the device."""


class NoDeviceError(Exception):
    """No loop device can be had here; the message says why."""


class DeviceTraffic(NamedTuple):
    """What came to a device: bytes written, in how many writes, and how often it was told to make them last."""

    byte_count: int
    write_count: int
    flush_count: int


@contextmanager
def mount_loop_device(folder: Path) -> Iterator[tuple[Path, str]]:
    """A file system (ext4, blocks of 4 KiB) on a loop device: where it is mounted, and the device's name.

    Raises `NoDeviceError` where there is none to be had: it takes root.
    """
    image, mounted = folder / "disk", folder / "mounted"
    mounted.mkdir()
    with image.open("wb") as file:
        file.truncate(DEVICE_BYTES)
    _run_device_command("mkfs.ext4", "-q", "-b", "4096", "-E", "lazy_itable_init=0,lazy_journal_init=0", str(image))
    device = _run_device_command("losetup", "--find", "--show", str(image)).strip()
    try:
        _run_device_command("mount", device, str(mounted))
        try:
            yield mounted, Path(device).name
        finally:
            _run_command("umount", "--lazy", str(mounted))
    finally:
        _run_command("losetup", "--detach", device)


def _run_command(*command: str) -> str:
    path = {**os.environ, "PATH": f"{os.environ['PATH']}:/usr/sbin:/sbin"}
    return subprocess.run(command, capture_output=True, text=True, check=True, env=path).stdout


def _run_device_command(*command: str) -> str:
    try:
        return _run_command(*command)
    except OSError as why:
        raise NoDeviceError(f"{command[0]}: {why.strerror}") from None
    except subprocess.CalledProcessError as why:
        raise NoDeviceError(f"{command[0]}: {why.stderr.strip()}") from None


def read_device_traffic(device: str) -> DeviceTraffic:
    """What a device took since it began [Linux, Documentation/block/stat.rst]. Raises `NoDeviceError` before 5.5."""
    os.sync()
    fields = [int(word) for word in Path(f"/sys/block/{device}/stat").read_text(encoding="ascii").split()]
    if len(fields) < 17:
        raise NoDeviceError("this kernel counts no flushes")
    return DeviceTraffic(fields[6] * SECTOR_BYTES, fields[4], fields[15])


def measure(hands: int, folder: Path) -> DeviceTraffic:
    """Deal hands to six players at a table whose files lie on a device of its own; all that they took together."""
    with mount_loop_device(folder) as (mounted, device):
        table = Peer(serve_table, mounted)
        try:
            dealer = Dealer(table)
            for _ in range(WARM_UP_HANDS):
                dealer.deal_hand()
            begun = read_device_traffic(device)
            for _ in range(hands):
                dealer.deal_hand()
            ended = read_device_traffic(device)
            table.send_command("close")
        finally:
            table.end()
    return DeviceTraffic(*(after - before for before, after in zip(begun, ended, strict=True)))


def main(hands: int = 60) -> dict[str, float]:
    """Print it for a hand, and return the kilobytes; nothing, and a loud word, where no device can be had."""
    try:
        with tempfile.TemporaryDirectory() as folder:
            found = measure(hands, Path(folder))
    except NoDeviceError as why:
        print(
            f"NOT MEASURED: what a hand takes of a device, for which root makes a loop device ({why})", file=sys.stderr
        )
        return {}
    kilobytes, writes, flushes = (
        each / hands for each in (found.byte_count / 1000, found.write_count, found.flush_count)
    )
    print(
        f"to a device of its own, {hands} hands that everybody folds: {kilobytes:.1f} kB a hand (at most "
        f"{MAX_HAND_KB:.0f})"
    )
    print(f"  in {writes:.1f} writes, with {flushes:.1f} flushes")
    return {"device-kilobytes-a-hand": kilobytes}


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:2]))
