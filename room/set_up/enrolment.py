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

from room.contract.subjects import checked
from room.set_up.authority import SetUpError, sign
from room.set_up.servers import admit

CODES = "codes"
CODE_SECONDS = 3600.0
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
MOST_TRIES = 5
MOST_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Taken:
    """What the room answered: the table's certificate, the room's authority, and where its servers are."""

    certificate: str
    authority: str
    servers: tuple[str, ...]


def new_code(folder: Path, table: str, now: float) -> str:
    """Make the code by which a table is enrolled, once and within the hour; an earlier one is void."""
    signs = "".join(secrets.choice(LETTERS) for _ in range(16))
    (folder / CODES).mkdir(mode=0o700, exist_ok=True)
    _keep(folder, checked(table), {"code": signs, "until": now + CODE_SECONDS, "tries": 0})
    return "-".join(signs[first : first + 4] for first in range(0, 16, 4))


def request_of(table: str, csr: str, code: str) -> str:
    """Write the table's request."""
    return _proved({"table": checked(table), "request": csr}, code)


def take(folder: Path, table: str, request: str, servers: Sequence[str], now: float) -> str:
    """Take a request, let the table in, and return the answer; raises `SetUpError`. The code is used up."""
    path = folder / CODES / checked(table)
    try:
        kept = json.loads(path.read_text("ascii"))
    except (OSError, ValueError):
        raise SetUpError(f"there is no code for {table}: tablectl room enrol {table} makes one") from None
    if now > kept["until"] or kept["tries"] >= MOST_TRIES:
        path.unlink()
        raise SetUpError(f"the code for {table} is used up or an hour old: tablectl room enrol {table} makes a new one")
    try:
        body = _read(request, kept["code"])
    except SetUpError:
        _keep(folder, table, {**kept, "tries": kept["tries"] + 1})
        raise
    if body.get("table") != table or not isinstance(body.get("request"), str):
        raise SetUpError(f"the request is that of {body.get('table')!r}, not of {table}")
    certificate = sign(folder, body["request"], table)
    admit(folder, table)
    path.unlink()
    authority = (folder / "ca.crt").read_text("ascii")
    answer = {"table": table, "certificate": certificate, "authority": authority, "servers": list(servers)}
    return _proved(answer, kept["code"])


def taken(table: str, answer: str, code: str) -> Taken:
    """Read the room's answer; raises `SetUpError`."""
    body = _read(answer, code)
    match body:
        case {"table": str(name), "certificate": str(certificate), "authority": str(authority), "servers": list(where)}:
            if name != table:
                raise SetUpError(f"the answer is for {name}, not for {table}")
            return Taken(certificate, authority, tuple(map(str, where)))
        case _:
            raise SetUpError("the answer has not certificate, authority and servers")


def _keep(folder: Path, table: str, what: Mapping[str, object]) -> None:
    path = folder / CODES / table
    path.touch(mode=0o600)
    path.write_text(json.dumps(what), encoding="ascii")


def _proved(body: Mapping[str, object], code: str) -> str:
    text = json.dumps(body, sort_keys=True)
    return json.dumps({"body": text, "proof": _proof(text, code)}) + "\n"


def _read(text: str, code: str) -> dict[str, Any]:
    try:
        whole = json.loads(text[:MOST_BYTES])
        body, proof = str(whole["body"]), str(whole["proof"])
        read = json.loads(body)
    except (ValueError, TypeError, KeyError, RecursionError):
        raise SetUpError("the file is none that tablectl room wrote") from None
    if not hmac.compare_digest(_proof(body, code).encode(), proof.encode(errors="replace")):
        raise SetUpError("the file was not written with this code, or was changed")
    if not isinstance(read, dict):
        raise SetUpError("the file is none that tablectl room wrote")
    return read


def _proof(text: str, code: str) -> str:
    signs = "".join(sign for sign in code.upper() if sign.isalnum())
    return hmac.new(signs.encode(), text.encode(), hashlib.sha256).hexdigest()
