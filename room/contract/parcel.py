"""A release on its way to a table: a parcel is announced by the word of a technician, and comes in pieces.

Room's server and table's uplink alone speak so: each piece is a request, and the answer says how much is there. Nobody
on the way is believed: the hash that the technician signed is that of the list of hashes of all pieces, so that the
first piece that is another is refused. What the parcel holds, the table's root judges (`docs/room.md`).
"""

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from room.contract.request import BadRequest

PIECE_BYTES = 256 * 1024
MOST_BYTES = 400 << 20
"""Of a parcel; a release with all its wheels has some 60 MB."""

RELEASE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}\.tar")
SHA256 = re.compile(r"[0-9a-f]{64}")
DIGEST_BYTES = 32


@dataclass(frozen=True, slots=True)
class Parcel:
    """A file of `size` bytes called `name`; `hashes`: the SHA-256 of each piece, one after the other."""

    name: str
    size: int
    hashes: bytes

    @classmethod
    def of(cls, name: str, pieces: Iterable[bytes]) -> Self:
        """Make the parcel of a file that comes as pieces, each but the last of `PIECE_BYTES`."""
        size, hashes = 0, []
        for piece in pieces:
            size += len(piece)
            hashes.append(hashlib.sha256(piece).digest())
        return cls(name, size, b"".join(hashes))

    @property
    def sha256(self) -> str:
        """What is signed: the hash of the list of hashes, in hex."""
        return hashlib.sha256(self.hashes).hexdigest()

    def told(self) -> dict[str, Any]:
        """What is signed of it, and what the table is told."""
        return {"name": self.name, "size": self.size, "sha256": self.sha256}

    def written(self) -> dict[str, Any]:
        """All of it, for JSON."""
        return {**self.told(), "hashes": self.hashes.hex()}

    @classmethod
    def read(cls, body: Mapping[str, Any]) -> Self:
        """Read what `written` wrote; raises `BadRequest`."""
        match body:
            case {"name": str(name), "size": int(size), "sha256": str(sha256), "hashes": str(text)} if (
                RELEASE.fullmatch(name) and 0 < size <= MOST_BYTES and len(text) == 2 * DIGEST_BYTES * count_of(size)
            ):
                try:
                    parcel = cls(name, size, bytes.fromhex(text))
                except ValueError as why:
                    raise BadRequest("the hashes of a parcel are hexadecimal.") from why
                if parcel.sha256 != sha256:
                    raise BadRequest("the hashes are not those that were signed.")
                return parcel
            case _:
                text = f"a parcel has name, size (at most {MOST_BYTES} bytes), sha256, and the hashes of its pieces."
                raise BadRequest(text)

    def holds(self, at: int, data: bytes) -> bool:
        """Whether those bytes are the piece that begins at byte `at`."""
        number, rest = divmod(at, PIECE_BYTES)
        wanted = self.hashes[number * DIGEST_BYTES : (number + 1) * DIGEST_BYTES]
        return not rest and len(data) == self.length(at) and hashlib.sha256(data).digest() == wanted

    def length(self, at: int) -> int:
        """How long the piece is that begins at byte `at`."""
        return max(0, min(PIECE_BYTES, self.size - at))


@dataclass(frozen=True, slots=True)
class Piece:
    """What stands in the parcel with the hash `sha256` from byte `at` on; no bytes: to ask how much is there."""

    sha256: str
    at: int
    data: bytes

    def written(self) -> dict[str, Any]:
        """Write it, for JSON; the bytes in base 64."""
        return {"sha256": self.sha256, "at": self.at, "data": base64.b64encode(self.data).decode()}

    @classmethod
    def read(cls, body: Mapping[str, Any]) -> Self:
        """Read what `written` wrote; raises `BadRequest`."""
        match body:
            case {"sha256": str(sha256), "at": int(at), "data": str(data)} if (
                SHA256.fullmatch(sha256) and 0 <= at <= MOST_BYTES
            ):
                try:
                    return cls(sha256, at, base64.b64decode(data, validate=True))
                except ValueError as why:
                    raise BadRequest("the data of a piece is in base 64.") from why
            case _:
                raise BadRequest("a piece has sha256, at and data.")


def count_of(size: int) -> int:
    """How many pieces a file of so many bytes has."""
    return -(-size // PIECE_BYTES)
