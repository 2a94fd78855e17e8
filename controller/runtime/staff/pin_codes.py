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

from controller.runtime.staff.admission import Code, NotAdmitted

SHORTEST, LONGEST = 6, 12
"""Digits of a PIN."""

FEWEST_DIFFERENT = 3
"""Different digits that a PIN has."""

_HALF = 32


@dataclass(frozen=True, slots=True)
class Cost:
    """How much work one PIN is: passes over the memory, and bytes of it."""

    passes: int
    memory: int


COST = Cost(pwhash.argon2id.OPSLIMIT_INTERACTIVE, pwhash.argon2id.MEMLIMIT_INTERACTIVE)
"""libsodium's figures for signing in: 2 passes over 64 MiB, 0.1 s on a desktop core and about 0.4 s on a Pi 4."""


@dataclass(frozen=True, slots=True)
class Lock:
    """What is kept of a PIN, and the key that it locks up."""

    salt: bytes = field(repr=False)
    cost: Cost
    hash: bytes = field(repr=False)
    enciphered: bytes = field(repr=False)


def check_fit(pin: str) -> None:
    """Raise `NotAdmitted` unless the PIN may be chosen."""
    if not (pin.isascii() and pin.isdecimal() and SHORTEST <= len(pin) <= LONGEST):
        raise NotAdmitted(Code.PIN_UNFIT, f"A PIN has {SHORTEST} to {LONGEST} digits.")
    steps = {(int(after) - int(before)) % 10 for before, after in pairwise(pin)}
    if len(set(pin)) < FEWEST_DIFFERENT or steps in ({1}, {9}):
        raise NotAdmitted(
            Code.PIN_UNFIT, f"A PIN has {FEWEST_DIFFERENT} different digits or more and does not count up or down."
        )


def lock(pin: str, key: SigningKey, cost: Cost = COST) -> Lock:
    """Lock a signing key up under a PIN."""
    salt = utils.random(pwhash.argon2id.SALTBYTES)
    hashed, cipher_key = _work(pin, salt, cost)
    return Lock(salt, cost, hashed, bytes(SecretBox(cipher_key).encrypt(bytes(key))))


def unlock(pin: str, locked: Lock) -> SigningKey | None:
    """Open the lock; `None` when it is another PIN. Takes the same time for every PIN."""
    hashed, cipher_key = _work(pin, locked.salt, locked.cost)
    if not hmac.compare_digest(hashed, locked.hash):
        return None
    try:
        return SigningKey(SecretBox(cipher_key).decrypt(locked.enciphered))
    except (CryptoError, ValueError):
        raise NotAdmitted(
            Code.RECORDS, "The signing key of this person is damaged in the staff's file; have the PIN reset."
        ) from None


def is_same(secret: str, salt: bytes, cost: Cost, hashed: bytes) -> bool:
    """Whether a secret is the one that was hashed."""
    return hmac.compare_digest(_work(secret, salt, cost)[0], hashed)


def decoy(cost: Cost = COST) -> Lock:
    """Make a lock that no PIN opens, for names that nobody has: it takes the same work."""
    return Lock(bytes(pwhash.argon2id.SALTBYTES), cost, utils.random(_HALF), b"")


def _work(pin: str, salt: bytes, cost: Cost) -> tuple[bytes, bytes]:
    typed = pin.encode("utf-8", "surrogatepass")
    made = pwhash.argon2id.kdf(2 * _HALF, typed, salt, opslimit=cost.passes, memlimit=cost.memory)
    return made[:_HALF], made[_HALF:]
