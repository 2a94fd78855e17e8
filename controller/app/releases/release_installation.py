"""Puts a release into use: everything is checked first, and until the last step nothing that is in use has changed.

In this order: size, signature, list and headers of the archive are checked where it lies; it must be newer than
anything this table ever used, and made for this machine; no hand may be in progress; the card must have room. Then it
is copied to a file that nobody else can open, and all of it is checked again there, with every hash. It is unpacked
into a folder of its own, its wheels are installed from that folder alone (pip, with hashes, and only wheels: nothing
of the release is run), and the link `current` is moved. The program that runs goes on until it is restarted.
"""

import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Collection
from pathlib import Path
from typing import BinaryIO

from nacl.signing import VerifyKey

from controller.app.releases.release_archive import (
    REQUIREMENTS_FILE,
    Manifest,
    ReleaseError,
    VerifiedRelease,
    parse_version,
    read_outline,
    read_release,
    unpack,
)
from controller.app.releases.release_store import RESULT_INSTALLED, RESULT_ROLLED_BACK, ReleaseStore, format_now
from controller.extras import EXTRAS
from controller.runtime.storage.plain_file import copy_bytes, find_space_problem, measure_folder, open_plain_file

MAX_INSTALLED_BYTES = 2 << 30
"""What the wheels of a release may have unpacked: those of this program's kind have some 150 MB."""

COMPILED_SHARE = 2
"""What is installed is compiled too, which takes as much again."""

SYSTEM_PACKAGES_FOLDER = Path("/usr/lib/python3/dist-packages")
GPIO_PACKAGE_PATTERNS = ("lgpio.py", "_lgpio*.so", "lgpio-*", "RPi", "rpi_lgpio-*")
"""What Debian's python3-lgpio and python3-rpi-lgpio bring."""


FolderPreparer = Callable[[Path], None]
"""Makes a folder with the files of a release ready to run. Raises `ReleaseError`."""


def install(
    archive: Path, key: VerifyKey, store: ReleaseStore, why_not: Callable[[], str | None], prepare: FolderPreparer
) -> str:
    """Install a release and put it into use; return its version.

    `why_not` says what speaks against an update at this moment. Raises `ReleaseError` with a sentence; then nothing has
    changed but the log, which has the refusal.
    """
    begun = format_now()
    version, signature = "", ""
    with store.lock():
        try:
            with _open_archive(archive) as source:
                outline = read_outline(source, key)
                version, signature = outline.manifest.version, outline.signature.hex()
                _refuse_unfit(outline.manifest, store, why_not)
                with _copy_archive(source, archive, outline.manifest, store) as copy:
                    release = read_release(copy, key)
                    version, signature = release.manifest.version, release.signature.hex()
                    _refuse_unfit(release.manifest, store, why_not)  # another may lie there since
                    _unpack_and_prepare(copy, release, store, prepare)
        except ReleaseError as why:
            store.append_log(begun, version, signature, f"refused: {why}")
            raise
        # The newest version is known by the log: written first, so that no cut of the power makes it forget.
        store.append_log(begun, version, signature, RESULT_INSTALLED)
        store.switch_to(version)
    return version


def install_folder(
    folder: Path, version: str, store: ReleaseStore, why_not: Callable[[], str | None], prepare: FolderPreparer
) -> None:
    """Put a folder that was built here into use as `version`, also again; raises `ReleaseError`, as `install`."""
    begun = format_now()
    target = store.release_folder(version)
    with store.lock():
        against = why_not()
        if against is not None:
            raise ReleaseError(against)
        try:
            size = measure_folder(folder)
        except OSError as why:
            raise ReleaseError(f"{why.filename} cannot be placed: {why.strerror}") from why
        _require_space(store.releases_folder, size)
        try:
            if target.exists():
                shutil.rmtree(target)
            shutil.copytree(folder, target)
            prepare(target)
            os.sync()
        except OSError as why:
            raise ReleaseError(f"{target} cannot be written: {why.strerror or why}") from why
        store.append_log(begun, version, "built here", RESULT_INSTALLED)
        store.switch_to(version)


def roll_back(store: ReleaseStore, why_not: Callable[[], str | None]) -> str:
    """Put the previous release into use again; return its version. Raises `ReleaseError`."""
    begun = format_now()
    with store.lock():
        version = store.previous_version()
        against = why_not() if version is not None else "there is no previous release to go back to"
        if version is None or against is not None:
            store.append_log(begun, version or "", "", f"refused: {against}")
            raise ReleaseError(str(against))
        store.append_log(begun, version, "", RESULT_ROLLED_BACK)
        store.switch_to(version)
    return version


def build_venv(folder: Path, extras: Collection[str]) -> None:
    """Make the release in `folder` ready: a venv with its wheels, from the folder alone. Raises `ReleaseError`.

    Of the wheels of extras only those of `extras`; a release that is ready, or in use, is given what it lacks of them.
    """
    wheels = folder / "wheels"
    own = sorted(wheels.glob("table_controller-*.whl"))
    if len(own) != 1:
        raise ReleaseError(f"it has {len(own)} wheels of this program and not one")
    if not (folder / "venv").exists():  # else they were looked at when it was made
        _refuse_large_wheels(folder)
    python = folder / "venv/bin/python"
    pip = (
        str(python), "-I", "-m", "pip", "--isolated", "--disable-pip-version-check", "install", "--quiet", "--no-index",
        "--no-cache-dir", "--only-binary", ":all:", "--find-links", str(wheels),
    )  # fmt: skip
    requirements = (folder / REQUIREMENTS_FILE).read_text(encoding="ascii")
    wanted = folder / "venv" / REQUIREMENTS_FILE
    wanted.parent.mkdir(exist_ok=True)
    wanted.write_text(select_requirements(requirements, extras), encoding="ascii")
    commands = (
        (_find_base_python(), "-m", "venv", str(folder / "venv")),
        (*pip, "--require-hashes", "--no-deps", "-r", str(wanted)),
        (*pip, "--no-deps", str(own[0])),
        (str(python), "-I", "-m", "pip", "--isolated", "uninstall", "--quiet", "--yes", "pip", "setuptools"),
        (str(python), "-I", "-m", "compileall", "-q", str(folder / "venv/lib")),
    )
    if needs_system_gpio(requirements):
        link_gpio_packages(folder / "venv")
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            said = (done.stderr or done.stdout).strip().splitlines() or ["no reason was given"]
            raise ReleaseError(f"its programs could not be installed: {said[-1]}")


def select_requirements(requirements: str, extras: Collection[str]) -> str:
    """Leave the libraries of all other extras out of a pinned list, with their hashes."""
    left_out = {f"{extra.package}==" for name, extra in EXTRAS.items() if name not in extras}
    blocks = re.split(r"^(?=[A-Za-z0-9])", requirements, flags=re.MULTILINE)
    return "".join(block for block in blocks if not block.startswith(tuple(left_out)))


def find_installed_extras(folder: Path) -> set[str]:
    """The extras that an installed release has; none where there is no release."""
    return {name for name, extra in EXTRAS.items() if [*folder.glob(f"venv/lib/python3*/site-packages/{extra.module}")]}


def needs_system_gpio(requirements: str) -> bool:
    """Whether a release brings no GPIO library: with one of its own, the machine's would be a second under its name."""
    return not re.search(r"^(lgpio|rpi-gpio)==", requirements, re.MULTILINE)


def link_gpio_packages(venv: Path, system: Path = SYSTEM_PACKAGES_FOLDER) -> None:
    """Let a venv have the machine's own lgpio, where a release has no wheel of it for this Python."""
    packages = venv / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    packages.mkdir(parents=True, exist_ok=True)
    for pattern in GPIO_PACKAGE_PATTERNS:
        for path in system.glob(pattern):
            if not (packages / path.name).is_symlink():
                (packages / path.name).symlink_to(path)


def _refuse_unfit(manifest: Manifest, store: ReleaseStore, why_not: Callable[[], str | None]) -> None:
    newest = store.find_newest_version()
    if newest is not None and manifest.version_key <= parse_version(newest):
        raise ReleaseError(
            f"it is version {manifest.version} and this table has had {newest}: only a newer one is installed "
            "(`tablectl release rollback` returns to the previous)"
        )
    here, python = platform.machine(), ".".join(platform.python_version_tuple()[:2])
    if (manifest.architecture, manifest.python_version) != (here, python):
        raise ReleaseError(
            f"it is for {manifest.architecture} with Python {manifest.python_version}, and this is {here} with "
            f"Python {python}"
        )
    against = why_not()
    if against is not None:
        raise ReleaseError(against)


def _open_archive(archive: Path) -> BinaryIO:
    try:
        return open_plain_file(archive)
    except OSError as why:
        raise ReleaseError(f"{archive} cannot be read: {why.strerror}") from why


def _copy_archive(source: BinaryIO, archive: Path, manifest: Manifest, store: ReleaseStore) -> BinaryIO:
    """Copy the archive to a file without a name: what is checked is what is installed, whoever has the original.

    No more is copied than was looked at, and nothing where the card has no room for it and for its files.
    """
    size = source.seek(0, os.SEEK_END)
    source.seek(0)
    files = sum(listed.size for listed in manifest.files.values())
    _require_space(store.releases_folder, size + max(0, files - store.measure_unused()))
    copy = tempfile.TemporaryFile(dir=store.releases_folder)  # noqa: SIM115 - the caller closes it
    try:
        copy_bytes(source, copy, size)
    except OSError as why:
        copy.close()
        raise ReleaseError(f"{archive} cannot be copied: {why.strerror}") from why
    return copy


def _require_space(folder: Path, wanted_bytes: int) -> None:
    problem = find_space_problem(folder, wanted_bytes)
    if problem is not None:
        raise ReleaseError(problem)


def measure_wheels(wheels: Path) -> int:
    """Return how many bytes the wheels have when they are unpacked. Raises `ReleaseError`.

    A wheel says so itself, and whoever unpacks it takes no more out of it than that.
    """
    total = 0
    for path in sorted(wheels.glob("*.whl")):
        try:
            with zipfile.ZipFile(path) as wheel:
                total += sum(member.file_size for member in wheel.infolist())
        except (OSError, ValueError, zipfile.BadZipFile) as why:
            raise ReleaseError(f"{path.name} is no wheel, or it is damaged") from why
    return total


def _refuse_large_wheels(folder: Path) -> None:
    size = measure_wheels(folder / "wheels")
    if size > MAX_INSTALLED_BYTES:
        raise ReleaseError(
            f"its wheels have {size // 1_000_000} MB when unpacked; those of a release have "
            f"{MAX_INSTALLED_BYTES // 1_000_000} at most"
        )
    _require_space(folder, COMPILED_SHARE * size)


def _unpack_and_prepare(copy: BinaryIO, release: VerifiedRelease, store: ReleaseStore, prepare: FolderPreparer) -> None:
    """Unpack and prepare a release in the folder where it will be used; leave no folder when that fails."""
    folder = store.release_folder(release.manifest.version)
    try:
        store.remove_unused()  # also what a cut of the power has left half unpacked
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


def _find_base_python() -> str:
    """Return the Python of the system, of which the venv of this program was made."""
    return os.path.realpath(sys.executable)
