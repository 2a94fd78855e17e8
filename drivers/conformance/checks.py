"""The list of what a driver is held against, and how a check is run."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

from controller.plug_ins import PlugInError
from drivers.conformance.byte_checks import check_any_bytes, check_mangled_conversations, check_next_tick
from drivers.conformance.configuration_checks import (
    check_bad_keys_refused,
    check_example,
    check_forbidden_modules,
    check_has_simulator,
    check_page_names_keys,
    check_simulator_keys,
)
from drivers.conformance.documented_driver import ConformanceError, DocumentedDriver, fail
from drivers.conformance.pin_checks import check_safe_pins, check_simulator_agreement
from drivers.conformance.port_checks import (
    DAMAGING_CONDITIONS,
    LINK_CONDITIONS,
    check_exclusive_port,
    check_gate,
    check_keys,
    check_lamps,
    check_no_phantom_reads,
    check_resting_card,
    check_shoe_sensors,
    check_tags_read,
    check_unplug_and_replug,
    check_wrong_baud_rate,
)
from drivers.contract.driver_interface import ByteDriver, TagReader, TickScheduler
from drivers.simulators.bench.bench import load_simulator_class
from drivers.simulators.bench.simulator_interfaces import (
    GateSimulator,
    LampsSimulator,
    PanelSimulator,
    SensorsSimulator,
)


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that a driver is held against; `run` raises `ConformanceError`."""

    name: str
    run: Callable[[], None] = field(repr=False)


def list_checks(subject: DocumentedDriver) -> Iterator[Check]:
    """What a driver is held against, by what it is and what its simulator can do."""

    def check(name: str, body: Callable[..., None], *more: object) -> Check:
        return Check(name, partial(body, subject, *more))

    yield check("its page explains every key", check_page_names_keys)
    yield check("the example sets every key and is accepted", check_example)
    yield check("what is wrong in a file is refused, not guessed", check_bad_keys_refused)
    yield check("it holds no port, thread, clock or chance", check_forbidden_modules)
    yield check("its far end can be simulated", check_has_simulator)
    try:
        made, simulator = subject.build_driver(), load_simulator_class(subject.driver)
    except Exception:  # it cannot be held against more; the checks above say why
        return
    if not isinstance(made, ByteDriver):
        yield check("its far end has the same keys", check_simulator_keys)
        yield check("pins are set up as declared and left safe", check_safe_pins)
        yield check("it agrees with its far end", check_simulator_agreement)
        return
    yield check("any bytes at any time are values", check_any_bytes)
    if isinstance(made, TickScheduler):
        yield check("it says when it wants to be ticked", check_next_tick)
    yield check("a pulled cable and its return", check_unplug_and_replug)
    yield check("its port is its own", check_exclusive_port)
    if isinstance(made, TagReader):
        wire = [
            temper
            for temper in LINK_CONDITIONS
            if not subject.is_lossless or temper not in (*DAMAGING_CONDITIONS, "repeated frames")
        ]
        for temper in wire:
            yield check(f"tags are read, {temper}", check_tags_read, temper)
        yield check("a card that lies there is not gone meanwhile", check_resting_card)
        if not subject.has_no_checksum:
            yield check("nothing is read where nothing is", check_no_phantom_reads)
        if not subject.is_lossless:
            yield check("at the wrong speed everything is noise", check_wrong_baud_rate)
        yield check("mangled conversations leave nothing behind", check_mangled_conversations)
    if _is_a(simulator, LampsSimulator):
        yield check("lamps show what the table says", check_lamps)
    if _is_a(simulator, PanelSimulator):
        for temper in LINK_CONDITIONS:
            yield check(f"keys count once, {temper}", check_keys, temper)
    if _is_a(simulator, GateSimulator):
        yield check("the gate follows the table, and shuts by itself", check_gate)
    if _is_a(simulator, SensorsSimulator):
        yield check("a card in the mouth is sensed", check_shoe_sensors)


def _is_a(simulator: object, kind: type) -> bool:
    return isinstance(simulator, type) and issubclass(simulator, kind)


def run_check(check: Check) -> str | None:
    """Run a check; say what is wrong, in a sentence, or nothing."""
    try:
        with _forbid_sleep():
            check.run()
    except (ConformanceError, PlugInError) as why:
        return str(why)
    except Exception as failure:  # a driver never raises; nor may its simulator
        at = _find_origin(failure)
        return f"{type(failure).__name__} at {at}" + (f": {failure}" if str(failure) else "")
    return None


@contextmanager
def _forbid_sleep() -> Iterator[None]:
    """Let nobody sleep: time is handed in."""
    sleep = time.sleep

    def refuse_sleep(seconds: float) -> None:
        fail(f"it sleeps ({seconds} s): a driver never waits, time is handed in")

    time.sleep = refuse_sleep  # type: ignore[assignment]  # for as long as the check runs
    try:
        yield
    finally:
        time.sleep = sleep


def _find_origin(failure: BaseException) -> str:
    trace = failure.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return "?" if trace is None else f"{trace.tb_frame.f_globals.get('__name__')}:{trace.tb_lineno}"
