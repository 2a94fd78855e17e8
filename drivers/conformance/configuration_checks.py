"""What a driver says of itself: its page, its keys, what it refuses, its far end."""

import sys
from collections.abc import Mapping
from inspect import Parameter, signature
from types import ModuleType

from drivers.conformance.documented_driver import DocumentedDriver, fail, require
from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import ByteDriver
from drivers.contract.driver_registry import build_driver, list_driver_keys, load_driver_class
from drivers.simulators.bench.bench import load_simulator_class

FORBIDDEN_MODULES = frozenset(
    ("time", "threading", "_thread", "socket", "serial", "subprocess", "asyncio", "random", "sqlite3", "RPi", "lgpio")
)
"""Modules that a driver has no business with: it holds no port, thread, clock or chance."""


def check_page_names_keys(subject: DocumentedDriver) -> None:
    """The section of a driver names each of its keys."""
    for key in list_driver_keys(subject.driver):
        require(f"`{key.name}" in subject.section, f"its page does not explain the key `{key.name}`")


def check_example(subject: DocumentedDriver) -> None:
    """The example of the page makes a driver of its name, and leaves out no key."""
    require(subject.build_driver().name == subject.device, "its `name` is not the one it was given")
    left_out = {key.name for key in list_driver_keys(subject.driver)} - set(subject.keys)
    require(not left_out, f"the example leaves out {', '.join(sorted(left_out))}")


def check_bad_keys_refused(subject: DocumentedDriver) -> None:
    """A key that is unknown, missing or of another kind is a `DriverConfigError`."""
    _require_refusal(subject, {**subject.keys, "colour": "red"}, "has no such key; its keys are")
    for key in list_driver_keys(subject.driver):
        require(key.accepted_text, f"it does not say what `{key.name}` accepts")
        _require_refusal(subject, {**subject.keys, key.name: object()}, "it must be")
        if key.is_required:
            others = {own: value for own, value in subject.keys.items() if own != key.name}
            _require_refusal(subject, others, "needs it")


def _require_refusal(subject: DocumentedDriver, keys: Mapping[str, object], words: str) -> None:
    try:
        build_driver(subject.driver, subject.device, keys)
    except DriverConfigError as why:
        require(words in str(why), f"it refuses a wrong setting in other words: {why}")
    else:
        fail(f"it takes settings that are to be refused ({words!r})")


def check_forbidden_modules(subject: DocumentedDriver) -> None:
    """The module of a driver, and those beside it that it is made of, know no port, thread, clock or chance."""
    made = load_driver_class(subject.driver)
    for module in {base.__module__ for base in made.__mro__ if base is not object}:
        for name, value in vars(sys.modules[module]).items():
            origin = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
            if isinstance(origin, str) and origin.partition(".")[0] in FORBIDDEN_MODULES:
                fail(f"{module} has {name!r} of {origin}: a driver holds no port, no thread, no clock and no chance")


def check_has_simulator(subject: DocumentedDriver) -> None:
    """The far end of the wire is there for `--simulate` and for these checks, and the example names it."""
    made, simulator = subject.build_driver(), load_simulator_class(subject.driver)
    wanted = f"sim://{subject.driver}/"
    if isinstance(made, ByteDriver):
        require("pins" not in signature(simulator).parameters, "its far end is on pins and it is on a byte port")
        require(str(subject.port).startswith(wanted), f"the example is to name the port {wanted}{subject.device}")
    else:
        require(subject.port is None, "it is on pins; the example names a port")


def check_simulator_keys(subject: DocumentedDriver) -> None:
    """What is on pins is wired as its driver is told."""
    own = {key.name for key in list_driver_keys(subject.driver)}
    parameters = signature(load_simulator_class(subject.driver)).parameters.values()
    same = {parameter.name for parameter in parameters if parameter.kind is Parameter.KEYWORD_ONLY} == own
    require(same, "its far end takes other keys than it does")
