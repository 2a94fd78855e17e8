"""The list of tests that take long: what stands in it exists, is run by the gate, and is made of what was measured."""

import re
from pathlib import Path
from types import SimpleNamespace

from gate.parts import ROOT, read_parts

from tests.long_tests import (
    MAX_QUICK_S,
    QUICK_ALL_THE_SAME,
    find_long_tests,
    mark_long_tests,
    read_costs,
    read_long_tests,
)


def test_every_test_of_the_list_exists() -> None:
    for name in read_long_tests():
        file, _, test = name.partition("::")
        text = (ROOT / file).read_text(encoding="utf-8")
        defined = rf"^\s*(?:async )?def {test.rpartition('::')[2]}\("
        assert file.endswith(".scn") or re.search(defined, text, re.MULTILINE), name


def test_what_is_kept_quick_is_not_in_it_and_exists() -> None:
    assert [name for name in read_long_tests() if name.startswith(QUICK_ALL_THE_SAME)] == []
    assert [start for start in QUICK_ALL_THE_SAME if not (ROOT / start.partition("::")[0]).exists()] == []


def test_the_gate_runs_what_make_test_leaves_out() -> None:
    by_name = {part.name: part for part in read_parts()}
    assert by_name["test-long"].always
    assert by_name["test-long"].short == "make test-long"
    recipes = (ROOT / "make" / "developer.mk").read_text(encoding="utf-8")
    assert recipes.count('-m "not slow and not elsewhere and not long"') == 1
    assert recipes.count('-m "long and not slow and not elsewhere"') == 1


def test_a_test_is_marked_by_its_name_whatever_its_case() -> None:
    name = min(read_long_tests())
    items = [SimpleNamespace(nodeid=node_id, marks=[]) for node_id in (name, f"{name}[800x480-de]", f"{name}_too")]
    for item in items:
        item.add_marker = item.marks.append
    mark_long_tests(items)
    assert [item.marks for item in items] == [["long"], ["long"], []]


def test_cases_count_together_and_some_stay_whatever_they_cost() -> None:
    costs = {"tests/a.py::test_b": 3.0, "tests/a.py::test_c": 1.0, QUICK_ALL_THE_SAME[0]: 20.0}
    assert MAX_QUICK_S == 1.0
    assert find_long_tests(costs) == ["tests/a.py::test_b"]


def test_a_second_measurement_does_not_count_twice(tmp_path: Path) -> None:
    (tmp_path / "1.txt").write_text(
        "0.75 tests/a.py::test_b[en]\n0.5 tests/a.py::test_b[de]\n0.25 tests/a.py::test_c\n"
    )
    (tmp_path / "2.txt").write_text("0.5 tests/a.py::test_b[en]\n0.75 tests/a.py::test_b[de]\n")
    assert read_costs(tmp_path) == {"tests/a.py::test_b": 1.5, "tests/a.py::test_c": 0.25}
