"""Where Python has no wheel of lgpio, the machine's own package takes its place."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from controller.app.releases.release_installation import link_gpio_packages

ROOT = Path(__file__).parents[3]


def list_requirements(wheels: Path) -> str:
    return subprocess.run(
        [ROOT / "systemd/requirements", wheels], capture_output=True, text=True, check=True
    ).stdout  # fmt: skip


def test_without_a_wheel_of_lgpio_the_list_is_whole_but_for_it(tmp_path: Path) -> None:
    whole = (ROOT / "requirements/table.txt").read_text()
    (tmp_path / "lgpio-0.2.2.0-cp311-cp311-manylinux_2_34_x86_64.whl").touch()
    assert list_requirements(tmp_path) == whole
    (tmp_path / "lgpio-0.2.2.0-cp311-cp311-manylinux_2_34_x86_64.whl").unlink()
    names = [line.partition("==")[0] for line in list_requirements(tmp_path).splitlines() if line[:1].isalpha()]
    wanted = [line.partition("==")[0] for line in whole.splitlines() if line[:1].isalpha()]
    assert names == [name for name in wanted if name not in ("lgpio", "rpi-lgpio")]
    assert list_requirements(tmp_path).count("--hash") < whole.count("--hash")


def test_the_machines_own_is_linked_and_nothing_else(tmp_path: Path) -> None:
    system, venv = tmp_path / "dist-packages", tmp_path / "venv"
    for name in ("RPi", "rpi_lgpio-0.6.egg-info", "lgpio-0.2.2.0.egg-info", "apt_pkg"):
        (system / name).mkdir(parents=True)
    for name in ("lgpio.py", "_lgpio.cpython-313-aarch64-linux-gnu.so", "debconf.py"):
        (system / name).touch()
    link_gpio_packages(venv, system)
    packages = venv / f"lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"
    assert sorted(path.name for path in packages.iterdir()) == [
        "RPi", "_lgpio.cpython-313-aarch64-linux-gnu.so", "lgpio-0.2.2.0.egg-info", "lgpio.py",
        "rpi_lgpio-0.6.egg-info",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("board", "pins", "goes_on"), [("Raspberry Pi 4", "", False), ("Raspberry Pi 4", "none", True), ("", "", True)]
)
def test_without_any_lgpio_a_raspberry_is_told_what_to_install_and_others_go_on(
    tmp_path: Path, board: str, pins: str, *, goes_on: bool
) -> None:
    """The Python stands for one of 3.13; what it is asked to install with ends at once."""
    python = tmp_path / "python3"
    python.write_text(
        '#!/bin/sh\n[ "$1" = -c ] && exit 1\nmkdir -p "$3/bin"\nprintf "#!/bin/sh\\nexit 7\\n" >"$3/bin/python"\n'
        'chmod +x "$3/bin/python"\n'
    )
    python.chmod(0o755)
    (tmp_path / "model").write_text(board)
    (tmp_path / "wheels").mkdir()
    (tmp_path / "wheels" / "table_controller-0.1.0-py3-none-any.whl").touch()
    done = subprocess.run(
        [ROOT / "systemd/install", tmp_path / "wheels", tmp_path / "opt"], capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHON": str(python), "BOARD": str(tmp_path / "model"), "TABLE_PINS": pins},
    )  # fmt: skip
    assert done.returncode == (7 if goes_on else 1)
    assert ("apt install python3-rpi-lgpio" in done.stderr) is not goes_on
    assert ("none on pins" in done.stderr) is goes_on
    assert not (tmp_path / "opt").exists()
