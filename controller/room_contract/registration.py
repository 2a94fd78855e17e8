"""How a table becomes one of the room: a code, said once; a request made at the table; the room's answer.

The key is made at the table and never leaves it. Request and answer are files, in JSON, and each proves that whoever
wrote it knew the code: nobody between the two can put in a table or an authority of their own.
"""

import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from controller.room_contract.certificate_request import ProvisioningError
from controller.room_contract.subjects import require_table_name
from controller.strict_json import parse_json

MAX_FILE_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class RegistrationAnswer:
    """What the room answered: the table's certificate, the room's authority, and where its servers are."""

    certificate: str
    ca_certificate: str
    servers: tuple[str, ...]


def make_request(table: str, csr: str, code: str) -> str:
    """Write the table's request."""
    return add_proof({"table": require_table_name(table), "request": csr}, code)


def parse_answer(table: str, answer: str, code: str) -> RegistrationAnswer:
    """Read the room's answer; raises `ProvisioningError`."""
    body = check_proof(answer, code)
    match body:
        case {"table": str(name), "certificate": str(certificate), "authority": str(authority), "servers": list(where)}:
            if name != table:
                raise ProvisioningError(f"the answer is for {name}, not for {table}")
            return RegistrationAnswer(certificate, authority, tuple(map(str, where)))
        case _:
            raise ProvisioningError("the answer has not certificate, authority and servers")


def add_proof(body: Mapping[str, object], code: str) -> str:
    """Write a file that proves that whoever wrote it knew the code."""
    text = json.dumps(body, sort_keys=True)
    return json.dumps({"body": text, "proof": _compute_proof(text, code)}) + "\n"


def check_proof(text: str, code: str) -> dict[str, Any]:
    """Read such a file; raises `ProvisioningError`."""
    try:
        whole = parse_json(text[:MAX_FILE_BYTES])
        body, proof = str(whole["body"]), str(whole["proof"])
        read = parse_json(body)
    except (ValueError, TypeError, KeyError, RecursionError):
        raise ProvisioningError("the file is none that tablectl room wrote") from None
    if not hmac.compare_digest(_compute_proof(body, code).encode(), proof.encode(errors="replace")):
        raise ProvisioningError("the file was not written with this code, or was changed")
    if not isinstance(read, dict):
        raise ProvisioningError("the file is none that tablectl room wrote")
    return read


def _compute_proof(text: str, code: str) -> str:
    signs = "".join(sign for sign in code.upper() if sign.isalnum())
    return hmac.new(signs.encode(), text.encode(), hashlib.sha256).hexdigest()
