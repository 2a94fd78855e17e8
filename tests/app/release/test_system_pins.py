"""Which GPIO library a table gets: by its board, never two; where Python has no wheel of lgpio, the machine's own."""

import hashlib
import os
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from controller.app.releases.release_installation import link_gpio_packages, needs_system_gpio
from drivers.pins.rpi_pins import EXTRA_BY_PACKAGE, GPIO_PACKAGES, choose_gpio_package

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


def list_names(requirements: str) -> set[str]:
    return {line.partition("==")[0] for line in requirements.splitlines() if line[:1].isalpha()}


def test_a_compiled_library_goes_by_the_hash_of_what_was_compiled(tmp_path: Path) -> None:
    wheel = tmp_path / "rpi_gpio-0.7.1-cp311-cp311-linux_aarch64.whl"
    wheel.write_bytes(b"compiled on this Pi")
    listed = list_requirements(tmp_path)
    assert list_names(listed) - list_names((ROOT / "requirements/table.txt").read_text()) == {"rpi-gpio"}
    (block,) = re.findall(r"^rpi-gpio==.*\n((?:    --hash.*\n)+)", listed, re.MULTILINE)
    assert block == f"    --hash=sha256:{hashlib.sha256(b'compiled on this Pi').hexdigest()}\n"
    assert not needs_system_gpio(listed)


@pytest.mark.parametrize(
    "other", ["lgpio-0.2.2.0-cp311-cp311-manylinux_2_34_aarch64.whl", "rpi_lgpio-0.6-py3-none-any.whl"]
)
def test_wheels_of_both_libraries_are_refused(tmp_path: Path, other: str) -> None:
    (tmp_path / "RPi.GPIO-0.7.1-cp311-cp311-linux_aarch64.whl").touch()
    (tmp_path / other).touch()
    done = subprocess.run([ROOT / "systemd/requirements", tmp_path], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert "own the same files" in done.stderr


def test_no_list_no_extra_and_no_environment_holds_both() -> None:
    """Both install the module `RPi`: the second overwrites the first, and either taken away takes both."""
    both = {"rpi-gpio", "rpi-lgpio"}
    held = {
        path.name: names
        for path in (ROOT / "requirements").glob("*.txt")
        if (names := list_names(path.read_text()) & both)
    }
    assert held == {"table.txt": {"rpi-lgpio"}, "table-pi.txt": {"rpi-gpio"}}
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    brought = {
        extra: found
        for extra, wants in extras.items()
        if (found := {re.split(r"[^\w.-]", wanted)[0] for wanted in wants} & set(GPIO_PACKAGES))
    }
    assert brought == {name.strip("[]"): {package} for package, name in EXTRA_BY_PACKAGE.items()}
    installed = {(found.metadata["Name"] or "").lower().replace(".", "-") for found in metadata.distributions()}
    assert len(installed & both) < 2


def test_a_release_with_a_library_of_its_own_does_not_get_the_machines_too() -> None:
    table = (ROOT / "requirements/table.txt").read_text()
    assert not needs_system_gpio(table)
    assert not needs_system_gpio((ROOT / "requirements/table-pi.txt").read_text())
    assert needs_system_gpio(re.sub(r"^(rpi-)?lgpio==", "other==", table, flags=re.MULTILINE))


@pytest.mark.parametrize(
    ("model", "kernel", "package"),
    [
        ("Raspberry Pi 5 Model B Rev 1.0", "6.12.47+rpt-rpi-2712", "rpi-lgpio"),
        ("Raspberry Pi 500 Rev 1.0", "5.4.0", "rpi-lgpio"),
        ("Raspberry Pi Compute Module 5 Rev 1.0", "6.6.31+rpt-rpi-2712", "rpi-lgpio"),
        ("Raspberry Pi 4 Model B Rev 1.4", "6.1.0-rpi7-rpi-v8", "rpi-lgpio"),
        ("Raspberry Pi 3 Model B Plus Rev 1.3", "5.10.0", "rpi-lgpio"),
        ("Raspberry Pi 3 Model B Plus Rev 1.3", "5.9.16", "RPi.GPIO"),
        ("Raspberry Pi 4 Model B Rev 1.4", "4.19.75-v7l+", "RPi.GPIO"),
        (None, "6.1.0-56-amd64", "rpi-lgpio"),
    ],
)
def test_the_board_chooses_and_the_installer_and_the_program_agree(
    tmp_path: Path, model: str | None, kernel: str, package: str
) -> None:
    assert choose_gpio_package(model, kernel) == package
    if model is not None:
        (tmp_path / "model").write_bytes(model.encode() + b"\0")
    said = subprocess.run(
        [ROOT / "systemd/gpio-library"], capture_output=True, text=True, check=True,
        env={**os.environ, "BOARD": str(tmp_path / "model"), "KERNEL": kernel},
    ).stdout  # fmt: skip
    assert f"[{said.strip()}]" == EXTRA_BY_PACKAGE[package]


@pytest.mark.parametrize(
    ("wheel", "model", "kernel", "sentence"),
    [
        (
            "rpi_gpio-0.7.1-cp311-cp311-linux_aarch64.whl",
            "Raspberry Pi 5 Model B",
            "6.12.1",
            "cannot work on this board",
        ),
        ("rpi_gpio-0.7.1-cp311-cp311-linux_aarch64.whl", "Raspberry Pi 4 Model B", "6.12.1", None),
        ("lgpio-0.2.2.0-cp311-cp311-manylinux_2_34_aarch64.whl", "Raspberry Pi 4 Model B", "5.4.1", "from 5.10 on"),
        ("lgpio-0.2.2.0-cp311-cp311-manylinux_2_34_aarch64.whl", "Raspberry Pi 5 Model B", "6.12.1", None),
    ],
)
def test_wheels_that_cannot_drive_this_board_are_not_installed(
    tmp_path: Path, wheel: str, model: str, kernel: str, sentence: str | None
) -> None:
    """What goes on ends with the status of the Python that stands in."""
    python = tmp_path / "python3"
    python.write_text(
        '#!/bin/sh\nmkdir -p "$3/bin"\nprintf "#!/bin/sh\\nexit 7\\n" >"$3/bin/python"\nchmod +x "$3/bin/python"\n'
    )
    python.chmod(0o755)
    (tmp_path / "model").write_text(model)
    (tmp_path / "wheels").mkdir()
    (tmp_path / "wheels" / wheel).touch()
    done = subprocess.run(
        [ROOT / "systemd/install", tmp_path / "wheels", tmp_path / "opt"], capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHON": str(python), "BOARD": str(tmp_path / "model"), "KERNEL": kernel},
    )  # fmt: skip
    assert done.returncode == (7 if sentence is None else 1)
    assert (sentence or "") in done.stderr


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
