"""The key of the table: made at its first start, never leaves its state directory, signs the head of its journal."""

import base64
import os
from pathlib import Path

from nacl.encoding import RawEncoder
from nacl.exceptions import CryptoError
from nacl.hash import blake2b
from nacl.secret import SecretBox
from nacl.signing import SigningKey

from controller.runtime.journal.proof.chain import render_signed_text
from controller.runtime.storage.atomic_file import write_atomically
from controller.runtime.storage.sqlite_database import DatabaseError, describe_error

DEVICE_KEY_FILE = "device.key"
DEVICE_PUBLIC_KEY_FILE = "device.pub"

_SEAL_PURPOSE = b"table sealed"
"""Makes another key of the table's for what only it may read (BLAKE2b's personalization)."""


class DeviceKey:
    """An Ed25519 key; `public_hex` is what a receipt shows, in hexadecimal."""

    def __init__(self, key: SigningKey) -> None:
        self._key = key
        self.public_hex: str = key.verify_key.encode().hex()

    def seal_text(self, text: str) -> str:
        """Encipher a text so that this table alone can read it, in base64."""
        return base64.b64encode(self._make_box().encrypt(text.encode())).decode()

    def open_text(self, sealed: str) -> str | None:
        """Read what `seal_text` has enciphered; `None` for what it has not, or another table's."""
        try:
            return self._make_box().decrypt(base64.b64decode(sealed, validate=True)).decode()
        except (CryptoError, ValueError):
            return None

    def _make_box(self) -> SecretBox:
        return SecretBox(
            blake2b(bytes(self._key), digest_size=SecretBox.KEY_SIZE, person=_SEAL_PURPOSE, encoder=RawEncoder)
        )

    def sign_head(self, table: str, number: int, chain: str) -> str:
        """Sign the head of a journal, in hexadecimal."""
        return self._key.sign(render_signed_text(table, number, chain)).signature.hex()


def load_device_key(directory: Path) -> DeviceKey:
    """Read the key of the table; raises `DatabaseError`."""
    path = directory / DEVICE_KEY_FILE
    try:
        seed = bytes.fromhex(path.read_text(encoding="ascii").strip())
    except OSError as why:
        raise DatabaseError(f"{path}: the key of the table cannot be read: {describe_error(why, path)}") from None
    except ValueError:
        raise _make_damaged_error(path) from None
    if len(seed) != 32:
        raise _make_damaged_error(path)
    return DeviceKey(SigningKey(seed))


def load_or_make_device_key(directory: Path, *, named: str | None = None) -> DeviceKey:
    """Read the key of the table, or make it where there is none; raises `DatabaseError`.

    `named`: the public key that the journal names. What another key signs would not be proved by it.
    """
    path = directory / DEVICE_KEY_FILE
    if not path.exists():
        if named is not None:
            raise DatabaseError(
                f"{path}: is missing, and the journal beside it is signed with it: put its copy back, or give the "
                "table another directory (section [state], or --state)"
            )
        key = SigningKey.generate()
        try:
            write_atomically(path, key.encode().hex().encode() + b"\n")
            write_atomically(
                directory / DEVICE_PUBLIC_KEY_FILE, key.verify_key.encode().hex().encode() + b"\n", mode=0o644
            )
        except OSError as why:
            raise DatabaseError(f"{path}: the key of the table cannot be written: {describe_error(why, path)}") from why
    if os.stat(path).st_mode & 0o077:
        raise DatabaseError(f"{path}: others than the table may read its key; chmod 600 it, and find out who did")
    device = load_device_key(directory)
    if named is None or device.public_hex == named:
        _keep_public_key(directory / DEVICE_PUBLIC_KEY_FILE, device)
    if named is not None and device.public_hex != named:
        raise DatabaseError(
            f"{path}: is not the key that the journal beside it names, or journal.sqlite is another table's; put the "
            "right one back, or move the journal away with all its files, and find out who did it"
        )
    return device


def _keep_public_key(path: Path, device: DeviceKey) -> None:
    """Write the public half anew where it is not that of the key; raises `DatabaseError`."""
    text = device.public_hex.encode() + b"\n"
    try:
        if not path.exists() or path.read_bytes() != text:
            write_atomically(path, text, mode=0o644)
    except OSError as why:
        raise DatabaseError(
            f"{path}: cannot be written: {describe_error(why, path)}; what is there may be removed, it is made anew"
        ) from why


def _make_damaged_error(path: Path) -> DatabaseError:
    return DatabaseError(
        f"{path}: is not the key of a table (64 hexadecimal signs); put its copy back, or give the table another "
        "directory (section [state], or --state)"
    )
