"""How a table becomes one of the room: a code, said once; a request made at the table; the room's answer.

The key is made at the table and never leaves it. Request and answer are files, in JSON, and each proves that whoever
wrote it knew the code: nobody between the two can put in a table or an authority of their own.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.room_contract.subjects import require_table_name
from room.provisioning.certificate_authority import ProvisioningError, sign_certificate
from room.provisioning.nats_configuration import admit_table

CODES_FOLDER = "codes"
CODE_VALIDITY_S = 3600.0
CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
MAX_TRIES = 5
MAX_FILE_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class RegistrationAnswer:
    """What the room answered: the table's certificate, the room's authority, and where its servers are."""

    certificate: str
    ca_certificate: str
    servers: tuple[str, ...]


def make_code(folder: Path, table: str, now: float) -> str:
    """Make the code by which a table is enrolled, once and within the hour; an earlier one is void."""
    signs = "".join(secrets.choice(CODE_LETTERS) for _ in range(16))
    (folder / CODES_FOLDER).mkdir(mode=0o700, exist_ok=True)
    _store_code(folder, require_table_name(table), {"code": signs, "until": now + CODE_VALIDITY_S, "tries": 0})
    return "-".join(signs[first : first + 4] for first in range(0, 16, 4))


def make_request(table: str, csr: str, code: str) -> str:
    """Write the table's request."""
    return _add_proof({"table": require_table_name(table), "request": csr}, code)


def accept_request(folder: Path, table: str, request: str, servers: Sequence[str], now: float) -> str:
    """Take a request, let the table in, and return the answer; raises `SetUpError`. The code is used up."""
    path = folder / CODES_FOLDER / require_table_name(table)
    try:
        kept = json.loads(path.read_text("ascii"))
    except (OSError, ValueError):
        raise ProvisioningError(f"there is no code for {table}: tablectl room enrol {table} makes one") from None
    if now > kept["until"] or kept["tries"] >= MAX_TRIES:
        path.unlink()
        raise ProvisioningError(
            f"the code for {table} is used up or an hour old: tablectl room enrol {table} makes a new one"
        )
    try:
        body = _check_proof(request, kept["code"])
    except ProvisioningError:
        _store_code(folder, table, {**kept, "tries": kept["tries"] + 1})
        raise
    if body.get("table") != table or not isinstance(body.get("request"), str):
        raise ProvisioningError(f"the request is that of {body.get('table')!r}, not of {table}")
    certificate = sign_certificate(folder, body["request"], table)
    admit_table(folder, table)
    path.unlink()
    authority = (folder / "ca.crt").read_text("ascii")
    answer = {"table": table, "certificate": certificate, "authority": authority, "servers": list(servers)}
    return _add_proof(answer, kept["code"])


def parse_answer(table: str, answer: str, code: str) -> RegistrationAnswer:
    """Read the room's answer; raises `SetUpError`."""
    body = _check_proof(answer, code)
    match body:
        case {"table": str(name), "certificate": str(certificate), "authority": str(authority), "servers": list(where)}:
            if name != table:
                raise ProvisioningError(f"the answer is for {name}, not for {table}")
            return RegistrationAnswer(certificate, authority, tuple(map(str, where)))
        case _:
            raise ProvisioningError("the answer has not certificate, authority and servers")


def _store_code(folder: Path, table: str, what: Mapping[str, object]) -> None:
    path = folder / CODES_FOLDER / table
    path.touch(mode=0o600)
    path.write_text(json.dumps(what), encoding="ascii")


def _add_proof(body: Mapping[str, object], code: str) -> str:
    text = json.dumps(body, sort_keys=True)
    return json.dumps({"body": text, "proof": _compute_proof(text, code)}) + "\n"


def _check_proof(text: str, code: str) -> dict[str, Any]:
    try:
        whole = json.loads(text[:MAX_FILE_BYTES])
        body, proof = str(whole["body"]), str(whole["proof"])
        read = json.loads(body)
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
