"""`docs/tried-on.md` names every driver, and counts the bytes of others as they are."""

import re
import tomllib
from collections import Counter
from pathlib import Path

from drivers.contract.driver_registry import DRIVERS
from tests.drivers.device_vectors import load_vectors

ROW = re.compile(r"^\| `(\w+)` \| [^|]+ \| (\d+) \| [^|]+ \|$", re.MULTILINE)

LIBRARY_ROW = re.compile(r"^\| `([\w-]+)` \| ([\d.]+) \| [^|]+ \| `(\w+)` \| [^|]+ \|$", re.MULTILINE)
PIN = re.compile(r"^([\w-]+)==([\d.]+)", re.MULTILINE)
ROOT = Path(__file__).parents[2]


def test_every_driver_has_a_row_with_its_count_of_vectors() -> None:
    text = (ROOT / "docs" / "tried-on.md").read_text(encoding="utf-8")
    counts = {driver: int(count) for driver, count in ROW.findall(text)}
    assert counts == {driver: len(load_vectors(driver)) for driver in sorted(DRIVERS)}
    assert not [name for name, times in Counter(driver for driver, _ in ROW.findall(text)).items() if times > 1]


def test_every_library_that_a_test_runs_is_named_with_its_pinned_version() -> None:
    rows = LIBRARY_ROW.findall((ROOT / "docs" / "tried-on.md").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pins = PIN.findall("\n".join(project["optional-dependencies"]["dev"]))
    pins += PIN.findall((ROOT / "requirements" / "alone.txt").read_text(encoding="utf-8"))
    tests = [path.read_text(encoding="utf-8") for path in (ROOT / "tests/drivers/independent").glob("test_*.py")]
    run = {(library, version) for library, version in pins if any(library in text for text in tests)}
    assert sorted((library, version) for library, version, _ in rows) == sorted(run)
    assert {driver for _, _, driver in rows} <= DRIVERS.keys()
