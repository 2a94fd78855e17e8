"""What the program uses only where a file or somebody wants it: libraries that are extras of its distribution.

Whatever needs one imports it where it is used, so that a table without it runs; who then catches `ModuleNotFoundError`
says `describe_missing`. The libraries for the pins are the board's (`drivers.pins.rpi_pins`).
docs/decisions/0023-a-table-installs-what-it-needs.md
"""

import sys
from dataclasses import dataclass
from importlib.util import find_spec
from os.path import dirname, exists, join


@dataclass(frozen=True, slots=True)
class Extra:
    """An extra: its library, as it is imported and as it is installed, and what needs it, as a sentence begins."""

    module: str
    package: str
    needed_by: str


EXTRAS = {
    "announcer": Extra("paho", "paho-mqtt", "telling a broker ([mqtt] of the announcer's file)"),
    "metrics": Extra("prometheus_client", "prometheus-client", "counting for Prometheus ([page] metrics)"),
    "records": Extra("pokerkit", "pokerkit", "exporting hands, or ranking those of a deck without a table,"),
    "uplink": Extra("nats", "nats-py", "the link to a room"),
}
"""Extra of `table-controller` -> what it brings."""


def find_missing(name: str) -> str | None:
    """The sentence of an extra that is not installed; `None` where it is."""
    return None if find_spec(EXTRAS[name].module) else _describe(name)


def describe_missing(failure: ModuleNotFoundError) -> str | None:
    """Say what needs the library that was not found, and how it is installed; `None` where it is of no extra."""
    module = (failure.name or "").partition(".")[0]
    return next((_describe(name) for name, extra in EXTRAS.items() if extra.module == module), None)


def _describe(name: str) -> str:
    extra = EXTRAS[name]
    is_release = exists(join(dirname(sys.prefix), "wheels"))  # where `tablectl release` has put this program
    remedy = f"sudo tablectl release extras {name}" if is_release else f"pip install 'table-controller[{name}]'"
    return f"{extra.needed_by} needs {extra.package}: {remedy}"
