"""Whatever bytes come: nothing is raised, nothing is kept without bound."""

import random
from collections.abc import Sequence
from itertools import pairwise

from controller.core.protocol.display import Heard, Sound
from drivers.contract.base import (
    Noise,
    Signals,
)
from drivers.sim.conformance.stage import on_the_bench
from drivers.sim.conformance.subject import Subject, require

FUZZ_INPUTS = 1500
"""Mangled conversations in the check of them."""

MOST_KEPT = 20_000
"""Characters of what a driver may keep, written out, after whatever it was sent."""


def any_bytes(subject: Subject, chunks: Sequence[tuple[bytes, float]] | None = None) -> None:
    """Chunks of any bytes, each so many seconds after the one before, raise nothing; what is dropped was sent."""
    chance = random.Random(3)
    for _ in range(1 if chunks is not None else 60):
        given = chunks if chunks is not None else _arbitrary(chance)
        driver = subject.on_port()
        driver.hello()
        now, dropped = 5.0, 0
        for chunk, wait in given:
            now += wait
            for event in [*driver.received(chunk, now), *driver.tick(now)[1]]:
                dropped += event.dropped if isinstance(event, Noise) else 0
        driver.perform(Signals(sound=Heard(Sound.FLOOR, 1)))
        sent = sum(len(chunk) for chunk, _ in given)
        require(dropped <= sent, f"it says that {dropped} bytes were dropped, and {sent} were sent")


def _arbitrary(chance: random.Random) -> list[tuple[bytes, float]]:
    return [
        (chance.randbytes(chance.randrange(40)), chance.choice((0.0, 0.001, chance.random())))
        for _ in range(chance.randrange(20))
    ]


def mangled_conversations(subject: Subject, inputs: int = FUZZ_INPUTS) -> None:
    """Real frames, cut, damaged and mixed: no exception, and no memory kept."""
    frames = recorded(subject)
    require(len(frames) >= 10, "its far end says hardly anything when tags come and go")
    chance = random.Random(11)
    driver = subject.on_port()
    now, sent, dropped = 1000.0, 0, 0
    for _ in range(inputs):
        stream = b"".join(_damaged(chance.choice(frames), chance) for _ in range(chance.randrange(1, 4)))
        cuts = sorted(chance.randrange(len(stream) + 1) for _ in range(chance.randrange(4)))
        for start, end in pairwise([0, *cuts, len(stream)]):
            now += chance.choice((0.0, 0.001, 0.03, 0.7))
            sent += end - start
            for event in [*driver.received(stream[start:end], now), *driver.tick(now)[1]]:
                dropped += event.dropped if isinstance(event, Noise) else 0
    require(0 < dropped <= sent, f"of {sent} bytes of damaged frames it says that {dropped} were dropped (`Noise`)")
    kept = len(repr(vars(driver)))
    require(kept < MOST_KEPT, f"it keeps {kept} characters of what it was sent: its memory has no bound")


def recorded(subject: Subject) -> list[bytes]:
    """Return the frames of a conversation in which ten tags come and go."""
    with on_the_bench() as (bench, clock):
        driver = subject.on_port()
        twin = bench.add_port(subject.url())
        reader = bench.reader(subject.device)
        twin.heard(driver.hello())
        frames: list[bytes] = []
        for step in range(600):
            clock.advance(0.02)
            if step % 60 == 30:
                reader.present(reader.nth_tag(step // 60))
            if step % 60 == 59:
                reader.remove()
            for _, data in twin.sent():
                frames.append(data)
                driver.received(data, clock())
            twin.heard(driver.tick(clock())[0])
        return frames


def _damaged(frame: bytes, chance: random.Random) -> bytes:
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
