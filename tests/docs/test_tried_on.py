"""`docs/tried-on.md` names every driver, and counts the bytes of others as they are."""

import re
from collections import Counter
from pathlib import Path

from drivers.contract.driver_registry import DRIVERS
from tests.drivers.device_vectors import load_vectors

ROW = re.compile(r"^\| `(\w+)` \| [^|]+ \| (\d+) \| [^|]+ \|$", re.MULTILINE)


def test_every_driver_has_a_row_with_its_count_of_vectors() -> None:
    text = (Path(__file__).parents[2] / "docs" / "tried-on.md").read_text(encoding="utf-8")
    counts = {driver: int(count) for driver, count in ROW.findall(text)}
    assert counts == {driver: len(load_vectors(driver)) for driver in sorted(DRIVERS)}
    assert not [name for name, times in Counter(driver for driver, _ in ROW.findall(text)).items() if times > 1]
