"""A driver as its page documents it, and what is said of one that does not do what every driver must."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from drivers.contract.base import (
    ByteDriver,
    PinDriver,
)
from drivers.contract.registry import build
from drivers.sim.bench.bench import twin_class
from drivers.sim.bench.twin import is_lossless


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
        return is_lossless(twin_class(self.driver))

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
