"""Whether an installed release is what was signed: its own files by the list, and what runs by the wheels in it.

The copies that Python compiles (`__pycache__`) and the starters in `venv/bin` are made at the table and not compared.
"""

import hashlib
import zipfile
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

from nacl.signing import VerifyKey

from controller.app.releases.release_archive import MANIFEST_FILE, SIGNATURE_FILE, ReleaseError, read_signed_manifest
from controller.app.releases.release_installation import (
    GPIO_PACKAGE_PATTERNS,
    SYSTEM_PACKAGES_FOLDER,
    find_installed_extras,
)
from controller.extras import EXTRAS

PIP_METADATA_FILES = ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json")
"""What pip writes into the folder of a wheel's metadata."""


def find_differences(folder: Path, key: VerifyKey) -> tuple[str, list[str]]:
    """Return the version of the release in `folder`, and everything that is not as it was signed.

    Raises `ReleaseError` when the list is not there, or was not signed with `key`.
    """
    try:
        text, signature = (folder / MANIFEST_FILE).read_bytes(), (folder / SIGNATURE_FILE).read_bytes()
    except OSError as why:
        raise ReleaseError(f"{folder} has no signed list: it was built there, or is no release") from why
    manifest = read_signed_manifest(text, signature, key)
    found = []
    for name, listed in manifest.files.items():
        data = _read_plain_file(folder / name)
        if data is None or hashlib.sha256(data).hexdigest() != listed.sha256:
            found.append(f"{name} is {'missing' if data is None else 'another'}")
    known = {MANIFEST_FILE, SIGNATURE_FILE, *manifest.files}
    for path in _iter_files(folder):
        name = path.relative_to(folder).as_posix()
        if name not in known and not name.startswith("venv/"):
            found.append(f"{name} was not signed")
    return manifest.version, found or _compare_with_wheels(folder)


def _compare_with_wheels(folder: Path) -> list[str]:
    """Compare what is installed in the venv with the wheels, whose own hashes are right."""
    packages = sorted((folder / "venv/lib").glob("python3*/site-packages"))
    if len(packages) != 1:
        return ["venv is not there, or is no venv"]
    found, known = [], set()
    have = find_installed_extras(folder)
    absent = {extra.package for name, extra in EXTRAS.items() if name not in have}
    for wheel in sorted((folder / "wheels").glob("*.whl")):
        if wheel.name.partition("-")[0].replace("_", "-").lower() in absent:
            continue  # what is nevertheless there of it is of no wheel
        with zipfile.ZipFile(wheel) as opened:
            for name in opened.namelist():
                if name.endswith(("/", ".dist-info/RECORD")) or ".data/" in name:
                    continue
                known.add(name)
                if _read_plain_file(packages[0] / name) != opened.read(name):
                    found.append(f"{name} is not that of {wheel.name}")
    for path in _iter_files(packages[0]):
        if _is_gpio_package_link(path):
            continue  # which the machine's own package manager vouches for
        name = path.relative_to(packages[0]).as_posix()
        by_pip = path.parent.suffix == ".dist-info" and path.name in PIP_METADATA_FILES
        if name not in known and not by_pip and path.parent.name != "__pycache__":
            found.append(f"{name} is of no wheel")
    return found


def _is_gpio_package_link(path: Path) -> bool:
    """Whether this is the link to the machine's own lgpio, and no other link."""
    return (
        path.is_symlink()
        and path.readlink() == SYSTEM_PACKAGES_FOLDER / path.name
        and any(fnmatch(path.name, pattern) for pattern in GPIO_PACKAGE_PATTERNS)
    )


def _iter_files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_symlink() or not path.is_dir())


def _read_plain_file(path: Path) -> bytes | None:
    try:
        return path.read_bytes() if not path.is_symlink() else None
    except OSError:
        return None
