"""For which machine and Python the core is compiled, and what is said where that cannot be. That it works: `check`."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from compiled.elsewhere import target
from compiled.elsewhere.target import Target

ROOT = Path(__file__).parents[2]


def test_a_wheel_and_its_extensions_are_named_as_the_other_python_looks_for_them() -> None:
    pi = Target("aarch64", "3.13")
    assert pi.tag == "cp313-cp313-linux_aarch64"
    assert pi.file("config.setup") == Path("config/setup.cpython-313-aarch64-linux-gnu.so")
    assert Target("x86_64", "3.11").file("all") == Path("all.cpython-311-x86_64-linux-gnu.so")


def test_what_is_asked_for_is_a_machine_and_a_python() -> None:
    assert Target.asked({}) is Target.asked({"TABLE_COMPILED_FOR": ""}) is None
    assert Target.asked({"TABLE_COMPILED_FOR": "aarch64-3.11"}) == Target("aarch64", "3.11")
    for wrong in ("aarch64", "armv7l-3.11", "aarch64-3.11-dbg"):
        with pytest.raises(ValueError, match=f"such as aarch64-3.13, and not '{wrong}'"):
            Target.asked({"TABLE_COMPILED_FOR": wrong})


def test_without_the_headers_it_says_what_makes_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(target, "DEBIAN", tmp_path)
    with pytest.raises(FileNotFoundError, match=r"compiled/elsewhere/tools BIN aarch64-3\.13"):
        Target("aarch64", "3.13").compile([], tmp_path)


@pytest.mark.parametrize(
    ("given", "for_what"),
    [
        ([], ""),
        (["MACHINE=aarch64"], "aarch64-3.11"),
        (["MACHINE=aarch64", "TABLE_PYTHON=3.13"], "aarch64-3.13"),
        (["MACHINE=x86_64", "TABLE_PYTHON=3.99"], "x86_64-3.99"),
    ],
)
def test_make_wheels_asks_for_whom_it_was_told(given: list[str], for_what: str) -> None:
    said = make("-n", "wheels", "TABLE_COMPILED=yes", *given)
    if given != ["MACHINE=aarch64"] or os.uname().machine != "aarch64":
        assert f"TABLE_COMPILED_FOR={for_what} " in said


def test_an_image_is_made_of_the_wheels_that_were_asked_for() -> None:
    assert "TABLE_COMPILED_FOR=aarch64-3.11 " in make("-n", "image") or os.uname().machine == "aarch64"


def make(*words: str) -> str:
    clean = {name: value for name, value in os.environ.items() if name not in ("MACHINE", "TABLE_PYTHON", "MAKEFLAGS")}
    return subprocess.run(["make", *words], cwd=ROOT, env=clean, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("aarch64-3.12", "3.11 (12, bookworm) and 3.13 (13, trixie), not for 3.12"),
        ("armv7l-3.11", "aarch64 and x86_64, not for armv7l"),
        ("aarch64-3.11", "pip install --require-hashes -r requirements/cross.txt"),
    ],
)
def test_what_cannot_be_compiled_for_says_what_can(tmp_path: Path, asked: str, said: str) -> None:
    command = [str(ROOT / "compiled/elsewhere/tools"), str(without_zig(tmp_path)), asked]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 1
    assert said in done.stderr


@pytest.mark.parametrize(("required", "status"), [("", 0), ("required", 1)])
def test_a_check_that_cannot_be_made_is_skipped_loudly_unless_it_must(
    tmp_path: Path, required: str, status: int
) -> None:
    command = [str(ROOT / "compiled/elsewhere/check"), str(without_zig(tmp_path)), "--short"]
    environment = os.environ | {"ELSEWHERE": required}
    done = subprocess.run(command, env=environment, check=False, capture_output=True, text=True)
    assert done.returncode == status
    assert "==== SKIPPED: the core for another machine: ziglang is missing" in done.stderr


def without_zig(folder: Path) -> Path:
    """A folder with a Python that has no zig."""
    python = folder / "python"
    python.write_text(f'#!/bin/sh\ncase "$*" in *ziglang*) exit 1 ;; esac\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    return folder
