"""Whatever bytes come: nothing is raised, nothing is kept without bound."""

import random
from collections.abc import Sequence
from itertools import pairwise
from math import isnan

from controller.core.protocol.table_display import Sound, SoundCue
from drivers.conformance.check_bench import open_bench
from drivers.conformance.documented_driver import DocumentedDriver, require
from drivers.contract.driver_interface import NoiseDropped, Signals, TickScheduler

DEFAULT_MANGLED_INPUT_COUNT = 1500
"""Mangled conversations in the check of them."""

MAX_STATE_LENGTH = 20_000
"""Characters of what a driver may keep, written out, after whatever it was sent."""


def check_any_bytes(subject: DocumentedDriver, chunks: Sequence[tuple[bytes, float]] | None = None) -> None:
    """Chunks of any bytes, each so many seconds after the one before, raise nothing; what is dropped was sent."""
    chance = random.Random(3)
    for _ in range(1 if chunks is not None else 60):
        given = chunks if chunks is not None else _make_random_chunks(chance)
        driver = subject.build_byte_driver()
        driver.on_port_opened()
        now, dropped = 5.0, 0
        for chunk, wait in given:
            now += wait
            for event in [*driver.receive_data(chunk, now), *driver.on_tick(now)[1]]:
                dropped += event.byte_count if isinstance(event, NoiseDropped) else 0
        driver.show_signals(Signals(sound=SoundCue(Sound.FLOOR, 1)))
        sent = sum(len(chunk) for chunk, _ in given)
        require(dropped <= sent, f"it says that {dropped} bytes were dropped, and {sent} were sent")


def check_next_tick(subject: DocumentedDriver) -> None:
    """Whatever came, `next_tick_at` gives seconds or `None`, and the same when it is asked once more."""
    chance = random.Random(5)
    driver = subject.build_byte_driver()
    require(isinstance(driver, TickScheduler), "it has `next_tick_at` only at times")
    assert isinstance(driver, TickScheduler)
    driver.on_port_opened()
    now = 5.0
    for chunk, wait in [(b"", 0.0), *(each for _ in range(60) for each in _make_random_chunks(chance))]:
        now += wait
        if chunk:
            driver.receive_data(chunk, now)
        driver.on_tick(now)
        wanted = driver.next_tick_at(now)
        is_time = wanted is None or (isinstance(wanted, int | float) and not isnan(wanted))
        require(is_time, f"`next_tick_at` gives {wanted!r}, which is neither seconds nor None")
        require(driver.next_tick_at(now) == wanted, "`next_tick_at` gives another time when it is asked once more")


def _make_random_chunks(chance: random.Random) -> list[tuple[bytes, float]]:
    return [
        (chance.randbytes(chance.randrange(40)), chance.choice((0.0, 0.001, chance.random())))
        for _ in range(chance.randrange(20))
    ]


def check_mangled_conversations(subject: DocumentedDriver, inputs: int = DEFAULT_MANGLED_INPUT_COUNT) -> None:
    """Real frames, cut, damaged and mixed: no exception, and no memory kept."""
    frames = record_conversation(subject)
    require(len(frames) >= 10, "its far end says hardly anything when tags come and go")
    chance = random.Random(11)
    driver = subject.build_byte_driver()
    now, sent, dropped = 1000.0, 0, 0
    for _ in range(inputs):
        stream = b"".join(_damage(chance.choice(frames), chance) for _ in range(chance.randrange(1, 4)))
        cuts = sorted(chance.randrange(len(stream) + 1) for _ in range(chance.randrange(4)))
        for start, end in pairwise([0, *cuts, len(stream)]):
            now += chance.choice((0.0, 0.001, 0.03, 0.7))
            sent += end - start
            for event in [*driver.receive_data(stream[start:end], now), *driver.on_tick(now)[1]]:
                dropped += event.byte_count if isinstance(event, NoiseDropped) else 0
    require(0 < dropped <= sent, f"of {sent} bytes of damaged frames it says that {dropped} were dropped (`Noise`)")
    kept = len(repr(vars(driver)))
    require(kept < MAX_STATE_LENGTH, f"it keeps {kept} characters of what it was sent: its memory has no bound")


def record_conversation(subject: DocumentedDriver) -> list[bytes]:
    """Return the frames of a conversation in which ten tags come and go."""
    with open_bench() as (bench, clock):
        driver = subject.build_byte_driver()
        simulator = bench.add_port(subject.port_url())
        reader = bench.reader(subject.device)
        simulator.receive_data(driver.on_port_opened())
        frames: list[bytes] = []
        for step in range(600):
            clock.advance(0.02)
            if step % 60 == 30:
                reader.present(reader.nth_tag(step // 60))
            if step % 60 == 59:
                reader.remove()
            for _, data in simulator.take_frames():
                frames.append(data)
                driver.receive_data(data, clock())
            simulator.receive_data(driver.on_tick(clock())[0])
        return frames


def _damage(frame: bytes, chance: random.Random) -> bytes:
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
