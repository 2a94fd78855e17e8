"""The example package as a house gets it: installed by pip, without a network, and run by the command itself."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.plug_ins.packages import EXAMPLE, ROOT

pytestmark = pytest.mark.slow


def install_package(source: Path, target: Path) -> Path:
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps"]
    done = subprocess.run(
        [*pip, "--no-build-isolation", "--target", str(target), str(source)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return target


def tablectl(site: Path, *words: str, seconds: float = 60) -> tuple[int | None, str]:
    """Status (`None`: still running when the time was up) and everything that was said."""
    call = [str(Path(sys.executable).parent / "tablectl")]
    try:
        done = subprocess.run(
            [*call, *words], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(site)}, text=True, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds,
        )  # fmt: skip
    except subprocess.TimeoutExpired as late:
        return None, (late.stdout or b"").decode()
    return done.returncode, done.stdout


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = tmp_path_factory.mktemp("source") / "starline"
    shutil.copytree(EXAMPLE, source, ignore=shutil.ignore_patterns("__pycache__"))
    return install_package(source, tmp_path_factory.mktemp("site"))


def test_the_example_is_installed_and_passes(site: Path) -> None:
    assert tablectl(site, "check-driver", "table-controller-starline")[0] == 0
    status, said = tablectl(site, "check", "examples/starline/table.toml")
    assert (status, "by table-controller-starline 1.0" in said) == (0, True), said


def test_the_example_runs(site: Path, tmp_path: Path) -> None:
    status, said = tablectl(
        site, "run", "--config", "examples/starline/table.toml", "--simulate", "--state", str(tmp_path), "--port", "0",
        seconds=12,
    )  # fmt: skip
    assert status is None, said
    assert "starline-room.toml, roberts-7.toml, starline-three.toml as the session began" in said
    assert "page at http://127.0.0.1:" in said
    assert "ERROR" not in said


def test_without_the_package_the_table_says_what_is_missing(tmp_path: Path) -> None:
    status, said = tablectl(tmp_path, "check", "examples/starline/table.toml")
    assert status == 2
    assert "there is no driver 'starline'; there are" in said


def test_a_broken_one_fails_in_words(tmp_path: Path) -> None:
    source = tmp_path / "starline"
    shutil.copytree(EXAMPLE, source, ignore=shutil.ignore_patterns("__pycache__"))
    reader = source / "table_controller_starline" / "reader.py"
    text = reader.read_text(encoding="utf-8")
    old = 'return Noise("no frame start")'
    assert old in text
    reader.write_text(text.replace(old, "raise ValueError(data)"))
    site = install_package(source, tmp_path / "site")
    status, said = tablectl(site, "check-driver", "table-controller-starline")
    assert status == 1
    assert "BAD  starline: any bytes at any time are values" in said
    assert "ValueError at table_controller_starline.reader:" in said
    assert "Traceback" not in said
    reader.write_text("import starline_serial_library\n")
    site = install_package(source, tmp_path / "other")
    status, said = tablectl(site, "run", "--config", "examples/starline/table.toml", "--simulate", "--port", "0")
    assert status == 2
    assert "table.toml:24: device.shoe.driver: the driver 'starline' of table-controller-starline 1.0 cannot be" in said
    assert "ModuleNotFoundError: No module named 'starline_serial_library'" in said
    assert "Traceback" not in said
