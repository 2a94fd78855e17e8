"""The signed releases that the room keeps for its tables: files in a folder of its server, put there by a person.

Their shape is looked at, and nothing else: what a release is worth each table's root judges by its own key.
"""

import json
import os
import re
import shutil
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from room.contract.parcel import MOST_BYTES, PIECE_BYTES, RELEASE, Parcel

FOLDER = "releases"
"""In the state directory of the room's file."""

MOST = 8
"""Archives that are kept at a time."""

MANIFEST, SIGNATURE = "manifest.json", "manifest.sig"
SIGNATURE_BYTES = 64
LONGEST_MANIFEST = 1 << 20
NAMED = re.compile(r"[a-z0-9._-]{1,40}")


class BadArchive(ValueError):
    """A file that is no release, or cannot be kept; the message says why."""


class Archives:
    """The archives in `state`, the directory of the room's file."""

    def __init__(self, state: Path) -> None:
        self._state = state
        self._folder = state / FOLDER
        self._parcels: dict[tuple[str, int, int], Parcel] = {}

    def add(self, file: Path) -> str:
        """Keep a release; return its name, which its manifest gives it. Raises `BadArchive`."""
        name = name_of(file)
        if len([one for one in self.names() if one != name]) >= MOST:
            raise BadArchive(f"the room keeps {MOST} releases; remove one: tablectl room release remove NAME")
        fresh = self._folder / f".{name}"
        try:
            owner = self._state.stat()
            self._folder.mkdir(mode=0o755, exist_ok=True)
            shutil.copyfile(file, fresh)
            fresh.chmod(0o644)
            if os.geteuid() == 0:  # the server is somebody else, and reads it
                for path in (self._folder, fresh):
                    os.chown(path, owner.st_uid, owner.st_gid)
            fresh.replace(self._folder / name)
        except OSError as why:
            with suppress(OSError):
                fresh.unlink(missing_ok=True)
            raise BadArchive(f"{self._folder} cannot be written: {why.strerror}") from why
        return name

    def remove(self, name: str) -> None:
        """Keep it no longer; raises `BadArchive` where there is none of that name."""
        if name not in self.names():
            raise BadArchive(f"there is no {name}; tablectl room release list names those that there are")
        try:
            (self._folder / name).unlink()
        except OSError as why:
            raise BadArchive(f"{self._folder} cannot be written: {why.strerror}") from why

    def names(self) -> list[str]:
        """Those that there are, the newest first. Raises `BadArchive`."""
        try:
            found = {path.name: path.stat().st_mtime_ns for path in self._folder.iterdir()}
        except FileNotFoundError:
            return []
        except OSError as why:
            raise BadArchive(f"{self._folder} cannot be read: {why.strerror}") from why
        return sorted((name for name in found if RELEASE.fullmatch(name)), key=lambda name: -found[name])

    def parcel(self, name: str) -> Parcel:
        """What a table is told of an archive before it comes. Raises `BadArchive`; may take seconds."""
        path = self._folder / name
        try:
            now = path.stat()
            key = (name, now.st_mtime_ns, now.st_size)
            if key not in self._parcels:
                made = Parcel.of(name, _pieces(path))
                self._parcels = {known: one for known, one in self._parcels.items() if known[0] != name}
                self._parcels[key] = made
            return self._parcels[key]
        except OSError as why:
            raise BadArchive(f"{name} cannot be read: {why.strerror}") from why

    def piece(self, name: str, at: int) -> bytes:
        """The piece that begins at byte `at`. Raises `BadArchive`."""
        try:
            with (self._folder / name).open("rb") as file:
                file.seek(at)
                return file.read(PIECE_BYTES)
        except OSError as why:
            raise BadArchive(f"{name} cannot be read: {why.strerror}") from why


def name_of(file: Path) -> str:
    """Name a release by its manifest, as it is called when it is made. Raises `BadArchive` for what is none."""
    try:
        size = file.stat().st_size
        if size > MOST_BYTES:
            raise BadArchive(f"{file} has {size // 1_000_000} MB; a release has {MOST_BYTES // 1_000_000} at most")
        with tarfile.open(file, "r:") as opened:
            manifest, signature = opened.next(), opened.next()
            found = (manifest and manifest.name, signature and signature.name, signature and signature.size)
            if found != (MANIFEST, SIGNATURE, SIGNATURE_BYTES) or manifest is None or manifest.size > LONGEST_MANIFEST:
                raise BadArchive(
                    f"{file} is no signed release: want {MANIFEST}, then {SIGNATURE} (tablectl release sign)"
                )
            read = opened.extractfile(manifest)
            assert read is not None
            content = json.loads(read.read())
            return _named(file, content)
    except OSError as why:
        raise BadArchive(f"{file} cannot be read: {why.strerror or why}") from why
    except (tarfile.TarError, ValueError, TypeError, KeyError, AssertionError, RecursionError) as why:
        if isinstance(why, BadArchive):
            raise
        raise BadArchive(f"{file} is no release, or it is damaged") from why


def _named(file: Path, content: Mapping[str, object]) -> str:
    component, version, machine = (str(content[key]) for key in ("component", "version", "machine"))
    name = f"{component}-{version}-{machine}.tar"
    if not all(NAMED.fullmatch(part) for part in (component, version, machine)) or not RELEASE.fullmatch(name):
        raise BadArchive(f"{file} does not say what it is: component, version and machine")
    return name


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(PIECE_BYTES):
            yield piece
