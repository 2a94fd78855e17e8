"""Tests that take long: few take most of the time. `make test-long` runs them, `make test` all others.

`long_tests.txt` has a name a line, without the cases behind it. What a test costs is measured, all cases together:

    .venv/bin/pytest -q -n 2 -m "not slow and not elsewhere" -p tests.long_tests     # writes build/test-costs
    python -m tests.long_tests --record                                              # makes the list of that
    python -m tests.long_tests --files                                               # says which files have one
"""

import os
import resource
import sys
import time
from collections import defaultdict
from collections.abc import Generator, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
LIST = Path(__file__).with_suffix(".txt")
COSTS = ROOT / "build" / "test-costs"

MAX_QUICK_S = 1.0
"""Seconds of processor that a test may cost which `make test` runs."""

WAITING_SHARE = 0.25
"""What a second counts in which a test waits for others: a browser and a table are no children of its own."""

QUICK_ALL_THE_SAME = (
    "tests/browser/test_dealers_page.py::test_a_whole_hand_by_touch",
    "tests/browser/test_phone.py::",
    "tests/room/server/test_in_a_browser.py::",
)
"""How tests begin that `make test` runs whatever they cost: pages break in ways that no test without a browser sees."""


def strip_case(node_id: str) -> str:
    """Return the name of a test without its case."""
    return node_id.partition("[")[0]


def read_long_tests() -> frozenset[str]:
    """Return the names of the tests that take long."""
    return frozenset(LIST.read_text(encoding="utf-8").splitlines())


def mark_long_tests(items: Iterable[Any]) -> None:
    """Mark those of pytest's items that take long."""
    long_tests = read_long_tests()
    for item in items:
        if strip_case(item.nodeid) in long_tests:
            item.add_marker("long")


def _read_processor_s() -> float:
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Write down what a test costs."""
    processor_s, begun = _read_processor_s(), time.monotonic()
    result = yield
    cost = max(_read_processor_s() - processor_s, (time.monotonic() - begun) * WAITING_SHARE)
    COSTS.mkdir(parents=True, exist_ok=True)
    with (COSTS / f"{os.getpid()}.txt").open("a", encoding="utf-8") as file:
        file.write(f"{cost:.3f} {item.nodeid}\n")
    return result


def find_long_tests(costs: Mapping[str, float]) -> list[str]:
    """Return the names of the tests that cost more than `MAX_QUICK_S` and are not kept all the same."""
    return sorted(
        name for name, cost in costs.items() if cost > MAX_QUICK_S and not name.startswith(QUICK_ALL_THE_SAME)
    )


def read_costs(folder: Path = COSTS) -> dict[str, float]:
    """Return what each test costs, all its cases together; of a case that was measured twice, the higher cost."""
    cost_by_case: dict[str, float] = {}
    for file in folder.glob("*.txt"):
        for line in file.read_text(encoding="utf-8").splitlines():
            cost, _, node_id = line.partition(" ")
            cost_by_case[node_id] = max(float(cost), cost_by_case.get(node_id, 0.0))
    costs: dict[str, float] = defaultdict(float)
    for node_id, seconds in cost_by_case.items():
        costs[strip_case(node_id)] += seconds
    return costs


def main(words: list[str]) -> int:
    """Make the list of what was measured, or say which files have a test of it."""
    if words == ["--files"]:
        sys.stdout.write("\n".join(sorted({name.partition("::")[0] for name in read_long_tests()})) + "\n")
        return 0
    if words != ["--record"]:
        sys.stderr.write(str(__doc__))
        return 2
    LIST.write_text("".join(f"{name}\n" for name in find_long_tests(read_costs())), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
