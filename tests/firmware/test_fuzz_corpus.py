"""Every input the fuzzer found worth keeping, once more with the address and undefined-behaviour sanitizers."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.firmware.ends import FIRMWARE


@pytest.mark.skipif(shutil.which("clang") is None, reason="not installed: clang")
@pytest.mark.skipif(shutil.which("make") is None, reason="not installed: make")
def test_the_kept_inputs_break_nothing(tmp_path: Path) -> None:
    done = subprocess.run(
        ["make", "-s", "-C", str(FIRMWARE), f"BUILD={tmp_path}", "fuzz-replay"],
        capture_output=True,
        text=True,
        check=False,
    )
    if "cannot find" in done.stderr and "clang_rt" in done.stderr:
        pytest.skip("not installed: libclang-rt-14-dev")
    assert done.returncode == 0, done.stdout + done.stderr
    kept = len(list((FIRMWARE / "fuzz" / "corpus").iterdir()))
    assert kept >= 3
    assert f"{kept} files found" in done.stderr
