"""How the room takes a table in: a code, said once, and the answer to the request made at the table with it."""

import json
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path

from controller.room_contract.certificate_request import ProvisioningError
from controller.room_contract.registration import add_proof, check_proof
from controller.room_contract.subjects import require_table_name
from room.provisioning.certificate_authority import sign_certificate
from room.provisioning.nats_configuration import admit_table

CODES_FOLDER = "codes"
CODE_VALIDITY_S = 3600.0
CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
MAX_TRIES = 5


def make_code(folder: Path, table: str, now: float) -> str:
    """Make the code by which a table is enrolled, once and within the hour; an earlier one is void."""
    signs = "".join(secrets.choice(CODE_LETTERS) for _ in range(16))
    (folder / CODES_FOLDER).mkdir(mode=0o700, exist_ok=True)
    _store_code(folder, require_table_name(table), {"code": signs, "until": now + CODE_VALIDITY_S, "tries": 0})
    return "-".join(signs[first : first + 4] for first in range(0, 16, 4))


def accept_request(folder: Path, table: str, request: str, servers: Sequence[str], now: float) -> str:
    """Take a request, let the table in, and return the answer; raises `ProvisioningError`. The code is used up."""
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
        body = check_proof(request, kept["code"])
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
    return add_proof(answer, kept["code"])


def _store_code(folder: Path, table: str, what: Mapping[str, object]) -> None:
    path = folder / CODES_FOLDER / table
    path.touch(mode=0o600)
    path.write_text(json.dumps(what), encoding="ascii")
