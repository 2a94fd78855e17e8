"""The keys of releases: a private one where they are made, the public one in every table. Hex, one line a file."""

import os
from pathlib import Path

from nacl.signing import SigningKey, VerifyKey

from controller.app.releases.release_archive import ReleaseError


def make_key_pair(private: Path) -> Path:
    """Write a new private key to `private` and its public key beside it; return where that is."""
    key = SigningKey.generate()
    public = private.with_suffix(".pub")
    for path, text, mode in ((private, bytes(key).hex(), 0o600), (public, bytes(key.verify_key).hex(), 0o644)):
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        except OSError as why:
            raise ReleaseError(f"{path} cannot be written: {why.strerror}; a key is never written over") from why
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(text + "\n")
    return public


def read_private_key(path: Path) -> SigningKey:
    """Read a private key. Raises `ReleaseError`."""
    return SigningKey(_read_key_bytes(path, "private"))


def read_public_key(path: Path) -> VerifyKey:
    """Read a public key. Raises `ReleaseError`."""
    return VerifyKey(_read_key_bytes(path, "public"))


def _read_key_bytes(path: Path, kind: str) -> bytes:
    try:
        data = bytes.fromhex(path.read_text(encoding="ascii").strip())
    except (OSError, ValueError) as why:
        raise ReleaseError(
            f"{path} holds no {kind} key of releases: {getattr(why, 'strerror', None) or 'it is not hex'}"
        ) from why
    if len(data) != 32:
        raise ReleaseError(f"{path} holds no {kind} key of releases: it has {len(data)} bytes and not 32")
    return data
