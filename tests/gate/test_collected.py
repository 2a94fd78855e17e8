"""A test file that nobody collects, and a test that skips itself in CI, are failures."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from gate import collected
from gate.parts import ROOT, Part


def test_a_file_with_tests_is_collected_by_a_run_or_named_by_a_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collected, "FOLDER", tmp_path)
    every = collected.list_files_with_tests()
    assert "tests/gate/test_collected.py" in every
    assert "tests/conftest.py" not in every
    collected.write("1", every[:-2])
    part = Part("one", "a part", ("**",), tests=(every[-1],))
    assert collected.find_uncollected([part]) == [every[-2]]
    collected.forget()
    assert collected.find_uncollected([part]) == every[:-1]


SKIPPING = {
    "test_a.py": "def test_a():\n    pytest.skip('no such tool')",
    "test_b.py": "pytest.importorskip('no_such_package')\ndef test_b(): pass",
    "test_c.py": "@pytest.mark.skipif(True, reason='no such tool')\ndef test_c(): pass",
    "test_d.py": "@pytest.mark.xfail(strict=True)\ndef test_d(): assert False",
}


@pytest.mark.parametrize(("ci", "outcome"), [("true", "1 failed, 1 xfailed, 2 errors"), ("", "3 skipped, 1 xfailed")])
def test_a_skip_is_a_failure_in_ci(ci: str, outcome: str, tmp_path: Path) -> None:
    for name, text in SKIPPING.items():
        (tmp_path / name).write_text(f"import pytest\n{text}\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.conftest", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, "--continue-on-collection-errors", tmp_path],
        cwd=tmp_path,
        env={**os.environ, "CI": ci, "PYTHONPATH": f"{ROOT}:{ROOT / '.ci'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert outcome in done.stdout
    assert done.stdout.count("with CI=true nothing is skipped in silence: ") == (
        6 if ci else 0
    )  # where it fails, and in the summary
