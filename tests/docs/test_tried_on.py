"""`docs/tried-on.md` names every driver, and counts the bytes of others as they are."""

import re
from collections import Counter
from pathlib import Path

from drivers.contract.driver_registry import DRIVERS
from tests.drivers.device_vectors import load_vectors

ROW = re.compile(r"^\| `(\w+)` \| [^|]+ \| (\d+) \| [^|]+ \|$", re.MULTILINE)

LIBRARY_ROW = re.compile(r"^\| `([\w-]+)` \| ([\d.]+) \| [^|]+ \| `(\w+)` \| [^|]+ \|$", re.MULTILINE)
ROOT = Path(__file__).parents[2]


def test_every_driver_has_a_row_with_its_count_of_vectors() -> None:
    text = (ROOT / "docs" / "tried-on.md").read_text(encoding="utf-8")
    counts = {driver: int(count) for driver, count in ROW.findall(text)}
    assert counts == {driver: len(load_vectors(driver)) for driver in sorted(DRIVERS)}
    assert not [name for name, times in Counter(driver for driver, _ in ROW.findall(text)).items() if times > 1]


def test_every_library_is_named_with_the_version_that_is_installed_and_is_run() -> None:
    rows = LIBRARY_ROW.findall((ROOT / "docs" / "tried-on.md").read_text(encoding="utf-8"))
    pins = "".join((ROOT / "requirements" / name).read_text(encoding="utf-8") for name in ("dev.txt", "alone.txt"))
    tests = [path.read_text(encoding="utf-8") for path in (ROOT / "tests/drivers/independent").glob("test_*.py")]
    assert (
        len({library for library, _, _ in rows}) == len(rows) == sum(text.count("is not installed (") for text in tests)
    )
    for library, version, driver in rows:
        assert f"\n{library}=={version} " in pins
        assert any(f"{library} is not installed (" in text for text in tests), library
        assert driver in DRIVERS
