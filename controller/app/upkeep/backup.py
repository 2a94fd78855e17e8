"""A backup is one file: a copy of all that the table knows (`copies`), packed with a list of what is in it.

Restored, it makes a new card the table that the old one was. The list is read first; nothing is written before every
file has proved to be what the list says, and nothing outside the two folders that a backup is about.
"""

import hashlib
import io
import json
import os
import pwd
import shutil
import tarfile
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from config.config_error import ConfigError
from config.table_file import TableFile, load_table_file
from controller.app.upkeep.table_copy import CONFIG_FILE, CONFIG_FOLDER, STATE_FOLDER, CopyError, copy_table
from controller.runtime.journal.proof.device_key import DEVICE_KEY_FILE
from controller.runtime.service.table_activity import is_controller_running
from controller.runtime.storage.atomic_file import sync_folder
from controller.runtime.storage.plain_file import find_space_problem, measure_folder, open_plain_file
from controller.runtime.storage.state_directory import JOURNAL_FILE
from controller.strict_json import RepeatedKeyError, parse_json
from controller.wall_clock import read_wall_clock, to_wall_time

MANIFEST_FILE = "backup.json"
FORMAT_VERSION = 1
MAX_UNPACKED_BYTES = 4 << 30
MAX_MANIFEST_BYTES = 1 << 20
MAX_FILES = 10_000
CHUNK_BYTES = 1 << 20
MAX_READ_BYTES = CHUNK_BYTES
SCRATCH_PREFIX = ".backup-"
MAX_SCRATCH_AGE_S = 3600.0


class BackupError(Exception):
    """The backup cannot be made or restored; the message says why and what to do. Nothing has changed."""


@dataclass(frozen=True, slots=True)
class RestoreResult:
    """What was restored: when it was made, whether with the keys, and where what was there before was put."""

    made_at: str
    has_keys: bool
    state_directory: Path
    aside_folder: Path | None


def make_backup(file: TableFile, state: Path, output: IO[bytes], *, keys: bool, program: str) -> Mapping[str, object]:
    """Write a backup of the table to `output`; return its list. Raises `CopyError`, `OSError`."""
    if not state.is_dir():
        raise CopyError(f"{state}: there is no such directory: the table has never run here")
    for left in state.glob(f"{SCRATCH_PREFIX}*"):  # by a cut of the power
        if time.time() - left.stat().st_mtime > MAX_SCRATCH_AGE_S:
            shutil.rmtree(left, ignore_errors=True)
    copies = 2 if _lies_on_disk_of(output, state) else 1
    if problem := find_space_problem(state, copies * _measure_state(state)):
        raise CopyError(problem)
    with tempfile.TemporaryDirectory(prefix=SCRATCH_PREFIX, dir=state) as scratch:
        folder = Path(scratch)
        copy_table(file, state, folder, keys=keys)
        paths = sorted(path for path in folder.rglob("*") if path.is_file())
        listed: dict[str, object] = {
            "backup": FORMAT_VERSION,
            "made": read_wall_clock().isoformat(timespec="seconds"),
            "program": program,
            "keys": keys,
            "files": {path.relative_to(folder).as_posix(): _hash_file(path) for path in paths},
        }
        with tarfile.open(fileobj=output, mode="w|", format=tarfile.PAX_FORMAT) as archive:
            text = json.dumps(listed, indent=1).encode()
            archive.addfile(_make_member(MANIFEST_FILE, len(text)), io.BytesIO(text))
            for path in paths:
                with path.open("rb") as content:
                    archive.addfile(_make_member(path.relative_to(folder).as_posix(), path.stat().st_size), content)
    return listed


def restore(source: Path, config: Path, *, replace: bool = False, owner: str | None = None) -> RestoreResult:
    """Restore a backup, or the folder of a second store, as the table of `config`; return what was done.

    `replace`: put what is there aside. `owner`: whose the state is to be. Without the keys the journal is put aside for
    reading and the table begins a new one. Raises `BackupError`, and then nothing has changed.
    """
    with tempfile.TemporaryDirectory(prefix=".restoring-", dir=_ensure_folder(config.parent)) as scratch:
        folder = Path(scratch)
        try:
            listed = _unpack_backup(source, folder) if source.is_file() else _copy_second_store(source, folder)
            directory = _find_state_directory(folder)
            _require_space(_find_existing(directory), measure_folder(folder / STATE_FOLDER))
            keys = (folder / STATE_FOLDER / DEVICE_KEY_FILE).exists()
            _refuse_running(directory)
            before = _put_aside(directory, replace=replace)
            _place_state(folder / STATE_FOLDER, directory, keys=keys, owner=owner)
            _place_config(folder / CONFIG_FOLDER, config, owner=owner)
        except OSError as why:
            raise BackupError(f"{why.filename or source}: {why.strerror}") from why
    return RestoreResult(str(listed.get("made", "")), keys, directory, before)


def _make_member(name: str, size: int) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size, member.mode = size, 0o600
    return member


def _unpack_backup(source: Path, folder: Path) -> Mapping[str, object]:
    """Unpack and prove a backup; raises `BackupError`. List and headers are looked at before a byte is written."""
    found: dict[str, str] = {}
    listed: dict[str, object] = {}
    try:
        with (
            open_plain_file(source) as plain,
            _HeaderReader(plain) as bounded,
            tarfile.open(fileobj=bounded, mode="r:") as archive,
        ):
            listed, members = _read_outline(source, archive)
            _require_space(folder, sum(member.size for member in members))
            for member in members:
                content = archive.extractfile(member)
                assert content is not None
                target = folder / member.name
                target.parent.mkdir(parents=True, exist_ok=True)
                with target.open("wb") as file:
                    shutil.copyfileobj(content, file, CHUNK_BYTES)
                found[member.name] = _hash_file(target)
    except (tarfile.TarError, EOFError, ValueError) as why:
        raise BackupError(f"{source} is no whole backup of a table ({why})") from why
    if not listed or found != listed["files"]:
        wrong = sorted(set(found.items()) ^ set(dict(listed.get("files", {})).items()))  # type: ignore[call-overload]
        raise BackupError(f"{source} is damaged: {wrong[0][0] if wrong else 'it is empty'} is not as it was packed")
    return listed


def _read_outline(source: Path, archive: tarfile.TarFile) -> tuple[dict[str, object], list[tarfile.TarInfo]]:
    """Return the list of a backup, and its files by their headers; raises `BackupError`."""
    listed: dict[str, object] = {}
    members: dict[str, tarfile.TarInfo] = {}
    total = 0
    for member in archive:
        total += member.size
        too_much = total > MAX_UNPACKED_BYTES or len(members) >= MAX_FILES
        if not member.isreg() or too_much or (not listed and member.name != MANIFEST_FILE):
            raise BackupError(f"{source} is no backup of a table: tablectl backup make FILE makes one")
        if not listed:
            content = archive.extractfile(member)
            assert content is not None
            listed = _parse_manifest(content.read(MAX_MANIFEST_BYTES))
            continue
        if member.name in members or member.name == MANIFEST_FILE:
            raise BackupError(f"{source} is damaged: it holds {member.name} twice")
        _refuse_name(member.name)
        members[member.name] = member
    return listed, list(members.values())


class _HeaderReader(io.BufferedReader):
    """Reads an archive by pieces: of a header that says it has gigabytes nothing is read."""

    def read(self, size: int | None = -1, /) -> bytes:
        """Read a piece. Raises `tarfile.ReadError`."""
        if size is None or not 0 <= size <= MAX_READ_BYTES:
            raise tarfile.ReadError("a header of it is too long")
        return super().read(size)


def _require_space(folder: Path, wanted_bytes: int) -> None:
    if problem := find_space_problem(folder, wanted_bytes):
        raise BackupError(problem)


def _measure_state(state: Path) -> int:
    """Return how many bytes the files of a table's state have: no copy of them has more."""
    return sum(path.stat().st_size for path in state.iterdir() if path.is_file())


def _lies_on_disk_of(output: IO[bytes], folder: Path) -> bool:
    try:
        return os.fstat(output.fileno()).st_dev == folder.stat().st_dev
    except OSError:  # it is no file
        return False


def _find_existing(folder: Path) -> Path:
    """Return the folder, or the nearest around it that there is."""
    return next(each for each in (folder, *folder.parents) if each.exists())


def _parse_manifest(text: bytes) -> dict[str, object]:
    try:
        listed = parse_json(text)
    except RepeatedKeyError as why:
        raise BackupError(f"its list says something twice: {why}") from why
    except (ValueError, RecursionError) as why:
        raise BackupError("its list is damaged") from why
    if not isinstance(listed, dict) or not isinstance(listed.get("files"), dict):
        raise BackupError("its list is damaged")
    if listed.get("backup") != FORMAT_VERSION:
        raise BackupError(
            f"it is of version {listed.get('backup')!r}, and this program reads {FORMAT_VERSION}: update it first"
        )
    return listed


def _refuse_name(name: str) -> None:
    parts = PurePosixPath(name).parts
    if name.startswith("/") or ".." in parts or len(parts) < 2 or parts[0] not in (CONFIG_FOLDER, STATE_FOLDER):
        raise BackupError(f"it has a file {name!r}, which belongs to no table")


def _copy_second_store(source: Path, folder: Path) -> Mapping[str, object]:
    """Take the folder of a second store."""
    if not (source / CONFIG_FOLDER / CONFIG_FILE).is_file():
        raise BackupError(f"{source} is no backup and no second store of a table")
    parts = (CONFIG_FOLDER, STATE_FOLDER)
    _require_space(folder, sum(measure_folder(source / each) for each in parts))  # nor are there links out of it
    for each in parts:
        shutil.copytree(source / each, folder / each)
    return {"made": to_wall_time((source / STATE_FOLDER).stat().st_mtime).isoformat(timespec="seconds")}


def _find_state_directory(folder: Path) -> Path:
    """Where the state of the table in the backup belongs."""
    try:
        said = load_table_file(folder / CONFIG_FOLDER / CONFIG_FILE).state_directory
    except ConfigError as why:
        raise BackupError(f"the table's file in it cannot be used by this program: {why}") from why
    return said


def _refuse_running(directory: Path) -> None:
    if is_controller_running(directory):
        raise BackupError("the table is running: systemctl stop table-controller first")


def _put_aside(directory: Path, *, replace: bool) -> Path | None:
    """Put what a table has written into `directory` into a folder of its own there; return which."""
    there = [path for path in directory.glob("*") if not path.name.startswith("before-")] if directory.exists() else []
    if not any(path.name == JOURNAL_FILE for path in there):
        for path in there:  # a table that has never dealt: its lock, an empty file of staff
            if path.is_file():
                path.unlink()
        return None
    if not replace:
        raise BackupError(f"{directory} has a table's journal already: --replace puts it aside")
    before = directory / f"before-{read_wall_clock():%Y%m%dT%H%M%S}"
    before.mkdir(mode=0o700)
    for path in there:
        path.replace(before / path.name)
    return before


def _place_state(source: Path, directory: Path, *, keys: bool, owner: str | None) -> None:
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    target = directory
    user = None if owner is None or os.geteuid() != 0 else pwd.getpwnam(owner)
    for path in sorted(source.iterdir()):
        journal = path.name.startswith("journal")
        target = directory / "restored-journal" if journal and not keys else directory
        target.mkdir(mode=0o700, exist_ok=True)
        with _replace_atomically(target / path.name) as fresh:
            shutil.copyfile(path, fresh)
            fresh.chmod(0o600)
        if user is not None:
            for each in (target, target / path.name):
                os.chown(each, user.pw_uid, user.pw_gid)
    if user is not None:
        os.chown(directory, user.pw_uid, user.pw_gid)


def _place_config(source: Path, config: Path, *, owner: str | None) -> None:
    user = None if owner is None or os.geteuid() != 0 else pwd.getpwnam(owner)
    for path in sorted(path for path in source.rglob("*") if path.is_file()):
        name = path.relative_to(source)
        target = config if name == Path(CONFIG_FILE) else config.parent / name
        target.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        if target.exists() and target.read_bytes() != path.read_bytes():
            target.replace(target.with_name(f"{target.name}.before"))
        with _replace_atomically(target) as fresh:
            shutil.copyfile(path, fresh)
            fresh.chmod(0o600 if path.suffix == ".key" else 0o644)
            if path.suffix == ".key" and path.stem != "ca" and user is not None:  # the page's: the table reads it
                os.chown(fresh, -1, user.pw_gid)
                fresh.chmod(0o640)


@contextmanager
def _replace_atomically(target: Path) -> Iterator[Path]:
    fresh = target.with_name(f"{target.name}.new")
    yield fresh
    with fresh.open("rb") as file:
        os.fsync(file.fileno())
    fresh.replace(target)
    sync_folder(target.parent)


def _ensure_folder(folder: Path) -> Path:
    folder.mkdir(mode=0o755, parents=True, exist_ok=True)
    return folder


def _hash_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
