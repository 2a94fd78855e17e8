"""Puts a release into use: everything is checked first, and until the last step nothing that is in use has changed.

In this order: the archive is copied to a file that nobody else can open; its signature and every hash are checked; it
must be newer than anything this table ever used, and made for this machine; no hand may be in progress. Then it is
unpacked into a folder of its own, its wheels are installed from that folder alone (pip, with hashes, and only wheels:
nothing of the release is run), and the link `current` is moved. The program that runs goes on until it is restarted.
"""

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from nacl.signing import VerifyKey

from controller.app.release.archive import (
    PIECE,
    REQUIREMENTS,
    Manifest,
    Release,
    ReleaseError,
    order,
    read_release,
    unpack,
)
from controller.app.release.store import INSTALLED, WENT_BACK, Store, moment

LONGEST_ARCHIVE = 1 << 30

SYSTEM_PACKAGES = Path("/usr/lib/python3/dist-packages")
SYSTEM_PINS = ("lgpio.py", "_lgpio*.so", "lgpio-*", "RPi", "rpi_lgpio-*")
"""What Debian's python3-lgpio and python3-rpi-lgpio bring."""


Prepare = Callable[[Path], None]
"""Makes a folder with the files of a release ready to run. Raises `ReleaseError`."""


def install(archive: Path, key: VerifyKey, store: Store, why_not: Callable[[], str | None], prepare: Prepare) -> str:
    """Install a release and put it into use; return its version.

    `why_not` says what speaks against an update at this moment. Raises `ReleaseError` with a sentence; then nothing has
    changed but the log, which has the refusal.
    """
    begun = moment()
    version, signature = "", ""
    with store.alone():
        try:
            with _copied(archive, store.releases) as copy:
                release = read_release(copy, key)
                version, signature = release.manifest.version, release.signature.hex()
                _refuse(release.manifest, store, why_not)
                _place(copy, release, store, prepare)
        except ReleaseError as why:
            store.record(begun, version, signature, f"refused: {why}")
            raise
        # The newest version is known by the log: written first, so that no cut of the power makes it forget.
        store.record(begun, version, signature, INSTALLED)
        store.use(version)
    return version


def install_folder(
    folder: Path, version: str, store: Store, why_not: Callable[[], str | None], prepare: Prepare
) -> None:
    """Put a folder that was built here into use as `version`, also again; raises `ReleaseError`, as `install`."""
    begun = moment()
    target = store.folder(version)
    with store.alone():
        against = why_not()
        if against is not None:
            raise ReleaseError(against)
        try:
            if target.exists():
                shutil.rmtree(target)
            shutil.copytree(folder, target)
            prepare(target)
            os.sync()
        except OSError as why:
            raise ReleaseError(f"{target} cannot be written: {why.strerror or why}") from why
        store.record(begun, version, "built here", INSTALLED)
        store.use(version)


def go_back(store: Store, why_not: Callable[[], str | None]) -> str:
    """Put the previous release into use again; return its version. Raises `ReleaseError`."""
    begun = moment()
    with store.alone():
        version = store.before()
        against = why_not() if version is not None else "there is no previous release to go back to"
        if version is None or against is not None:
            store.record(begun, version or "", "", f"refused: {against}")
            raise ReleaseError(str(against))
        store.record(begun, version, "", WENT_BACK)
        store.use(version)
    return version


def build_venv(folder: Path) -> None:
    """Make the release in `folder` ready: a venv with its wheels, from the folder alone. Raises `ReleaseError`."""
    wheels = folder / "wheels"
    own = sorted(wheels.glob("table_controller-*.whl"))
    if len(own) != 1:
        raise ReleaseError(f"it has {len(own)} wheels of this program and not one")
    python = folder / "venv/bin/python"
    pip = (
        str(python), "-I", "-m", "pip", "--isolated", "--disable-pip-version-check", "install", "--quiet", "--no-index",
        "--no-cache-dir", "--only-binary", ":all:", "--find-links", str(wheels),
    )  # fmt: skip
    commands = (
        (_base_python(), "-m", "venv", str(folder / "venv")),
        (*pip, "--require-hashes", "--no-deps", "-r", str(folder / REQUIREMENTS)),
        (*pip, "--no-deps", str(own[0])),
        (str(python), "-I", "-m", "pip", "--isolated", "uninstall", "--quiet", "--yes", "pip", "setuptools"),
        (str(python), "-I", "-m", "compileall", "-q", str(folder / "venv/lib")),
    )
    if "\nlgpio==" not in (folder / REQUIREMENTS).read_text(encoding="ascii"):
        link_system_pins(folder / "venv")
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            said = (done.stderr or done.stdout).strip().splitlines() or ["no reason was given"]
            raise ReleaseError(f"its programs could not be installed: {said[-1]}")


def link_system_pins(venv: Path, system: Path = SYSTEM_PACKAGES) -> None:
    """Let a venv have the machine's own lgpio, where a release has no wheel of it for this Python."""
    packages = venv / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    packages.mkdir(parents=True, exist_ok=True)
    for pattern in SYSTEM_PINS:
        for path in system.glob(pattern):
            (packages / path.name).symlink_to(path)


def _refuse(manifest: Manifest, store: Store, why_not: Callable[[], str | None]) -> None:
    newest = store.newest()
    if newest is not None and manifest.order <= order(newest):
        raise ReleaseError(
            f"it is version {manifest.version} and this table has had {newest}: only a newer one is installed "
            "(`tablectl release back` returns to the previous)"
        )
    here, python = platform.machine(), ".".join(platform.python_version_tuple()[:2])
    if (manifest.machine, manifest.python) != (here, python):
        raise ReleaseError(
            f"it is for {manifest.machine} with Python {manifest.python}, and this is {here} with Python {python}"
        )
    against = why_not()
    if against is not None:
        raise ReleaseError(against)


def _copied(archive: Path, beside: Path) -> BinaryIO:
    """Copy the archive to a file without a name: what is checked is what is installed, whoever has the original."""
    try:
        source = archive.open("rb")
    except OSError as why:
        raise ReleaseError(f"{archive} cannot be read: {why.strerror}") from why
    copy = tempfile.TemporaryFile(dir=beside)  # noqa: SIM115 - it is handed to the caller, who closes it
    try:
        with source:
            shutil.copyfileobj(source, copy, PIECE)
        if copy.tell() > LONGEST_ARCHIVE:
            raise ReleaseError(f"{archive} is larger than a release may be")
    except OSError as why:
        copy.close()
        raise ReleaseError(f"{archive} cannot be copied: {why.strerror}") from why
    except ReleaseError:
        copy.close()
        raise
    return copy


def _place(copy: BinaryIO, release: Release, store: Store, prepare: Prepare) -> None:
    """Unpack and prepare a release in the folder where it will be used; leave no folder when that fails."""
    folder = store.folder(release.manifest.version)
    try:
        store.clear()  # also what a cut of the power has left half unpacked
        folder.mkdir(mode=0o755)
        unpack(copy, release, folder)
        prepare(folder)
        os.sync()
    except OSError as why:
        shutil.rmtree(folder, ignore_errors=True)
        raise ReleaseError(f"{folder} cannot be written: {why.strerror or why}") from why
    except ReleaseError:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _base_python() -> str:
    """Return the Python of the system, of which the venv of this program was made."""
    return os.path.realpath(sys.executable)
