"""The tool itself, on a small tree: what is tested is killed, what is not survives, what is known is not run again."""

import json
import os
import re
import threading
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("cosmic_ray", reason="cosmic-ray is not installed (requirements/ci.txt)")

from tests.mutants.__main__ import PROGRAM, ROOT, SAMPLED, run
from tests.mutants.campaign import plan_tests
from tests.mutants.copies import Copy, Outcome, Run, WorkerEnded
from tests.mutants.equivalent import Equivalent, find_stale, read_equivalents
from tests.mutants.points import Mutant, find_points, list_mutants, list_sources, sample_mutants
from tests.mutants.reach import ROOMS, Map, list_test_folders
from tests.mutants.worker import QUICK

SOURCE = """\
LARGEST = 10

def either(a, b):
    return a or b

def untested(a):
    return a and 3

def largest(at_most=LARGEST):
    return at_most

def met_in_order(a):
    return not a
"""
TESTS = """\
import pytest
from package.sums import either, largest, met_in_order, untested

SEEN = []

@pytest.mark.parametrize(("a", "b", "one"), [(1, 2, 1), (0, 7, 7), (5, 0, 5)])
def test_tested(a, b, one):
    assert either(a, b) == one

def test_untested():
    untested(1)
    SEEN.append(1)

def test_fails_alone():
    met_in_order(1)
    assert SEEN

def test_largest():
    assert largest() == 10

def test_red():
    assert either(1, 2) == 3
"""
FILE = "package/sums.py"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("tree")
    (root / "package").mkdir()
    (root / "tests").mkdir()
    (root / "package" / "sums.py").write_text(SOURCE, encoding="utf-8")
    (root / "tests" / "test_sums.py").write_text(TESTS, encoding="utf-8")
    only_slow = "import pytest\n\n@pytest.mark.slow\ndef test_long(): ...\n"
    (root / "tests" / "test_only_slow.py").write_text(only_slow, encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def first(tree: Path) -> tuple[int, str]:
    """The status and the output of the whole file's mutants."""
    with pytest.MonkeyPatch.context() as patch:
        lines: list[str] = []
        patch.setattr("builtins.print", lambda *words, **_: lines.append(" ".join(map(str, words))))
        status = run(tree, ["--file", FILE], (), ("package",))
    return status, "\n".join(lines)


def read_figures(output: str) -> dict[str, int]:
    found = re.search(r"^figures: (\{.*\})$", output, re.MULTILINE)
    assert found
    return dict(json.loads(found[1]))


def test_what_is_tested_is_killed_and_what_is_not_survives(first: tuple[int, str], tree: Path) -> None:
    status, output = first
    survivors = [line for line in output.splitlines() if line.startswith(f"{FILE}:") and " -> " in line]
    assert {line.partition("  ")[0] for line in survivors} == {f"{FILE}:7", f"{FILE}:13"}
    assert any("  ReplaceAndWithOr  return a and 3 -> return a or 3  (" in line for line in survivors)
    figures = read_figures(output)
    assert figures["mutants"] == len(list_mutants(tree, FILE)) == figures["killed"] + figures["survived"]
    assert (status, figures["survived"], figures["equivalent"]) == (0, len(survivors), 0)
    assert "fails as the tree is: tests/test_sums.py::test_red" in output


def test_a_run_that_was_stopped_goes_on_with_the_rest(
    first: tuple[int, str], tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = tree / "build" / "mutants" / "results.jsonl"
    before = results.read_text(encoding="utf-8").splitlines()
    results.write_text("\n".join(before[:-1]) + f"\n{before[-1][:9]}\n", encoding="utf-8")
    assert run(tree, ["--file", FILE], (), ("package",)) == 0
    after = results.read_text(encoding="utf-8").splitlines()
    assert [json.loads(line).get("key") for line in after[len(before) :]] == [json.loads(before[-1])["key"]]
    said = capsys.readouterr()
    assert read_figures(said.out) == read_figures(first[1])
    assert "map 1" not in said.err


@pytest.mark.usefixtures("first")
def test_an_equivalent_mutant_is_subtracted_and_a_share_below_the_floor_fails(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    same = Equivalent(FILE, "return a and 3", "return a or 3", "nobody asks")
    assert run(tree, ["--file", FILE, "--floor", "0.99"], (same,), ("package",)) == 1
    said = capsys.readouterr().out
    assert f"{FILE}:7  ReplaceAndWithOr" not in said
    assert read_figures(said)["equivalent"] == 1
    gone = replace(same, before="return a and 4")
    assert run(tree, ["--file", FILE], (gone,), ("package",)) == 2
    assert "no mutant of the tree any more: package/sums.py: return a and 4" in capsys.readouterr().err


def test_every_entry_of_the_list_is_a_mutant_of_the_tree() -> None:
    assert find_stale(ROOT, read_equivalents()) == []


def test_an_entry_without_its_reason_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "equivalent.toml"
    assert read_equivalents(file) == ()
    file.write_text('[[equivalent]]\nfile = "a"\nbefore = "b"\nafter = "c"\nreason = ""\n', encoding="utf-8")
    with pytest.raises(ValueError, match="an entry has file, before, after and reason"):
        read_equivalents(file)


def test_a_seed_gives_its_sample_again_spread_by_the_points_of_each_file(tmp_path: Path) -> None:
    sizes = {"a.py": 5, "b.py": 15, "c.py": 0, "d.py": 10}
    for file, size in sizes.items():
        (tmp_path / file).write_text("print(1, 'ab' * 2)\n" * size, encoding="utf-8")
    assert [len(find_points(tmp_path, file)) for file in sizes] == [15, 45, 0, 30]
    sample = sample_mutants(tmp_path, sizes, 18, "1")
    assert [sum(mutant.file == file for mutant in sample) for file in sizes] == [3, 9, 0, 6]
    assert [mutant.key for mutant in sample] == [mutant.key for mutant in sample_mutants(tmp_path, sizes, 18, "1")]
    assert {mutant.key for mutant in sample} != {mutant.key for mutant in sample_mutants(tmp_path, sizes, 18, "2")}
    assert len({mutant.key for mutant in sample_mutants(tmp_path, sizes, 1000, "1")}) == 90


@pytest.mark.parametrize(
    "source",
    [
        "def f(a: int | None = None) -> int | str: ...",
        "a: int | None",
        "Step = Deal | Burn[int] | None",
        "Step: TypeAlias = deal | burn",
        "if TYPE_CHECKING:\n    a = 1",
        "from package import *",
        "def f(a, /, b, *, c): ...",
        "f = lambda a, *, b: a",
        "def __repr__(self):\n    return 1 + 2",
        "@cache\ndef f(): ...",
        "@functools.lru_cache(maxsize=9)\ndef f(): ...",
        "isinstance(a, int | str)",
        "zip(a, b, strict=True)",
        'def f():\n    """1 + 2 is not 3."""',
    ],
)
def test_what_cannot_show_is_no_point(source: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(source, encoding="utf-8")
    assert list_mutants(tmp_path, "a.py") == []


def test_what_comes_after_what_cannot_show_is_mutated_in_its_place(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def f(a, /, *, b):\n    return a * b / a", encoding="utf-8")
    made = {(mutant.before, mutant.after) for mutant in list_mutants(tmp_path, "a.py")}
    assert {before for before, _ in made} == {"return a * b / a"}
    assert {"return a + b / a", "return a * b + a"} <= {after for _, after in made}


@pytest.mark.parametrize(
    ("source", "lines", "scope"),
    [
        ("def f():\n    return (\n        1\n    )", (2, 3, 4), ()),
        ("def f(a=1):\n    b()\n    return a", (1,), (2, 3)),
        ("def f():\n    if a < 'é' < 1:\n        b()", (2,), ()),
        ("def f():\n    try:\n        a()\n    except B:\n        return 1", (5,), ()),
        ("A = 1\ndef f():\n    b()\n\ndef g():\n    c()", (1,), (3, 6)),
    ],
)
def test_a_mutant_knows_its_statement_and_what_uses_it(
    source: str, lines: tuple[int, ...], scope: tuple[int, ...], tmp_path: Path
) -> None:
    (tmp_path / "a.py").write_text(source, encoding="utf-8")
    found = [mutant for mutant in list_mutants(tmp_path, "a.py") if mutant.operator == "NumberReplacer"]
    assert {(mutant.lines, mutant.scope) for mutant in found} == {(lines, scope)}


def test_nearest_tests_come_first_and_the_budget_leaves_out_the_slowest() -> None:
    rows = tuple(
        {"id": f"tests/test_{name}.py::test", "ok": ok, "cpu": cpu, "wall": cpu, "spawns": spawns, "slow": False}
        for name, ok, cpu, spawns in [
            ("wide", True, 0.1, False),
            ("near", True, 1.0, False),
            ("dear", True, 9.0, False),
            ("red", False, 0.1, False),
            ("spawns", True, 0.5, True),
            ("else", True, 0.1, False),
        ]
    )
    sources = {"wide": {"5": "2", "6": "2"}, "near": {"5": "2"}, "dear": {"5": "2"}, "red": {"5": "2"}}
    reach = Map("key")
    for row in rows:
        name = row["id"].removeprefix("tests/test_").removesuffix(".py::test")  # type: ignore[attr-defined]  # a text
        reach.add(str(row["id"]), "key", Outcome("passed", tests=(row,), sources={"a.py": sources.get(name, {})}))
    mutant = Mutant("a.py", "AddNot", 0, (5, 0), "", "", "", (5,), (), "key")
    plan, left_out = plan_tests(mutant, reach, 5.0)
    assert [[test.file for test in stage] for stage in plan] == [
        ["tests/test_wide.py", "tests/test_near.py"],
        ["tests/test_spawns.py"],
    ]
    assert left_out == 1


def test_every_room_has_its_tests() -> None:
    assert {folder for room in ROOMS for folder in list_test_folders(room) if not (ROOT / folder).is_dir()} == set()
    assert all(list_test_folders(f"{folder}/a.py") != ("tests",) for folder in SAMPLED)
    assert list_test_folders("controller/core/a.py") == list_test_folders("controller/core")
    assert list_test_folders("elsewhere/a.py") == ("tests",)
    assert all(list_test_folders(file) != ("tests",) for file in list_sources(ROOT, PROGRAM) if file.count("/") > 1)


@pytest.fixture
def copy(tree: Path, tmp_path: Path) -> Iterator[Copy]:
    os.mkfifo(tmp_path / "pid")
    text = f"""\
import os, subprocess, time
def test_loops():
    while True: pass
def test_waits():
    child = subprocess.Popen(["sleep", "600"], start_new_session=True)
    with open({str(tmp_path / "pid")!r}, "w") as output:
        output.write(f"{{os.getpid()}} {{child.pid}}")
    time.sleep(600)
"""
    with Copy(tree) as copy:
        (copy.root / "tests" / "test_without_end.py").write_text(text, encoding="utf-8")
        yield copy


LOOPS, WAITS = "tests/test_without_end.py::test_loops", "tests/test_without_end.py::test_waits"


def test_a_mutant_that_takes_too_long_is_ended(copy: Copy, tree: Path) -> None:
    mutated = "raise SystemExit\n"
    assert copy.run(Run(("tests/test_without_end.py",), (LOOPS,), FILE, mutated, cpu_s=2)).outcome == "timeout"
    assert (copy.root / FILE).read_bytes() == (tree / FILE).read_bytes()
    assert copy.run(Run(("tests/test_without_end.py",), (LOOPS,), wall_s=0.5)).outcome == "timeout"
    assert copy.run(Run(("tests/test_sums.py",), ("tests/test_sums.py::test_largest",))).outcome == "passed"


def test_an_end_in_the_middle_leaves_nothing_behind(copy: Copy, tmp_path: Path) -> None:
    ended: list[str] = []

    def ask() -> None:
        try:
            copy.run(Run(("tests/test_without_end.py",), (WAITS,), FILE, "A = 1\n"))
        except WorkerEnded as error:
            ended.append(str(error))

    asking = threading.Thread(target=ask)
    asking.start()
    pids = [int(word) for word in (tmp_path / "pid").read_text(encoding="ascii").split()]
    copy.close()
    asking.join()
    assert ended == [f"the process that runs tests in {copy.root} is gone"]
    assert not copy.root.exists()
    assert [pid for pid in (*pids, copy.pid) if Path(f"/proc/{pid}").exists()] == []


def test_the_tests_are_chosen_by_markers_that_there_are() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]["ini_options"]
    known = {marker.partition(":")[0] for marker in settings["markers"]}
    assert set(re.findall(r"\w+", QUICK)) - {"not", "and"} <= known
