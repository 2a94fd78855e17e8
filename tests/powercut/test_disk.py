"""The disk itself: what was flushed lasts, the rest may go sector by sector, and without power nothing answers."""

import random

import pytest

from tests.powercut.disk import SECTOR, Disk

ONES, TWOS = b"\1" * (64 * SECTOR), b"\2" * (64 * SECTOR)


def test_what_was_flushed_lasts_and_what_was_not_may_be_torn() -> None:
    torn = 0
    for seed in range(40):
        disk = Disk(1 << 16, random.Random(seed))
        disk.write(0, ONES, lasting=False)
        disk.flush()
        disk.write(0, TWOS, lasting=False)
        assert disk.read(0, len(TWOS)) == TWOS, "the machine sees what it wrote"
        disk.cut()
        sectors = {bytes(disk.seen[at : at + SECTOR]) for at in range(0, len(ONES), SECTOR)}
        assert sectors <= {ONES[:SECTOR], TWOS[:SECTOR]}
        assert disk.met is not None
        assert disk.met[0] == 64
        torn += len(sectors) == 2
    assert torn, "some cuts leave a part of a write"


def test_a_write_that_must_last_does() -> None:
    disk = Disk(1 << 16, random.Random(1))
    disk.write(0, ONES, lasting=True)
    disk.cut()
    assert disk.seen[: len(ONES)] == ONES


def test_without_power_nothing_is_answered() -> None:
    disk = Disk(1 << 16, random.Random(1))
    disk.cut()
    for act in (lambda: disk.read(0, 1), lambda: disk.write(0, ONES, lasting=False), disk.flush):
        with pytest.raises(OSError, match="power"):
            act()
    disk.power_on()
    assert disk.read(0, 1) == b"\0"


def test_the_cut_comes_at_a_write() -> None:
    disk = Disk(1 << 16, random.Random(1))
    disk.cut_at_write(2, 0.0)
    assert disk.met == (0, 0), "nothing came in time"
    disk.power_on()
    disk.write(0, ONES, lasting=False)
    assert disk.met is None
