"""PINs: which will do, and the lock that one puts on a person's signing key.

One run of Argon2id (RFC 9106) makes 64 bytes of PIN and salt. The first half is kept, to know the PIN again; the
second half is kept nowhere and enciphers the person's Ed25519 key. So nobody who reads the file can sign for anybody
without finding the PIN first. A PIN of six digits is one of a million: whoever takes the file away finds it in a day or
two. What a PIN protects is the page, where tries are counted; the file is protected by the table's own account.
"""

import hmac
from dataclasses import dataclass, field
from itertools import pairwise

from nacl import pwhash, utils
from nacl.exceptions import CryptoError
from nacl.secret import SecretBox
from nacl.signing import SigningKey

from controller.runtime.staff.admission import AdmissionError, RefusalCode

MIN_PIN_LENGTH, MAX_PIN_LENGTH = 6, 12
"""Digits of a PIN."""

MIN_DIFFERENT_DIGITS = 3
"""Different digits that a PIN has."""

_HALF_BYTES = 32


@dataclass(frozen=True, slots=True)
class HashCost:
    """How much work one PIN is: passes over the memory, and bytes of it."""

    passes: int
    memory_bytes: int


DEFAULT_HASH_COST = HashCost(pwhash.argon2id.OPSLIMIT_INTERACTIVE, pwhash.argon2id.MEMLIMIT_INTERACTIVE)
"""libsodium's figures for signing in: 2 passes over 64 MiB, 0.1 s on a desktop core and about 0.4 s on a Pi 4."""


@dataclass(frozen=True, slots=True)
class PinLock:
    """What is kept of a PIN, and the key that it locks up."""

    salt: bytes = field(repr=False)
    cost: HashCost
    pin_hash: bytes = field(repr=False)
    encrypted_key: bytes = field(repr=False)


def check_pin(pin: str) -> None:
    """Raise `AdmissionError` unless the PIN may be chosen."""
    if not (pin.isascii() and pin.isdecimal() and MIN_PIN_LENGTH <= len(pin) <= MAX_PIN_LENGTH):
        raise AdmissionError(RefusalCode.PIN_UNFIT, f"A PIN has {MIN_PIN_LENGTH} to {MAX_PIN_LENGTH} digits.")
    steps = {(int(after) - int(before)) % 10 for before, after in pairwise(pin)}
    if len(set(pin)) < MIN_DIFFERENT_DIGITS or steps in ({1}, {9}):
        raise AdmissionError(
            RefusalCode.PIN_UNFIT,
            f"A PIN has {MIN_DIFFERENT_DIGITS} different digits or more and does not count up or down.",
        )


def lock_key(pin: str, key: SigningKey, cost: HashCost = DEFAULT_HASH_COST) -> PinLock:
    """Lock a signing key up under a PIN."""
    salt = make_salt()
    hashed, cipher_key = _derive_keys(pin, salt, cost)
    return PinLock(salt, cost, hashed, bytes(SecretBox(cipher_key).encrypt(bytes(key))))


def unlock_key(pin: str, locked: PinLock) -> SigningKey | None:
    """Open the lock; `None` when it is another PIN. Takes the same time for every PIN."""
    hashed, cipher_key = _derive_keys(pin, locked.salt, locked.cost)
    if not hmac.compare_digest(hashed, locked.pin_hash):
        return None
    try:
        return SigningKey(SecretBox(cipher_key).decrypt(locked.encrypted_key))
    except (CryptoError, ValueError):
        raise AdmissionError(
            RefusalCode.STAFF_FILE_UNUSABLE,
            "The signing key of this person is damaged in the staff's file; have the PIN reset.",
        ) from None


def make_salt() -> bytes:
    """Make a salt for `hash_secret`."""
    return utils.random(pwhash.argon2id.SALTBYTES)


def hash_secret(secret: str, salt: bytes, cost: HashCost) -> bytes:
    """Hash a secret, by which it is known again."""
    return _derive_keys(secret, salt, cost)[0]


def make_decoy_lock(cost: HashCost = DEFAULT_HASH_COST) -> PinLock:
    """Make a lock that no PIN opens, for names that nobody has: it takes the same work."""
    return PinLock(bytes(pwhash.argon2id.SALTBYTES), cost, utils.random(_HALF_BYTES), b"")


def _derive_keys(pin: str, salt: bytes, cost: HashCost) -> tuple[bytes, bytes]:
    typed = pin.encode("utf-8", "surrogatepass")
    made = pwhash.argon2id.kdf(2 * _HALF_BYTES, typed, salt, opslimit=cost.passes, memlimit=cost.memory_bytes)
    return made[:_HALF_BYTES], made[_HALF_BYTES:]
