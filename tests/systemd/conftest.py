"""A booted container a module: what one leaves there the next does not find."""

from collections.abc import Iterator

import pytest

from tests.systemd.machine import WORK, Machine, wait_until


@pytest.fixture(scope="module")
def machine() -> Iterator[Machine]:
    machine = Machine()
    try:
        if not machine.boot():
            said = (WORK / "console").read_text(encoding="utf-8", errors="replace").strip().splitlines()
            pytest.skip(f"no systemd boots in a container here: {said[-1:]}")
        wait_until(machine.is_active, "the table is up by itself after a boot")
        yield machine
    finally:
        machine.end()
