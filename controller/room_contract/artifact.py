"""A release on its way to a table: an artifact is announced by the word of a technician, and comes in pieces.

Room's server and table's uplink alone speak so: each piece is a request, and the answer says how much is there. Nobody
on the way is believed: the hash that the technician signed is that of the list of hashes of all pieces, so that the
first piece that is another is refused. What the artifact holds, the table's root judges (`docs/room.md`).
"""

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from controller.room_contract.table_request import MessageFormatError

CHUNK_BYTES = 256 * 1024
MAX_ARTIFACT_BYTES = 400 << 20
"""Of an artifact; a release with all its wheels has some 60 MB."""

RELEASE_NAME_PATTERN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}\.tar")
SHA256_PATTERN = re.compile(r"[0-9a-f]{64}")
DIGEST_BYTES = 32


@dataclass(frozen=True, slots=True)
class Artifact:
    """A file of `size_bytes` bytes called `name`; `chunk_hashes`: the SHA-256 of each piece, one after the other."""

    name: str
    size_bytes: int
    chunk_hashes: bytes

    @classmethod
    def from_chunks(cls, name: str, pieces: Iterable[bytes]) -> Self:
        """Make the artifact of a file that comes as pieces, each but the last of `CHUNK_BYTES`."""
        size, hashes = 0, []
        for piece in pieces:
            size += len(piece)
            hashes.append(hashlib.sha256(piece).digest())
        return cls(name, size, b"".join(hashes))

    @property
    def sha256(self) -> str:
        """What is signed: the hash of the list of hashes, in hex."""
        return hashlib.sha256(self.chunk_hashes).hexdigest()

    def to_signed_json(self) -> dict[str, Any]:
        """What is signed of it, and what the table is told."""
        return {"name": self.name, "size": self.size_bytes, "sha256": self.sha256}

    def to_json(self) -> dict[str, Any]:
        """All of it, for JSON."""
        return {**self.to_signed_json(), "hashes": self.chunk_hashes.hex()}

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        """Read what `to_json` wrote; raises `MessageFormatError`."""
        match body:
            case {"name": str(name), "size": int(size), "sha256": str(sha256), "hashes": str(text)} if (
                RELEASE_NAME_PATTERN.fullmatch(name)
                and 0 < size <= MAX_ARTIFACT_BYTES
                and len(text) == 2 * DIGEST_BYTES * count_chunks(size)
            ):
                try:
                    parcel = cls(name, size, bytes.fromhex(text))
                except ValueError as why:
                    raise MessageFormatError("the hashes of a parcel are hexadecimal.") from why
                if parcel.sha256 != sha256:
                    raise MessageFormatError("the hashes are not those that were signed.")
                return parcel
            case _:
                text = (
                    f"a parcel has name, size (at most {MAX_ARTIFACT_BYTES} bytes), sha256, and the hashes of its "
                    f"pieces."
                )
                raise MessageFormatError(text)

    def is_chunk(self, at: int, data: bytes) -> bool:
        """Whether those bytes are the piece that begins at byte `at`."""
        number, rest = divmod(at, CHUNK_BYTES)
        wanted = self.chunk_hashes[number * DIGEST_BYTES : (number + 1) * DIGEST_BYTES]
        return not rest and len(data) == self.chunk_length(at) and hashlib.sha256(data).digest() == wanted

    def chunk_length(self, at: int) -> int:
        """How long the piece is that begins at byte `at`."""
        return max(0, min(CHUNK_BYTES, self.size_bytes - at))


@dataclass(frozen=True, slots=True)
class Chunk:
    """What stands in the parcel with the hash `sha256` from byte `offset` on; no bytes: to ask how much is there."""

    sha256: str
    offset: int
    data: bytes

    def to_json(self) -> dict[str, Any]:
        """Write it, for JSON; the bytes in base 64."""
        return {"sha256": self.sha256, "at": self.offset, "data": base64.b64encode(self.data).decode()}

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        """Read what `to_json` wrote; raises `MessageFormatError`."""
        match body:
            case {"sha256": str(sha256), "at": int(at), "data": str(data)} if (
                SHA256_PATTERN.fullmatch(sha256) and 0 <= at <= MAX_ARTIFACT_BYTES
            ):
                try:
                    return cls(sha256, at, base64.b64decode(data, validate=True))
                except ValueError as why:
                    raise MessageFormatError("the data of a piece is in base 64.") from why
            case _:
                raise MessageFormatError("a piece has sha256, at and data.")


def count_chunks(size: int) -> int:
    """How many pieces a file of so many bytes has."""
    return -(-size // CHUNK_BYTES)
