"""What every driver must do, ours and a plug-in's alike: `tests/drivers/contract` and `tablectl check-driver` run it.

A `Subject` is a driver as its page documents it: a section `## NAME` with a TOML example that sets every key. `checks`
lists what it is held against; each check is a function without arguments that raises `Nonconforming` with a sentence.
The far end of every wire is the driver's twin, time is the bench's, and chance is seeded: a check gives the same answer
every time.
"""

import random
import re
import sys
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from inspect import Parameter, signature
from itertools import pairwise
from types import ModuleType
from typing import Any, NoReturn

from controller.core.protocol.display import Heard, Lamps, Sound
from drivers.contract.base import (
    SAMPLE_SECONDS,
    ByteDriver,
    CardEdge,
    DeviceEvent,
    DeviceReady,
    KeyPressed,
    Noise,
    PinDriver,
    Signals,
    TagRead,
    TagReader,
)
from drivers.contract.errors import DriverConfigError, PortBusyError, PortLostError, PortMissingError
from drivers.contract.registry import build, class_of, keys_of
from drivers.ports.open_port import BytePort, open_port
from drivers.sim.bench.bench import Bench, twin_class
from drivers.sim.bench.clock import HandClock
from drivers.sim.bench.twin import GateTwin, LampsTwin, PanelTwin, SensorsTwin, SoundTwin

FUZZ_INPUTS = 1500
"""Mangled conversations in the check of them."""

MOST_KEPT = 20_000
"""Characters of what a driver may keep, written out, after whatever it was sent."""

FORBIDDEN = frozenset(
    ("time", "threading", "_thread", "socket", "serial", "subprocess", "asyncio", "random", "sqlite3", "RPi", "lgpio")
)
"""Modules that a driver has no business with: it holds no port, thread, clock or chance."""


class Nonconforming(Exception):
    """A driver does not do what every driver must."""


def fail(sentence: str) -> NoReturn:
    """Raise it."""
    raise Nonconforming(sentence)


def require(held: object, sentence: str) -> None:
    """Raise the sentence unless it held."""
    if not held:
        fail(sentence)


@dataclass(frozen=True, slots=True)
class Subject:
    """A driver as its page has it: `section` is what stands under its name, the rest is the example there."""

    driver: str
    section: str = field(repr=False)
    device: str
    keys: Mapping[str, Any]
    port: str | None

    def made(self) -> ByteDriver | PinDriver:
        """Make the driver of the example."""
        return build(self.driver, self.device, self.keys)

    def on_port(self) -> ByteDriver:
        """Make it where it is known to be on a byte port."""
        made = self.made()
        return made if isinstance(made, ByteDriver) else fail("it is no driver of a byte port")

    @property
    def unchecked(self) -> bool:
        """Whether the page owns that damage on the cable can make another tag."""
        return "carries no check" in " ".join(self.section.split())

    @property
    def lossless(self) -> bool:
        """Whether the device is behind no wire of its own: the kernel hands over what it says."""
        return bool(getattr(twin_class(self.driver), "lossless", False))

    def url(self, faults: str = "") -> str:
        """The port of the example, with faults of its cable."""
        return f"{self.port}{'&' if '?' in str(self.port) else '?'}{faults}" if faults else str(self.port)


def subject(driver: str, page: str) -> Subject:
    """Read what a page says of a driver. Raises `Nonconforming` where it says too little."""
    found = re.search(rf"^## {re.escape(driver)}\n(.*?)(?=^## |\Z)", page, re.DOTALL | re.MULTILINE)
    if found is None:
        fail(f"its page has no section `## {driver}`")
    block = re.search(r"```toml\n(.*?)```", found[1], re.DOTALL)
    if block is None:
        fail(f"the section `## {driver}` of its page has no example (```toml)")
    try:
        ((device, keys),) = tomllib.loads(block[1])["device"].items()
    except (tomllib.TOMLDecodeError, KeyError, ValueError, AttributeError):
        fail(f"the example in `## {driver}` is to be one table [device.NAME]")
    if keys.pop("driver", None) != driver:
        fail(f'the example in `## {driver}` is to say driver = "{driver}"')
    return Subject(driver, found[1], device, keys, keys.pop("port", None))


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that a driver is held against; `run` raises `Nonconforming`."""

    name: str
    run: Callable[[], None] = field(repr=False)


def checks(subject: Subject) -> Iterator[Check]:
    """What a driver is held against, by what it is and what its twin can do."""

    def check(name: str, body: Callable[..., None], *more: object) -> Check:
        return Check(name, partial(body, subject, *more))

    yield check("its page explains every key", page_names_every_key)
    yield check("the example sets every key and is accepted", example_is_accepted_and_complete)
    yield check("what is wrong in a file is refused, not guessed", configuration_is_refused)
    yield check("it holds no port, thread, clock or chance", keeps_to_itself)
    yield check("its far end can be simulated", has_a_twin)
    try:
        made, twin = subject.made(), twin_class(subject.driver)
    except Exception:  # it cannot be held against more; the checks above say why
        return
    if not isinstance(made, ByteDriver):
        yield check("its far end has the same keys", twin_is_configured_like_its_driver)
        yield check("pins are set up as declared and left safe", pins_are_left_safe)
        yield check("it agrees with its far end", driver_and_twin_agree)
        return
    yield check("any bytes at any time are values", any_bytes)
    yield check("a pulled cable and its return", pulled_cable_and_return)
    yield check("its port is its own", port_is_ours_alone)
    if isinstance(made, TagReader):
        wire = [temper for temper in TEMPERS if not subject.lossless or temper not in (*DAMAGING, "repeated frames")]
        for temper in wire:
            yield check(f"tags are read, {temper}", reads_its_twin, temper)
        yield check("a card that lies there is not gone meanwhile", card_that_lies_there)
        if not subject.unchecked:
            yield check("nothing is read where nothing is", ignores_a_neighbour)
        if not subject.lossless:
            yield check("at the wrong speed everything is noise", wrong_speed_is_noise)
        yield check("mangled conversations leave nothing behind", mangled_conversations)
    if hasattr(twin, "lit"):
        yield check("lamps show what the table says", lamps_on_a_port)
    if hasattr(twin, "tap"):
        for temper in TEMPERS:
            yield check(f"keys count once, {temper}", keys_on_a_port, temper)
    if hasattr(twin, "is_open"):
        yield check("the gate follows the table, and shuts by itself", gate_on_a_port)
    if hasattr(twin, "pass_card"):
        yield check("a card in the mouth is sensed", shoe_on_a_port)


def outcome(check: Check) -> str | None:
    """Run a check; say what is wrong, in a sentence, or nothing."""
    try:
        with _awake():
            check.run()
    except Nonconforming as why:
        return str(why)
    except Exception as failure:  # a driver never raises; nor may its twin
        at = _innermost(failure)
        return f"{type(failure).__name__} at {at}" + (f": {failure}" if str(failure) else "")
    return None


@contextmanager
def _awake() -> Iterator[None]:
    """Let nobody sleep: time is handed in."""
    sleep = time.sleep

    def refused(seconds: float) -> None:
        fail(f"it sleeps ({seconds} s): a driver never waits, time is handed in")

    time.sleep = refused  # type: ignore[assignment]  # for as long as the check runs
    try:
        yield
    finally:
        time.sleep = sleep


def _innermost(failure: BaseException) -> str:
    trace = failure.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return "?" if trace is None else f"{trace.tb_frame.f_globals.get('__name__')}:{trace.tb_lineno}"


# Its page and its settings.


def page_names_every_key(subject: Subject) -> None:
    """The section of a driver names each of its keys."""
    for key in keys_of(subject.driver):
        require(f"`{key.name}" in subject.section, f"its page does not explain the key `{key.name}`")


def example_is_accepted_and_complete(subject: Subject) -> None:
    """The example of the page makes a driver of its name, and leaves out no key."""
    require(subject.made().name == subject.device, "its `name` is not the one it was given")
    left_out = {key.name for key in keys_of(subject.driver)} - set(subject.keys)
    require(not left_out, f"the example leaves out {', '.join(sorted(left_out))}")


def configuration_is_refused(subject: Subject) -> None:
    """A key that is unknown, missing or of another kind is a `DriverConfigError`."""
    _refused(subject, {**subject.keys, "colour": "red"}, "has no such key; its keys are")
    for key in keys_of(subject.driver):
        require(key.accepts, f"it does not say what `{key.name}` accepts")
        _refused(subject, {**subject.keys, key.name: object()}, "it must be")
        if key.required:
            others = {own: value for own, value in subject.keys.items() if own != key.name}
            _refused(subject, others, "needs it")


def _refused(subject: Subject, keys: Mapping[str, object], words: str) -> None:
    try:
        build(subject.driver, subject.device, keys)
    except DriverConfigError as why:
        require(words in str(why), f"it refuses a wrong setting in other words: {why}")
    else:
        fail(f"it takes settings that are to be refused ({words!r})")


def keeps_to_itself(subject: Subject) -> None:
    """The module of a driver, and those beside it that it is made of, know no port, thread, clock or chance."""
    made = class_of(subject.driver)
    for module in {base.__module__ for base in made.__mro__ if base is not object}:
        for name, value in vars(sys.modules[module]).items():
            origin = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
            if isinstance(origin, str) and origin.partition(".")[0] in FORBIDDEN:
                fail(f"{module} has {name!r} of {origin}: a driver holds no port, no thread, no clock and no chance")


def has_a_twin(subject: Subject) -> None:
    """The far end of the wire is there for `--simulate` and for these checks, and the example names it."""
    made, twin = subject.made(), twin_class(subject.driver)
    wanted = f"sim://{subject.driver}/"
    if isinstance(made, ByteDriver):
        require("pins" not in signature(twin).parameters, "its far end is on pins and it is on a byte port")
        require(str(subject.port).startswith(wanted), f"the example is to name the port {wanted}{subject.device}")
    else:
        require(subject.port is None, "it is on pins; the example names a port")


def twin_is_configured_like_its_driver(subject: Subject) -> None:
    """What is on pins is wired as its driver is told."""
    own = {key.name for key in keys_of(subject.driver)}
    parameters = signature(twin_class(subject.driver)).parameters.values()
    same = {parameter.name for parameter in parameters if parameter.kind is Parameter.KEYWORD_ONLY} == own
    require(same, "its far end takes other keys than it does")


# Devices on ports.

TEMPERS = {
    "clean": ("", 1.0),
    "a byte at a time": ("split=1", 1.0),
    "late": ("delay=0.08", 1.0),
    "noise before frames": ("burst=0.3&seed=1", 0.6),
    "flipped bits": ("flip=0.01&seed=2", 0.6),
    "lost bytes": ("drop=0.01&seed=3", 0.6),
    "doubled bytes": ("double=0.01&seed=4", 0.6),
    "repeated frames": ("repeat=0.5&seed=5", 0.9),
    "a bad day": ("flip=0.005&drop=0.005&double=0.005&burst=0.1&repeat=0.1&split=3&delay=0.02&seed=6", 0.5),
}
"""Faults of the cable -> the part of the cards that must still be read."""

DAMAGING = ("flipped bits", "lost bytes", "doubled bytes", "noise before frames", "a bad day")


class Line:
    """A driver on its port, served as the runtime serves it, in a time that only `run` moves."""

    def __init__(self, driver: ByteDriver, url: str, clock: HandClock) -> None:
        """Open the port and greet the device."""
        self.driver, self.clock = driver, clock
        self.port: BytePort = open_port(url, driver, read_seconds=0)
        self.port.write(driver.hello())

    def run(self, seconds: float) -> list[DeviceEvent]:
        """Let time go by; what the driver says meanwhile."""
        events: list[DeviceEvent] = []
        ends = self.clock() + seconds
        while self.clock() < ends:
            self.clock.advance(0.005)
            events += self.driver.received(self.port.read(), self.clock())
            data, more = self.driver.tick(self.clock())
            events += more
            if data:
                self.port.write(data)
        return events

    def show(self, signals: Signals) -> None:
        """Hand the table's signals to the device."""
        self.port.write(self.driver.perform(signals))


@contextmanager
def _bench() -> Iterator[tuple[Bench, HandClock]]:
    clock = HandClock()
    with Bench(clock=clock) as bench:
        yield bench, clock


def _signals(*, gate_open: bool = False, **lamps: tuple[int, ...]) -> Signals:
    return Signals(Lamps(**lamps), gate_open)


def _reads(events: Sequence[DeviceEvent]) -> list[str]:
    return [event.tag for event in events if isinstance(event, TagRead)]


def reads_its_twin(subject: Subject, temper: str) -> None:
    """Of ten cards that come and go, enough are read, and no tag that was not there."""
    faults, share = TEMPERS[temper]
    with _bench() as (bench, clock):
        line = Line(subject.on_port(), subject.url(faults), clock)
        reader = bench.reader(subject.device)
        line.run(1.0)
        read = 0
        for number in range(10):
            tag = reader.nth_tag(number)
            reader.present(tag)
            events = line.run(0.6)
            reader.remove()
            events += line.run(0.6)
            if not subject.unchecked or temper not in DAMAGING:
                require(set(_reads(events)) <= {tag}, "a tag was read that was not there")
            read += tag in _reads(events)
        require(read >= 10 * share, f"{read} of 10 tags were read; {10 * share:.0f} are wanted")


def card_that_lies_there(subject: Subject) -> None:
    """A repeat is told from a new card by `gone_after`: the reads of one card must come closer than that."""
    with _bench() as (bench, clock):
        driver = subject.on_port()
        line = Line(driver, subject.url(), clock)
        reader = bench.reader(subject.device)
        line.run(0.5)
        reader.present(reader.nth_tag(0))
        times = [clock() for _ in range(400) for _ in _reads(line.run(0.005))]
        require(times, "a tag that lies there was never read")
        gone_after = driver.gone_after if isinstance(driver, TagReader) else 0.0
        apart = max((later - earlier for earlier, later in pairwise(times)), default=0.0)
        together = len(times) < 2 or apart < gone_after
        require(together, f"the reads of one card come {apart:.2f} s apart, and `gone_after` is {gone_after}")


def ignores_a_neighbour(subject: Subject) -> None:
    """Nothing presented, nothing read, however noisy the line."""
    faults = "" if subject.lossless else "burst=1&flip=0.02"
    with _bench() as (_, clock):
        require(not _reads(Line(subject.on_port(), subject.url(faults), clock).run(3.0)), "noise was read as a tag")


def pulled_cable_and_return(subject: Subject) -> None:
    """A pulled cable is an error of the port; the same driver goes on when it is back."""
    with _bench() as (bench, clock):
        line = Line(subject.on_port(), subject.url(), clock)
        line.run(0.5)
        bench.unplug(subject.device)
        _raises(PortLostError, lambda: line.run(0.1))
        _raises(PortLostError, lambda: line.port.write(b"x"))
        _raises(PortMissingError, lambda: open_port(subject.url(), line.driver))
        bench.plug(subject.device)
        _raises(PortLostError, lambda: line.run(0.1))
        line.port.close()
        line.port.close()
        again = Line(line.driver, subject.url(), clock)
        again.run(0.5)
        if isinstance(line.driver, TagReader):
            reader = bench.reader(subject.device)
            reader.present(reader.nth_tag(5))
            require(set(_reads(again.run(1.0))) == {reader.nth_tag(5)}, "after the cable came back no tag is read")


def port_is_ours_alone(subject: Subject) -> None:
    """A port that is open is refused to a second one."""
    with _bench() as (_, clock):
        line = Line(subject.on_port(), subject.url(), clock)
        _raises(PortBusyError, lambda: open_port(subject.url(), line.driver))


def _raises(kind: type[Exception], what: Callable[[], object]) -> None:
    try:
        what()
    except kind:
        return
    fail(f"{kind.__name__} was to be raised")


def wrong_speed_is_noise(subject: Subject) -> None:
    """At twice the speed nothing is read, and no device is said to be there."""
    with _bench() as (bench, clock):
        driver = subject.on_port()
        Line(driver, subject.url(), clock).port.close()
        driver.baudrate = driver.baudrate * 2
        line = Line(driver, subject.url(), clock)
        reader = bench.reader(subject.device)
        reader.present(reader.nth_tag(0))
        events = line.run(2.0)
        require(not _reads(events), "a tag was read at the wrong speed")
        require(
            not any(isinstance(event, DeviceReady) for event in events), "it says that it is ready, at the wrong speed"
        )


def lamps_on_a_port(subject: Subject) -> None:
    """The lamps of a role are alight where the table says, and dark when it says so no more."""
    with _bench() as (bench, clock):
        bench.add_port(subject.url(), subject.keys)
        twin = bench.lamps(subject.device)
        line = Line(subject.on_port(), subject.url(), clock)
        line.run(0.2)
        require(not any(twin.lit().values()), "lamps are alight before the table said anything")
        line.show(_signals(act=(1,), button=(2,)))
        line.run(0.05)
        require((twin.lit()["act"], twin.lit()["button"]) == ((1,), (2,)), "other lamps are alight than the table says")
        line.run(2.0)
        line.show(_signals())
        line.run(0.05)
        require(not any(twin.lit().values()), "lamps stay alight")


def keys_on_a_port(subject: Subject, temper: str) -> None:
    """Each press of a key counts once."""
    faults, _ = TEMPERS[temper]
    with _bench() as (bench, clock):
        line = Line(subject.on_port(), subject.url(faults), clock)
        bench.add_port(subject.url(faults), subject.keys)
        twin = bench.panel(subject.device)
        line.run(2.0)
        for key in [*subject.keys["keys"], *subject.keys["keys"]]:
            twin.tap(key)
            pressed = [event.key for event in line.run(2.5) if isinstance(event, KeyPressed)]
            require(pressed == [key], f"the key {key} was tapped once, and it says {pressed}")


def gate_on_a_port(subject: Subject) -> None:
    """The gate is where the table wants it, and shuts when nobody wants it any more."""
    with _bench() as (bench, clock):
        bench.add_port(subject.url(), subject.keys)
        twin = bench.gate(subject.device)
        line = Line(subject.on_port(), subject.url(), clock)
        line.run(0.5)
        for wanted in (True, False, True):
            line.show(_signals(gate_open=wanted))
            line.run(0.05)
            require(twin.is_open() == wanted, f"the gate is not {'open' if wanted else 'shut'} as the table wants it")
        clock.advance(0.5)
        require(not twin.is_open(), "a gate must shut when nobody wants it any more")


def shoe_on_a_port(subject: Subject) -> None:
    """A card that passes covers the mouth and frees it."""
    with _bench() as (bench, clock):
        bench.add_port(subject.url(), subject.keys)
        line = Line(subject.on_port(), subject.url(), clock)
        line.run(0.5)
        bench.sensors(subject.device).pass_card(face_up=True)
        covered = [event.covered for event in line.run(0.5) if isinstance(event, CardEdge)]
        require(covered == [True, False], f"a card passed, and it says {covered}")


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
    with _bench() as (bench, clock):
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


# Devices on pins.


def _on_bench(subject: Subject, bench: Bench) -> tuple[PinDriver, object]:
    twin = bench.add_device(subject.driver, subject.device, subject.keys)
    driver = subject.made()
    if not isinstance(driver, PinDriver):
        fail("it is neither a ByteDriver nor a PinDriver")
    driver.start(bench.pins)
    return driver, twin


def pins_are_left_safe(subject: Subject) -> None:
    """The pins that are set up are those that are declared, and rest as at the start when the device is given up."""
    with _bench() as (bench, _):
        driver, twin = _on_bench(subject, bench)
        set_up = [change for change in bench.pins.history if change.what in ("input", "output")]
        same = sorted(change.pin for change in set_up) == sorted(driver.pins_used().values())
        require(same, "it sets up other pins than it declares")
        rest = _at_rest(twin)
        driver.perform(_signals(gate_open=True, act=(1,)), bench.pins)
        for _ in range(2):
            driver.stop(bench.pins)
            require(_at_rest(twin) == rest, "`stop` leaves the device otherwise than `start`")
        bench.pins.close()
        require(_at_rest(twin) == rest, "with its pins given back the device is otherwise than at the start")


def _at_rest(twin: object) -> Mapping[str, tuple[int, ...]] | bool | None:
    match twin:
        case LampsTwin():
            return {role: seats for role, seats in twin.lit().items() if seats}
        case GateTwin():
            return twin.is_open()
        case SoundTwin():
            return twin.is_sounding()
        case PanelTwin() | SensorsTwin():
            return None
        case _:
            fail(f"{type(twin).__name__} is no kind of twin that drivers.sim.bench.twin names")


def driver_and_twin_agree(subject: Subject) -> None:
    """What is done at the far end is said, and what the table says is seen there."""
    with _bench() as (bench, clock):
        driver, twin = _on_bench(subject, bench)

        def sampled(seconds: float) -> list[DeviceEvent]:
            events: list[DeviceEvent] = []
            for _ in range(round(seconds / SAMPLE_SECONDS)):
                clock.advance(SAMPLE_SECONDS)
                events += driver.sample(bench.pins, clock())
            return events

        require(not sampled(0.1), "it says something where nothing happens")
        match twin:
            case PanelTwin():
                for key in subject.keys["keys"]:
                    twin.tap(key)
                    pressed = [event.key if isinstance(event, KeyPressed) else None for event in sampled(1.5)]
                    require(pressed == [key], f"the key {key} was tapped once, and it says {pressed}")
            case LampsTwin():
                driver.perform(_signals(act=(1,), button=(2,)), bench.pins)
                lit = twin.lit()
                require((lit["act"], lit["button"]) == ((1,), (2,)), "other lamps are alight than the table says")
                driver.perform(_signals(), bench.pins)
                require(not any(twin.lit().values()), "lamps stay alight")
            case GateTwin():
                for wanted in (True, False, True):
                    driver.perform(_signals(gate_open=wanted), bench.pins)
                    require(twin.is_open() == wanted, "the gate is not where the table wants it")
            case SoundTwin():
                driver.perform(Signals(sound=Heard(Sound.FLOOR, 1)), bench.pins)
                require(twin.is_sounding(), "a sound is not heard")
                sampled(2.0)
                require(twin.lengths() and not twin.is_sounding(), "a sound does not end")
            case SensorsTwin():
                twin.pass_card(face_up=True)
                covered = [event.covered for event in sampled(0.5) if isinstance(event, CardEdge)]
                require(covered == [True, False], f"a card passed, and it says {covered}")
            case _:
                fail(f"{type(twin).__name__} is no kind of twin that drivers.sim.bench.twin names")
