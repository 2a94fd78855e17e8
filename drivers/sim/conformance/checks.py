"""The list of what a driver is held against, and how a check is run."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

from drivers.contract.base import (
    ByteDriver,
    TagReader,
)
from drivers.sim.bench.bench import twin_class
from drivers.sim.bench.twin import GateTwin, LampsTwin, PanelTwin, SensorsTwin
from drivers.sim.conformance.any_bytes import any_bytes, mangled_conversations
from drivers.sim.conformance.on_a_port import (
    DAMAGING,
    TEMPERS,
    card_that_lies_there,
    gate_on_a_port,
    ignores_a_neighbour,
    keys_on_a_port,
    lamps_on_a_port,
    port_is_ours_alone,
    pulled_cable_and_return,
    reads_its_twin,
    shoe_on_a_port,
    wrong_speed_is_noise,
)
from drivers.sim.conformance.on_pins import driver_and_twin_agree, pins_are_left_safe
from drivers.sim.conformance.settings import (
    configuration_is_refused,
    example_is_accepted_and_complete,
    has_a_twin,
    keeps_to_itself,
    page_names_every_key,
    twin_is_configured_like_its_driver,
)
from drivers.sim.conformance.subject import Nonconforming, Subject, fail


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
    if _is_a(twin, LampsTwin):
        yield check("lamps show what the table says", lamps_on_a_port)
    if _is_a(twin, PanelTwin):
        for temper in TEMPERS:
            yield check(f"keys count once, {temper}", keys_on_a_port, temper)
    if _is_a(twin, GateTwin):
        yield check("the gate follows the table, and shuts by itself", gate_on_a_port)
    if _is_a(twin, SensorsTwin):
        yield check("a card in the mouth is sensed", shoe_on_a_port)


def _is_a(twin: object, kind: type) -> bool:
    return isinstance(twin, type) and issubclass(twin, kind)


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
