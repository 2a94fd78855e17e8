"""Every driver on a port against real frames, cut, damaged and mixed: no exception, and no memory kept.

The frames are those its twin sends in a conversation with the driver. `FUZZ_INPUTS` in the environment makes it a
campaign.
"""

import os
import random
import re
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from drivers.contract.base import ByteDriver, Noise, TagReader
from drivers.contract.registry import DRIVERS, build
from drivers.sim.bench.bench import Bench
from drivers.sim.bench.clock import HandClock

PAGE = (Path(__file__).parents[3] / "docs" / "devices.md").read_text(encoding="utf-8")
INPUTS = int(os.environ.get("FUZZ_INPUTS", "1500"))


def example(driver: str) -> tuple[str, dict[str, Any], str | None]:
    block = re.search(rf"^## {driver}\n.*?```toml\n(.*?)```", PAGE, re.DOTALL | re.MULTILINE)
    assert block is not None
    ((name, keys),) = tomllib.loads(block[1])["device"].items()
    keys.pop("driver")
    return name, keys, keys.pop("port", None)


def reader(driver: str) -> TagReader | None:
    name, keys, _ = example(driver)
    made = build(driver, name, keys)
    return made if isinstance(made, TagReader) else None


READERS = sorted(driver for driver in DRIVERS if reader(driver) is not None)


def recorded(driver: str, bench: Bench, clock: HandClock) -> list[bytes]:
    """Return the frames of a conversation in which ten tags come and go."""
    subject = reader(driver)
    assert subject is not None
    _, _, port = example(driver)
    twin = bench.add_port(str(port))
    twin.heard(subject.hello())
    frames: list[bytes] = []
    for step in range(600):
        clock.advance(0.02)
        if step % 60 == 30:
            bench.reader(example(driver)[0]).present(bench.reader(example(driver)[0]).nth_tag(step // 60))
        if step % 60 == 59:
            bench.reader(example(driver)[0]).remove()
        for _, data in twin.sent():
            frames.append(data)
            subject.received(data, clock())
        twin.heard(subject.tick(clock())[0])
    assert len(frames) >= 10
    return frames


def damaged(frame: bytes, chance: random.Random) -> bytes:
    data = bytearray(frame)
    match chance.randrange(7):
        case 0:
            return bytes(data[: chance.randrange(len(data) + 1)])
        case 1:
            return bytes(data[chance.randrange(len(data)) :])
        case 2:
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        case 3:
            data[chance.randrange(len(data))] = chance.randrange(256)
        case 4:
            at = chance.randrange(len(data) + 1)
            data[at:at] = chance.randbytes(chance.randrange(1, 20))
        case 5:
            return chance.randbytes(chance.randrange(40))
        case _:
            pass
    return bytes(data)


@pytest.mark.parametrize("driver", READERS)
def test_mangled_conversations(driver: str, bench: Bench, clock: HandClock) -> None:
    frames = recorded(driver, bench, clock)
    chance = random.Random(11)
    subject = reader(driver)
    assert isinstance(subject, ByteDriver)
    now, sent, dropped = 1000.0, 0, 0
    for _ in range(INPUTS):
        stream = b"".join(damaged(chance.choice(frames), chance) for _ in range(chance.randrange(1, 4)))
        cuts = sorted(chance.randrange(len(stream) + 1) for _ in range(chance.randrange(4)))
        for start, end in pairwise([0, *cuts, len(stream)]):
            now += chance.choice((0.0, 0.001, 0.03, 0.7))
            sent += end - start
            for event in [*subject.received(stream[start:end], now), *subject.tick(now)[1]]:
                dropped += event.dropped if isinstance(event, Noise) else 0
    assert 0 < dropped <= sent
    assert len(repr(vars(subject))) < 20_000


def test_campaign_covers_every_reader() -> None:
    assert len(READERS) >= 11
