"""A release of the program as one file: what is in it, signed, and nothing that is run.

The file is a plain tar of plain files: `manifest.json`, then `manifest.sig` (Ed25519, 64 bytes), then every file that
the manifest names. Reading is strict: no folders, links, long names, extensions or second copies, and no byte is used
that the signature does not stand for, by itself or by the hash of its file. The manifest is not parsed before its
signature is right, and no file is written before every hash is.
"""

import hashlib
import io
import json
import re
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

MANIFEST, SIGNATURE = "manifest.json", "manifest.sig"
FORMAT = 1
COMPONENT = "table-controller"
FOLDERS = ("wheels", "systemd", "docs", "config")
"""Folders that a release may have; besides them it has `REQUIREMENTS`."""

REQUIREMENTS = "requirements.txt"

LONGEST_MANIFEST = 1 << 20
LONGEST_NAME = 100
"""With its folders: what the header of a plain tar holds."""

LONGEST_FILE = 256 << 20
"""Bytes; a wheel of this program's kind has a few hundred thousand."""

BLOCK = 512
PIECE = 1 << 16
_SIGNED_AS = b"table-controller release 1\n"
"""Before the manifest when it is signed, so that no other signature of the same key can stand for one."""

_NAME = re.compile(r"[A-Za-z0-9._@+-]+(/[A-Za-z0-9._@+-]+)*")
_VERSION = re.compile(r"(0|[1-9][0-9]{0,5})(\.(0|[1-9][0-9]{0,5})){2}")


class ReleaseError(Exception):
    """The archive is not a release that may be installed; the message says why."""


@dataclass(frozen=True, slots=True)
class Listed:
    """What the manifest says of one file."""

    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a release says of itself."""

    version: str
    machine: str
    """As `uname -m` says it."""
    python: str
    """The Python that the wheels are for, such as "3.11"."""
    files: Mapping[str, Listed]

    @property
    def order(self) -> tuple[int, ...]:
        """What tells an older release from a newer."""
        return order(self.version)


@dataclass(frozen=True, slots=True)
class Release:
    """An archive whose signature and every hash were found right; `places` says where each file begins in it."""

    manifest: Manifest
    text: bytes = field(repr=False)
    """The manifest as it was signed."""
    signature: bytes
    key: str
    """The public key that it was signed with, in hex."""
    places: Mapping[str, int]


def order(version: str) -> tuple[int, ...]:
    """Return a version as numbers. Raises `ReleaseError` for what is not three numbers with dots."""
    if not _VERSION.fullmatch(version):
        raise ReleaseError(f"version {version!r} is not three numbers such as 1.4.0")
    return tuple(int(part) for part in version.split("."))


def write_release(folder: Path, version: str, machine: str, python: str, key: SigningKey, output: Path) -> Manifest:
    """Pack everything in `folder` and sign it. Raises `ReleaseError` for a file that a release cannot have."""
    found = sorted(path for path in folder.rglob("*") if not path.is_dir())
    files: dict[str, Listed] = {}
    for path in found:
        name = path.relative_to(folder).as_posix()
        if path.is_symlink() or not path.is_file():
            raise ReleaseError(f"{path} is no plain file")
        data = path.read_bytes()
        files[name] = Listed(hashlib.sha256(data).hexdigest(), len(data))
    content = {
        "format": FORMAT,
        "component": COMPONENT,
        "version": version,
        "machine": machine,
        "python": python,
        "files": {name: {"sha256": listed.sha256, "size": listed.size} for name, listed in files.items()},
    }
    text = json.dumps(content, indent=1, sort_keys=True).encode()
    manifest = _manifest(text)
    signature = key.sign(_SIGNED_AS + text).signature
    with tarfile.open(output, "w:", format=tarfile.USTAR_FORMAT) as archive:
        _add(archive, MANIFEST, text)
        _add(archive, SIGNATURE, signature)
        for name in manifest.files:
            _add(archive, name, (folder / name).read_bytes())
    return manifest


def read_release(archive: BinaryIO, key: VerifyKey) -> Release:
    """Check a whole archive. Raises `ReleaseError` with the first thing that is wrong; nothing is written anywhere."""
    members = _members(archive)
    text = _whole(archive, members, MANIFEST, LONGEST_MANIFEST)
    signature = _whole(archive, members, SIGNATURE, 64)
    manifest = signed_manifest(text, signature, key)
    places: dict[str, int] = {}
    for name, size, offset in members:
        listed = manifest.files.get(name)
        if listed is None:
            raise ReleaseError(f"it holds {name!r}, which its manifest does not name")
        if name in places:
            raise ReleaseError(f"it holds {name!r} twice")
        if size != listed.size or _sha256(archive, offset, size) != listed.sha256:
            raise ReleaseError(f"{name} is not the file that was signed")
        places[name] = offset
    for name in manifest.files:
        if name not in places:
            raise ReleaseError(f"{name} is missing: the archive is not whole")
    return Release(manifest, text, signature, bytes(key).hex(), places)


def signed_manifest(text: bytes, signature: bytes, key: VerifyKey) -> Manifest:
    """Read a manifest whose signature is right. Raises `ReleaseError`."""
    try:
        key.verify(_SIGNED_AS + text, signature)
    except (BadSignatureError, ValueError) as why:  # the second: it has not even the length of a signature
        raise ReleaseError("its signature is not that of the key that this table trusts") from why
    return _manifest(text)


def unpack(archive: BinaryIO, release: Release, folder: Path) -> None:
    """Write the files of a release that was read from the same open `archive` into the empty `folder`, and its list.

    The hashes are taken again of what is written. Raises `ReleaseError` when the archive has changed since.
    """
    for name, listed in release.manifest.files.items():
        path = folder / PurePosixPath(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        found = hashlib.sha256()
        with path.open("xb") as file:
            for piece in _pieces(archive, release.places[name], listed.size):
                found.update(piece)
                file.write(piece)
        if found.hexdigest() != listed.sha256:
            raise ReleaseError(f"{name} changed while it was unpacked")
    (folder / MANIFEST).write_bytes(release.text)
    (folder / SIGNATURE).write_bytes(release.signature)


def _manifest(text: bytes) -> Manifest:
    """Read a manifest that was signed; whoever signed it may still have made a mistake."""
    try:
        content = json.loads(text)
        if content["format"] != FORMAT or content["component"] != COMPONENT:
            raise ReleaseError(f"it is no release of {COMPONENT} in a form that this version knows")
        version, machine, python = (str(content[key]) for key in ("version", "machine", "python"))
        files = {str(name): Listed(str(f["sha256"]), int(f["size"])) for name, f in content["files"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as why:
        raise ReleaseError("its manifest cannot be read") from why
    order(version)
    for name, listed in files.items():
        _check_name(name)
        if not 0 <= listed.size <= LONGEST_FILE:
            raise ReleaseError(f"{name} is larger than a file of a release may be")
    if REQUIREMENTS not in files:
        raise ReleaseError(f"it has no {REQUIREMENTS}")
    return Manifest(version, machine, python, files)


def _check_name(name: str) -> None:
    parts = name.split("/")
    fits = _NAME.fullmatch(name) and len(name) <= LONGEST_NAME and not any(part.strip(".") == "" for part in parts)
    if not fits or not (name == REQUIREMENTS or (len(parts) > 1 and parts[0] in FOLDERS)):
        raise ReleaseError(
            f"no file of a release may be called {name!r}: it is {REQUIREMENTS}, or lies in {', '.join(FOLDERS)}, and "
            f"has at most {LONGEST_NAME} letters, digits and ._@+- with its folders"
        )


def _members(archive: BinaryIO) -> Iterator[tuple[str, int, int]]:
    """Yield name, size and place of each member. Raises `ReleaseError` for anything but plain files, then the end."""
    place = 0
    while True:
        header = _read(archive, place, BLOCK)
        if header == bytes(BLOCK):
            if _read(archive, place + BLOCK, BLOCK) != bytes(BLOCK):
                raise ReleaseError("it does not end as an archive ends")
            return
        name, size = _header(header)
        yield name, size, place + BLOCK
        place += BLOCK + -(-size // BLOCK) * BLOCK


def _header(header: bytes) -> tuple[str, int]:
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
    if not 0 <= size <= LONGEST_FILE:
        raise ReleaseError(f"{text!r} is larger than a file of a release may be")
    return text, size


def _whole(archive: BinaryIO, members: Iterator[tuple[str, int, int]], wanted: str, longest: int) -> bytes:
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


def _pieces(archive: BinaryIO, offset: int, size: int) -> Iterator[bytes]:
    for begin in range(0, size, PIECE):
        yield _read(archive, offset + begin, min(PIECE, size - begin))


def _sha256(archive: BinaryIO, offset: int, size: int) -> str:
    found = hashlib.sha256()
    for piece in _pieces(archive, offset, size):
        found.update(piece)
    return found.hexdigest()


def _add(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(data)
    member.mode = 0o644
    archive.addfile(member, io.BytesIO(data))
