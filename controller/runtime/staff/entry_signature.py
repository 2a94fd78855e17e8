"""What a member of the staff signs when entering something: this line, after that entry was shown, in that session.

The signature (Ed25519) goes into the journal beside the entry, as `by`:

    {"name": "Ada", "role": "floor", "seen": 41, "key": "…", "signature": "…"}

`seen` is the number of the entry that the page showed, `key` the signer's public key and `signature` 64 bytes, both in
base64. Where the table took what was said for another entry (a `done` that ends a fault, a late `misread` that amends),
`by` has `said`, the line that was signed.

What is signed is `SIGNATURE_DOMAIN` and then canonical JSON (keys sorted, no spaces, UTF-8) of `{"journal", "line",
"name", "role", "seen", "session"}`, with `line` as it was said, except for `UNSIGNED_KEYS`.
"""

import base64
import json
from collections.abc import Mapping
from typing import NamedTuple

from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

SIGNATURE_DOMAIN = b"table-controller entry 2\n"
"""Comes before what is signed, so that no other signature of the same key can pass for one of these."""

UNSIGNED_KEYS = ("t", "card", "cards")
"""Keys of a line that are not signed. The table adds `t` afterwards. A card that lies face down is sealed in the
journal, and whoever has a signature over its name could try all 52.
"""

Signer = Mapping[str, object]
"""Who entered something, as the journal keeps it."""


class JournalPosition(NamedTuple):
    """Where a line is entered: in the journal of this name, which no other table has, and in this session of it."""

    journal: str
    session: int


def sign_entry(
    key: SigningKey, name: str, role: str, line: Mapping[str, object], seen: int, place: JournalPosition
) -> Signer:
    """Sign a line that somebody enters."""
    signature = key.sign(_render_statement(line, name, role, seen, place)).signature
    return {
        "name": name,
        "role": role,
        "seen": seen,
        "key": base64.b64encode(bytes(key.verify_key)).decode(),
        "signature": base64.b64encode(signature).decode(),
    }


def is_entry_signed(by: Signer, line: Mapping[str, object], place: JournalPosition) -> bool:
    """Whether `by` holds a good signature of its own key over an entry. Whose key that is, the staff's list says."""
    match by:
        case {"name": str() as name, "role": str() as role, "seen": int() as seen, "key": str(), "signature": str()}:
            try:
                key = VerifyKey(base64.b64decode(str(by["key"]), validate=True))
                signature = base64.b64decode(str(by["signature"]), validate=True)
                key.verify(_render_statement(line, name, role, seen, place), signature)
            except (BadSignatureError, ValueError):
                return False
            return True
        case _:
            return False


def select_signed_keys(line: Mapping[str, object]) -> dict[str, object]:
    """What of a line is signed."""
    return {word: value for word, value in line.items() if word not in UNSIGNED_KEYS}


def _render_statement(line: Mapping[str, object], name: str, role: str, seen: int, place: JournalPosition) -> bytes:
    content = {
        "line": select_signed_keys(line),
        "name": name,
        "role": role,
        "seen": seen,
        "journal": place.journal,
        "session": place.session,
    }
    return SIGNATURE_DOMAIN + json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
