"""Conversations of every driver with its simulated far end, byte by byte, as they are on record.

    python -m tests.drivers.recorded.conversations [NAME ...]    print these conversations, or all
    python -m tests.drivers.recorded.conversations --record      put their digests on record, in conversations.txt

Chance with a seed brings tags and keys, shows signals, damages what is sent to the device, and lets time go by. On
record is a digest for every so many steps, so that a test says about where a driver or its far end begins to do
something else. A change that is meant to alter a conversation records it anew, and the commit shows which.
"""

import hashlib
import json
import random
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache, partial
from pathlib import Path
from typing import Any

from controller.core.protocol.table_display import Lamps, Sound, SoundCue
from drivers.conformance.documented_driver import DocumentedDriver, parse_driver_page
from drivers.contract.driver_interface import ByteDriver, DeviceEvent, PinDriver, Signals, find_next_tick
from drivers.contract.driver_registry import DRIVERS, build_driver
from drivers.simulators.bench.bench import Bench, SimulatedPort
from drivers.simulators.bench.manual_clock import ManualClock
from drivers.simulators.bench.simulator_interfaces import (
    GateSimulator,
    LampsSimulator,
    PanelSimulator,
    ReaderSimulator,
    SensorsSimulator,
    SoundSimulator,
)
from drivers.simulators.bench.uart import LineSettings
from tests.drivers.device_vectors import PATH as VECTORS
from tests.drivers.device_vectors import load_vectors

PAGE = Path(__file__).parents[3] / "docs" / "devices.md"
LIST = Path(__file__).with_suffix(".toml")
RECORD = Path(__file__).with_suffix(".txt")

STEPS, STEPS_PER_DIGEST = 400, 50
DIGEST_DIGITS = 8

PAUSES_S = (0.002, 0.005, 0.005, 0.02, 0.02, 0.02, 0.05, 0.05, 0.3, 1.1)
"""How long it is until the next step. The longest is more than any far end may be silent for."""


@dataclass(frozen=True)
class Conversation:
    """A driver with its keys, and what is asked of its far end and the cable."""

    name: str
    driver: str
    device: str
    keys: Mapping[str, Any] = field(repr=False)
    port: str | None


@cache
def read_conversations() -> Mapping[str, Conversation]:
    """The conversations by name: of each driver that of its example, and those of the list."""
    page, found = PAGE.read_text(encoding="utf-8"), dict[str, Conversation]()
    listed = tomllib.loads(LIST.read_text(encoding="utf-8"))["conversation"]
    for driver in sorted(DRIVERS):
        example = parse_driver_page(driver, page)
        own = [row for row in listed if row["driver"] == driver]
        for number, row in enumerate([{}, *own], start=1):
            name = f"{driver}-{number}"
            without = row.get("without", ())
            keys = {key: value for key, value in {**example.keys, **row.get("keys", {})}.items() if key not in without}
            port = example.port_url(row.get("url", "")) if example.port else None
            found[name] = Conversation(name, driver, example.device, keys, port)
    return found


def iter_steps(conversation: Conversation) -> Iterator[str]:
    """What goes over the wires at each step, and what the driver says of it."""
    clock, chance = ManualClock(), random.Random(conversation.name)
    with Bench(f"recorded {conversation.name}", clock=clock) as bench:
        driver = build_driver(conversation.driver, conversation.device, conversation.keys)
        if isinstance(driver, ByteDriver):
            assert conversation.port is not None
            bench.add_port(conversation.port, keys=conversation.keys)
            yield from _iter_port_steps(driver, bench.find_or_add_port(conversation.port), clock, chance, conversation)
        else:
            simulator = bench.add_device(conversation.driver, conversation.device, conversation.keys)
            yield from _iter_pin_steps(driver, bench, simulator, clock, chance, conversation)


def iter_vector_steps(driver: str) -> Iterator[str]:
    """What a driver and its far end make of bytes of real devices: whole, cut at each byte, twice, and damaged."""
    example = parse_driver_page(driver, PAGE.read_text(encoding="utf-8"))
    for vector in load_vectors(driver):
        size = len(vector.data)
        chunks = [(vector.data,), (vector.data, vector.data)]
        chunks += [(vector.data[:place], vector.data[place:]) for place in range(1, size)]
        chunks += [(vector.data[:place], vector.data) for place in range(1, size)]
        chunks += [(_flip(vector.data, place, place % 8), vector.data) for place in range(size)]
        yield "\n".join(
            _feed_driver(example, each) if vector.is_from_device else _feed_far_end(example, each) for each in chunks
        )


def _feed_driver(example: DocumentedDriver, chunks: Sequence[bytes]) -> str:
    driver, now, told = example.build_byte_driver(), 100.0, list[str]()
    driver.on_port_opened()
    for chunk in chunks:
        now += 0.003
        events = list(driver.receive_data(chunk, now))
        sent, more = driver.on_tick(now)
        told += [*map(describe_event, [*events, *more]), sent.hex()]
    sent, more = driver.on_tick(now + 0.6)
    return " ".join([*told, *map(describe_event, more), sent.hex()])


def _feed_far_end(example: DocumentedDriver, chunks: Sequence[bytes]) -> str:
    clock = ManualClock()
    with Bench(f"recorded {example.driver}", clock=clock) as bench:
        simulator, told = bench.add_port(str(example.port)), list[str]()
        reader = bench.reader(example.device)
        reader.present(reader.nth_tag(0))
        for chunk in chunks:
            clock.advance(0.02)
            simulator.receive_data(chunk)
            clock.advance(0.2)
            told += [f"{at:.5f} {frame.hex()}" for at, frame in simulator.take_frames()]
    return " ".join(told)


def _flip(data: bytes, place: int, bit: int) -> bytes:
    return data[:place] + bytes((data[place] ^ 1 << bit,)) + data[place + 1 :]


def _iter_port_steps(
    driver: ByteDriver, port: SimulatedPort, clock: ManualClock, chance: random.Random, conversation: Conversation
) -> Iterator[str]:
    port.has_dtr = True
    port.on_port_opened(LineSettings(driver.baudrate, driver.parity))
    sent = driver.on_port_opened()
    port.write(sent)
    yield f"{driver.baudrate} {driver.parity} {driver.stopbits} {sent.hex()}"
    for _ in range(STEPS):
        clock.advance(chance.choice(PAUSES_S))
        acts = _act(port.simulator, clock, chance, conversation)
        shown = b""
        if chance.randrange(8) == 0:
            shown = driver.show_signals(make_signals(chance))
            port.write(shown)
        now, received, events = clock(), port.read(chance.choice((1, 7, 4096, 4096))), list[DeviceEvent]()
        if chance.randrange(60) == 0:
            received += chance.randbytes(chance.randrange(1, 12))
        if received:
            events += driver.receive_data(received, now)
        sent, more = driver.on_tick(now)
        port.write(_damage(sent, chance))
        wish = find_next_tick(driver, now) - now
        told = " ".join(map(describe_event, [*events, *more]))
        seen = describe_far_end(port.simulator)
        yield f"{acts} | {shown.hex()} | {received.hex()} | {told} | {sent.hex()} | {wish:.4f} | {seen}"


def _iter_pin_steps(
    driver: PinDriver,
    bench: Bench,
    simulator: object,
    clock: ManualClock,
    chance: random.Random,
    conversation: Conversation,
) -> Iterator[str]:
    driver.start(bench.pins)
    for _ in range(STEPS):
        acts = _act(simulator, clock, chance, conversation)
        if chance.randrange(6) == 0:
            driver.show_signals(make_signals(chance), bench.pins)
        events = list[DeviceEvent]()
        for _ in range(chance.choice((1, 1, 4, 10, 60))):
            clock.advance(0.005)
            events += driver.sample(bench.pins, clock())
        told = " ".join(map(describe_event, events))
        changes = [(each.pin, each.kind, each.level) for each in bench.pins.history]
        bench.pins.history.clear()
        yield f"{acts} | {told} | {changes} | {describe_far_end(simulator)}"
    driver.stop(bench.pins)
    yield f"{[(each.pin, each.kind, each.level) for each in bench.pins.history]} | {describe_far_end(simulator)}"


def _act(simulator: object, clock: ManualClock, chance: random.Random, conversation: Conversation) -> str:
    """Do something at the far end, or nothing; say what."""
    if isinstance(simulator, ReaderSimulator) and chance.randrange(6) == 0:
        antennas = [None, *map(str, conversation.keys.get("antennas", conversation.keys.get("antenna_ports", ())))]
        tag, antenna = simulator.nth_tag(chance.randrange(8)), chance.choice(antennas)
        if chance.randrange(3):
            simulator.present(tag, antenna)
            return f"present {tag} {antenna}"
        gone = tag if chance.randrange(3) == 0 else None
        simulator.remove(gone, antenna)
        return f"remove {gone} {antenna}"
    if isinstance(simulator, PanelSimulator) and chance.randrange(4) == 0:
        key, what = chance.choice(sorted(conversation.keys["keys"])), chance.randrange(4)
        if what == 0:
            simulator.press(key)
        elif what == 1:
            simulator.release(key)
        else:
            simulator.tap(key, None if what == 2 else chance.choice((0.01, 0.03, 0.5, 1.2)))
        return f"{('press', 'release', 'tap', 'tap')[what]} {key}"
    if isinstance(simulator, SensorsSimulator) and chance.randrange(6) == 0:
        what = chance.randrange(6)
        if what < 3:
            simulator.pass_card(chance.choice((0.004, 0.05, 0.2)), face_up=chance.random() < 0.4)
        elif what == 3:
            simulator.jam()
        elif what == 4:
            simulator.clear()
        else:
            simulator.move_lid(open_it=chance.random() < 0.5)
        return f"sensors {what}"
    return f"{clock():.3f}"


def make_signals(chance: random.Random) -> Signals:
    """Any signals: lamps of some roles at some seats, the gate, a sound."""
    lamps = {
        each.name: tuple(sorted(chance.sample(range(1, 11), chance.randrange(4))))
        for each in fields(Lamps)
        if chance.randrange(2)
    }
    sound = SoundCue(chance.choice(list(Sound)), chance.randrange(4)) if chance.randrange(3) == 0 else None
    return Signals(Lamps(**lamps), chance.random() < 0.5, sound)


def _damage(sent: bytes, chance: random.Random) -> bytes:
    """Now and then what is sent arrives cut, twice or with another bit."""
    if not sent or chance.randrange(25):
        return sent
    place = chance.randrange(len(sent))
    match chance.randrange(4):
        case 0:
            return sent[:place]
        case 1:
            return sent + sent
        case 2:
            return sent[place:]
        case _:
            return _flip(sent, place, chance.randrange(8))


def describe_event(event: DeviceEvent) -> str:
    """Everything that an event says, its tag too."""
    said = ",".join(f"{getattr(event, each.name)}" for each in fields(event) if each.name != "device")
    return f"{type(event).__name__}({said})"


def describe_far_end(simulator: object) -> str:
    """What can be seen and heard of a device."""
    seen: list[object] = []
    if isinstance(simulator, LampsSimulator):
        seen.append({role: seats for role, seats in simulator.lit_seats().items() if seats})
    if isinstance(simulator, GateSimulator):
        seen.append(simulator.is_open())
    if isinstance(simulator, SoundSimulator):
        seen += [simulator.is_sounding(), [round(each, 3) for each in simulator.tone_lengths_s()]]
    return " ".join(map(str, seen))


def iter_digests(steps: Iterator[str], each: int = STEPS_PER_DIGEST) -> Iterator[str]:
    """A digest of all so far for every so many steps, and at their end."""
    running, count = hashlib.sha256(), 0
    for count, step in enumerate(steps, start=1):
        running.update(step.encode() + b"\n")
        if count % each == 0:
            yield running.hexdigest()[:DIGEST_DIGITS]
    if count % each:
        yield running.hexdigest()[:DIGEST_DIGITS]


def list_vector_drivers() -> list[str]:
    """The drivers of whose devices there are bytes on a port."""
    devices = {json.loads(row)["device"] for row in VECTORS.read_text(encoding="utf-8").splitlines()}
    return sorted(devices & DRIVERS.keys())


def list_recorded() -> Mapping[str, Callable[[], Iterator[str]]]:
    """What is on record, by name: how its digests are made."""
    spoken = {
        name: partial(lambda each: iter_digests(iter_steps(each)), conversation)
        for name, conversation in read_conversations().items()
    }
    fed = {f"{driver}-vectors": partial(_digest_vectors, driver) for driver in list_vector_drivers()}
    return spoken | fed


def _digest_vectors(driver: str) -> Iterator[str]:
    return iter_digests(iter_vector_steps(driver), 1)


def read_record() -> dict[str, list[str]]:
    """The digests on record, by the names of the conversations."""
    rows = (row.split() for row in RECORD.read_text(encoding="utf-8").splitlines())
    return {name: digests for name, *digests in rows}


def main(arguments: list[str]) -> None:
    """Print conversations, or put their digests on record."""
    if arguments == ["--record"]:
        rows = [f"{' '.join((name, *digests()))}\n" for name, digests in list_recorded().items()]
        RECORD.write_text("".join(rows), encoding="utf-8")
        print(f"{len(rows)} conversations are on record in {RECORD.name}")
        return
    for name in arguments or list_recorded():
        print(f"# {name}")
        driver = name.removesuffix("-vectors")
        for step in iter_steps(read_conversations()[name]) if driver == name else iter_vector_steps(driver):
            print(step)


if __name__ == "__main__":
    main(sys.argv[1:])
