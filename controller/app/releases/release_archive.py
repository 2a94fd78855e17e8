"""A release of the program as one file: what is in it, signed, and nothing that is run.

The file is a plain tar of plain files: `manifest.json`, then `manifest.sig` (Ed25519, 64 bytes), then every file that
the manifest names. Reading is strict: no folders, links, long names, extensions or second copies, and no byte is used
that the signature does not stand for, by itself or by the hash of its file. The manifest is not parsed before its
signature is right, and no file is written before every hash is. Size, signature, list and headers are looked at before
a byte of the files is read or copied: a release that is none is refused at once, however large it is.
"""

import hashlib
import io
import json
import os
import re
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from controller.strict_json import RepeatedKeyError, parse_json

MANIFEST_FILE, SIGNATURE_FILE = "manifest.json", "manifest.sig"
FORMAT_VERSION = 1
COMPONENT = "table-controller"
ALLOWED_FOLDERS = ("wheels", "systemd", "docs", "config")
"""Folders that a release may have; besides them it has `REQUIREMENTS_FILE`."""

REQUIREMENTS_FILE = "requirements.txt"

MAX_MANIFEST_BYTES = 1 << 20
MAX_NAME_LENGTH = 100
"""With its folders: what the header of a plain tar holds."""

MAX_ARCHIVE_BYTES = 1 << 30
MAX_FILES = 4096
MAX_FILE_BYTES = 256 << 20
"""Bytes; a wheel of this program's kind has a few hundred thousand."""

TAR_BLOCK_BYTES = 512
CHUNK_BYTES = 1 << 16
_SIGNATURE_PREFIX = b"table-controller release 1\n"
"""Before the manifest when it is signed, so that no other signature of the same key can stand for one."""

_NAME_PATTERN = re.compile(r"[A-Za-z0-9._@+-]+(/[A-Za-z0-9._@+-]+)*")
_VERSION_PATTERN = re.compile(r"(0|[1-9][0-9]{0,5})(\.(0|[1-9][0-9]{0,5})){2}")


class ReleaseError(Exception):
    """The archive is not a release that may be installed; the message says why."""


@dataclass(frozen=True, slots=True)
class ListedFile:
    """What the manifest says of one file."""

    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a release says of itself."""

    version: str
    architecture: str
    """As `uname -m` says it."""
    python_version: str
    """The Python that the wheels are for, such as "3.11"."""
    files: Mapping[str, ListedFile]

    @property
    def version_key(self) -> tuple[int, ...]:
        """What tells an older release from a newer."""
        return parse_version(self.version)


@dataclass(frozen=True, slots=True)
class ReleaseOutline:
    """An archive of which everything but the contents of its files was found right; `offset_by_name` as below."""

    manifest: Manifest
    manifest_bytes: bytes = field(repr=False)
    signature: bytes
    offset_by_name: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class VerifiedRelease:
    """An archive whose signature and every hash were found right.

    `offset_by_name` says where each file begins in it.
    """

    manifest: Manifest
    manifest_bytes: bytes = field(repr=False)
    """The manifest as it was signed."""
    signature: bytes
    public_key_hex: str
    """The public key that it was signed with, in hex."""
    offset_by_name: Mapping[str, int]


def parse_version(version: str) -> tuple[int, ...]:
    """Return a version as numbers. Raises `ReleaseError` for what is not three numbers with dots."""
    if not _VERSION_PATTERN.fullmatch(version):
        raise ReleaseError(f"version {version!r} is not three numbers such as 1.4.0")
    return tuple(int(part) for part in version.split("."))


def write_release(folder: Path, version: str, machine: str, python: str, key: SigningKey, output: Path) -> Manifest:
    """Pack everything in `folder` and sign it. Raises `ReleaseError` for a file that a release cannot have."""
    found = sorted(path for path in folder.rglob("*") if not path.is_dir())
    files: dict[str, ListedFile] = {}
    for path in found:
        name = path.relative_to(folder).as_posix()
        if path.is_symlink() or not path.is_file():
            raise ReleaseError(f"{path} is no plain file")
        data = path.read_bytes()
        files[name] = ListedFile(hashlib.sha256(data).hexdigest(), len(data))
    content = {
        "format": FORMAT_VERSION,
        "component": COMPONENT,
        "version": version,
        "machine": machine,
        "python": python,
        "files": {name: {"sha256": listed.sha256, "size": listed.size} for name, listed in files.items()},
    }
    text = json.dumps(content, indent=1, sort_keys=True).encode()
    manifest = _parse_manifest(text)
    signature = key.sign(_SIGNATURE_PREFIX + text).signature
    with tarfile.open(output, "w:", format=tarfile.USTAR_FORMAT) as archive:
        _add_member(archive, MANIFEST_FILE, text)
        _add_member(archive, SIGNATURE_FILE, signature)
        for name in manifest.files:
            _add_member(archive, name, (folder / name).read_bytes())
    return manifest


def read_release(archive: BinaryIO, key: VerifyKey) -> VerifiedRelease:
    """Check a whole archive. Raises `ReleaseError` with the first thing that is wrong; nothing is written anywhere."""
    outline = read_outline(archive, key)
    for name, listed in outline.manifest.files.items():
        if _hash_member(archive, outline.offset_by_name[name], listed.size) != listed.sha256:
            raise ReleaseError(f"{name} is not the file that was signed")
    return VerifiedRelease(
        outline.manifest, outline.manifest_bytes, outline.signature, bytes(key).hex(), outline.offset_by_name
    )


def read_outline(archive: BinaryIO, key: VerifyKey) -> ReleaseOutline:
    """Check size, signature, list and headers of an archive, and read none of its files.

    Raises `ReleaseError` with the first thing that is wrong. The signature comes first, so that of an archive of
    somebody else no more than two headers and a list are read.
    """
    refuse_large_archive(archive.seek(0, os.SEEK_END))
    members = _iter_members(archive)
    text = _read_member(archive, members, MANIFEST_FILE, MAX_MANIFEST_BYTES)
    signature = _read_member(archive, members, SIGNATURE_FILE, 64)
    manifest = read_signed_manifest(text, signature, key)
    places: dict[str, int] = {}
    for name, size, offset in members:
        listed = manifest.files.get(name)
        if listed is None:
            raise ReleaseError(f"it holds {name!r}, which its manifest does not name")
        if name in places:
            raise ReleaseError(f"it holds {name!r} twice")
        if size != listed.size:
            raise ReleaseError(f"{name} is not the file that was signed")
        places[name] = offset
    for name in manifest.files:
        if name not in places:
            raise ReleaseError(f"{name} is missing: the archive is not whole")
    return ReleaseOutline(manifest, text, signature, places)


def refuse_large_archive(size: int) -> None:
    """Raise `ReleaseError` for an archive of more bytes than a release may have."""
    if size > MAX_ARCHIVE_BYTES:
        raise ReleaseError(f"it has {size // 1_000_000} MB; a release has {MAX_ARCHIVE_BYTES // 1_000_000} at most")


def read_signed_manifest(text: bytes, signature: bytes, key: VerifyKey) -> Manifest:
    """Read a manifest whose signature is right. Raises `ReleaseError`."""
    try:
        key.verify(_SIGNATURE_PREFIX + text, signature)
    except (BadSignatureError, ValueError) as why:  # the second: it has not even the length of a signature
        raise ReleaseError("its signature is not that of the key that this table trusts") from why
    return _parse_manifest(text)


def unpack(archive: BinaryIO, release: VerifiedRelease, folder: Path) -> None:
    """Write the files of a release that was read from the same open `archive` into the empty `folder`, and its list.

    The hashes are taken again of what is written. Raises `ReleaseError` when the archive has changed since.
    """
    for name, listed in release.manifest.files.items():
        path = folder / PurePosixPath(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        found = hashlib.sha256()
        with path.open("xb") as file:
            for piece in _iter_chunks(archive, release.offset_by_name[name], listed.size):
                found.update(piece)
                file.write(piece)
        if found.hexdigest() != listed.sha256:
            raise ReleaseError(f"{name} changed while it was unpacked")
    (folder / MANIFEST_FILE).write_bytes(release.manifest_bytes)
    (folder / SIGNATURE_FILE).write_bytes(release.signature)


def _parse_manifest(text: bytes) -> Manifest:
    """Read a manifest that was signed; whoever signed it may still have made a mistake."""
    try:
        content = parse_json(text)
        if content["format"] != FORMAT_VERSION or content["component"] != COMPONENT:
            raise ReleaseError(f"it is no release of {COMPONENT} in a form that this version knows")
        version, machine, python = (str(content[key]) for key in ("version", "machine", "python"))
        files = {str(name): ListedFile(str(f["sha256"]), int(f["size"])) for name, f in content["files"].items()}
    except RepeatedKeyError as why:
        raise ReleaseError(f"its manifest says something twice: {why}") from why
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as why:
        raise ReleaseError("its manifest cannot be read") from why
    parse_version(version)
    if len(files) > MAX_FILES:
        raise ReleaseError(f"it has {len(files)} files; a release has {MAX_FILES} at most")
    for name, listed in files.items():
        _check_name(name)
        if not 0 <= listed.size <= MAX_FILE_BYTES:
            raise ReleaseError(f"{name} is larger than a file of a release may be")
    if REQUIREMENTS_FILE not in files:
        raise ReleaseError(f"it has no {REQUIREMENTS_FILE}")
    return Manifest(version, machine, python, files)


def _check_name(name: str) -> None:
    parts = name.split("/")
    fits = (
        _NAME_PATTERN.fullmatch(name)
        and len(name) <= MAX_NAME_LENGTH
        and not any(part.strip(".") == "" for part in parts)
    )
    if not fits or not (name == REQUIREMENTS_FILE or (len(parts) > 1 and parts[0] in ALLOWED_FOLDERS)):
        raise ReleaseError(
            f"no file of a release may be called {name!r}: it is {REQUIREMENTS_FILE}, or lies in "
            f"{', '.join(ALLOWED_FOLDERS)}, and "
            f"has at most {MAX_NAME_LENGTH} letters, digits and ._@+- with its folders"
        )


def _iter_members(archive: BinaryIO) -> Iterator[tuple[str, int, int]]:
    """Yield name, size and place of each member. Raises `ReleaseError` for anything but plain files, then the end."""
    place = 0
    while True:
        header = _read(archive, place, TAR_BLOCK_BYTES)
        if header == bytes(TAR_BLOCK_BYTES):
            if _read(archive, place + TAR_BLOCK_BYTES, TAR_BLOCK_BYTES) != bytes(TAR_BLOCK_BYTES):
                raise ReleaseError("it does not end as an archive ends")
            _refuse_trailing_bytes(archive, place + 2 * TAR_BLOCK_BYTES)
            return
        name, size = _parse_header(header)
        yield name, size, place + TAR_BLOCK_BYTES
        place += TAR_BLOCK_BYTES + -(-size // TAR_BLOCK_BYTES) * TAR_BLOCK_BYTES


def _refuse_trailing_bytes(archive: BinaryIO, end: int) -> None:
    """Refuse what stands after the end of an archive: nobody signed it. To the full record tar fills up with zeros."""
    size = archive.seek(0, os.SEEK_END)
    if size > -(-end // tarfile.RECORDSIZE) * tarfile.RECORDSIZE or _read(archive, end, size - end).strip(b"\0"):
        raise ReleaseError("something stands after its end, which nobody signed")


def _parse_header(header: bytes) -> tuple[str, int]:
    """Read the header of one member: name and size of a plain file."""
    name, _, rest = header[:100].partition(b"\0")
    try:
        size = int(header[124:136].rstrip(b"\0 "), 8)
        there = int(header[148:156].strip(b"\0 "), 8)
        text = name.decode("ascii")
    except ValueError as why:
        raise ReleaseError("it is no tar archive, or it is damaged") from why
    if there != sum(header[:148]) + 8 * ord(" ") + sum(header[156:]):
        raise ReleaseError("it is no tar archive, or it is damaged")
    if header[156:157] != b"0" or rest.strip(b"\0") or header[345:500].strip(b"\0"):
        raise ReleaseError(f"it holds {text!r}, which is no plain file with a plain name")
    if not 0 <= size <= MAX_FILE_BYTES:
        raise ReleaseError(f"{text!r} is larger than a file of a release may be")
    return text, size


def _read_member(archive: BinaryIO, members: Iterator[tuple[str, int, int]], wanted: str, longest: int) -> bytes:
    name, size, offset = next(members, ("nothing", 0, 0))
    if name != wanted or size > longest:
        raise ReleaseError(f"it is no release: where {wanted} should be there is {name!r}")
    return _read(archive, offset, size)


def _read(archive: BinaryIO, offset: int, size: int) -> bytes:
    archive.seek(offset)
    data = archive.read(size)
    if len(data) != size:
        raise ReleaseError("it ends too early: the archive is not whole")
    return data


def _iter_chunks(archive: BinaryIO, offset: int, size: int) -> Iterator[bytes]:
    for begin in range(0, size, CHUNK_BYTES):
        yield _read(archive, offset + begin, min(CHUNK_BYTES, size - begin))


def _hash_member(archive: BinaryIO, offset: int, size: int) -> str:
    found = hashlib.sha256()
    for piece in _iter_chunks(archive, offset, size):
        found.update(piece)
    return found.hexdigest()


def _add_member(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(data)
    member.mode = 0o644
    archive.addfile(member, io.BytesIO(data))
