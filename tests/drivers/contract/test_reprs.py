"""No `repr` of what drivers and simulators pass around shows a card: its bytes, its tag, its code."""

import dataclasses
import importlib
import pkgutil
import types
from collections.abc import Iterator
from enum import Enum
from typing import get_args, get_origin, get_type_hints

import pytest

import drivers
from drivers.readers.framing import Frame
from drivers.readers.poll_session import Request
from drivers.readers.rdm6300 import Rdm6300

SHOWN_TEXTS = frozenset(
    (
        "Check.name",
        "DocumentedDriver.device",
        "DocumentedDriver.driver",
        "DocumentedDriver.port",
        "DriverKey.name",
        "DroppedBytes.reason",
        "LineSettings.parity",
        "Noise.reason",
        "PinChange.kind",
        "ReaderDwell.driver",
        "ReaderDwell.label",
        "ReaderDwell.query",
        "ReaderDwell.remedy",
        "ReaderDwell.source",
        "TagLine.antenna",
        "TagLine.fault",
    )
)
"""Class and field of texts that are no card's."""

SHOWN_EVENT_FIELDS = frozenset(("antenna", "device", "firmware", "key", "reason"))
"""Fields of device events that are shown: none is of a card."""

SHOWN_OBJECTS = frozenset(
    (
        "DocumentedDriver.keys",
        "DriverKey.annotation",
        "DriverKey.default",
        "ReaderDwell.keys",
        "ReaderDwell.percents",
        "Signals.lamps",
        "Signals.sound",
        "_KeyState.debouncer",
    )
)
"""Fields that hold objects: keys of a table's file, shares of tags, lamps, sounds, and keys of a panel."""


def list_classes() -> set[type]:
    modules = [importlib.import_module(info.name) for info in pkgutil.walk_packages(drivers.__path__, "drivers.")]
    return {
        value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, type) and value.__module__ == module.__name__
    }


def list_dataclasses() -> list[type]:
    found = list_classes()
    assert not [kind for kind in found if issubclass(kind, tuple)], "a named tuple shows all that it holds"
    return sorted(filter(dataclasses.is_dataclass, found), key=lambda kind: kind.__qualname__)


def is_harmless(annotation: object) -> bool:
    """Whether a value of this kind can hold no card: numbers, enums, and classes that are held to this themselves."""
    if isinstance(annotation, types.UnionType):
        return all(is_harmless(part) for part in get_args(annotation))
    if get_origin(annotation) is not None:
        return False
    return annotation in (int, float, bool, types.NoneType) or (
        isinstance(annotation, type) and (issubclass(annotation, Enum) or annotation in list_dataclasses())
    )


def list_shown_fields(kind: type) -> Iterator[str]:
    hints = get_type_hints(kind)
    for field in dataclasses.fields(kind):
        if field.repr and not is_harmless(hints[field.name]):
            yield f"{kind.__name__}.{field.name}"


def test_only_harmless_fields_are_shown() -> None:
    shown = {
        name
        for kind in list_dataclasses()
        for name in list_shown_fields(kind)
        if not (kind.__module__ == "drivers.contract.driver_interface" and name.split(".")[1] in SHOWN_EVENT_FIELDS)
    }
    assert shown <= SHOWN_TEXTS | SHOWN_OBJECTS, "hide it: field(repr=False)"
    assert shown >= SHOWN_TEXTS | SHOWN_OBJECTS, "no longer needed"


def test_dataclasses_are_found_and_none_has_a_repr_of_its_own() -> None:
    names = {kind.__name__ for kind in list_dataclasses()}
    assert {"TagRead", "Frame", "Request", "TagFrame", "TagLine", "BareText"} <= names
    for kind in list_dataclasses():
        assert hasattr(kind.__repr__, "__wrapped__"), f"{kind.__name__} does not show itself as a dataclass does"


@pytest.mark.parametrize("made", [Frame(1, "6F007B3972"), Frame(1, b"6F007B3972"), Request(b"6F007B3972")])
def test_content_is_not_shown(made: object) -> None:
    assert "6F007B3972" not in repr(made)


def test_no_driver_shows_what_it_holds() -> None:
    others = [kind for kind in list_classes() if not dataclasses.is_dataclass(kind)]
    assert len(others) > 50
    assert not [kind for kind in others if {"__repr__", "__str__"} & set(vars(kind))]
    driver = Rdm6300("shoe", confirm_frames=1)
    driver.receive_data(b"\x026F007B39725F\x03", 1.0)
    assert "6F007B3972" not in repr(driver)
