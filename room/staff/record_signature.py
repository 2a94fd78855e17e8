"""A line of the room's record signed by the person whose word it is, so that who has the database cannot make one.

The signature (Ed25519, by the key that a person signs entries with) stands in the line as `signed`:

    {"name": "Bo", "role": "floor", "key": "…", "signature": "…"}

What is signed is `SIGNATURE_DOMAIN` and then canonical JSON (keys sorted, no spaces, UTF-8) of `{"line", "name",
"role", "stream"}`, with `line` as it stands but for `signed`.
"""

import base64
import json
from collections.abc import Mapping
from typing import Any

from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey

from controller.runtime.staff.staff_store import AuthenticatedPerson

SIGNATURE_DOMAIN = b"table-room line 1\n"
"""Comes before what is signed, so that no other signature of the same key can pass for one of these."""

SIGNED_KEY = "signed"


def sign_line(person: AuthenticatedPerson, stream: str, line: Mapping[str, Any]) -> dict[str, Any]:
    """The line with the person's signature."""
    name, role = person.name, person.role.value
    signature = person.signing_key.sign(_render_statement(stream, line, name, role)).signature
    signed = {
        "name": name, "role": role, "key": base64.b64encode(person.public_key).decode(),
        "signature": base64.b64encode(signature).decode(),
    }  # fmt: skip
    return {**line, SIGNED_KEY: signed}


def find_line_key(stream: str, line: Mapping[str, Any]) -> bytes | None:
    """The public key by which a line is signed well; `None` for one that is not. Whose key that is, the staff knows."""
    match line.get(SIGNED_KEY):
        case {"name": str(name), "role": str(role), "key": str(key), "signature": str(signature)}:
            try:
                public_key = base64.b64decode(key, validate=True)
                statement = _render_statement(stream, line, name, role)
                VerifyKey(public_key).verify(statement, base64.b64decode(signature, validate=True))
            except (BadSignatureError, ValueError):
                return None
            return public_key
        case _:
            return None


def _render_statement(stream: str, line: Mapping[str, Any], name: str, role: str) -> bytes:
    unsigned = {key: value for key, value in line.items() if key != SIGNED_KEY}
    content = {"line": unsigned, "name": name, "role": role, "stream": stream}
    return SIGNATURE_DOMAIN + json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
