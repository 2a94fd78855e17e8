"""The signed releases that the room keeps for its tables: files in a folder of its server, put there by a person.

Their shape is looked at, and nothing else: what a release is worth each table's root judges by its own key.
"""

import os
import re
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path

from controller.room_contract.artifact import CHUNK_BYTES, MAX_ARTIFACT_BYTES, RELEASE_NAME_PATTERN, Artifact
from controller.runtime.storage.plain_file import copy_bytes, find_space_problem, open_plain_file
from controller.strict_json import RepeatedKeyError, parse_json

RELEASES_FOLDER = "releases"
"""In the state directory of the room's file."""

MAX_RELEASES = 8
"""Archives that are kept at a time."""

MANIFEST_FILE, SIGNATURE_FILE = "manifest.json", "manifest.sig"
SIGNATURE_BYTES = 64
MAX_MANIFEST_BYTES = 1 << 20
NAME_PART_PATTERN = re.compile(r"[a-z0-9._-]{1,40}")


class ReleaseFileError(ValueError):
    """A file that is no release, or cannot be kept; the message says why."""


class ReleaseLibrary:
    """The archives in `state`, the directory of the room's file."""

    def __init__(self, state: Path) -> None:
        self._state_directory = state
        self._folder = state / RELEASES_FOLDER
        self._artifact_by_key: dict[tuple[str, int, int], Artifact] = {}

    def add(self, file: Path) -> str:
        """Keep a release; return its name, which its manifest gives it. Raises `ReleaseFileError`."""
        name = read_release_name(file)
        if len([one for one in self.list_names() if one != name]) >= MAX_RELEASES:
            raise ReleaseFileError(
                f"the room keeps {MAX_RELEASES} releases; remove one: tablectl room release remove NAME"
            )
        fresh = self._folder / f".{name}"
        try:
            owner = self._state_directory.stat()
            self._folder.mkdir(mode=0o755, exist_ok=True)
            with open_plain_file(file) as source, fresh.open("wb") as target:
                size = os.fstat(source.fileno()).st_size
                if problem := find_space_problem(self._folder, size):
                    raise ReleaseFileError(problem)
                copy_bytes(source, target, size)
            fresh.chmod(0o644)
            if os.geteuid() == 0:  # the server is somebody else, and reads it
                for path in (self._folder, fresh):
                    os.chown(path, owner.st_uid, owner.st_gid)
            fresh.replace(self._folder / name)
        except (OSError, ReleaseFileError) as why:
            with suppress(OSError):
                fresh.unlink(missing_ok=True)
            if isinstance(why, ReleaseFileError):
                raise
            raise ReleaseFileError(f"{self._folder} cannot be written: {why.strerror}") from why
        return name

    def remove(self, name: str) -> None:
        """Keep it no longer; raises `ReleaseFileError` where there is none of that name."""
        if name not in self.list_names():
            raise ReleaseFileError(f"there is no {name}; tablectl room release list names those that there are")
        try:
            (self._folder / name).unlink()
        except OSError as why:
            raise ReleaseFileError(f"{self._folder} cannot be written: {why.strerror}") from why

    def list_names(self) -> list[str]:
        """Those that there are, the newest first. Raises `ReleaseFileError`."""
        try:
            found = {path.name: path.stat().st_mtime_ns for path in self._folder.iterdir()}
        except FileNotFoundError:
            return []
        except OSError as why:
            raise ReleaseFileError(f"{self._folder} cannot be read: {why.strerror}") from why
        return sorted((name for name in found if RELEASE_NAME_PATTERN.fullmatch(name)), key=lambda name: -found[name])

    def make_artifact(self, name: str) -> Artifact:
        """What a table is told of an archive before it comes. Raises `ReleaseFileError`; may take seconds."""
        path = self._folder / name
        try:
            now = path.stat()
            key = (name, now.st_mtime_ns, now.st_size)
            if key not in self._artifact_by_key:
                made = Artifact.from_chunks(name, _iter_chunks(path))
                self._artifact_by_key = {known: one for known, one in self._artifact_by_key.items() if known[0] != name}
                self._artifact_by_key[key] = made
            return self._artifact_by_key[key]
        except OSError as why:
            raise ReleaseFileError(f"{name} cannot be read: {why.strerror}") from why

    def read_chunk(self, name: str, at: int) -> bytes:
        """The piece that begins at byte `at`. Raises `ReleaseFileError`."""
        try:
            with (self._folder / name).open("rb") as file:
                file.seek(at)
                return file.read(CHUNK_BYTES)
        except OSError as why:
            raise ReleaseFileError(f"{name} cannot be read: {why.strerror}") from why


def read_release_name(file: Path) -> str:
    """Name a release by its manifest, as it is called when it is made. Raises `ReleaseFileError` for what is none."""
    try:
        with open_plain_file(file) as plain, ExitStack() as stack:
            size = os.fstat(plain.fileno()).st_size
            if size > MAX_ARTIFACT_BYTES:
                raise ReleaseFileError(
                    f"{file} has {size // 1_000_000} MB; a release has {MAX_ARTIFACT_BYTES // 1_000_000} at most"
                )
            opened = stack.enter_context(tarfile.open(fileobj=plain, mode="r:"))
            manifest, signature = opened.next(), opened.next()
            found = (manifest and manifest.name, signature and signature.name, signature and signature.size)
            if (
                found != (MANIFEST_FILE, SIGNATURE_FILE, SIGNATURE_BYTES)
                or manifest is None
                or manifest.size > MAX_MANIFEST_BYTES
            ):
                raise ReleaseFileError(
                    f"{file} is no signed release: want {MANIFEST_FILE}, then {SIGNATURE_FILE} (tablectl release sign)"
                )
            read = opened.extractfile(manifest)
            assert read is not None
            content = parse_json(read.read())
            return _format_release_name(file, content)
    except OSError as why:
        raise ReleaseFileError(f"{file} cannot be read: {why.strerror or why}") from why
    except (tarfile.TarError, ValueError, TypeError, KeyError, AssertionError, RecursionError) as why:
        if isinstance(why, ReleaseFileError):
            raise
        if isinstance(why, RepeatedKeyError):
            raise ReleaseFileError(f"{file}: its manifest says something twice: {why}") from why
        raise ReleaseFileError(f"{file} is no release, or it is damaged") from why


def _format_release_name(file: Path, content: Mapping[str, object]) -> str:
    component, version, machine = (str(content[key]) for key in ("component", "version", "machine"))
    name = f"{component}-{version}-{machine}.tar"
    if not all(
        NAME_PART_PATTERN.fullmatch(part) for part in (component, version, machine)
    ) or not RELEASE_NAME_PATTERN.fullmatch(name):
        raise ReleaseFileError(f"{file} does not say what it is: component, version and machine")
    return name


def _iter_chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(CHUNK_BYTES):
            yield piece
