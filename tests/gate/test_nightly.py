"""The record of long runs: what it proves of a tree, how old it is, and which parts a change reaches."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from gate import nightly
from gate.nightly import NightlyError, describe_age, find_changed_files, is_proved, read_record, record_run, run_git
from gate.parts import Part
from gate.runner import Report

PART = Part("soak", "hands", ("core/**",), "true", 1, "true", 1)


def report(failure: str = "") -> Report:
    return Report(PART, failure, 71.4, 60.6, {"hands": 3}, "")


@pytest.fixture
def commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """A repository of its own, and how to change a file in it."""
    monkeypatch.setattr(nightly, "ROOT", tmp_path)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "init", "-q"], cwd=tmp_path, check=True)

    def change(name: str) -> None:
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"{file.read_text() if file.exists() else ''}x")
        subprocess.run([*git, "add", name], cwd=tmp_path, check=True)
        subprocess.run([*git, "commit", "-qm", name], cwd=tmp_path, check=True)

    change("core/a.py")
    return change


def test_a_run_that_passed_proves_its_paths_until_they_change(commit: Callable[[str], None], tmp_path: Path) -> None:
    file = tmp_path / "nightly.json"
    assert not is_proved(PART, read_record(file))
    record_run(report(), file)
    assert is_proved(PART, read_record(file))
    commit("docs/a.md")
    assert is_proved(PART, read_record(file))
    assert describe_age(PART, read_record(file)).startswith("soak: 1 commits ago (")
    assert describe_age(PART, read_record(file)).endswith("passed in 71 s: hands 3")
    commit("core/a.py")
    assert not is_proved(PART, read_record(file))


def test_what_is_not_committed_counts_as_changed(commit: Callable[[str], None], tmp_path: Path) -> None:
    commit("core/b.py")
    record_run(report(), tmp_path / "nightly.json")
    (tmp_path / "core/b.py").write_text("y")
    assert not is_proved(PART, read_record(tmp_path / "nightly.json"))


def test_a_run_that_failed_proves_nothing_and_is_on_record(commit: Callable[[str], None], tmp_path: Path) -> None:
    commit("core/b.py")
    record_run(report("not done within 1 s"), tmp_path / "nightly.json")
    record = read_record(tmp_path / "nightly.json")
    assert not is_proved(PART, record)
    assert record["soak"]["failure"] == "not done within 1 s"
    assert "FAILED" in describe_age(PART, record)


def test_a_commit_that_nobody_knows_proves_nothing(commit: Callable[[str], None], tmp_path: Path) -> None:
    commit("core/b.py")
    record_run(report(), tmp_path / "nightly.json")
    record = read_record(tmp_path / "nightly.json")
    record["soak"]["commit"] = "deadbeef"
    assert find_changed_files("deadbeef") is None
    assert not is_proved(PART, record)
    assert describe_age(PART, record).startswith("soak: at a commit that is not here")


def test_a_part_that_never_ran_says_so() -> None:
    assert describe_age(PART, {}) == "soak: never"


def test_git_that_does_not_answer_is_told() -> None:
    with pytest.raises(NightlyError, match="git no-such-word: "):
        run_git("no-such-word")
