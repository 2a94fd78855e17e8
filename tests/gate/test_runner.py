"""What a part may not do: fail, hang, lack a tool, or pass without a word of what it proved."""

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from gate import runner
from gate.parts import Part
from gate.runner import Report, describe, read_figures, run_all, run_part

PROOF = "echo 'figures: {\"hands\": 3}'"


@pytest.fixture
def make_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Part]:
    monkeypatch.setattr(runner, "LOGS", tmp_path)
    monkeypatch.setattr(runner, "KILL_DELAY_S", 2.0)

    def make(short: str = PROOF, *, name: str = "one", limit_s: int = 60, **keys: object) -> Part:
        return Part(name, "a part", ("**",), short, limit_s, **keys)  # type: ignore[arg-type]  # keys of a part

    return make


def test_a_part_that_leaves_figures_passes(make_part: Callable[..., Part]) -> None:
    report = run_part(make_part())
    assert report.failure == ""
    assert report.figures == {"hands": 3}
    assert describe(report).startswith("passed   one: ")


def test_the_processor_time_is_that_of_all_its_processes(make_part: Callable[..., Part]) -> None:
    report = run_part(make_part("(python3 -c 'sum(range(4_000_000))'); " + PROOF))
    assert report.processor_seconds > 0.02


def test_a_missing_tool_fails_by_name(make_part: Callable[..., Part]) -> None:
    report = run_part(make_part(tools={"no-such-tool": "its-package", "sh": "dash"}))
    assert report.failure == "missing: no-such-tool (apt install its-package)"
    assert report.log == ""


def test_a_part_that_hangs_is_ended_with_all_it_started(make_part: Callable[..., Part], tmp_path: Path) -> None:
    report = run_part(make_part(f"trap '' TERM; tail -f /dev/null & echo $! >{tmp_path}/child; wait", limit_s=1))
    assert report.failure == "not done within 1 s"
    child = (tmp_path / "child").read_text().strip()
    state = Path(f"/proc/{child}/stat")
    assert not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z"


def test_a_part_that_writes_nothing_fails(make_part: Callable[..., Part]) -> None:
    assert run_part(make_part("true")).failure.startswith("it left no figure")
    assert run_part(make_part("echo all is well")).failure.startswith("it left no figure")


def test_a_part_that_fails_shows_the_end_of_its_log(make_part: Callable[..., Part]) -> None:
    progress = "; ".join(f"echo {shlex.quote(line)}" for line in ("...F..x [ 25%]", "[gw1] node", "..E [100%]"))
    report = run_part(make_part(f"seq 999; {progress}; echo 1000; exit 3"))
    assert report.failure == "ended with status 3"
    lines = describe(report).splitlines()
    assert lines[0].startswith("FAILED   one: ended with status 3")
    assert lines[1].strip() == str(1001 - runner.MAX_PRINTED_LINES)
    assert lines[-1].strip() == "1000"


def test_a_part_names_the_tests_that_failed(make_part: Callable[..., Part]) -> None:
    lines = ["FAILED tests/a/test_b.py::test_c[x] - why " + "x" * 200, "ERROR tests/d.py"]
    said = "; ".join(f"echo {shlex.quote(line)}" for line in lines)
    assert run_part(make_part(f"{said}; exit 1")).failure == (
        f"ended with status 1: tests/a/test_b.py::test_c[x] (why {'x' * (runner.MAX_REASON_SIGNS - 4)}), tests/d.py"
    )
    many = make_part("for x in 1 2 3 4 5 6 7; do echo FAILED t$x.py::t; done; exit 1")
    assert run_part(many).failure.endswith("t4.py::t, t5.py::t, and 2 more")


def test_a_failure_within_a_pipe_is_a_failure(make_part: Callable[..., Part]) -> None:
    assert run_part(make_part(f"false | cat; {PROOF}")).failure == "ended with status 1"


def test_a_part_is_not_begun_after_the_deadline(make_part: Callable[..., Part]) -> None:
    assert run_part(make_part(), deadline=0).failure == "not begun: the gate had taken all its time"


def test_parts_that_want_the_machine_come_first_and_every_part_is_told(make_part: Callable[..., Part]) -> None:
    told: list[Report] = []
    parts = [make_part(), make_part("exit 1", name="two"), make_part(name="three", alone=True)]
    reports = run_all(parts, told.append)
    assert reports == told
    assert reports[0].part.alone
    assert sorted(report.failure for report in reports) == ["", "", "ended with status 1"]


def test_evidence_that_is_missing_fails(make_part: Callable[..., Part]) -> None:
    played = make_part("echo 12 hands in 3.5 s", evidence=(r"(?P<hands>\d+) hands in (?P<seconds>[\d.]+) s",))
    assert run_part(played).figures == {"hands": 12, "seconds": 3.5}
    idle = make_part(PROOF, evidence=(r"(?P<kills>\d+) kills",))
    assert run_part(idle).failure.startswith("it left no figure")


@pytest.mark.parametrize(
    ("log", "figures"),
    [
        ("12 passed in 3.21s", {"passed": 12}),
        ("237 passed, 0 failed\n25 passed, 0 failed", {"passed": 262, "failed": 0}),
        ("==== 1 failed, 12 passed, 2 skipped in 3.21s ====", {"failed": 1, "passed": 12, "skipped": 2}),
        ("2 passed, 40 deselected in 61.21s (0:01:01)\n3 passed in 1.0s", {"passed": 5, "deselected": 40}),
        ('3 passed in 1.0s\nfigures: {"kills": 7, "seed": 1}', {"passed": 3, "kills": 7, "seed": 1}),
        ("no tests ran in 0.01s", {}),
        ("40 deselected in 0.01s", {}),
        ("the sum is 12 passed in vain", {}),
    ],
)
def test_figures_are_pytests_closing_lines_and_what_is_said(log: str, figures: dict[str, int]) -> None:
    assert read_figures(log) == figures
