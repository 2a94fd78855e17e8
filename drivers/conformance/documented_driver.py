"""A driver as its page documents it, and what is said of one that does not do what every driver must."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from drivers.contract.driver_interface import ByteDriver, PinDriver
from drivers.contract.driver_registry import build_driver
from drivers.simulators.bench.bench import load_simulator_class
from drivers.simulators.bench.simulator_interfaces import is_lossless


class ConformanceError(Exception):
    """A driver does not do what every driver must."""


def fail(sentence: str) -> NoReturn:
    """Raise it."""
    raise ConformanceError(sentence)


def require(held: object, sentence: str) -> None:
    """Raise the sentence unless it held."""
    if not held:
        fail(sentence)


@dataclass(frozen=True, slots=True)
class DocumentedDriver:
    """A driver as its page has it: `section` is what stands under its name, the rest is the example there."""

    driver: str
    section: str = field(repr=False)
    device: str
    keys: Mapping[str, Any]
    port: str | None

    def build_driver(self) -> ByteDriver | PinDriver:
        """Make the driver of the example."""
        return build_driver(self.driver, self.device, self.keys)

    def build_byte_driver(self) -> ByteDriver:
        """Make it where it is known to be on a byte port."""
        made = self.build_driver()
        return made if isinstance(made, ByteDriver) else fail("it is no driver of a byte port")

    @property
    def has_no_checksum(self) -> bool:
        """Whether the page owns that damage on the cable can make another tag."""
        return "carries no check" in " ".join(self.section.split())

    @property
    def is_lossless(self) -> bool:
        """Whether the device is behind no wire of its own: the kernel hands over what it says."""
        return is_lossless(load_simulator_class(self.driver))

    def port_url(self, faults: str = "") -> str:
        """The port of the example, with faults of its cable."""
        return f"{self.port}{'&' if '?' in str(self.port) else '?'}{faults}" if faults else str(self.port)


def parse_driver_page(driver: str, page: str) -> DocumentedDriver:
    """Read what a page says of a driver. Raises `ConformanceError` where it says too little."""
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
    return DocumentedDriver(driver, found[1], device, keys, keys.pop("port", None))
